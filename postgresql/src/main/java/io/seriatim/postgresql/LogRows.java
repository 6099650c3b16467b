package io.seriatim.postgresql;

import io.seriatim.postgresql.Rows.DamagedRowException;
import io.seriatim.store.ApplicationRow;
import io.seriatim.store.Checkpoint;
import io.seriatim.store.EventHeader;
import io.seriatim.store.KeyRow;
import io.seriatim.store.LogEvent;
import io.seriatim.store.NumbersRow;
import io.seriatim.store.PartitionKey;
import io.seriatim.store.RecordRow;
import io.seriatim.store.RegistryRow;
import io.seriatim.store.SkippedRow;
import io.seriatim.store.WorkspaceEvent;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Objects;

/** Takes rows out of the answers to {@link LogSql}'s statements, and looks at their checksums. */
final class LogRows {

    private LogRows() {}

    /** What a replay shows of an event. */
    record Header(long offset, long epoch, EventHeader header) {}

    static ApplicationRow application(ResultSet row) throws SQLException, DamagedRowException {
        return Rows.reading(() -> {
            ApplicationRow application = new ApplicationRow(
                    row.getInt(1), Rows.text(row, 2), row.getLong(3), Rows.mark(row, 4), body(row, 6));
            requireSame(LogChecksum.of(application), row.getInt(7), "application", application.id());
            return application;
        });
    }

    static PartitionKey partition(ResultSet row) throws SQLException, DamagedRowException {
        return partition(row, 1);
    }

    /** The partition in two columns. */
    static PartitionKey partition(ResultSet row, int column) throws SQLException, DamagedRowException {
        return Rows.reading(() -> new PartitionKey(row.getInt(column), row.getInt(column + 1)));
    }

    static LogEvent event(PartitionKey key, ResultSet row) throws SQLException, DamagedRowException {
        return Rows.reading(() -> {
            LogEvent event =
                    new LogEvent(row.getLong(1), row.getLong(2), eventHeader(row, Rows.text(row, 10)), body(row, 11));
            LogChecksum.OfEvent sums = LogChecksum.of(key, event.offset(), event.epoch(), event.header(), event.body());
            requireSame(sums.header(), row.getInt(9), "the header of event", event.offset());
            requireSame(sums.whole(), row.getInt(12), "event", event.offset());
            return event;
        });
    }

    static Header header(PartitionKey key, ResultSet row) throws SQLException, DamagedRowException {
        return Rows.reading(() -> {
            Header header = new Header(row.getLong(1), row.getLong(2), eventHeader(row, ""));
            requireSame(
                    LogChecksum.ofHeader(key, header.offset(), header.epoch(), header.header()),
                    row.getInt(9),
                    "the header of event",
                    header.offset());
            return header;
        });
    }

    private static EventHeader eventHeader(ResultSet row, String key) throws SQLException {
        return new EventHeader(
                row.getLong(3), row.getInt(4), Rows.mark(row, 5), key, sequences(row, 7), numbers(row, 8));
    }

    private static int[] sequences(ResultSet row, int column) throws SQLException {
        Integer[] found = (Integer[]) row.getArray(column).getArray();
        return Arrays.stream(found).mapToInt(Integer::intValue).toArray();
    }

    private static long[] numbers(ResultSet row, int column) throws SQLException {
        Long[] found = (Long[]) row.getArray(column).getArray();
        return Arrays.stream(found).mapToLong(Long::longValue).toArray();
    }

    static NumbersRow numbers(ResultSet row) throws SQLException, DamagedRowException {
        return Rows.reading(() -> new NumbersRow(row.getLong(1), row.getInt(2), sequences(row, 3), numbers(row, 4)));
    }

    static WorkspaceEvent place(ResultSet row) throws SQLException {
        return new WorkspaceEvent(row.getLong(1), row.getLong(2), row.getLong(3));
    }

    static RecordRow record(PartitionKey key, ResultSet row) throws SQLException, DamagedRowException {
        return Rows.reading(() -> {
            RecordRow found = new RecordRow(
                    row.getLong(1), row.getLong(2), row.getInt(3), row.getLong(4), row.getLong(5), body(row, 6));
            requireSame(LogChecksum.of(key, found), row.getInt(7), "record", found.id());
            return found;
        });
    }

    static RegistryRow registered(ResultSet row) throws SQLException {
        return new RegistryRow(row.getLong(1), row.getLong(2), row.getInt(3), row.getLong(4));
    }

    static KeyRow key(ResultSet row) throws SQLException, DamagedRowException {
        return Rows.reading(() -> new KeyRow(row.getLong(1), Rows.text(row, 2), row.getLong(3)));
    }

    static SkippedRow skipped(ResultSet row) throws SQLException, DamagedRowException {
        return Rows.reading(() -> new SkippedRow(
                row.getLong(1), Rows.text(row, 2), Rows.text(row, 3), Rows.text(row, 4), row.getLong(5)));
    }

    static Checkpoint checkpoint(ResultSet row) throws SQLException {
        return new Checkpoint(row.getLong(1), row.getLong(2));
    }

    private static byte[] body(ResultSet row, int column) throws SQLException {
        return Objects.requireNonNull(row.getBytes(column));
    }

    private static void requireSame(int computed, int stored, String what, long which) {
        if (computed != stored) {
            throw new IllegalArgumentException("the checksum of " + what + " " + which + " does not fit");
        }
    }
}
