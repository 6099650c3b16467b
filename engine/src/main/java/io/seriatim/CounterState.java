package io.seriatim;

import java.math.BigInteger;
import java.util.OptionalLong;

/**
 * One of the counters of a sequence with a format, as the store has it.
 *
 * @param scope scope values in their normal form, empty for none
 * @param period period key, empty for none
 * @param highWaterMark the last value durably taken; empty before the first
 * @param remaining how many values are left behind it, with those that come again
 * @param open how many reservations are open
 * @param released how many numbers were given back and come again
 * @param closed whether no number of it is given any more
 * @param entries how many entries its ledger has
 */
public record CounterState(
        String scope,
        String period,
        OptionalLong highWaterMark,
        BigInteger remaining,
        int open,
        int released,
        boolean closed,
        long entries) {

    static CounterState of(Stored stored) {
        Position position = stored.position();
        Account account = stored.account();
        return new CounterState(
                stored.counter().key().scope(),
                stored.counter().key().period(),
                position.fresh() ? OptionalLong.empty() : OptionalLong.of(position.value()),
                stored.remaining(position).orElseThrow(), // a sequence with a format does not cycle
                account.open().size(),
                account.released().size(),
                account.isClosed(),
                account.head().entries());
    }
}
