package io.seriatim.store;

import java.util.Arrays;

/**
 * An event of a partition's log.
 *
 * @param offset PLog offset, from 1 on
 * @param epoch of the owner that wrote it
 * @param header what a replay needs of it
 * @param body what it says, for whoever wrote it; at most {@link #MAX_BODY_BYTES}. Not copied: whoever makes an event or
 *     reads one must not change it
 */
@SuppressWarnings("ArrayRecordComponent") // not copied, and compared by what they hold
public record LogEvent(long offset, long epoch, EventHeader header, byte[] body) implements LogRow {

    public static final int MAX_BODY_BYTES = 16 << 20;

    public LogEvent {
        if (offset < 1 || epoch < 1) {
            throw new IllegalArgumentException("offset and epoch start at 1: offset=" + offset + " epoch=" + epoch);
        }
        if (body.length > MAX_BODY_BYTES) {
            throw new IllegalArgumentException(
                    "a body has at most " + MAX_BODY_BYTES + " bytes: length=" + body.length);
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof LogEvent that
                && offset == that.offset
                && epoch == that.epoch
                && header.equals(that.header)
                && Arrays.equals(body, that.body);
    }

    @Override
    public int hashCode() {
        return Long.hashCode(offset) * 31 + header.hashCode();
    }

    @Override
    public String toString() {
        return "LogEvent[offset=" + offset + ", epoch=" + epoch + ", header=" + header + ", body of " + body.length
                + " bytes]";
    }
}
