package io.seriatim.verification;

import io.seriatim.eventlog.LogWorld;
import io.seriatim.postgresql.PostgresSettings;
import io.seriatim.postgresql.PostgresStore;
import io.seriatim.store.EventLogStore;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;

/** A schema, which any number of processes have open. All tests of a class in one, which each finds empty. */
final class PostgresLogWorld implements LogWorld {

    private static final Duration LONG = Duration.ofMinutes(1);
    private static final PostgresSettings SETTINGS = schema();

    private Optional<PostgresStore> opened = Optional.empty();
    private Optional<PostgresStore> beside = Optional.empty();

    PostgresLogWorld() {
        try {
            PostgresServer.shared().emptyEventLogs(SETTINGS);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static PostgresSettings schema() {
        PostgresSettings settings = PostgresServer.shared().newSchema().withTimeouts(LONG, LONG, LONG.plusSeconds(1));
        PostgresStore.open(settings).close(); // makes the tables
        return settings;
    }

    @Override
    public EventLogStore open() {
        close();
        opened = Optional.of(PostgresStore.open(SETTINGS));
        return opened.get().eventLog();
    }

    @Override
    public EventLogStore openBeside() {
        beside.ifPresent(PostgresStore::close);
        beside = Optional.of(PostgresStore.open(SETTINGS));
        return beside.get().eventLog();
    }

    @Override
    public void close() {
        opened.ifPresent(PostgresStore::close);
        beside.ifPresent(PostgresStore::close);
    }
}
