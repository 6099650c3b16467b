package io.seriatim.numbering;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** A part of a template, and where it stands there, in code points from 0. */
sealed interface Field {

    int position();

    /** How long its text is at most. */
    int longest(Layout layout);

    /** All characters that its text may have. */
    CharacterSet characters(Layout layout);

    /** What its text may look like. */
    List<Chain> chains(Layout layout);

    /**
     * Some of the texts of a field: one character of each set in turn.
     *
     * @param least how many characters there are at least; the rest may be left out from the end
     */
    record Chain(List<CharacterSet> sets, int least) {}

    /** A character that stands for itself. */
    record Literal(int codePoint, int position) implements Field {
        @Override
        public int longest(Layout layout) {
            return 1;
        }

        @Override
        public CharacterSet characters(Layout layout) {
            return CharacterSet.of(codePoint);
        }

        @Override
        public List<Chain> chains(Layout layout) {
            return List.of(new Chain(List.of(CharacterSet.of(codePoint)), 1));
        }
    }

    /**
     * The value.
     *
     * @param width the least length; shorter values are padded
     * @param exact whether longer values cannot be printed
     */
    record Counter(Alphabet alphabet, int width, boolean exact, int position) implements Field {

        /** The greatest value that fits. */
        long greatest() {
            return exact ? alphabet.greatest(width) : Long.MAX_VALUE;
        }

        int length(long value) {
            return Math.max(width, alphabet.length(value));
        }

        @Override
        public int longest(Layout layout) {
            return length(layout.greatest());
        }

        @Override
        public CharacterSet characters(Layout layout) {
            return alphabet.characters();
        }

        @Override
        public List<Chain> chains(Layout layout) {
            CharacterSet digit = alphabet.characters();
            int longest = longest(layout);
            if (alphabet == Alphabet.LETTERS || longest == width) {
                return List.of(new Chain(times(longest, digit), alphabet == Alphabet.LETTERS ? 1 : width));
            }
            // A value of more than the least length is not padded, so it begins with no zero.
            CharacterSet notZero =
                    CharacterSet.range(digit.at(1), digit.at(digit.size() - 1)).and(digit);
            List<CharacterSet> padded = new ArrayList<>(List.of(alphabet.zero()));
            padded.addAll(times(width - 1, digit));
            List<CharacterSet> grown = new ArrayList<>(List.of(notZero));
            grown.addAll(times(longest - 1, digit));
            return List.of(new Chain(padded, width), new Chain(grown, width));
        }
    }

    /** A part of the date. */
    record Dated(DatePart part, int position) implements Field {
        @Override
        public int longest(Layout layout) {
            return part.width();
        }

        @Override
        public CharacterSet characters(Layout layout) {
            return CharacterSet.DIGITS;
        }

        @Override
        public List<Chain> chains(Layout layout) {
            return part.texts().stream()
                    .map(text -> new Chain(text, text.size()))
                    .toList();
        }
    }

    /** The value of a scope. */
    record Scoped(String name, int position) implements Field {
        @Override
        public int longest(Layout layout) {
            return layout.scope(name).longest();
        }

        @Override
        public CharacterSet characters(Layout layout) {
            return layout.scope(name).characters();
        }

        @Override
        public List<Chain> chains(Layout layout) {
            ScopeRule scope = layout.scope(name);
            return List.of(new Chain(times(scope.longest(), scope.characters()), scope.shortest()));
        }
    }

    /** Check characters over the rest of the text. */
    record Check(CheckMethod method, Payload payload, int position) implements Field {
        @Override
        public int longest(Layout layout) {
            return method.length();
        }

        @Override
        public CharacterSet characters(Layout layout) {
            return method.output();
        }

        @Override
        public List<Chain> chains(Layout layout) {
            return List.of(new Chain(times(method.length(), method.output()), method.length()));
        }
    }

    /** What a check is over. */
    enum Payload {
        /** The letters and digits of everything else. */
        ALL,
        /** The digits of everything else. */
        DIGITS,
        /** The counter. */
        SEQ
    }

    private static List<CharacterSet> times(int count, CharacterSet set) {
        return IntStream.range(0, count).mapToObj(i -> set).toList();
    }
}
