package io.seriatim.numbering;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The instant or business date of a call with its scope values: decides which counter is asked and everything that
 * is printed but the value. Immutable, safe for use by many threads, good for any number of values.
 */
public final class Occasion {

    /*
     * All that does not depend on the value is text already when an occasion is made: what stands before the counter
     * and what stands behind it. Printing copies the two and writes digits between them; check characters, which
     * depend on the value, are written over their places at the end, and go on from what stands before the value.
     *
     * A String allocates nothing but itself. The usual number, decimal digits without a check, shares all but two
     * digits with those before it, so its beginning is kept for a hundred values (Hundred). A text with a check, or in
     * another alphabet, is written in a buffer of its thread first, which never leaves this class.
     */

    private static final int USUAL_LENGTH_BYTES = 256;
    private static final ThreadLocal<byte[]> BUFFER = ThreadLocal.withInitial(() -> new byte[USUAL_LENGTH_BYTES]);

    private final Layout layout;
    private final Period period;
    private final Moment moment;
    private final Map<String, String> scopes;
    private final String scopeKey;
    private final Field.Counter counter;
    private final byte[] before;
    private final byte[] after;
    private final boolean ascii;
    private final Field.@Nullable Check check;
    /** Where the check characters stand in {@code before}, or else in {@code after}. */
    private final int checkAt;

    private final boolean checkIsBefore;
    /** What the check method knows when the value begins. */
    private final long checkState;
    /** Whether it is printed by hundreds. */
    private final boolean usual;

    private final Hundred likely = Hundred.mine();

    /** Of scope values in their normal form and a moment that the layout can print. */
    Occasion(Layout layout, Moment moment, Map<String, String> scopes) {
        this.layout = layout;
        this.period = layout.periods().periodOf(moment.date());
        this.moment = moment;
        this.scopes = Collections.unmodifiableMap(new TreeMap<>(scopes));
        this.scopeKey = ScopeKey.of(new TreeMap<>(scopes));
        this.counter = layout.counter();
        this.check = layout.check().orElse(null);
        int counterIndex = layout.fields().indexOf(counter);
        int checkIndex = check == null ? -1 : layout.fields().indexOf(check);
        this.before = textOf(0, counterIndex);
        this.after = textOf(counterIndex + 1, layout.fields().size());
        this.checkIsBefore = checkIndex < counterIndex;
        this.checkAt = check == null ? 0 : textOf(checkIsBefore ? 0 : counterIndex + 1, checkIndex).length;
        this.checkState = check == null ? 0 : checkStateAtTheCounter(check);
        this.ascii = isAscii(before) && isAscii(after);
        this.usual = counter.alphabet() == Alphabet.DEC && check == null;
    }

    private byte[] textOf(int from, int to) {
        StringBuilder text = new StringBuilder();
        for (Field field : layout.fields().subList(from, to)) {
            if (field instanceof Field.Literal literal) {
                text.appendCodePoint(literal.codePoint());
            } else if (field instanceof Field.Dated dated) {
                dated.part().append(text, dated.part().valueOf(moment, layout.periods()));
            } else if (field instanceof Field.Scoped scoped) {
                text.append(scopes.get(scoped.name()));
            } else if (field instanceof Field.Check place) {
                text.append("0".repeat(place.method().length()));
            }
        }
        return text.toString().getBytes(UTF_8);
    }

    private static boolean isAscii(byte[] text) {
        for (byte b : text) {
            if (b < 0) {
                return false;
            }
        }
        return true;
    }

    /** The period whose counter is asked. */
    public Period period() {
        return period;
    }

    /** The scope values in their normal form, by name. */
    public Map<String, String> scopes() {
        return scopes;
    }

    /** The scope values as one text, which names the counter together with the period's key; empty for none. */
    public String scopeKey() {
        return scopeKey;
    }

    Moment moment() {
        return moment;
    }

    /**
     * The number of a value.
     *
     * @param value from {@link NumberFormat#least()} to {@link NumberFormat#greatest()}
     */
    public String number(long value) {
        if (usual) {
            Hundred hundred = hundredOf(value);
            if (hundred.holds(before, value)) {
                return hundred.text(value);
            }
        }
        byte[] buffer = BUFFER.get();
        if (buffer.length < lengthBytes(value)) {
            buffer = new byte[lengthBytes(value)];
        }
        int length = print(value, buffer, 0);
        return new String(buffer, 0, length, ascii ? ISO_8859_1 : UTF_8);
    }

    /** How many bytes the number of a value has in UTF-8. */
    public int lengthBytes(long value) {
        return before.length + counter.length(requireGood(value)) + after.length;
    }

    /**
     * Writes the number of a value in UTF-8 and allocates nothing.
     *
     * @param value as for {@link #number}
     * @param from where in {@code target} the number begins; there must be room for {@link #lengthBytes} bytes
     * @return how many bytes were written
     */
    public int print(long value, byte[] target, int from) {
        if (usual) {
            Hundred hundred = hundredOf(value);
            if (hundred.holds(before, value) && from >= 0 && target.length - from >= hundred.lengthBytes()) {
                hundred.write(value, target, from);
                return hundred.lengthBytes();
            }
        }
        int counterLength = counter.length(requireGood(value));
        int counterAt = from + before.length;
        int afterAt = counterAt + counterLength;
        int end = afterAt + after.length;
        if (from < 0 || end > target.length) {
            throw new IndexOutOfBoundsException("the number must fit the buffer: from=" + from + " bytes="
                    + (end - from) + " buffer=" + target.length);
        }
        System.arraycopy(before, 0, target, from, before.length);
        counter.alphabet().write(value, target, counterAt, counterLength);
        System.arraycopy(after, 0, target, afterAt, after.length);
        if (check != null) {
            writeCheck(check, target, from, counterAt, afterAt, end);
        }
        return end - from;
    }

    private Hundred hundredOf(long value) {
        Hundred hundred = Hundred.mine(likely);
        if (!hundred.holds(before, value)) {
            hundred.turnTo(
                    before, after, ascii, counter.width(), requireGood(value), layout.least(), layout.greatest());
        }
        return hundred;
    }

    private long requireGood(long value) {
        if (value < layout.least() || value > layout.greatest()) {
            throw new IllegalArgumentException("a value must be from " + layout.least() + " to " + layout.greatest()
                    + " to be printed: value=" + value);
        }
        return value;
    }

    private long checkStateAtTheCounter(Field.Check check) {
        CheckMethod method = check.method();
        boolean digitsOnly = check.payload() == Field.Payload.DIGITS;
        if (check.payload() == Field.Payload.SEQ) {
            return method.initial();
        }
        if (!checkIsBefore) {
            return over(method, method.initial(), before, 0, before.length, digitsOnly);
        }
        // ISO 11649 counts its RF, which is all that stands before the check, at the end.
        int first = method == CheckMethod.ISO11649 ? checkAt : 0;
        long state = over(method, method.initial(), before, first, checkAt, digitsOnly);
        return over(method, state, before, checkAt + method.length(), before.length, digitsOnly);
    }

    private void writeCheck(Field.Check check, byte[] target, int from, int counterAt, int afterAt, int end) {
        CheckMethod method = check.method();
        boolean digitsOnly = check.payload() == Field.Payload.DIGITS;
        int place = checkIsBefore ? from + checkAt : afterAt + checkAt;
        long state = over(method, checkState, target, counterAt, afterAt, digitsOnly);
        if (check.payload() != Field.Payload.SEQ && checkIsBefore) {
            state = over(method, state, target, afterAt, end, digitsOnly);
        } else if (check.payload() != Field.Payload.SEQ) {
            state = over(method, state, target, afterAt, place, digitsOnly);
            state = over(method, state, target, place + method.length(), end, digitsOnly);
        }
        method.write(state, target, place);
    }

    private static long over(CheckMethod method, long state, byte[] text, int from, int to, boolean digitsOnly) {
        long next = state;
        for (int i = from; i < to; i++) {
            int symbol = CheckMethod.symbolOf(text[i]);
            if (symbol >= 0 && !(digitsOnly && symbol > 9)) {
                next = method.next(next, symbol);
            }
        }
        return next;
    }

    @Override
    public String toString() {
        return "period=" + period.key() + " scopes=" + scopes;
    }
}
