package io.seriatim.verification;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.seriatim.memory.MemoryEventLogStore;
import io.seriatim.store.ApplicationRow;
import io.seriatim.store.Checkpoint;
import io.seriatim.store.EventHeader;
import io.seriatim.store.LogEvent;
import io.seriatim.store.LogOutcome;
import io.seriatim.store.PartitionKey;
import io.seriatim.store.PartitionStore;
import io.seriatim.store.StoreException;
import io.seriatim.store.StoreException.Kind;
import io.seriatim.store.WriteMode;
import io.seriatim.store.WriterMark;
import io.seriatim.verification.FaultyEventLogStore.Call;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class FaultyEventLogStoreTest {

    private static final PartitionKey KEY = new PartitionKey(1, 0);

    private final FaultPlan.Script script = new FaultPlan.Script();
    private final FaultyEventLogStore store = new FaultyEventLogStore(new MemoryEventLogStore(), script);
    private final PartitionStore partition = store.partition(KEY);

    @BeforeEach
    void take() {
        assertThat(partition.take()).isEqualTo(1);
    }

    private LogOutcome append(long offset) {
        EventHeader header = new EventHeader(1, 1, new WriterMark(1, offset), "", new int[] {0}, new long[] {offset});
        return partition.append(1, WriteMode.INSERT_IF_ABSENT, List.of(new LogEvent(offset, 1, header, new byte[0])));
    }

    private static void fails(Kind kind, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.kind()).isEqualTo(kind));
    }

    @Test
    void append_unavailable_failsAndWritesNothing() {
        script.then(Call.APPEND, Fault.none(), Fault.unavailable());
        assertThat(append(1)).isEqualTo(LogOutcome.Applied.APPLIED);
        fails(Kind.UNAVAILABLE, () -> append(2));
        assertThat(partition.lastOffset()).hasValue(1);
        assertThat(store.count(Call.APPEND)).isEqualTo(2);
        assertThat(script.isDone()).isTrue();
    }

    @Test
    void append_unknownApplied_isThereAndItsOwn() {
        script.then(Call.APPEND, Fault.unknownApplied());
        assertThat(append(1)).isInstanceOf(LogOutcome.Unknown.class);
        assertThat(partition.lastOffset()).hasValue(1);
        assertThat(append(1)).isEqualTo(LogOutcome.Applied.APPLIED);
    }

    @Test
    void append_unknownLost_isNotThere() {
        script.then(Call.APPEND, Fault.unknownLost());
        assertThat(append(1)).isInstanceOf(LogOutcome.Unknown.class);
        assertThat(partition.lastOffset()).isEmpty();
    }

    @Test
    void land_appendOnItsWay_isThereOnlyThen() {
        script.then(Call.APPEND, Fault.unknownOnItsWay());
        assertThat(append(1)).isInstanceOf(LogOutcome.Unknown.class);
        assertThat(partition.lastOffset()).isEmpty();
        assertThat(store.onTheirWay()).isEqualTo(1);
        assertThat(store.land()).contains(LogOutcome.Applied.APPLIED);
        assertThat(partition.lastOffset()).hasValue(1);
        assertThat(store.land()).isEmpty();
    }

    /** Why an owner raises its epoch before it believes what it reads. */
    @Test
    void land_afterTheEpochWasRaised_isFenced() {
        script.then(Call.APPEND, Fault.unknownOnItsWay());
        append(1);
        assertThat(partition.renew(1)).isEqualTo(LogOutcome.Applied.APPLIED);
        assertThat(store.land()).contains(new LogOutcome.Fenced(2));
        assertThat(partition.lastOffset()).isEmpty();
    }

    /** The flusher uses its rows again as soon as it has its answer. */
    @Test
    void land_numbersOnTheirWay_areThoseThatWereSent() {
        script.then(Call.WRITE_NUMBERS, Fault.unknownOnItsWay());
        NumberList numbers = new NumberList().with(1, 1, 0, 5);
        assertThat(partition.writeNumbers(1, numbers, 6)).isInstanceOf(LogOutcome.Unknown.class);
        numbers.with(2, 1, 0, 7);
        assertThat(store.land()).contains(LogOutcome.Applied.APPLIED);
        assertThat(EventLogStoreContract.numbers(partition, 1, 0)).containsExactly(1, 5);
        assertThat(EventLogStoreContract.numbers(partition, 2, 0)).containsExactly(0, 0);
        assertThat(partition.checkpoint()).contains(new Checkpoint(6, 1));
    }

    private static ApplicationRow application(long revision, long write) {
        return new ApplicationRow(1, "shop", revision, new WriterMark(1, write), new byte[0]);
    }

    @Test
    void write_unknownApplied_isThereAndItsOwn() {
        script.then(Call.WRITE_APPLICATION, Fault.unavailable(), Fault.unknownLost(), Fault.unknownApplied());
        ApplicationRow row = application(1, 1);
        fails(Kind.UNAVAILABLE, () -> store.write(row));
        assertThat(store.write(row)).isInstanceOf(LogOutcome.Unknown.class);
        assertThat(store.applications()).isEmpty();
        assertThat(store.write(row)).isInstanceOf(LogOutcome.Unknown.class);
        assertThat(store.applications()).containsExactly(row);
        assertThat(store.write(row)).isEqualTo(LogOutcome.Applied.APPLIED);
        assertThat(store.count(Call.WRITE_APPLICATION)).isEqualTo(4);
        assertThat(script.isDone()).isTrue();
    }

    /** An application has no epoch: what is on its way lands unless somebody has written that revision. */
    @Test
    void land_applicationOnItsWay_isRefusedByARevisionThatCameBefore() {
        script.then(Call.WRITE_APPLICATION, Fault.none(), Fault.unknownOnItsWay());
        assertThat(store.write(application(1, 1))).isEqualTo(LogOutcome.Applied.APPLIED);
        assertThat(store.write(application(2, 2))).isInstanceOf(LogOutcome.Unknown.class);
        ApplicationRow other = application(2, 3);
        assertThat(store.write(other)).isEqualTo(LogOutcome.Applied.APPLIED);
        assertThat(store.land()).contains(new LogOutcome.Occupied(other));
        assertThat(store.applications()).containsExactly(other);
    }

    @Test
    void reads_unavailable_fail() {
        script.then(Call.APPLICATIONS, Fault.unavailable())
                .then(Call.KEYED, Fault.unavailable())
                .then(Call.SKIPPED, Fault.unavailable());
        fails(Kind.UNAVAILABLE, store::applications);
        fails(Kind.UNAVAILABLE, () -> partition.keyed(1, "key"));
        fails(Kind.UNAVAILABLE, () -> partition.skipped(1, 1));
        assertThat(store.enforcesEpoch()).isTrue();
    }

    @Test
    void append_syncFailed_stopsTheStore() {
        script.then(Call.APPEND, Fault.syncFailedApplied());
        assertThat(append(1)).isInstanceOf(LogOutcome.Unknown.class);
        assertThat(store.failure()).isPresent();
        fails(Kind.FAILED, partition::lastOffset);
        fails(Kind.FAILED, () -> append(2));
    }

    @Test
    void crash_nextProcess_findsWhatWasWritten() {
        script.then(Call.APPEND, Fault.unknownOnItsWay());
        append(1);
        FaultyEventLogStore next = store.crash(FaultPlan.none());
        fails(Kind.UNAVAILABLE, partition::epoch);
        store.close();
        assertThat(next.land()).contains(LogOutcome.Applied.APPLIED);
        assertThat(next.partition(KEY).lastOffset()).hasValue(1);
        assertThat(next.failure()).isEmpty();
    }

    @Test
    void append_slow_waitsUntilItIsLetGo() throws Exception {
        Hold hold = new Hold();
        script.then(Call.APPEND, Fault.slow(hold));
        ExecutorService caller = Executors.newSingleThreadExecutor();
        try {
            Future<LogOutcome> call = caller.submit(() -> append(1));
            hold.awaitCall();
            assertThat(partition.lastOffset()).isEmpty();
            hold.release();
            assertThat(call.get()).isEqualTo(LogOutcome.Applied.APPLIED);
        } finally {
            caller.shutdownNow();
        }
    }

    @Test
    void read_faultOfWrites_isTheTestsMistake() {
        script.then(Call.TAKE, Fault.unknownLost());
        assertThatThrownBy(partition::take).isInstanceOf(IllegalStateException.class);
    }
}
