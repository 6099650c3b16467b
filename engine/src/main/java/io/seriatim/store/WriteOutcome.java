package io.seriatim.store;

import java.util.Optional;

/**
 * What became of a conditional write. The third answer is the one that matters: after {@link Unknown} the
 * write may have landed, may land later, or never. A read can prove that it landed (own
 * {@link WriterMark} found), never the contrary; the contrary is proved by a later write over the same
 * revision that is {@link Applied}.
 */
public sealed interface WriteOutcome {

    /** All rows are durable. */
    record Applied() implements WriteOutcome {}

    /** Nothing was written; the rows that stand in the way, as far as the change named them. */
    record Refused(
            Optional<DefinitionRow> definition, Optional<CounterRow> counter, Optional<IdempotencyRow> idempotency)
            implements WriteOutcome {}

    /** Applied or not; nobody can say yet. */
    record Unknown(Throwable cause) implements WriteOutcome {}
}
