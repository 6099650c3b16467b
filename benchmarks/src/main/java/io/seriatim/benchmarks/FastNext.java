package io.seriatim.benchmarks;

import io.seriatim.Block;
import io.seriatim.Sequence;
import io.seriatim.SequenceDefinition;
import io.seriatim.SequenceLease;
import io.seriatim.Sequences;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import me.ahoo.cosid.segment.SegmentChainId;
import me.ahoo.cosid.segment.concurrent.PrefetchWorkerExecutorService;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * One value of a sequence under the contract {@code fast}, beside what one atomic add costs and beside CosId's
 * chain over the same store. {@link FastNextTable} runs it for several thread counts and prints ratios.
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class FastNext {

    /** How many values {@link #seriatimNext16} takes in a call. */
    private static final int SIXTEEN = 16;

    /** The limit of what is possible: no value, only the add. */
    @State(Scope.Benchmark)
    public static class Atomic {
        final AtomicLong cursor = new AtomicLong();
    }

    /** Blocks sized by rate, the default. */
    @State(Scope.Benchmark)
    public static class Auto extends Open {
        public Auto() {
            super(SequenceDefinition.ascending());
        }
    }

    /** Blocks of 1000, as many as CosId takes at least. */
    @State(Scope.Benchmark)
    public static class Thousand extends Open {
        public Thousand() {
            super(SequenceDefinition.ascending().cache(1_000));
        }
    }

    /** A sequence on a store whose writes cost something. */
    public abstract static class Open {
        final Sequences sequences = Sequences.on(new CostlyStore());
        final Sequence sequence;

        Open(SequenceDefinition definition) {
            sequence = sequences.define(Contender.NAME, definition);
        }

        @TearDown
        public void close() {
            sequences.close();
        }
    }

    /** One lease a thread, on a sequence that all share. */
    @State(Scope.Thread)
    public static class Leased {
        @SuppressWarnings("NullAway.Init") // JMH calls open before any benchmark
        SequenceLease lease;

        @Setup
        public void open(Auto auto) {
            lease = auto.sequence.lease(1_000);
        }

        @TearDown
        public void close() {
            lease.close();
        }
    }

    /** CosId's fastest generator, on a store of the same cost. */
    @State(Scope.Benchmark)
    public static class CosId {
        final PrefetchWorkerExecutorService workers = new PrefetchWorkerExecutorService(
                Duration.ofSeconds(1), Runtime.getRuntime().availableProcessors(), false);
        final SegmentChainId chain = new SegmentChainId(
                Long.MAX_VALUE,
                SegmentChainId.DEFAULT_SAFE_DISTANCE,
                new Contender.Distributor(new CostlyStore(), 1_000),
                workers);

        @TearDown
        public void close() {
            workers.shutdown();
        }
    }

    @Benchmark
    public long atomicLong(Atomic state) {
        return state.cursor.getAndIncrement();
    }

    @Benchmark
    public long seriatimAuto(Auto state) {
        return state.sequence.next();
    }

    @Benchmark
    public long seriatim1000(Thousand state) {
        return state.sequence.next();
    }

    @Benchmark
    public long cosIdChain(CosId state) {
        return state.chain.generate();
    }

    /** A lease of 1000 for each thread. */
    @Benchmark
    public long seriatimLease(Leased state) {
        return state.lease.next();
    }

    /** Sixteen values in one call, counted one by one; CosId has no such call. */
    @Benchmark
    @OperationsPerInvocation(SIXTEEN)
    public Block seriatimNext16(Auto state) {
        return state.sequence.next(SIXTEEN);
    }
}
