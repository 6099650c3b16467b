package io.seriatim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.seriatim.memory.MemoryCounterStore;
import io.seriatim.store.CounterKey;
import io.seriatim.store.DefinitionRow;
import io.seriatim.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Callable;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Changes of a sequence of which another node has values in memory; here each engine is a node. */
final class RecallTest {

    private static final Restart BACK = Restart.at(1).allowingReuse("test");

    private final MemoryCounterStore memory = new MemoryCounterStore();
    private final KeptOpen store = new KeptOpen(memory);
    private final Sequences here = Sequences.on(store);
    /** Its time stands still: it hears no notice until the test lets time pass. */
    private final TestEnvironment still = new TestEnvironment();

    private final ScriptedStore troubled = new ScriptedStore(memory);
    private final Sequences there = Sequences.on(new KeptOpen(troubled), still, Duration.ofSeconds(5));
    private final Sequences hasty = Sequences.on(store, Duration.ofSeconds(1));

    @AfterEach
    void close() {
        hasty.close();
        there.close();
        here.close();
    }

    private static ErrorCode codeOf(Callable<?> call) {
        try {
            throw new AssertionError("no error but " + call.call());
        } catch (SequenceException e) {
            return e.code();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private Sequence define(SequenceDefinition definition) {
        return here.define("s", definition);
    }

    private String openBlocks() {
        return stored().counter().openBlocks();
    }

    // ---- the other node answers

    @Test
    void restart_backwardsWhileAnotherNodeHasABlock_waitsUntilItHasGivenItBack() {
        define(SequenceDefinition.ascending().cache(4));
        try (Sequences others = Sequences.on(store)) {
            Sequence other = others.get("s");
            assertThat(other.next()).isEqualTo(1);
            assertThat(here.get("s").restart(BACK).generation()).isEqualTo(2);
            assertThat(here.get("s").next()).isEqualTo(1);
            assertThat(other.next()).isGreaterThan(4);
            assertThat(other.state().generation()).isEqualTo(2);
        }
    }

    @Test
    void drop_whileAnotherNodeHasABlock_endsItThereToo() {
        define(SequenceDefinition.ascending().cache(4));
        try (Sequences others = Sequences.on(store)) {
            Sequence other = others.get("s");
            assertThat(other.next()).isEqualTo(1);
            here.get("s").drop();
            assertThat(codeOf(other::next)).isEqualTo(ErrorCode.NOT_FOUND);
        }
    }

    /** Else the other node would hand out values of its block after later ones were handed out under ordered. */
    @Test
    void alter_toOrderedWhileAnotherNodeHasABlock_waitsUntilItHasGivenItBack() {
        define(SequenceDefinition.ascending());
        try (Sequences others = Sequences.on(store)) {
            Sequence other = others.get("s");
            assertThat(other.next(3).last()).isEqualTo(3);
            here.get("s").alter(SequenceDefinition.changes().contract(Contract.ORDERED));
            long ordered = here.get("s").next();
            assertThat(other.next()).isGreaterThan(ordered);
            assertThat(here.get("s").next()).isGreaterThan(ordered + 1);
        }
    }

    @Test
    void drop_byTwoNodesThatBothHaveABlock_oneOfThemDoesIt() throws Exception {
        define(SequenceDefinition.ascending().cache(4)).next();
        try (Sequences others = Sequences.on(store)) {
            others.get("s").next();
            Thread first = new Thread(() -> dropIfThere(here));
            Thread second = new Thread(() -> dropIfThere(others));
            first.start();
            second.start();
            first.join();
            second.join();
            assertThat(here.find("s")).isEmpty();
        }
    }

    private static void dropIfThere(Sequences sequences) {
        try {
            sequences.get("s").drop();
        } catch (SequenceNotFoundException e) {
            assertThat(e.code()).isEqualTo(ErrorCode.NOT_FOUND);
        }
    }

    /** The other's block lies before ours and goes; so the last value returned here is still the last of all. */
    @Test
    void alter_thatHadToWait_goesOnFromTheLastValueReturned() {
        define(SequenceDefinition.ascending().cache(4));
        try (Sequences others = Sequences.on(store)) {
            assertThat(others.get("s").next()).isEqualTo(1);
            assertThat(here.get("s").next()).isEqualTo(5);
            here.get("s").alter(SequenceDefinition.changes().increment(-1));
            assertThat(here.get("s").next()).isEqualTo(4);
            assertThat(here.statistics().skipped()).isZero();
        }
    }

    // ---- a notice, heard a second later

    /** Values of the old generation that were still in memory came out behind those of the new one's block. */
    @Test
    void next_blockFetchedInANewGeneration_endsTheOldOne() {
        define(SequenceDefinition.ascending().cache(8));
        Sequence other = there.get("s");
        assertThat(other.next()).isEqualTo(1);
        here.get("s").restart(Restart.at(100));
        for (int i = 0; i < 20; i++) {
            boolean fetched = stored().counter().highWaterMark() > 100;
            assertThat(other.next() >= 100 || !fetched).isTrue();
        }
    }

    /** One sequence in trouble kept all others from being looked at. */
    @Test
    void look_troubleWithOne_meetsTheOthers() {
        define(SequenceDefinition.ascending().cache(4));
        here.define("t", SequenceDefinition.ascending().cache(4));
        there.get("s").next();
        there.get("t").next();
        here.get("s").restart(Restart.at(100));
        here.get("t").restart(Restart.at(100));
        troubled.nextWrites(ScriptedStore.Fate.UNAVAILABLE);
        still.pass(Duration.ofSeconds(1));
        assertThat(there.statistics().missedLooks()).isEqualTo(1);
        assertThat(there.get("s").state().generation() + there.get("t").state().generation())
                .isEqualTo(3);
        still.pass(Duration.ofSeconds(1));
        assertThat(there.get("s").state().generation() + there.get("t").state().generation())
                .isEqualTo(4);
    }

    @Test
    void post_storeFails_isMadeUpForWithTheNextLookThatCan() {
        Notices notices = new Notices(troubled, new WriterMarks(7));
        troubled.nextWrites(ScriptedStore.Fate.UNAVAILABLE, ScriptedStore.Fate.UNAVAILABLE);
        notices.post();
        assertThatThrownBy(() -> notices.look(() -> {})).isInstanceOf(StoreException.class);
        assertThat(memory.findCounter(Notices.KEY)).isEmpty();
        notices.look(() -> {});
        assertThat(memory.findCounter(Notices.KEY)).isPresent();
    }

    /** A recall whose answer was lost was never told to those who were to hear it. */
    @Test
    void drop_answerToTheRecallLost_postsANotice() {
        define(SequenceDefinition.ascending().cache(4));
        here.get("s").next();
        troubled.nextWrites(ScriptedStore.Fate.UNKNOWN_APPLIED);
        CounterWriter writer =
                new CounterWriter("s", troubled, still, new WriterMarks(7), new Notices(troubled, new WriterMarks(7)));
        assertThat(writer.drop(stored(), stored().position(), Author.NOBODY))
                .isInstanceOf(CounterWriter.WaitsFor.class);
        assertThat(memory.findCounter(Notices.KEY)).isPresent();
    }

    /**
     * The mark was set back, but nobody here knew: the values above it came from here and from the next node. Found by
     * reading.
     */
    @Test
    void giveBack_answerLostAndStoreUnreadable_burnsTheValues() {
        define(SequenceDefinition.ascending().cache(4));
        assertThat(there.get("s").next()).isEqualTo(1);
        CounterWriter killed = recalledByAKilledNode();
        troubled.nextWrites(ScriptedStore.Fate.APPLIED, ScriptedStore.Fate.UNKNOWN_APPLIED);
        troubled.beforeNextWrite(() -> troubled.beforeNextWrite(() -> troubled.readsFail(true)));
        still.pass(Duration.ofSeconds(1));
        troubled.readsFail(false);
        killed.withdrawRecall(stored());
        assertThat(here.get("s").next()).isEqualTo(2);
        assertThat(there.get("s").next()).isGreaterThan(5);
        assertThat(there.statistics().skipped()).isEqualTo(3);
    }

    /**
     * A supply that was given up on while its values were on their way back made room for another one, and then struck it
     * off the list of holders. Found by reading.
     */
    @Test
    void awaitClosed_late_isNotClosed() {
        define(SequenceDefinition.ascending().cache(4));
        Supply supply = there.get("s").supply();
        supply.next();
        still.hold();
        supply.beginClose();
        assertThat(supply.isClosedBy(still.nanoTime())).isFalse();
        assertThat(supply.isClosed()).isFalse();
        still.release();
        assertThat(supply.isClosedBy(still.nanoTime())).isTrue();
        assertThat(openBlocks()).isEmpty();
    }

    @Test
    void alter_forwardElsewhere_endsTheOldBlockWithTheNextLook() {
        define(SequenceDefinition.ascending().cache(4));
        Sequence other = there.get("s");
        assertThat(other.next()).isEqualTo(1);
        here.get("s").restart(Restart.at(100));
        assertThat(other.next()).isEqualTo(2);
        still.pass(Duration.ofSeconds(1));
        assertThat(other.next()).isGreaterThanOrEqualTo(100);
        assertThat(other.state().generation()).isEqualTo(2);
    }

    /** Nobody has taken values since: all that was not used comes again. */
    @Test
    void giveBack_becauseOfARecall_losesNothing() {
        define(SequenceDefinition.ascending().cache(4));
        assertThat(there.get("s").next()).isEqualTo(1);
        CounterWriter killed = recalledByAKilledNode();
        still.pass(Duration.ofSeconds(1));
        assertThat(openBlocks()).startsWith("recall").doesNotContain(";");
        killed.withdrawRecall(stored());
        assertThat(there.get("s").next()).isEqualTo(2);
        assertThat(there.statistics().skipped()).isZero();
    }

    @Test
    void look_withoutNotices_readsOneRow() {
        define(SequenceDefinition.ascending().cache(4));
        there.get("s").next();
        there.create("t", SequenceDefinition.ascending().cache(4)).next();
        long before = there.statistics().storeReads();
        still.pass(Duration.ofSeconds(1));
        assertThat(there.statistics().storeReads()).isEqualTo(before + 1);
    }

    // ---- the other node does not answer

    /** Values of the other's block could come again; those ahead of every block cannot. */
    @Test
    void changesAfterWhichValuesCouldRepeat_whileOthersKeepABlock_areBusy() {
        define(SequenceDefinition.ascending().cache(4));
        Sequence s = hasty.get("s");
        s.next();
        Sequence other = there.get("s");
        other.next();
        assertThat(codeOf(() -> s.restart(BACK))).isEqualTo(ErrorCode.BUSY);
        assertThat(codeOf(() -> s.alter(SequenceDefinition.changes(), BACK))).isEqualTo(ErrorCode.BUSY);
        assertThat(codeOf(
                        () -> s.alter(SequenceDefinition.changes().increment(-1).min(1))))
                .isEqualTo(ErrorCode.BUSY);
        assertThat(codeOf(() -> {
                    s.drop();
                    return "dropped";
                }))
                .isEqualTo(ErrorCode.BUSY);
        assertThat(s.restart(Restart.at(100)).generation()).isEqualTo(2);
        assertThat(s.next()).isEqualTo(100);
        assertThat(other.next()).isEqualTo(6);
        there.close(); // gives nothing back, for the mark has moved on, but is listed no longer
        assertThat(s.restart(BACK).generation()).isEqualTo(3);
        assertThat(s.next()).isEqualTo(1);
        s.drop();
    }

    @Test
    void restart_backwardsAfterACrash_needsTheNodeDeclaredGone() {
        define(SequenceDefinition.ascending().cache(4));
        there.get("s").next();
        Sequence s = hasty.get("s");
        assertThatThrownBy(() -> s.restart(BACK)).hasMessageContaining(there.node());
        s.declareGone(there.node());
        assertThat(s.restart(BACK).generation()).isEqualTo(2);
        assertThat(s.next()).isEqualTo(1);
    }

    @Test
    void restart_thatWasGivenUp_letsOthersTakeValuesAgain() {
        define(SequenceDefinition.ascending().cache(4));
        there.get("s").next();
        assertThat(codeOf(() -> hasty.get("s").restart(BACK))).isEqualTo(ErrorCode.BUSY);
        assertThat(openBlocks()).doesNotContain("recall");
        assertThat(here.get("s").next()).isEqualTo(5);
    }

    /** It was refused by what the node had last heard of, though the other one had gone back since. */
    @Test
    void restart_refusedByWhatIsOld_isDecidedByWhatIsThere() {
        define(SequenceDefinition.ascending().cache(4)).next();
        Sequence other = there.get("s");
        here.get("s").alter(SequenceDefinition.changes().max(99));
        assertThat(other.restart(Restart.at(2)).generation()).isEqualTo(3);
        assertThat(other.next()).isEqualTo(2);
    }

    /** The last try began just before the time was up, was broken off, and left the recall standing for seconds. */
    @Test
    void restart_lastTryBeginsLate_stillTakesTheRecallBack() {
        define(SequenceDefinition.ascending().cache(4));
        there.get("s").next();
        SystemEnvironment real = new SystemEnvironment();
        AheadOfTime environment = new AheadOfTime(real);
        ScriptedStore slow = new ScriptedStore(memory);
        Sequences late = Sequences.on(new KeptOpen(slow), environment, Duration.ofSeconds(5));
        Sequence s = late.get("s");
        long begun = environment.nanoTime();
        slow.aroundNextCounterRead(
                () -> environment.jumpTo(begun + 4_900_000_000L),
                () -> slow.aroundNextCounterRead(() -> LockSupport.parkNanos(200_000_000), () -> {}));
        assertThat(codeOf(() -> s.restart(BACK))).isEqualTo(ErrorCode.BUSY);
        assertThat(openBlocks()).doesNotContain("recall");
        late.close();
        real.close();
    }

    /** Real time, with a jump. */
    private record AheadOfTime(Environment real, AtomicLong ahead) implements Environment {

        AheadOfTime(Environment real) {
            this(real, new AtomicLong());
        }

        void jumpTo(long nanos) {
            ahead.set(nanos - real.nanoTime());
        }

        @Override
        public Instant now() {
            return real.now();
        }

        @Override
        public long nanoTime() {
            return real.nanoTime() + ahead.get();
        }

        @Override
        public long random() {
            return real.random();
        }

        @Override
        public Executor executor() {
            return real.executor();
        }

        @Override
        public void after(Duration delay, Runnable task) {
            real.after(delay, task);
        }
    }

    /** Whoever made the recall was killed before it could take it back. */
    @Test
    void next_recallThatNobodyTakesBack_isBusyForAWhileOnly() {
        define(SequenceDefinition.ascending().cache(4));
        assertThat(there.get("s").next()).isEqualTo(1);
        recalledByAKilledNode();
        still.pass(Duration.ofSeconds(1));
        assertThat(codeOf(() -> there.get("s").next())).isEqualTo(ErrorCode.BUSY);
        still.pass(Duration.ofSeconds(9));
        assertThat(codeOf(() -> there.get("s").next())).isEqualTo(ErrorCode.BUSY);
        still.pass(Duration.ofSeconds(2));
        assertThat(there.get("s").next()).isEqualTo(2);
        assertThat(openBlocks()).doesNotContain("recall");
    }

    private CounterWriter recalledByAKilledNode() {
        WriterMarks marks = new WriterMarks(7);
        CounterWriter writer = new CounterWriter("s", memory, new TestEnvironment(), marks, new Notices(memory, marks));
        assertThat(writer.drop(stored(), stored().position(), Author.NOBODY))
                .isInstanceOf(CounterWriter.WaitsFor.class);
        return writer;
    }

    private Stored stored() {
        DefinitionRow row = memory.findDefinition("s").orElseThrow();
        return Stored.of(
                row, memory.findCounter(CounterKey.of(row.sequenceId())).orElseThrow());
    }

    // ---- dropped and created anew elsewhere

    /** To look at the old one said NOT_FOUND for ever: nothing but taking a value made room for the new one. */
    @Test
    void state_droppedAndCreatedAnewElsewhere_isOfTheNewOneAfterTheFirstNotFound() {
        SequenceDefinition ordered = SequenceDefinition.ascending().contract(Contract.ORDERED);
        define(ordered);
        assertThat(there.get("s").next()).isEqualTo(1);
        dropAndCreate(ordered);
        assertThat(codeOf(() -> there.get("s").state())).isEqualTo(ErrorCode.NOT_FOUND);
        assertThat(there.get("s").state().generation()).isEqualTo(3);
        dropAndCreate(ordered);
        assertThat(codeOf(() -> there.get("s").peek())).isEqualTo(ErrorCode.NOT_FOUND);
        assertThat(there.get("s").peek()).isEqualTo(1);
    }

    /** It said NOT_FOUND, of a call that creates what is not there. */
    @Test
    void define_droppedAndCreatedAnewElsewhere_findsTheNewOne() {
        SequenceDefinition ordered = SequenceDefinition.ascending().contract(Contract.ORDERED);
        define(ordered);
        assertThat(there.get("s").next()).isEqualTo(1);
        dropAndCreate(ordered);
        assertThat(there.define("s", ordered).next()).isEqualTo(1);
    }

    private void dropAndCreate(SequenceDefinition definition) {
        here.get("s").drop();
        define(definition);
    }
}
