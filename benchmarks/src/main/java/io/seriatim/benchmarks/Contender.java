package io.seriatim.benchmarks;

import io.seriatim.Sequence;
import io.seriatim.SequenceDefinition;
import io.seriatim.Sequences;
import io.seriatim.store.Change;
import io.seriatim.store.CounterKey;
import io.seriatim.store.CounterRow;
import io.seriatim.store.CounterStore;
import io.seriatim.store.WriteOutcome;
import io.seriatim.store.WriterMark;
import java.time.Duration;
import java.util.function.LongSupplier;
import me.ahoo.cosid.segment.IdSegmentDistributor;
import me.ahoo.cosid.segment.SegmentChainId;
import me.ahoo.cosid.segment.concurrent.PrefetchWorkerExecutorService;

/** Something that hands out values from a {@link CostlyStore}, and how it is opened and stopped. */
enum Contender {
    SERIATIM_AUTO {
        @Override
        Run open(CostlyStore store) {
            return ours(store, SequenceDefinition.ascending());
        }
    },
    SERIATIM_1000 {
        @Override
        Run open(CostlyStore store) {
            return ours(store, SequenceDefinition.ascending().cache(1_000));
        }
    },
    COSID_1000 {
        @Override
        Run open(CostlyStore store) {
            PrefetchWorkerExecutorService workers = new PrefetchWorkerExecutorService(
                    Duration.ofSeconds(1), Runtime.getRuntime().availableProcessors(), false);
            Distributor distributor = new Distributor(store, 1_000);
            SegmentChainId chain =
                    new SegmentChainId(Long.MAX_VALUE, SegmentChainId.DEFAULT_SAFE_DISTANCE, distributor, workers);
            return new Run(chain::generate, workers::shutdown, distributor::mark);
        }
    };

    abstract Run open(CostlyStore store);

    /**
     * An open contender.
     *
     * @param next gives the next value
     * @param stop the cleanest stop that the contender has
     * @param mark the last value durably taken
     */
    record Run(LongSupplier next, Runnable stop, LongSupplier mark) {}

    static final String NAME = "benchmark";

    private static Run ours(CostlyStore store, SequenceDefinition definition) {
        Sequences sequences = Sequences.on(store);
        Sequence sequence = sequences.define(NAME, definition);
        long id = store.findDefinition(NAME).orElseThrow().sequenceId();
        return new Run(
                sequence::next,
                sequences::close,
                () -> store.findCounter(CounterKey.of(id))
                        .filter(row -> !row.fresh())
                        .map(CounterRow::highWaterMark)
                        .orElse(0L));
    }

    /** Gives CosId the values of one counter row, by the same conditional write as ours. */
    static final class Distributor implements IdSegmentDistributor {

        private static final CounterKey KEY = CounterKey.of(1);

        private final CounterStore store;
        private final long step;
        /** The row as last written. Guarded by this, as are its writes: CosId asks from several threads. */
        private CounterRow row = new CounterRow(KEY, 1, 0, 0, false, 1, new WriterMark(1, 1));

        Distributor(CounterStore store, long step) {
            this.store = store;
            this.step = step;
            apply(row);
        }

        @Override
        public synchronized long nextMaxId(long count) {
            CounterRow next = new CounterRow(
                    KEY,
                    1,
                    0,
                    Math.addExact(row.highWaterMark(), count),
                    false,
                    row.revision() + 1,
                    new WriterMark(1, row.revision() + 1));
            apply(next);
            row = next;
            return next.highWaterMark();
        }

        private void apply(CounterRow next) {
            if (!(store.apply(Change.of(next)) instanceof WriteOutcome.Applied)) {
                throw new IllegalStateException("nobody else writes this row: row=" + next);
            }
        }

        synchronized long mark() {
            return row.highWaterMark();
        }

        @Override
        public String getNamespace() {
            return "benchmarks";
        }

        @Override
        public String getName() {
            return NAME;
        }

        @Override
        public long getStep() {
            return step;
        }
    }
}
