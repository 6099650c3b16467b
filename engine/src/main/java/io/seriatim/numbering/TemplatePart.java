package io.seriatim.numbering;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A field of a template, or characters that stand for themselves.
 *
 * @param position where it stands, in code points from 0
 * @param text as it stands in the template
 * @param meaning what it prints, in words
 * @param longest how long what it prints is at most, in code points
 */
public record TemplatePart(int position, String text, String meaning, int longest) {

    /** The parts of a template, in their order; together their texts are the template. */
    static List<TemplatePart> of(Layout layout, String template) {
        int[] characters = template.codePoints().toArray();
        List<List<Field>> groups = groups(layout.fields());
        List<TemplatePart> parts = new ArrayList<>();
        for (int i = 0; i < groups.size(); i++) {
            List<Field> group = groups.get(i);
            int from = group.get(0).position();
            int until = i + 1 < groups.size() ? groups.get(i + 1).get(0).position() : characters.length;
            parts.add(new TemplatePart(
                    from,
                    new String(characters, from, until - from),
                    meaning(group, layout),
                    group.stream().mapToInt(field -> field.longest(layout)).sum()));
        }
        return parts;
    }

    /** What a date pattern became stays together, and so do characters that stand for themselves. */
    private static List<List<Field>> groups(List<Field> fields) {
        List<List<Field>> groups = new ArrayList<>();
        for (Field field : fields) {
            List<Field> last = groups.isEmpty() ? List.of() : groups.get(groups.size() - 1);
            boolean samePlace = !last.isEmpty() && last.get(last.size() - 1).position() == field.position();
            if (samePlace) {
                last.add(field);
            } else {
                groups.add(new ArrayList<>(List.of(field)));
            }
        }
        return withLiteralsJoined(groups);
    }

    private static List<List<Field>> withLiteralsJoined(List<List<Field>> groups) {
        List<List<Field>> joined = new ArrayList<>();
        for (List<Field> group : groups) {
            if (!joined.isEmpty() && isLiteral(group) && isLiteral(joined.get(joined.size() - 1))) {
                joined.get(joined.size() - 1).addAll(group);
            } else {
                joined.add(group);
            }
        }
        return joined;
    }

    private static boolean isLiteral(List<Field> group) {
        return group.stream().allMatch(Field.Literal.class::isInstance);
    }

    private static String meaning(List<Field> group, Layout layout) {
        if (isLiteral(group)) {
            return "itself";
        }
        if (group.size() > 1) {
            return "the date";
        }
        Field field = group.get(0);
        if (field instanceof Field.Counter counter) {
            return "the value" + width(counter) + digits(counter.alphabet());
        }
        if (field instanceof Field.Dated dated) {
            return meaning(dated.part());
        }
        if (field instanceof Field.Scoped scoped) {
            ScopeRule scope = layout.scope(scoped.name());
            String length = scope.shortest() == scope.longest() ? "exactly " : "at most ";
            return "the value of scope " + scoped.name() + ", " + length + scope.longest() + " characters";
        }
        if (field instanceof Field.Check check) {
            return "a check over the rest: "
                    + check.method().name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
        throw new IllegalStateException("a field of no known kind: " + field);
    }

    private static String width(Field.Counter counter) {
        if (counter.width() == 1 && !counter.exact()) {
            return "";
        }
        return (counter.exact() ? ", exactly " : ", at least ") + counter.width() + " digits";
    }

    private static String digits(Alphabet alphabet) {
        return alphabet == Alphabet.DEC ? "" : ", in " + alphabet.name().toLowerCase(Locale.ROOT);
    }

    private static String meaning(DatePart part) {
        return switch (part) {
            case YEAR -> "the year";
            case YEAR2 -> "the year, two digits";
            case MONTH -> "the month";
            case DAY -> "the day of the month";
            case DOY -> "the day of the year";
            case QUARTER -> "the quarter";
            case HOUR -> "the hour";
            case MINUTE -> "the minute";
            case SECOND -> "the second";
            case ISOYEAR -> "the year of the ISO week";
            case ISOYEAR2 -> "the year of the ISO week, two digits";
            case ISOWEEK -> "the ISO week";
            case FYSTART -> "the year in which the fiscal year begins";
            case FYSTART2 -> "the year in which the fiscal year begins, two digits";
            case FYEND -> "the year in which the fiscal year ends";
            case FYEND2 -> "the year in which the fiscal year ends, two digits";
        };
    }
}
