package io.seriatim.postgresql;

import io.seriatim.store.ApplicationRow;
import io.seriatim.store.EventLogStore;
import io.seriatim.store.LogOutcome;
import io.seriatim.store.PartitionKey;
import io.seriatim.store.PartitionStore;
import io.seriatim.store.StoreException;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** The event logs of a schema. Its end is not the schema's: the connections are closed by the store that it is of. */
final class PostgresEventLog implements EventLogStore {

    private final Database database;
    private final Gate gate = new Gate();
    private final SecureRandom random = new SecureRandom();

    /** What became of these nobody knows; at most one of each partition. */
    private final Map<PartitionKey, Renewal> unsettled = new ConcurrentHashMap<>();

    /** That an owner raises its epoch, and the mark by which it finds out whether it did. */
    private record Renewal(long epoch, long mark) {}

    PostgresEventLog(Database database) {
        this.database = database;
    }

    @Override
    public PartitionStore partition(PartitionKey key) {
        return new PostgresPartition(key, this);
    }

    @Override
    public List<PartitionKey> partitions() {
        return list(LogSql.PARTITIONS, parameters -> {}, LogRows::partition);
    }

    @Override
    public List<ApplicationRow> applications() {
        return list(LogSql.APPLICATIONS, parameters -> {}, LogRows::application);
    }

    @Override
    public LogOutcome write(ApplicationRow row) {
        Rows.requireKey(row.name());
        return write(connection -> writeApplication(connection, row)).orElseGet(() -> landedOrOccupied(row));
    }

    private static Optional<LogOutcome> writeApplication(Connection connection, ApplicationRow row)
            throws SQLException {
        boolean first = row.revision() == 1;
        try (PreparedStatement statement =
                connection.prepareStatement(first ? LogSql.INSERT_APPLICATION : LogSql.UPDATE_APPLICATION)) {
            Parameters parameters = new Parameters(statement)
                    .number(row.revision())
                    .mark(row.mark())
                    .bytes(row.body())
                    .number(LogChecksum.of(row))
                    .number(row.id())
                    .text(row.name());
            if (!first) {
                parameters.number(row.revision() - 1);
            }
            return statement.executeUpdate() == 1 ? Optional.of(applied(statement)) : Optional.empty();
        }
    }

    /** What a write that did not go in is answered; applications are never deleted, so what was in the way is there. */
    private LogOutcome landedOrOccupied(ApplicationRow row) {
        Optional<ApplicationRow> found = first(
                LogSql.FIND_APPLICATION,
                parameters -> parameters.number(row.id()).text(row.name()),
                LogRows::application);
        if (found.isEmpty()) {
            throw new IllegalArgumentException("an application that is not there begins at revision 1: " + row);
        }
        ApplicationRow there = found.get();
        boolean landed = there.id() == row.id()
                && there.name().equals(row.name())
                && there.revision() == row.revision()
                && there.mark().equals(row.mark());
        return landed ? LogOutcome.Applied.APPLIED : new LogOutcome.Occupied(there);
    }

    /** The mark for raising this epoch: that of an earlier try whose outcome is unknown, or a new one. */
    long renewal(PartitionKey key, long epoch) {
        Renewal earlier = unsettled.get(key);
        return earlier != null && earlier.epoch() == epoch ? earlier.mark() : random.nextLong();
    }

    void renewalIsUnknown(PartitionKey key, long epoch, long mark) {
        unsettled.put(key, new Renewal(epoch, mark));
    }

    void renewalIsSettled(PartitionKey key) {
        unsettled.remove(key);
    }

    /** The database does: a write locks the row of its partition, and looks at the epoch in it, in one statement. */
    @Override
    public boolean enforcesEpoch() {
        return true;
    }

    @Override
    public boolean isShared() {
        return true;
    }

    @Override
    public Optional<StoreException> failure() {
        return database.failure();
    }

    @Override
    public void close() {
        shut(database.callBound());
    }

    /** Refuses new calls, and waits at most so long. */
    void shut(Duration wait) {
        gate.shut(wait);
    }

    // ---- one call

    /** Fills the parameters of a statement. */
    interface Filling {
        void fill(Parameters parameters) throws SQLException;
    }

    /** Takes a row out of an answer. */
    interface Taking<T> {
        T take(ResultSet row) throws SQLException, Rows.DamagedRowException;
    }

    /** The rows that a query finds. */
    <T> List<T> list(String sql, Filling filling, Taking<T> taking) {
        return database.read(gate, connection -> answer(connection, sql, filling, taking));
    }

    /** The first row that a query finds. */
    <T> Optional<T> first(String sql, Filling filling, Taking<T> taking) {
        return list(sql, filling, taking).stream().findFirst();
    }

    /** What a statement answers that changes rows; if it fails, whether it did is unknown. */
    <T> List<T> change(String sql, Filling filling, Taking<T> taking) {
        return database.call(gate, connection -> {
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
                List<T> answer = answer(statement, filling, taking);
                Database.requireDurable(statement);
                return answer;
            }
        });
    }

    private static <T> List<T> answer(Connection connection, String sql, Filling filling, Taking<T> taking)
            throws SQLException, Rows.DamagedRowException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            return answer(statement, filling, taking);
        }
    }

    private static <T> List<T> answer(PreparedStatement statement, Filling filling, Taking<T> taking)
            throws SQLException, Rows.DamagedRowException {
        filling.fill(new Parameters(statement));
        List<T> found = new ArrayList<>();
        try (ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                found.add(taking.take(rows));
            }
        }
        return List.copyOf(found);
    }

    /** What became of a write; empty if a row is in the way. */
    Optional<LogOutcome> write(Database.Work<Optional<LogOutcome>> work) {
        return database.write(
                gate,
                connection -> {
                    try {
                        return work.run(connection);
                    } catch (SQLException e) {
                        if (LogSql.IN_THE_WAY.equals(e.getSQLState())) {
                            return Optional.empty();
                        }
                        throw e;
                    }
                },
                cause -> Optional.of(new LogOutcome.Unknown(cause)));
    }

    /** A write that the server acknowledged; with a warning only this server has it, see {@link Trouble}. */
    static LogOutcome applied(PreparedStatement statement) throws SQLException {
        SQLWarning warning = statement.getWarnings();
        return warning == null ? LogOutcome.Applied.APPLIED : new LogOutcome.Unknown(warning);
    }
}
