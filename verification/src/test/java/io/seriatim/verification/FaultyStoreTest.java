package io.seriatim.verification;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.seriatim.memory.MemoryCounterStore;
import io.seriatim.store.Change;
import io.seriatim.store.CounterKey;
import io.seriatim.store.CounterRow;
import io.seriatim.store.CounterStore;
import io.seriatim.store.IdempotencyKey;
import io.seriatim.store.StoreException;
import io.seriatim.store.StoreException.Kind;
import io.seriatim.store.WriteOutcome;
import io.seriatim.store.WriterMark;
import io.seriatim.verification.FaultyStore.Call;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

final class FaultyStoreTest {

    private static final CounterKey KEY = CounterKey.of(1);

    private final MemoryCounterStore behind = new MemoryCounterStore();
    private final FaultPlan.Script script = new FaultPlan.Script();
    private final FaultyStore store = new FaultyStore(behind, script);

    private static Change write(long revision) {
        return Change.of(new CounterRow(KEY, 1, 0, revision * 10, false, revision, new WriterMark(1, revision)));
    }

    private static long revision(CounterStore store) {
        return store.findCounter(KEY).map(CounterRow::revision).orElse(0L);
    }

    private static void fails(Kind kind, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.kind()).isEqualTo(kind));
    }

    private static final WriteOutcome APPLIED = new WriteOutcome.Applied();

    @Test
    void apply_unavailable_failsAndWritesNothing() {
        script.then(Call.APPLY, Fault.unavailable());
        fails(Kind.UNAVAILABLE, () -> store.apply(write(1)));
        assertThat(revision(behind)).isZero();
        assertThat(store.apply(write(1))).isEqualTo(APPLIED);
        assertThat(script.isDone()).isTrue();
    }

    @Test
    void apply_outOfSpace_failsAndWorksOnAfterwards() {
        script.then(Call.APPLY, Fault.outOfSpace(), Fault.outOfSpace());
        fails(Kind.UNAVAILABLE, () -> store.apply(write(1)));
        fails(Kind.UNAVAILABLE, () -> store.apply(write(1)));
        assertThat(store.failure()).isEmpty();
        assertThat(store.apply(write(1))).isEqualTo(APPLIED);
    }

    @Test
    void apply_unknownApplied_isThere() {
        script.then(Call.APPLY, Fault.unknownApplied());
        assertThat(store.apply(write(1))).isInstanceOf(WriteOutcome.Unknown.class);
        assertThat(revision(store)).isEqualTo(1);
        assertThat(store.apply(write(1))).isInstanceOf(WriteOutcome.Refused.class);
    }

    @Test
    void apply_unknownLost_isNotThere() {
        script.then(Call.APPLY, Fault.unknownLost());
        assertThat(store.apply(write(1))).isInstanceOf(WriteOutcome.Unknown.class);
        assertThat(revision(store)).isZero();
        assertThat(store.apply(write(1))).isEqualTo(APPLIED);
    }

    /** The one that proves why a read after an unknown outcome proves nothing. */
    @Test
    void land_writeOnItsWay_isThereOnlyThen() {
        script.then(Call.APPLY, Fault.unknownOnItsWay());
        assertThat(store.apply(write(1))).isInstanceOf(WriteOutcome.Unknown.class);
        assertThat(revision(store)).isZero();
        assertThat(store.onTheirWay()).isEqualTo(1);
        assertThat(store.land()).contains(APPLIED);
        assertThat(revision(store)).isEqualTo(1);
        assertThat(store.land()).isEmpty();
    }

    /** A later write over the same revision shuts the door behind it. */
    @Test
    void land_overtakenByALaterWrite_isRefused() {
        script.then(Call.APPLY, Fault.unknownOnItsWay());
        store.apply(write(1));
        assertThat(store.apply(write(1))).isEqualTo(APPLIED);
        assertThat(store.land().orElseThrow()).isInstanceOf(WriteOutcome.Refused.class);
        assertThat(revision(store)).isEqualTo(1);
    }

    @Test
    void land_afterTheCrashOfItsSender_stillLands() {
        script.then(Call.APPLY, Fault.unknownOnItsWay());
        store.apply(write(1));
        FaultyStore next = store.crash(FaultPlan.none());
        assertThat(revision(next)).isZero();
        assertThat(next.land()).contains(APPLIED);
        assertThat(revision(next)).isEqualTo(1);
    }

    @Test
    void crash_oldStore_isUnavailable() {
        store.apply(write(1));
        FaultyStore next = store.crash(FaultPlan.none());
        fails(Kind.UNAVAILABLE, () -> store.apply(write(2)));
        fails(Kind.UNAVAILABLE, () -> store.findCounter(KEY));
        store.close();
        assertThat(next.apply(write(2))).isEqualTo(APPLIED);
    }

    @Test
    void apply_syncFailedApplied_unknownAndStoppedForGood() {
        script.then(Call.APPLY, Fault.syncFailedApplied());
        assertThat(store.apply(write(1))).isInstanceOf(WriteOutcome.Unknown.class);
        assertStopped();
        assertThat(revision(behind)).isEqualTo(1);
    }

    @Test
    void apply_syncFailedLost_unknownAndStoppedForGood() {
        script.then(Call.APPLY, Fault.syncFailedLost());
        assertThat(store.apply(write(1))).isInstanceOf(WriteOutcome.Unknown.class);
        assertStopped();
        assertThat(revision(behind)).isZero();
    }

    private void assertStopped() {
        assertThat(store.failure().orElseThrow().kind()).isEqualTo(Kind.FAILED);
        fails(Kind.FAILED, () -> store.apply(write(2)));
        fails(Kind.FAILED, () -> store.findDefinition("x"));
        fails(Kind.FAILED, () -> store.listDefinitions("", "", 1));
        fails(Kind.FAILED, () -> store.findCounter(KEY));
        fails(Kind.FAILED, () -> store.findIdempotency(new IdempotencyKey(1, "", "")));
        fails(Kind.FAILED, () -> store.listCounters(1, Optional.empty(), 1));
        fails(Kind.FAILED, () -> store.listLedger(KEY, 1, 1));
    }

    @Test
    void apply_slow_waitsForItsRelease() throws Exception {
        Hold hold = new Hold();
        script.then(Call.APPLY, Fault.slow(hold));
        ExecutorService executor = Executors.newSingleThreadExecutor();
        try {
            Future<WriteOutcome> slow = executor.submit(() -> store.apply(write(1)));
            hold.awaitCall();
            assertThat(slow.isDone()).isFalse();
            assertThat(revision(store)).isZero();
            hold.release();
            assertThat(slow.get(60, TimeUnit.SECONDS)).isEqualTo(APPLIED);
        } finally {
            hold.release();
            executor.shutdown();
        }
    }

    @Test
    void reads_faults_areOfTheirOwnKindOfCall() {
        script.then(Call.FIND_COUNTER, Fault.none(), Fault.unavailable());
        assertThat(revision(store)).isZero();
        assertThat(store.findDefinition("x")).isEmpty();
        fails(Kind.UNAVAILABLE, () -> store.findCounter(KEY));
        assertThat(revision(store)).isZero();
    }

    @Test
    void reads_faultForWritesOnly_isAMistakeOfTheTest() {
        script.then(Call.FIND_COUNTER, Fault.unknownApplied());
        assertThatThrownBy(() -> store.findCounter(KEY)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void count_eachCall_byKindAndWhateverCameOfIt() {
        script.then(Call.APPLY, Fault.unavailable());
        fails(Kind.UNAVAILABLE, () -> store.apply(write(1)));
        store.apply(write(1));
        store.findCounter(KEY);
        store.findDefinition("x");
        store.findDefinition("y");
        store.listDefinitions("", "", 1);
        store.listCounters(1, Optional.empty(), 1);
        store.listLedger(KEY, 1, 1);
        store.findIdempotency(new IdempotencyKey(1, "", ""));
        assertThat(store.count(Call.APPLY)).isEqualTo(2);
        assertThat(store.count(Call.FIND_COUNTER)).isEqualTo(1);
        assertThat(store.count(Call.FIND_DEFINITION)).isEqualTo(2);
        assertThat(store.count(Call.LIST_DEFINITIONS)).isEqualTo(1);
        assertThat(store.count(Call.LIST_COUNTERS)).isEqualTo(1);
        assertThat(store.count(Call.LIST_LEDGER)).isEqualTo(1);
        assertThat(store.count(Call.FIND_IDEMPOTENCY)).isEqualTo(1);
    }

    @Test
    void seeded_sameSeed_sameFaults() {
        List<Fault> faults = List.of(Fault.unavailable(), Fault.unknownApplied(), Fault.unknownLost());
        assertThat(drawn(7, 50, faults)).isEqualTo(drawn(7, 50, faults)).isNotEqualTo(drawn(8, 50, faults));
        assertThat(drawn(7, 50, faults)).containsAll(faults).contains(Fault.none());
        assertThat(drawn(7, 0, faults)).containsOnly(Fault.none());
        assertThat(drawn(7, 100, faults)).doesNotContain(Fault.none());
    }

    @Test
    void seeded_reads_meetNoFaultThatOnlyWritesCanMeet() {
        FaultPlan plan = FaultPlan.seeded(7, 100, List.of(Fault.unknownLost(), Fault.unavailable()));
        for (int i = 0; i < 100; i++) {
            assertThat(plan.next(Call.FIND_COUNTER)).isEqualTo(Fault.unavailable());
        }
        assertThat(FaultPlan.seeded(7, 100, List.of(Fault.unknownLost())).next(Call.FIND_COUNTER))
                .isEqualTo(Fault.none());
    }

    private static List<Fault> drawn(long seed, int rate, List<Fault> faults) {
        FaultPlan plan = FaultPlan.seeded(seed, rate, faults);
        List<Fault> drawn = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            drawn.add(plan.next(Call.APPLY));
        }
        return drawn;
    }
}
