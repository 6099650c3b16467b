package io.seriatim.eventlog.application;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.seriatim.ErrorCode;
import io.seriatim.SystemEnvironment;
import io.seriatim.eventlog.EventLogException;
import io.seriatim.eventlog.SequencerSettings;
import io.seriatim.eventlog.application.ApplicationDefinition.RecordType;
import io.seriatim.eventlog.application.Applications.Deployment;
import io.seriatim.eventlog.application.Schema.TypeEntry;
import io.seriatim.memory.MemoryEventLogStore;
import io.seriatim.store.ApplicationRow;
import io.seriatim.store.LogOutcome;
import io.seriatim.store.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What can be deployed, what over what, and what stays. */
class DeployingTest {

    private static final Duration WAIT = Duration.ofSeconds(20);
    private static final ApplicationDefinition SHOP = ApplicationDefinition.ofPartitions(2)
            .kind("shop", "RecordID", 200_001)
            .type("order", RecordKind.ODOC)
            .type("customer", RecordKind.CDOC)
            .singleton("settings");

    private final MemoryEventLogStore memory = new MemoryEventLogStore();
    private final SystemEnvironment environment = new SystemEnvironment();
    private final AtomicReference<Supplier<LogOutcome>> write = new AtomicReference<>();
    private final AtomicBoolean unreadable = new AtomicBoolean();
    private Applications applications = open();

    private Applications open() {
        SequencerSettings quick = SequencerSettings.usual()
                .withWaits(Duration.ofMillis(1), Duration.ofMillis(10), Duration.ofSeconds(1), Duration.ofSeconds(1));
        ForwardingStore store = new ForwardingStore(memory) {
            @Override
            public LogOutcome write(ApplicationRow row) {
                Supplier<LogOutcome> instead = write.getAndSet(null);
                if (instead == null) {
                    return super.write(row);
                }
                return instead.get();
            }

            @Override
            public List<ApplicationRow> applications() {
                if (unreadable.get()) {
                    throw new StoreException(StoreException.Kind.UNAVAILABLE, "the test wants it");
                }
                return super.applications();
            }
        };
        return Applications.on(store, ApplicationSettings.usual().withSequencer(quick), environment);
    }

    private void restart() {
        applications.close();
        applications = open();
    }

    @AfterEach
    void close() {
        applications.close();
        environment.close();
    }

    private static Schema first(ApplicationDefinition definition) {
        return Deploying.first(1, "shop", definition);
    }

    private static void badOption(String option, ApplicationDefinition definition) {
        assertThatThrownBy(() -> first(definition)).isInstanceOfSatisfying(ApplicationException.class, e -> {
            assertThat(e.code()).isEqualTo(ErrorCode.BAD_OPTION);
            assertThat(e.option()).isEqualTo(option);
        });
    }

    private static void refused(ErrorCode code, String what, Schema before, ApplicationDefinition definition) {
        assertThatThrownBy(() -> Deploying.next(before, definition))
                .isInstanceOfSatisfying(EventLogException.class, e -> {
                    assertThat(e.code()).isEqualTo(code);
                    assertThat(e).hasMessageContaining(what);
                });
    }

    // ---- a definition by itself

    @Test
    void first_ofADefinitionThatCannotBe_namesItsOption() {
        badOption("partitions", new ApplicationDefinition(0, SHOP.kinds(), SHOP.types()));
        badOption("partitions", new ApplicationDefinition(257, SHOP.kinds(), SHOP.types()));
        badOption("kinds", ApplicationDefinition.ofPartitions(1).type("order", RecordKind.ODOC));
        badOption("kinds.a b", SHOP.kind("a b"));
        badOption("types.-x", SHOP.type("-x", RecordKind.WDOC));
        badOption("kinds.shop.sequences.WLogOffset", SHOP.kind("shop", "WLogOffset", 1));
        badOption("kinds.shop.sequences.é", SHOP.kind("shop", "é", 1));
        badOption("kinds.shop.sequences.RecordID", SHOP.kind("shop", "RecordID", 0));
        badOption("kinds.shop.sequences.RecordID", SHOP.kind("shop", "RecordID", 300_000, 299_999));
        badOption("types.bill.singleton", SHOP.type("bill", new RecordType(RecordKind.WDOC, Optional.empty(), true)));
        badOption(
                "types.bill.sequence", SHOP.type("bill", new RecordType(RecordKind.WDOC, Optional.of("Bills"), false)));
    }

    @Test
    void first_ofSequencesThatFeedRecords_mustBeDisjointFrom200001Up() {
        badOption("kinds.shop.sequences.RecordID", SHOP.kind("shop", "RecordID", 200_000));
        badOption("kinds.shop.sequences.CRecordID", SHOP.kind("shop", "CRecordID", 300_000));
        ApplicationDefinition twice = SHOP.kind("shop", "RecordID", 200_001, 300_000);
        badOption("kinds.shop.sequences.CRecordID", twice.kind("shop", "CRecordID", 300_000));
        assertThat(first(twice.kind("shop", "CRecordID", 300_001)).kinds()).hasSize(1);
        ApplicationDefinition other = SHOP.kind("shop", "Bills", 1);
        assertThat(first(other).kinds().get(0).sequences())
                .as("it feeds no records")
                .hasSize(2);
        badOption(
                "kinds.shop.sequences.Bills",
                other.type("bill", new RecordType(RecordKind.WDOC, Optional.of("Bills"), false)));
        assertThat(first(SHOP.kind("depot", "RecordID", 200_001)).kinds())
                .as("of another kind")
                .hasSize(2);
    }

    @Test
    void schema_ofNamesThatDifferOnlyByCase_isRefused() {
        for (ApplicationDefinition twice : List.of(
                SHOP.type("Order", RecordKind.ODOC),
                SHOP.kind("SHOP", "RecordID", 200_001),
                SHOP.kind("shop", "recordid", 1),
                SHOP.kind("shop", "wlogoffset", 1))) {
            assertThatThrownBy(() -> first(twice))
                    .isInstanceOfSatisfying(
                            ApplicationException.class,
                            e -> assertThat(e.code()).isEqualTo(ErrorCode.NAME_CASE));
            refused(ErrorCode.NAME_CASE, "differs only by case", first(SHOP), twice);
        }
    }

    @Test
    void first_ofMoreSingletonsThanThereAreIds_isABadOption() {
        ApplicationDefinition many = SHOP;
        for (int i = 1; i < Schema.MOST_SINGLETONS; i++) {
            many = many.singleton("s" + i);
        }
        assertThat(first(many).types().stream()
                        .flatMap(type -> type.singletonId().stream().boxed())
                        .distinct())
                .hasSize(512)
                .allSatisfy(id -> assertThat(id).isBetween(65_536L, 66_047L));
        badOption("types", many.singleton("more"));
    }

    // ---- one over another

    @Test
    void next_ofSomethingElse_isRefused() {
        Schema before = first(SHOP.kind("depot", "Boxes", 5, 10));
        ApplicationDefinition same = before.definition();
        refused(
                ErrorCode.ALREADY_EXISTS,
                "there are 2, wanted are 3",
                before,
                new ApplicationDefinition(3, same.kinds(), same.types()));
        refused(ErrorCode.ALREADY_EXISTS, "kinds.depot is missing", before, SHOP);
        refused(
                ErrorCode.ALREADY_EXISTS,
                "kinds.depot.sequences.Boxes is missing",
                before,
                SHOP.kind("depot", "Others", 5));
        refused(
                ErrorCode.ALREADY_EXISTS,
                "types.settings is missing",
                before,
                new ApplicationDefinition(
                        2,
                        same.kinds(),
                        Map.of(
                                "order",
                                SHOP.types().get("order"),
                                "customer",
                                SHOP.types().get("customer"))));
        refused(
                ErrorCode.ALREADY_EXISTS,
                "types.customer: a type stays what it is; it is a CDoc",
                before,
                same.type("customer", RecordKind.WDOC));
        refused(ErrorCode.ALREADY_EXISTS, "types.customer", before, same.singleton("customer"));
        refused(ErrorCode.ALREADY_EXISTS, "types.settings", before, same.type("settings", RecordKind.CDOC));
        for (ApplicationDefinition lowered : List.of(
                same.kind("depot", "Boxes", 4, 10),
                same.kind("depot", "Boxes", 5, 9),
                same.kind("depot", "Boxes", 1))) {
            refused(ErrorCode.WOULD_REPEAT, "kinds.depot.sequences.Boxes", before, lowered);
        }
    }

    @Test
    void next_keepsAllIdsWhateverTheOrder() {
        Schema before = first(SHOP.kind("depot", "Boxes", 5).singleton("theme"));
        ApplicationDefinition turned = ApplicationDefinition.ofPartitions(2)
                .singleton("new")
                .singleton("theme")
                .singleton("settings")
                .type("customer", RecordKind.CDOC)
                .type("order", RecordKind.ODOC)
                .kind("first")
                .kind("depot", "A", 1)
                .kind("depot", "Boxes", 6)
                .kind("shop", "B", 1)
                .kind("shop", "RecordID", 200_001);
        Schema after = Deploying.next(before, turned);
        for (TypeEntry type : before.types()) {
            assertThat(after.types()).contains(type);
        }
        assertThat(after.types().stream().map(TypeEntry::id)).containsExactly(1, 2, 3, 4, 5);
        assertThat(after.types().get(4).singletonId()).hasValue(65_538);
        assertThat(after.kinds().stream().map(Schema.KindEntry::name)).containsExactly("shop", "depot", "first");
        assertThat(after.kinds().get(1).sequences())
                .containsExactly(
                        new Schema.SequenceEntry(
                                1, "Boxes", new ApplicationDefinition.Range(6, Long.MAX_VALUE), 5, false),
                        new Schema.SequenceEntry(2, "A", new ApplicationDefinition.Range(1, Long.MAX_VALUE), 1, false));
        assertThat(SchemaCodec.decode(1, "shop", SchemaCodec.encode(after))).isEqualTo(after);
        assertThat(Deploying.next(after, turned)).isEqualTo(after);
        assertThat(Deploying.next(after, after.definition())).isEqualTo(after);
    }

    /** What once gave ids to records is in use, even if no type draws from it any more. */
    @Test
    void next_countsWhatOnceFedRecords() {
        ApplicationDefinition bills =
                SHOP.kind("shop", "RecordID", 200_001, 300_000).kind("shop", "Bills", 300_001, 400_000);
        Schema before = first(bills.type("bill", new RecordType(RecordKind.WDOC, Optional.of("Bills"), false)));
        ApplicationDefinition free = bills.type("bill", RecordKind.WDOC);
        Schema after = Deploying.next(before, free);
        ApplicationDefinition over = free.kind("shop", "CRecordID", 350_000, 360_000);
        assertThatThrownBy(() -> Deploying.next(after, over))
                .isInstanceOfSatisfying(
                        ApplicationException.class,
                        e -> assertThat(e.option()).isEqualTo("kinds.shop.sequences.CRecordID"));
        ApplicationDefinition raised =
                free.kind("shop", "Bills", 390_000, 400_000).kind("shop", "CRecordID", 300_001, 310_000);
        assertThatThrownBy(() -> Deploying.next(after, raised))
                .as("below a raised initial number lie those that were given out")
                .isInstanceOf(ApplicationException.class);
    }

    // ---- over a life

    private static Command create(long workspace, String type) {
        return Command.in("shop", workspace).create(NewRecord.of(type, 1));
    }

    private Appended append(Command command) {
        return applications.get("shop").append(command, WAIT);
    }

    @Test
    void deploy_again_keepsWhatWasIssuedAndTakesARaisedInitial() {
        Deployment first = applications.deploy("shop", SHOP);
        assertThat(first.created()).isTrue();
        assertThat(append(create(1, "customer")).ids()).containsValue(200_001L);
        Deployment same = applications.deploy("shop", SHOP);
        assertThat(same.created()).isFalse();
        assertThat(same.application()).as("nothing has changed").isSameAs(first.application());

        ApplicationDefinition raised = SHOP.kind("shop", "RecordID", 500_000).type("bill", RecordKind.WDOC);
        Deployment second = applications.deploy("shop", raised);
        assertThat(second.created()).isFalse();
        assertThat(append(create(1, "bill"))).isEqualTo(new Appended(1, 2, 2, Map.of(1L, 500_000L)));
        assertThatThrownBy(() -> append(Command.in("shop", 1).create(NewRecord.of("bill", 200_001))))
                .isInstanceOfSatisfying(
                        EventLogException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.ALREADY_EXISTS));
        assertThatThrownBy(() -> applications.deploy("shop", SHOP))
                .isInstanceOfSatisfying(
                        EventLogException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.ALREADY_EXISTS));
        assertThat(append(create(1, "bill")).ids()).as("it goes on").containsValue(500_001L);
        assertThatThrownBy(() -> first.application().append(create(1, "customer"), WAIT))
                .isInstanceOfSatisfying(
                        EventLogException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CLOSED));

        assertThat(applications.undeploy("shop")).isTrue();
        assertThat(applications.undeploy("shop")).isFalse();
        restart();
        assertThat(applications.list()).isEmpty();
        assertThatThrownBy(() -> applications.get("shop"))
                .isInstanceOfSatisfying(
                        EventLogException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_FOUND));
        assertThatThrownBy(() -> applications.deploy("shop", SHOP))
                .as("also over one that is not deployed")
                .isInstanceOf(EventLogException.class);
        assertThat(applications.deploy("shop", raised).created()).isTrue();
        assertThat(append(create(1, "bill"))).isEqualTo(new Appended(1, 4, 4, Map.of(1L, 500_002L)));
        assertThat(applications.get("shop").partition(1).check().findings()).isEmpty();
    }

    @Test
    void deploy_ofNames_keepsThemApart() {
        applications.deploy("shop", SHOP);
        assertThatThrownBy(() -> applications.deploy("Shop", SHOP))
                .isInstanceOfSatisfying(
                        EventLogException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NAME_CASE));
        assertThatThrownBy(() -> applications.deploy("a/b", SHOP))
                .isInstanceOfSatisfying(
                        ApplicationException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.BAD_NAME));
        Application other = applications.deploy("other", SHOP).application();
        assertThat(other.id()).isEqualTo(2);
        append(create(1, "customer"));
        assertThat(other.append(create(1, "customer"), WAIT).plogOffset()).isEqualTo(1);
        assertThat(applications.list().stream().map(Application::name)).containsExactly("other", "shop");
    }

    @Test
    void deploy_whenItCannotBeWritten_leavesTheOldOneRunning() {
        applications.deploy("shop", SHOP);
        append(create(1, "customer"));
        ApplicationDefinition more = SHOP.type("bill", RecordKind.WDOC);
        write.set(() -> {
            throw new StoreException(StoreException.Kind.UNAVAILABLE, "no");
        });
        assertThatThrownBy(() -> applications.deploy("shop", more))
                .isInstanceOfSatisfying(
                        EventLogException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.STORE_UNAVAILABLE));
        assertThat(append(create(1, "customer")).plogOffset()).isEqualTo(2);
        write.set(() -> new LogOutcome.Unknown(new Exception("lost")));
        assertThatThrownBy(() -> applications.deploy("shop", more))
                .isInstanceOfSatisfying(
                        EventLogException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.OUTCOME_UNKNOWN));
        assertThat(append(create(1, "customer")).plogOffset()).isEqualTo(3);
        applications.deploy("shop", more);
        assertThat(append(create(1, "bill")).plogOffset()).isEqualTo(4);
    }

    @Test
    void deploy_ofAnApplicationThatRuns_neverLooksAsIfThereWereNone() {
        applications.deploy("shop", SHOP);
        write.set(() -> {
            assertThat(applications.get("shop").submit(create(1, "customer")))
                    .failsWithin(WAIT)
                    .withThrowableThat()
                    .havingCause()
                    .isInstanceOfSatisfying(
                            EventLogException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CLOSED));
            throw new StoreException(StoreException.Kind.UNAVAILABLE, "no");
        });
        assertThatThrownBy(() -> applications.deploy("shop", SHOP.type("bill", RecordKind.WDOC)))
                .hasMessageContaining("nothing was deployed");
        assertThat(append(create(1, "customer")).plogOffset()).isEqualTo(1);
    }

    @Test
    void deploy_whenAnotherProcessHasDeployed_isBusyAndThenSeesIt() {
        applications.deploy("shop", SHOP);
        try (Applications others = open()) {
            others.deploy("shop", SHOP.type("bill", RecordKind.WDOC));
        }
        assertThatThrownBy(() -> applications.deploy("shop", SHOP.type("line", RecordKind.WRECORD)))
                .isInstanceOfSatisfying(
                        EventLogException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.BUSY));
        assertThatThrownBy(() -> applications.deploy("shop", SHOP.type("line", RecordKind.WRECORD)))
                .isInstanceOfSatisfying(
                        EventLogException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.ALREADY_EXISTS));
        applications.deploy("shop", SHOP.type("bill", RecordKind.WDOC).type("line", RecordKind.WRECORD));
        assertThat(append(create(1, "line")).plogOffset()).isEqualTo(1);
    }

    /** It was written, and a reading behind the write failed: the caller was told that, and the old partitions ran on. */
    @Test
    void deploy_whileTheStoreCanOnlyBeWritten_isDeployed() {
        unreadable.set(true);
        assertThat(applications.deploy("shop", SHOP).created()).isTrue();
        write.set(() -> new LogOutcome.Unknown(new Exception("no answer")));
        ApplicationDefinition more = SHOP.type("bill", RecordKind.WDOC);
        assertThatThrownBy(() -> applications.deploy("shop", more))
                .isInstanceOfSatisfying(
                        EventLogException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.OUTCOME_UNKNOWN));
        assertThat(applications.deploy("shop", more).application().definition()).isEqualTo(more);
        unreadable.set(false);
    }
}
