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

    /**
     * Nothing was written. Holds the present row for each definition, counter and idempotency key that the
     * change named, whether or not that row was the one in the way; empty where there is none. A ledger row in
     * the way is not repeated here.
     */
    record Refused(
            Optional<DefinitionRow> definition, Optional<CounterRow> counter, Optional<IdempotencyRow> idempotency)
            implements WriteOutcome {}

    /** Applied or not; nobody can say yet. */
    record Unknown(Throwable cause) implements WriteOutcome {}
}
