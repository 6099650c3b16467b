package io.seriatim;

import io.seriatim.AuditEntry.Action;
import io.seriatim.store.CounterKey;
import io.seriatim.store.DefinitionRow;
import io.seriatim.store.LedgerRow;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;

/** The audit trail of a name as rows of the store. */
final class AuditTrail {

    /*
     * An entry is a ledger row in the write that changes the definition row, so there is no change without its entry
     * and no entry without its change, whatever becomes of the write. Its index is the revision of the definition row
     * that the change writes: it is free for the same reason for which the change goes in, and the entries of a name
     * are 1 to n where the row is at revision n.
     *
     * Its key is of sequence id 0, which no sequence has, and of the folded name. So a trail goes on where a sequence
     * is dropped and another one created under its name, and can be read when there is none.
     *
     * The text, see FactLines:
     *
     *     format=1
     *     at=2026-11-28T02:18:58.377129368Z
     *     who=ann
     *     action=alter
     *     why=the old limit was a typing error          (this line only where there is a reason)
     *     generation=2
     *     was.max=500
     *     now.max=5000                                  (was and now in order of their names)
     */

    static final long SEQUENCE_ID = 0;

    private static final String WAS = "was.";
    private static final String NOW = "now.";

    private AuditTrail() {}

    static CounterKey key(String name) {
        return new CounterKey(SEQUENCE_ID, DefinitionRow.fold(name), "");
    }

    // ---- the entries of changes

    static LedgerRow defined(DefinitionRow row, Author author) {
        Map<String, String> now = new TreeMap<>(row.options());
        now.put("name", row.name());
        return row(row, Action.DEFINE, author, Map.of(), now);
    }

    /** @param position of the last value returned before the change */
    static LedgerRow altered(Stored before, Position position, Stored after, Action action, Author author) {
        Map<String, String> old = facts(before, position);
        Map<String, String> altered = facts(after, after.position());
        Map<String, String> now = withCounter(after, without(altered, old));
        return row(after.row(), action, author, without(old, altered), now);
    }

    static LedgerRow dropped(Stored before, Position position, DefinitionRow tombstone, Author author) {
        return row(tombstone, Action.DROP, author, facts(before, position), Map.of());
    }

    static LedgerRow gone(Stored before, String node, DefinitionRow after, Author author) {
        String holder = before.holders().only(node).text();
        return row(after, Action.GONE, author, Map.of("holder", holder), Map.of());
    }

    /** @param told what was told of single numbers, by name */
    static LedgerRow told(Stored after, Action action, Author author, Map<String, String> told) {
        return row(after.row(), action, author, Map.of(), withCounter(after, told));
    }

    /** Facts, and which counter they are of where a sequence has many. */
    private static Map<String, String> withCounter(Stored stored, Map<String, String> facts) {
        Map<String, String> all = new TreeMap<>(facts);
        CounterKey counter = stored.counter().key();
        if (!counter.equals(CounterKey.of(counter.sequenceId()))) {
            all.put("scope", counter.scope());
            all.put("period", counter.period());
        }
        return all;
    }

    private static Map<String, String> facts(Stored stored, Position position) {
        Map<String, String> facts = new TreeMap<>(stored.definition().options());
        facts.put(position.fresh() ? "next" : "lastValue", Long.toString(position.value()));
        return facts;
    }

    private static Map<String, String> without(Map<String, String> facts, Map<String, String> same) {
        Map<String, String> rest = new TreeMap<>(facts);
        rest.entrySet().removeAll(same.entrySet());
        return rest;
    }

    private static LedgerRow row(
            DefinitionRow row, Action action, Author author, Map<String, String> was, Map<String, String> now) {
        AuditEntry entry = new AuditEntry(
                row.revision(), row.modified(), author.who(), action, author.why(), row.generation(), was, now);
        return new LedgerRow(key(row.name()), entry.index(), text(entry));
    }

    // ---- their text

    private static String text(AuditEntry entry) {
        return new FactLines()
                .with("at", entry.at().toString())
                .with("who", entry.who())
                .with("action", entry.action().text())
                .with("why", entry.why())
                .with("generation", entry.generation())
                .with(WAS, entry.was())
                .with(NOW, entry.now())
                .text();
    }

    /**
     * The entry in a row.
     *
     * @throws StoreUnavailableException STORE_CORRUPT if it is not understood
     */
    static AuditEntry entry(LedgerRow row) {
        return StrictText.read(
                row.entry(),
                text -> entry(row.index(), FactLines.parse(text)),
                AuditTrail::text,
                "audit entry " + row.index() + " of sequence " + row.counter().scope() + " is not understood");
    }

    private static AuditEntry entry(long index, FactLines facts) {
        return new AuditEntry(
                index,
                Instant.parse(facts.fact("at")),
                facts.fact("who"),
                action(facts.fact("action")),
                facts.find("why"),
                facts.number("generation"),
                facts.under(WAS),
                facts.under(NOW));
    }

    private static Action action(String text) {
        for (Action action : Action.values()) {
            if (action.text().equals(text)) {
                return action;
            }
        }
        throw new IllegalArgumentException("no such action: action=" + text);
    }

    /** An entry that stands where only the one of a change can go that was not made yet. */
    static StoreUnavailableException inTheWay(DefinitionRow wanted) {
        return new StoreUnavailableException(
                ErrorCode.STORE_CORRUPT,
                "audit entry " + wanted.revision() + " of sequence " + wanted.name()
                        + " is in the store, though its change is not");
    }
}
