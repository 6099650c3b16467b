package io.seriatim;

import io.seriatim.store.CounterKey;
import io.seriatim.store.CounterRow;
import io.seriatim.store.DefinitionRow;
import io.seriatim.store.IdempotencyRow;
import io.seriatim.store.LedgerRow;
import io.seriatim.store.RowVisitor;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Checks that the rows of a store belong together. A store shows it every row; then {@link #report()} says what was
 * found. Changes nothing. For one thread, and for a store that nobody writes meanwhile.
 */
public final class StoreCheck implements RowVisitor {

    /*
     * What must hold. A live definition and its counter are written together whenever the generation rises, so
     * both bear the same. A value that was taken, or comes next, lies from min to max: alter and restart refuse
     * anything else. In the first generation nothing has moved the counter but its own increments, so the mark
     * lies on the grid of the start or, behind a wrap, of the limit where a round begins; from the second on a
     * restart may have put it anywhere.
     *
     * A counter without a definition is no finding: whoever creates a sequence under the name of a dropped one
     * writes over the tombstone, and the dropped one's counter stays, found by nobody. They are counted.
     *
     * Each write of a definition row has its audit entry, so those of a row at revision n are 1 to n, and the last one
     * says of what generation the row is and whether it is a tombstone. No two rows share an index, so n entries that
     * lie from 1 to n are all of them.
     *
     * A counter's ledger is shown behind it, so its chain is followed with nothing in memory but its end, and compared with
     * what the counter's account says of it.
     */

    /** Findings that are kept word for word; the rest are counted. */
    private static final int MAX_FINDINGS = 1_000;

    /**
     * Something that must not be.
     *
     * @param code DAMAGED, NOT_UNDERSTOOD, SAME_ID, NO_COUNTER, GENERATION, OUT_OF_RANGE, OFF_GRID,
     *     AUDIT or LEDGER
     * @param where the sequence or the row
     * @param what a sentence
     */
    public record Finding(String code, String where, String what) {}

    /**
     * What a check has found.
     *
     * @param definitions rows of live sequences
     * @param tombstones rows of dropped sequences
     * @param counters rows
     * @param leftCounters those whose sequence was dropped and its name used again
     * @param ledger rows
     * @param idempotency rows
     * @param findings the first thousand
     * @param moreFindings how many there are beside those
     */
    public record Report(
            long definitions,
            long tombstones,
            long counters,
            long leftCounters,
            long ledger,
            long idempotency,
            List<Finding> findings,
            long moreFindings) {

        public Report {
            findings = List.copyOf(findings);
        }

        /** Whether nothing was found. */
        public boolean isSound() {
            return findings.isEmpty();
        }

        /** How many rows could be read. */
        public long rows() {
            return definitions + tombstones + counters + ledger + idempotency;
        }
    }

    private final Map<Long, DefinitionRow> withoutCounter = new HashMap<>();
    private final Map<Long, DefinitionRow> withCounter = new HashMap<>();
    private final Map<String, Trail> trails = new HashMap<>();
    private final List<Finding> findings = new ArrayList<>();
    /** Of the counter that was shown last. */
    private Optional<Chain> chain = Optional.empty();

    private long moreFindings;
    private long definitions;
    private long tombstones;
    private long counters;
    private long leftCounters;
    private long ledger;
    private long idempotency;

    /** The definition row of a name, and how many of its entries were shown. */
    private static final class Trail {
        final DefinitionRow row;
        long entries;

        Trail(DefinitionRow row) {
            this.row = row;
        }
    }

    /** The ledger of a counter as far as it was shown. */
    private static final class Chain {
        final CounterKey counter;
        final String sequence;
        final Account account;
        final LedgerCheck check;
        long rows;
        boolean isUnderstood = true;

        Chain(CounterKey counter, String sequence, Account account) {
            this.counter = counter;
            this.sequence = sequence;
            this.account = account;
            this.check = new LedgerCheck(account, Optional.empty());
        }
    }

    @Override
    public void definition(DefinitionRow row) {
        trails.put(row.foldedName(), new Trail(row));
        if (row.sequenceId() == AuditTrail.SEQUENCE_ID) {
            add("SAME_ID", row.name(), "has the sequence id of the audit trails");
        }
        if (row.dropped()) {
            tombstones++;
        } else {
            definitions++;
        }
        DefinitionRow other = withoutCounter.put(row.sequenceId(), row);
        if (other != null) {
            add("SAME_ID", row.name(), "has the sequence id of " + other.name());
        }
    }

    @Override
    public void counter(CounterRow row) {
        if (row.key().equals(Notices.KEY)) {
            return;
        }
        counters++;
        long id = row.key().sequenceId();
        DefinitionRow definition = withoutCounter.remove(id);
        if (definition != null) {
            withCounter.put(id, definition);
        } else {
            definition = withCounter.get(id);
        }
        if (definition == null) {
            leftCounters++;
        } else {
            compare(definition, row);
        }
        endChain();
        String where = definition == null ? "sequence id " + id : definition.name();
        try {
            Holders unused = Holders.parse(row.openBlocks());
            chain = Optional.of(new Chain(row.key(), where, Account.parse(row.account())));
        } catch (StoreUnavailableException e) {
            add("NOT_UNDERSTOOD", where, String.valueOf(e.getMessage()));
        }
    }

    private void compare(DefinitionRow row, CounterRow counter) {
        Definition definition;
        try {
            definition = Definition.of(SequenceDefinition.of(row.options()));
        } catch (BadDefinitionException e) {
            add("NOT_UNDERSTOOD", row.name(), "the definition breaks a rule: " + e.getMessage());
            return;
        }
        if (!Stored.belongTogether(row, definition, counter)) {
            add(
                    "GENERATION",
                    row.name(),
                    "definition and counter do not belong together: the definition is of generation " + row.generation()
                            + ", the counter of " + counter.generation());
            return;
        }
        long mark = counter.highWaterMark();
        if (!definition.contains(mark)) {
            add(
                    "OUT_OF_RANGE",
                    row.name(),
                    "the mark is not from min to max: mark=" + mark + " min=" + definition.min() + " max="
                            + definition.max());
        } else if (row.generation() == 1 && !isOnGrid(definition, counter)) {
            add(
                    "OFF_GRID",
                    row.name(),
                    "the mark is no whole number of increments from where the round began: mark=" + mark + " round="
                            + counter.round() + " start=" + definition.start() + " increment="
                            + definition.increment());
        }
    }

    private static boolean isOnGrid(Definition definition, CounterRow counter) {
        if (counter.fresh()) {
            return counter.highWaterMark() == definition.start();
        }
        boolean up = definition.increment() > 0;
        long begin = counter.round() == 0 ? definition.start() : up ? definition.min() : definition.max();
        long mark = counter.highWaterMark();
        if (up ? mark < begin : mark > begin) {
            return false;
        }
        long distance = up ? mark - begin : begin - mark; // unsigned, as in Progression
        return Long.remainderUnsigned(distance, Math.abs(definition.increment())) == 0;
    }

    @Override
    public void ledger(LedgerRow row) {
        ledger++;
        if (row.counter().sequenceId() == AuditTrail.SEQUENCE_ID) {
            audit(row);
        } else {
            chain.filter(each -> each.counter.equals(row.counter())).ifPresent(each -> follow(each, row));
        }
    }

    private void follow(Chain shown, LedgerRow row) {
        shown.rows++;
        try {
            shown.check.accept(Ledger.entry(row));
        } catch (StoreUnavailableException e) {
            if (shown.isUnderstood) {
                add("NOT_UNDERSTOOD", shown.sequence, String.valueOf(e.getMessage()));
            }
            shown.isUnderstood = false;
        }
    }

    /** The last row of a counter's ledger was shown. */
    private void endChain() {
        chain.filter(shown -> shown.isUnderstood).ifPresent(shown -> {
            long entries = shown.account.head().entries();
            OptionalLong broken = shown.check.report().broken();
            String ofCounter =
                    "the ledger of period '" + shown.counter.period() + "', scope '" + shown.counter.scope() + "' ";
            if (shown.rows != entries) {
                add(
                        "LEDGER",
                        shown.sequence,
                        ofCounter + "has " + shown.rows + " entries, its counter knows of " + entries);
            } else if (broken.isPresent()) {
                add(
                        "LEDGER",
                        shown.sequence,
                        ofCounter + "does not follow from what is before: entry=" + broken.getAsLong());
            }
        });
        chain = Optional.empty();
    }

    private void audit(LedgerRow row) {
        String name = row.counter().scope();
        Trail trail = trails.get(name);
        if (trail == null || !row.counter().equals(AuditTrail.key(name))) {
            add("AUDIT", name, "an audit entry of no definition: index=" + row.index());
            return;
        }
        if (row.index() > trail.row.revision()) {
            add(
                    "AUDIT",
                    name,
                    "an audit entry of a change that is not in the definition: index=" + row.index() + " revision="
                            + trail.row.revision());
            return;
        }
        trail.entries++;
        try {
            AuditEntry entry = AuditTrail.entry(row);
            if (row.index() == trail.row.revision() && !isOf(entry, trail.row)) {
                add(
                        "AUDIT",
                        name,
                        "the last audit entry does not tell of the definition that is there: action="
                                + entry.action().text() + " generation=" + entry.generation());
            }
        } catch (StoreUnavailableException e) {
            add("NOT_UNDERSTOOD", name, String.valueOf(e.getMessage()));
        }
    }

    private static boolean isOf(AuditEntry last, DefinitionRow row) {
        return last.generation() == row.generation() && (last.action() == AuditEntry.Action.DROP) == row.dropped();
    }

    @Override
    public void idempotency(IdempotencyRow row) {
        idempotency++;
        try {
            Answer unused = Answer.in(row);
        } catch (StoreUnavailableException e) {
            add("NOT_UNDERSTOOD", "sequence id " + row.key().sequenceId(), String.valueOf(e.getMessage()));
        }
    }

    @Override
    public void damaged(String where, String what) {
        add("DAMAGED", where, what);
    }

    private void add(String code, String where, String what) {
        if (findings.size() < MAX_FINDINGS) {
            findings.add(new Finding(code, where, what));
        } else {
            moreFindings++;
        }
    }

    /** What was found; to be asked once, after the last row. */
    public Report report() {
        endChain();
        withoutCounter.values().stream()
                .map(DefinitionRow::name)
                .sorted()
                .forEach(name -> add("NO_COUNTER", name, "the sequence has no counter, or it cannot be read"));
        withoutCounter.clear();
        trails.values().stream()
                .filter(trail -> trail.entries < trail.row.revision())
                .sorted(Comparator.comparing(trail -> trail.row.foldedName()))
                .forEach(trail -> add(
                        "AUDIT",
                        trail.row.name(),
                        "audit entries are missing, or cannot be read: there are " + trail.entries + " of "
                                + trail.row.revision()));
        trails.clear();
        return new Report(definitions, tombstones, counters, leftCounters, ledger, idempotency, findings, moreFindings);
    }
}
