package io.seriatim;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.seriatim.LedgerEntry.Facts;
import io.seriatim.LedgerEntry.State;
import io.seriatim.store.CounterKey;
import io.seriatim.store.CounterStore;
import io.seriatim.store.LedgerRow;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** The ledger of one counter as rows of the store. Calls the store on the caller's thread and waits for it. */
final class Ledger {

    /*
     * An entry is a row of the counter's own key, in the write that does what the entry tells. The text is one line a
     * fact, like those of an audit trail:
     *
     *     format=1
     *     at=2026-11-28T02:18:58.377129368Z
     *     state=issued
     *     generation=1
     *     first=5
     *     last=7
     *     increment=1
     *     top=7
     *     who= why= key= reservation= node= note= definition=   (a line each, those that there are)
     *     write=4fd1a20c99b1e7d3.12
     *     previous=9f86d081884c7d65…                (the hash of the entry before)
     *
     * Who wants to change an entry unseen has to change all behind it, and the head in the counter row.
     *
     * To find a value without reading everything: generation and top are those of the values last taken from behind
     * the mark. The top never falls within a generation, and the entry by which a value was taken is the first whose
     * top has reached it, so halving finds it. An entry of values taken before, be it in a later generation, changes
     * neither of the two. It is looked up in two lists of rows, empty ones, whose index is that of the entry: one for
     * each value that was taken before, one for the runs that were in memory and not handed out:
     * those over which the mark went back, and those that were lost.
     */

    /** How many entries one call to the store reads. */
    static final int PAGE = 1_000;

    private final CounterStore store;
    private final CounterKey key;

    Ledger(CounterStore store, CounterKey key) {
        this.store = store;
        this.key = key;
    }

    /** Where entries are listed that speak of a value taken before. */
    static CounterKey ofValue(CounterKey counter, long value) {
        return new CounterKey(counter.sequenceId(), counter.scope(), counter.period() + "#" + value);
    }

    /** Where entries are listed of runs that were in memory and not handed out. */
    static CounterKey ofReturns(CounterKey counter) {
        return new CounterKey(counter.sequenceId(), counter.scope(), counter.period() + "#returned");
    }

    // ---- the text of an entry

    /** With the hash of its text. */
    static LedgerEntry entry(LedgerEntry unhashed) {
        return new LedgerEntry(
                unhashed.index(),
                unhashed.at(),
                unhashed.state(),
                unhashed.generation(),
                unhashed.values(),
                unhashed.facts(),
                unhashed.top(),
                unhashed.write(),
                unhashed.previous(),
                hash(text(unhashed)));
    }

    private static String hash(String text) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    static String text(LedgerEntry entry) {
        return new FactLines()
                .with("at", entry.at().toString())
                .with("state", entry.state().text())
                .with("generation", entry.generation())
                .with("first", entry.values().first())
                .with("last", entry.values().last())
                .with("increment", entry.values().increment())
                .with("top", entry.top())
                .with("who", Optional.of(entry.facts().who()).filter(who -> !who.isEmpty()))
                .with("why", entry.facts().why())
                .with("key", entry.facts().key())
                .with("reservation", entry.facts().reservation())
                .with("node", entry.facts().node())
                .with("note", entry.facts().note())
                .with("definition", definition(entry.facts()))
                .with("write", entry.write())
                .with("previous", entry.previous())
                .text();
    }

    private static Optional<String> definition(Facts facts) {
        return facts.definition().isPresent()
                ? Optional.of(Long.toString(facts.definition().getAsLong()))
                : Optional.empty();
    }

    /**
     * The entry in a row.
     *
     * @throws StoreUnavailableException STORE_CORRUPT if it is not understood
     */
    static LedgerEntry entry(LedgerRow row) {
        return StrictText.read(
                row.entry(),
                text -> entry(row, FactLines.parse(text)),
                Ledger::text,
                "entry " + row.index() + " of the ledger of period '"
                        + row.counter().period() + "', scope '" + row.counter().scope() + "' is not understood");
    }

    private static LedgerEntry entry(LedgerRow row, FactLines facts) {
        return new LedgerEntry(
                row.index(),
                Instant.parse(facts.fact("at")),
                state(facts.fact("state")),
                facts.number("generation"),
                values(facts.number("first"), facts.number("last"), facts.number("increment")),
                new Facts(
                        facts.find("who").orElse(""),
                        facts.find("why"),
                        facts.find("key"),
                        facts.find("reservation"),
                        facts.find("node"),
                        facts.find("note"),
                        facts.find("definition").map(Long::parseLong).stream()
                                .mapToLong(Long::longValue)
                                .findFirst()),
                facts.number("top"),
                facts.fact("write"),
                facts.fact("previous"),
                hash(row.entry()));
    }

    private static Block values(long first, long last, long increment) {
        long distance = increment > 0 ? last - first : first - last;
        return new Block(first, increment, Long.divideUnsigned(distance, Math.abs(increment)) + 1);
    }

    private static State state(String text) {
        for (State state : State.values()) {
            if (state.text().equals(text)) {
                return state;
            }
        }
        throw new IllegalArgumentException("no such state: state=" + text);
    }

    /** An entry that stands where only the one of a write can go that was not made yet. */
    static StoreUnavailableException inTheWay(String name, CounterKey counter) {
        return new StoreUnavailableException(
                ErrorCode.STORE_CORRUPT,
                "the ledger of sequence " + name + ", period '" + counter.period() + "', scope '" + counter.scope()
                        + "' goes on behind the end that its counter knows");
    }

    // ---- reading

    List<LedgerEntry> list(long afterIndex, int limit) {
        return afterIndex == Long.MAX_VALUE
                ? List.of()
                : store.listLedger(key, afterIndex + 1, limit).stream()
                        .map(Ledger::entry)
                        .toList();
    }

    /** Every entry that tells of a value, in order; none if it was never taken. */
    List<LedgerEntry> of(long value, Account.Head head) {
        SortedMap<Long, LedgerEntry> entries = takings(value, head);
        indexes(ofValue(key, value)).forEach(index -> entries.put(index, at(index)));
        if (!entries.isEmpty()) {
            returnsOf(value, entries);
        }
        return List.copyOf(entries.values());
    }

    /** The entries by which a value was first taken, one in each generation that has it. */
    private SortedMap<Long, LedgerEntry> takings(long value, Account.Head head) {
        SortedMap<Long, LedgerEntry> takings = new TreeMap<>();
        long end = head.entries();
        while (end > 0) {
            long first = firstOf(at(end).generation(), end);
            taking(value, first, end).ifPresent(entry -> takings.put(entry.index(), entry));
            end = first - 1;
        }
        return takings;
    }

    private Optional<LedgerEntry> taking(long value, long first, long end) {
        long low = first;
        long high = end;
        while (low < high) {
            long middle = low + (high - low) / 2;
            if (reaches(at(middle), value)) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return Optional.of(at(low)).filter(entry -> entry.covers(value));
    }

    private static boolean reaches(LedgerEntry entry, long value) {
        return entry.values().increment() > 0 ? entry.top() >= value : entry.top() <= value;
    }

    /** The first entry of a generation of which {@code end} is one. */
    private long firstOf(long generation, long end) {
        long low = 1;
        long high = end;
        while (low < high) {
            long middle = low + (high - low) / 2;
            if (at(middle).generation() >= generation) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }

    /** A value that was given back in a run, and not lost, was taken again by the entry that goes on there, if there is one. */
    private void returnsOf(long value, SortedMap<Long, LedgerEntry> entries) {
        for (long index : indexes(ofReturns(key))) {
            LedgerEntry back = at(index);
            if (index >= entries.firstKey() && back.covers(value)) {
                entries.put(index, back);
                if (back.state() == State.LOST) {
                    continue;
                }
                nextTaking(value, index).ifPresent(next -> entries.put(next.index(), next));
            }
        }
    }

    /** The mark went back below the value, so the entries that follow come up to it soon. */
    private Optional<LedgerEntry> nextTaking(long value, long afterIndex) {
        long index = afterIndex;
        List<LedgerEntry> page = list(index, PAGE);
        while (!page.isEmpty()) {
            for (LedgerEntry next : page) {
                if (next.state() != State.RELEASED && next.covers(value)) {
                    return Optional.of(next);
                }
                index = next.index();
            }
            page = list(index, PAGE);
        }
        return Optional.empty();
    }

    private List<Long> indexes(CounterKey list) {
        List<Long> indexes = new ArrayList<>();
        List<LedgerRow> page = store.listLedger(list, 1, PAGE);
        while (!page.isEmpty()) {
            page.forEach(row -> indexes.add(row.index()));
            page = store.listLedger(list, indexes.get(indexes.size() - 1) + 1, PAGE);
        }
        return indexes;
    }

    private LedgerEntry at(long index) {
        return store.listLedger(key, index, 1).stream()
                .filter(row -> row.index() == index)
                .map(Ledger::entry)
                .findFirst()
                .orElseThrow(() -> new StoreUnavailableException(
                        ErrorCode.STORE_CORRUPT,
                        "entry " + index + " of the ledger of period '" + key.period() + "', scope '" + key.scope()
                                + "' is missing"));
    }
}
