package io.seriatim.numbering;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The texts that two layouts, or one layout twice, may both print, read by each in its own way. */
final class Overlap {

    /*
     * Why an accepted template is unique. A number's text is a path through the places of its layout. Let one text
     * have two such paths, and look at them side by side, character by character: a path through pairs of places
     * whose sets have that character in common. There are finitely many pairs and no circles, so all pairs that can
     * be reached are looked at; a pair is marked from the first character on that means one thing in one path and
     * another in the other.
     *
     * If no marked pair can end, then in every two paths of every text each character means the same. So the digits
     * of the value are the same characters in both, and the same value; so are the scope values; and of the date,
     * the same digits of the same parts, which determine the period (PeriodCheck). One text, one number. The sets
     * only ever hold too many texts, never too few (a February 30, a value above max, any check characters), so the
     * answer "none" is safe.
     *
     * The other answer may be too strict for the same reason. Therefore texts of marked paths are tried until one
     * turns out to be printed for two numbers really. If all the tries fail the layout is refused all the same,
     * without an example: this needs a template whose fields run into each other, and a part that is printed twice
     * or a check that happens to tell the readings apart.
     */

    /** No character yet. */
    private static final int NONE = -1;

    private final Slots one;
    private final Slots other;
    /** For a pair and its mark: 0 not looked at, 1 no marked end can be reached, 2 one can. */
    private final byte[] ends;

    private final boolean markedFromTheStart;

    /**
     * Of two layouts, which may be the same one.
     *
     * @param markedFromTheStart whether a text in common is enough, however it is read
     */
    Overlap(Slots one, Slots other, boolean markedFromTheStart) {
        this.one = one;
        this.other = other;
        this.markedFromTheStart = markedFromTheStart;
        this.ends = new byte[one.count() * other.count() * 2];
    }

    private record Pair(int one, int other, boolean marked) {}

    /** Whether some text may be read in two ways. */
    boolean exists() {
        return !beginnings().isEmpty();
    }

    private List<Pair> beginnings() {
        return reaching(one.first(), other.first(), markedFromTheStart);
    }

    /** The pairs that share a character and lead to a marked end. */
    private List<Pair> reaching(List<Integer> ones, List<Integer> others, boolean marked) {
        List<Pair> pairs = new ArrayList<>();
        for (int a : ones) {
            for (int b : others) {
                if (one.set(a).meets(other.set(b))) {
                    Pair pair = new Pair(a, b, marked || one.meaning(a) != other.meaning(b));
                    if (reaches(pair)) {
                        pairs.add(pair);
                    }
                }
            }
        }
        return pairs;
    }

    private boolean mayEnd(Pair pair) {
        return pair.marked() && one.isLast(pair.one()) && other.isLast(pair.other());
    }

    private List<Pair> next(Pair pair) {
        return reaching(one.followers(pair.one()), other.followers(pair.other()), pair.marked());
    }

    private boolean reaches(Pair pair) {
        int index = (pair.one() * other.count() + pair.other()) * 2 + (pair.marked() ? 1 : 0);
        if (ends[index] == 0) {
            ends[index] = (byte) (mayEnd(pair) || !next(pair).isEmpty() ? 2 : 1);
        }
        return ends[index] == 2;
    }

    /** A text and the field of each of its characters, in both readings. */
    record Example(String text, List<Integer> fieldsOfOne, List<Integer> fieldsOfOther) {}

    /** One of the texts that may be read in two ways. Different seeds give different ones, small seeds plain ones. */
    Optional<Example> example(long seed) {
        Choice choice = new Choice(seed);
        StringBuilder text = new StringBuilder();
        List<Pair> path = new ArrayList<>();
        List<Pair> options = beginnings();
        int last = NONE;
        while (!options.isEmpty()) {
            Pair pair = options.get(choice.below(options.size()));
            path.add(pair);
            CharacterSet common = one.set(pair.one()).and(other.set(pair.other()));
            boolean again = last != NONE && common.contains(last) && choice.below(2) == 1;
            last = again ? last : common.at(choice.below(common.size()));
            text.appendCodePoint(last);
            options = next(pair);
            if (mayEnd(pair) && (options.isEmpty() || choice.below(2) == 0)) {
                return Optional.of(new Example(
                        text.toString(),
                        path.stream().map(p -> one.field(p.one())).toList(),
                        path.stream().map(p -> other.field(p.other())).toList()));
            }
        }
        return Optional.empty();
    }

    /** Numbers that look random and are the same in every run (SplitMix64). */
    private static final class Choice {
        private long state;

        Choice(long seed) {
            state = seed;
        }

        int below(int bound) {
            state += 0x9E3779B97F4A7C15L;
            long mixed = (state ^ state >>> 30) * 0xBF58476D1CE4E5B9L;
            mixed = (mixed ^ mixed >>> 27) * 0x94D049BB133111EBL;
            return (int) Long.remainderUnsigned(mixed ^ mixed >>> 31, bound);
        }
    }
}
