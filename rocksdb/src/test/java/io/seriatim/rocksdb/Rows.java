package io.seriatim.rocksdb;

import io.seriatim.store.Change;
import io.seriatim.store.CounterKey;
import io.seriatim.store.CounterRow;
import io.seriatim.store.CounterStore;
import io.seriatim.store.IdempotencyKey;
import io.seriatim.store.IdempotencyRow;
import io.seriatim.store.WriteOutcome;
import io.seriatim.store.WriterMark;
import java.time.Instant;

/** Rows for tests. */
final class Rows {

    private Rows() {}

    static CounterRow counter(long sequenceId, long revision) {
        return new CounterRow(
                CounterKey.of(sequenceId), 1, 0, revision * 100, false, revision, new WriterMark(1, revision));
    }

    static IdempotencyRow answer(long sequenceId, String key, String answer) {
        return new IdempotencyRow(new IdempotencyKey(sequenceId, "", key), answer, Instant.EPOCH, new WriterMark(1, 1));
    }

    static void write(CounterStore store, Change change) {
        WriteOutcome outcome = store.apply(change);
        if (!outcome.equals(new WriteOutcome.Applied())) {
            throw new AssertionError(outcome);
        }
    }

    /** The revision of a counter, 0 where there is none. */
    static long revision(CounterStore store, long sequenceId) {
        return store.findCounter(CounterKey.of(sequenceId))
                .map(CounterRow::revision)
                .orElse(0L);
    }
}
