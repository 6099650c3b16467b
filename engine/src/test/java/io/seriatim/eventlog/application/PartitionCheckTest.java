package io.seriatim.eventlog.application;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.seriatim.SystemEnvironment;
import io.seriatim.eventlog.LogReport;
import io.seriatim.memory.MemoryEventLogStore;
import io.seriatim.store.DerivedRows;
import io.seriatim.store.EventHeader;
import io.seriatim.store.LogEvent;
import io.seriatim.store.LogOutcome;
import io.seriatim.store.PartitionKey;
import io.seriatim.store.PartitionStore;
import io.seriatim.store.RecordRow;
import io.seriatim.store.WriteMode;
import io.seriatim.store.WriterMark;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the check of a partition says of rows that somebody else has written. */
class PartitionCheckTest {

    private static final Duration WAIT = Duration.ofSeconds(20);
    private static final ApplicationDefinition SHOP = ApplicationDefinition.ofPartitions(1)
            .kind("shop", "RecordID", 200_001)
            .type("customer", RecordKind.CDOC);

    private final MemoryEventLogStore store = new MemoryEventLogStore();
    private final SystemEnvironment environment = new SystemEnvironment();
    private PartitionKey key = new PartitionKey(1, 0);

    @BeforeEach
    void write() {
        try (Applications applications = Applications.on(new ForwardingStore(store))) {
            Application shop = applications.deploy("shop", SHOP).application();
            key = new PartitionKey(shop.id(), 0);
            shop.append(Command.in("shop", 1).create(NewRecord.of("customer", 1).with("name", "Ada")), WAIT);
            shop.append(Command.in("shop", 1).update(RecordUpdate.of(200_001).with("name", "Eva")), WAIT);
        }
    }

    @AfterEach
    void close() {
        store.close();
        environment.close();
    }

    private List<String> findings() {
        return Applications.check(store, key, environment).run().findings().stream()
                .map(LogReport.Finding::what)
                .toList();
    }

    private void derive(List<RecordRow> updated, OptionalLong applied) {
        PartitionStore partition = store.partition(key);
        assertThat(partition.derive(
                        partition.epoch(),
                        new DerivedRows(
                                WriteMode.PUT,
                                WriteMode.PUT,
                                List.of(),
                                updated,
                                List.of(),
                                List.of(),
                                List.of(),
                                List.of(),
                                applied)))
                .isEqualTo(LogOutcome.Applied.APPLIED);
    }

    @Test
    void check_ofWhatWasWritten_isSound() {
        assertThat(findings()).isEmpty();
    }

    @Test
    void check_ofARecordThatIsNotWhatItsLastUpdateSays_tellsOfIt() {
        RecordRow row = store.partition(key).record(1, 200_001).orElseThrow();
        derive(
                List.of(new RecordRow(
                        row.workspace(),
                        row.id(),
                        row.type(),
                        row.plogOffset(),
                        row.wlogOffset(),
                        EventRows.bodyOf(EventRows.fieldsOf(row).with("name", "Bob")))),
                OptionalLong.empty());
        assertThat(findings()).singleElement().asString().contains("other contents than the event gave it");
    }

    /** Appends the first event again, with another body. */
    private void append(long offset, UnaryOperator<String> body) {
        PartitionStore partition = store.partition(key);
        LogEvent first = partition.events(1, 1).get(0);
        EventHeader its = first.header();
        EventHeader header = new EventHeader(
                its.workspace(), its.kind(), new WriterMark(7, offset), "", its.sequences(), its.values());
        byte[] bytes = body.apply(new String(first.body(), UTF_8)).getBytes(UTF_8);
        assertThat(partition.append(
                        partition.epoch(),
                        WriteMode.INSERT_IF_ABSENT,
                        List.of(new LogEvent(offset, partition.epoch(), header, bytes))))
                .isEqualTo(LogOutcome.Applied.APPLIED);
    }

    /** Of an event that was not applied yet it was passed over in silence. */
    @Test
    void check_ofATypeThatTheApplicationDoesNotHave_tellsOfIt() {
        append(3, body -> body.replace("customer", "stranger"));
        assertThat(findings()).anyMatch(each -> each.contains("no such type: stranger"));
    }

    @Test
    void check_ofAnIdThatTwoEventsGiveOutWhichAreNotApplied_tellsOfIt() {
        append(3, body -> body.replace("200001", "200002"));
        append(4, body -> body.replace("200001", "200002"));
        assertThat(findings()).anyMatch(each -> each.contains("as the event at offset 3 does"));
        assertThat(findings())
                .anyMatch(each -> each.contains("at its WLog offset, 1, stands the event at PLog offset 1"));
    }
}
