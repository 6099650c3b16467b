package io.seriatim.benchmarks;

import io.seriatim.SystemEnvironment;
import io.seriatim.eventlog.Refusal;
import io.seriatim.eventlog.Sequencer;
import io.seriatim.eventlog.SequencerSettings;
import io.seriatim.eventlog.SequencingTransaction;
import io.seriatim.eventlog.Start;
import io.seriatim.eventlog.WorkspaceKind;
import io.seriatim.memory.MemoryEventLogStore;
import io.seriatim.rocksdb.RocksDbStore;
import io.seriatim.store.EventLogStore;
import io.seriatim.store.PartitionKey;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * A transaction of a sequencer: start, two numbers, flush, with the numbers stored in the background. One thread, as a
 * partition has. {@link TransactionsTable} runs it.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@State(Scope.Benchmark)
public class Transactions {

    static final int RECORD_ID = 1;
    static final WorkspaceKind KIND = WorkspaceKind.of(1).with(RECORD_ID, 200_001);

    private static final Duration LONG = Duration.ofSeconds(60);
    /** A power of two, more than enough to have no pattern. */
    private static final int DRAWN = 1 << 20;

    @Param({"memory", "rocksdb"})
    @SuppressWarnings("NullAway.Init") // JMH sets it
    public String store;

    @Param({"1", "10000", "200000"})
    public int workspaces;

    private final int[] order = new int[DRAWN];
    private int turn;
    private final SystemEnvironment environment = new SystemEnvironment();

    @SuppressWarnings("NullAway.Init") // JMH calls open before any benchmark
    private AutoCloseable folder;

    @SuppressWarnings("NullAway.Init")
    private Sequencer sequencer;

    @Setup
    public void open() throws IOException {
        EventLogStore log;
        if (store.equals("memory")) {
            log = new MemoryEventLogStore();
            folder = log;
        } else {
            RocksDbStore rocks =
                    RocksDbStore.open(Path.of(System.getProperty("transactions.folder"), "run-" + System.nanoTime()));
            log = rocks.eventLog();
            folder = rocks;
        }
        SplittableRandom random = new SplittableRandom(7);
        for (int i = 0; i < DRAWN; i++) {
            order[i] = random.nextInt(workspaces);
        }
        sequencer = Sequencer.on(
                log.partition(new PartitionKey(1, 0)), List.of(KIND), SequencerSettings.usual(), environment);
        start(0).discard();
    }

    @TearDown
    public void close() throws Exception {
        sequencer.close();
        folder.close();
        environment.close();
    }

    private SequencingTransaction start(long workspace) {
        Start start = sequencer.start(1, workspace);
        return start instanceof Refusal ? sequencer.start(1, workspace, LONG).orThrow() : start.orThrow();
    }

    @Benchmark
    public long transaction() {
        SequencingTransaction tx = start(order[turn++ & DRAWN - 1]);
        long sum = tx.next(WorkspaceKind.WLOG_OFFSET) + tx.next(RECORD_ID);
        tx.flush();
        return sum;
    }
}
