package io.seriatim;

import io.seriatim.LedgerEntry.Facts;
import io.seriatim.LedgerEntry.State;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Contract {@code gapless}: released values come first, and every value that is taken is accounted for. */
final class GaplessCounting extends Counting {

    /*
     * A value is in one place at a time: behind the mark, and then it is open, released, or over. It goes from one
     * place to another only here, and each step changes the account and makes its entry in the same posting, so a write
     * moves it with both or not at all.
     */

    private static final String CANCELLED = Reservation.State.CANCELLED.text();
    private static final String EXPIRED = Reservation.State.EXPIRED.text();

    GaplessCounting(Stored stored, Posting posting) {
        super(stored, posting);
    }

    @Override
    Group.Share give(Group.Wish wish) {
        if (wish instanceof Group.Take take) {
            return take(take);
        }
        if (wish instanceof Group.Reserve reserve) {
            return reserve(reserve);
        }
        return wish instanceof Group.End end ? end(end) : new Group.Later();
    }

    // ---- reservations

    private Group.Share reserve(Group.Reserve wish) {
        posting.account().requireNotClosed();
        if (mustWait()) {
            return new Group.Later();
        }
        requireRoom();
        HandedOut value = handOut();
        Account.Open open = new Account.Open(
                new ReservationId(value.value(), posting.mark()),
                stored.definition().reservationSeconds(),
                posting.at(),
                wish.note());
        posting.change(posting.account().opening(open));
        post(State.RESERVED, value, asked(wish).of(open.id()).noting(open.note()));
        return new Group.Reserved(Reservation.of(open));
    }

    /** A released value only goes from one list to the other. */
    private void requireRoom() {
        Account account = posting.account();
        int held = account.open().size() + account.released().size();
        if (held >= Account.MOST_OPEN
                && released(stored.definition(), account).findAny().isEmpty()) {
            throw new ReservationException(ErrorCode.TOO_MANY, "no further reservation can be held: held=" + held);
        }
    }

    private boolean mustWait() {
        return stored.definition().reservationPolicy() == ReservationPolicy.STRICT
                && !posting.account().open().isEmpty();
    }

    private Group.Share end(Group.End wish) {
        Optional<Account.Open> found = posting.account().find(wish.id());
        if (found.isEmpty()) {
            return new Group.Elsewhere(wish.id());
        }
        Account.Open open = found.get();
        if (!wish.confirmed()) {
            giveUp(open, CANCELLED, wish.author());
            return new Group.Reserved(Reservation.ended(open.id(), Reservation.State.CANCELLED, open.note()));
        }
        posting.change(posting.account().ending(open));
        posting.post(
                State.CONFIRMED, open.value(), Facts.NONE.signed(wish.author()).of(open.id()));
        return new Group.Reserved(Reservation.ended(open.id(), Reservation.State.CONFIRMED, open.note()));
    }

    @Override
    void expire(Set<ReservationId> due) {
        for (Account.Open open : posting.account().open()) {
            if (due.contains(open.id())) {
                giveUp(open, EXPIRED, Author.NOBODY);
            }
        }
    }

    private void giveUp(Account.Open open, String why, Author author) {
        Account account = posting.account().ending(open);
        boolean comesAgain = stored.definition().reservationPolicy() != ReservationPolicy.VOID && !account.isClosed();
        posting.change(comesAgain ? account.releasing(open.value()) : account);
        posting.post(
                comesAgain ? State.RELEASED : State.VOIDED,
                open.value(),
                Facts.because(why).signed(author).of(open.id()));
    }

    /** How a reservation ended that made this entry; nothing if it did not end with it. */
    static Optional<Reservation.State> endTold(LedgerEntry entry) {
        return switch (entry.state()) {
            case CONFIRMED, IMPORTED -> Optional.of(Reservation.State.CONFIRMED);
            case RELEASED, VOIDED, LOST ->
                Optional.of(
                        entry.facts().why().filter(EXPIRED::equals).isPresent()
                                ? Reservation.State.EXPIRED
                                : Reservation.State.CANCELLED);
            default -> Optional.empty();
        };
    }

    // ---- values

    /** Released ones, then new ones, confirmed at once; all or nothing. */
    private Group.Share take(Group.Take wish) {
        posting.account().requireNotClosed();
        if (mustWait()) {
            return new Group.Later();
        }
        boolean anywhere = wish.shape() == Shape.ACROSS_WRAPS;
        long again = anywhere
                ? Math.min(
                        wish.count(),
                        released(stored.definition(), posting.account()).count())
                : 0;
        long more = wish.count() - again;
        Optional<Run> fresh =
                more == 0 ? Optional.empty() : stored.definition().progression().after(at, more);
        long found = fresh.map(run -> run.block().count()).orElse(0L);
        boolean enough = found == more || (found > 0 && wish.shape() == Shape.CONTIGUOUS_OR_SHORTER);
        if (!enough) {
            throw stored.exhausted();
        }
        Facts facts = asked(wish);
        List<Block> blocks = new ArrayList<>();
        for (long i = 0; i < again; i++) {
            HandedOut value = handOut();
            blocks.add(block(value.value()));
            post(State.CONFIRMED, value, facts);
        }
        if (fresh.isPresent()) {
            at = fresh.get().end();
            blocks.add(fresh.get().block());
            posting.take(State.CONFIRMED, fresh.get().block(), facts);
        }
        return new Group.Given(new Draw(at.generation(), at.round(), blocks), 0);
    }

    /** @param again whether it was given back before */
    private record HandedOut(long value, boolean again) {}

    /** The first released value, or a new one. */
    private HandedOut handOut() {
        Account account = posting.account();
        Optional<Long> released = first(stored.definition(), account);
        if (released.isPresent()) {
            posting.change(account.handingOut(released.get()));
            return new HandedOut(released.get(), true);
        }
        Run fresh = stored.definition().progression().after(at, 1).orElseThrow(stored::exhausted);
        at = fresh.end();
        return new HandedOut(fresh.block().first(), false);
    }

    /**
     * The value that comes next.
     *
     * @throws SequenceExhaustedException if there is none
     */
    static long next(Stored stored) {
        return first(stored.definition(), stored.account()).orElseGet(stored::next);
    }

    private static Optional<Long> first(Definition definition, Account account) {
        Comparator<Long> order = Comparator.naturalOrder();
        return released(definition, account).min(definition.increment() > 0 ? order : order.reversed());
    }

    /** Those that may be handed out: one beyond limits that were set later stays where it is. */
    private static Stream<Long> released(Definition definition, Account account) {
        return account.released().stream().filter(definition::contains);
    }

    private void post(State state, HandedOut value, Facts facts) {
        if (value.again()) {
            posting.post(state, value.value(), facts);
        } else {
            posting.take(state, block(value.value()), facts);
        }
    }

    private Block block(long value) {
        return new Block(value, stored.definition().increment(), 1);
    }
}
