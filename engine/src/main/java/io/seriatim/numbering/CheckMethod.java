package io.seriatim.numbering;

import java.util.Optional;

/** A published way to find check characters. */
enum CheckMethod {

    /*
     * Every method reads the payload from left to right and keeps what it knows in one long, so that a check is
     * computed over the printed text itself, without a copy. Two methods are defined from the right, where nobody
     * knows yet which place a symbol will have. They keep the answer for every place that the last symbol may turn
     * out to have, and a further symbol moves all answers on by one:
     * - Luhn: two sums, one if the last digit is to be doubled, one if not.
     * - Verhoeff: eight products, since its permutations repeat after eight places. The product runs from right to
     *   left in a group, so the new symbol is multiplied on the left of what was there.
     */

    /** ISO/IEC 7812-1 Annex B. */
    LUHN("luhn", 1) {
        @Override
        long next(long state, int symbol) {
            long ifDoubled = state / 10;
            long ifNot = state % 10;
            long doubled = symbol < 5 ? 2L * symbol : 2L * symbol - 9;
            return (ifNot + doubled) % 10 * 10 + (ifDoubled + symbol) % 10;
        }

        @Override
        int check(long state) {
            return (int) ((10 - state / 10) % 10);
        }
    },

    /** H. M. Damm, Total anti-symmetrische Quasigruppen, 2004. */
    DAMM("damm", 1) {
        @Override
        long next(long state, int symbol) {
            return Character.digit(QUASIGROUP[(int) state].charAt(symbol), 10);
        }

        @Override
        int check(long state) {
            return (int) state;
        }
    },

    /** J. Verhoeff, Error detecting decimal codes, 1969: the dihedral group of ten elements. */
    VERHOEFF("verhoeff", 1) {
        @Override
        long next(long state, int symbol) {
            long next = 0;
            for (int place = 0; place < 8; place++) {
                int rest = (int) (state >>> 4 * ((place + 1) % 8) & 15);
                int moved = PERMUTATIONS[place].charAt(symbol) - '0';
                next |= (long) (DIHEDRAL[moved].charAt(rest) - '0') << 4 * place;
            }
            return next;
        }

        @Override
        int check(long state) {
            return INVERSE.charAt((int) (state >>> 4 & 15)) - '0';
        }
    },

    /** ISO/IEC 7064 MOD 97-10: two digits; letters count 10 to 35. */
    MOD97("mod97", 2) {
        @Override
        long next(long state, int symbol) {
            return (state * (symbol < 10 ? 10 : 100) + symbol) % 97;
        }

        @Override
        int check(long state) {
            return (int) (98 - state * 100 % 97);
        }
    },

    /** ISO/IEC 7064 MOD 11-2: a digit or X. */
    MOD11_2("mod11-2", 1) {
        @Override
        long next(long state, int symbol) {
            return (state + symbol) * 2 % 11;
        }

        @Override
        int check(long state) {
            return (int) (12 - state) % 11;
        }
    },

    /** ISO/IEC 7064 MOD 37,36: a digit or letter. */
    MOD37_36("mod37-36", 1) {
        @Override
        long initial() {
            return 36;
        }

        @Override
        long next(long state, int symbol) {
            long sum = (state + symbol) % 36;
            return (sum == 0 ? 36 : sum) * 2 % 37;
        }

        @Override
        int check(long state) {
            return (int) (37 - state) % 36;
        }
    },

    /** ISO 11649: MOD 97-10 over the reference with {@code RF} moved behind it. */
    ISO11649("iso11649", 2) {
        @Override
        long next(long state, int symbol) {
            return MOD97.next(state, symbol);
        }

        @Override
        int check(long state) {
            return MOD97.check(next(next(state, symbolOf((byte) 'R')), symbolOf((byte) 'F')));
        }
    };

    private static final String[] QUASIGROUP = {
        "0317598642", "7092154863", "4206871359", "1750983426", "6123045978",
        "3674209581", "5869720134", "8945362017", "9438617205", "2581436790"
    };
    private static final String[] DIHEDRAL = {
        "0123456789", "1234067895", "2340178956", "3401289567", "4012395678",
        "5987604321", "6598710432", "7659821043", "8765932104", "9876543210"
    };
    private static final String[] PERMUTATIONS = {
        "0123456789", "1576283094", "5803796142", "8916043527", "9453126870", "4286573901", "2793806415", "7046913258"
    };
    private static final String INVERSE = "0432156789";

    private final String text;
    private final int length;

    CheckMethod(String text, int length) {
        this.text = text;
        this.length = length;
    }

    static Optional<CheckMethod> of(String name) {
        for (CheckMethod method : values()) {
            if (method.text.equals(name)) {
                return Optional.of(method);
            }
        }
        return Optional.empty();
    }

    /** The letters and digits that it has a value for. */
    CharacterSet payload() {
        return switch (this) {
            case LUHN, DAMM, VERHOEFF, MOD11_2 -> CharacterSet.DIGITS;
            case MOD97, MOD37_36, ISO11649 -> CharacterSet.DIGITS_AND_UPPER;
        };
    }

    /** The characters that a check may have. */
    CharacterSet output() {
        return switch (this) {
            case LUHN, DAMM, VERHOEFF, MOD97, ISO11649 -> CharacterSet.DIGITS;
            case MOD11_2 -> CharacterSet.DIGITS.or(CharacterSet.of('X'));
            case MOD37_36 -> CharacterSet.DIGITS_AND_UPPER;
        };
    }

    int length() {
        return length;
    }

    String text() {
        return text;
    }

    long initial() {
        return 0;
    }

    /** What is known after one more symbol: 0 to 9 for digits, 10 to 35 for A to Z. */
    abstract long next(long state, int symbol);

    /** The check, as a number of {@link #length()} digits or as one symbol. */
    abstract int check(long state);

    final void write(long state, byte[] target, int from) {
        int check = check(state);
        if (length == 2) {
            target[from] = (byte) ('0' + check / 10);
            target[from + 1] = (byte) ('0' + check % 10);
        } else if (this == MOD11_2 && check == 10) {
            target[from] = 'X';
        } else {
            target[from] = (byte) (check < 10 ? '0' + check : 'A' + check - 10);
        }
    }

    /** What a byte of a text counts; negative for one that is skipped. */
    static int symbolOf(byte c) {
        if (c >= '0' && c <= '9') {
            return c - '0';
        }
        return c >= 'A' && c <= 'Z' ? c - 'A' + 10 : -1;
    }
}
