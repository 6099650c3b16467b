package io.seriatim.numbering;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

/** Up to a hundred numbers in decimal digits, whose texts differ in the last two digits alone. Used by one thread. */
final class Hundred {

    /*
     * Numbers are printed one after another, and the next one nearly always looks as the last did but for two digits. So
     * each thread keeps the last text, and changes these in it; nothing is divided and no length is counted, and nothing is
     * allocated either. A thread that prints another hundred writes its text anew.
     *
     * Whose text it is, the text before the digits says: each occasion has one of its own, so it is compared as an object.
     *
     * To look up what belongs to the present thread costs as much as printing. So an occasion remembers that of the thread
     * that made it, and only other threads look theirs up.
     */

    private static final int USUAL_LENGTH_BYTES = 256;
    private static final ThreadLocal<Hundred> MINE = ThreadLocal.withInitial(Hundred::new);
    private static final byte[] NOBODY = new byte[0];
    private static final long NONE = -1;

    private final Thread thread = Thread.currentThread();
    private byte[] owner = NOBODY;
    private long least;
    private long greatest = NONE;
    private long first;
    private byte[] text = new byte[USUAL_LENGTH_BYTES];
    private int lengthBytes;
    private int tensAt;
    private boolean ascii;

    private Hundred() {}

    /** That of the present thread. */
    static Hundred mine() {
        return MINE.get();
    }

    /** The same, from one that is likely to be it. */
    static Hundred mine(Hundred likely) {
        return likely.thread == Thread.currentThread() ? likely : mine();
    }

    boolean holds(byte[] before, long value) {
        return owner == before && least <= value && value <= greatest;
    }

    /**
     * Becomes the hundred of a value. It does not hold a value of one digit.
     *
     * @param before what stands before the digits, in UTF-8
     * @param after what stands behind them
     * @param ascii whether both are ASCII
     * @param width the least number of digits
     * @param value from {@code leastGood} to {@code greatestGood}
     * @param leastGood the least value that may be printed, not negative
     * @param greatestGood the greatest value that may be printed
     */
    void turnTo(byte[] before, byte[] after, boolean ascii, int width, long value, long leastGood, long greatestGood) {
        int digits = Math.max(width, Alphabet.DEC.length(value));
        owner = before;
        first = value - value % 100;
        least = Math.max(leastGood, width < 2 ? Math.max(10, first) : first);
        greatest = digits < 2 ? NONE : first + Math.min(99, greatestGood - first);
        lengthBytes = before.length + digits + after.length;
        tensAt = before.length + digits - 2;
        if (text.length < lengthBytes) {
            text = new byte[lengthBytes];
        }
        System.arraycopy(before, 0, text, 0, before.length);
        Alphabet.DEC.write(value, text, before.length, digits);
        System.arraycopy(after, 0, text, before.length + digits, after.length);
        this.ascii = ascii;
    }

    int lengthBytes() {
        return lengthBytes;
    }

    String text(long value) {
        writeDigits(value, text, tensAt);
        return new String(text, 0, lengthBytes, ascii ? ISO_8859_1 : UTF_8);
    }

    /** Writes the text of a value into a buffer that has room for it. */
    void write(long value, byte[] target, int from) {
        System.arraycopy(text, 0, target, from, lengthBytes);
        writeDigits(value, target, from + tensAt);
    }

    private void writeDigits(long value, byte[] target, int at) {
        int rest = (int) (value - first);
        int tens = rest / 10;
        target[at] = (byte) ('0' + tens);
        target[at + 1] = (byte) ('0' + rest - 10 * tens);
    }
}
