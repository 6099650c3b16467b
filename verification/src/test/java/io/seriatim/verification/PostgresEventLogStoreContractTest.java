package io.seriatim.verification;

import io.seriatim.postgresql.PostgresSettings;
import io.seriatim.postgresql.PostgresStore;
import io.seriatim.store.EventLogStore;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;

/** All tests in one schema, which each finds empty; a new one for each would take longer than the tests. */
final class PostgresEventLogStoreContractTest extends DurableEventLogStoreContract {

    private static final Duration LONG = Duration.ofMinutes(1);
    private static final PostgresSettings SETTINGS =
            PostgresServer.shared().newSchema().withTimeouts(LONG, LONG, LONG.plusSeconds(1));

    private Optional<PostgresStore> store = Optional.empty();
    private boolean emptied;

    @BeforeAll
    static void makeTables() {
        PostgresStore.open(SETTINGS).close();
    }

    @Override
    protected EventLogStore open() {
        if (!emptied) {
            empty();
            emptied = true;
        }
        store = Optional.of(PostgresStore.open(SETTINGS));
        return store.get().eventLog();
    }

    @Override
    protected int pairs() {
        return 8;
    }

    private static void empty() {
        try {
            PostgresServer.shared().emptyEventLogs(SETTINGS);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    protected void close(EventLogStore opened) {
        opened.close();
        store.ifPresent(PostgresStore::close);
    }
}
