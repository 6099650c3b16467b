package io.seriatim;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A run of values being handed out, one ticket each.
 *
 * <p>Safe for use by many threads.
 */
final class OpenBlock extends OpenBlockCursor {

    /*
     * Tickets, not values. A caller adds one to the cursor and gets a ticket; ticket t of a block stands for
     * first + t * increment, if t is less than count. One atomic add is all that callers contend for, it
     * orders them, and it cannot overshoot a limit: a ticket beyond the block stands for nothing.
     *
     * Everything but the cursor is final, so a ticket's value depends on nothing that may change between the
     * add and the multiplication. A block is never extended, only replaced, and only
     *   - after its cursor has passed the end, so that no value of it can still come out behind a value of
     *     its successor; or
     *   - after fence(), one large add that tells exactly how many tickets were valid and makes every later
     *     one void.
     * So values of one process come in strict order: who begins after a value was returned gets a later one.
     *
     * The hot path compares its ticket with softCount alone. That is less than count while the next block
     * should be fetched, and is raised to count once someone has seen to it; then the last part of the block
     * is as fast as the first. It is a plain field, for a stale value costs a slow path and nothing else.
     *
     * Layout: the cursor has its cache line, and the neighbour that the prefetcher drags along, to itself;
     * the fields read by every caller are on a line that is never written except by that one hint.
     *
     * The cursor cannot overflow. A fence adds 2^61 and happens once, because a fenced block is replaced. Calls
     * that fail add one each, and no call adds more than the block holds. NONE, which all sequences share and
     * which is taken in hand again and again, is never fenced: its tickets are void anyway. (It was, once; after
     * four alters of idle sequences its cursor had wrapped round, and void tickets looked valid.)
     */

    private static final long FENCE = 1L << 61;

    /** No values: what a sequence has before its first block and while its blocks are being rearranged. */
    static final OpenBlock NONE = new OpenBlock();

    private final long first;
    private final long increment;
    private final long count;
    private final @Nullable Run run;

    private long softCount;

    private OpenBlock() {
        run = null;
        first = 0;
        increment = 1;
        count = 0;
        softCount = 0;
    }

    /**
     * @param refillAt the first ticket whose caller should see to the next block
     */
    OpenBlock(Run run, long refillAt) {
        this.run = run;
        this.first = run.block().first();
        this.increment = run.block().increment();
        this.count = run.block().count();
        this.softCount = Math.min(refillAt, count);
    }

    /** Draws {@code n} tickets and returns the first; each stands for a value if it is less than {@link #count()}. */
    long take(long n) {
        return (long) CURSOR.getAndAdd(this, n);
    }

    /** Draws {@code n} tickets that all stand for values, and returns the first; or none. */
    OptionalLong tryTake(long n) {
        for (; ; ) {
            long cursor = (long) CURSOR.getVolatile(this);
            if (n > count - cursor) {
                return OptionalLong.empty();
            }
            if (CURSOR.compareAndSet(this, cursor, cursor + n)) {
                return OptionalLong.of(cursor);
            }
        }
    }

    long valueAt(long ticket) {
        return first + ticket * increment;
    }

    /** The values of {@code n} valid tickets. */
    Block block(long ticket, long n) {
        return new Block(valueAt(ticket), increment, n);
    }

    /** Values of this block, with the place from which they come. */
    Draw draw(Block values) {
        Run whole = run();
        return new Draw(whole.generation(), whole.round(), List.of(values));
    }

    /** Makes the last tickets drawn void again; refuses if they are not the last, or not of this block. */
    boolean tryGiveBack(Draw rest) {
        Block values = rest.blocks().get(0);
        long cursor = (long) CURSOR.getVolatile(this);
        long ticket = cursor - values.count();
        return !isNone()
                && rest.blocks().size() == 1
                && cursor <= count
                && ticket >= 0
                && rest.generation() == run().generation()
                && rest.round() == run().round()
                && valueAt(ticket) == values.first()
                && CURSOR.compareAndSet(this, cursor, ticket);
    }

    long count() {
        return count;
    }

    long softCount() {
        return softCount;
    }

    boolean isNone() {
        return run == null;
    }

    /** The run of this block; not to be asked of {@link #NONE}. */
    Run run() {
        if (run == null) {
            throw new IllegalStateException("no block is open");
        }
        return run;
    }

    /** The next block has been seen to: the rest of this one needs no second look. */
    void refillSeenTo() {
        softCount = count;
    }

    /** How many tickets have been valid so far. */
    long taken() {
        return Math.min((long) CURSOR.getVolatile(this), count);
    }

    /** Ends this block at once: returns how many tickets were valid; every later one is void. */
    long fence() {
        return isNone() ? 0 : Math.min((long) CURSOR.getAndAdd(this, FENCE), count);
    }

    private static final VarHandle CURSOR;

    static {
        try {
            CURSOR = MethodHandles.lookup().findVarHandle(OpenBlockCursor.class, "cursor", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }
}

/** Keeps the line before the cursor free. */
@SuppressWarnings("unused")
class OpenBlockPadding {
    private long p00, p01, p02, p03, p04, p05, p06, p07;
    private long p08, p09, p10, p11, p12, p13, p14, p15;
}

/** The contended word. */
class OpenBlockCursorWord extends OpenBlockPadding {
    @SuppressWarnings("unused")
    volatile long cursor;
}

/** Keeps the line behind the cursor free. */
@SuppressWarnings("unused")
class OpenBlockCursor extends OpenBlockCursorWord {
    private long q00, q01, q02, q03, q04, q05, q06, q07;
    private long q08, q09, q10, q11, q12, q13, q14, q15;
}
