package io.seriatim;

import static org.assertj.core.api.Assertions.assertThat;

import io.seriatim.memory.MemoryCounterStore;
import io.seriatim.numbering.Ask;
import io.seriatim.numbering.FormatDefinition;
import io.seriatim.numbering.NumberSequence;
import io.seriatim.numbering.Numbering;
import io.seriatim.numbering.Reset;
import io.seriatim.numbering.Scope;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is told before a sequence ends: how much is left, for how long, and who is to be warned. */
final class WarningTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration DAY = Duration.ofDays(1);
    private static final Offset<Double> CLOSELY = Offset.offset(1e-9);

    private final TestEnvironment environment = new TestEnvironment();
    private final ScriptedStore store = new ScriptedStore(new MemoryCounterStore());
    private final Sequences sequences = open();

    private Sequences open() {
        return Sequences.on(new KeptOpen(store), environment, Duration.ofSeconds(5));
    }

    @AfterEach
    void close() {
        sequences.close();
    }

    private static SequenceDefinition upTo(long max, Contract contract) {
        return SequenceDefinition.ascending().max(max).contract(contract);
    }

    private static OptionalDouble daysLeft(Sequence sequence) {
        return sequence.state().daysLeft();
    }

    // ---- who is warned

    @ParameterizedTest
    @EnumSource(names = {"FAST", "ORDERED"})
    void warnings_asManyLeftAsWarnAt_isWarnedAndNotBefore(Contract contract) {
        Sequence s = sequences.define("s", upTo(10, contract).warnAt(3));
        s.draw(6);
        assertThat(sequences.warnings()).isEmpty();
        s.draw(1);
        assertThat(sequences.warnings()).containsExactly(new Warning("s", "", "", 3, 3, OptionalDouble.empty()));
        assertThat(s.state().warnAt()).hasValue(3);
        s.draw(3);
        assertThat(sequences.warnings()).containsExactly(new Warning("s", "", "", 0, 3, OptionalDouble.of(0)));
        s.alter(SequenceDefinition.changes().max(100));
        assertThat(sequences.warnings()).isEmpty();
        s.alter(SequenceDefinition.changes().warnAt(90));
        assertThat(sequences.warnings()).hasSize(1);
        s.alter(SequenceDefinition.changes().with("warnAt", null));
        assertThat(sequences.warnings()).isEmpty();
        assertThat(s.state().warnAt()).isEmpty();
    }

    /** Values in memory are left still: what counts is what callers have. */
    @Test
    void warnings_aBlockInMemory_isLeft() {
        Sequence s = sequences.define(
                "s", SequenceDefinition.ascending().max(10).cache(10).warnAt(5));
        s.next();
        assertThat(s.state().highWaterMark()).hasValue(10);
        assertThat(sequences.warnings()).isEmpty();
    }

    @Test
    void warnings_severalSequences_thoseWithFewestComeFirst() {
        for (int left = 3; left > 0; left--) {
            sequences.define("s" + left, upTo(10, Contract.ORDERED).warnAt(5)).draw(10 - left);
        }
        sequences.define("none", upTo(10, Contract.ORDERED)).draw(10);
        assertThat(sequences.warnings()).extracting(Warning::sequence).containsExactly("s1", "s2", "s3");
    }

    @Test
    void warnings_storeThatHangs_areToldAllTheSame() throws InterruptedException {
        Sequence s = sequences.define("s", upTo(10, Contract.FAST).warnAt(3));
        s.draw(8);
        environment.hold();
        Thread late = new Thread(() -> s.alter(SequenceDefinition.changes().warnAt(1)));
        late.start();
        while (environment.heldCount() == 0) {
            Thread.onSpinWait();
        }
        assertThat(sequences.warnings()).hasSize(1);
        environment.release();
        late.join();
        assertThat(sequences.warnings()).isEmpty();
    }

    @Test
    void warnings_droppedSequence_isGone() {
        Sequence s = sequences.define("s", upTo(10, Contract.FAST).warnAt(3));
        s.draw(8);
        s.drop();
        assertThat(sequences.warnings()).isEmpty();
    }

    /** One time series a customer would drown everybody; so it is the one with fewest of each sequence. */
    @Test
    void warnings_countersOfASequence_oneForTheFewest() {
        Numbering numbering = Numbering.on(sequences);
        NumberSequence n = numbering.define(
                "n",
                SequenceDefinition.ascending().max(9).warnAt(4),
                FormatDefinition.of("{scope:s}-{seq}").scope(Scope.of("s", 3)));
        for (int count = 4; count < 8; count++) {
            n.next(Ask.NOW.in(Map.of("s", "c" + count)), count);
        }
        List<Warning> warnings = numbering.warnings();
        assertThat(warnings).containsExactly(new Warning("n", "s=c7", "", 2, 4, OptionalDouble.empty()));
        assertThat(n.state(Ask.NOW.in(Map.of("s", "c4"))).remaining()).hasValue(BigInteger.valueOf(5));
    }

    /** Yesterday's numbers nearly ran out, and then the day was over. */
    @Test
    void warnings_periodThatIsOver_isNoMore() {
        Numbering numbering = Numbering.on(sequences);
        environment.pass(Duration.between(environment.now(), Instant.parse("2026-07-09T22:00:00Z")));
        NumberSequence n = numbering.define(
                "n",
                SequenceDefinition.ascending().warnAt(4),
                FormatDefinition.of("{date:yyyyMMdd}-{seq:1!}")
                        .reset(Reset.DAILY)
                        .zone("America/New_York"));
        n.next(Ask.NOW, 8);
        environment.pass(Duration.ofHours(5)); // the day in New York has one hour left
        assertThat(numbering.warnings())
                .containsExactly(new Warning(
                        "n", "", "2026-07-09", 1, 4, n.state(Ask.NOW).daysLeft()));
        environment.pass(Duration.ofHours(1));
        assertThat(numbering.warnings()).isEmpty();
        assertThat(n.state(Ask.NOW).remaining()).hasValue(BigInteger.valueOf(9));
    }

    // ---- for how long

    @ParameterizedTest
    @EnumSource(names = {"FAST", "ORDERED"})
    void daysLeft_steadyRate_isWhatIsLeftByTheRate(Contract contract) {
        Sequence s = sequences.define("s", upTo(1_000, contract));
        s.draw(10);
        environment.pass(MINUTE.minusNanos(1));
        assertThat(daysLeft(s)).as("too early to know").isEmpty();
        environment.pass(DAY.minus(MINUTE).plusNanos(1));
        assertThat(daysLeft(s).orElseThrow()).isCloseTo(99, CLOSELY);
        assertThat(sequences.list("", "", 1).get(0).daysLeft().orElseThrow()).isCloseTo(99, CLOSELY);
    }

    @Test
    void daysLeft_nothingGoesOrNothingIsLeft() {
        Sequence s = sequences.define("s", upTo(1_000, Contract.FAST));
        environment.pass(DAY);
        assertThat(daysLeft(s)).isEmpty();
        s.draw(1_000);
        assertThat(daysLeft(s)).hasValue(0);
        Sequence cycling =
                sequences.define("c", SequenceDefinition.ascending().max(10).cycle(true));
        cycling.draw(25);
        environment.pass(DAY);
        assertThat(daysLeft(cycling)).isEmpty();
    }

    /** The rate of long ago says nothing of the present one; one day and the day before do. */
    @Test
    void daysLeft_rateThatHasChanged_isThatOfTheLastOneOrTwoDays() {
        Sequence s = sequences.define("s", upTo(100_000, Contract.ORDERED));
        for (int day = 0; day < 5; day++) {
            s.draw(1_000);
            environment.pass(DAY);
            daysLeft(s);
        }
        for (int hour = 0; hour < 48; hour++) {
            s.draw(1);
            environment.pass(Duration.ofHours(1));
            daysLeft(s);
        }
        double left = 100_000 - 5_048;
        assertThat(daysLeft(s).orElseThrow()).isCloseTo(left / 24, Offset.offset(left / 24 / 10));
    }

    /** What others take ends the sequence too. */
    @ParameterizedTest
    @EnumSource(names = {"FAST", "ORDERED"})
    void daysLeft_valuesTakenByAnotherNode_count(Contract contract) {
        SequenceDefinition definition = upTo(1_000, contract);
        Sequence here = sequences.define("s", contract == Contract.FAST ? definition.cache(1) : definition);
        try (Sequences others = open()) {
            for (int i = 0; i < 50; i++) {
                here.next();
                others.get("s").next();
            }
            here.next();
            environment.pass(DAY);
            assertThat(daysLeft(here).orElseThrow()).isCloseTo(899 / 101.0, CLOSELY);
        }
    }

    @Test
    void daysLeft_afterAChange_beginsAnew() {
        Sequence s = sequences.define("s", upTo(1_000, Contract.FAST));
        s.draw(100);
        environment.pass(DAY);
        assertThat(daysLeft(s)).isPresent();
        SequenceState changed = s.restart(Restart.at(500));
        assertThat(changed.daysLeft()).isEmpty();
        s.draw(100);
        environment.pass(DAY);
        assertThat(daysLeft(s).orElseThrow()).isCloseTo(401 / 100.0, CLOSELY);
    }

    @Test
    void daysLeft_wholeRangeOfLong_isExactEnough() {
        Sequence s = sequences.define(
                "s",
                SequenceDefinition.ascending()
                        .min(Long.MIN_VALUE)
                        .max(Long.MAX_VALUE)
                        .start(Long.MIN_VALUE));
        s.next();
        environment.pass(DAY);
        assertThat(daysLeft(s).orElseThrow()).isEqualTo(Math.pow(2, 64));
    }
}
