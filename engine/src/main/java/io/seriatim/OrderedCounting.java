package io.seriatim;

import io.seriatim.LedgerEntry.Facts;
import io.seriatim.LedgerEntry.State;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Contract {@code ordered}: each call takes the values behind those of the call before it. */
final class OrderedCounting extends Counting {

    /** Values of calls without a key, printed by one definition, that have no entry yet: they get one together. */
    private final List<Run> unposted = new ArrayList<>();

    private Facts factsOfUnposted = Facts.NONE;

    OrderedCounting(Stored stored, Posting posting) {
        super(stored, posting);
    }

    @Override
    Group.Share give(Group.Wish wish) {
        return wish instanceof Group.Take take ? take(take) : new Group.Denied(noReservations());
    }

    /** The contract was changed while the call waited. */
    private SequenceException noReservations() {
        return new ReservationException(
                ErrorCode.NOT_FOUND, "sequence " + stored.row().name() + " has no reservations");
    }

    private Group.Share take(Group.Take wish) {
        Progression progression = stored.definition().progression();
        try {
            stored.account().requireNotClosed();
            // was asked before the call was let in, but the sequence may have been changed since
            wish.shape().requirePossible(stored.row().name(), progression, wish.count());
        } catch (NumberRefusedException | BadDefinitionException e) {
            return new Group.Denied(e);
        }
        List<Run> runs = runs(wish, progression);
        if (runs.isEmpty()) {
            return new Group.Denied(stored.exhausted());
        }
        at = runs.get(runs.size() - 1).end();
        post(wish, runs);
        boolean restPassedOver = wish.shape() == Shape.CONTIGUOUS && runs.size() > 1;
        return restPassedOver
                ? new Group.Given(
                        Draw.of(runs.subList(1, 2)), runs.get(0).block().count())
                : new Group.Given(Draw.of(runs), 0);
    }

    /** The runs that a call uses up; empty if that is not enough for it. */
    private List<Run> runs(Group.Take wish, Progression progression) {
        return switch (wish.shape()) {
            case ACROSS_WRAPS, RESERVED -> {
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

    private static boolean isEnough(Group.Take wish, Run run) {
        return run.block().count() == wish.count();
    }

    private void post(Group.Take wish, List<Run> runs) {
        Facts facts = asked(wish);
        if (!facts.equals(factsOfUnposted)) { // a key is of one call, so that one has an entry of its own
            finish();
        }
        factsOfUnposted = facts;
        unposted.addAll(runs);
    }

    /** A sequence with a ledger does not cycle, so what was taken lies in one run. */
    @Override
    void finish() {
        if (!unposted.isEmpty()) {
            long count = unposted.stream().mapToLong(run -> run.block().count()).sum();
            Block first = unposted.get(0).block();
            if (stored.definition().keepsLedger()) {
                posting.take(State.ISSUED, new Block(first.first(), first.increment(), count), factsOfUnposted);
            }
            unposted.clear();
        }
    }
}
