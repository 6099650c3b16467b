package io.seriatim.postgresql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/** Makes connections that are set up as the store needs them, to a server that keeps what it acknowledges. */
final class Session extends PGSimpleDataSource {

    /*
     * Looked at for each new connection and not only at the start: the pool makes new ones all the time, and
     * behind the same address another server may stand by then.
     */

    private static final long serialVersionUID = 1;

    /** The SQLSTATE of PostgreSQL's own "not in prerequisite state". */
    private static final String UNFIT = "55000";

    private final String schema;
    private final long statementTimeoutMillis;

    Session(PostgresSettings settings) {
        setUrl(settings.url());
        setUser(settings.user());
        setPassword(settings.password());
        setApplicationName("seriatim");
        setConnectTimeout(wholeSeconds(settings.connectTimeout().toMillis()));
        setSocketTimeout(wholeSeconds(settings.socketTimeout().toMillis()));
        setTcpKeepAlive(true);
        schema = settings.schema();
        statementTimeoutMillis = settings.statementTimeout().toMillis();
    }

    private static int wholeSeconds(long millis) {
        return Math.toIntExact((millis + 999) / 1000);
    }

    @Override
    public Connection getConnection(@Nullable String user, @Nullable String password) throws SQLException {
        Connection connection = super.getConnection(user, password);
        try {
            begin(connection);
            return connection;
        } catch (SQLException | RuntimeException e) {
            try {
                connection.close();
            } catch (SQLException second) {
                e.addSuppressed(second);
            }
            throw e;
        }
    }

    private void begin(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(Sql.BEGIN_SESSION)) {
            statement.setString(1, schema);
            statement.setString(2, Long.toString(statementTimeoutMillis));
            try (ResultSet server = statement.executeQuery()) {
                server.next();
                require("fsync", "on", server.getString("fsync"));
                require("full_page_writes", "on", server.getString("full_page_writes"));
                require("server_encoding", "UTF8", server.getString("server_encoding"));
                if (server.getBoolean("standby")) {
                    throw new SQLException("the server is a standby: nothing can be written there", UNFIT);
                }
            }
        }
    }

    private static void require(String setting, String wanted, @Nullable String found) throws SQLException {
        if (!wanted.equals(found)) {
            throw new SQLException(
                    "the server runs with " + setting + " = " + found + "; numbers are only safe with " + wanted,
                    UNFIT);
        }
    }
}
