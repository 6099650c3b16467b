package io.seriatim.verification;

import static org.assertj.core.api.Assertions.assertThat;

import io.seriatim.verification.HistoryEvent.Answered;
import io.seriatim.verification.HistoryEvent.Change;
import io.seriatim.verification.HistoryEvent.Changed;
import io.seriatim.verification.HistoryEvent.Changing;
import io.seriatim.verification.HistoryEvent.Contract;
import io.seriatim.verification.HistoryEvent.Crashed;
import io.seriatim.verification.HistoryEvent.Defined;
import io.seriatim.verification.HistoryEvent.Failed;
import io.seriatim.verification.HistoryEvent.Invoked;
import io.seriatim.verification.HistoryEvent.Run;
import io.seriatim.verification.HistoryEvent.Started;
import io.seriatim.verification.HistoryEvent.State;
import io.seriatim.verification.HistoryEvent.Stopped;
import io.seriatim.verification.HistoryEvent.Varying;
import io.seriatim.verification.HistoryEvent.Wish;
import io.seriatim.verification.Report.Rule;
import io.seriatim.verification.Report.Verdict;
import io.seriatim.verification.Report.Violation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A checker that finds nothing is worth what it would have found: each test breaks one thing of a good history. */
final class HistoryCheckerTest {

    private static final HistoryChecker.Demand LITTLE = new HistoryChecker.Demand(1, 0);
    private static final long CACHE = 10;

    private final List<HistoryEvent> history = new ArrayList<>();
    private long calls;

    HistoryCheckerTest() {
        define("up", 1, 1, 1_000_000, 1);
        define("down", -1, -1_000_000, -1, -3);
        history.add(new Defined("ordered", Contract.ORDERED, 1, 1, 1, 1_000_000, 1, OptionalLong.empty()));
        history.add(new Defined("auto", Contract.FAST, 1, 1, 1, 1_000_000, 1, OptionalLong.empty()));
        history.add(new Started(0));
    }

    // ---- good ones

    @Test
    void valuesOneAfterAnother_areValid() {
        for (long value = 1; value <= 100; value++) {
            next("up", value);
            next("down", 2 - 3 * value);
        }
        assertThat(check().violations()).isEmpty();
    }

    @Test
    void overlappingCalls_inAnyOrder_areValid() {
        long first = ask("up", 1);
        long second = ask("up", 1);
        answer(second, run(1, 1));
        answer(first, run(2, 2));
        assertThat(check().verdict()).isEqualTo(Verdict.VALID);
    }

    @Test
    void runsFromTwoBlocks_areValid() {
        next("up", 1);
        answer(ask("up", 5), run(2, 3), run(7, 9));
        next("up", 10);
        assertThat(check().verdict()).isEqualTo(Verdict.VALID);
    }

    @Test
    void killWithTwoBlocksInMemory_isValid() {
        next("up", 1);
        crash();
        next("up", 2 + 2 * CACHE);
        Report report = check();
        assertThat(report.violations()).isEmpty();
        assertThat(report.missingAtCrash()).isEqualTo(2 * CACHE);
    }

    @Test
    void callWithoutAnswer_mayHaveTakenItsValues() {
        next("up", 1);
        ask("up", 1);
        ask("up", 5);
        next("up", 8);
        stop();
        next("up", 9);
        assertThat(check().violations()).isEmpty();
    }

    @Test
    void lifeWithoutValues_addsToWhatMayBeMissing() {
        next("up", 1);
        crash();
        crash();
        next("up", 2 + 4 * CACHE);
        assertThat(check().violations()).isEmpty();
    }

    @Test
    void wholeRangeOfLong_isExact() {
        history.add(
                0,
                new Defined(
                        "wide",
                        Contract.FAST,
                        1,
                        Long.MIN_VALUE,
                        Long.MIN_VALUE,
                        Long.MAX_VALUE,
                        1,
                        OptionalLong.empty()));
        next("wide", Long.MIN_VALUE);
        next("wide", Long.MAX_VALUE);
        crash();
        next("up", 1);
        assertThat(check().violations()).isEmpty();
    }

    // ---- broken ones

    @Test
    void sameValueForTwoOverlappingCalls_isNotUnique() {
        long first = ask("up", 1);
        long second = ask("up", 1);
        answer(first, run(1, 1));
        answer(second, run(1, 1));
        assertBroken(Rule.UNIQUE);
    }

    @Test
    void sameValueAfterCrash_isNotUnique() {
        next("up", 1);
        next("up", 2);
        crash();
        next("up", 2);
        assertBroken(Rule.UNIQUE);
    }

    @ParameterizedTest
    @ValueSource(longs = {3, 4, 5, 6, 7})
    void valueInsideOfRun_isNotUnique(long value) {
        long single = ask("up", 1);
        answer(ask("up", 5), run(3, 7));
        answer(single, run(value, value));
        assertBroken(Rule.UNIQUE);
    }

    @Test
    void runAroundGivenValue_isNotUnique() {
        long many = ask("up", 5);
        next("up", 5);
        answer(many, run(3, 7));
        assertBroken(Rule.UNIQUE);
    }

    @Test
    void runShiftedByOne_isNotUnique() {
        answer(ask("up", 5), run(1, 5));
        answer(ask("up", 5), run(5, 9));
        assertBroken(Rule.UNIQUE);
    }

    @Test
    void sameValueDownwards_isNotUnique() {
        next("down", -1);
        next("down", -4);
        crash();
        next("down", -4);
        assertBroken(Rule.UNIQUE);
    }

    @Test
    void swappedAnswers_areOutOfOrder() {
        next("up", 2);
        next("up", 1);
        assertBroken(Rule.ORDER);
    }

    @Test
    void swappedAnswersDownwards_areOutOfOrder() {
        next("down", -4);
        next("down", -1);
        assertBroken(Rule.ORDER);
    }

    @Test
    void runsOfOneAnswerSwapped_areOutOfOrder() {
        answer(ask("up", 4), run(3, 4), run(1, 2));
        assertBroken(Rule.ORDER);
    }

    @Test
    void lowerUnusedValueAfterCrash_isOutOfOrder() {
        next("up", 1);
        next("up", 5);
        crash();
        next("up", 3);
        assertBroken(Rule.ORDER);
    }

    @Test
    void lowerUnusedValueAfterCleanStop_isOutOfOrder() {
        next("up", 5);
        stop();
        next("up", 4);
        assertBroken(Rule.ORDER);
    }

    @Test
    void valueAboveMax_isOutOfRange() {
        next("up", 1_000_001);
        assertBroken(Rule.RANGE);
    }

    @Test
    void valueBelowStart_isOutOfRange() {
        next("up", 0);
        assertBroken(Rule.RANGE);
    }

    @Test
    void valueBesideTheIncrements_isOutOfRange() {
        next("down", -1);
        next("down", -3);
        assertBroken(Rule.RANGE);
    }

    @Test
    void runAgainstTheDirection_isOutOfRange() {
        answer(ask("down", 3), run(-7, -1));
        assertBroken(Rule.RANGE);
    }

    @Test
    void tailLostAtCleanStop_isAHole() {
        next("up", 1);
        stop();
        next("up", 3);
        assertBroken(Rule.HOLES);
    }

    @Test
    void moreThanTwoBlocksLostAtKill_isAHole() {
        next("up", 1);
        crash();
        next("up", 3 + 2 * CACHE);
        assertBroken(Rule.HOLES);
    }

    @Test
    void valuePassedOverAmongSingleCalls_isAHole() {
        next("up", 1);
        next("up", 3);
        stop();
        next("up", 4);
        assertBroken(Rule.HOLES);
    }

    @Test
    void startPassedOver_isAHole() {
        next("up", 2);
        stop();
        next("up", 3);
        assertBroken(Rule.HOLES);
    }

    @Test
    void answerTurnedIntoARefusal_isAHole() {
        next("up", 1);
        next("up", 2);
        next("up", 3);
        stop();
        next("up", 4);
        history.replaceAll(
                event -> event instanceof Answered answer && answer.call() == 2 ? new Failed(2, "BUSY") : event);
        assertBroken(Rule.HOLES);
    }

    @Test
    void failedCall_thatTookAValue_isAHole() {
        next("up", 1);
        history.add(new Failed(ask("up", 1), "STORE_UNAVAILABLE"));
        next("up", 3);
        stop();
        next("up", 4);
        assertBroken(Rule.HOLES);
    }

    @Test
    void fewerValuesThanAskedFor_areNoAnswer() {
        answer(ask("up", 5), run(1, 4));
        assertBroken(Rule.ANSWER);
    }

    @Test
    void valuesOfAnotherSequence_areFound() {
        answer(ask("up", 1), run(1, 1));
        answer(ask("down", 1), run(2, 2));
        assertBroken(Rule.RANGE);
    }

    @Test
    void answerWithoutCall_isNoAnswer() {
        answer(99, run(1, 1));
        assertBroken(Rule.ANSWER);
    }

    @Test
    void answerOfAnotherGeneration_isNoAnswer() {
        long call = ask("up", 1);
        history.add(new Answered(call, OptionalLong.of(2), List.of(run(1, 1))));
        assertBroken(Rule.ANSWER);
    }

    // ---- ordered

    @Test
    void ordered_nothingLost_isValid() {
        next("ordered", 1);
        long first = ask("ordered", 2);
        long second = ask("ordered", 1);
        answer(second, run(4, 4));
        answer(first, run(2, 3));
        crash();
        next("ordered", 5);
        assertThat(check().verdict()).isEqualTo(Verdict.VALID);
    }

    @Test
    void ordered_killLosesTheCallsInFlight_isValid() {
        next("ordered", 1);
        ask("ordered", 1);
        ask("ordered", 3);
        crash();
        next("ordered", 6);
        assertThat(check().violations()).isEmpty();
    }

    @Test
    void ordered_killLosesMoreThanTheCallsInFlight_isAHole() {
        next("ordered", 1);
        ask("ordered", 1);
        ask("ordered", 3);
        crash();
        next("ordered", 7);
        assertBroken(Rule.HOLES);
    }

    @Test
    void ordered_valuePassedOverBeforeTheCallThatIsLostBegan_isAHole() {
        next("ordered", 1);
        next("ordered", 3);
        ask("ordered", 1);
        crash();
        next("ordered", 4);
        assertBroken(Rule.HOLES);
    }

    @Test
    void ordered_callThatGaveUp_mayHaveBurntItsValue() {
        history.add(new Failed(ask("ordered", 1), "BUSY"));
        history.add(new Failed(ask("ordered", 1), "OUTCOME_UNKNOWN"));
        next("ordered", 3);
        assertThat(check().violations()).isEmpty();
        history.add(new Failed(ask("ordered", 1), "NOT_SENT"));
        next("ordered", 5);
        assertBroken(Rule.HOLES);
    }

    @Test
    void ordered_lesserValueFromAnotherProcess_isOutOfOrder() {
        start(1);
        next(0, "ordered", 2);
        next(1, "ordered", 1);
        assertBroken(Rule.ORDER);
    }

    // ---- several processes

    @Test
    void fast_blocksOfTwoProcesses_areValid() {
        start(1);
        next(1, "up", 11);
        next(0, "up", 1);
        next(1, "up", 12);
        next(0, "up", 2);
        assertThat(check().verdict()).isEqualTo(Verdict.VALID);
    }

    @Test
    void fast_lesserValueFromTheSameProcess_isOutOfOrder() {
        start(1);
        next(1, "up", 11);
        next(0, "up", 2);
        next(1, "up", 3);
        assertBroken(Rule.ORDER);
    }

    @Test
    void fast_lesserValueFromALifeThatBeganLater_isOutOfOrder() {
        start(1);
        next(0, "up", 11);
        history.add(new Crashed(1));
        start(1);
        next(1, "up", 3);
        assertBroken(Rule.ORDER);
    }

    @Test
    void fast_sameValueFromTwoProcesses_isNotUnique() {
        start(1);
        next(0, "up", 1);
        next(1, "up", 1);
        assertBroken(Rule.UNIQUE);
    }

    @Test
    void fast_moreLostThanTwoBlocksOfEachLife_isAHole() {
        start(1);
        next(0, "up", 1);
        next(1, "up", 2 + 4 * CACHE);
        assertThat(check().violations()).isEmpty();
        next(1, "up", 4 + 4 * CACHE);
        assertBroken(Rule.HOLES);
    }

    @Test
    void callsOfAKilledProcess_areLost_andThoseOfTheOtherAreNot() {
        start(1);
        long goesOn = ask(0, "ordered", 1, Optional.empty());
        ask(1, "ordered", 1, Optional.empty());
        history.add(new Crashed(1));
        start(1);
        answer(goesOn, run(1, 1));
        next(1, "ordered", 3);
        Report report = check();
        assertThat(report.violations()).isEmpty();
        assertThat(report.unanswered()).isEqualTo(1);
    }

    // ---- keys

    @Test
    void sameValuesForAKeyAfterACrash_areValid() {
        answer(askWithKey("up", 2, "a"), run(1, 2));
        next("up", 3);
        crash();
        answer(askWithKey("up", 2, "a"), run(1, 2));
        Report report = check();
        assertThat(report.violations()).isEmpty();
        assertThat(report.repeated()).isEqualTo(1);
        assertThat(report.values()).isEqualTo(3);
    }

    @Test
    void otherValuesForAKeyAfterACrash_areFound() {
        answer(askWithKey("up", 1, "a"), run(1, 1));
        crash();
        answer(askWithKey("up", 1, "a"), run(2, 2));
        assertBroken(Rule.KEY);
    }

    @Test
    void keyWithoutAnswer_getsAnOldValueAfterTheCrash() {
        next("ordered", 1);
        askWithKey("ordered", 1, "a");
        next("ordered", 3);
        crash();
        answer(askWithKey("ordered", 1, "a"), run(2, 2));
        next("ordered", 4);
        Report report = check();
        assertThat(report.violations()).isEmpty();
        assertThat(report.settled()).isEqualTo(1);
    }

    @Test
    void keyWithoutAnswer_getsAValueOlderThanItsFirstCall_isOutOfOrder() {
        next("auto", 1);
        next("auto", 3);
        askWithKey("auto", 1, "a");
        crash();
        answer(askWithKey("auto", 1, "a"), run(2, 2));
        assertBroken(Rule.ORDER);
    }

    @Test
    void valueOfAKeyForAnotherCall_isNotUnique() {
        answer(askWithKey("up", 1, "a"), run(1, 1));
        crash();
        answer(askWithKey("up", 1, "b"), run(1, 1));
        assertBroken(Rule.UNIQUE);
    }

    // ---- varying

    private static final String VARYING = "varying";

    @Test
    void varying_everyKindOfChange_isValid() {
        vary();
        change(0, Change.CREATE, OptionalLong.empty(), 1, Contract.FAST);
        start(1);
        of(0, 1, 1, 3);
        of(1, 1, 11, 11);
        change(0, Change.FORWARD, OptionalLong.of(50), 2, Contract.FAST);
        of(0, 2, 50, 52);
        of(1, 1, 12, 12);
        change(0, Change.TO_ORDERED, OptionalLong.empty(), 3, Contract.ORDERED);
        of(1, 3, 53, 53);
        of(0, 3, 54, 55);
        change(1, Change.TO_FAST, OptionalLong.empty(), 4, Contract.FAST);
        of(1, 4, 56, 56);
        change(0, Change.BACK, OptionalLong.of(1), 5, Contract.FAST);
        of(1, 5, 11, 11);
        of(0, 5, 1, 2);
        drop(1);
        change(0, Change.CREATE, OptionalLong.empty(), 7, Contract.FAST);
        of(0, 7, 1, 1);
        Report report = check(new HistoryChecker.Demand(1, 0, 7));
        assertThat(report.violations()).isEmpty();
        assertThat(report.changes()).isEqualTo(7);
        assertThat(report.verdict()).isEqualTo(Verdict.VALID);
    }

    @Test
    void varying_sameValueInOneGeneration_isNotUnique() {
        vary();
        start(1);
        of(0, 1, 1, 3);
        of(1, 1, 3, 3);
        assertBroken(Rule.UNIQUE);
    }

    @Test
    void varying_oldValueAfterARestartBackWasAnswered_isOfTheWrongGeneration() {
        vary();
        start(1);
        of(1, 1, 1, 1);
        change(0, Change.BACK, OptionalLong.of(1), 2, Contract.FAST);
        of(1, 1, 2, 2);
        assertBroken(Rule.GENERATION);
    }

    @Test
    void varying_oldValueToACallThatBeganBefore_isValid() {
        vary();
        start(1);
        of(1, 1, 1, 1);
        long call = ask(1, VARYING, 1, Optional.empty());
        change(0, Change.BACK, OptionalLong.of(1), 2, Contract.FAST);
        history.add(new Answered(call, OptionalLong.of(1), List.of(run(2, 2))));
        assertThat(check().violations()).isEmpty();
    }

    @Test
    void varying_oldValueAfterAChangeWhoseAnswerIsLost_isValid() {
        vary();
        start(1);
        of(1, 1, 1, 1);
        history.add(new Changing(++calls, 0, VARYING, Change.BACK, OptionalLong.of(1)));
        of(1, 1, 2, 2);
        history.add(new Failed(calls - 1, "BUSY"));
        of(1, 1, 3, 3);
        assertThat(check().violations()).isEmpty();
    }

    @Test
    void varying_oldValueAfterADropWasAnswered_isOfTheWrongGeneration() {
        vary();
        start(1);
        of(1, 1, 1, 1);
        drop(0);
        of(1, 1, 2, 2);
        assertBroken(Rule.GENERATION);
    }

    @Test
    void varying_oldValueAfterAChangeToOrdered_isOfTheWrongGeneration() {
        vary();
        start(1);
        of(1, 1, 1, 1);
        change(0, Change.TO_ORDERED, OptionalLong.empty(), 2, Contract.ORDERED);
        of(1, 1, 2, 2);
        assertBroken(Rule.GENERATION);
    }

    @Test
    void varying_oldValueFromTheServerThatHasChangedIt_isOfTheWrongGeneration() {
        vary();
        of(0, 1, 1, 1);
        change(0, Change.FORWARD, OptionalLong.of(50), 2, Contract.FAST);
        of(0, 1, 2, 2);
        assertBroken(Rule.GENERATION);
    }

    @Test
    void varying_oldValueFromAServerStartedAfterTheChange_isOfTheWrongGeneration() {
        vary();
        of(0, 1, 1, 1);
        change(0, Change.FORWARD, OptionalLong.of(50), 2, Contract.FAST);
        start(1);
        of(1, 1, 2, 2);
        assertBroken(Rule.GENERATION);
    }

    /** Which is ordered is learnt from a change whose answer comes after the values. */
    @Test
    void varying_oldValueOfAnOrderedGenerationAfterANewerOne_isOfTheWrongGeneration() {
        vary();
        start(1);
        change(0, Change.CREATE, OptionalLong.empty(), 1, Contract.ORDERED);
        long change = ++calls;
        history.add(new Changing(change, 0, VARYING, Change.FORWARD, OptionalLong.of(50)));
        of(0, 2, 50, 50);
        of(1, 1, 1, 1);
        history.add(new Changed(change, Optional.of(new State(2, Contract.ORDERED))));
        assertBroken(Rule.GENERATION);
    }

    @Test
    void varying_lesserValueOfAnOrderedGeneration_isOutOfOrder() {
        vary();
        start(1);
        change(0, Change.CREATE, OptionalLong.empty(), 1, Contract.ORDERED);
        of(0, 1, 2, 2);
        of(1, 1, 1, 1);
        assertBroken(Rule.ORDER);
    }

    @Test
    void varying_lesserValueOfAnotherServerUnderFast_isValidAndOfTheSameOneOutOfOrder() {
        vary();
        start(1);
        of(0, 1, 11, 11);
        of(1, 1, 1, 1);
        assertThat(check().violations()).isEmpty();
        of(0, 1, 5, 5);
        assertBroken(Rule.ORDER);
    }

    @Test
    void varying_valueFromAServerStartedAfterAGreaterOneWasReturned_isOutOfOrder() {
        vary();
        of(0, 1, 11, 11);
        start(1);
        of(1, 1, 1, 1);
        assertBroken(Rule.ORDER);
    }

    /** Nothing comes twice where a change goes on, whichever server has had what in memory. */
    @Test
    void varying_valueThatAnEarlierGenerationGave_afterAChangeThatGoesOn_isOutOfOrder() {
        vary();
        start(1);
        of(0, 1, 1, 1);
        of(1, 1, 11, 11);
        change(0, Change.TO_ORDERED, OptionalLong.empty(), 2, Contract.ORDERED);
        of(0, 2, 11, 11);
        assertBroken(Rule.ORDER);
    }

    @Test
    void varying_valueBeforeTheOneThatWasToComeNext_isOutOfRange() {
        vary();
        change(0, Change.FORWARD, OptionalLong.of(50), 2, Contract.FAST);
        of(0, 2, 49, 49);
        assertBroken(Rule.RANGE);
    }

    @Test
    void varying_fewerValuesThanAskedFor_areNoAnswer() {
        vary();
        long call = ask(0, VARYING, 3, Optional.empty());
        history.add(new Answered(call, OptionalLong.of(1), List.of(run(1, 2))));
        assertBroken(Rule.ANSWER);
    }

    @Test
    void varying_fewChanges_proveNothing() {
        vary();
        of(0, 1, 1, 1);
        assertThat(check(new HistoryChecker.Demand(1, 0, 1)).verdict()).isEqualTo(Verdict.UNKNOWN);
    }

    private void vary() {
        history.add(0, new Varying(VARYING));
    }

    private void change(int process, Change change, OptionalLong value, long generation, Contract contract) {
        calls++;
        history.add(new Changing(calls, process, VARYING, change, value));
        history.add(new Changed(calls, Optional.of(new State(generation, contract))));
    }

    private void drop(int process) {
        calls++;
        history.add(new Changing(calls, process, VARYING, Change.DROP, OptionalLong.empty()));
        history.add(new Changed(calls, Optional.empty()));
    }

    private void of(int process, long generation, long first, long last) {
        long call = ask(process, VARYING, last - first + 1, Optional.empty());
        history.add(new Answered(call, OptionalLong.of(generation), List.of(run(first, last))));
    }

    // ---- too little

    @Test
    void noCrash_provesNothing() {
        next("up", 1);
        assertThat(check(new HistoryChecker.Demand(1, 1)).verdict()).isEqualTo(Verdict.UNKNOWN);
    }

    @Test
    void fewCalls_proveNothing() {
        next("up", 1);
        crash();
        assertThat(check(new HistoryChecker.Demand(2, 1)).verdict()).isEqualTo(Verdict.UNKNOWN);
    }

    // ---- the file

    @Test
    void everyEvent_comesBackFromItsLine() {
        next("up", 1);
        ask("down", 5);
        history.add(new Failed(2, "BUSY"));
        answer(ask("up", 4), run(2, 3), run(7, 8));
        answer(askWithKey("ordered", 1, "a"), run(1, 1));
        vary();
        start(1);
        change(1, Change.FORWARD, OptionalLong.of(7), 2, Contract.ORDERED);
        drop(1);
        crash();
        stop();
        assertThat(history)
                .allSatisfy(event -> assertThat(HistoryFormat.parse(HistoryFormat.line(event)))
                        .isEqualTo(event));
    }

    // ---- saying it

    private void define(String name, long start, long min, long max, long increment) {
        history.add(new Defined(name, Contract.FAST, 1, start, min, max, increment, OptionalLong.of(CACHE)));
    }

    private long ask(String sequence, long count) {
        return ask(0, sequence, count, Optional.empty());
    }

    private long ask(int process, String sequence, long count, Optional<String> key) {
        calls++;
        history.add(new Invoked(calls, process, sequence, Wish.EXACTLY, count, key));
        return calls;
    }

    private void next(int process, String sequence, long value) {
        answer(ask(process, sequence, 1, Optional.empty()), run(value, value));
    }

    private long askWithKey(String sequence, long count, String key) {
        return ask(0, sequence, count, Optional.of(key));
    }

    private void start(int process) {
        history.add(new Started(process));
    }

    private void answer(long call, Run... runs) {
        history.add(new Answered(call, OptionalLong.of(1), List.of(runs)));
    }

    private void next(String sequence, long value) {
        answer(ask(sequence, 1), run(value, value));
    }

    private static Run run(long first, long last) {
        return new Run(first, last);
    }

    private void crash() {
        history.add(new Crashed(0));
        history.add(new Started(0));
    }

    private void stop() {
        history.add(new Stopped(0));
        history.add(new Started(0));
    }

    private Report check() {
        return check(LITTLE);
    }

    private Report check(HistoryChecker.Demand demand) {
        HistoryChecker checker = new HistoryChecker(demand);
        history.forEach(checker::accept);
        return checker.report();
    }

    private void assertBroken(Rule rule) {
        Report report = check();
        assertThat(report.verdict()).isEqualTo(Verdict.INVALID);
        assertThat(report.violations()).extracting(Violation::rule).contains(rule);
    }
}
