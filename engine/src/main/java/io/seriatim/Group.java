package io.seriatim;

import io.seriatim.store.IdempotencyRow;
import io.seriatim.store.WriterMark;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Shares out the values of one write among the calls that wait for it, in their order.
 *
 * @param wishes of which at most one has a key
 * @param answer the answer kept for that one earlier, if it turned out that there is one
 * @param due which open reservations have expired
 */
record Group(List<Wish> wishes, Optional<IdempotencyRow> answer, Function<Account, Set<ReservationId>> due)
        implements CounterWriter.Plan<List<Group.Share>> {

    /** What one call wants. */
    sealed interface Wish {

        /** The request, if it has a key. */
        default Optional<Request> request() {
            return Optional.empty();
        }

        /** The generation of the definition that prints what the call gets; {@link Supply#ANY_DEFINITION} if none was said. */
        default long definition() {
            return Supply.ANY_DEFINITION;
        }
    }

    /** Values for good. */
    record Take(long count, Shape shape, Optional<Request> request, long definition) implements Wish {}

    /** One value, held. */
    record Reserve(String note, Optional<Request> request, long definition) implements Wish {}

    /** The end of a reservation, by somebody. */
    record End(ReservationId id, boolean confirmed, Author author) implements Wish {}

    /** Nothing but that what is due expires. */
    record Expire() implements Wish {}

    /** A period is to be the latest of its scope. */
    record Rise(String period) implements Wish {}

    /** The period before the latest is over. */
    record Settle(String left) implements Wish {}

    /** A later period has begun: nothing more is given. */
    record Leave() implements Wish {}

    /** What one call gets. */
    sealed interface Share {}

    /** How the periods of a scope stand after the write. */
    record Stand(Account.Periods periods) implements Share {}

    /** @param passedOver values before a wrap, too few for a call that wants its values in one run */
    record Given(Draw draw, long passedOver) implements Share {}

    /** A reservation as it is after the write. */
    record Reserved(Reservation reservation) implements Share {}

    /** A reservation that is no longer open, or was named by an answer kept earlier: the ledger knows what it is. */
    record Elsewhere(ReservationId id) implements Share {}

    /** Nothing before another reservation has ended. */
    record Later() implements Share {}

    record Denied(SequenceException reason) implements Share {}

    @Override
    public Group answered(IdempotencyRow present) {
        return new Group(wishes, Optional.of(present), due);
    }

    /** A call for which too little is left gets nothing and moves nothing; a smaller one behind it may be served. */
    @Override
    public Optional<CounterWriter.Planned<List<Share>>> from(Stored stored, Posting posting) {
        Counting counting = stored.definition().contract() == Contract.GAPLESS
                ? new GaplessCounting(stored, posting)
                : new OrderedCounting(stored, posting);
        counting.expire(due.apply(posting.account()));
        List<Share> shares = new ArrayList<>(wishes.size());
        Optional<Function<WriterMark, IdempotencyRow>> keep = Optional.empty();
        for (Wish wish : wishes) {
            if (wish.request().isPresent() && answer.isPresent()) {
                shares.add(repeated(wish.request().get(), answer.get()));
                continue;
            }
            Share share = counting.share(wish);
            shares.add(share);
            if (wish.request().isPresent()) {
                keep = kept(wish.request().get(), share, counting.position());
            }
        }
        counting.finish();
        boolean nothing = posting.rows().isEmpty()
                && shares.stream()
                        .allMatch(share -> share instanceof Denied denied
                                && denied.reason() instanceof SequenceExhaustedException);
        return nothing
                ? Optional.empty()
                : Optional.of(new CounterWriter.Planned<>(shares, counting.position(), Optional.empty(), keep));
    }

    private static Optional<Function<WriterMark, IdempotencyRow>> kept(Request request, Share share, Position at) {
        if (share instanceof Given given) {
            return Optional.of(mark -> request.answered(given.draw(), mark));
        }
        if (share instanceof Reserved reserved) {
            Block value = new Block(reserved.reservation().value(), 1, 1);
            Draw draw = new Draw(at.generation(), at.round(), List.of(value));
            return Optional.of(mark -> request.answered(draw, mark));
        }
        return Optional.empty();
    }

    private static Share repeated(Request request, IdempotencyRow answer) {
        try {
            Draw draw = request.answerIn(answer);
            return request.shape() == Shape.RESERVED
                    ? new Elsewhere(new ReservationId(draw.blocks().get(0).first(), answer.mark()))
                    : new Given(draw, 0);
        } catch (SequenceException e) {
            return new Denied(e);
        }
    }
}
