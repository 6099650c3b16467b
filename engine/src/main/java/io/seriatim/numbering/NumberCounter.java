package io.seriatim.numbering;

import io.seriatim.LedgerEntry;
import io.seriatim.NumberRefusedException;
import io.seriatim.Sequence;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The counter of one period and scope, and how its values are printed now. Safe for use by many threads. */
public final class NumberCounter {

    private final Sequence values;
    private final NumberFormat format;
    private final String period;
    private final Map<String, String> scope;
    private final Optional<Occasion> occasion;

    NumberCounter(Sequence values, NumberFormat format, String period, Map<String, String> scope) {
        this.values = values;
        this.format = format;
        this.period = period;
        this.scope = Map.copyOf(scope);
        this.occasion = format.period(period).flatMap(known -> throughout(format, known, scope));
    }

    private static Optional<Occasion> throughout(NumberFormat format, Period period, Map<String, String> scope) {
        try {
            return format.throughout(period, scope);
        } catch (NumberRefusedException scopesHaveChanged) {
            return Optional.empty();
        }
    }

    /** The counter itself. */
    public Sequence values() {
        return values;
    }

    /** The key of its period; empty where it never starts again. */
    public String period() {
        return period;
    }

    /** Its scope values in their normal form, by name. */
    public Map<String, String> scope() {
        return scope;
    }

    /**
     * The number of a value by the format as it is now, or by the last one that had this period; nothing where its text depends on the day within the period, or
     * where that format prints no such value, period or scope any more.
     */
    public Optional<String> text(long value) {
        return occasion.filter(each -> value >= format.least() && value <= format.greatest())
                .map(each -> each.number(value));
    }

    /** The id of the reservation that an entry of its ledger begins or ends, as {@link ReservedNumber#id} has it. */
    public Optional<String> reservation(LedgerEntry entry) {
        return entry.facts()
                .reservation()
                .map(id -> new ReservationName(id, period, ScopeKey.of(new TreeMap<>(scope))).text());
    }
}
