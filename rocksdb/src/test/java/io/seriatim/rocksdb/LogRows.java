package io.seriatim.rocksdb;

import io.seriatim.store.ApplicationRow;
import io.seriatim.store.DerivedRows;
import io.seriatim.store.EventHeader;
import io.seriatim.store.KeyRow;
import io.seriatim.store.LogEvent;
import io.seriatim.store.LogOutcome;
import io.seriatim.store.NumberRows;
import io.seriatim.store.PartitionKey;
import io.seriatim.store.PartitionStore;
import io.seriatim.store.RecordRow;
import io.seriatim.store.RegistryRow;
import io.seriatim.store.SkippedRow;
import io.seriatim.store.WorkspaceEvent;
import io.seriatim.store.WriteMode;
import io.seriatim.store.WriterMark;
import java.util.List;
import java.util.stream.LongStream;

/** Rows of event logs, for tests. */
final class LogRows {

    static final PartitionKey KEY = new PartitionKey(1, 2);

    private LogRows() {}

    static LogEvent event(long offset) {
        EventHeader header = new EventHeader(
                7, 3, new WriterMark(1, offset), "key", new int[] {0, 2}, new long[] {offset, 200_000 + offset});
        return new LogEvent(offset, 1, header, new byte[] {1, 2, 3});
    }

    static List<LogEvent> events(long first, long last) {
        return LongStream.rangeClosed(first, last).mapToObj(LogRows::event).toList();
    }

    static ApplicationRow application(long revision) {
        return new ApplicationRow(1, "shop", revision, new WriterMark(1, revision), new byte[] {4, 5});
    }

    /** One row of each kind that follows from an event. */
    static DerivedRows derived(long id) {
        return DerivedRows.under(WriteMode.INSERT_IF_ABSENT)
                .withRecords(
                        List.of(new RecordRow(7, id, 4, 5, 6, new byte[] {9})),
                        List.of(),
                        List.of(new RegistryRow(7, id, 4, 6)),
                        List.of(new KeyRow(7, "key " + id, 5)))
                .withWorkspaceEvents(WriteMode.INSERT_IF_ABSENT, List.of(new WorkspaceEvent(7, id, 5)))
                .withSkipped(List.of(new SkippedRow(id, "mail", "ann", "no such address", 6)))
                .withAppliedOffset(id + 1);
    }

    /** One number of one workspace. */
    static NumberRows number(long value) {
        return new NumberRows() {
            @Override
            public int size() {
                return 1;
            }

            @Override
            public long workspace(int row) {
                return 7;
            }

            @Override
            public int kind(int row) {
                return 3;
            }

            @Override
            public int count(int row) {
                return 1;
            }

            @Override
            public int sequence(int row, int place) {
                return 2;
            }

            @Override
            public long value(int row, int place) {
                return value;
            }
        };
    }

    /** Writes rows of every kind: events 1 to 10 in two groups, and what follows. */
    static void writeAll(RocksDbStore store) {
        applied(store.eventLog().write(application(1)));
        PartitionStore partition = store.eventLog().partition(KEY);
        long epoch = partition.take();
        applied(partition.append(epoch, WriteMode.INSERT_IF_ABSENT, events(1, 5)));
        applied(partition.append(epoch, WriteMode.INSERT_IF_ABSENT, events(6, 10)));
        applied(partition.derive(epoch, derived(1)));
        applied(partition.writeNumbers(epoch, number(10), 11));
    }

    static void applied(LogOutcome outcome) {
        if (!outcome.equals(LogOutcome.Applied.APPLIED)) {
            throw new AssertionError(outcome);
        }
    }
}
