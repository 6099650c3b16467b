package io.seriatim.eventlog.application;

import io.seriatim.store.EventLogStore;
import io.seriatim.store.LogOutcome;
import io.seriatim.store.StoreException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Supplier;

/** A store whose n-th call, counted over all partitions, is the one at which something happens. For one thread. */
final class TroubledStore extends ForwardingStore {

    /** What happens. */
    enum Trouble {
        /** The process ends before the call. */
        STOPPED_BEFORE,
        /** The process ends after the call was served and before its answer comes. */
        STOPPED_BEHIND,
        /** A write is applied, its answer lost. */
        ANSWER_LOST,
        /** A write and its answer are lost. */
        WRITE_LOST,
        /** A write has no answer, and comes through later, unless the epoch is another one by then. */
        WRITE_LATE,
        /** The call fails and nothing was done. */
        FAILED,
        /** From this call on all writes fail, until the process is started anew. */
        OUT_OF_SPACE,
        /** The call throws what no store should throw. */
        BROKEN;

        boolean ends() {
            return this == STOPPED_BEFORE || this == STOPPED_BEHIND;
        }
    }

    /** The process is no more. */
    static final class Ended extends Error {
        private static final long serialVersionUID = 1;
    }

    private final Trouble trouble;
    private final int at;
    private final Deque<Supplier<LogOutcome>> late = new ArrayDeque<>();
    private int calls;

    /** @param at counts the calls from 1 */
    TroubledStore(EventLogStore store, Trouble trouble, int at) {
        super(store);
        this.trouble = trouble;
        this.at = at;
    }

    /** One without trouble. */
    TroubledStore(EventLogStore store) {
        this(store, Trouble.FAILED, Integer.MAX_VALUE);
    }

    boolean wasReached() {
        return calls >= at;
    }

    /** Whether the process is no more. */
    boolean hasEnded() {
        return wasReached() && trouble.ends();
    }

    /** Lets writes come through that are on their way. */
    void land() {
        for (Supplier<LogOutcome> each = late.poll(); each != null; each = late.poll()) {
            LogOutcome unused = each.get();
        }
    }

    @Override
    <T> T call(Call call, Supplier<T> work) {
        if (hasEnded()) {
            throw new Ended();
        }
        calls++;
        if (calls == at) {
            switch (trouble) {
                case STOPPED_BEFORE -> throw new Ended();
                case FAILED -> throw failed();
                case BROKEN -> throw new IllegalStateException("call " + at + " is broken");
                default -> {}
            }
        }
        T answer = work.get();
        if (hasEnded()) {
            throw new Ended();
        }
        return answer;
    }

    @Override
    LogOutcome write(Call call, Supplier<LogOutcome> work) {
        boolean isNow = calls + 1 == at;
        if (isNow && trouble == Trouble.WRITE_LOST) {
            calls++;
            return unknown();
        }
        if (isNow && trouble == Trouble.WRITE_LATE) {
            calls++;
            if (call != Call.WRITE_NUMBERS) { // its rows are used again
                late.add(work);
            }
            return unknown();
        }
        if (calls + 1 >= at && trouble == Trouble.OUT_OF_SPACE) {
            calls++;
            throw failed();
        }
        LogOutcome outcome = call(call, work);
        return isNow && trouble == Trouble.ANSWER_LOST && outcome instanceof LogOutcome.Applied ? unknown() : outcome;
    }

    private StoreException failed() {
        return new StoreException(StoreException.Kind.UNAVAILABLE, "call " + calls + " fails");
    }

    private static LogOutcome unknown() {
        return new LogOutcome.Unknown(new Exception("the answer is lost"));
    }
}
