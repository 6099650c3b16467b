package io.seriatim.verification;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.seriatim.ErrorCode;
import io.seriatim.SystemEnvironment;
import io.seriatim.eventlog.EventLogException;
import io.seriatim.eventlog.application.Appended;
import io.seriatim.eventlog.application.Application;
import io.seriatim.eventlog.application.ApplicationDefinition;
import io.seriatim.eventlog.application.ApplicationSettings;
import io.seriatim.eventlog.application.Applications;
import io.seriatim.eventlog.application.Command;
import io.seriatim.eventlog.application.Event;
import io.seriatim.eventlog.application.NewRecord;
import io.seriatim.eventlog.application.Partition;
import io.seriatim.eventlog.application.PartitionState;
import io.seriatim.eventlog.application.PartitionStatus;
import io.seriatim.eventlog.application.Projector;
import io.seriatim.eventlog.application.RecordKind;
import io.seriatim.eventlog.application.RecordUpdate;
import io.seriatim.eventlog.application.RepairPendingException;
import io.seriatim.eventlog.application.TrustLevel;
import io.seriatim.store.DerivedRows;
import io.seriatim.store.EventLogStore;
import io.seriatim.store.LogOutcome;
import io.seriatim.store.PartitionKey;
import io.seriatim.store.PartitionStore;
import io.seriatim.store.RecordRow;
import io.seriatim.store.WriteMode;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The scenarios of commands whose end is in what a store keeps, by their numbers, on a store that is opened anew. */
abstract class CommandCases {

    private static final Duration WAIT = Duration.ofSeconds(20);
    private static final ApplicationDefinition SHOP = ApplicationDefinition.ofPartitions(1)
            .kind("shop", ApplicationDefinition.RECORD_ID, 200_001)
            .type("order", RecordKind.ODOC)
            .type("item", RecordKind.ORECORD)
            .type("customer", RecordKind.CDOC);

    private ApplicationSettings settings = ApplicationSettings.usual();
    private EventLogStore store;
    private SystemEnvironment environment;
    private Applications applications;
    private Application shop;

    /** Opens the store of this test; a later call in the same test opens the same store anew. */
    abstract EventLogStore openStore();

    /** Closes what {@link #openStore} has opened. */
    abstract void closeStore();

    @BeforeEach
    void open() {
        environment = new SystemEnvironment();
        store = openStore();
        applications = Applications.on(store, settings, environment);
        shop = applications.deploy("shop", SHOP).application();
    }

    @AfterEach
    void close() {
        applications.close();
        closeStore();
        environment.close();
    }

    private void restart() {
        close();
        open();
    }

    private void restart(ApplicationSettings other) {
        settings = other;
        restart();
    }

    private Partition partition() {
        return shop.partition(0);
    }

    private PartitionStore rows() {
        return store.partition(new PartitionKey(shop.id(), 0));
    }

    private Appended append(Command command) {
        return shop.append(command, WAIT);
    }

    /** An order with an item, and a customer: three raw ids. */
    private static Command order(long workspace) {
        return Command.in("shop", workspace)
                .argument(NewRecord.of("order", 1).child("items", NewRecord.of("item", 2)))
                .create(NewRecord.of("customer", 3).with("name", "Ada"));
    }

    private static Command customer(long workspace, long id) {
        return Command.in("shop", workspace).create(NewRecord.of("customer", id));
    }

    private void sound() {
        assertThat(partition().check().findings()).isEmpty();
    }

    private static void idsAre(Appended appended, long wlogOffset, Long... ids) {
        assertThat(appended.wlogOffset()).isEqualTo(wlogOffset);
        assertThat(appended.ids().values()).containsExactly(ids);
    }

    private static void refused(ErrorCode code, Runnable call) {
        assertThatExceptionOfType(EventLogException.class)
                .isThrownBy(call::run)
                .satisfies(thrown -> assertThat(thrown.code()).isEqualTo(code));
    }

    /** Says that nothing is applied, as if a power cut had taken the rows that say so. */
    private void forgetApplied() {
        LogOutcome outcome = rows().derive(rows().epoch(), rowsWith(List.of(), OptionalLong.of(1)));
        assertThat(outcome).isInstanceOf(LogOutcome.Applied.class);
    }

    private static DerivedRows rowsWith(List<RecordRow> written, OptionalLong applied) {
        return new DerivedRows(
                WriteMode.PUT, WriteMode.PUT, List.of(), written, List.of(), List.of(), List.of(), List.of(), applied);
    }

    @Test
    void s51_rowsThatAreThereAlready_areLeftByARepair() {
        append(order(1));
        append(Command.in("shop", 1).update(RecordUpdate.of(200_003).with("name", "Grace")));
        forgetApplied();
        restart();
        idsAre(append(order(1)), 3, 200_004L, 200_005L, 200_006L);
        assertThat(partition().record(1, 200_003).orElseThrow().fields().asMap())
                .containsEntry("name", "Grace");
        sound();
    }

    @ParameterizedTest
    @EnumSource(TrustLevel.class)
    void s52_garbageWhereARecordComes_isWrittenOverOnlyWhereNobodyLooks(TrustLevel level) throws Exception {
        restart(settings.withTrustLevel(level));
        append(customer(1, 1));
        RecordRow garbage = new RecordRow(1, 200_002, 99, 77, 7, "garbage".getBytes(UTF_8));
        assertThat(rows().derive(rows().epoch(), rowsWith(List.of(garbage), OptionalLong.empty())))
                .isInstanceOf(LogOutcome.Applied.class);

        if (level != TrustLevel.VERIFY_ALL) {
            idsAre(append(customer(1, 1)), 2, 200_002L);
            sound();
            return;
        }
        refused(ErrorCode.REPAIR_PENDING, () -> append(customer(1, 1)));
        PartitionState state = partition().actualize().get();
        assertThat(state.status()).isEqualTo(PartitionStatus.QUARANTINED);
        assertThat(state.differences())
                .anySatisfy(each -> assertThat(each.what()).contains("200002"));
        refused(ErrorCode.QUARANTINED, () -> append(customer(1, 1)));
        assertThat(rows().record(1, 200_002)).contains(garbage);

        restart(settings);
        refused(ErrorCode.QUARANTINED, () -> append(customer(1, 1)));
        assertThat(partition().rebuild(progress -> {}).get().status()).isEqualTo(PartitionStatus.READY);
        idsAre(append(customer(1, 1)), 3, 200_003L);
        sound();
    }

    @Test
    void s53_idsGoOnOverRestarts() {
        idsAre(append(order(1)), 1, 200_001L, 200_002L, 200_003L);
        restart();
        idsAre(append(order(1)), 2, 200_004L, 200_005L, 200_006L);
        restart();
        idsAre(append(order(2)), 1, 200_001L, 200_002L, 200_003L);
        restart();
        idsAre(append(order(1)), 3, 200_007L, 200_008L, 200_009L);
        sound();
    }

    @Test
    void s54_projectorFailsAtTheSecondEvent_isRepairedBeforeTheNextCommand() {
        AtomicInteger calls = new AtomicInteger();
        restart(settings.withProjector("shop", new Projector() {
            @Override
            public String name() {
                return "second";
            }

            @Override
            public void apply(int number, Event event) {
                if (event.plogOffset() == 2 && calls.incrementAndGet() == 1) {
                    throw new IllegalStateException("not today");
                }
            }
        }));
        append(order(1));
        assertThatExceptionOfType(RepairPendingException.class)
                .isThrownBy(() -> append(order(1)))
                .satisfies(thrown -> idsAre(thrown.appended(), 2, 200_004L, 200_005L, 200_006L));
        idsAre(append(order(1)), 3, 200_007L, 200_008L, 200_009L);
        assertThat(calls).hasValueGreaterThan(1);
        sound();
    }

    @Test
    void s55_s103_idsFromOutside() {
        append(customer(1, 1));
        idsAre(append(customer(1, 200_002)), 2);
        idsAre(append(customer(1, 1)), 3, 200_003L);
        idsAre(append(customer(1, 100_000)), 4);
        refused(ErrorCode.ALREADY_EXISTS, () -> append(customer(1, 200_001)));
        refused(ErrorCode.OUT_OF_RANGE, () -> append(customer(1, Long.MAX_VALUE)));
        restart();
        idsAre(append(customer(1, 1)), 5, 200_004L);
        sound();
    }

    @Test
    void s101_eventsWhoseRowsAreNotWritten_areAppliedByARestart() {
        ApplicationSettings plain = settings;
        restart(settings.withProjector("shop", new Projector() {
            @Override
            public String name() {
                return "never";
            }

            @Override
            public void apply(int number, Event event) {
                throw new IllegalStateException("never");
            }
        }));
        refused(ErrorCode.REPAIR_PENDING, () -> append(order(1).key("k")));
        restart(plain);
        applications.giveUp("shop", "never");
        shop = applications.get("shop");
        assertThat(append(order(1).key("k")).plogOffset()).isEqualTo(1);
        assertThat(partition().workspaceEvents(1, 1, 10).events()).hasSize(1);
        assertThat(partition().record(1, 200_002).orElseThrow().parent()).hasValue(200_001);
        assertThat(partition().record(1, 200_003)).isPresent();
        sound();
    }

    @Test
    void s104_theSameKeyOverARestart_isOneEventWithOneAnswer() {
        Appended first = append(order(1).key("k"));
        assertThat(append(order(1).key("k"))).isEqualTo(first);
        restart();
        assertThat(append(order(1).key("k"))).isEqualTo(first);
        refused(ErrorCode.KEY_REUSED, () -> append(customer(1, 1).key("k")));
        idsAre(append(order(2).key("k")), 1, 200_001L, 200_002L, 200_003L);
        sound();
    }
}
