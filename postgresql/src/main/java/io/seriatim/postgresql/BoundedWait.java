package io.seriatim.postgresql;

import io.seriatim.postgresql.Rows.DamagedRowException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

/**
 * Work in a caller's transaction that waits for others a bounded time, and leaves the transaction as it was if that was too
 * short: a savepoint, and the server's own bound on waits, set for this work alone.
 */
final class BoundedWait {

    private static final String LOCK_NOT_AVAILABLE = "55P03";

    private BoundedWait() {}

    static <T> T run(Connection connection, Duration bound, Database.Work<T> work)
            throws SQLException, DamagedRowException {
        return run(connection, bound, Sql.BOUND_WAIT, work);
    }

    /** The same, once the caller's transaction is the first at something, which it stays until it ends. */
    static <T> T runFirstAt(Connection connection, Duration bound, String schema, String what, Database.Work<T> work)
            throws SQLException, DamagedRowException {
        return run(connection, bound, Sql.BOUND_WAIT_AND_QUEUE, work, schema, what);
    }

    private static <T> T run(Connection connection, Duration bound, String begin, Database.Work<T> work, String... lock)
            throws SQLException, DamagedRowException {
        execute(connection, Sql.BEGIN_WAIT);
        T result;
        try {
            String most = Math.max(1, bound.toMillis()) + "ms"; // 0 would be no bound at all
            String before = bind(connection, begin, most, lock);
            result = work.run(connection);
            restore(connection, before);
        } catch (SQLException e) {
            if (LOCK_NOT_AVAILABLE.equals(e.getSQLState())) {
                execute(connection, Sql.GIVE_UP_WAIT); // of anything else the caller's transaction has failed
            }
            throw e;
        } catch (DamagedRowException | RuntimeException | Error e) {
            giveUp(connection, e);
            throw e;
        }
        execute(connection, Sql.RELEASE_WAIT);
        return result;
    }

    private static void giveUp(Connection connection, Throwable reason) {
        try {
            execute(connection, Sql.GIVE_UP_WAIT);
        } catch (SQLException e) {
            reason.addSuppressed(e);
        }
    }

    private static String bind(Connection connection, String begin, String bound, String... lock) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(begin)) {
            Parameters parameters = new Parameters(statement).text(bound);
            for (String part : lock) {
                parameters.text(part);
            }
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return row.getString(1);
            }
        }
    }

    private static void restore(Connection connection, String before) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(Sql.END_WAIT)) {
            new Parameters(statement).text(before);
            statement.execute();
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
