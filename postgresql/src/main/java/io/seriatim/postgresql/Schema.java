package io.seriatim.postgresql;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.seriatim.store.StoreException;
import io.seriatim.store.StoreException.Kind;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** Makes the tables, or brings older ones up to this version. */
final class Schema {

    /*
     * V1.sql and its successors each run once, all that are missing in one transaction, under an advisory lock
     * that ends with it: a process that dies half way leaves nothing, and of two that start together one waits.
     * Where the version is the right one nothing is locked or written, so the role that serves needs no right to
     * create.
     */

    private static final int VERSION = 2;

    private final PostgresSettings settings;

    Schema(PostgresSettings settings) {
        this.settings = settings;
    }

    void migrate(Connection connection) throws SQLException {
        if (version(connection) == VERSION) {
            return;
        }
        connection.setAutoCommit(false); // what fails below is rolled back when the pool gets the connection back
        lock(connection);
        if (!yes(connection, Sql.SCHEMA_EXISTS, settings.schema())) {
            execute(connection, Sql.CREATE_SCHEMA.formatted(settings.schema()));
        }
        for (int next = version(connection) + 1; next <= VERSION; next++) {
            execute(connection, script(next));
            addVersion(connection, next);
        }
        connection.commit();
    }

    /** The version of the tables that are there; 0 where there are none. */
    private int version(Connection connection) throws SQLException {
        if (!yes(connection, Sql.VERSIONED)) {
            return 0;
        }
        try (PreparedStatement statement = connection.prepareStatement(Sql.VERSION);
                ResultSet row = statement.executeQuery()) {
            row.next();
            int version = row.getInt(1);
            if (version > VERSION) {
                throw new StoreException(
                        Kind.CORRUPT,
                        "the store in " + settings.place()
                                + " is of a newer version of this program: its tables have version " + version
                                + ", this program knows " + VERSION);
            }
            return version;
        }
    }

    private void lock(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(Sql.LOCK_MIGRATION)) {
            statement.setString(1, settings.schema());
            statement.execute();
        }
    }

    private static boolean yes(Connection connection, String question, String... parameters) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(question)) {
            for (int i = 0; i < parameters.length; i++) {
                statement.setString(i + 1, parameters[i]);
            }
            try (ResultSet row = statement.executeQuery()) {
                return row.next() && row.getBoolean(1);
            }
        }
    }

    private static void addVersion(Connection connection, int version) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(Sql.ADD_VERSION)) {
            statement.setInt(1, version);
            statement.execute();
        }
    }

    private static void execute(Connection connection, String script) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(script);
        }
    }

    private static String script(int version) {
        String name = "V" + version + ".sql";
        try (InputStream file = Schema.class.getResourceAsStream(name)) {
            if (file == null) {
                throw new IllegalStateException("this jar is not complete: " + name + " is missing");
            }
            return new String(file.readAllBytes(), UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
