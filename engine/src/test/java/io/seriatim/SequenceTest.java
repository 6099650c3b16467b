package io.seriatim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.seriatim.ScriptedStore.Fate;
import io.seriatim.memory.MemoryCounterStore;
import io.seriatim.store.Change;
import io.seriatim.store.CounterKey;
import io.seriatim.store.CounterRow;
import io.seriatim.store.CounterStore;
import io.seriatim.store.WriterMark;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a fast sequence does, one process, one thread, whatever the store answers. */
final class SequenceTest {

    private static final Duration MAX_WAIT = Duration.ofMillis(300);

    private final TestEnvironment environment = new TestEnvironment();
    private final MemoryCounterStore memory = new MemoryCounterStore();
    private final ScriptedStore store = new ScriptedStore(memory);
    private final Sequences sequences = Sequences.on(new KeptOpen(store), environment, MAX_WAIT);

    @AfterEach
    void close() {
        environment.release();
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

    // ---- blocks

    @Test
    void next_manyBlocks_givesEveryValueInOrder() {
        Sequence s = define(SequenceDefinition.ascending().cache(7));
        for (long i = 1; i <= 500; i++) {
            assertThat(s.next()).isEqualTo(i);
            assertThat(mark()).isGreaterThanOrEqualTo(i);
        }
    }

    @Test
    void next_fixedCache_neverHoldsMoreThanTwoBlocks() {
        Sequence s = define(SequenceDefinition.ascending().cache(10));
        for (long i = 1; i <= 200; i++) {
            assertThat(mark() - s.next()).isLessThan(20);
        }
    }

    @Test
    void next_fixedCache_fetchesWhenLessThanAQuarterIsLeft() {
        Sequence s = define(SequenceDefinition.ascending().cache(100));
        for (int i = 1; i <= 75; i++) {
            s.next();
        }
        assertThat(mark()).isEqualTo(100);
        s.next();
        assertThat(mark()).isEqualTo(200);
    }

    @Test
    void next_autoCacheUnderLoad_growsItsBlocksAndSavesWrites() {
        Sequence s = define(SequenceDefinition.ascending());
        int before = store.writes();
        for (int i = 0; i < 100_000; i++) {
            environment.pass(Duration.ofNanos(10));
            s.next();
        }
        assertThat(store.writes() - before).isLessThan(15);
    }

    /** Draws of one went by the store each time, because nobody told the size of blocks that they were many. */
    @Test
    void draw_autoCacheUnderLoad_growsItsBlocksAndSavesWrites() {
        Sequence s = define(SequenceDefinition.ascending());
        int before = store.writes();
        for (int i = 0; i < 20_000; i++) {
            environment.pass(Duration.ofNanos(10));
            s.draw(1);
            s.next(16);
        }
        assertThat(store.writes() - before).isLessThan(20);
    }

    @Test
    void next_autoCacheAtRest_isBackAtSmallBlocks() {
        Sequence s = define(SequenceDefinition.ascending());
        for (int i = 0; i < 10_000; i++) {
            environment.pass(Duration.ofNanos(10));
            s.next();
        }
        for (int i = 0; i < 2; i++) {
            long size = mark() - s.peek();
            for (long k = 0; k <= size; k++) {
                environment.pass(Duration.ofSeconds(1));
                s.next();
            }
        }
        assertThat(mark() - s.peek()).isLessThanOrEqualTo(2);
    }

    @Test
    void nextBlock_restAndAdjoiningBlock_areOneRun() {
        Sequence s = define(SequenceDefinition.ascending().cache(10));
        assertThat(s.next(7)).isEqualTo(new Block(1, 1, 7));
        assertThat(s.next(25)).isEqualTo(new Block(8, 1, 25));
        assertThat(s.next()).isEqualTo(33);
        assertThat(s.nextBlock(3_000_000)).isEqualTo(new Block(34, 1, 3_000_000));
        assertThat(s.next()).isEqualTo(3_000_034);
    }

    @Test
    void next_countAtTheLimit_failsAndConsumesNothing() {
        Sequence s = define(SequenceDefinition.ascending().max(12).cache(5));
        assertThat(s.next(10).last()).isEqualTo(10);
        assertThatThrownBy(() -> s.next(3)).isInstanceOf(SequenceExhaustedException.class);
        assertThatThrownBy(() -> s.draw(3)).isInstanceOf(SequenceExhaustedException.class);
        assertThat(s.next()).isEqualTo(11);
        assertThat(s.nextBlock(5)).isEqualTo(new Block(12, 1, 1));
        assertThatThrownBy(() -> s.nextBlock(5)).isInstanceOf(SequenceExhaustedException.class);
    }

    @Test
    void draw_overAWrap_goesOnAtTheOtherEnd() {
        Sequence s = define(SequenceDefinition.ascending().max(3).cycle(true).cache(2));
        s.next(2);
        assertThat(s.draw(8).blocks())
                .containsExactly(new Block(3, 1, 1), new Block(1, 1, 3), new Block(1, 1, 3), new Block(1, 1, 1));
        assertThat(s.next()).isEqualTo(2);
    }

    @Test
    void draw_manyRounds_needsFewWrites() {
        Sequence s = define(SequenceDefinition.ascending().max(3).cycle(true).cache(2));
        int before = store.writes();
        assertThat(s.draw(10_000).count()).isEqualTo(10_000);
        assertThat(store.writes() - before).isLessThanOrEqualTo(2);
    }

    @Test
    void next_countAcrossAWrap_passesOverTheShortRest() {
        Sequence s = define(SequenceDefinition.ascending().max(5).cycle(true).cache(5));
        s.next(3);
        assertThat(s.next(4)).isEqualTo(new Block(1, 1, 4));
        assertThat(s.supply().skipped()).isEqualTo(2);
        assertThatThrownBy(() -> s.next(6))
                .isInstanceOf(BadDefinitionException.class)
                .extracting("code")
                .isEqualTo(ErrorCode.OUT_OF_RANGE);
        assertThat(s.next()).isEqualTo(5);
    }

    @Test
    void next_wholeRangeOfLongInOneBlock_reachesItsEnd() {
        Sequence s = define(SequenceDefinition.ascending()
                .min(Long.MIN_VALUE)
                .max(Long.MAX_VALUE)
                .cache(Long.MAX_VALUE));
        assertThat(s.next()).isEqualTo(Long.MIN_VALUE);
        assertThat(s.next(Long.MAX_VALUE).last()).isEqualTo(-1);
        assertThat(s.next(Long.MAX_VALUE).last()).isEqualTo(Long.MAX_VALUE - 1);
        assertThat(s.next()).isEqualTo(Long.MAX_VALUE);
        assertThatThrownBy(s::next).isInstanceOf(SequenceExhaustedException.class);
    }

    @Test
    void next_exhaustedThenMaxRaised_givesTheVeryNextValue() {
        Sequence s = define(SequenceDefinition.ascending().max(3).cache(10));
        s.next(3);
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(s::next).isInstanceOf(SequenceExhaustedException.class);
        }
        s.alter(SequenceDefinition.changes().max(10));
        assertThat(s.next()).isEqualTo(4);
    }

    // ---- looking

    @Test
    void peek_anyTime_writesNothing() {
        Sequence s = define(SequenceDefinition.ascending().cache(4));
        for (long i = 1; i <= 20; i++) {
            int before = store.writes();
            assertThat(s.peek()).isEqualTo(i);
            assertThat(store.writes()).isEqualTo(before);
            assertThat(s.next()).isEqualTo(i);
        }
    }

    @Test
    void state_midBlock_tellsLastValueAndMarkApart() {
        Sequence s = define(SequenceDefinition.ascending().max(100).cache(10));
        assertThat(s.state().lastValue()).isEmpty();
        assertThat(s.state().highWaterMark()).isEmpty();
        assertThat(s.state().remaining().orElseThrow()).isEqualTo(100);
        s.next(3);
        assertThat(s.state().lastValue()).isEqualTo(OptionalLong.of(3));
        assertThat(s.state().highWaterMark()).isEqualTo(OptionalLong.of(10));
        assertThat(s.state().remaining().orElseThrow()).isEqualTo(97);
    }

    @Test
    void tryDraw_withoutValuesInMemory_isEmptyAndConsumesNothing() {
        Sequence s = define(SequenceDefinition.ascending().cache(4));
        assertThat(s.tryDraw(1)).isEmpty();
        s.next();
        assertThat(s.tryDraw(4)).isEmpty();
        assertThat(s.tryDraw(3).orElseThrow().blocks()).containsExactly(new Block(2, 1, 3));
        assertThat(s.next()).isEqualTo(5);
    }

    // ---- definitions

    @Test
    void define_sameDefinitionAgain_givesTheSameSequence() {
        define(SequenceDefinition.ascending().cache(5)).next();
        assertThat(define(SequenceDefinition.ascending().increment(1).cache(5)).next())
                .isEqualTo(2);
        assertThat(codeOf(() -> define(SequenceDefinition.ascending().cache(6))))
                .isEqualTo(ErrorCode.ALREADY_EXISTS);
        assertThat(codeOf(() ->
                        sequences.create("s", SequenceDefinition.ascending().cache(5))))
                .isEqualTo(ErrorCode.ALREADY_EXISTS);
        assertThat(codeOf(() -> sequences.define("S", SequenceDefinition.ascending())))
                .isEqualTo(ErrorCode.NAME_CASE);
        assertThat(sequences.find("S")).isEmpty();
    }

    @Test
    void define_badNames_areRefused() {
        for (String name : List.of("", ".", "..", "-a", "_a", "a b", "a/b", "a\0", "a\n", "ä", "a".repeat(129))) {
            assertThat(codeOf(() -> sequences.define(name, SequenceDefinition.ascending())))
                    .isEqualTo(ErrorCode.BAD_NAME);
        }
    }

    @Test
    void drop_thenCreate_startsAnewAndOldHandlesStayDead() {
        Sequence old = define(SequenceDefinition.ascending().cache(5));
        old.next(3);
        old.drop();
        assertThat(codeOf(old::next)).isEqualTo(ErrorCode.NOT_FOUND);
        assertThat(sequences.find("s")).isEmpty();
        Sequence anew = define(SequenceDefinition.ascending());
        assertThat(anew.next()).isEqualTo(1);
        assertThat(anew.state().generation()).isGreaterThan(1);
        assertThat(codeOf(old::next)).isEqualTo(ErrorCode.NOT_FOUND);
        assertThat(codeOf(old::state)).isEqualTo(ErrorCode.NOT_FOUND);
    }

    @Test
    void list_openAndClosedSequences_showsTheStateOfEach() {
        define(SequenceDefinition.ascending().cache(10)).next(3);
        sequences.define("T", SequenceDefinition.ascending());
        sequences.define("u", SequenceDefinition.ascending()).drop();
        assertThat(sequences.list("", "", 10)).extracting(SequenceState::name).containsExactly("s", "T");
        assertThat(sequences.list("", "", 10).get(0).lastValue()).isEqualTo(OptionalLong.of(3));
        assertThat(sequences.list("", "s", 10)).extracting(SequenceState::name).containsExactly("T");
        assertThat(sequences.list("", "", 1)).hasSize(1);
    }

    @Test
    void list_textThatNoStoreKeeps_isTheCallersMistake() {
        for (String text : List.of("a\0", "\uD83D")) {
            assertThatThrownBy(() -> sequences.list(text, "", 10)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> sequences.list("", text, 10)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void alter_midBlock_goesOnFromTheLastValueReturned() {
        Sequence s = define(SequenceDefinition.ascending().cache(100));
        s.next(2);
        s.alter(SequenceDefinition.changes().increment(10));
        assertThat(s.next()).isEqualTo(12);
        assertThat(s.state().generation()).isEqualTo(2);
    }

    /** The block that stands for "none" is shared by all sequences; fencing it made its void tickets valid. */
    @Test
    void next_afterManyAltersAtRest_neverInventsAValue() {
        Sequence s = define(SequenceDefinition.ascending().cache(10));
        for (int i = 1; i <= 20; i++) {
            s.alter(SequenceDefinition.changes().cache(10 + i));
            s.alter(SequenceDefinition.changes().cache(50 + i));
            assertThat(s.next()).isEqualTo(i);
        }
    }

    @Test
    void alter_refused_burnsNothing() {
        Sequence s = define(SequenceDefinition.ascending().cache(100));
        s.next(3);
        assertThat(codeOf(() -> s.alter(SequenceDefinition.changes().min(5).start(5))))
                .isEqualTo(ErrorCode.BAD_OPTION);
        assertThat(s.next()).isEqualTo(4);
        assertThat(s.state().generation()).isEqualTo(1);
    }

    @Test
    void restart_backwards_needsLeave() {
        Sequence s = define(SequenceDefinition.ascending().cache(10));
        s.next(20);
        assertThat(codeOf(() -> s.restart(Restart.after(19)))).isEqualTo(ErrorCode.BEHIND);
        assertThat(codeOf(() -> s.restart(Restart.at(20)))).isEqualTo(ErrorCode.BEHIND);
        assertThat(codeOf(() -> s.restart(Restart.atStart()))).isEqualTo(ErrorCode.BEHIND);
        assertThat(s.next()).isEqualTo(21);
        s.restart(Restart.after(21));
        assertThat(s.next()).isEqualTo(22);
        s.restart(Restart.at(5).allowingReuse("test"));
        assertThat(s.next()).isEqualTo(5);
    }

    /** Forward to 1000, nothing drawn there, then back to 50: 51 … 100 have been out. */
    @Test
    void restart_backFromAFreshRestart_needsLeave() {
        Sequence s = define(SequenceDefinition.ascending().cache(10));
        s.next(100);
        s.restart(Restart.at(1_000));
        assertThat(codeOf(() -> s.restart(Restart.at(50)))).isEqualTo(ErrorCode.BEHIND);
        assertThat(s.next()).isEqualTo(1_000);
    }

    @Test
    void restart_outsideLimits_isOutOfRange() {
        Sequence s = define(SequenceDefinition.ascending().min(5).max(10));
        assertThat(codeOf(() -> s.restart(Restart.after(11)))).isEqualTo(ErrorCode.OUT_OF_RANGE);
        assertThat(codeOf(() -> s.alter(SequenceDefinition.changes(), Restart.at(11))))
                .isEqualTo(ErrorCode.BAD_OPTION);
        assertThat(s.next()).isEqualTo(5);
    }

    // ---- the end

    @Test
    void close_clean_losesNothing() {
        Sequence s = define(SequenceDefinition.ascending().cache(1_000));
        s.next(3);
        Sequences other = Sequences.on(new KeptOpen(memory), environment, MAX_WAIT);
        sequences.close();
        assertThat(mark()).isEqualTo(3);
        sequences.close();
        assertThat(other.get("s").next()).isEqualTo(4);
        assertThatThrownBy(s::next).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void close_withAFetchUnderWay_givesItsBlockBackToo() {
        Sequence s = define(SequenceDefinition.ascending().cache(10));
        for (int i = 0; i < 7; i++) {
            s.next();
        }
        environment.hold();
        s.next();
        assertThat(environment.heldCount()).isEqualTo(1);
        Thread closer = new Thread(sequences::close);
        closer.start();
        while (closer.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
        environment.release();
        join(closer);
        assertThat(mark()).isEqualTo(8);
    }

    @Test
    void close_otherTookValuesSince_skipsTheTailAndRepeatsNothing() {
        Sequence s = define(SequenceDefinition.ascending().cache(10));
        s.next();
        Sequences other = Sequences.on(new KeptOpen(memory), environment, MAX_WAIT);
        assertThat(other.get("s").next()).isEqualTo(11);
        sequences.close();
        assertThat(mark()).isEqualTo(20);
        assertThat(other.get("s").next()).isEqualTo(12);
    }

    /** Two blocks of ours with another's between them: giving back both handed out the other's values again. */
    @Test
    void close_otherTookBetweenOurBlocks_givesBackNothingOfTheOthers() {
        Sequence s = define(SequenceDefinition.ascending().cache(10));
        s.next();
        Sequences other = Sequences.on(new KeptOpen(memory), environment, MAX_WAIT);
        assertThat(other.get("s").next()).isEqualTo(11);
        while (mark() == 20) {
            assertThat(s.next()).isLessThan(10); // until the next block is fetched ahead
        }
        assertThat(mark()).isEqualTo(30);
        sequences.close();
        assertThat(mark()).isEqualTo(20);
        Sequences third = Sequences.on(new KeptOpen(memory), environment, MAX_WAIT);
        assertThat(third.get("s").next()).isEqualTo(21);
        assertThat(other.get("s").next()).isEqualTo(12);
    }

    @Test
    void alter_otherTookBetweenOurBlocks_goesOnBehindTheOthers() {
        Sequence s = define(SequenceDefinition.ascending().cache(10));
        s.next();
        Sequences other = Sequences.on(new KeptOpen(memory), environment, MAX_WAIT);
        assertThat(other.get("s").next()).isEqualTo(11);
        while (mark() == 20) {
            assertThat(s.next()).isLessThan(10);
        }
        s.alter(SequenceDefinition.changes().max(1_000));
        assertThat(s.next()).isEqualTo(21);
        assertThat(other.get("s").next()).isEqualTo(12);
    }

    @Test
    void next_moreSequencesThanMayBeOpen_goesOnWithoutLoss() {
        Sequences small = Sequences.on(new KeptOpen(memory), environment, MAX_WAIT, 3, 1_000);
        List<Sequence> handles = java.util.stream.IntStream.range(0, 10)
                .mapToObj(i ->
                        small.define("t" + i, SequenceDefinition.ascending().cache(10)))
                .toList();
        for (long round = 1; round <= 5; round++) {
            for (Sequence handle : handles) {
                assertThat(handle.next()).isEqualTo(round);
            }
        }
        small.close();
    }

    // ---- the store's answers

    @Test
    void next_storeUnavailable_failsAtOnceAndLosesNothing() {
        Sequence s = define(SequenceDefinition.ascending().cache(2));
        store.nextWrites(Fate.UNAVAILABLE);
        assertThat(codeOf(s::next)).isEqualTo(ErrorCode.STORE_UNAVAILABLE);
        assertThat(s.next()).isEqualTo(1);
        store.nextWrites(Fate.UNAVAILABLE, Fate.UNAVAILABLE);
        assertThat(s.next()).isEqualTo(2); // the fetch ahead fails unseen
        assertThat(codeOf(s::next)).isEqualTo(ErrorCode.STORE_UNAVAILABLE);
        assertThat(s.next()).isEqualTo(3);
    }

    @Test
    void next_storeThrowsWhatItShouldNot_isATypedErrorAndTheSequenceLives() {
        Sequence s = define(SequenceDefinition.ascending().cache(2));
        store.nextWrites(Fate.BROKEN);
        assertThat(codeOf(s::next)).isEqualTo(ErrorCode.STORE_UNAVAILABLE);
        assertThat(s.next()).isEqualTo(1);
    }

    @Test
    void next_unknownButApplied_isProvedByTheMark() {
        Sequence s = define(SequenceDefinition.ascending().cache(10));
        store.nextWrites(Fate.UNKNOWN_APPLIED);
        assertThat(s.next()).isEqualTo(1);
        assertThat(mark()).isEqualTo(10);
    }

    @Test
    void next_unknownAndLost_takesTheBlockAgain() {
        Sequence s = define(SequenceDefinition.ascending().cache(10));
        store.nextWrites(Fate.UNKNOWN_LOST);
        assertThat(s.next()).isEqualTo(1);
        assertThat(mark()).isEqualTo(10);
    }

    @Test
    void next_unknownAndUnreadable_burnsRatherThanRepeats() {
        Sequence s = define(SequenceDefinition.ascending().cache(10));
        store.nextWrites(Fate.UNKNOWN_APPLIED);
        store.readsFail(true);
        assertThat(codeOf(s::next)).isEqualTo(ErrorCode.STORE_UNAVAILABLE);
        store.readsFail(false);
        assertThat(s.next()).isEqualTo(11);
    }

    @Test
    void alter_unavailable_changesNothingAndBurnsNothing() {
        Sequence s = define(SequenceDefinition.ascending().cache(10));
        s.next(3);
        store.nextWrites(Fate.UNAVAILABLE);
        assertThat(codeOf(() -> s.alter(SequenceDefinition.changes().increment(10))))
                .isEqualTo(ErrorCode.STORE_UNAVAILABLE);
        assertThat(s.next()).isEqualTo(4);
    }

    @Test
    void alter_unknownButApplied_isInForce() {
        Sequence s = define(SequenceDefinition.ascending().cache(10));
        s.next(3);
        store.nextWrites(Fate.UNKNOWN_APPLIED);
        assertThat(s.alter(SequenceDefinition.changes().increment(10)).generation())
                .isEqualTo(2);
        assertThat(s.next()).isEqualTo(13);
    }

    /** The lost change may still land: the values in memory must not come out beside it. */
    @Test
    void alter_unknown_burnsTheBlock() {
        Sequence s = define(SequenceDefinition.ascending().cache(10));
        s.next(3);
        store.nextWrites(Fate.UNKNOWN_LOST);
        assertThat(codeOf(() -> s.alter(SequenceDefinition.changes().increment(10))))
                .isEqualTo(ErrorCode.OUTCOME_UNKNOWN);
        assertThat(s.next()).isEqualTo(11);
    }

    @Test
    void alter_unknownAndUnreadableButApplied_isSeenByTheNextFetch() {
        Sequence s = define(SequenceDefinition.ascending().cache(10));
        s.next(3);
        store.nextWrites(Fate.UNKNOWN_APPLIED);
        store.readsFail(true);
        assertThat(codeOf(() -> s.alter(SequenceDefinition.changes().increment(10))))
                .isEqualTo(ErrorCode.OUTCOME_UNKNOWN);
        store.readsFail(false);
        assertThat(s.next()).isEqualTo(13);
        assertThat(s.next()).isEqualTo(23);
    }

    @Test
    void draw_storeFailsHalfWay_consumesNothing() {
        Sequence s = define(SequenceDefinition.ascending().cache(10));
        s.next(4);
        store.nextWrites(Fate.UNAVAILABLE);
        assertThat(codeOf(() -> s.draw(50))).isEqualTo(ErrorCode.STORE_UNAVAILABLE);
        assertThat(s.next()).isEqualTo(5);
        assertThat(s.draw(50).blocks()).containsExactly(new Block(6, 1, 50));
    }

    @Test
    void next_storeHangs_isBusyAfterTheWaitAndNothingIsLost() throws Exception {
        Sequence s = define(SequenceDefinition.ascending().cache(10));
        s.next();
        environment.hold();
        ExecutorService callers = Executors.newCachedThreadPool();
        try {
            Future<ErrorCode> draw = callers.submit(() -> codeOf(() -> s.draw(50)));
            while (environment.heldCount() == 0) {
                Thread.onSpinWait();
            }
            Future<ErrorCode> state = callers.submit(() -> codeOf(s::state));
            environment.pass(MAX_WAIT); // callers look at the time when their real wait is over
            assertThat(draw.get()).isEqualTo(ErrorCode.BUSY);
            environment.pass(MAX_WAIT);
            assertThat(state.get()).isEqualTo(ErrorCode.BUSY);
        } finally {
            callers.shutdownNow();
        }
        environment.release();
        assertThat(s.next()).isEqualTo(2);
    }

    // ---- several engines

    @Test
    void next_twoEnginesOnOneStore_neverRepeatAndEachRises() {
        Sequence a = define(SequenceDefinition.ascending().cache(3));
        Sequences otherSequences = Sequences.on(new KeptOpen(memory), environment, MAX_WAIT);
        Sequence b = otherSequences.get("s");
        java.util.Set<Long> seen = new java.util.HashSet<>();
        long lastA = 0;
        long lastB = 0;
        for (int i = 0; i < 200; i++) {
            long va = a.next();
            long vb = i % 3 == 0 ? b.next(2).last() : b.next();
            assertThat(va).isGreaterThan(lastA);
            assertThat(vb).isGreaterThan(lastB);
            assertThat(seen.add(va)).isTrue();
            assertThat(seen.add(vb)).isTrue();
            lastA = va;
            lastB = vb;
        }
    }

    @Test
    void next_droppedByAnotherEngine_isNotFound() {
        Sequence a = define(SequenceDefinition.ascending().cache(1));
        a.next();
        Sequences other = Sequences.on(new KeptOpen(memory), environment, MAX_WAIT);
        other.get("s").declareGone(sequences.node());
        other.get("s").drop();
        assertThat(codeOf(() -> a.draw(100))).isEqualTo(ErrorCode.NOT_FOUND);
        assertThat(other.create("s", SequenceDefinition.ascending()).next()).isEqualTo(1);
        assertThat(sequences.get("s").next()).isGreaterThan(1);
        assertThat(sequences.get("s").state().generation()).isEqualTo(3);
    }

    @Test
    void next_storeWentBack_stops() {
        Sequence s = define(SequenceDefinition.ascending().cache(5));
        s.next(12);
        CounterRow row = memory.findCounter(
                        CounterKey.of(memory.findDefinition("s").orElseThrow().sequenceId()))
                .orElseThrow();
        MemoryCounterStore older = new MemoryCounterStore();
        older.apply(Change.of(new CounterRow(row.key(), 1, 0, 5, false, 1, new WriterMark(0, 0)))
                .with(firstRow()));
        ScriptedStore switched = new ScriptedStore(older);
        assertThat(codeOf(() -> writerOn(switched).claim(Stored.of(firstRow(), row), CounterWriter.runs(1, 5))))
                .isEqualTo(ErrorCode.STORE_WENT_BACK);
    }

    private CounterWriter writerOn(CounterStore other) {
        WriterMarks marks = new WriterMarks(1);
        return new CounterWriter("s", other, environment, marks, new Notices(other, marks));
    }

    private io.seriatim.store.DefinitionRow firstRow() {
        return memory.findDefinition("s").orElseThrow();
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /**
     * Between reading the rows and opening the sequence another caller had opened it, taken a block and stopped: the
     * new supply showed what had been given back as taken. Found by Lincheck, once in many runs.
     */
    @Test
    void peek_openedFromRowsReadBeforeAStop_showsWhatWasGivenBack() {
        Sequence s = define(SequenceDefinition.ascending().cache(3));
        stop(s);
        Sequence[] other = new Sequence[1];
        store.aroundNextCounterRead(
                () -> {
                    other[0] = sequences.get("s");
                    assertThat(other[0].next()).isEqualTo(1);
                },
                () -> stop(other[0]));
        Sequence opened = sequences.get("s");
        assertThat(opened.peek()).isEqualTo(2);
        assertThat(opened.next()).isEqualTo(2);
    }

    private void stop(Sequence s) {
        s.supply().beginClose();
        s.supply().awaitClosed(Long.MAX_VALUE);
    }
}
