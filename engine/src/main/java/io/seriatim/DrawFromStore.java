package io.seriatim;

import java.util.List;

/** Takes many values at once, out of memory first and then from the store; all or nothing. */
final class DrawFromStore implements ExclusiveOperation<Draw> {

    private final String name;
    private final CounterWriter writer;
    private final long count;
    private final Shape shape;
    private final long blockSize;
    private final Skipped skipped;
    private List<Run> everything = List.of();
    private long passedOver;

    /**
     * @param blockSize least number of values worth a write
     * @param skipped counts the values passed over
     */
    DrawFromStore(String name, CounterWriter writer, long count, Shape shape, long blockSize, Skipped skipped) {
        this.name = name;
        this.writer = writer;
        this.count = count;
        this.shape = shape;
        this.blockSize = blockSize;
        this.skipped = skipped;
    }

    @Override
    public Outcome<Draw> run(Held held) {
        Gathering gathering = new Gathering(held.runs(), count, shape);
        Stored now = held.stored();
        try {
            while (!gathering.isComplete()) {
                shape.requirePossible(name, now.definition().progression(), count); // others may have changed it
                long missing = gathering.missing();
                long least = shape == Shape.ACROSS_WRAPS ? missing : 1;
                CounterWriter.Claim<List<Run>> claim =
                        writer.claim(now, CounterWriter.runs(least, Math.max(missing, blockSize)));
                if (claim.stored().counter().generation() != now.counter().generation()) {
                    skipped.add(new Held(now, held.position(), gathering.everything())
                            .count()); // of a generation that is over
                    gathering = new Gathering(List.of(), count, shape);
                }
                now = claim.stored();
                gathering.add(claim.values());
            }
        } catch (SequenceException e) {
            if (!(e instanceof SequenceExhaustedException) || !gathering.mayBeShorter()) {
                return Outcome.failed(new Held(now, held.position(), gathering.everything()), e);
            }
            gathering.settleForLess();
        }
        everything = gathering.everything();
        passedOver = gathering.skipped();
        skipped.add(passedOver);
        List<Run> taken = gathering.taken();
        Run last = taken.get(taken.size() - 1);
        return Outcome.answered(new Held(now, last.end(), gathering.left()), Draw.of(taken));
    }

    @Override
    public Outcome<Draw> undone(Outcome<Draw> outcome) {
        if (outcome.failure().isPresent()) {
            return outcome;
        }
        skipped.add(-passedOver);
        Held left = new Held(outcome.left().stored(), everything.get(0).before(), everything);
        return new Outcome<>(left, outcome.answer(), outcome.failure(), false);
    }
}
