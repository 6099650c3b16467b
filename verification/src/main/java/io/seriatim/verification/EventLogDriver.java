package io.seriatim.verification;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.seriatim.SystemEnvironment;
import io.seriatim.eventlog.SealedTransaction;
import io.seriatim.eventlog.Sequencer;
import io.seriatim.eventlog.SequencerSettings;
import io.seriatim.eventlog.SequencerState;
import io.seriatim.eventlog.SequencingTransaction;
import io.seriatim.eventlog.WorkspaceKind;
import io.seriatim.postgresql.PostgresStore;
import io.seriatim.rocksdb.RocksDbStore;
import io.seriatim.store.EventLogStore;
import io.seriatim.store.LogEvent;
import io.seriatim.store.LogOutcome;
import io.seriatim.store.NumberRows;
import io.seriatim.store.PartitionKey;
import io.seriatim.store.PartitionStore;
import io.seriatim.store.WriteMode;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Appends events to four workspaces of one partition until it is killed, one at a time and in groups, gives some up, and
 * prints what it is told: {@code opened} with what it read at the start, then a line for each event that is durable. What
 * is printed was acknowledged; of the last events before the kill nobody knows.
 */
public final class EventLogDriver {

    static final PartitionKey PARTITION = new PartitionKey(1, 0);
    static final int RECORD_ID = 1;
    static final long FIRST_RECORD_ID = 200_001;
    static final String OPENED = "opened";
    static final String EVENT = "event";
    private static final int MOST_UNFLUSHED = 600;
    /** What a restart may have to replay: what may be unflushed, and a group that was appended and not flushed. */
    static final int MOST_REPLAYED = MOST_UNFLUSHED + 65;

    private static final WorkspaceKind KIND =
            WorkspaceKind.of(1).with(RECORD_ID, FIRST_RECORD_ID).recordIdsFrom(RECORD_ID);
    private static final int WORKSPACES = 4;
    private static final int MOST_RECORDS = 3;
    static final int MOST_OF_A_GROUP = 40;
    private static final int MOST_PADDING = 200;
    private static final Duration WAIT = Duration.ofSeconds(60);

    private final Sequencer sequencer;
    private final PartitionStore log;
    private final SplittableRandom random;
    /** The workspace of the open transaction. */
    private long drawnFor;

    private EventLogDriver(Sequencer sequencer, PartitionStore log, SplittableRandom random) {
        this.sequencer = sequencer;
        this.log = log;
        this.random = random;
    }

    /**
     * Ends by being killed, or with whoever started it. The arguments: a folder and a seed; or the URL of a database, a
     * seed and a schema.
     */
    public static void main(String[] arguments) throws IOException {
        PartitionStore log = open(arguments).partition(PARTITION);
        SequencerSettings settings = SequencerSettings.usual()
                .withMaxUnflushed(4 * MOST_UNFLUSHED, MOST_UNFLUSHED)
                .withLruCacheSize(2);
        Sequencer sequencer = Sequencer.on(log, List.of(KIND), settings, new SystemEnvironment());
        SplittableRandom random = new SplittableRandom(Long.parseLong(arguments[1]));
        EventLogDriver driver = new EventLogDriver(sequencer, log, random);
        new Thread(driver::run, "event-log-driver").start();
        while (System.in.read() >= 0) {}
        Runtime.getRuntime().halt(1);
    }

    private static EventLogStore open(String[] arguments) {
        return arguments.length < 3
                ? RocksDbStore.open(Path.of(arguments[0])).eventLog()
                : PostgresStore.open(PostgresServer.settings(arguments[0], arguments[2]))
                        .eventLog();
    }

    private void run() {
        try {
            start(0).discard();
            SequencerState state = sequencer.state();
            say(OPENED + " " + state.nextOffset() + " " + state.replay().events());
            while (true) {
                step();
            }
        } catch (RuntimeException | Error e) {
            e.printStackTrace(System.err);
            Runtime.getRuntime().halt(1);
        }
    }

    private SequencingTransaction start(long workspace) {
        drawnFor = workspace;
        return sequencer.start(KIND.id(), workspace, WAIT).orThrow();
    }

    private void step() {
        int chance = random.nextInt(100);
        if (chance < 50) {
            write(1, true);
        } else if (chance < 88) {
            write(random.nextInt(2, MOST_OF_A_GROUP), true);
        } else if (chance < 92) {
            write(random.nextInt(1, MOST_OF_A_GROUP), false);
        } else if (chance < 96) {
            giveUp(random.nextInt(1, MOST_OF_A_GROUP));
        } else {
            SequencingTransaction tx = start(workspace());
            LogEvent unused = draw(tx);
            tx.discard();
        }
    }

    private long workspace() {
        return random.nextInt(WORKSPACES);
    }

    /**
     * Appends a group in one write: all are sealed but the last one, whose flush is for all.
     *
     * @param answered whether the answer of the append counts; else it is taken for lost, and the log is read
     */
    private void write(int count, boolean answered) {
        List<LogEvent> events = new ArrayList<>();
        sealAllButOne(count, events);
        SequencingTransaction last = start(workspace());
        events.add(draw(last));
        LogOutcome outcome = log.append(last.epoch(), WriteMode.INSERT_IF_ABSENT, events);
        if (!(outcome instanceof LogOutcome.Applied)) {
            throw new IllegalStateException("nobody else writes here: " + outcome);
        }
        if (answered) {
            NumberRows unused = last.flush();
        } else {
            last.actualize();
        }
        events.forEach(EventLogDriver::acknowledge);
    }

    /** Draws a group that never goes to the log: its offsets and numbers come again. */
    private void giveUp(int count) {
        List<LogEvent> events = new ArrayList<>();
        sealAllButOne(count, events);
        SequencingTransaction last = start(workspace());
        events.add(draw(last));
        last.actualize();
    }

    private void sealAllButOne(int count, List<LogEvent> events) {
        for (int i = 1; i < count; i++) {
            SequencingTransaction tx = start(workspace());
            events.add(draw(tx));
            SealedTransaction unused = tx.seal();
        }
    }

    /** The body says again what the event uses: workspace, WLog offset, record ids; and some bytes. */
    private LogEvent draw(SequencingTransaction tx) {
        StringBuilder body = new StringBuilder();
        body.append(drawnFor)
                .append(' ')
                .append(tx.next(WorkspaceKind.WLOG_OFFSET))
                .append(' ');
        int records = random.nextInt(MOST_RECORDS + 1);
        for (int i = 0; i < records; i++) {
            body.append(i == 0 ? "" : ",").append(tx.next(RECORD_ID));
        }
        body.append(records == 0 ? "-" : "").append(' ');
        random.ints(random.nextInt(1, MOST_PADDING), 'a', 'z' + 1).forEach(c -> body.append((char) c));
        return tx.event(body.toString().getBytes(UTF_8));
    }

    private static void acknowledge(LogEvent event) {
        String[] words = new String(event.body(), UTF_8).split(" ");
        say(EVENT + " " + event.offset() + " " + words[0] + " " + words[1] + " " + words[2] + " "
                + EventLogHistory.hash(event.body()));
    }

    private static void say(String line) {
        System.out.println(line);
        System.out.flush();
    }
}
