package io.seriatim.numbering;

import io.seriatim.BadFormatException;
import io.seriatim.ErrorCode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;

/** Code points, as a sorted list of inclusive ranges that neither touch nor overlap. */
final class CharacterSet {

    static final CharacterSet DIGITS = range('0', '9');
    static final CharacterSet UPPER = range('A', 'Z');
    static final CharacterSet DIGITS_AND_UPPER = DIGITS.or(UPPER);

    /** Range by range: first, last. */
    private final int[] bounds;

    private CharacterSet(List<int[]> sorted) {
        List<int[]> joined = new ArrayList<>();
        for (int[] range : sorted) {
            int[] last = joined.isEmpty() ? null : joined.get(joined.size() - 1);
            if (last != null && range[0] <= last[1] + 1) {
                last[1] = Math.max(last[1], range[1]);
            } else {
                joined.add(range.clone());
            }
        }
        bounds = joined.stream().flatMapToInt(Arrays::stream).toArray();
    }

    static CharacterSet of(int codePoint) {
        return range(codePoint, codePoint);
    }

    static CharacterSet range(int first, int last) {
        return new CharacterSet(List.of(new int[] {first, last}));
    }

    /** Every character of a text. */
    static CharacterSet of(String characters) {
        return sorted(characters.codePoints().mapToObj(c -> new int[] {c, c}).toList());
    }

    private static CharacterSet sorted(List<int[]> ranges) {
        List<int[]> sorted = new ArrayList<>(ranges);
        sorted.sort((a, b) -> Integer.compare(a[0], b[0]));
        return new CharacterSet(sorted);
    }

    /**
     * Reads {@code 0123} or {@code [A-Za-z0-9/-]}: in brackets a hyphen between two characters makes a range, at
     * either end it is itself. Outside of brackets such a hyphen is refused, because it is half the time meant as a
     * range.
     *
     * @throws BadFormatException BAD_OPTION, naming {@code option}
     */
    static CharacterSet parse(String option, String text) {
        boolean bracketed = text.length() > 2 && text.startsWith("[") && text.endsWith("]");
        int[] characters = (bracketed ? text.substring(1, text.length() - 1) : text)
                .codePoints()
                .toArray();
        if (characters.length == 0) {
            throw bad(option, "a set of characters must not be empty");
        }
        List<int[]> ranges = new ArrayList<>();
        for (int i = 0; i < characters.length; i++) {
            boolean range = i + 2 < characters.length && characters[i + 1] == '-';
            if (range && !bracketed) {
                throw bad(
                        option, "a range of characters is written in brackets, such as [A-Z]: " + option + "=" + text);
            }
            int last = range ? characters[i + 2] : characters[i];
            if (last < characters[i]) {
                throw bad(option, "a range of characters must not run backwards: " + option + "=" + text);
            }
            ranges.add(new int[] {characters[i], last});
            i += range ? 2 : 0;
        }
        return sorted(ranges);
    }

    private static BadFormatException bad(String option, String message) {
        return BadFormatException.of(ErrorCode.BAD_OPTION, option, message);
    }

    boolean isEmpty() {
        return bounds.length == 0;
    }

    int size() {
        int size = 0;
        for (int i = 0; i < bounds.length; i += 2) {
            size += bounds[i + 1] - bounds[i] + 1;
        }
        return size;
    }

    /** The character at a place in the order of code points. */
    int at(int index) {
        int left = index;
        for (int i = 0; i < bounds.length; i += 2) {
            int length = bounds[i + 1] - bounds[i] + 1;
            if (left < length) {
                return bounds[i] + left;
            }
            left -= length;
        }
        throw new IndexOutOfBoundsException(index);
    }

    boolean contains(int codePoint) {
        for (int i = 0; i < bounds.length; i += 2) {
            if (codePoint <= bounds[i + 1]) {
                return codePoint >= bounds[i];
            }
        }
        return false;
    }

    CharacterSet or(CharacterSet other) {
        List<int[]> ranges = new ArrayList<>(ranges());
        ranges.addAll(other.ranges());
        return sorted(ranges);
    }

    CharacterSet and(CharacterSet other) {
        List<int[]> common = new ArrayList<>();
        for (int[] mine : ranges()) {
            for (int[] theirs : other.ranges()) {
                int first = Math.max(mine[0], theirs[0]);
                int last = Math.min(mine[1], theirs[1]);
                if (first <= last) {
                    common.add(new int[] {first, last});
                }
            }
        }
        return sorted(common);
    }

    boolean meets(CharacterSet other) {
        for (int i = 0, j = 0; i < bounds.length && j < other.bounds.length; ) {
            if (bounds[i + 1] < other.bounds[j]) {
                i += 2;
            } else if (other.bounds[j + 1] < bounds[i]) {
                j += 2;
            } else {
                return true;
            }
        }
        return false;
    }

    /** The first character of this set that the other one does not have. */
    OptionalInt firstOutside(CharacterSet other) {
        for (int i = 0; i < bounds.length; i += 2) {
            for (int c = bounds[i]; c <= bounds[i + 1]; c++) {
                if (!other.contains(c)) {
                    return OptionalInt.of(c);
                }
            }
        }
        return OptionalInt.empty();
    }

    private List<int[]> ranges() {
        List<int[]> ranges = new ArrayList<>();
        for (int i = 0; i < bounds.length; i += 2) {
            ranges.add(new int[] {bounds[i], bounds[i + 1]});
        }
        return ranges;
    }
}
