package io.seriatim.server;

import java.util.List;
import java.util.Locale;

/** Which of the two forms of an answer a caller wants, RFC 9110 section 12.5.1. */
final class Accept {

    private Accept() {}

    /** Whether {@code text/plain} is wanted rather than {@code application/json}. */
    static boolean prefersText(Call call) {
        return preferred(call, List.of("application/json", "text/plain")).equals("text/plain");
    }

    /**
     * The type that is wanted most: by the greater weight, then by the more specific range, then by what stands first.
     * The first one where nothing decides.
     *
     * @param types in small letters, at least one
     */
    static String preferred(Call call, List<String> types) {
        String[] ranges =
                call.header(Call.ACCEPT).orElse("").toLowerCase(Locale.ROOT).split(",");
        String best = types.get(0);
        for (String type : types) {
            if (wish(ranges, type).isBetterThan(wish(ranges, best))) {
                best = type;
            }
        }
        return best;
    }

    private static Wish wish(String[] ranges, String type) {
        Wish wish = Wish.NONE;
        for (int place = 0; place < ranges.length; place++) {
            String[] parts = ranges[place].strip().split(";", -1);
            wish = wish.orBetter(new Wish(weight(parts), match(parts[0].strip(), type), place));
        }
        return wish;
    }

    /** How closely a range names a type: 3 itself, 2 its family, 1 everything, 0 not at all. */
    private static int match(String range, String type) {
        if (range.equals(type)) {
            return 3;
        }
        if (range.equals(type.substring(0, type.indexOf('/')) + "/*")) {
            return 2;
        }
        return range.equals("*/*") ? 1 : 0;
    }

    private static double weight(String[] parts) {
        for (int i = 1; i < parts.length; i++) {
            String parameter = parts[i].strip();
            if (parameter.startsWith("q=")) {
                try {
                    return Double.parseDouble(parameter.substring(2));
                } catch (NumberFormatException e) {
                    return 0; // an unreadable wish is none
                }
            }
        }
        return 1;
    }

    /** What the header says of one type, by the range that names it most closely. */
    private record Wish(double weight, int match, int place) {
        static final Wish NONE = new Wish(0, 0, Integer.MAX_VALUE);

        Wish orBetter(Wish other) {
            return other.match > match ? other : this;
        }

        boolean isBetterThan(Wish other) {
            if (match == 0 || weight <= 0) {
                return false;
            }
            if (weight != other.weight) {
                return weight > other.weight;
            }
            return match != other.match ? match > other.match : place < other.place;
        }
    }
}
