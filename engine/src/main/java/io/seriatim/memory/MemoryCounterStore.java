package io.seriatim.memory;

import io.seriatim.store.Change;
import io.seriatim.store.CounterKey;
import io.seriatim.store.CounterRow;
import io.seriatim.store.CounterStore;
import io.seriatim.store.DefinitionRow;
import io.seriatim.store.IdempotencyKey;
import io.seriatim.store.IdempotencyRow;
import io.seriatim.store.LedgerRow;
import io.seriatim.store.StoreException;
import io.seriatim.store.WriteOutcome;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Keeps all rows in memory, under one lock. Its rows end with it: "durable" here means as long as this object
 * lives. For tests, and for sequences that may start again with the process.
 */
public final class MemoryCounterStore implements CounterStore {

    private final Object lock = new Object();

    /** By folded name, in code point order. This and everything below is guarded by {@code lock}. */
    private final NavigableMap<String, DefinitionRow> definitions =
            new TreeMap<>(MemoryCounterStore::compareCodePoints);

    private final NavigableMap<CounterKey, CounterRow> counters = new TreeMap<>(MemoryCounterStore::compareKeys);

    private final Map<CounterKey, NavigableMap<Long, LedgerRow>> ledgers = new HashMap<>();
    private final Map<IdempotencyKey, IdempotencyRow> answers = new HashMap<>();
    private boolean closed;

    @Override
    public Optional<DefinitionRow> findDefinition(String name) {
        String folded = DefinitionRow.fold(name);
        synchronized (lock) {
            requireOpen();
            return present(definitions, folded);
        }
    }

    @Override
    public List<DefinitionRow> listDefinitions(String prefix, String after, int limit) {
        requireLimit(limit);
        String foldedPrefix = DefinitionRow.fold(prefix);
        String foldedAfter = DefinitionRow.fold(after);
        boolean behindAfter = compareCodePoints(foldedAfter, foldedPrefix) >= 0;
        List<DefinitionRow> rows = new ArrayList<>();
        synchronized (lock) {
            requireOpen();
            NavigableMap<String, DefinitionRow> rest =
                    behindAfter ? definitions.tailMap(foldedAfter, false) : definitions.tailMap(foldedPrefix, true);
            for (Map.Entry<String, DefinitionRow> entry : rest.entrySet()) {
                if (rows.size() == limit || !entry.getKey().startsWith(foldedPrefix)) {
                    break;
                }
                DefinitionRow row = entry.getValue();
                if (!row.dropped() && row.name().startsWith(prefix)) {
                    rows.add(row);
                }
            }
        }
        return List.copyOf(rows);
    }

    @Override
    public Optional<CounterRow> findCounter(CounterKey key) {
        synchronized (lock) {
            requireOpen();
            return present(counters, key);
        }
    }

    @Override
    public List<CounterRow> listCounters(long sequenceId, Optional<CounterKey> after, int limit) {
        requireLimit(limit);
        synchronized (lock) {
            requireOpen();
            return counters.tailMap(after.orElse(CounterKey.of(sequenceId)), after.isEmpty()).entrySet().stream()
                    .takeWhile(entry -> entry.getKey().sequenceId() == sequenceId)
                    .limit(limit)
                    .map(Map.Entry::getValue)
                    .toList();
        }
    }

    @Override
    public Optional<IdempotencyRow> findIdempotency(IdempotencyKey key) {
        synchronized (lock) {
            requireOpen();
            return present(answers, key);
        }
    }

    @Override
    public List<LedgerRow> listLedger(CounterKey key, long fromIndex, int limit) {
        requireLimit(limit);
        synchronized (lock) {
            requireOpen();
            NavigableMap<Long, LedgerRow> ledger = ledgers.get(key);
            return ledger == null
                    ? List.of()
                    : Pages.first(limit, ledger.tailMap(fromIndex, true).values());
        }
    }

    @Override
    public WriteOutcome apply(Change change) {
        synchronized (lock) {
            requireOpen();
            Optional<DefinitionRow> definition =
                    change.definition().flatMap(row -> present(definitions, row.foldedName()));
            Optional<CounterRow> counter = change.counter().flatMap(row -> present(counters, row.key()));
            Optional<IdempotencyRow> answer = change.idempotency().flatMap(row -> present(answers, row.key()));
            boolean fits =
                    follows(change.definition().map(DefinitionRow::revision), definition.map(DefinitionRow::revision))
                            && follows(change.counter().map(CounterRow::revision), counter.map(CounterRow::revision))
                            && answer.isEmpty()
                            && change.ledger().stream().allMatch(this::isNew);
            if (!fits) {
                return new WriteOutcome.Refused(definition, counter, answer);
            }
            change.definition().ifPresent(row -> definitions.put(row.foldedName(), row));
            change.counter().ifPresent(row -> counters.put(row.key(), row));
            for (LedgerRow row : change.ledger()) {
                ledgers.computeIfAbsent(row.counter(), key -> new TreeMap<>()).put(row.index(), row);
            }
            change.idempotency().ifPresent(row -> answers.put(row.key(), row));
            return new WriteOutcome.Applied();
        }
    }

    @Override
    public long sweepIdempotency(Instant now) {
        synchronized (lock) {
            requireOpen();
            answers.values().removeIf(row -> row.expires().isBefore(now));
            return answers.size();
        }
    }

    /** Several engines of this process can. */
    @Override
    public boolean isShared() {
        return true;
    }

    @Override
    public Optional<StoreException> failure() {
        return Optional.empty();
    }

    @Override
    public void close() {
        synchronized (lock) {
            closed = true;
        }
    }

    /** Whether a row of the wanted revision goes over what is there; nothing is there at revision 0. */
    private static boolean follows(Optional<Long> wanted, Optional<Long> present) {
        return wanted.isEmpty() || present.orElse(0L) == wanted.get() - 1;
    }

    private boolean isNew(LedgerRow row) {
        NavigableMap<Long, LedgerRow> ledger = ledgers.get(row.counter());
        return ledger == null || !ledger.containsKey(row.index());
    }

    private static <K, V> Optional<V> present(Map<K, V> rows, K key) {
        return Optional.ofNullable(rows.get(key));
    }

    /** The order of UTF-8 bytes; that of {@code String} puts U+10000 and above before U+E000. */
    private static int compareKeys(CounterKey a, CounterKey b) {
        int bySequence = Long.compare(a.sequenceId(), b.sequenceId());
        int byScope = bySequence != 0 ? bySequence : compareCodePoints(a.scope(), b.scope());
        return byScope != 0 ? byScope : compareCodePoints(a.period(), b.period());
    }

    static int compareCodePoints(String left, String right) {
        int length = Math.min(left.length(), right.length());
        for (int i = 0; i < length; i++) {
            char a = left.charAt(i);
            char b = right.charAt(i);
            if (a != b) {
                boolean surrogate = Character.isSurrogate(a);
                return surrogate == Character.isSurrogate(b) ? Character.compare(a, b) : surrogate ? 1 : -1;
            }
        }
        return Integer.compare(left.length(), right.length());
    }

    private void requireOpen() {
        if (closed) {
            throw new StoreException(StoreException.Kind.UNAVAILABLE, "the store is closed");
        }
    }

    private static void requireLimit(int limit) {
        if (limit < 1) {
            throw new IllegalArgumentException("limit must be at least 1: limit=" + limit);
        }
    }
}
