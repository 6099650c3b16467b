package io.seriatim.numbering;

import io.seriatim.BadFormatException;
import io.seriatim.Contract;
import io.seriatim.ErrorCode;
import io.seriatim.NumberRefusedException;
import java.time.Instant;
import java.time.LocalDate;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * How values are printed as numbers, and when a counter starts again. Every number can be read back, and no two
 * numbers have the same text, unless the definition allows repeats. Immutable, safe for use by many threads; reads
 * no clock.
 */
public final class NumberFormat {

    private final FormatDefinition definition;
    private final ValueRange values;
    private final Layout layout;
    private final Slots slots;
    private final boolean showsPeriod;

    /** The newest occasion of an instant: the next call is nearly always of the same day. Any may be seen. */
    private volatile @Nullable Window latest;

    private NumberFormat(FormatDefinition definition, ValueRange values, Layout layout) {
        this.definition = definition;
        this.values = values;
        this.layout = layout;
        this.slots = new Slots(layout, layout.fields(), new HashMap<>());
        this.showsPeriod =
                !definition.allowRepeats() || PeriodCheck.twins(layout).isEmpty();
    }

    /**
     * Checks a definition, all options together.
     *
     * @throws BadFormatException naming the option, in the template the place, and where numbers would repeat one of
     *     them; final
     */
    public static NumberFormat of(FormatDefinition definition, ValueRange values, Contract contract) {
        return new NumberFormat(definition, values, new FormatCheck(definition, values, contract).layout());
    }

    public FormatDefinition definition() {
        return definition;
    }

    public ValueRange values() {
        return values;
    }

    /** The least value that can be printed. */
    public long least() {
        return layout.least();
    }

    /** The greatest value that can be printed: max, or the end of an exact width. */
    public long greatest() {
        return layout.greatest();
    }

    /** How long a number is at most, in code points. */
    public int longest() {
        return layout.longest();
    }

    /** The parts of the template, in their order: what each prints, and how long it is at most. */
    public List<TemplatePart> parts() {
        return TemplatePart.of(layout, definition.template());
    }

    // What a call decides: an instant or a business date, and the scope values.

    /** The occasion of an ask that says when. */
    Occasion occasion(Ask ask) {
        return ask.date().isPresent()
                ? on(ask.date().get(), ask.scope())
                : at(ask.at().orElseThrow(), ask.scope());
    }

    /** The same as {@link #at(Instant, Map)} for a format without scopes. */
    public Occasion at(Instant instant) {
        return at(instant, Map.of());
    }

    /**
     * The occasion of a call at an instant.
     *
     * @param scopes a value for each scope of the definition, by name
     * @throws NumberRefusedException SCOPE_MISSING, SCOPE_UNKNOWN, SCOPE_VALUE_INVALID or DATE_OUT_OF_RANGE; final
     */
    public Occasion at(Instant instant, Map<String, String> scopes) {
        Window window = latest;
        if (window != null
                && window.holds(instant.getEpochSecond())
                && window.given().equals(scopes)) {
            return window.occasion();
        }
        WallClock clock = wallClock(instant);
        Occasion occasion = occasion(clock.moment(), scopes);
        latest = new Window(clock.from(), clock.until(), Map.copyOf(scopes), occasion);
        return occasion;
    }

    /** The same as {@link #on(LocalDate, Map)} for a format without scopes. */
    public Occasion on(LocalDate date) {
        return on(date, Map.of());
    }

    /**
     * The occasion of a call with a business date, whatever the time.
     *
     * @param scopes a value for each scope of the definition, by name
     * @throws NumberRefusedException as {@link #at(Instant, Map)}, or DATE_NO_TIME if the template prints the time of
     *     day; final
     */
    public Occasion on(LocalDate date, Map<String, String> scopes) {
        if (layout.printsTimeOfDay()) {
            throw new NumberRefusedException(
                    ErrorCode.DATE_NO_TIME, "a date has no time of day, which the template prints: date=" + date);
        }
        return occasion(Moment.startOf(date), scopes);
    }

    /**
     * The occasion of each day of a period; nothing where the template prints more of the date than the period decides.
     *
     * @param scopes as for {@link #at(Instant, Map)}
     */
    public Optional<Occasion> throughout(Period period, Map<String, String> scopes) {
        if (layout.printsTimeOfDay()) {
            return Optional.empty();
        }
        Moment first = Moment.startOf(period.firstDay());
        boolean alike = period.firstDay()
                .datesUntil(period.lastDay().plusDays(1))
                .map(Moment::startOf)
                .allMatch(day -> layout.canPrint(day) && layout.printsAlike(first, day));
        return alike ? Optional.of(new Occasion(layout, first, normal(scopes))) : Optional.empty();
    }

    private record Window(long from, long until, Map<String, String> given, Occasion occasion) {
        boolean holds(long epochSecond) {
            return from <= epochSecond && epochSecond < until;
        }
    }

    private Occasion occasion(Moment moment, Map<String, String> scopes) {
        if (!layout.canPrint(moment)) {
            throw outOfRange(moment.date().toString());
        }
        return new Occasion(layout, moment, normal(scopes));
    }

    private static NumberRefusedException outOfRange(String date) {
        return new NumberRefusedException(
                ErrorCode.DATE_OUT_OF_RANGE,
                "a date must lie in the years 1 to 9999, and 2000 to 2099 for years of two digits: date=" + date);
    }

    private Map<String, String> normal(Map<String, String> given) {
        for (String name : given.keySet()) {
            if (!layout.scopes().containsKey(name)) {
                throw new NumberRefusedException(ErrorCode.SCOPE_UNKNOWN, "there is no scope " + name);
            }
        }
        Map<String, String> normal = new TreeMap<>();
        layout.scopes().forEach((name, scope) -> {
            String value = given.get(name);
            if (value == null) {
                throw new NumberRefusedException(ErrorCode.SCOPE_MISSING, "scope " + name + " must have a value");
            }
            normal.put(name, scope.normalize(value));
        });
        return normal;
    }

    private WallClock wallClock(Instant instant) {
        return WallClock.at(instant, layout.zone(), layout.unitSeconds())
                .orElseThrow(() -> outOfRange(instant.toString()));
    }

    // Periods.

    /**
     * The period of an instant in the definition's zone.
     *
     * @throws NumberRefusedException DATE_OUT_OF_RANGE
     */
    public Period periodAt(Instant instant) {
        return periodOn(wallClock(instant).moment().date());
    }

    /**
     * The period of a business date.
     *
     * @throws NumberRefusedException DATE_OUT_OF_RANGE
     */
    public Period periodOn(LocalDate date) {
        if (!Moment.holds(date)) {
            throw outOfRange(date.toString());
        }
        return layout.periods().periodOf(date);
    }

    /** The period with a key; nothing if no period of this definition has it. */
    public Optional<Period> period(String key) {
        return layout.periods().named(key);
    }

    /** The period that follows in the calendar; nothing after the last one. */
    public Optional<Period> after(Period period) {
        return layout.periods().after(period);
    }

    /**
     * When a period begins in the definition's zone: at the first instant of its first day. A day that the zone
     * leaves out begins when the next one does.
     */
    public Instant startOf(Period period) {
        return period.firstDay().atStartOfDay(layout.zone()).toInstant();
    }

    /**
     * The numbers of the period of an instant, as they would come, with scope values that are made up.
     *
     * @throws NumberRefusedException DATE_OUT_OF_RANGE; final
     */
    public Preview preview(Instant instant) {
        return Preview.at(this, instant);
    }

    /** A value for each scope, such as examples have. */
    Map<String, String> exampleScope() {
        return Samples.scopeValues(layout, 0);
    }

    // Reading back.

    /** What the text of a number says; nothing if this format does not print it. */
    public Optional<Reading> read(String number) {
        if (number.length() > 2 * layout.longest()) {
            return Optional.empty();
        }
        return slots.fieldsOf(number)
                .flatMap(fields -> new Reader(layout).read(number, fields))
                .map(this::reading);
    }

    private Reading reading(Reader.Origin origin) {
        Map<String, String> shown = new TreeMap<>(origin.occasion().scopes());
        shown.keySet().removeIf(name -> !layout.printsScope(name));
        return new Reading(
                origin.value(),
                showsPeriod ? Optional.of(origin.occasion().period().key()) : Optional.empty(),
                shown);
    }

    // Changes.

    /**
     * Checks that this format, following others in one sequence, prints no text that one of them may have printed for
     * another number. A number is a value of a period and scope: what both print for the same number comes only once.
     * A format that allows repeats follows any other.
     *
     * @param earlier every format that the sequence ever had, each with the widest values that it was used with
     * @throws BadFormatException WOULD_REPEAT, with the text; final
     */
    public void checkFollows(List<NumberFormat> earlier) {
        if (definition.allowRepeats()) {
            return;
        }
        for (NumberFormat old : earlier) {
            boolean sameCounters = countsLike(old);
            if (mayShare(old, !sameCounters)) {
                String rule = "a text that was printed before must not come again for another number";
                BadFormatException refusal = Repeats.example(old.layout, layout, !sameCounters)
                        .map(repeat ->
                                wouldRepeat(rule + ": " + repeat.message()).showing(repeat.text()))
                        .orElseGet(() -> wouldRepeat(rule));
                throw refusal;
            }
        }
    }

    /** A number that both formats print, as two sequences with them would; nothing if none was found. */
    public Optional<String> sharedNumber(NumberFormat other) {
        return mayShare(other, true)
                ? Repeats.example(layout, other.layout, true).map(Repeats.Repeat::text)
                : Optional.empty();
    }

    private static BadFormatException wouldRepeat(String message) {
        return BadFormatException.of(ErrorCode.WOULD_REPEAT, "template", message);
    }

    /** Whether a value of a period and scope is of the same counter in both. */
    private boolean countsLike(NumberFormat other) {
        return other.showsPeriod
                && layout.periods().countsLike(other.layout.periods())
                && layout.scopes().keySet().equals(other.layout.scopes().keySet())
                && layout.scopes().keySet().stream().allMatch(other.layout::printsScope);
    }

    private boolean mayShare(NumberFormat other, boolean anyReading) {
        Map<String, Integer> names = new HashMap<>();
        Slots mine = new Slots(layout, layout.fields(), names);
        Slots theirs = new Slots(other.layout, other.layout.fields(), names);
        return new Overlap(theirs, mine, anyReading).exists();
    }

    @Override
    public String toString() {
        return definition.template();
    }
}
