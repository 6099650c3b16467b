package io.seriatim.numbering;

import io.seriatim.BadFormatException;
import io.seriatim.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads {@code template = { char | "{{" | "}}" | "{" name [ ":" spec ] "}" }} from left to right and stops at the
 * first error. What the fields mean together is checked elsewhere.
 */
final class TemplateParser {

    private static final String TEMPLATE = "template";
    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9]*");
    private static final Pattern SEQ = Pattern.compile("(?:([1-9][0-9]?)(!)?)?(?:/([a-z0-9]+))?");
    private static final Pattern CHECK = Pattern.compile("([a-z0-9-]+)(?:/(digits|seq))?");
    private static final String DATE_SEPARATORS = "-/._";
    private static final int GREATEST_WIDTH = 18;

    private final int[] template;
    private final List<Field> fields = new ArrayList<>();
    private int at;

    private TemplateParser(String template) {
        this.template = template.codePoints().toArray();
    }

    static List<Field> parse(String template) {
        TemplateParser parser = new TemplateParser(template);
        while (parser.at < parser.template.length) {
            parser.step();
        }
        return List.copyOf(parser.fields);
    }

    private void step() {
        int c = template[at];
        boolean doubled = at + 1 < template.length && template[at + 1] == c;
        if ((c == '{' || c == '}') && doubled) {
            fields.add(new Field.Literal(c, at));
            at += 2;
        } else if (c == '{') {
            field();
        } else if (c == '}') {
            throw error(ErrorCode.UNEXPECTED_CLOSE, at, "a brace that closes nothing is written twice: }}");
        } else if (printsNothing(c)) {
            throw error(
                    ErrorCode.CONTROL_CHAR,
                    at,
                    "a template must not hold control characters: U+" + String.format("%04X", c));
        } else {
            fields.add(new Field.Literal(c, at));
            at++;
        }
    }

    /** Control and format characters, breaks of line and paragraph, halves of surrogate pairs. */
    static boolean printsNothing(int codePoint) {
        return switch (Character.getType(codePoint)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE -> true;
            default -> false;
        };
    }

    private void field() {
        int open = at;
        int close = open + 1;
        while (close < template.length && template[close] != '}' && template[close] != '{') {
            close++;
        }
        if (close == template.length || template[close] == '{') {
            throw error(ErrorCode.UNCLOSED_FIELD, open, "a field is not closed");
        }
        String inside = new String(template, open + 1, close - open - 1);
        int colon = inside.indexOf(':');
        String name = colon < 0 ? inside : inside.substring(0, colon);
        Optional<String> spec = colon < 0 ? Optional.empty() : Optional.of(inside.substring(colon + 1));
        if (name.isEmpty()) {
            throw error(ErrorCode.EMPTY_FIELD, open, "a field has no name: {" + inside + "}");
        }
        if (!NAME.matcher(name).matches()) {
            throw unknown(name, open);
        }
        if (spec.isPresent() && spec.get().isEmpty()) {
            throw bad(inside, open);
        }
        add(name, spec, inside, open);
        at = close + 1;
    }

    private void add(String name, Optional<String> spec, String inside, int open) {
        Supplier<BadFormatException> bad = () -> bad(inside, open);
        switch (name) {
            case "seq" -> fields.add(counter(spec.orElse("1"), open, bad));
            case "scope" -> fields.add(new Field.Scoped(spec.orElseThrow(bad), open));
            case "check" -> fields.add(check(spec.orElseThrow(bad), open, bad));
            case "date" -> date(spec.orElseThrow(bad), open);
            default -> fields.add(new Field.Dated(datePart(name, spec, open, bad), open));
        }
    }

    private static Field counter(String spec, int open, Supplier<BadFormatException> bad) {
        Matcher matcher = SEQ.matcher(spec);
        if (!matcher.matches()) {
            throw bad.get();
        }
        int width = matcher.group(1) == null ? 1 : Integer.parseInt(matcher.group(1));
        Alphabet alphabet = matcher.group(3) == null
                ? Alphabet.DEC
                : Alphabet.of(matcher.group(3)).orElseThrow(bad);
        if (width > GREATEST_WIDTH || alphabet == Alphabet.LETTERS && matcher.group(1) != null) {
            throw bad.get();
        }
        return new Field.Counter(alphabet, width, matcher.group(2) != null, open);
    }

    private static Field check(String spec, int open, Supplier<BadFormatException> bad) {
        Matcher matcher = CHECK.matcher(spec);
        if (!matcher.matches()) {
            throw bad.get();
        }
        CheckMethod method = CheckMethod.of(matcher.group(1)).orElseThrow(bad);
        Field.Payload payload = matcher.group(2) == null
                ? Field.Payload.ALL
                : matcher.group(2).equals("seq") ? Field.Payload.SEQ : Field.Payload.DIGITS;
        if (method == CheckMethod.ISO11649 && payload != Field.Payload.ALL) {
            throw bad.get();
        }
        return new Field.Check(method, payload, open);
    }

    private static DatePart datePart(String name, Optional<String> spec, int open, Supplier<BadFormatException> bad) {
        boolean endsInDigit = Character.isDigit(name.charAt(name.length() - 1));
        DatePart part = endsInDigit ? null : DatePart.ofField(name).orElse(null);
        if (part == null) {
            throw unknown(name, open);
        }
        if (spec.isEmpty()) {
            return part;
        }
        return spec.filter("2"::equals)
                .flatMap(digits -> DatePart.ofField(name + digits))
                .orElseThrow(bad);
    }

    /** A date pattern is a shorthand: its parts become fields, its separators literals, all at its position. */
    private void date(String pattern, int open) {
        int parts = 0;
        for (int i = 0; i < pattern.length(); ) {
            char c = pattern.charAt(i);
            int end = i + 1;
            if (DATE_SEPARATORS.indexOf(c) >= 0) {
                fields.add(new Field.Literal(c, open));
            } else {
                while (end < pattern.length() && pattern.charAt(end) == c) {
                    end++;
                }
                DatePart part = DatePart.ofLetters(pattern.substring(i, end)).orElseThrow(() -> badDate(pattern, open));
                fields.add(new Field.Dated(part, open));
                parts++;
            }
            i = end;
        }
        if (parts == 0) {
            throw badDate(pattern, open);
        }
    }

    private static BadFormatException badDate(String pattern, int open) {
        return error(
                ErrorCode.BAD_DATE_PATTERN,
                open,
                "a date pattern is made of yyyy yy MM dd DDD HH mm ss and - / . _: " + pattern);
    }

    private static BadFormatException unknown(String name, int open) {
        return error(ErrorCode.UNKNOWN_FIELD, open, "there is no field " + name);
    }

    private static BadFormatException bad(String inside, int open) {
        return error(ErrorCode.BAD_SPEC, open, "the field does not know this: {" + inside + "}");
    }

    private static BadFormatException error(ErrorCode code, int position, String message) {
        return BadFormatException.at(code, TEMPLATE, position, message);
    }
}
