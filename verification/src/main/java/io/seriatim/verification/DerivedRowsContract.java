package io.seriatim.verification;

import static org.assertj.core.api.Assertions.assertThat;

import io.seriatim.store.DerivedRows;
import io.seriatim.store.EventLogStore;
import io.seriatim.store.KeyRow;
import io.seriatim.store.LogEvent;
import io.seriatim.store.LogOutcome;
import io.seriatim.store.PartitionKey;
import io.seriatim.store.PartitionStore;
import io.seriatim.store.RecordRow;
import io.seriatim.store.RegistryRow;
import io.seriatim.store.SkippedRow;
import io.seriatim.store.WorkspaceEvent;
import io.seriatim.store.WriteMode;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** What every {@link EventLogStore} promises of rows that follow from events; part of {@link EventLogStoreContract}. */
abstract class DerivedRowsContract extends ApplicationsContract {

    @Test
    void derive_isReadAsItWasWritten() {
        PartitionStore partition = owned();
        RecordRow record = new RecordRow(-5, Long.MAX_VALUE, Integer.MIN_VALUE, 7, 8, new byte[] {1, 0, -1});
        RecordRow empty = new RecordRow(0, 0, 0, 0, 0, new byte[0]);
        RegistryRow registered = new RegistryRow(-5, Long.MIN_VALUE, Integer.MAX_VALUE, Long.MAX_VALUE);
        KeyRow key = new KeyRow(-5, "key é 𝄞", Long.MAX_VALUE);
        WorkspaceEvent event = new WorkspaceEvent(-5, Long.MAX_VALUE, Long.MAX_VALUE);
        SkippedRow skipped = new SkippedRow(Long.MAX_VALUE, "projector é 𝄞", "", "a\nb", Long.MIN_VALUE);
        applied(partition.derive(
                OWNER,
                new DerivedRows(
                        WriteMode.INSERT_IF_ABSENT,
                        WriteMode.INSERT_IF_ABSENT,
                        List.of(record),
                        List.of(empty),
                        List.of(registered),
                        List.of(key),
                        List.of(event),
                        List.of(skipped),
                        OptionalLong.of(Long.MAX_VALUE))));
        assertThat(partition.record(-5, Long.MAX_VALUE)).contains(record);
        assertThat(partition.record(0, 0)).contains(empty);
        assertThat(partition.registered(-5, Long.MIN_VALUE)).contains(registered);
        assertThat(partition.workspaceEvents(-5, 1, 10)).containsExactly(event);
        assertThat(partition.keyed(-5, "key é 𝄞")).contains(key);
        assertThat(partition.skipped(1, 10)).containsExactly(skipped);
        assertThat(partition.appliedOffset()).hasValue(Long.MAX_VALUE);
    }

    /** The places of a workspace's events are no events: that of the log is another row. */
    @Test
    void derive_withoutEvents_addsNothingToTheLog() {
        PartitionStore partition = owned();
        applied(partition.derive(OWNER, derived(1, 1, 1).rows()));
        assertThat(partition.lastOffset()).isEmpty();
    }

    @Test
    void derive_whereACreatedRecordIs_isOccupiedAndWritesNothing() {
        PartitionStore partition = owned();
        RecordRow there = record(1, 10, "there");
        applied(partition.derive(OWNER, rows().created(there).rows()));
        Derived second = derived(1, 9, 5).created(record(1, 10, "mine")).updated(record(1, 11, "updated"));
        assertThat(occupied(partition.derive(OWNER, second.rows()))).isEqualTo(there);
        assertThat(partition.record(1, 10)).contains(there);
        assertNothingOf(partition, second);
    }

    @Test
    void derive_whereARegistryRowIs_isOccupiedAndWritesNothing() {
        PartitionStore partition = owned();
        RegistryRow there = new RegistryRow(1, 10, 3, 1);
        applied(partition.derive(OWNER, rows().registered(there).rows()));
        Derived second = derived(1, 9, 5).registered(new RegistryRow(1, 10, 4, 1));
        assertThat(occupied(partition.derive(OWNER, second.rows()))).isEqualTo(there);
        assertThat(partition.registered(1, 10)).contains(there);
        assertNothingOf(partition, second);
    }

    @Test
    void derive_whereAWorkspaceEventIs_isOccupiedAndWritesNothing() {
        PartitionStore partition = owned();
        WorkspaceEvent there = new WorkspaceEvent(1, 10, 100);
        applied(partition.derive(OWNER, rows().event(there).rows()));
        Derived second = derived(1, 9, 5).event(new WorkspaceEvent(1, 10, 101));
        assertThat(occupied(partition.derive(OWNER, second.rows()))).isEqualTo(there);
        assertThat(partition.workspaceEvents(1, 10, 10)).containsExactly(there);
        assertNothingOf(partition, second);
    }

    /** Derived rows have no mark: whether an equal row is one's own is for whoever wrote it to say. */
    @Test
    void derive_ofTheSameRowsAgain_isOccupied() {
        PartitionStore partition = owned();
        DerivedRows rows = derived(1, 1, 1).rows();
        applied(partition.derive(OWNER, rows));
        occupied(partition.derive(OWNER, rows));
    }

    @Test
    void derive_putWhereRowsAre_writesOverThem() {
        PartitionStore partition = owned();
        applied(partition.derive(OWNER, derived(1, 1, 1).rows()));
        DerivedRows second = derived(1, 1, 2).with(WriteMode.PUT, WriteMode.PUT);
        applied(partition.derive(OWNER, second));
        assertThere(partition, second);
        assertThat(partition.workspaceEvents(1, 1, 10)).hasSize(1);
    }

    @Test
    void derive_updated_isAlwaysWrittenOver() {
        PartitionStore partition = owned();
        applied(partition.derive(OWNER, rows().created(record(1, 1, "created")).rows()));
        RecordRow updated = record(1, 1, "updated");
        RecordRow absent = record(1, 2, "was not there");
        applied(partition.derive(OWNER, rows().updated(updated).updated(absent).rows()));
        assertThat(partition.record(1, 1)).contains(updated);
        assertThat(partition.record(1, 2)).contains(absent);
    }

    /** The second of two events of one group changes what the first has created. */
    @Test
    void derive_createdAndUpdatedInOne_isAsUpdated() {
        PartitionStore partition = owned();
        RecordRow updated = record(1, 1, "updated");
        applied(partition.derive(
                OWNER, rows().created(record(1, 1, "created")).updated(updated).rows()));
        assertThat(partition.record(1, 1)).contains(updated);
    }

    @Test
    void derive_appliedOffset_isWhatWasToldLast() {
        PartitionStore partition = owned();
        applied(partition.derive(OWNER, rows().applied(7).rows()));
        assertThat(partition.appliedOffset()).hasValue(7);
        applied(partition.derive(OWNER, rows().rows()));
        assertThat(partition.appliedOffset()).hasValue(7);
        applied(partition.derive(OWNER, rows().applied(3).rows()));
        assertThat(partition.appliedOffset()).hasValue(3);
        illegal(() -> partition.derive(OWNER, rows().applied(0).rows()));
    }

    @Test
    void workspaceEvents_inPages_areThereInOrder() {
        PartitionStore partition = owned();
        for (long workspace : new long[] {6, 7, 8, -7, Long.MAX_VALUE}) {
            Derived rows = rows();
            for (long offset = 300; offset >= 1; offset--) {
                rows.event(new WorkspaceEvent(workspace, offset, 2 * offset + workspace));
            }
            applied(partition.derive(OWNER, rows.rows()));
        }
        List<WorkspaceEvent> read = new ArrayList<>();
        List<WorkspaceEvent> page = partition.workspaceEvents(7, Long.MIN_VALUE, 11);
        while (!page.isEmpty()) {
            assertThat(page).hasSizeLessThanOrEqualTo(11);
            read.addAll(page);
            page = partition.workspaceEvents(7, read.get(read.size() - 1).offset() + 1, 11);
        }
        assertThat(read)
                .isEqualTo(LongStream.rangeClosed(1, 300)
                        .mapToObj(offset -> new WorkspaceEvent(7, offset, 2 * offset + 7))
                        .toList());
    }

    @Test
    void derive_ofTwoAtOnce_oneIsAppliedInEachRound() throws Exception {
        PartitionStore partition = owned();
        AtomicInteger applied = new AtomicInteger();
        Together.run(2, thread -> {
            for (long round = 1; round <= 1_000; round++) {
                LogOutcome outcome =
                        partition().derive(OWNER, derived(1, round, thread).rows());
                if (outcome instanceof LogOutcome.Applied) {
                    applied.incrementAndGet();
                } else {
                    occupied(outcome);
                }
            }
        });
        assertThat(applied).hasValue(1_000);
        assertThat(partition.workspaceEvents(1, 1, 2_000)).hasSize(1_000);
    }

    // ---- trust levels, as the writes that they stand for

    /** S50. */
    @Test
    void trustLevels_theSameRowsAgain_areRefusedByInsertAndWrittenByPut() {
        PartitionStore partition = owned();
        LogEvent first = new LogEvent(10_000, OWNER, header(1_234), new byte[] {1});
        Derived records = rows().created(record(1_234, 200_001, "argument")).created(record(1_234, 200_002, "doc"));
        Derived log = rows().event(new WorkspaceEvent(1_234, 1_000, 10_000));
        applied(partition.append(OWNER, WriteMode.INSERT_IF_ABSENT, List.of(first)));
        applied(partition.derive(OWNER, records.rows()));
        applied(partition.derive(OWNER, log.rows()));

        LogEvent again = new LogEvent(10_000, OWNER, header(1_234), new byte[] {2});
        assertThat(occupied(partition.append(OWNER, WriteMode.INSERT_IF_ABSENT, List.of(again))))
                .isEqualTo(first);
        assertThat(partition.events(1, 10)).containsExactly(first);
        applied(partition.append(OWNER, WriteMode.PUT, List.of(again)));
        assertThat(partition.events(1, 10)).containsExactly(again);

        occupied(partition.derive(OWNER, records.with(WriteMode.INSERT_IF_ABSENT, WriteMode.INSERT_IF_ABSENT)));
        applied(partition.derive(OWNER, records.with(WriteMode.PUT, WriteMode.INSERT_IF_ABSENT)));
        occupied(partition.derive(OWNER, log.with(WriteMode.PUT, WriteMode.INSERT_IF_ABSENT)));
        applied(partition.derive(OWNER, log.with(WriteMode.PUT, WriteMode.PUT)));
    }

    /** S52. */
    @Test
    void trustLevels_somethingForeignInTheWay_isRefusedByInsertAndWrittenOverByPut() {
        PartitionStore partition = owned();
        RecordRow before = record(1, 200_001, "before");
        RecordRow garbage = record(1, 200_002, "garbage");
        RecordRow mine = record(1, 200_002, "mine");
        applied(partition.derive(OWNER, rows().created(before).rows()));
        applied(partition.derive(OWNER, rows().updated(garbage).rows()));
        assertThat(occupied(partition.derive(OWNER, rows().created(mine).rows())))
                .isEqualTo(garbage);
        assertThat(partition.record(1, 200_002)).contains(garbage);
        applied(partition.derive(OWNER, rows().created(mine).with(WriteMode.PUT, WriteMode.INSERT_IF_ABSENT)));
        assertThat(partition.record(1, 200_002)).contains(mine);
        assertThat(partition.record(1, 200_001)).contains(before);

        LogEvent foreign = event(11);
        applied(partition.append(OWNER, WriteMode.INSERT_IF_ABSENT, List.of(event(10), foreign)));
        assertThat(occupied(partition.append(OWNER, WriteMode.INSERT_IF_ABSENT, List.of(event(11)))))
                .isEqualTo(foreign);
        WorkspaceEvent place = new WorkspaceEvent(1, 2, 99);
        applied(partition.derive(OWNER, rows().event(place).rows()));
        assertThat(occupied(partition.derive(
                        OWNER,
                        rows().event(new WorkspaceEvent(1, 2, 11)).with(WriteMode.PUT, WriteMode.INSERT_IF_ABSENT))))
                .isEqualTo(place);
        assertThat(partition.workspaceEvents(1, 1, 10)).containsExactly(place);
    }

    // ---- keys

    /** Whether an equal row is one's own is for whoever wrote it to say. */
    @Test
    void derive_whereAKeyIs_isOccupiedAndWritesNothing_evenIfItIsEqual() {
        PartitionStore partition = owned();
        KeyRow there = new KeyRow(1, "k", 10);
        applied(partition.derive(OWNER, rows().key(there).rows()));
        for (KeyRow row : List.of(there, new KeyRow(1, "k", 11))) {
            Derived second = derived(1, 9, 5).key(row).updated(record(1, 11, "updated"));
            for (WriteMode workspaces : WriteMode.values()) {
                assertThat(occupied(partition.derive(OWNER, second.with(WriteMode.INSERT_IF_ABSENT, workspaces))))
                        .isEqualTo(there);
            }
            assertThat(partition.record(1, 9)).isEmpty();
            assertThat(partition.record(1, 11)).isEmpty();
            assertThat(partition.registered(1, 9)).isEmpty();
            assertThat(partition.keyed(1, "key 9")).isEmpty();
            assertThat(partition.workspaceEvents(1, 1, 10)).isEmpty();
            assertThat(partition.skipped(1, 10)).isEmpty();
            assertThat(partition.appliedOffset()).isEmpty();
        }
        assertThat(partition.keyed(1, "k")).contains(there);
    }

    @Test
    void derive_putWhereAKeyIs_writesOverIt() {
        PartitionStore partition = owned();
        KeyRow second = new KeyRow(1, "k", 11);
        applied(partition.derive(OWNER, rows().key(new KeyRow(1, "k", 10)).rows()));
        applied(partition.derive(OWNER, rows().key(second).with(WriteMode.PUT, WriteMode.INSERT_IF_ABSENT)));
        assertThat(partition.keyed(1, "k")).contains(second);
    }

    @Test
    void keyed_inAnotherWorkspacePartitionOrApplication_isEmpty() {
        applied(owned().derive(OWNER, rows().key(new KeyRow(1, "k", 10)).rows()));
        for (PartitionKey other : List.of(new PartitionKey(1, 54), new PartitionKey(2, 55))) {
            PartitionStore partition = store().partition(other);
            assertThat(partition.take()).isEqualTo(OWNER);
            assertThat(partition.keyed(1, "k")).isEmpty();
            KeyRow row = new KeyRow(1, "k", 20 + other.application());
            applied(partition.derive(OWNER, rows().key(row).rows()));
            assertThat(partition.keyed(1, "k")).contains(row);
        }
        assertThat(partition().keyed(0, "k")).isEmpty();
        assertThat(partition().keyed(256, "k")).isEmpty();
        assertThat(partition().keyed(1, "k")).contains(new KeyRow(1, "k", 10));
    }

    @Test
    void keyed_keysThatAreNearlyEqual_areApart() {
        PartitionStore partition = owned();
        List<String> keys =
                List.of("", " ", "a", "A", "ab", "a\1", "é", "e\u0301", "?", "\uFFFD", "𝄞", "x".repeat(1_000));
        Derived rows = rows();
        for (int i = 0; i < keys.size(); i++) {
            rows.key(new KeyRow(1, keys.get(i), i + 1));
        }
        applied(partition.derive(OWNER, rows.rows()));
        assertThere(partition, rows);
        assertThat(partition.keyed(1, "b")).isEmpty();
        assertThat(partition.keyed(1, "abc")).isEmpty();
    }

    /** Half a surrogate pair is written as `?` by who does not look. */
    @Test
    void keyed_textThatNoRowCanHave_isEmpty() {
        PartitionStore partition = owned();
        applied(partition.derive(
                OWNER,
                rows().key(new KeyRow(1, "?", 10)).key(new KeyRow(1, "", 11)).rows()));
        for (String text : List.of("\uD834", "\uDD1E", "?\uD834", "\0", "?\0")) {
            assertThat(partition.keyed(1, text)).isEmpty();
        }
    }

    // ---- what operators let pass

    @Test
    void skipped_inPages_isThereInOrderOfOffsetAndCodePoints() {
        PartitionStore partition = owned();
        List<SkippedRow> inOrder = new ArrayList<>();
        for (long offset : new long[] {1, 2, 255, 256, 65_536, Long.MAX_VALUE}) {
            for (String projector : List.of("A", "a", "aa", "b", "é", "\uFFFD", "𝄞")) {
                inOrder.add(skipped(offset, projector, "at " + offset));
            }
        }
        for (int i = inOrder.size() - 1; i >= 0; i--) {
            applied(partition.derive(OWNER, rows().skipped(inOrder.get(i)).rows()));
        }
        assertThat(partition.skipped(Long.MIN_VALUE, 1_000)).isEqualTo(inOrder);
        assertThat(partition.skipped(2, 9)).isEqualTo(inOrder.subList(7, 16));
        assertThat(partition.skipped(3, 7)).isEqualTo(inOrder.subList(14, 21));
        assertThat(partition.skipped(Long.MAX_VALUE, 1)).isEqualTo(inOrder.subList(35, 36));
        illegal(() -> partition.skipped(1, 0));
    }

    @Test
    void derive_skipped_isWrittenOverInEveryMode() {
        PartitionStore partition = owned();
        applied(partition.derive(OWNER, rows().skipped(skipped(5, "mail", "0")).rows()));
        for (WriteMode records : WriteMode.values()) {
            for (WriteMode workspaces : WriteMode.values()) {
                SkippedRow row = skipped(5, "mail", records + " " + workspaces);
                applied(partition.derive(OWNER, rows().skipped(row).with(records, workspaces)));
                assertThat(partition.skipped(1, 10)).containsExactly(row);
            }
        }
    }

    @Test
    void skipped_inAnotherPartitionOrApplication_isEmpty() {
        applied(owned().derive(
                        OWNER, rows().skipped(skipped(5, "mail", "bounced")).rows()));
        for (PartitionKey other : List.of(
                new PartitionKey(1, 54), new PartitionKey(1, 56), new PartitionKey(2, 55), new PartitionKey(256, 0))) {
            assertThat(store().partition(other).skipped(1, 10)).isEmpty();
        }
    }
}
