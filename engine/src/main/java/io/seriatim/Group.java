package io.seriatim;

import io.seriatim.store.IdempotencyRow;
import io.seriatim.store.WriterMark;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Shares out the values of one write among the calls that wait for it, in their order.
 *
 * @param wishes of which at most one has a key
 * @param answer the answer kept for that one earlier, if it turned out that there is one
 */
record Group(List<Wish> wishes, Optional<IdempotencyRow> answer) implements CounterWriter.Plan<List<Group.Share>> {

    /**
     * What one call wants.
     *
     * @param request the request, if it has a key
     */
    record Wish(long count, Shape shape, Optional<Request> request) {}

    /** What one call gets. */
    sealed interface Share {}

    /** @param passedOver values before a wrap, too few for a call that wants its values in one run */
    record Given(Draw draw, long passedOver) implements Share {}

    record Denied(SequenceException reason) implements Share {}

    @Override
    public Group answered(IdempotencyRow present) {
        return new Group(wishes, Optional.of(present));
    }

    /** A call for which too little is left gets nothing and moves nothing; a smaller one behind it may be served. */
    @Override
    public Optional<CounterWriter.Planned<List<Share>>> from(Stored stored) {
        Position at = stored.position();
        List<Share> shares = new ArrayList<>(wishes.size());
        Optional<Function<WriterMark, IdempotencyRow>> keep = Optional.empty();
        for (Wish wish : wishes) {
            if (wish.request().isPresent() && answer.isPresent()) {
                shares.add(repeated(wish.request().get(), answer.get()));
                continue;
            }
            Progression progression = stored.definition().progression();
            Optional<SequenceException> impossible = impossible(stored.row().name(), wish, progression);
            if (impossible.isPresent()) {
                shares.add(new Denied(impossible.get()));
                continue;
            }
            List<Run> runs = runs(wish, progression, at);
            if (runs.isEmpty()) {
                shares.add(new Denied(stored.exhausted()));
            } else {
                Given given = given(wish, runs);
                shares.add(given);
                at = runs.get(runs.size() - 1).end();
                if (wish.request().isPresent()) {
                    Request request = wish.request().get();
                    keep = Optional.of(mark -> request.answered(given.draw(), mark));
                }
            }
        }
        boolean nothing = shares.stream()
                .allMatch(share ->
                        share instanceof Denied denied && denied.reason() instanceof SequenceExhaustedException);
        return nothing
                ? Optional.empty()
                : Optional.of(new CounterWriter.Planned<>(shares, at, Optional.empty(), keep));
    }

    private static Share repeated(Request request, IdempotencyRow answer) {
        try {
            return new Given(request.answerIn(answer), 0);
        } catch (SequenceException e) {
            return new Denied(e);
        }
    }

    /** Was asked before the call was let in, but the sequence may have been changed since. */
    private static Optional<SequenceException> impossible(String name, Wish wish, Progression progression) {
        try {
            wish.shape().requirePossible(name, progression, wish.count());
            return Optional.empty();
        } catch (BadDefinitionException e) {
            return Optional.of(e);
        }
    }

    /** The runs that a call uses up; empty if that is not enough for it. */
    private static List<Run> runs(Wish wish, Progression progression, Position at) {
        return switch (wish.shape()) {
            case ACROSS_WRAPS -> {
                List<Run> runs = progression.runs(at, wish.count(), wish.count());
                long count = runs.stream().mapToLong(run -> run.block().count()).sum();
                yield count == wish.count() ? runs : List.of();
            }
            case CONTIGUOUS -> {
                Optional<Run> first = progression.after(at, wish.count());
                if (first.isEmpty() || isEnough(wish, first.get())) {
                    yield first.stream().toList();
                }
                Optional<Run> behindWrap = progression.after(first.get().end(), wish.count());
                yield behindWrap.filter(run -> isEnough(wish, run)).stream()
                        .flatMap(run -> List.of(first.get(), run).stream())
                        .toList();
            }
            case CONTIGUOUS_OR_SHORTER ->
                progression.after(at, wish.count()).stream().toList();
        };
    }

    private static boolean isEnough(Wish wish, Run run) {
        return run.block().count() == wish.count();
    }

    private static Given given(Wish wish, List<Run> runs) {
        boolean restPassedOver = wish.shape() == Shape.CONTIGUOUS && runs.size() > 1;
        return restPassedOver
                ? new Given(Draw.of(runs.subList(1, 2)), runs.get(0).block().count())
                : new Given(Draw.of(runs), 0);
    }
}
