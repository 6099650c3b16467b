package io.seriatim.server;

import io.seriatim.ErrorCode;

/** Reads integers exactly: digits in the one way to write them, within 64 bits, nothing else. */
final class Integers {

    private static final int SHOWN = 40;

    private Integers() {}

    /** {@code 0|-?[1-9][0-9]*}: who writes 007 or -0 may mean something else, such as octal digits or a float. */
    static boolean isInteger(String text) {
        int digits = text.startsWith("-") ? 1 : 0;
        boolean isWritten = text.length() > digits && text.chars().skip(digits).allMatch(c -> c >= '0' && c <= '9');
        return isWritten && (text.charAt(digits) != '0' || text.length() == 1);
    }

    /** Refuses what is not an integer with BAD_REQUEST, and what is beyond 64 bits with OUT_OF_RANGE. */
    static long parse(String name, String text) {
        if (!isInteger(text)) {
            throw notAnInteger(name, text);
        }
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw new Refusal(Problem.badOption(
                    ErrorCode.OUT_OF_RANGE, name, name + " is beyond 64 bits: " + name + "=" + shown(text)));
        }
    }

    static long parse(String name, String text, long least, long greatest) {
        long value = parse(name, text);
        if (value < least || value > greatest) {
            throw new Refusal(Problem.badOption(
                    ErrorCode.OUT_OF_RANGE,
                    name,
                    name + " must be from " + least + " to " + greatest + ": " + name + "=" + value));
        }
        return value;
    }

    static Refusal notAnInteger(String name, String text) {
        return new Refusal(Problem.badOption(
                ErrorCode.BAD_REQUEST,
                name,
                name + " must be an integer or its decimal digits as a text: " + name + "=" + shown(text)));
    }

    /** What a caller sent, short enough to be sent back. */
    static String shown(String text) {
        return text.length() <= SHOWN
                ? text
                : text.substring(0, text.offsetByCodePoints(0, 20)) + "… (" + text.length() + " characters)";
    }
}
