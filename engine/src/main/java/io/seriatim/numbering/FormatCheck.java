package io.seriatim.numbering;

import io.seriatim.BadFormatException;
import io.seriatim.Contract;
import io.seriatim.ErrorCode;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.MonthDay;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Checks a definition as a whole. Errors come in a fixed order, whatever else is wrong: the syntax of the template,
 * options that mean nothing by themselves, then what the fields mean together in the order of {@link #layout()}.
 */
final class FormatCheck {

    private static final String TEMPLATE = "template";
    private static final Pattern MONTH_DAY = Pattern.compile("([0-9]{2})-([0-9]{2})");
    private static final Set<String> POLICIES = Set.of("relaxed", "strict", "void");

    private final FormatDefinition definition;
    private final ValueRange values;
    private final Contract contract;
    private final List<Field> fields;
    private final List<ScopeRule> scopes;

    FormatCheck(FormatDefinition definition, ValueRange values, Contract contract) {
        this.definition = definition;
        this.values = values;
        this.contract = contract;
        this.fields = TemplateParser.parse(definition.template());
        this.scopes = definition.scopes().stream().map(ScopeRule::of).toList();
    }

    /**
     * The checked layout.
     *
     * @throws BadFormatException for the first rule that is broken
     */
    Layout layout() {
        checkOptions();
        checkCounter();
        checkScopesAreDeclared();
        Layout provisional = provisional();
        checkPeriodIsPrinted(provisional);
        checkScopesArePrinted(provisional);
        checkReadings(provisional);
        checkCheckAlphabet(provisional).ifPresent(FormatCheck::refuse);
        checkCheckPosition();
        checkLength(provisional);
        checkCharset(provisional);
        ZoneId zone = zone();
        PeriodRule periods = periods();
        checkValues(provisional.counter());
        return new Layout(fields, scopes, periods, zone, values);
    }

    private static void refuse(BadFormatException e) {
        throw e;
    }

    private void checkOptions() {
        Set<String> names = new HashSet<>();
        for (ScopeRule scope : scopes) {
            if (!names.add(scope.name())) {
                throw bad("scopes", "a scope must be declared once: name=" + scope.name());
            }
        }
        if (definition.maxLength() < 1 || definition.maxLength() > FormatDefinition.USUAL_MAX_LENGTH) {
            throw bad(
                    "maxLength",
                    "maxLength must be from 1 to " + FormatDefinition.USUAL_MAX_LENGTH + ": maxLength="
                            + definition.maxLength());
        }
        definition.charset().ifPresent(charset -> CharacterSet.parse("charset", charset));
        if (definition.monotonicPeriod() && contract == Contract.FAST) {
            throw bad("monotonicPeriod", "monotonicPeriod must not be given with contract fast");
        }
        checkReservations();
    }

    private void checkReservations() {
        boolean reserves = contract == Contract.GAPLESS;
        if (definition.policy().isPresent()
                && !(reserves && POLICIES.contains(definition.policy().get()))) {
            throw bad(
                    "policy",
                    "policy must be \"relaxed\", \"strict\" or \"void\", and is an option of contract gapless");
        }
        OptionalInt seconds = definition.reservationSeconds();
        if (seconds.isPresent() && !(reserves && seconds.getAsInt() > 0)) {
            throw bad(
                    "reservationSeconds",
                    "reservationSeconds must be from 1 to " + Integer.MAX_VALUE
                            + ", and is an option of contract gapless: reservationSeconds=" + seconds.getAsInt());
        }
    }

    private static BadFormatException bad(String option, String message) {
        return BadFormatException.of(ErrorCode.BAD_OPTION, option, message);
    }

    private static BadFormatException error(ErrorCode code, int position, String message) {
        return BadFormatException.at(code, TEMPLATE, position, message);
    }

    private void checkCounter() {
        List<Field> counters =
                fields.stream().filter(Field.Counter.class::isInstance).toList();
        if (counters.isEmpty()) {
            throw error(ErrorCode.NO_COUNTER, 0, "a template must print the value: {seq}");
        }
        if (counters.size() > 1) {
            throw error(
                    ErrorCode.DUPLICATE_COUNTER, counters.get(1).position(), "a template must print the value once");
        }
    }

    private void checkScopesAreDeclared() {
        for (Field field : fields) {
            if (field instanceof Field.Scoped scoped
                    && scopes.stream().noneMatch(scope -> scope.name().equals(scoped.name()))) {
                throw error(ErrorCode.UNKNOWN_SCOPE, field.position(), "there is no scope " + scoped.name());
            }
        }
    }

    /** The layout with harmless options in place of bad ones, whose errors come later. */
    private Layout provisional() {
        Field.Counter counter = fields.stream()
                .filter(Field.Counter.class::isInstance)
                .map(Field.Counter.class::cast)
                .findFirst()
                .orElseThrow();
        ValueRange sane = valueError(counter).isPresent() ? ValueRange.ascending() : values;
        PeriodRule rule = periodError().isPresent() ? new PeriodRule(Reset.NEVER, MonthDay.of(1, 1)) : periods();
        return new Layout(fields, scopes, rule, ZoneOffset.UTC, sane);
    }

    private void checkPeriodIsPrinted(Layout layout) {
        if (definition.allowRepeats()) {
            return;
        }
        Optional<PeriodCheck.Twins> twins = PeriodCheck.twins(layout);
        if (twins.isPresent()) {
            throw repeating(
                    ErrorCode.PERIOD_NOT_RENDERED,
                    "the text must say in which period of reset " + definition.reset() + " it lies",
                    layout,
                    origin(layout, twins.get().one(), Samples.scopeValues(layout, 0)),
                    origin(layout, twins.get().other(), Samples.scopeValues(layout, 0)));
        }
    }

    private void checkScopesArePrinted(Layout layout) {
        for (ScopeRule scope : layout.scopes().values()) {
            if (!definition.allowRepeats() && !layout.printsScope(scope.name())) {
                Map<String, String> one = Samples.scopeValues(layout, 0);
                Map<String, String> other = new HashMap<>(one);
                other.put(scope.name(), Samples.scopeValue(scope, 1));
                LocalDate day = LocalDate.of(Samples.YEAR, 1, 1);
                throw repeating(
                        ErrorCode.SCOPE_NOT_RENDERED,
                        "the text must print scope " + scope.name() + ", whose values have counters of their own",
                        layout,
                        origin(layout, day, one),
                        origin(layout, day, other));
            }
        }
    }

    private static Reader.Origin origin(Layout layout, LocalDate day, Map<String, String> scopes) {
        return new Reader.Origin(Samples.value(layout), new Occasion(layout, Moment.startOf(day), scopes));
    }

    private static BadFormatException repeating(
            ErrorCode code, String rule, Layout layout, Reader.Origin one, Reader.Origin other) {
        if (checkCheckAlphabet(layout).isPresent()) {
            return error(code, 0, rule); // the text could not be printed
        }
        Repeats.Repeat repeat = new Repeats.Repeat(one, other);
        return error(code, 0, rule + ": " + repeat.message()).showing(repeat.text());
    }

    /** A text of more than any allowed length is refused for that; looking at its readings could take long. */
    private void checkReadings(Layout layout) {
        if (layout.longest() > FormatDefinition.USUAL_MAX_LENGTH || !readInTwoWays(layout, fields.size() - 1)) {
            return;
        }
        int field = 0;
        while (!readInTwoWays(layout, field)) {
            field++;
        }
        String rule = "fields must not run into each other; put a character between them that they do not print";
        int position = fields.get(field).position();
        Optional<Repeats.Repeat> repeat =
                checkCheckAlphabet(layout).isPresent() ? Optional.empty() : Repeats.example(layout, layout, false);
        throw repeat.map(found -> error(ErrorCode.AMBIGUOUS, position, rule + ": " + found.message())
                        .showing(found.text()))
                .orElseGet(() -> error(ErrorCode.AMBIGUOUS, position, rule));
    }

    /** Whether the template up to a field prints texts that may be read in two ways. */
    private static boolean readInTwoWays(Layout layout, int lastField) {
        Slots slots = new Slots(layout, layout.fieldsUpTo(lastField), new HashMap<>());
        return new Overlap(slots, slots, false).exists();
    }

    private static Optional<BadFormatException> checkCheckAlphabet(Layout layout) {
        Optional<Field.Check> check = layout.check();
        if (check.isEmpty()) {
            return Optional.empty();
        }
        for (Field field : layout.fields()) {
            OptionalInt stranger = strangerTo(check.get(), field, layout);
            if (stranger.isPresent()) {
                return Optional.of(error(
                        ErrorCode.CHECK_ALPHABET,
                        check.get().position(),
                        check.get().method().text() + " has no value for " + Character.toString(stranger.getAsInt())));
            }
        }
        return Optional.empty();
    }

    /** A letter or digit of a field that the check is over and its method has no value for. */
    private static OptionalInt strangerTo(Field.Check check, Field field, Layout layout) {
        boolean covered = !(field instanceof Field.Check)
                && (check.payload() != Field.Payload.SEQ || field instanceof Field.Counter);
        if (!covered) {
            return OptionalInt.empty();
        }
        CharacterSet characters = field.characters(layout);
        for (int i = 0; i < characters.size(); i++) {
            int c = characters.at(i);
            boolean counts =
                    check.payload() == Field.Payload.DIGITS ? Character.isDigit(c) : Character.isLetterOrDigit(c);
            if (counts && !check.method().payload().contains(c)) {
                return OptionalInt.of(c);
            }
        }
        return OptionalInt.empty();
    }

    private void checkCheckPosition() {
        boolean seen = false;
        for (int i = 0; i < fields.size(); i++) {
            if (fields.get(i) instanceof Field.Check check) {
                if (seen) {
                    throw error(ErrorCode.CHECK_POSITION, check.position(), "a template must have one check at most");
                }
                if (check.method() == CheckMethod.ISO11649 && !(i == 2 && isLiteral(0, 'R') && isLiteral(1, 'F'))) {
                    throw error(
                            ErrorCode.CHECK_POSITION,
                            check.position(),
                            "iso11649 must stand behind RF at the beginning of the template");
                }
                seen = true;
            }
        }
    }

    private boolean isLiteral(int index, char c) {
        return fields.get(index) instanceof Field.Literal literal && literal.codePoint() == c;
    }

    private void checkLength(Layout layout) {
        if (layout.longest() > definition.maxLength()) {
            throw error(
                    ErrorCode.TOO_LONG,
                    0,
                    "a number must have at most " + definition.maxLength() + " characters: longest="
                            + layout.longest());
        }
    }

    private void checkCharset(Layout layout) {
        if (definition.charset().isEmpty()) {
            return;
        }
        CharacterSet charset =
                CharacterSet.parse("charset", definition.charset().get());
        for (Field field : fields) {
            OptionalInt outside = field.characters(layout).firstOutside(charset);
            if (outside.isPresent()) {
                throw error(
                        ErrorCode.CHARSET,
                        field.position(),
                        "a number must consist of " + definition.charset().get() + ": character="
                                + Character.toString(outside.getAsInt()));
            }
        }
    }

    private ZoneId zone() {
        if (definition.zone().equals("UTC") || ZoneId.getAvailableZoneIds().contains(definition.zone())) {
            return ZoneId.of(definition.zone());
        }
        throw BadFormatException.of(
                ErrorCode.BAD_ZONE, "zone", "there is no time zone of this name: zone=" + definition.zone());
    }

    private PeriodRule periods() {
        periodError().ifPresent(FormatCheck::refuse);
        return new PeriodRule(
                Reset.of(definition.reset()).orElseThrow(),
                definition.fiscalStart().flatMap(FormatCheck::monthDay).orElse(MonthDay.of(1, 1)));
    }

    private Optional<BadFormatException> periodError() {
        Optional<Reset> reset = Reset.of(definition.reset());
        if (reset.isEmpty()) {
            return Optional.of(BadFormatException.of(
                    ErrorCode.BAD_RESET,
                    "reset",
                    "reset must be never, yearly, quarterly, monthly, weekly, daily or fiscal: reset="
                            + definition.reset()));
        }
        Optional<String> start = definition.fiscalStart();
        boolean needed = reset.get() == Reset.FISCAL;
        boolean bad = start.isEmpty() ? needed : monthDay(start.get()).isEmpty();
        return bad
                ? Optional.of(BadFormatException.of(
                        ErrorCode.BAD_RESET,
                        "fiscalStart",
                        "fiscalStart must be a day of every year, such as 04-01: fiscalStart=" + start.orElse("")))
                : Optional.empty();
    }

    private static Optional<MonthDay> monthDay(String text) {
        Matcher matcher = MONTH_DAY.matcher(text);
        if (!matcher.matches() || text.equals("02-29")) {
            return Optional.empty();
        }
        try {
            return Optional.of(MonthDay.of(Integer.parseInt(matcher.group(1)), Integer.parseInt(matcher.group(2))));
        } catch (DateTimeException e) {
            return Optional.empty(); // a month 13 or a February 30
        }
    }

    private void checkValues(Field.Counter counter) {
        valueError(counter).ifPresent(FormatCheck::refuse);
    }

    private Optional<BadFormatException> valueError(Field.Counter counter) {
        long least = Math.max(values.min(), counter.alphabet().least());
        if (values.min() < 0) {
            return Optional.of(bad("min", "min must not be negative with a format: min=" + values.min()));
        }
        if (values.start() < least || values.start() > counter.greatest()) {
            return Optional.of(BadFormatException.of(
                    ErrorCode.BAD_START,
                    "start",
                    "start must be from " + least + " to " + counter.greatest() + ": start=" + values.start()));
        }
        if (values.increment() == 0) {
            return Optional.of(BadFormatException.of(ErrorCode.BAD_STEP, "increment", "increment must not be 0"));
        }
        if (values.max() < values.start()) {
            return Optional.of(
                    BadFormatException.of(ErrorCode.BAD_MAX, "max", "max must be at least start: max=" + values.max()));
        }
        return Optional.empty();
    }
}
