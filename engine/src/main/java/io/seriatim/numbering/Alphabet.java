package io.seriatim.numbering;

import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/** How a counter's value is written. */
enum Alphabet {
    DEC("0123456789"),
    HEX("0123456789ABCDEF"),
    /** A = 0 … Z = 25. */
    BASE26("ABCDEFGHIJKLMNOPQRSTUVWXYZ"),
    /** Crockford's: without I, L, O, U. */
    BASE32("0123456789ABCDEFGHJKMNPQRSTVWXYZ"),
    BASE36("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"),
    /** As spreadsheets name columns: A = 1 … Z = 26, AA = 27. There is no zero, so nothing to pad with. */
    LETTERS("ABCDEFGHIJKLMNOPQRSTUVWXYZ");

    private final String digits;
    private final int base;

    Alphabet(String digits) {
        this.digits = digits;
        this.base = digits.length();
    }

    static Optional<Alphabet> of(String name) {
        for (Alphabet alphabet : values()) {
            if (alphabet.name().toLowerCase(Locale.ROOT).equals(name)) {
                return Optional.of(alphabet);
            }
        }
        return Optional.empty();
    }

    CharacterSet characters() {
        return CharacterSet.of(digits);
    }

    CharacterSet zero() {
        return CharacterSet.of(digits.charAt(0));
    }

    /** The least value that can be written. */
    long least() {
        return this == LETTERS ? 1 : 0;
    }

    /** The greatest value with at most so many digits, or the greatest long. */
    long greatest(int length) {
        long greatest = 0;
        for (int i = 0; i < length; i++) {
            long digit = this == LETTERS ? base : base - 1;
            if (greatest > (Long.MAX_VALUE - digit) / base) {
                return Long.MAX_VALUE;
            }
            greatest = greatest * base + digit;
        }
        return greatest;
    }

    /** How many digits a value has without padding. */
    int length(long value) {
        int length = 1;
        long rest = value;
        if (this == LETTERS) {
            while (rest > base) {
                rest = (rest - 1) / base;
                length++;
            }
        } else if (this == DEC) {
            long power = 10;
            while (rest >= power && length < 19) {
                power *= 10; // overflows only past the 19 digits that a long has
                length++;
            }
        } else {
            while (rest >= base) {
                rest /= base;
                length++;
            }
        }
        return length;
    }

    /** Writes a value with exactly {@code length} digits, which are enough. */
    void write(long value, byte[] target, int from, int length) {
        if (this == DEC) {
            writeDecimal(value, target, from, length);
            return;
        }
        long rest = value;
        for (int i = from + length - 1; i >= from; i--) {
            if (this == LETTERS) {
                rest--;
            }
            target[i] = (byte) digits.charAt((int) (rest % base));
            rest /= base;
        }
    }

    /** The same with a constant base, which the compiler turns into multiplications; most numbers fit an int. */
    private static void writeDecimal(long value, byte[] target, int from, int length) {
        int at = from + length - 1;
        long high = value;
        while (high > Integer.MAX_VALUE) {
            target[at--] = (byte) ('0' + high % 10);
            high /= 10;
        }
        int rest = (int) high;
        while (at >= from) {
            int quotient = rest / 10;
            target[at--] = (byte) ('0' + rest - quotient * 10);
            rest = quotient;
        }
    }

    /** The value that a text of digits stands for; nothing if it is no such text, or beyond 64 bits. */
    OptionalLong read(CharSequence text) {
        long value = 0;
        for (int i = 0; i < text.length(); i++) {
            int digit = digitOf(text.charAt(i));
            if (digit < 0 || value > (Long.MAX_VALUE - digit) / base) {
                return OptionalLong.empty();
            }
            value = value * base + digit;
        }
        return text.length() == 0 ? OptionalLong.empty() : OptionalLong.of(value);
    }

    private int digitOf(char c) {
        int digit = digits.indexOf(c);
        return this == LETTERS && digit >= 0 ? digit + 1 : digit;
    }
}
