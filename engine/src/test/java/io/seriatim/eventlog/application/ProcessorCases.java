package io.seriatim.eventlog.application;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.seriatim.ErrorCode;
import io.seriatim.SystemEnvironment;
import io.seriatim.eventlog.EventLogException;
import io.seriatim.eventlog.LogWorld;
import io.seriatim.eventlog.SequencerSettings;
import io.seriatim.eventlog.WorkspaceKind;
import io.seriatim.eventlog.application.ApplicationDefinition.RecordType;
import io.seriatim.eventlog.application.ForwardingStore.Call;
import io.seriatim.store.DerivedRows;
import io.seriatim.store.EventHeader;
import io.seriatim.store.EventLogStore;
import io.seriatim.store.LogEvent;
import io.seriatim.store.LogOutcome;
import io.seriatim.store.NumberRows;
import io.seriatim.store.PartitionKey;
import io.seriatim.store.PartitionStore;
import io.seriatim.store.RecordRow;
import io.seriatim.store.RegistryRow;
import io.seriatim.store.StoreException;
import io.seriatim.store.WorkspaceEvent;
import io.seriatim.store.WriteMode;
import io.seriatim.store.WriterMark;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The scenarios of sequencer.md that are about commands, by their numbers, on any store. */
public abstract class ProcessorCases {

    private static final Duration WAIT = Duration.ofSeconds(20);
    private static final byte[] GARBAGE = "garbage".getBytes(StandardCharsets.UTF_8);
    private static final SequencerSettings SEQUENCER = SequencerSettings.usual()
            .withWaits(Duration.ofMillis(1), Duration.ofMillis(10), Duration.ofSeconds(2), Duration.ofSeconds(1));
    private static final ApplicationDefinition SHOP = ApplicationDefinition.ofPartitions(1)
            .kind("shop", "RecordID", 200_001)
            .type("order", RecordKind.ODOC)
            .type("item", RecordKind.ORECORD)
            .type("customer", RecordKind.CDOC)
            .type("address", RecordKind.CRECORD)
            .type("bill", RecordKind.WDOC)
            .type("line", RecordKind.WRECORD)
            .singleton("settings");

    /** A store in which one kind of call can be made to end otherwise. */
    private static final class Store extends ForwardingStore {
        private final AtomicReference<Function<Supplier<LogOutcome>, LogOutcome>> append =
                new AtomicReference<>(Supplier::get);
        private final AtomicBoolean logUnreadable = new AtomicBoolean();

        Store(EventLogStore opened) {
            super(opened);
        }

        @Override
        <T> T call(Call call, Supplier<T> work) {
            if (logUnreadable.get() && (call == Call.EVENTS || call == Call.REPLAY)) {
                throw new StoreException(StoreException.Kind.UNAVAILABLE, "the log cannot be read");
            }
            return work.get();
        }

        @Override
        LogOutcome write(Call call, Supplier<LogOutcome> work) {
            return call == Call.APPEND ? append.getAndSet(Supplier::get).apply(work) : work.get();
        }
    }

    private LogWorld world;
    private EventLogStore opened;
    private Store store;
    private final SystemEnvironment environment = new SystemEnvironment();
    private ApplicationSettings settings = ApplicationSettings.usual().withSequencer(SEQUENCER);
    private ApplicationDefinition definition = SHOP;
    private Applications applications;

    /** One in which nothing was stored yet. */
    protected abstract LogWorld world();

    @BeforeEach
    void open() {
        world = world();
        begin();
    }

    @AfterEach
    void close() {
        applications.close();
        environment.close();
        world.close();
    }

    private Application shop() {
        return applications.deploy("shop", definition).application();
    }

    private void restart() {
        applications.close();
        begin();
    }

    /** The next process, which opens the store anew. */
    private void begin() {
        opened = world.open();
        store = new Store(opened);
        applications = Applications.on(store, settings, environment);
    }

    private Partition partition() {
        return applications.get("shop").partition(0);
    }

    private PartitionStore rows() {
        return opened.partition(new PartitionKey(applications.get("shop").id(), 0));
    }

    private Appended append(Command command) {
        return applications.get("shop").append(command, WAIT);
    }

    private static Command create(long workspace, String... types) {
        Command command = Command.in("shop", workspace);
        for (int i = 0; i < types.length; i++) {
            command = command.create(NewRecord.of(types[i], i + 1));
        }
        return command;
    }

    private static void await(Supplier<Boolean> condition) {
        long end = System.nanoTime() + WAIT.toNanos();
        while (!condition.get()) {
            assertThat(System.nanoTime() - end).as("past the time to wait").isNegative();
            Thread.onSpinWait();
        }
    }

    private void awaitStatus(PartitionStatus status) {
        await(() -> partition().state().status() == status);
    }

    @Test
    void anUpdateThatWouldMakeARecordTooLong_isRefusedBeforeItsEventCanNeverBeApplied() {
        Application deployed = shop();
        append(create(1, "customer"));
        String long300 = "x".repeat(300_000);
        for (int i = 0; i < 3; i++) {
            append(Command.in("shop", 1).update(RecordUpdate.of(200_001).with("note" + i, long300)));
        }
        assertThatThrownBy(() -> append(
                        Command.in("shop", 1).update(RecordUpdate.of(200_001).with("note3", long300))))
                .isInstanceOfSatisfying(
                        EventLogException.class,
                        thrown -> assertThat(thrown.code()).isEqualTo(ErrorCode.OUT_OF_RANGE));
        append(Command.in("shop", 1).update(RecordUpdate.of(200_001).with("note2", "short")));
        assertThat(deployed.partition(0).state().durableOffset()).isEqualTo(5);
        assertThat(deployed.partition(0).state().status()).isEqualTo(PartitionStatus.READY);
    }

    /** A later deployment could give that range to another sequence, and the id would come again. */
    @Test
    void anIdFromOutsideThatNoSequenceOfItsTypeGives_isRefused() {
        definition = ApplicationDefinition.ofPartitions(1)
                .kind("shop", "RecordID", 300_000)
                .type("customer", RecordKind.CDOC);
        shop();
        for (long id : new long[] {200_001, 250_000, 299_999}) {
            assertThatThrownBy(() -> append(Command.in("shop", 1).create(NewRecord.of("customer", id))))
                    .isInstanceOfSatisfying(
                            EventLogException.class,
                            thrown -> assertThat(thrown.code()).isEqualTo(ErrorCode.OUT_OF_RANGE));
        }
        append(Command.in("shop", 1).create(NewRecord.of("customer", 200_000)));
        append(Command.in("shop", 1).create(NewRecord.of("customer", 300_000)));
        assertThat(append(create(1, "customer")).ids()).containsValue(300_001L);
    }

    @Test
    void aListenerThatThrows_stopsNobodyAndIsCalledNoMore() {
        shop();
        append(create(1, "customer"));
        List<Integer> calls = new ArrayList<>();
        Runnable silence = partition().listen(() -> {
            calls.add(1);
            throw new IllegalStateException("it breaks its word");
        });
        append(create(1, "customer"));
        append(create(1, "customer"));
        assertThat(calls).hasSize(1);
        silence.run();
    }

    // ---- S41: what an event says of its numbers

    private Map<Integer, Long> numbersOf(long offset) {
        EventHeader header = rows().events(offset, 1).get(0).header();
        Map<Integer, Long> numbers = new HashMap<>();
        for (int i = 0; i < header.sequences().length; i++) {
            numbers.put(header.sequences()[i], header.values()[i]);
        }
        return numbers;
    }

    @Test
    void s41_theHeaderHasTheNumbersOfAllNewRecordsAndOfNoUpdate() {
        definition = ApplicationDefinition.ofPartitions(1)
                .kind("shop", "RecordID", 1_000_000)
                .kind("shop", "CRecordID", 200_001, 300_000)
                .kind("shop", "Bills", 300_001, 400_000)
                .type("order", RecordKind.ODOC)
                .type("item", RecordKind.ORECORD)
                .type("customer", RecordKind.CDOC)
                .type("address", RecordKind.CRECORD)
                .type("bill", new RecordType(RecordKind.WDOC, Optional.of("Bills"), false))
                .type("line", RecordKind.WRECORD)
                .singleton("settings");
        shop();
        append(create(1, "settings"));
        assertThat(numbersOf(1)).as("no new record that draws").isEqualTo(Map.of(WorkspaceKind.WLOG_OFFSET, 1L));

        Appended five = append(create(1, "customer", "address", "address", "bill", "line"));
        assertThat(five.ids().values()).containsExactly(200_001L, 200_002L, 200_003L, 300_001L, 1_000_000L);
        assertThat(numbersOf(2))
                .isEqualTo(Map.of(WorkspaceKind.WLOG_OFFSET, 2L, 1, 1_000_000L, 2, 200_003L, 3, 300_001L));

        Appended deep = append(Command.in("shop", 1)
                .argument(NewRecord.of("order", 1)
                        .child(
                                "items",
                                NewRecord.of("item", 2)
                                        .child("parts", NewRecord.of("item", 3))
                                        .child("parts", NewRecord.of("item", 4))))
                .create(NewRecord.of("line", 5))
                .update(RecordUpdate.of(200_002).with("street", "Elm")));
        assertThat(deep.ids().values()).containsExactly(1_000_001L, 1_000_002L, 1_000_003L, 1_000_004L, 1_000_005L);
        assertThat(numbersOf(3)).isEqualTo(Map.of(WorkspaceKind.WLOG_OFFSET, 3L, 1, 1_000_005L));

        PartitionStore rows = rows();
        assertThat(rows.registered(1, 1_000_004)).hasValue(new RegistryRow(1, 1_000_004, 2, 3));
        assertThat(rows.record(1, 1_000_004))
                .as("a part of an argument is read in its event")
                .isEmpty();
        assertThat(partition().record(1, 1_000_004).orElseThrow().parent()).hasValue(1_000_002);
        assertThat(rows.record(1, 200_002).orElseThrow().plogOffset()).isEqualTo(3);
        assertThat(rows.registered(1, 200_002).orElseThrow().wlogOffset()).isEqualTo(2);

        restart();
        assertThat(append(create(1, "customer", "bill", "line")).ids().values())
                .containsExactly(200_004L, 300_002L, 1_000_006L);
        assertThat(partition().check().findings()).isEmpty();
    }

    @Test
    void s41_anUpdateOfARecordThatIsNotThere_isRefusedAndDrawsNothing() {
        shop();
        assertThatThrownBy(() -> append(create(1, "customer").update(RecordUpdate.of(123_456_789))))
                .isInstanceOfSatisfying(
                        EventLogException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_FOUND));
        assertThat(append(create(1, "customer"))).isEqualTo(new Appended(0, 1, 1, Map.of(1L, 200_001L)));
    }

    // ---- S51: the same event again

    /** Sets back what is said to be applied: what a crash leaves whose last rows came through. */
    private void setBack(long offset) {
        assertThat(rows().derive(
                                rows().epoch(), DerivedRows.under(WriteMode.PUT).withAppliedOffset(offset)))
                .isInstanceOf(LogOutcome.Applied.class);
    }

    @Test
    void s51_recordsAndPlacesThatAreThere_areLeftByTheRecoveryAtLevel0() {
        shop();
        append(create(1, "customer").key("k"));
        append(create(2, "customer", "bill"));
        append(Command.in("shop", 2).update(RecordUpdate.of(200_001).with("name", "Ada")));
        setBack(1);
        CompletableFuture<PartitionState> again = partition().actualize();
        assertThat(again.join().status()).isEqualTo(PartitionStatus.READY);
        assertThat(rows().appliedOffset()).hasValue(4);

        setBack(1);
        restart();
        append(create(1, "customer"));
        assertThat(partition().record(2, 200_001).orElseThrow().fields().asMap())
                .containsEntry("name", "Ada");
        LogModel.of(opened, applications.get("shop").schema(), 0, "S51").checkRows();
        assertThat(partition().check().findings()).isEmpty();
    }

    // ---- S52: something is there already

    private void put(DerivedRows rows) {
        assertThat(rows().derive(rows().epoch(), rows)).isInstanceOf(LogOutcome.Applied.class);
    }

    private static DerivedRows garbage(
            List<RecordRow> records, List<RegistryRow> registered, List<WorkspaceEvent> places) {
        return DerivedRows.under(WriteMode.PUT)
                .withRecords(records, List.of(), registered, List.of())
                .withWorkspaceEvents(WriteMode.PUT, places);
    }

    private void level(TrustLevel level) {
        settings = settings.withTrustLevel(level);
        restart();
        shop();
    }

    /** What nobody may have touched. */
    private List<Object> neighbours() {
        List<Object> all = new ArrayList<>();
        for (long id = 200_001; id <= 200_004; id++) {
            all.add(rows().record(2, id));
            all.add(rows().registered(2, id));
        }
        all.add(rows().record(1, 200_001));
        all.add(rows().registered(1, 200_001));
        all.add(rows().workspaceEvents(2, 1, 100));
        all.add(rows().events(1, 2));
        return all;
    }

    private void quarantinedUntilRebuilt(Command command, String what) {
        List<Object> before = neighbours();
        assertThatThrownBy(() -> append(command)).isInstanceOfSatisfying(RepairPendingException.class, e -> {
            assertThat(e.appended().plogOffset()).isEqualTo(3);
            assertThat(e.appended().wlogOffset()).isEqualTo(2);
            assertThat(e.appended().ids()).isEqualTo(Map.of(1L, 200_002L));
        });
        awaitStatus(PartitionStatus.QUARANTINED);
        assertThat(partition().state().differences()).singleElement().satisfies(difference -> {
            assertThat(difference.plogOffset()).isEqualTo(3);
            assertThat(difference.what()).contains(what);
        });
        for (Command each : List.of(create(1, "customer"), create(2, "customer"))) {
            assertThatThrownBy(() -> append(each))
                    .isInstanceOfSatisfying(
                            EventLogException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.QUARANTINED));
        }
        assertThatThrownBy(() -> partition().record(2, 200_001)).isInstanceOf(EventLogException.class);
        restart();
        awaitStatus(PartitionStatus.QUARANTINED);
        assertThat(partition().actualize().join().status()).isEqualTo(PartitionStatus.QUARANTINED);
        assertThat(neighbours()).isEqualTo(before);
        assertThat(rows().lastOffset()).hasValue(3);

        assertThat(partition().rebuild().join().status()).isEqualTo(PartitionStatus.READY);
        assertThat(neighbours()).isEqualTo(before);
        overwritten();
    }

    private void overwritten() {
        assertThat(append(create(1, "customer"))).isEqualTo(new Appended(0, 4, 3, Map.of(1L, 200_003L)));
        LogModel.of(opened, applications.get("shop").schema(), 0, "S52").checkRows();
        assertThat(partition().check().findings()).isEmpty();
    }

    private void twoEvents(TrustLevel level) {
        level(level);
        append(create(1, "customer"));
        append(create(2, "customer", "bill", "line"));
    }

    @ParameterizedTest
    @EnumSource(TrustLevel.class)
    void s52_garbageWhereARecordComes_isLeftAtLevel0AndOverwrittenAbove(TrustLevel level) {
        twoEvents(level);
        put(garbage(List.of(new RecordRow(1, 200_002, 77, 1, 1, GARBAGE)), List.of(), List.of()));
        if (level == TrustLevel.VERIFY_ALL) {
            quarantinedUntilRebuilt(create(1, "customer"), "record 200002 is stored with other contents");
        } else {
            List<Object> before = neighbours();
            append(create(1, "customer"));
            assertThat(neighbours()).isEqualTo(before);
            overwritten();
        }
    }

    @ParameterizedTest
    @EnumSource(TrustLevel.class)
    void s52_garbageWhereTheRegistryComes_isLeftAtLevel0AndOverwrittenAbove(TrustLevel level) {
        twoEvents(level);
        put(garbage(List.of(), List.of(new RegistryRow(1, 200_002, 77, 9)), List.of()));
        if (level == TrustLevel.VERIFY_ALL) {
            quarantinedUntilRebuilt(create(1, "customer"), "id 200002, which the registry has as type 77");
        } else {
            List<Object> before = neighbours();
            append(create(1, "customer"));
            assertThat(neighbours()).isEqualTo(before);
            overwritten();
        }
    }

    @ParameterizedTest
    @EnumSource(TrustLevel.class)
    void s52_garbageWhereAnEventOfTheWorkspaceComes_isLeftBelowLevel2(TrustLevel level) {
        twoEvents(level);
        put(garbage(List.of(), List.of(), List.of(new WorkspaceEvent(1, 2, 99))));
        if (level == TrustLevel.TRUST_ALL) {
            append(create(1, "customer"));
            overwritten();
        } else {
            quarantinedUntilRebuilt(create(1, "customer"), "at its WLog offset, 2, stands the event at PLog offset 99");
        }
    }

    @ParameterizedTest
    @EnumSource(TrustLevel.class)
    void s52_garbageWhereTheEventComes_isLeftBelowLevel2(TrustLevel level) {
        twoEvents(level);
        PartitionStore rows = rows();
        LogEvent foreign = new LogEvent(
                3,
                rows.epoch(),
                new EventHeader(7, 1, new WriterMark(4_711, 1), "", new int[] {0}, new long[] {1}),
                GARBAGE);
        rows.append(rows.epoch(), WriteMode.INSERT_IF_ABSENT, List.of(foreign));
        List<Object> before = neighbours();
        if (level == TrustLevel.TRUST_ALL) {
            append(create(1, "customer"));
            assertThat(neighbours()).isEqualTo(before);
            overwritten();
            return;
        }
        assertThat(code(partition().submit(create(1, "customer")))).isEqualTo(ErrorCode.STORE_UNAVAILABLE);
        awaitStatus(PartitionStatus.QUARANTINED);
        assertThat(partition().state().differences())
                .singleElement()
                .satisfies(each -> assertThat(each.what()).contains("the event at offset 3 is not understood"));
        assertThat(rows.events(3, 9)).containsExactly(foreign);
        assertThat(rows.record(1, 200_002)).isEmpty();
        assertThat(neighbours()).isEqualTo(before);
        assertThat(partition().check().findings()).isNotEmpty();
    }

    // ---- S53, S54, S55

    @Test
    void s53_idsGoOnOverRestarts() {
        definition = SHOP;
        shop();
        Command three = create(1, "customer", "bill", "line");
        assertThat(append(three)).isEqualTo(new Appended(0, 1, 1, ids(200_001)));
        restart();
        assertThat(append(three)).isEqualTo(new Appended(0, 2, 2, ids(200_004)));
        restart();
        assertThat(append(create(2, "customer", "bill", "line"))).isEqualTo(new Appended(0, 3, 1, ids(200_001)));
        restart();
        assertThat(append(three)).isEqualTo(new Appended(0, 4, 3, ids(200_007)));
    }

    private static Map<Long, Long> ids(long first) {
        return Map.of(1L, first, 2L, first + 1, 3L, first + 2);
    }

    @Test
    void s54_aProjectorFailsAtTheSecondEvent_itIsRepairedBeforeTheNextCommand() {
        AtomicBoolean fails = new AtomicBoolean();
        List<Long> seen = new ArrayList<>();
        settings = settings.withProjector("shop", new Projector() {
            @Override
            public String name() {
                return "second";
            }

            @Override
            public void apply(int partition, Event event) throws Exception {
                if (event.plogOffset() == 2 && fails.getAndSet(false)) {
                    throw new Exception("the projection is not there");
                }
                seen.add(event.plogOffset());
            }
        });
        restart();
        shop();
        Command three = create(1, "customer", "bill", "line");
        append(three);
        fails.set(true);
        assertThatThrownBy(() -> append(three)).isInstanceOfSatisfying(RepairPendingException.class, e -> {
            assertThat(e.appended()).isEqualTo(new Appended(0, 2, 2, ids(200_004)));
            assertThat(e.code()).isEqualTo(ErrorCode.REPAIR_PENDING);
        });
        assertThat(append(three)).isEqualTo(new Appended(0, 3, 3, ids(200_007)));
        assertThat(seen).containsExactly(1L, 2L, 3L);
        LogModel.of(opened, applications.get("shop").schema(), 0, "S54").checkRows();
    }

    @Test
    void s55_idsFromOutsideMoveTheirSequenceUpAndNothingElse() {
        shop();
        append(create(1, "customer"));
        Command outside = Command.in("shop", 1).create(NewRecord.of("customer", 200_002));
        assertThat(append(outside).ids()).isEmpty();
        assertThat(append(create(1, "bill")).ids()).as("last+1 → next last+2").containsValue(200_003L);
        append(Command.in("shop", 1).create(NewRecord.of("customer", 200_100)));
        append(Command.in("shop", 1).create(NewRecord.of("customer", 200_050)));
        assertThat(append(create(1, "bill")).ids()).as("lower: ignored").containsValue(200_101L);
        append(Command.in("shop", 1).create(NewRecord.of("customer", 200_000)));
        append(Command.in("shop", 1).create(NewRecord.of("customer", 66_100)));
        assertThat(append(create(1, "bill")).ids()).as("reserved: ignored").containsValue(200_102L);
        assertThatThrownBy(() -> append(Command.in("shop", 1).create(NewRecord.of("bill", 200_050))))
                .isInstanceOfSatisfying(
                        EventLogException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.ALREADY_EXISTS));
        restart();
        assertThat(append(create(1, "bill")).ids()).containsValue(200_103L);
        assertThat(partition().check().findings()).isEmpty();
        LogModel.of(opened, applications.get("shop").schema(), 0, "S55").checkRows();
    }

    // ---- S99: a group and its append

    /** Three commands that go into the log together. */
    private List<CompletableFuture<Appended>> group(Function<Supplier<LogOutcome>, LogOutcome> fate) {
        append(create(1, "customer"));
        AtomicBoolean open = new AtomicBoolean();
        AtomicBoolean reached = new AtomicBoolean();
        store.append.set(work -> {
            reached.set(true);
            await(open::get);
            LogOutcome outcome = work.get();
            store.append.set(fate);
            return outcome;
        });
        CompletableFuture<Appended> first = partition().submit(create(2, "customer"));
        await(reached::get);
        List<CompletableFuture<Appended>> three = List.of(
                partition().submit(create(1, "customer").key("a")),
                partition().submit(create(2, "bill", "line")),
                partition().submit(create(3, "settings")));
        open.set(true);
        assertThat(first.join().plogOffset()).isEqualTo(2);
        return three;
    }

    private static final List<Appended> OF_THE_GROUP = List.of(
            new Appended(0, 3, 2, Map.of(1L, 200_002L)),
            new Appended(0, 4, 2, Map.of(1L, 200_002L, 2L, 200_003L)),
            new Appended(0, 5, 1, Map.of(1L, 65_536L)));

    private void again() {
        assertThat(append(create(1, "customer").key("a"))).isEqualTo(OF_THE_GROUP.get(0));
        assertThat(append(create(2, "bill", "line"))).isEqualTo(OF_THE_GROUP.get(1));
        assertThat(append(create(3, "settings"))).isEqualTo(OF_THE_GROUP.get(2));
        LogModel.of(opened, applications.get("shop").schema(), 0, "S99").checkRows();
        assertThat(partition().check().findings()).isEmpty();
    }

    private static ErrorCode code(CompletableFuture<Appended> answer) {
        return answer.handle((appended, thrown) ->
                        Optional.ofNullable(thrown instanceof EventLogException its ? its.code() : null))
                .join()
                .orElseThrow();
    }

    @Test
    void s99_theAppendFails_nothingHappenedAndTheSameNumbersComeAgain() {
        shop();
        List<CompletableFuture<Appended>> three = group(work -> {
            throw new StoreException(StoreException.Kind.UNAVAILABLE, "no");
        });
        assertThat(three).allSatisfy(each -> assertThat(code(each)).isEqualTo(ErrorCode.STORE_UNAVAILABLE));
        assertThat(rows().lastOffset()).hasValue(2);
        again();
    }

    @Test
    void s99_unknownButLanded_eachCallerGetsItsAnswer() {
        shop();
        List<CompletableFuture<Appended>> three = group(work -> {
            assertThat(work.get()).isInstanceOf(LogOutcome.Applied.class);
            return new LogOutcome.Unknown(new Exception("lost"));
        });
        assertThat(three.stream().map(CompletableFuture::join).toList()).isEqualTo(OF_THE_GROUP);
        assertThat(append(create(1, "customer").key("a"))).isEqualTo(OF_THE_GROUP.get(0));
        assertThat(append(create(1, "customer"))).isEqualTo(new Appended(0, 6, 3, Map.of(1L, 200_003L)));
        LogModel.of(opened, applications.get("shop").schema(), 0, "S99").checkRows();
    }

    @Test
    void s99_unknownAndNotLanded_nothingHappened() {
        shop();
        List<CompletableFuture<Appended>> three = group(work -> new LogOutcome.Unknown(new Exception("lost")));
        assertThat(three).allSatisfy(each -> assertThat(code(each)).isEqualTo(ErrorCode.STORE_UNAVAILABLE));
        assertThat(rows().lastOffset()).hasValue(2);
        again();
    }

    @Test
    void s99_theLogCannotBeRead_theOutcomeIsUnknown() {
        settings = settings.withSequencer(SEQUENCER.withWaits(
                Duration.ofMillis(1), Duration.ofMillis(10), Duration.ofMillis(100), Duration.ofSeconds(1)));
        restart();
        shop();
        List<CompletableFuture<Appended>> three = group(work -> {
            store.logUnreadable.set(true);
            return new LogOutcome.Unknown(new Exception("lost"));
        });
        assertThat(three).allSatisfy(each -> assertThat(code(each)).isEqualTo(ErrorCode.OUTCOME_UNKNOWN));
        store.logUnreadable.set(false);
        again();
    }

    // ---- S101 to S104

    @Test
    void s101_aGroupIsDurableAndItsRowsAreNot_aRestartWritesThem() {
        shop();
        for (int i = 0; i < 4; i++) {
            append(create(1, "customer"));
        }
        applications.close();
        AtomicBoolean dead = new AtomicBoolean();
        ForwardingStore withoutRows = new ForwardingStore(opened) {
            @Override
            <T> T call(Call call, Supplier<T> work) {
                if (dead.get()) {
                    throw new StoreException(StoreException.Kind.UNAVAILABLE, "the process is no more");
                }
                return work.get();
            }

            @Override
            LogOutcome write(Call call, Supplier<LogOutcome> work) {
                if (call == Call.DERIVE && rowsOf(1).lastOffset().orElse(0) >= 5) {
                    dead.set(true);
                }
                return call(call, work);
            }
        };
        Applications killed = Applications.on(withoutRows, settings, environment);
        try {
            Partition partition = killed.get("shop").partition(0);
            await(() -> partition.state().status() == PartitionStatus.READY);
            List<CompletableFuture<Appended>> three = List.of(
                    partition.submit(create(1, "customer")),
                    partition.submit(create(2, "settings").key("k")),
                    partition.submit(Command.in("shop", 1)
                            .argument(NewRecord.of("order", 1).child("items", NewRecord.of("item", 2)))));
            assertThat(code(three.get(0))).isEqualTo(ErrorCode.REPAIR_PENDING);
            three.forEach(each -> assertThat(each).failsWithin(WAIT));
        } finally {
            killed.close();
        }
        long durable = rowsOf(1).lastOffset().orElseThrow();
        begin();
        append(create(1, "customer"));
        assertThat(rows().lastOffset()).hasValue(durable + 1);
        LogModel.of(opened, applications.get("shop").schema(), 0, "S101").checkRows();
        assertThat(partition().check().findings()).isEmpty();
    }

    private PartitionStore rowsOf(int application) {
        return opened.partition(new PartitionKey(application, 0));
    }

    @Test
    void s102_aCheckpointBehindTheEndOfTheLog_isCorruptUntilRebuilt() {
        shop();
        for (int i = 0; i < 20; i++) {
            append(create(1 + i % 2, "customer"));
        }
        applications.close();
        PartitionStore rows = rowsOf(1);
        assertThat(rows.writeNumbers(rows.epoch(), NumberRows.none(), 500)).isInstanceOf(LogOutcome.Applied.class);
        begin();
        awaitStatus(PartitionStatus.CORRUPT);
        assertThatThrownBy(() -> append(create(1, "customer")))
                .isInstanceOfSatisfying(
                        EventLogException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.STORE_CORRUPT));
        restart();
        awaitStatus(PartitionStatus.CORRUPT);
        assertThat(partition().rebuild().join().status()).isEqualTo(PartitionStatus.READY);
        assertThat(append(create(1, "customer"))).isEqualTo(new Appended(0, 21, 11, Map.of(1L, 200_011L)));
        LogModel.of(opened, applications.get("shop").schema(), 0, "S102").checkRows();
        assertThat(partition().check().findings()).isEmpty();
    }

    @Test
    void s103_theGreatestId_isRefusedBeforeAnythingIsWritten() {
        shop();
        append(create(1, "customer"));
        assertThatThrownBy(() -> append(Command.in("shop", 1).create(NewRecord.of("customer", Long.MAX_VALUE))))
                .isInstanceOfSatisfying(
                        EventLogException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.OUT_OF_RANGE));
        assertThat(rows().lastOffset()).hasValue(1);
        assertThat(append(create(1, "customer"))).isEqualTo(new Appended(0, 2, 2, Map.of(1L, 200_002L)));
    }

    private static Command keyed(String key) {
        return Command.in("shop", 1)
                .argument(NewRecord.of("order", 9).with("customer", Reference.to(4)))
                .create(NewRecord.of("customer", 4).with("name", "Ada"))
                .key(key);
    }

    @Test
    void s104_theSameKeyAgain_isOneEventWithOneAnswer() {
        shop();
        Appended first = append(keyed("k"));
        assertThat(append(keyed("k"))).isEqualTo(first);
        restart();
        assertThat(append(keyed("k"))).isEqualTo(first);
        assertThat(append(keyed("k")).ids()).containsExactly(Map.entry(9L, 200_001L), Map.entry(4L, 200_002L));
        setBack(1);
        restart();
        assertThat(append(keyed("k"))).isEqualTo(first);
        assertThatThrownBy(() -> append(create(1, "customer").key("k")))
                .isInstanceOfSatisfying(
                        EventLogException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.KEY_REUSED));
        assertThat(append(create(2, "customer").key("k")))
                .as("of another workspace")
                .isNotEqualTo(first);
        assertThat(rows().lastOffset()).hasValue(2);
    }

    @Test
    void s104_twoWithTheSameKeyAtTheSameTime_areOneEventWithOneAnswer() {
        shop();
        awaitStatus(PartitionStatus.READY);
        for (int i = 0; i < 50; i++) {
            String key = "k" + i;
            List<CompletableFuture<Appended>> all = List.of(
                    partition().submit(keyed(key)),
                    partition().submit(keyed(key)),
                    partition().submit(keyed(key)));
            assertThat(all.stream().map(CompletableFuture::join).distinct()).hasSize(1);
            assertThat(rows().lastOffset()).hasValue(i + 1);
        }
    }

    @Test
    void s104_theSameCommandWithItsFieldsInAnotherOrder_isTheSame() {
        shop();
        Command one = Command.in("shop", 1)
                .create(NewRecord.of("customer", 1).with("name", "Ada").with("town", Map.of("zip", 1)))
                .key("k");
        Command other = Command.in("shop", 1)
                .create(NewRecord.of("customer", 1)
                        .with("town", Map.of("zip", 1))
                        .with("name", "Ada"))
                .key("k");
        assertThat(other).isEqualTo(one);
        Appended first = append(one);
        assertThat(append(other)).isEqualTo(first);
    }

    /** The rest is that of the store. */
    @Test
    void s50_theSameOffsetAgain_isRefusedBelowLevel2() {
        shop();
        append(create(1, "customer"));
        LogEvent there = rows().events(1, 1).get(0);
        EventHeader its = there.header();
        LogEvent other = new LogEvent(
                1,
                there.epoch(),
                new EventHeader(1, 1, new WriterMark(9, 9), "", its.sequences(), its.values()),
                there.body());
        for (TrustLevel level : TrustLevel.values()) {
            LogOutcome outcome = rows().append(rows().epoch(), level.eventMode(), List.of(other));
            assertThat(outcome instanceof LogOutcome.Applied).isEqualTo(level == TrustLevel.TRUST_ALL);
        }
    }
}
