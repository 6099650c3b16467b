package io.seriatim.eventlog;

import io.seriatim.store.LogOutcome;
import io.seriatim.store.PartitionStore;
import io.seriatim.store.StoreException;
import java.util.function.Supplier;

/** A partition whose n-th call is the one at which something happens. For one thread. */
final class StoppingPartition extends ForwardingPartition {

    /** What happens. */
    enum Trouble {
        /** The process ends before the call. */
        STOPPED_BEFORE,
        /** The process ends after the call was served and before its answer comes. */
        STOPPED_BEHIND,
        /** A write is applied, its answer lost; the process lives on. */
        ANSWER_LOST,
        /** A write and its answer are lost; the process lives on. */
        WRITE_LOST,
        /** The call fails and nothing was done; the process lives on. */
        FAILED;

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
    private int calls;

    /** @param at counts the calls from 1 */
    StoppingPartition(PartitionStore store, Trouble trouble, int at) {
        super(store);
        this.trouble = trouble;
        this.at = at;
    }

    /** Whether so many calls came. */
    boolean wasReached() {
        return calls >= at;
    }

    /** Whether the process is no more. */
    boolean hasEnded() {
        return wasReached() && trouble.ends();
    }

    @Override
    <T> T call(Call call, Supplier<T> work) {
        if (hasEnded()) {
            throw new Ended();
        }
        calls++;
        if (calls == at && trouble == Trouble.STOPPED_BEFORE) {
            throw new Ended();
        }
        if (calls == at && trouble == Trouble.FAILED) {
            throw new StoreException(StoreException.Kind.UNAVAILABLE, "call " + at + " fails");
        }
        T answer = work.get();
        if (hasEnded()) {
            throw new Ended();
        }
        return answer;
    }

    @Override
    LogOutcome write(Call call, Supplier<LogOutcome> work) {
        if (calls + 1 == at && trouble == Trouble.WRITE_LOST) {
            calls++;
            return lost();
        }
        LogOutcome outcome = call(call, work);
        return calls == at && trouble == Trouble.ANSWER_LOST && outcome instanceof LogOutcome.Applied
                ? lost()
                : outcome;
    }

    private static LogOutcome lost() {
        return new LogOutcome.Unknown(new Exception("the answer is lost"));
    }
}
