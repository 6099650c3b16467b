package io.seriatim;

import java.math.BigInteger;
import java.time.Instant;
import java.util.Optional;
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
        Instant created,
        Instant modified) {}
