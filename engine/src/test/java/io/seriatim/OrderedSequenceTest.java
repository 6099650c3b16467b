package io.seriatim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.seriatim.ScriptedStore.Fate;
import io.seriatim.memory.MemoryCounterStore;
import io.seriatim.store.CounterKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What an ordered sequence does, step by step, whatever the store answers. */
final class OrderedSequenceTest {

    private static final Duration MAX_WAIT = Duration.ofMillis(300);
    /** For callers who must not give up, on a machine that has other work. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private static final SequenceDefinition ORDERED =
            SequenceDefinition.ascending().contract(Contract.ORDERED);

    private final TestEnvironment environment = new TestEnvironment();
    private final MemoryCounterStore memory = new MemoryCounterStore();
    private final ScriptedStore store = new ScriptedStore(memory);
    private final Sequences sequences = Sequences.on(new KeptOpen(store), environment, PATIENCE);
    private final ExecutorService callers = Executors.newCachedThreadPool();

    @AfterEach
    void close() {
        environment.release();
        callers.shutdownNow();
        sequences.close();
    }

    private Sequence define(SequenceDefinition definition) {
        return sequences.define("s", definition);
    }

    private long mark() {
        return memory.findCounter(
                        CounterKey.of(memory.findDefinition("s").orElseThrow().sequenceId()))
                .orElseThrow()
                .highWaterMark();
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

    /** Lets so many calls wait for a write, each in a thread of its own. */
    private <T> List<Future<T>> waiting(int count, Sequence s, Callable<T> call) {
        List<Future<T>> calls = new ArrayList<>();
        for (int i = 1; i <= count; i++) {
            calls.add(callers.submit(call));
            int wanted = i;
            while (((OrderedSupply) s.supply()).waiting() < wanted) {
                Thread.onSpinWait();
            }
        }
        return calls;
    }

    @Test
    void next_always_isDurableBeforeItIsReturnedAndTakesNothingElse() {
        Sequence s = define(ORDERED);
        for (long i = 1; i <= 100; i++) {
            assertThat(s.next()).isEqualTo(i);
            assertThat(mark()).isEqualTo(i);
        }
    }

    @Test
    void next_callsThatWaitTogether_shareOneWriteInTheirOrder() throws Exception {
        Sequence s = define(ORDERED);
        int before = store.writes();
        environment.hold();
        List<Future<Long>> calls = waiting(10, s, s::next);
        environment.release();
        for (int i = 0; i < 10; i++) {
            assertThat(calls.get(i).get()).isEqualTo(i + 1);
        }
        assertThat(store.writes() - before).isEqualTo(1);
        assertThat(mark()).isEqualTo(10);
    }

    @Test
    void next_twoEnginesOnOneStore_riseInRealTimeOverBoth() {
        Sequence here = define(ORDERED);
        try (Sequences others = Sequences.on(new KeptOpen(store), environment, MAX_WAIT)) {
            Sequence there = others.get("s");
            for (long i = 1; i <= 50; i += 2) {
                assertThat(here.next()).isEqualTo(i);
                assertThat(there.peek()).isEqualTo(i + 1);
                assertThat(there.next()).isEqualTo(i + 1);
                assertThat(here.state().lastValue()).hasValue(i + 1);
            }
        }
    }

    @Test
    void next_callerGaveUpBeforeTheWrite_takesNothing() throws Exception {
        define(ORDERED);
        try (Sequences hasty = Sequences.on(new KeptOpen(store), environment, MAX_WAIT)) {
            Sequence s = hasty.get("s");
            environment.hold();
            assertThat(codeOf(s::next)).isEqualTo(ErrorCode.BUSY);
            environment.release();
            assertThat(s.next()).isEqualTo(1);
        }
    }

    /** Its value may not go to a later call: that call's callers may have seen later values meanwhile. */
    @Test
    void next_callerGaveUpDuringTheWrite_itsValueIsBurnt() throws Exception {
        Sequence s = define(ORDERED);
        try (StuckStore stuck = new StuckStore(new KeptOpen(store));
                Sequences slow = Sequences.on(stuck, MAX_WAIT)) {
            Sequence there = slow.get("s");
            stuck.stick();
            assertThat(codeOf(there::next)).isEqualTo(ErrorCode.BUSY);
            stuck.release();
            assertThat(there.next()).isEqualTo(2);
            assertThat(there.supply().skipped()).isEqualTo(1);
        }
        assertThat(s.next()).isEqualTo(3);
    }

    @Test
    void next_unknownButApplied_isProvedByTheMark() {
        Sequence s = define(ORDERED);
        store.nextWrites(Fate.UNKNOWN_APPLIED);
        assertThat(s.next()).isEqualTo(1);
        assertThat(s.next()).isEqualTo(2);
    }

    @Test
    void next_unknownAndLost_isWrittenAgain() {
        Sequence s = define(ORDERED);
        store.nextWrites(Fate.UNKNOWN_LOST);
        assertThat(s.next()).isEqualTo(1);
    }

    @Test
    void next_unknownAndUnreadable_failsAndRepeatsNothing() {
        Sequence s = define(ORDERED);
        store.nextWrites(Fate.UNKNOWN_APPLIED);
        store.readsFail(true);
        assertThat(codeOf(s::next)).isEqualTo(ErrorCode.STORE_UNAVAILABLE);
        store.readsFail(false);
        assertThat(s.next()).isEqualTo(2);
    }

    @Test
    void next_storeUnavailable_failsAtOnceAndLosesNothing() {
        Sequence s = define(ORDERED);
        store.nextWrites(Fate.UNAVAILABLE);
        assertThat(codeOf(s::next)).isEqualTo(ErrorCode.STORE_UNAVAILABLE);
        assertThat(s.next()).isEqualTo(1);
    }

    @Test
    void next_noThreadForTheStore_isBusyAndLosesNothing() {
        Sequence s = define(ORDERED);
        environment.refuse(true);
        assertThat(codeOf(s::next)).isEqualTo(ErrorCode.BUSY);
        environment.refuse(false);
        assertThat(s.next()).isEqualTo(1);
    }

    @Test
    void draw_moreThanAreLeft_deniesThatCallAndServesTheSmallerOne() throws Exception {
        Sequence s = define(ORDERED.max(5));
        environment.hold();
        Future<ErrorCode> large = waiting(1, s, () -> codeOf(() -> s.draw(6))).get(0);
        Future<Draw> small = callers.submit(() -> s.draw(5));
        while (((OrderedSupply) s.supply()).waiting() < 2) {
            Thread.onSpinWait();
        }
        environment.release();
        assertThat(large.get()).isEqualTo(ErrorCode.EXHAUSTED);
        assertThat(small.get().blocks()).containsExactly(new Block(1, 1, 5));
        assertThat(codeOf(s::next)).isEqualTo(ErrorCode.EXHAUSTED);
        s.alter(SequenceDefinition.changes().max(6));
        assertThat(s.next()).isEqualTo(6);
    }

    @Test
    void next_countAcrossAWrap_passesOverTheShortRest() {
        Sequence s = define(ORDERED.max(5).cycle(true));
        s.draw(3);
        assertThat(s.next(3)).isEqualTo(new Block(1, 1, 3));
        assertThat(s.supply().skipped()).isEqualTo(2);
        Draw overTheWrap = s.draw(4);
        assertThat(overTheWrap.round()).isEqualTo(1);
        assertThat(overTheWrap.blocks()).containsExactly(new Block(4, 1, 2), new Block(1, 1, 2));
        assertThat(s.nextBlock(10)).isEqualTo(new Block(3, 1, 3));
        assertThat(codeOf(() -> s.next(6))).isEqualTo(ErrorCode.OUT_OF_RANGE);
    }

    @Test
    void alter_contractBothWays_goesOnBehindTheLastValue() {
        Sequence s = define(ORDERED);
        s.draw(10);
        s.alter(SequenceDefinition.changes().contract(Contract.FAST).cache(5));
        assertThat(s.next()).isEqualTo(11);
        assertThat(mark()).isGreaterThanOrEqualTo(15);
        assertThat(codeOf(() -> s.alter(SequenceDefinition.changes().contract(Contract.ORDERED))))
                .isEqualTo(ErrorCode.BAD_OPTION);
        s.alter(SequenceDefinition.changes().contract(Contract.ORDERED).with("cache", null));
        assertThat(s.next()).isEqualTo(12);
        assertThat(mark()).isEqualTo(12);
    }

    /** A block taken under the new contract would put lesser values behind greater ones. */
    @Test
    void alter_contractElsewhere_isSeenBeforeTheNextBlock() {
        Sequence here = define(SequenceDefinition.ascending().cache(5));
        here.draw(5);
        try (Sequences others = Sequences.on(new KeptOpen(store), environment, MAX_WAIT)) {
            Sequence there = others.get("s");
            there.declareGone(sequences.node()); // wrongly: it lives
            there.alter(SequenceDefinition.changes().contract(Contract.ORDERED).with("cache", null));
            assertThat(there.next()).isGreaterThan(5);
            long mark = mark();
            while (here.next() <= mark) {
                assertThat(mark()).isEqualTo(mark);
            }
            assertThat(here.supply()).isInstanceOf(OrderedSupply.class);
            assertThat(there.next()).isGreaterThan(mark + 1);
        }
    }

    @Test
    void define_cacheGiven_isRefused() {
        for (String cache : List.of("10", "auto")) {
            assertThatThrownBy(() -> define(ORDERED.with("cache", cache)))
                    .isInstanceOfSatisfying(
                            BadDefinitionException.class,
                            e -> assertThat(e.option()).isEqualTo("cache"));
        }
        assertThat(define(ORDERED.with("cache", null)).state().definition().options())
                .doesNotContainKey("cache");
        assertThat(define(ORDERED).next()).isEqualTo(1);
    }

    @Test
    void drop_whileCallsNeverCease_hasItsTurn() throws Exception {
        Sequence s = define(ORDERED);
        s.draw(7);
        assertThat(s.restart(Restart.at(3).allowingReuse("test")).generation()).isEqualTo(2);
        assertThat(s.draw(2).generation()).isEqualTo(2);
        environment.hold();
        List<Future<ErrorCode>> calls = waiting(
                3,
                s,
                () -> codeOf(() -> {
                    while (true) {
                        s.next();
                    }
                }));
        Future<Boolean> drop = callers.submit(() -> {
            s.drop();
            return true;
        });
        environment.release();
        while (!drop.isDone()) {
            environment.release();
        }
        for (Future<ErrorCode> call : calls) {
            assertThat(call.get()).isEqualTo(ErrorCode.NOT_FOUND);
        }
    }

    @Test
    void lease_ofAnOrderedSequence_isRefused() {
        Sequence s = define(ORDERED);
        assertThatThrownBy(() -> s.lease(10)).isInstanceOf(IllegalStateException.class);
    }
}
