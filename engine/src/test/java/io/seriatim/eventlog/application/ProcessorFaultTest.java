package io.seriatim.eventlog.application;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.seriatim.Environment;
import io.seriatim.ErrorCode;
import io.seriatim.SystemEnvironment;
import io.seriatim.TestEnvironment;
import io.seriatim.eventlog.EventLogException;
import io.seriatim.eventlog.SequencerSettings;
import io.seriatim.eventlog.application.ForwardingStore.Call;
import io.seriatim.memory.MemoryEventLogStore;
import io.seriatim.store.DerivedRows;
import io.seriatim.store.LogOutcome;
import io.seriatim.store.PartitionKey;
import io.seriatim.store.PartitionStore;
import io.seriatim.store.RegistryRow;
import io.seriatim.store.StoreException;
import io.seriatim.store.WorkspaceEvent;
import io.seriatim.store.WriteMode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Commands while something is wrong: stores, projectors, other owners, too many callers, the end. */
class ProcessorFaultTest {

    private static final Duration WAIT = Duration.ofSeconds(20);
    /** For a close that waits half a second twice, for the turn and for the last write, on a machine that has other work. */
    private static final Duration BOUND = Duration.ofSeconds(15);

    private static final SequencerSettings SEQUENCER = SequencerSettings.usual()
            .withWaits(Duration.ofMillis(1), Duration.ofMillis(10), Duration.ofMillis(500), Duration.ofMillis(500));
    private static final ApplicationDefinition SHOP = ApplicationDefinition.ofPartitions(1)
            .kind("shop", "RecordID", 200_001)
            .type("order", RecordKind.ODOC)
            .type("item", RecordKind.ORECORD)
            .type("customer", RecordKind.CDOC)
            .singleton("settings");

    /** A store whose calls of one kind can be broken or held. */
    private static final class Store extends ForwardingStore {
        private final Set<Call> failing = ConcurrentHashMap.newKeySet();
        private final Set<Call> breaking = ConcurrentHashMap.newKeySet();
        private final Set<Call> holding = ConcurrentHashMap.newKeySet();
        private final AtomicInteger held = new AtomicInteger();
        private volatile boolean hidesEvents;

        Store(MemoryEventLogStore memory) {
            super(memory);
        }

        @Override
        @SuppressWarnings("unchecked")
        <T> T call(Call call, Supplier<T> work) {
            if (failing.contains(call)) {
                throw new StoreException(StoreException.Kind.UNAVAILABLE, "the test wants " + call + " to fail");
            }
            if (breaking.contains(call)) {
                throw new IllegalStateException("the test wants " + call + " to break");
            }
            if (holding.contains(call)) {
                held.incrementAndGet();
                await(() -> !holding.contains(call));
            }
            T answer = work.get();
            return call == Call.EVENTS && hidesEvents ? (T) List.of() : answer;
        }
    }

    private final MemoryEventLogStore memory = new MemoryEventLogStore();
    private final Store store = new Store(memory);
    private final SystemEnvironment environment = new SystemEnvironment();
    private final List<Applications> opened = new ArrayList<>();
    private ApplicationSettings settings = ApplicationSettings.usual().withSequencer(SEQUENCER);

    @AfterEach
    void close() {
        store.holding.clear();
        store.failing.clear();
        store.breaking.clear();
        opened.forEach(Applications::close);
        environment.close();
    }

    private Partition open() {
        return open(environment);
    }

    private Partition open(Environment with) {
        Applications applications = Applications.on(store, settings, with);
        opened.add(applications);
        return applications.deploy("shop", SHOP).application().partition(0);
    }

    private Applications last() {
        return opened.get(opened.size() - 1);
    }

    private void checkAll() {
        LogModel.of(memory, last().get("shop").schema(), 0, "").checkRows();
        assertThat(last().get("shop").partition(0).check().findings()).isEmpty();
    }

    private static Command customer(long workspace) {
        return Command.in("shop", workspace).create(NewRecord.of("customer", 1));
    }

    private static void await(BooleanSupplier condition) {
        long end = System.nanoTime() + WAIT.toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - end).as("past the time to wait").isNegative();
            Thread.onSpinWait();
        }
    }

    /** Why there is no answer; empty if there is one. */
    private static Optional<ErrorCode> refusal(CompletableFuture<?> answer) {
        CompletableFuture<Optional<ErrorCode>> code = answer.handle((its, thrown) -> {
            assertThat(thrown == null || thrown instanceof EventLogException).isTrue();
            return Optional.ofNullable(thrown instanceof EventLogException e ? e.code() : null);
        });
        assertThat(code).succeedsWithin(WAIT);
        return code.join();
    }

    private static ErrorCode code(CompletableFuture<?> answer) {
        return refusal(answer).orElseThrow();
    }

    // ---- too many, and the end

    @Test
    void submit_pastTheQueue_isBusyAndNothingHappens() {
        settings = settings.withMostWaiting(3);
        Partition partition = open();
        partition.append(customer(1), WAIT);
        store.holding.add(Call.APPEND);
        CompletableFuture<Appended> first = partition.submit(customer(1));
        await(() -> store.held.get() == 1);
        List<CompletableFuture<Appended>> waiting = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            waiting.add(partition.submit(customer(1)));
        }
        assertThat(partition.state().waiting()).isEqualTo(3);
        assertThat(code(partition.submit(customer(1)))).isEqualTo(ErrorCode.BUSY);
        store.holding.clear();
        assertThat(first.join().plogOffset()).isEqualTo(2);
        assertThat(waiting.stream().map(each -> each.join().plogOffset())).containsExactly(3L, 4L, 5L);
        checkAll();
    }

    @ParameterizedTest
    @EnumSource(names = {"APPEND", "DERIVE", "REGISTERED"})
    void close_whileTheStoreHangs_everyCommandHasItsAnswerInTime(Call hanging) {
        Partition partition = open();
        partition.append(customer(1), WAIT);
        store.holding.add(hanging);
        List<CompletableFuture<Appended>> all = new ArrayList<>();
        all.add(partition.submit(Command.in("shop", 1).create(NewRecord.of("customer", 300_000))));
        await(() -> store.held.get() == 1);
        for (int i = 0; i < 5; i++) {
            all.add(partition.submit(customer(2)));
        }
        CompletableFuture<Void> closing = CompletableFuture.runAsync(() -> last().close());
        assertThat(closing).succeedsWithin(BOUND);
        assertThat(all).allSatisfy(each -> assertThat(each).isDone());
        assertThat(code(all.get(0))).isEqualTo(ErrorCode.OUTCOME_UNKNOWN);
        assertThat(all.subList(1, 6)).allSatisfy(each -> assertThat(code(each)).isEqualTo(ErrorCode.CLOSED));
        assertThat(code(partition.submit(customer(1)))).isEqualTo(ErrorCode.CLOSED);
        store.holding.clear();

        Partition next = open();
        next.append(customer(2), WAIT);
        checkAll();
    }

    /** Each that was asked for while the log could not be read waited in memory for the end of that. */
    @Test
    void actualize_whileAnotherOneIsNotOver_isBusy() {
        Partition partition = open();
        partition.append(customer(1), WAIT);
        store.failing.add(Call.REPLAY);
        CompletableFuture<PartitionState> first = partition.actualize();
        await(() -> partition.state().status() == PartitionStatus.RECOVERING);
        for (int i = 0; i < 3; i++) {
            assertThat(code(partition.actualize())).isEqualTo(ErrorCode.BUSY);
        }
        store.failing.clear();
        assertThat(first).succeedsWithin(WAIT);
        assertThat(partition.actualize()).succeedsWithin(WAIT);
        checkAll();
    }

    /** Everything of a log was applied in one turn, however long the log: who closed meanwhile waited for its bound. */
    @Test
    void rebuild_ofALongLog_isDoneInManyTurnsAndAnsweredAtItsEnd() {
        Partition partition = open();
        partition.append(customer(1), WAIT);
        for (int i = 0; i < 25; i++) {
            List<CompletableFuture<Appended>> appended = new ArrayList<>();
            for (int each = 0; each < 100; each++) {
                appended.add(partition.submit(customer(each % 3)));
            }
            appended.forEach(each -> assertThat(each).succeedsWithin(WAIT));
        }
        PartitionState rebuilt = partition.rebuild().join();
        assertThat(rebuilt.status()).isEqualTo(PartitionStatus.READY);
        assertThat(rebuilt.appliedOffset()).isEqualTo(2_502);
        checkAll();

        CompletableFuture<PartitionState> again = partition.rebuild();
        last().close();
        assertThat(again).isDone();
        partition = open();
        partition.append(customer(1), WAIT);
        checkAll();
    }

    /** Only the name of what was thrown was kept, which told nobody anything. */
    @Test
    void submit_somethingBrokeOff_theRefusalHasItAsItsCause() {
        Partition partition = open();
        partition.append(customer(1), WAIT);
        store.breaking.add(Call.REGISTERED);
        CompletableFuture<Appended> broken =
                partition.submit(Command.in("shop", 1).create(NewRecord.of("customer", 300_000)));
        await(broken::isDone);
        await(() -> partition.statistics().brokenTurns() == 1);
        store.breaking.clear();
        partition.append(customer(1), WAIT);
        assertThat(partition.state().trouble()).isEmpty();
        checkAll();
    }

    /** Pages of a workspace lacked what was not applied again yet, and records were as an early event had left them. */
    @Test
    void rebuild_underWay_showsNothingThatIsMissingOrOld() {
        Partition partition = open();
        partition.append(customer(1), WAIT);
        partition.append(customer(1), WAIT);
        store.holding.add(Call.APPLIED_OFFSET);
        CompletableFuture<PartitionState> rebuilding = partition.rebuild();
        await(() -> store.held.get() == 1);
        assertThat(partition.events(1, 10).events()).hasSize(2);
        assertThat(isRecovering(() -> partition.workspaceEvents(1, 1, 10))).isTrue();
        assertThat(isRecovering(() -> partition.record(1, 200_001))).isTrue();
        store.holding.clear();
        assertThat(rebuilding).succeedsWithin(WAIT);
        assertThat(partition.workspaceEvents(1, 1, 10).events()).hasSize(2);
        assertThat(partition.record(1, 200_001)).isPresent();
        checkAll();
    }

    private static boolean isRecovering(Supplier<?> read) {
        try {
            var unused = read.get();
            return false;
        } catch (EventLogException e) {
            return e.code() == ErrorCode.RECOVERING;
        }
    }

    @Test
    void read_thatARebuildOvertakes_isRefused() {
        Partition partition = open();
        partition.append(customer(1), WAIT);
        store.holding.add(Call.WORKSPACE_EVENTS);
        CompletableFuture<Boolean> reading = CompletableFuture.supplyAsync(
                () -> isRecovering(() -> partition.workspaceEvents(1, 1, 10)), environment.executor());
        await(() -> store.held.get() == 1);
        store.holding.add(Call.APPLIED_OFFSET);
        CompletableFuture<PartitionState> rebuilding = partition.rebuild();
        await(() -> store.held.get() == 2);
        store.holding.remove(Call.WORKSPACE_EVENTS);
        assertThat(reading).succeedsWithin(WAIT).isEqualTo(true);
        store.holding.clear();
        assertThat(rebuilding).succeedsWithin(WAIT);
    }

    /** Who had asked for a rebuild that hung in the store, or waited behind one, waited for ever. */
    @Test
    void close_whileARebuildHangs_everyOperationHasItsAnswerInTime() {
        Partition partition = open();
        partition.append(customer(1), WAIT);
        store.holding.add(Call.REPLAY);
        CompletableFuture<PartitionState> underWay = partition.rebuild();
        await(() -> store.held.get() == 1);
        CompletableFuture<PartitionState> waiting = partition.actualize();
        assertThat(CompletableFuture.runAsync(() -> last().close())).succeedsWithin(BOUND);
        assertThat(List.of(underWay, waiting))
                .allSatisfy(each -> assertThat(each).isDone());
        assertThat(code(underWay)).isEqualTo(ErrorCode.OUTCOME_UNKNOWN);
        assertThat(code(waiting)).isEqualTo(ErrorCode.CLOSED);
        assertThat(code(partition.actualize())).isEqualTo(ErrorCode.CLOSED);
    }

    @Test
    void close_ofManyPartitionsOnAStoreThatHangs_takesNoLongerThanThatOfOne() {
        Applications applications = Applications.on(store, settings, environment);
        opened.add(applications);
        Application many = applications
                .deploy(
                        "many",
                        ApplicationDefinition.ofPartitions(200)
                                .kind("shop", "RecordID", 200_001)
                                .type("customer", RecordKind.CDOC))
                .application();
        many.partitions().forEach(each -> each.append(customer(each.key().partition()), WAIT));
        store.holding.add(Call.WRITE_NUMBERS);
        store.holding.add(Call.APPEND);
        many.partitions().forEach(each -> {
            var unused = each.submit(customer(each.key().partition()));
        });
        assertThat(CompletableFuture.runAsync(applications::close)).succeedsWithin(BOUND);
    }

    @Test
    void close_whileCommandsWait_eachHappenedOrIsRefused() {
        settings = settings.withSequencer(SEQUENCER.withWaits(
                SEQUENCER.batcherDelay(),
                SEQUENCER.retry(),
                SEQUENCER.maxWait(),
                WAIT)); // the group under way is answered
        for (int round = 0; round < 10; round++) {
            Partition partition = open();
            partition.append(customer(1), WAIT);
            long before = memory.partition(new PartitionKey(1, 0)).lastOffset().orElseThrow();
            List<CompletableFuture<Appended>> all = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                all.add(partition.submit(customer(i % 3)));
            }
            last().close();
            int happened = 0;
            for (CompletableFuture<Appended> each : all) {
                Optional<ErrorCode> refusal = refusal(each);
                assertThat(refusal.orElse(ErrorCode.CLOSED)).isEqualTo(ErrorCode.CLOSED);
                happened += refusal.isEmpty() ? 1 : 0;
            }
            assertThat(memory.partition(new PartitionKey(1, 0)).lastOffset()).hasValue(before + happened);
        }
        open();
        last().get("shop").append(customer(1), WAIT);
        checkAll();
    }

    @Test
    void append_withoutAnAnswerInTime_isUnknown() {
        Partition partition = open();
        partition.append(customer(1), WAIT);
        store.holding.add(Call.APPEND);
        assertThatThrownBy(() -> partition.append(customer(1), Duration.ofMillis(50)))
                .isInstanceOfSatisfying(
                        EventLogException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.OUTCOME_UNKNOWN));
    }

    // ---- stores

    @Test
    void recovery_ofALogThatHidesAnEvent_isQuarantinedAndDoesNotAskForEver() {
        Partition partition = open();
        partition.append(customer(1), WAIT);
        store.failing.add(Call.DERIVE);
        assertThat(code(partition.submit(customer(1)))).isEqualTo(ErrorCode.REPAIR_PENDING);
        store.hidesEvents = true;
        store.failing.clear();
        await(() -> partition.state().status() == PartitionStatus.QUARANTINED);
        assertThat(partition.state().differences()).containsExactly(new Difference(2, "there is no event at offset 2"));
        store.hidesEvents = false;
        assertThat(partition.actualize().join().status()).isEqualTo(PartitionStatus.READY);
        checkAll();
    }

    @ParameterizedTest
    @EnumSource(
            value = Call.class,
            names = {"APPEND", "DERIVE", "REGISTERED", "READ_NUMBERS", "APPLIED_OFFSET"})
    void submit_toAStoreThatBreaksForGood_hasAnAnswer(Call broken) {
        settings = settings.withSequencer(SEQUENCER.withLruCacheSize(1));
        Partition partition = open();
        partition.append(customer(1), WAIT);
        store.breaking.add(broken);
        List<CompletableFuture<Appended>> all = List.of(
                partition.submit(customer(2)),
                partition.submit(Command.in("shop", 1).create(NewRecord.of("customer", 300_000))),
                partition.submit(customer(3)));
        assertThat(all)
                .allSatisfy(
                        each -> assertThat(each.handle((its, thrown) -> true)).succeedsWithin(Duration.ofSeconds(5)));
        store.breaking.clear();
        partition.append(customer(1), WAIT);
        checkAll();
    }

    /** Counts what is to be run later. */
    private static final class Timers implements Environment {
        private final TestEnvironment still = new TestEnvironment();
        private int timers;

        @Override
        public Instant now() {
            return still.now();
        }

        @Override
        public long nanoTime() {
            return still.nanoTime();
        }

        @Override
        public long random() {
            return still.random();
        }

        @Override
        public Executor executor() {
            return still.executor();
        }

        @Override
        public void after(Duration delay, Runnable task) {
            timers++;
            still.after(delay, () -> {
                timers--;
                task.run();
            });
        }
    }

    @Test
    void submit_whileRowsCannotBeWritten_doesNotAddATimerEachTime() {
        Timers timers = new Timers();
        Partition partition = open(timers);
        store.failing.add(Call.DERIVE);
        assertThat(code(partition.submit(customer(1)))).isEqualTo(ErrorCode.REPAIR_PENDING);
        int before = timers.timers;
        for (int i = 0; i < 1_000; i++) {
            assertThat(code(partition.submit(customer(1)))).isEqualTo(ErrorCode.RECOVERING);
        }
        assertThat(timers.timers).isLessThanOrEqualTo(before + 2);
        store.failing.clear();
        timers.still.pass(Duration.ofMillis(20));
        assertThat(partition.state().status()).isEqualTo(PartitionStatus.READY);
        assertThat(partition.submit(customer(1)).join().wlogOffset()).isEqualTo(2);
    }

    @Test
    void submit_withoutAThread_isBusyAndWorksLater() {
        TestEnvironment still = new TestEnvironment();
        Partition partition = open(still);
        still.refuse(true);
        CompletableFuture<Appended> refused = partition.submit(customer(1));
        assertThat(code(refused)).isEqualTo(ErrorCode.BUSY);
        still.refuse(false);
        assertThat(partition.submit(customer(1)).join().plogOffset()).isEqualTo(1);
        checkAll();
    }

    // ---- projectors

    private static class Failing implements Projector {
        private final List<Long> seen = new ArrayList<>();
        private volatile boolean fails;

        @Override
        public String name() {
            return "search";
        }

        @Override
        public void apply(int partition, Event event) throws Exception {
            if (fails && event.plogOffset() == 2) {
                throw new Exception("no index");
            }
            seen.add(event.plogOffset());
        }
    }

    @Test
    void projector_thatFailsForGood_holdsEverythingUntilAnOperatorLetsTheEventPass() {
        Failing projector = new Failing();
        Failing other = new Failing() {
            @Override
            public String name() {
                return "mail";
            }
        };
        settings = settings.withProjector("shop", projector).withProjector("shop", other);
        Partition partition = open();
        partition.append(customer(1), WAIT);
        projector.fails = true;
        assertThat(code(partition.submit(customer(1)))).isEqualTo(ErrorCode.REPAIR_PENDING);
        for (int i = 0; i < 3; i++) {
            assertThat(code(partition.submit(customer(2)))).isEqualTo(ErrorCode.RECOVERING);
        }
        PartitionState state = partition.state();
        assertThat(state.status()).isEqualTo(PartitionStatus.BEHIND);
        assertThat(state.trouble().orElseThrow()).contains("projector search fails at PLog offset 2", "no index");
        assertThat(state.appliedOffset()).isEqualTo(2);
        assertThat(partition.events(1, 10).events()).hasSize(2);
        assertThat(partition.workspaceEvents(1, 1, 10).events()).hasSize(1);

        assertThat(code(partition.skip(2, "search", "Ada", " "))).isEqualTo(ErrorCode.REASON_REQUIRED);
        assertThat(code(partition.skip(2, "mail", "Ada", "why"))).isEqualTo(ErrorCode.NOT_FOUND);
        assertThat(code(partition.skip(1, "search", "Ada", "why"))).isEqualTo(ErrorCode.NOT_FOUND);
        assertThat(partition
                        .skip(2, "search", "Ada", "it is rebuilt tonight")
                        .join()
                        .status())
                .isEqualTo(PartitionStatus.READY);
        assertThat(partition.skipped(1)).singleElement().satisfies(row -> {
            assertThat(row.plogOffset()).isEqualTo(2);
            assertThat(row.projector()).isEqualTo("search");
            assertThat(row.who()).isEqualTo("Ada");
            assertThat(row.reason()).isEqualTo("it is rebuilt tonight");
        });
        assertThat(partition.append(customer(1), WAIT).plogOffset()).isEqualTo(3);
        assertThat(projector.seen).containsExactly(1L, 3L);
        assertThat(new HashSet<>(other.seen)).containsExactlyInAnyOrder(1L, 2L, 3L);
        checkAll();
        last().close();
        Partition next = open();
        next.append(customer(1), WAIT);
        assertThat(projector.seen).containsExactly(1L, 3L, 4L);
        assertThat(next.skipped(1)).hasSize(1);
    }

    @Test
    void projector_thatFailsInTheMiddleOfAGroup_onlyThoseBehindItArePending() {
        Failing projector = new Failing();
        settings = settings.withProjector("shop", projector);
        TestEnvironment still = new TestEnvironment();
        Partition partition = open(still);
        projector.fails = true;
        still.hold();
        List<CompletableFuture<Appended>> group =
                List.of(partition.submit(customer(1)), partition.submit(customer(2)), partition.submit(customer(1)));
        still.release();
        assertThat(group.get(0).join().plogOffset()).isEqualTo(1);
        assertThat(code(group.get(1))).isEqualTo(ErrorCode.REPAIR_PENDING);
        assertThat(code(group.get(2))).isEqualTo(ErrorCode.REPAIR_PENDING);
        projector.fails = false;
        assertThat(partition.submit(customer(2)).join()).isEqualTo(new Appended(0, 4, 2, Map.of(1L, 200_002L)));
        assertThat(projector.seen).containsExactly(1L, 2L, 3L, 4L);
        checkAll();
    }

    // ---- owners

    @Test
    void on_aStoreThatDoesNotEnforceEpochs_trustLevel2IsRefused() {
        ForwardingStore lax = new ForwardingStore(memory) {
            @Override
            public boolean enforcesEpoch() {
                return false;
            }
        };
        ApplicationSettings all = settings.withTrustLevel(TrustLevel.TRUST_ALL);
        assertThatThrownBy(() -> Applications.on(lax, all, environment))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("TRUST_ALL");
        Applications.on(lax, settings.withTrustLevel(TrustLevel.VERIFY_EVENTS), environment)
                .close();
    }

    /** What the next owner had applied meanwhile was a difference, and the partition waited for an operator. */
    @Test
    void recovery_passedOverInItsMiddle_isFencedAndNotQuarantined() {
        open().append(customer(1), WAIT);
        store.holding.add(Call.APPLIED_OFFSET);
        Partition first = open();
        await(() -> store.held.get() > 0);
        Applications beside = Applications.on(memory, settings, environment);
        opened.add(beside);
        Partition second = beside.deploy("shop", SHOP).application().partition(0);
        assertThat(second.append(customer(1), WAIT).plogOffset()).isEqualTo(2);
        store.holding.clear();
        await(() -> first.state().status() == PartitionStatus.FENCED
                || first.state().status() == PartitionStatus.QUARANTINED);
        assertThat(first.state().status()).isEqualTo(PartitionStatus.FENCED);
        assertThat(second.append(customer(1), WAIT).plogOffset()).isEqualTo(3);
        checkAll();
    }

    /** It looked again and again, and nobody heard that its rows would never be written. */
    @Test
    void recovery_passedOverBeforeItWrites_isFenced() {
        settings = settings.withSequencer(SEQUENCER.withFlush(1_000, Duration.ofHours(1)));
        Partition first = open();
        first.append(customer(1), WAIT);
        store.failing.add(Call.DERIVE);
        assertThat(code(first.submit(customer(1)))).isEqualTo(ErrorCode.REPAIR_PENDING);
        store.holding.add(Call.DERIVE);
        store.failing.clear();
        await(() -> store.held.get() > 0);
        Applications beside = Applications.on(memory, settings, environment);
        opened.add(beside);
        Partition second = beside.deploy("shop", SHOP).application().partition(0);
        assertThat(second.append(customer(1), WAIT).plogOffset()).isEqualTo(3);
        store.holding.clear();
        await(() -> first.state().status() == PartitionStatus.FENCED);
        checkAll();
    }

    @ParameterizedTest
    @EnumSource(TrustLevel.class)
    void submit_whenAnotherOwnerHasCome_isNeverWrittenAndThenFenced(TrustLevel level) {
        settings = settings.withTrustLevel(level);
        Partition first = open();
        first.append(customer(1), WAIT);
        Partition second = open();
        assertThat(second.append(customer(1), WAIT).plogOffset()).isEqualTo(2);
        assertThat(code(first.submit(customer(1)))).isIn(ErrorCode.FENCED, ErrorCode.STORE_UNAVAILABLE);
        await(() -> first.state().status() == PartitionStatus.FENCED);
        assertThat(code(first.submit(customer(1)))).isEqualTo(ErrorCode.FENCED);
        assertThat(second.append(customer(1), WAIT)).isEqualTo(new Appended(0, 3, 3, Map.of(1L, 200_003L)));
        checkAll();
    }

    @Test
    void rebuild_thatOutlivesAClose_leavesThePartitionToItsNextOwner() {
        Partition first = open();
        first.append(customer(1), WAIT);
        store.holding.add(Call.RESET_CHECKPOINT);
        CompletableFuture<PartitionState> rebuilt = first.rebuild();
        await(() -> store.held.get() == 1);
        last().close();
        Partition second = open();
        assertThat(second.append(customer(1), WAIT).plogOffset()).isEqualTo(2);
        store.holding.clear();
        assertThat(refusal(rebuilt)).isPresent();
        await(() -> first.state().status() == PartitionStatus.CLOSED);
        assertThat(second.append(customer(1), WAIT).plogOffset()).isEqualTo(3);
        assertThat(second.state().status()).isEqualTo(PartitionStatus.READY);
        checkAll();
    }

    // ---- commands that ask for something of one another

    @Test
    void submit_ofCommandsThatMeetInAGroup_eachSeesWhatTheOnesBeforeItDid() {
        TestEnvironment still = new TestEnvironment();
        Partition partition = open(still);
        NewRecord outside = NewRecord.of("customer", 300_000).with("a", 1).with("b", 1);
        still.hold();
        List<CompletableFuture<Appended>> all = List.of(
                partition.submit(Command.in("shop", 1).create(outside)),
                partition.submit(Command.in("shop", 1)
                        .update(RecordUpdate.of(300_000).with("b", 2).with("c", 2))),
                partition.submit(
                        Command.in("shop", 1).update(RecordUpdate.of(300_000).with("c", 3))),
                partition.submit(Command.in("shop", 1).create(outside)),
                partition.submit(
                        Command.in("shop", 2).update(RecordUpdate.of(300_000).with("c", 4))),
                partition.submit(Command.in("shop", 1).create(NewRecord.of("settings", 1))),
                partition.submit(Command.in("shop", 1).create(NewRecord.of("settings", 65_536))),
                partition.submit(Command.in("shop", 2).create(NewRecord.of("settings", 2))),
                partition.submit(customer(1).key("k")),
                partition.submit(customer(2).key("k")),
                partition.submit(customer(1).key("k")),
                partition.submit(Command.in("shop", 1)
                        .create(NewRecord.of("customer", 2))
                        .key("k")),
                partition.submit(Command.in("shop", 1).create(NewRecord.of("customer", 300_001))));
        still.release();
        assertThat(all.stream().map(ProcessorFaultTest::refusal))
                .containsExactly(
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.of(ErrorCode.ALREADY_EXISTS),
                        Optional.of(ErrorCode.NOT_FOUND),
                        Optional.empty(),
                        Optional.of(ErrorCode.ALREADY_EXISTS),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.of(ErrorCode.KEY_REUSED),
                        Optional.of(ErrorCode.ALREADY_EXISTS));
        assertThat(all.get(10).join()).isEqualTo(all.get(8).join());
        assertThat(all.get(8).join().ids()).isEqualTo(Map.of(1L, 300_001L));
        assertThat(partition.record(1, 300_000).orElseThrow().fields().asMap())
                .isEqualTo(Map.of("a", 1L, "b", 2L, "c", 3L));
        checkAll();
    }

    // ---- readers

    @Test
    void workspaceEvents_whereAPlaceIsNotOfItsEvent_showNothingOfAnotherWorkspace() {
        Partition partition = open();
        Command order = Command.in("shop", 2).argument(NewRecord.of("order", 1).with("secret", "of 2"));
        partition.append(order, WAIT);
        partition.append(customer(1), WAIT);
        PartitionStore rows = memory.partition(new PartitionKey(1, 0));
        LogOutcome unused = rows.derive(
                rows.epoch(),
                DerivedRows.under(WriteMode.PUT)
                        .withRecords(List.of(), List.of(), List.of(new RegistryRow(3, 200_001, 1, 1)), List.of())
                        .withWorkspaceEvents(
                                WriteMode.PUT, List.of(new WorkspaceEvent(1, 2, 1), new WorkspaceEvent(3, 1, 1))));
        assertThat(partition.workspaceEvents(2, 1, 10).events()).hasSize(1);
        assertThat(partition.workspaceEvents(1, 1, 1).events()).hasSize(1);
        for (Supplier<Object> read : List.<Supplier<Object>>of(
                () -> partition.workspaceEvents(1, 1, 10), () -> partition.record(3, 200_001))) {
            assertThatThrownBy(read::get)
                    .isInstanceOfSatisfying(
                            EventLogException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.STORE_CORRUPT));
        }
    }

    // ---- all at once

    @Test
    void submit_from64Threads_offsetsHaveNoHoleAndEachAnswerIsThatOfItsEvent() throws Exception {
        Partition partition = open();
        int threads = 64;
        int each = 40;
        Map<Long, Command> commands = new ConcurrentHashMap<>();
        Map<Long, Appended> answers = new ConcurrentHashMap<>();
        ConcurrentLinkedQueue<Throwable> thrown = new ConcurrentLinkedQueue<>();
        List<Thread> all = new ArrayList<>();
        AtomicBoolean go = new AtomicBoolean();
        for (int t = 0; t < threads; t++) {
            long number = t;
            all.add(new Thread(() -> {
                try {
                    await(go::get);
                    for (int i = 0; i < each; i++) {
                        Command command = stormy(number, i);
                        Appended appended = partition.append(command, WAIT);
                        commands.put(appended.plogOffset(), command);
                        answers.put(appended.plogOffset(), appended);
                    }
                } catch (Throwable e) {
                    thrown.add(e);
                }
            }));
        }
        all.forEach(Thread::start);
        go.set(true);
        for (Thread thread : all) {
            thread.join();
        }
        assertThat(thrown).isEmpty();
        LogModel model = LogModel.of(memory, last().get("shop").schema(), 0, "storm");
        model.checkRows();
        assertThat(model.events).hasSize(threads * each);
        answers.forEach((offset, appended) -> {
            assertThat(model.saysAt(offset, Objects.requireNonNull(commands.get(offset)), appended.ids()))
                    .isTrue();
            assertThat(model.bodies.get((int) (offset - 1)).wlogOffset()).isEqualTo(appended.wlogOffset());
        });
        assertThat(answers).hasSize(threads * each);
        assertThat(partition.check().findings()).isEmpty();
    }

    private static Command stormy(long thread, int i) {
        Command command = Command.in("shop", thread % 4);
        String tag = thread + "/" + i;
        NewRecord customer = NewRecord.of("customer", 3).with("tag", tag);
        return switch (ThreadLocalRandom.current().nextInt(3)) {
            case 0 -> command.create(customer);
            case 1 -> command.create(customer).key(tag);
            default ->
                command.argument(NewRecord.of("order", 1)
                                .with("tag", tag)
                                .child("items", NewRecord.of("item", 2).with("of", Reference.to(3))))
                        .create(customer);
        };
    }
}
