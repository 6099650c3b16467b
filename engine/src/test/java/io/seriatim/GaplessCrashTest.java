package io.seriatim;

import static org.assertj.core.api.Assertions.assertThat;

import io.seriatim.LedgerEntry.State;
import io.seriatim.StoppingStore.Trouble;
import io.seriatim.memory.MemoryCounterStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A life of a gapless sequence, broken off at each of its calls to the store in turn; then another process opens the
 * store, ends what is open and looks at the books.
 */
final class GaplessCrashTest {

    private static final Duration LONGER_THAN_A_RESERVATION = Duration.ofSeconds(61);
    private static final RequestKey KEY = new RequestKey("ann", "first");
    private static final RequestKey NEXT_KEY = new RequestKey("ann", "next");
    private static final Author AUDITOR = Author.of("ann").because("test");

    /** What callers know. */
    private static final class Callers {
        /** By reservation: whether its holder wants to use the number. */
        private final Map<Reservation, Boolean> held = new HashMap<>();

        private final Set<String> ended = new HashSet<>();
        /** Numbers that have left for the world. */
        private final List<Long> used = new ArrayList<>();

        private long wantsVoid;

        private Reservation hold(Reservation reservation, boolean wanted) {
            held.put(reservation, wanted);
            return reservation;
        }

        private void end(Sequence s, Reservation reservation) {
            boolean wanted = held.getOrDefault(reservation, false);
            Reservation.State state;
            try {
                state = (wanted ? s.confirm(reservation.id()) : s.cancel(reservation.id())).state();
            } catch (ReservationException e) {
                state = e.state().orElseThrow(() -> e);
            }
            assertThat(state)
                    .isIn(
                            Reservation.State.EXPIRED,
                            wanted ? Reservation.State.CONFIRMED : Reservation.State.CANCELLED);
            ended.add(reservation.id());
            if (state == Reservation.State.CONFIRMED) {
                used.add(reservation.value());
            }
        }
    }

    static Stream<Arguments> lives() {
        return Stream.of("relaxed", "strict", "void")
                .flatMap(policy -> Stream.of(Trouble.values()).map(trouble -> Arguments.of(policy, trouble)));
    }

    @ParameterizedTest
    @MethodSource("lives")
    void lifeBrokenOffAtEachStoreCall_thenFinished_accountsForEveryNumber(String policy, Trouble trouble) {
        int at = 1;
        while (breakOff(policy, trouble, at)) {
            at++;
        }
        assertThat(at).as("calls of a whole life").isGreaterThan(20);
    }

    /** Whether there were so many calls. */
    private static boolean breakOff(String policy, Trouble trouble, int at) {
        MemoryCounterStore memory = new MemoryCounterStore();
        try (Sequences defining = Sequences.on(new KeptOpen(memory), new TestEnvironment(), Duration.ofSeconds(5))) {
            defining.define("s", gapless(policy));
        }
        Callers callers = new Callers();
        StoppingStore stopping = new StoppingStore(memory, trouble, at);
        TestEnvironment time = new TestEnvironment(1_000_000);
        Sequences broken = Sequences.on(stopping, time, Duration.ofSeconds(5));
        try {
            live(broken.get("s"), time, callers, policy.equals("strict"));
        } catch (SequenceException e) {
            assertThat(stopping.wasReached()).as("%s before call %s", e, at).isTrue();
        }
        TestEnvironment later = new TestEnvironment(2_000_000);
        try (Sequences sequences = Sequences.on(new KeptOpen(memory), later, Duration.ofSeconds(5))) {
            finish(sequences.get("s"), later, callers);
        }
        return stopping.wasReached();
    }

    private static SequenceDefinition gapless(String policy) {
        return SequenceDefinition.ascending()
                .contract(Contract.GAPLESS)
                .with("format.template", "{seq}")
                .with("format.policy", policy)
                .with("format.reservationSeconds", "60");
    }

    private static void live(Sequence s, TestEnvironment time, Callers callers, boolean strict) {
        Reservation first = callers.hold(s.reserve(KEY, RequestNote.NONE), true);
        if (strict) {
            callers.end(s, first);
        }
        Reservation second = callers.hold(s.reserve("second"), false);
        if (!strict) {
            callers.end(s, first);
        }
        callers.end(s, second);
        callers.hold(s.reserve("third"), true);
        time.pass(LONGER_THAN_A_RESERVATION);
        callers.used.add(s.draw(1, NEXT_KEY).blocks().get(0).first());
        callers.used.add(s.next());
        callers.wantsVoid = first.value();
        s.by(AUDITOR).voidValue(first.value());
        s.restart(Restart.at(10));
        callers.end(s, callers.hold(s.reserve("fourth"), true));
        callers.hold(s.reserve("fifth"), false);
        time.pass(LONGER_THAN_A_RESERVATION);
        s.by(AUDITOR).closePeriod();
    }

    private static void finish(Sequence s, TestEnvironment time, Callers callers) {
        boolean closed = !s.counters(Optional.empty(), 1).isEmpty()
                && s.counters(Optional.empty(), 1).get(0).closed();
        for (Reservation held : List.copyOf(callers.held.keySet())) {
            if (!callers.ended.contains(held.id())) {
                callers.end(s, held);
            }
        }
        s.history(1);
        time.pass(LONGER_THAN_A_RESERVATION); // what nobody knows of expires
        if (!closed) {
            repeat(s, callers);
            callers.used.add(s.next());
            s.by(AUDITOR).closePeriod();
        }
        Map<Long, State> states = Books.ofGapless(s, 1, 1);
        assertThat(states.values()).isSubsetOf(State.CONFIRMED, State.VOIDED);
        assertThat(callers.used).doesNotHaveDuplicates();
        for (long value : callers.used) {
            boolean maybeVoid = value == callers.wantsVoid;
            assertThat(states.get(value))
                    .as("state of %s", value)
                    .isIn(State.CONFIRMED, maybeVoid ? State.VOIDED : State.CONFIRMED);
        }
    }

    /** Who has a key and no answer asks again, and who had one is given the same. */
    private static void repeat(Sequence s, Callers callers) {
        Reservation first = s.reserve(KEY, RequestNote.NONE);
        callers.held.keySet().stream()
                .filter(held -> held.note().isEmpty())
                .forEach(held -> assertThat(first.id()).isEqualTo(held.id()));
        if (first.state() == Reservation.State.OPEN) {
            callers.hold(first, true);
            callers.end(s, first);
        }
        long next = s.draw(1, NEXT_KEY).blocks().get(0).first();
        if (!callers.used.contains(next)) {
            callers.used.add(next);
        }
    }
}
