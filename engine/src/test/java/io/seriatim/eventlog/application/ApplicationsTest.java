package io.seriatim.eventlog.application;

import static org.assertj.core.api.Assertions.assertThat;

import io.seriatim.memory.MemoryEventLogStore;
import java.time.Duration;
import java.util.Map;
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
}
