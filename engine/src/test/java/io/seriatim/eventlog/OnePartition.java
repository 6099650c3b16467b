package io.seriatim.eventlog;

import static org.assertj.core.api.Assertions.assertThat;

import io.seriatim.Environment;
import io.seriatim.SystemEnvironment;
import io.seriatim.memory.MemoryEventLogStore;
import io.seriatim.store.Checkpoint;
import io.seriatim.store.EventHeader;
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

/** A partition in memory, its sequencers, and who writes its log, as a test needs them. */
final class OnePartition implements AutoCloseable {

    static final Duration LONG = Duration.ofSeconds(20);
    /** With sequences 1 and 2 from 1 on. */
    static final WorkspaceKind KIND = kind(2);

    private static final long NANOS_TO_WAIT = LONG.toNanos();
    private static final byte[] BODY = new byte[0];

    final PartitionStore memory = new MemoryEventLogStore().partition(new PartitionKey(1, 0));
    final GatedPartition store = new GatedPartition(memory);
    final SystemEnvironment environment = new SystemEnvironment();
    SequencerSettings settings = SequencerSettings.usual()
            .withWaits(Duration.ofMillis(1), Duration.ofMillis(10), Duration.ofSeconds(2), Duration.ofMillis(300));
    private final List<Sequencer> opened = new ArrayList<>();
    private long marks;

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
        store.releaseAll();
        opened.forEach(Sequencer::close);
        environment.close();
    }

    // ---- the log, written by someone else before or beside a sequencer

    /** Writes an event of kind 1. */
    void log(long offset, long workspace, int sequence, long value) {
        log(event(offset, workspace, new int[] {sequence}, new long[] {value}));
    }

    void log(long offset, long workspace, int[] sequences, long[] values) {
        log(event(offset, workspace, sequences, values));
    }

    private LogEvent event(long offset, long workspace, int[] sequences, long[] values) {
        EventHeader header = new EventHeader(workspace, 1, new WriterMark(7, ++marks), "", sequences, values);
        return new LogEvent(offset, Math.max(1, memory.epoch()), header, BODY);
    }

    void log(LogEvent event) {
        long epoch = memory.epoch() == 0 ? memory.take() : memory.epoch();
        assertThat(memory.append(epoch, WriteMode.INSERT_IF_ABSENT, List.of(event)))
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
        assertThat(memory.append(memory.epoch(), WriteMode.INSERT_IF_ABSENT, events))
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
        int unused = memory.readNumbers(workspace, new int[] {sequence}, values);
        return values[0];
    }

    /** The first offset that the stored numbers do not cover. */
    long covered() {
        return memory.checkpoint().map(Checkpoint::nextOffset).orElse(1L);
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
