package io.seriatim;

import java.util.OptionalDouble;

/**
 * Says that few values of a counter are left: no more than {@link SequenceDefinition#warnAt}.
 *
 * @param sequence its name
 * @param scope scope values of the counter in their normal form; empty for none
 * @param period period key of the counter; empty for none
 * @param remaining how many values are left; 0 when it is exhausted
 * @param warnAt how many may be left before it is warned
 * @param daysLeft as {@link SequenceState#daysLeft()}
 */
public record Warning(
        String sequence, String scope, String period, long remaining, long warnAt, OptionalDouble daysLeft) {}
