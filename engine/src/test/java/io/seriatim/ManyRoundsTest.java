package io.seriatim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.seriatim.memory.MemoryCounterStore;
import java.time.Duration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Draws over many wraps. A large one on a short round built one run a round until the heap ended. */
final class ManyRoundsTest {

    private static final long HUGE = 1L << 40;

    private final TestEnvironment environment = new TestEnvironment();
    private final ScriptedStore store = new ScriptedStore(new MemoryCounterStore());
    private final Sequences sequences = open();

    private Sequences open() {
        return Sequences.on(new KeptOpen(store), environment, Duration.ofSeconds(5));
    }

    /** With a block of ten where there are blocks. */
    private static SequenceDefinition ofTen(Contract contract) {
        SequenceDefinition definition = SequenceDefinition.ascending().contract(contract);
        return contract == Contract.FAST ? definition.cache(10) : definition;
    }

    @AfterEach
    void close() {
        sequences.close();
    }

    private static void assertOutOfRange(ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOfSatisfying(BadDefinitionException.class, e -> {
            assertThat(e.code()).isEqualTo(ErrorCode.OUT_OF_RANGE);
            assertThat(e.option()).isEqualTo("count");
        });
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "GAPLESS")
    void draw_moreRoundsThanOneCallTakes_isRefusedAndTakesNothing(Contract contract) {
        Sequence s = sequences.define(
                "s", SequenceDefinition.ascending().max(2).cycle(true).contract(contract));
        assertOutOfRange(() -> s.draw(HUGE));
        assertOutOfRange(() -> s.draw(20_001));
        assertOutOfRange(() -> s.draw(Long.MAX_VALUE, new RequestKey("", "k")));
        assertThat(s.next()).isEqualTo(1);
        assertThat(s.state().lastValue()).hasValue(1);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "GAPLESS")
    void draw_asManyRoundsAsOneCallTakes_isAnsweredFromAnyPlace(Contract contract) {
        Sequence s = sequences.define(
                "s", SequenceDefinition.ascending().max(2).cycle(true).contract(contract));
        assertThat(s.next()).isEqualTo(1);
        Draw draw = s.draw(20_000);
        assertThat(draw.count()).isEqualTo(20_000);
        assertThat(draw.blocks()).hasSize(10_001).contains(new Block(2, 1, 1), new Block(1, 1, 2), new Block(1, 1, 1));
        assertThat(s.next()).isEqualTo(2);
    }

    /** Without a short round no count is too large. */
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "GAPLESS")
    void draw_hugeCountThatFewRoundsHold_isAnswered(Contract contract) {
        Sequence s = sequences.define(
                "s", SequenceDefinition.ascending().max(HUGE).cycle(true).contract(contract));
        assertThat(s.draw(3 * HUGE).blocks()).hasSize(3);
        Sequence whole =
                sequences.define("whole", SequenceDefinition.ascending().contract(contract));
        assertThat(whole.draw(Long.MAX_VALUE).blocks()).containsExactly(new Block(1, 1, Long.MAX_VALUE));
    }

    /** The call was let in by a definition that another process has changed before the write. */
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "GAPLESS")
    void draw_roundMadeShortElsewhereMeanwhile_isRefusedAndTakesNothing(Contract contract) {
        Sequence s = sequences.define("s", ofTen(contract));
        assertThat(s.next()).isEqualTo(1);
        try (Sequences others = open()) {
            SequenceDefinition shorter = SequenceDefinition.changes().max(10).cycle(true);
            store.beforeNextWrite(() -> others.get("s").alter(shorter));
            assertOutOfRange(() -> s.draw(HUGE));
        }
        assertThat(s.next()).isEqualTo(nextAfterTheChange(contract));
    }

    /** The same for values of one run: the call would have fetched rounds for ever. */
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "GAPLESS")
    void next_roundMadeShortElsewhereMeanwhile_isRefusedAndTakesNothing(Contract contract) {
        Sequence s = sequences.define("s", ofTen(contract));
        assertThat(s.next()).isEqualTo(1);
        try (Sequences others = open()) {
            SequenceDefinition shorter = SequenceDefinition.changes().max(10).cycle(true);
            store.beforeNextWrite(() -> others.get("s").alter(shorter));
            assertOutOfRange(() -> s.next(50));
        }
        assertThat(s.next()).isEqualTo(nextAfterTheChange(contract));
    }

    /** A block of ten was taken, and is over with its generation: the next round begins. */
    private static long nextAfterTheChange(Contract contract) {
        return contract == Contract.FAST ? 1 : 2;
    }
}
