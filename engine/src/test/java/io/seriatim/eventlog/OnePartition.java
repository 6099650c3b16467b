package io.seriatim.eventlog;

import static org.assertj.core.api.Assertions.assertThat;

import io.seriatim.Environment;
import io.seriatim.SystemEnvironment;
import io.seriatim.store.Checkpoint;
import io.seriatim.store.EventHeader;
import io.seriatim.store.EventLogStore;
import io.seriatim.store.LogEvent;
import io.seriatim.store.LogOutcome;
import io.seriatim.store.PartitionKey;
import io.seriatim.store.PartitionStore;
import io.seriatim.store.WriteMode;
import io.seriatim.store.WriterMark;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.LongUnaryOperator;

/** A partition, its sequencers, and who writes its log, as a test needs them. */
final class OnePartition implements AutoCloseable {

    static final Duration LONG = Duration.ofSeconds(20);
    /** With sequences 1 and 2 from 1 on. */
    static final WorkspaceKind KIND = kind(2);

    private static final long NANOS_TO_WAIT = LONG.toNanos();
    private static final byte[] BODY = new byte[0];

    private static final int EVENTS_AT_ONCE = 10_000;

    private final LogWorld world;
    private int application = 1;
    private EventLogStore eventLogs;
    /** What is stored, past {@link #store}. */
    PartitionStore rows;

    GatedPartition store;
    final SystemEnvironment environment = new SystemEnvironment();
    SequencerSettings settings = SequencerSettings.usual()
            .withWaits(Duration.ofMillis(1), Duration.ofMillis(10), Duration.ofSeconds(2), Duration.ofMillis(300));
    private final List<Sequencer> opened = new ArrayList<>();
    private long marks;

    /** One in rows. */
    OnePartition() {
        this(LogWorld.inMemory());
    }

    OnePartition(LogWorld world) {
        this.world = world;
        eventLogs = world.open();
        look();
    }

    private PartitionKey key() {
        return new PartitionKey(application, 0);
    }

    private void look() {
        rows = eventLogs.partition(key());
        store = new GatedPartition(rows);
    }

    /** Ends the process, whose sequencers are closed, and begins the next one, which opens the store anew. */
    void restart() {
        endSequencers();
        crash();
    }

    /** The same, and nothing is closed but the store. */
    void crash() {
        opened.clear();
        eventLogs = world.open();
        look();
    }

    /** Goes on to a partition that nobody has used. */
    void another() {
        endSequencers();
        application++;
        look();
    }

    /** The partition, as a process beside this one has it. */
    PartitionStore beside() {
        return world.openBeside().partition(key());
    }

    private void endSequencers() {
        store.releaseAll();
        opened.forEach(Sequencer::close);
        opened.clear();
    }

    /** Kind 1 with so many sequences from 1 on. */
    static WorkspaceKind kind(int sequences) {
        WorkspaceKind kind = WorkspaceKind.of(1);
        for (int id = 1; id <= sequences; id++) {
            kind = kind.with(id, 1);
        }
        return kind;
    }

    Sequencer open(WorkspaceKind... kinds) {
        return open(environment, kinds);
    }

    Sequencer open(Environment with, WorkspaceKind... kinds) {
        Sequencer sequencer = Sequencer.on(store, kinds.length == 0 ? List.of(KIND) : List.of(kinds), settings, with);
        opened.add(sequencer);
        return sequencer;
    }

    @Override
    public void close() {
        endSequencers();
        environment.close();
        world.close();
    }

    // ---- the log, written by someone else before or beside a sequencer

    /** Writes an event of kind 1. */
    void log(long offset, long workspace, int sequence, long value) {
        log(event(offset, workspace, new int[] {sequence}, new long[] {value}));
    }

    void log(long offset, long workspace, int[] sequences, long[] values) {
        log(event(offset, workspace, sequences, values));
    }

    /** The log as the process before has left it. */
    void holds(long offset, long workspace, int sequence, long value) {
        holds(offset, workspace, new int[] {sequence}, new long[] {value});
    }

    void holds(long offset, long workspace, int[] sequences, long[] values) {
        log(offset, workspace, sequences, values);
        restart();
    }

    /** The log as the process before has left it: event n has number n of sequence 1. */
    void holds(int count, LongUnaryOperator workspaces) {
        long epoch = rows.take();
        for (int first = 1; first <= count; first += EVENTS_AT_ONCE) {
            List<LogEvent> events = new ArrayList<>();
            for (int offset = first; offset < first + EVENTS_AT_ONCE && offset <= count; offset++) {
                EventHeader header = new EventHeader(
                        workspaces.applyAsLong(offset), 1, new WriterMark(7, ++marks), "", new int[] {1}, new long[] {
                            offset
                        });
                events.add(new LogEvent(offset, epoch, header, BODY));
            }
            assertThat(rows.append(epoch, WriteMode.INSERT_IF_ABSENT, events)).isInstanceOf(LogOutcome.Applied.class);
        }
        restart();
    }

    LogEvent event(long offset, long workspace, int[] sequences, long[] values) {
        EventHeader header = new EventHeader(workspace, 1, new WriterMark(7, ++marks), "", sequences, values);
        return new LogEvent(offset, Math.max(1, rows.epoch()), header, BODY);
    }

    void log(LogEvent... events) {
        long epoch = rows.epoch() == 0 ? rows.take() : rows.epoch();
        assertThat(rows.append(epoch, WriteMode.INSERT_IF_ABSENT, List.of(events)))
                .isInstanceOf(LogOutcome.Applied.class);
    }

    // ---- the log, written for a transaction

    static SequencingTransaction start(Sequencer sequencer) {
        return start(sequencer, 1);
    }

    static SequencingTransaction start(Sequencer sequencer, long workspace) {
        return sequencer.start(1, workspace, LONG).orThrow();
    }

    /** Writes the transaction's event. */
    void append(SequencingTransaction tx) {
        append(List.of(tx.event(BODY)));
    }

    void append(List<LogEvent> events) {
        assertThat(rows.append(rows.epoch(), WriteMode.INSERT_IF_ABSENT, events))
                .isInstanceOf(LogOutcome.Applied.class);
    }

    /** Writes the transaction's event and flushes it. */
    void finish(SequencingTransaction tx) {
        append(tx);
        tx.flush();
    }

    // ---- what is stored

    long stored(long workspace, int sequence) {
        long[] values = new long[1];
        int unused = rows.readNumbers(workspace, new int[] {sequence}, values);
        return values[0];
    }

    /** The first offset that the stored numbers do not cover. */
    long covered() {
        return rows.checkpoint().map(Checkpoint::nextOffset).orElse(1L);
    }

    /** Waits until something is so. */
    static void await(BooleanSupplier condition) {
        long end = System.nanoTime() + NANOS_TO_WAIT;
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - end).as("past the time to wait").isNegative();
            Thread.onSpinWait();
        }
    }
}
