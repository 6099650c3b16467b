package io.seriatim;

import io.seriatim.store.WriterMark;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Names a reservation: its value, and the write that made it. So a value that is reserved again gets another name, and
 * whoever has the first one cannot end the second.
 */
record ReservationId(long value, WriterMark mark) {

    private static final Pattern TEXT = Pattern.compile("(-?[0-9]{1,19})\\.([0-9a-f]{16}\\.[0-9]{1,19})");

    /** {@code 17.4fd1a20c99b1e7d3.12}. */
    String text() {
        return value + "." + text(mark);
    }

    static String text(WriterMark mark) {
        return Holders.nodeOf(mark.writer()) + "." + mark.write();
    }

    static WriterMark mark(String text) {
        int dot = text.indexOf('.');
        return new WriterMark(
                Long.parseUnsignedLong(text.substring(0, dot), 16), Long.parseLong(text.substring(dot + 1)));
    }

    /** Nothing if no reservation is named so. */
    static Optional<ReservationId> parse(String text) {
        Matcher parts = TEXT.matcher(text);
        if (!parts.matches()) {
            return Optional.empty();
        }
        try {
            return Optional.of(new ReservationId(Long.parseLong(parts.group(1)), mark(parts.group(2))))
                    .filter(id -> id.text().equals(text));
        } catch (NumberFormatException tooGreat) {
            return Optional.empty();
        }
    }
}
