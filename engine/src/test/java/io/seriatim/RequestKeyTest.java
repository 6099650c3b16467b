package io.seriatim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.seriatim.ScriptedStore.Fate;
import io.seriatim.memory.MemoryCounterStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A request with a key is answered once, under each contract. */
final class RequestKeyTest {

    private static final RequestKey KEY = new RequestKey("", "k");

    private final TestEnvironment environment = new TestEnvironment();
    private final ScriptedStore store = new ScriptedStore(new MemoryCounterStore());
    private Sequences sequences = open();

    private Sequences open() {
        return Sequences.on(new KeptOpen(store), environment, Duration.ofMillis(300));
    }

    @AfterEach
    void close() {
        environment.release();
        sequences.close();
    }

    private Sequence define(Contract contract) {
        return sequences.define("s", SequenceDefinition.ascending().max(1_000).contract(contract));
    }

    private static long first(Draw draw) {
        return draw.blocks().get(0).first();
    }

    private static ErrorCode codeOf(Callable<?> call) {
        try {
            Object value = call.call();
            throw new AssertionError("no error but " + value);
        } catch (SequenceException e) {
            return e.code();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "GAPLESS")
    void draw_sameKeyAgain_sameValuesAndNothingTaken(Contract contract) {
        Sequence s = define(contract);
        Draw draw = s.draw(3, KEY);
        assertThat(draw.blocks()).containsExactly(new Block(1, 1, 3));
        assertThat(s.draw(3, KEY)).isEqualTo(draw);
        assertThat(s.next()).isEqualTo(4);
        assertThat(s.draw(3, new RequestKey("other", "k")).blocks()).containsExactly(new Block(5, 1, 3));
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "GAPLESS")
    void draw_sameKeyAfterARestart_sameValues(Contract contract) {
        Draw draw = define(contract).draw(3, KEY);
        sequences.close();
        sequences = open();
        assertThat(sequences.get("s").draw(3, KEY)).isEqualTo(draw);
        assertThat(sequences.get("s").next()).isEqualTo(4);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "GAPLESS")
    void draw_overAWrap_isKeptWithItsRound(Contract contract) {
        Sequence s = sequences.define(
                "s", SequenceDefinition.ascending().max(4).cycle(true).contract(contract));
        s.draw(3);
        Draw draw = s.draw(6, KEY);
        assertThat(draw.blocks()).containsExactly(new Block(4, 1, 1), new Block(1, 1, 4), new Block(1, 1, 1));
        assertThat(s.draw(6, KEY)).isEqualTo(draw);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "GAPLESS")
    void draw_keyOfAnotherRequest_isRefusedAndTakesNothing(Contract contract) {
        Sequence s = define(contract);
        s.draw(3, KEY);
        assertThat(codeOf(() -> s.draw(4, KEY))).isEqualTo(ErrorCode.KEY_REUSED);
        assertThat(codeOf(() -> s.nextBlock(3, KEY))).isEqualTo(ErrorCode.KEY_REUSED);
        assertThat(s.next()).isEqualTo(4);
    }

    /** Two processes draw for one request: the row in the store decides, and the other values are not handed out. */
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "GAPLESS")
    void draw_sameKeyInAnotherEngineMeanwhile_bothGetOneAnswer(Contract contract) {
        Sequence here = define(contract);
        try (Sequences others = open()) {
            Sequence there = others.get("s");
            Draw[] drawnThere = new Draw[1];
            store.beforeNextWrite(() -> drawnThere[0] = there.draw(1, KEY));
            Draw drawnHere = here.draw(1, KEY);
            assertThat(drawnHere).isEqualTo(drawnThere[0]);
            long next = here.next();
            assertThat(next).isNotEqualTo(first(drawnHere));
            assertThat(there.next()).isNotEqualTo(first(drawnHere)).isNotEqualTo(next);
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "GAPLESS")
    void draw_exhausted_keepsNoAnswer(Contract contract) {
        Sequence s = define(contract);
        s.draw(999);
        assertThat(codeOf(() -> s.draw(2, KEY))).isEqualTo(ErrorCode.EXHAUSTED);
        s.alter(SequenceDefinition.changes().max(2_000));
        assertThat(first(s.draw(2, KEY))).isEqualTo(1_000);
    }

    /** The answer was kept although its writer did not learn of it: the repetition gets it. */
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "GAPLESS")
    void draw_answerLost_repetitionGetsTheSameValues(Contract contract) {
        Sequence s = define(contract);
        s.draw(1);
        if (contract == Contract.FAST) {
            s.draw(1); // a block is in memory: the next write is that of the answer
        }
        store.nextWrites(Fate.UNKNOWN_APPLIED);
        Draw draw = s.draw(1, KEY);
        assertThat(s.draw(1, KEY)).isEqualTo(draw);
        assertThat(s.next()).isGreaterThan(first(draw));
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "GAPLESS")
    void draw_answerNotKept_failsAndIsRepeatedWithoutHarm(Contract contract) {
        Sequence s = define(contract);
        s.draw(4);
        store.nextWrites(Fate.UNAVAILABLE, Fate.UNAVAILABLE);
        assertThat(codeOf(() -> s.draw(1, KEY))).isEqualTo(ErrorCode.STORE_UNAVAILABLE);
        store.forgetFates();
        Draw draw = s.draw(1, KEY);
        assertThat(s.draw(1, KEY)).isEqualTo(draw);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "GAPLESS")
    void draw_sameKeyWhileUnderWay_isTurnedAway(Contract contract) throws Exception {
        Sequence s = define(contract);
        environment.hold();
        ExecutorService callers = Executors.newSingleThreadExecutor();
        try {
            Future<Draw> first = callers.submit(() -> s.draw(1, KEY));
            while (environment.heldCount() == 0) {
                Thread.onSpinWait();
            }
            assertThat(codeOf(() -> s.draw(1, KEY))).isEqualTo(ErrorCode.KEY_IN_FLIGHT);
            environment.release();
            Draw answer = first.get();
            assertThat(s.draw(1, KEY)).isEqualTo(answer);
        } finally {
            callers.shutdownNow();
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "GAPLESS")
    void draw_moreKeysThanAreKept_areTurnedAwayUntilTheOldOnesExpire(Contract contract) {
        try (Sequences few = Sequences.on(new KeptOpen(store), environment, Duration.ofMillis(300), 10, 3)) {
            Sequence s = few.define("s", SequenceDefinition.ascending().contract(contract));
            for (int i = 1; i <= 3; i++) {
                s.draw(1, new RequestKey("", "k" + i));
            }
            assertThat(codeOf(() -> s.draw(1, KEY))).isEqualTo(ErrorCode.TOO_MANY);
            assertThat(first(s.draw(1, new RequestKey("", "k2")))).isEqualTo(2);
            environment.pass(Duration.ofHours(24).plusNanos(1));
            assertThat(first(s.draw(1, KEY))).isEqualTo(4);
            assertThat(first(s.draw(1, new RequestKey("", "k2")))).isEqualTo(5);
        }
    }

    /** Failed calls counted as kept keys until the next sweep: enough of them turned good calls away. */
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "GAPLESS")
    void draw_manyFailedCalls_takeNoRoomFromGoodOnes(Contract contract) {
        try (Sequences few = Sequences.on(new KeptOpen(store), environment, Duration.ofMillis(300), 10, 3)) {
            Sequence s = few.define("s", SequenceDefinition.ascending().max(5).contract(contract));
            for (int i = 1; i <= 9; i++) {
                RequestKey key = new RequestKey("", "k" + i);
                assertThat(codeOf(() -> s.draw(6, key))).isEqualTo(ErrorCode.EXHAUSTED);
            }
            assertThat(first(s.draw(1, KEY))).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "GAPLESS")
    void draw_sequenceCreatedAnew_doesNotKnowTheOldKeys(Contract contract) {
        Sequence s = define(contract);
        s.draw(5, KEY);
        s.drop();
        assertThat(first(define(contract).draw(2, KEY))).isEqualTo(1);
    }

    @Test
    void requestKey_malformed_isRefused() {
        for (String bad : List.of("", "a b", "ä", "a".repeat(201), "a\n")) {
            assertThatThrownBy(() -> new RequestKey("", bad)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    /** It was BUSY, which asks to be tried again. */
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "GAPLESS")
    void draw_afterClose_isTheCallersMistake(Contract contract) {
        Sequences real = Sequences.on(new MemoryCounterStore());
        Sequence s = real.define("s", SequenceDefinition.ascending().contract(contract));
        real.close();
        assertThatThrownBy(() -> s.draw(1, KEY)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> s.nextBlock(1, KEY)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> s.noteOf(KEY)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> s.draw(1)).isInstanceOf(IllegalStateException.class);
    }
}
