package io.seriatim.numbering;

import java.time.ZoneId;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** The fields of a template with everything that their texts depend on. There is exactly one counter. */
final class Layout {

    private final List<Field> fields;
    private final Map<String, ScopeRule> scopes;
    private final PeriodRule periods;
    private final ZoneId zone;
    private final Field.Counter counter;
    private final Set<DatePart> dateParts;
    private final long least;
    private final long greatest;

    Layout(List<Field> fields, List<ScopeRule> scopes, PeriodRule periods, ZoneId zone, ValueRange values) {
        this.fields = List.copyOf(fields);
        this.scopes = new TreeMap<>();
        scopes.forEach(scope -> this.scopes.put(scope.name(), scope));
        this.periods = periods;
        this.zone = zone;
        this.counter = only(Field.Counter.class).orElseThrow();
        this.dateParts = datePartsOf(this.fields);
        this.least = Math.max(values.min(), counter.alphabet().least());
        this.greatest = Math.min(values.max(), counter.greatest());
    }

    private <F extends Field> Optional<F> only(Class<F> kind) {
        return fields.stream().filter(kind::isInstance).map(kind::cast).findFirst();
    }

    /** The beginning of this layout, up to and with the field at an index; the counter is what it was. */
    List<Field> fieldsUpTo(int index) {
        return fields.subList(0, index + 1);
    }

    List<Field> fields() {
        return fields;
    }

    /** In the order of their names. */
    Map<String, ScopeRule> scopes() {
        return scopes;
    }

    ScopeRule scope(String name) {
        ScopeRule scope = scopes.get(name);
        if (scope == null) {
            throw new IllegalArgumentException("a scope must be declared: name=" + name);
        }
        return scope;
    }

    PeriodRule periods() {
        return periods;
    }

    ZoneId zone() {
        return zone;
    }

    Field.Counter counter() {
        return counter;
    }

    Optional<Field.Check> check() {
        return only(Field.Check.class);
    }

    /** The least value that it prints. */
    long least() {
        return least;
    }

    /** The greatest value that it prints. */
    long greatest() {
        return greatest;
    }

    /** How long a text is at most, in code points. */
    int longest() {
        return fields.stream().mapToInt(field -> field.longest(this)).sum();
    }

    /** Those that are printed: asked for each of many days. */
    Set<DatePart> dateParts() {
        return dateParts;
    }

    private static Set<DatePart> datePartsOf(List<Field> fields) {
        Set<DatePart> parts = EnumSet.noneOf(DatePart.class);
        for (Field field : fields) {
            if (field instanceof Field.Dated dated) {
                parts.add(dated.part());
            }
        }
        return Collections.unmodifiableSet(parts);
    }

    boolean printsTimeOfDay() {
        return dateParts().stream().anyMatch(DatePart::isTimeOfDay);
    }

    /** How long the printed date stays the same at least. */
    int unitSeconds() {
        return dateParts().stream().mapToInt(DatePart::unitSeconds).min().orElse(Moment.SECONDS_OF_DAY);
    }

    /** Whether the printed years can be told from all others. */
    boolean canPrint(Moment moment) {
        if (!Moment.holds(moment.date())) {
            return false;
        }
        for (DatePart part : dateParts) {
            if (!part.canPrint(part.valueOf(moment, periods))) {
                return false;
            }
        }
        return true;
    }

    /** Whether two moments print the same date. */
    boolean printsAlike(Moment one, Moment other) {
        return dateParts().stream().allMatch(part -> part.valueOf(one, periods) == part.valueOf(other, periods));
    }

    boolean printsScope(String name) {
        return fields.stream()
                .anyMatch(field ->
                        field instanceof Field.Scoped scoped && scoped.name().equals(name));
    }
}
