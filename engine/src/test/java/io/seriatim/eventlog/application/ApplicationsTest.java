package io.seriatim.eventlog.application;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.seriatim.ErrorCode;
import io.seriatim.SystemEnvironment;
import io.seriatim.eventlog.EventLogException;
import io.seriatim.memory.MemoryEventLogStore;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A small shop from its deployment to its reports. */
class ApplicationsTest {

    private static final Duration WAIT = Duration.ofSeconds(10);
    private static final ApplicationDefinition SHOP = ApplicationDefinition.ofPartitions(2)
            .kind("shop", "RecordID", 200_001)
            .type("order", RecordKind.ODOC)
            .type("item", RecordKind.ORECORD)
            .type("customer", RecordKind.CDOC);

    @Test
    void append_ofTheFirstCommand_drawsIdsInTheStatedOrderAndWritesEverything() {
        try (Applications applications = Applications.on(new MemoryEventLogStore())) {
            Application shop = applications.deploy("shop", SHOP).application();
            Appended appended = shop.append(
                    Command.in("shop", 1)
                            .argument(NewRecord.of("order", 1)
                                    .with("customer", Reference.to(4))
                                    .child("items", NewRecord.of("item", 2).with("count", 3)))
                            .create(NewRecord.of("customer", 4).with("name", "Ada")),
                    WAIT);

            assertThat(appended).isEqualTo(new Appended(1, 1, 1, Map.of(1L, 200_001L, 2L, 200_002L, 4L, 200_003L)));
            Partition partition = shop.partitionOf(1);
            assertThat(partition.workspaceEvents(1, 1, 10).events())
                    .singleElement()
                    .satisfies(event -> assertThat(
                                    event.argument().orElseThrow().fields().asMap())
                            .containsEntry("customer", 200_003L));
            assertThat(partition.record(1, 200_003).orElseThrow().fields().asMap())
                    .containsExactly(Map.entry("name", "Ada"));
            assertThat(partition.record(1, 200_002).orElseThrow().parent()).hasValue(200_001);
            assertThat(partition.check().findings()).isEmpty();
        }
    }

    /** Ids of records come from disjoint ranges, and a log names the sequence of each: a type may change where its come from. */
    @Test
    void deploy_typeOfAnotherSequence_goesOnThere_andEveryIdStaysUnique() {
        ApplicationDefinition apart = ApplicationDefinition.ofPartitions(1)
                .kind("shop", "RecordID", 200_001, 300_000)
                .kind("shop", "Own", 300_001, 400_000)
                .type("customer", RecordKind.CDOC);
        ApplicationDefinition own = apart.type(
                "customer", new ApplicationDefinition.RecordType(RecordKind.CDOC, Optional.of("Own"), false));
        try (Applications applications = Applications.on(new MemoryEventLogStore())) {
            assertThat(create(applications.deploy("shop", apart).application(), 1))
                    .isEqualTo(200_001);
            assertThat(create(applications.deploy("shop", own).application(), 1))
                    .isEqualTo(300_001);
            Application back = applications.deploy("shop", apart).application();
            assertThat(create(back, 1)).isEqualTo(200_002);
            Application again = applications.deploy("shop", own).application();
            assertThat(create(again, 1)).isEqualTo(300_002);
            assertThatThrownBy(() -> create(again, 200_003)) // one that the other sequence can still give
                    .hasMessageContaining("RecordID gives");
            assertThat(again.partition(0).check().findings()).isEmpty();
            assertThat(again.partition(0).rebuild().join().differences()).isEmpty();
            while (again.partition(0).state().status() != PartitionStatus.READY) {
                Thread.onSpinWait();
            }
            assertThat(create(again, 1)).isEqualTo(300_003);
            assertThat(again.partition(0).record(1, 200_002)).isPresent();
        }
    }

    private static long create(Application shop, long id) {
        return requireNonNull(shop.append(Command.in("shop", 1).create(NewRecord.of("customer", id)), WAIT)
                .ids()
                .get(id));
    }

    @Test
    void append_toAKindWithoutASequence_saysWhatIsMissing_andChangesWhatIsThere() {
        ApplicationDefinition bare = ApplicationDefinition.ofPartitions(1)
                .kind("shop")
                .type("customer", RecordKind.CDOC)
                .singleton("settings");
        try (Applications applications = Applications.on(new MemoryEventLogStore())) {
            Application shop = applications.deploy("shop", bare).application();
            assertThatThrownBy(() -> create(shop, 1))
                    .hasMessage("workspaces of kind shop can have no customer: the kind has no sequence CRecordID or"
                            + " RecordID for its ids; deploy the application with one")
                    .isInstanceOfSatisfying(
                            EventLogException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.BAD_REQUEST));
            assertThat(shop.append(Command.in("shop", 1).create(NewRecord.of("settings", 1)), WAIT)
                            .plogOffset())
                    .isEqualTo(1);
        }
    }

    @Test
    void idFromOutside_asFarAsMaxJumpAllows_isKept_oneFurtherIsRefused() {
        ApplicationSettings settings = ApplicationSettings.usual().withMaxJump(10);
        try (SystemEnvironment environment = new SystemEnvironment();
                Applications applications = Applications.on(new MemoryEventLogStore(), settings, environment)) {
            Application shop = applications.deploy("shop", SHOP).application();
            assertThatThrownBy(() -> create(shop, 200_011))
                    .hasMessage(
                            "the number may be at most 200010, 10 above what is before the first one, 200000: 200011");
            var unused = keep(shop, 200_000); // before the first one, so it moves nothing
            unused = keep(shop, 200_010);
            assertThatThrownBy(() -> create(shop, 200_021))
                    .hasMessage("the number may be at most 200020, 10 above the last one, 200010: 200021");
            assertThat(create(shop, 1)).isEqualTo(200_011);
            assertThatThrownBy(() -> create(shop, 66_047)).hasMessageContaining("those of singletons");
            unused = keep(shop, 66_048);
            assertThat(create(shop, 1)).isEqualTo(200_012);
        }
    }

    private static Appended keep(Application shop, long id) {
        return shop.append(Command.in("shop", 1).create(NewRecord.of("customer", id)), WAIT);
    }
}
