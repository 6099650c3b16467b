package io.seriatim;

import java.math.BigInteger;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * What there is to know of a sequence, seen from this process at one moment.
 *
 * @param definition with every option decided
 * @param lastValue the last value returned by this process or, when it has returned none, the last durably
 *     taken; empty before the first
 * @param highWaterMark the last value durably taken; empty before the first
 * @param generation rises with ALTER, restart and drop
 * @param remaining how many values are left; empty for a sequence that cycles
 * @param daysLeft in how many days of 24 hours nothing is left if it goes on at the present rate: that of the last day
 *     or two, of all nodes, as far as this process has had the counter in memory and unchanged. 0 when nothing is left;
 *     empty in the first minute, while nothing goes, and for a sequence that cycles
 * @param created when it was created
 * @param modified when its definition was last changed, or a node declared gone: when its newest {@link AuditEntry} was
 *     written
 */
public record SequenceState(
        String name,
        SequenceDefinition definition,
        OptionalLong lastValue,
        OptionalLong highWaterMark,
        long generation,
        Optional<BigInteger> remaining,
        OptionalDouble daysLeft,
        Instant created,
        Instant modified) {

    /** How many values may be left before it is warned, if the definition says so. */
    public OptionalLong warnAt() {
        return definition.number(SequenceDefinition.WARN_AT);
    }

    SequenceState withDaysLeft(OptionalDouble days) {
        return new SequenceState(
                name, definition, lastValue, highWaterMark, generation, remaining, days, created, modified);
    }
}
