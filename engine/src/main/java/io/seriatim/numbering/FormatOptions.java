package io.seriatim.numbering;

import io.seriatim.AuditEntry;
import io.seriatim.BadFormatException;
import io.seriatim.ErrorCode;
import io.seriatim.SequenceDefinition;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A format as options of a sequence's definition, one for each part, and back. */
final class FormatOptions {

    /*
     * What a store keeps, and an audit trail shows, for
     * {"template": "{scope:store}-{year}-{seq:4}", "reset": "yearly", "scopes": [{"name": "store", "max": 6}]}:
     *
     *     format.template      {scope:store}-{year}-{seq:4}
     *     format.reset         yearly
     *     format.zone          UTC
     *     format.maxLength     255
     *     format.scope.store   max=6 fixed=false case=exact alphabet=[A-Za-z0-9]
     *
     * The alphabet stands last, so it may hold any character. Options of which the format has none are left out;
     * allowRepeats and monotonicPeriod too where they are false.
     */

    private static final String PREFIX = "format.";
    private static final String TEMPLATE = PREFIX + "template";
    private static final String RESET = PREFIX + "reset";
    private static final String ZONE = PREFIX + "zone";
    private static final String FISCAL_START = PREFIX + "fiscalStart";
    private static final String SCOPE = PREFIX + "scope.";
    private static final String MAX_LENGTH = PREFIX + "maxLength";
    private static final String CHARSET = PREFIX + "charset";
    private static final String ALLOW_REPEATS = PREFIX + "allowRepeats";
    private static final String MONOTONIC_PERIOD = PREFIX + "monotonicPeriod";
    private static final String POLICY = PREFIX + "policy";
    private static final String RESERVATION_SECONDS = PREFIX + "reservationSeconds";

    private static final int LONGEST = 2_000;
    private static final Set<String> VALUES = Set.of("start", "min", "max", "increment");

    private static final Pattern SCOPE_TEXT =
            Pattern.compile("max=([0-9]{1,9}) fixed=(true|false) case=(exact|upper) alphabet=(.*)", Pattern.DOTALL);

    private FormatOptions() {}

    /** The options of a format. */
    static Map<String, String> of(FormatDefinition format) {
        Map<String, String> options = new TreeMap<>();
        options.put(TEMPLATE, format.template());
        options.put(RESET, format.reset());
        options.put(ZONE, format.zone());
        options.put(MAX_LENGTH, Integer.toString(format.maxLength()));
        format.fiscalStart().ifPresent(day -> options.put(FISCAL_START, day));
        format.charset().ifPresent(characters -> options.put(CHARSET, characters));
        format.policy().ifPresent(policy -> options.put(POLICY, policy));
        format.reservationSeconds().ifPresent(seconds -> options.put(RESERVATION_SECONDS, Integer.toString(seconds)));
        if (format.allowRepeats()) {
            options.put(ALLOW_REPEATS, "true");
        }
        if (format.monotonicPeriod()) {
            options.put(MONOTONIC_PERIOD, "true");
        }
        for (Scope scope : format.scopes()) {
            options.put(SCOPE + scope.name(), text(scope));
        }
        options.forEach(FormatOptions::requireKeepable);
        return options;
    }

    /** Stores and audit trails keep one line of Unicode, and not of any length. */
    private static void requireKeepable(String name, String text) {
        boolean plain = text.codePoints()
                .noneMatch(c -> Character.isISOControl(c) || Character.getType(c) == Character.SURROGATE);
        if (!plain || text.codePointCount(0, text.length()) > LONGEST) {
            throw BadFormatException.of(
                    ErrorCode.BAD_OPTION,
                    name,
                    name + " must be at most " + LONGEST
                            + " characters, without control characters and halves of surrogate pairs");
        }
    }

    private static String text(Scope scope) {
        return "max=" + scope.max() + " fixed=" + scope.fixed() + " case="
                + scope.letterCase().text() + " alphabet=" + scope.alphabet();
    }

    /** The format that a definition's options say; nothing if it has none. */
    static Optional<FormatDefinition> in(Map<String, String> options) {
        String template = options.get(TEMPLATE);
        if (template == null) {
            return Optional.empty();
        }
        List<Scope> scopes = new ArrayList<>();
        options.forEach((name, text) -> {
            if (name.startsWith(SCOPE)) {
                scopes.add(scope(name.substring(SCOPE.length()), text));
            }
        });
        return Optional.of(new FormatDefinition(
                template,
                options.getOrDefault(RESET, Reset.NEVER.text()),
                options.getOrDefault(ZONE, "UTC"),
                Optional.ofNullable(options.get(FISCAL_START)),
                scopes,
                number(options, MAX_LENGTH).orElse(FormatDefinition.USUAL_MAX_LENGTH),
                Optional.ofNullable(options.get(CHARSET)),
                "true".equals(options.get(ALLOW_REPEATS)),
                "true".equals(options.get(MONOTONIC_PERIOD)),
                Optional.ofNullable(options.get(POLICY)),
                number(options, RESERVATION_SECONDS)));
    }

    private static Scope scope(String name, String text) {
        Matcher parts = SCOPE_TEXT.matcher(text);
        if (!parts.matches()) {
            throw BadFormatException.of(ErrorCode.BAD_OPTION, "scopes", "the scope is not understood: name=" + name);
        }
        LetterCase letterCase = parts.group(3).equals(LetterCase.UPPER.text()) ? LetterCase.UPPER : LetterCase.EXACT;
        return new Scope(
                name,
                Integer.parseInt(parts.group(1)),
                Boolean.parseBoolean(parts.group(2)),
                parts.group(4),
                letterCase);
    }

    private static OptionalInt number(Map<String, String> options, String name) {
        String text = options.get(name);
        try {
            return text == null ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(text));
        } catch (NumberFormatException e) {
            throw BadFormatException.of(ErrorCode.BAD_OPTION, name, name + " must be a number: " + name + "=" + text);
        }
    }

    /** Whether a change was of the text, or of the values that it is checked with. */
    static boolean changes(AuditEntry entry) {
        return Stream.concat(entry.was().keySet().stream(), entry.now().keySet().stream())
                .anyMatch(option -> option.startsWith(PREFIX) || VALUES.contains(option));
    }

    /** A definition with this format in place of any that it names. */
    static SequenceDefinition put(SequenceDefinition definition, Map<String, String> present, FormatDefinition format) {
        SequenceDefinition changed = definition;
        for (String name : present.keySet()) {
            if (name.startsWith(PREFIX)) {
                changed = changed.with(name, null);
            }
        }
        for (Map.Entry<String, String> option : of(format).entrySet()) {
            changed = changed.with(option.getKey(), option.getValue());
        }
        return changed;
    }
}
