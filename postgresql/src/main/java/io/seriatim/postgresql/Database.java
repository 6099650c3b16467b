package io.seriatim.postgresql;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.seriatim.postgresql.Rows.DamagedRowException;
import io.seriatim.store.StoreException;
import io.seriatim.store.StoreException.Kind;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Statement;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The connections to one schema of a database, and whether they may still be used. Safe for use by many threads. */
final class Database {

    /*
     * What an error says about the outcome: Trouble. What a connection is set up with, and what the server must be
     * like: Session.
     */

    private final PostgresSettings settings;
    private final HikariDataSource pool;
    private final AtomicReference<@Nullable StoreException> failure = new AtomicReference<>();

    Database(PostgresSettings settings) {
        this.settings = settings;
        this.pool = new HikariDataSource(poolOf(settings));
    }

    private static HikariConfig poolOf(PostgresSettings settings) {
        HikariConfig config = new HikariConfig();
        config.setPoolName("seriatim-postgresql");
        config.setDataSource(new Session(settings));
        config.setMaximumPoolSize(settings.connections());
        config.setMinimumIdle(1);
        config.setConnectionTimeout(settings.connectTimeout().toMillis());
        config.setValidationTimeout(settings.connectTimeout().toMillis());
        config.setInitializationFailTimeout(-1); // the first call says what is wrong, as every other does
        return config;
    }

    /** Work on a connection; every call of a port is one. */
    interface Work<T> {
        T run(Connection connection) throws SQLException, DamagedRowException;
    }

    /** Runs one call, unless the gate is shut or the store has stopped. */
    <T> T call(Gate gate, Work<T> work) {
        return guarded(gate, () -> onConnection(work));
    }

    /**
     * The same for a call that changes nothing: where its connection turns out to be gone it is asked again on another one.
     * What ends one, such as a restart of the server, may have ended every one that lies in the pool.
     */
    <T> T read(Gate gate, Work<T> work) {
        return guarded(gate, () -> {
            for (int gone = 0; ; gone++) {
                try {
                    return onConnection(work);
                } catch (SQLException e) {
                    if (!Trouble.isConnectionGone(e) || gone == settings.connections()) {
                        throw e;
                    }
                }
            }
        });
    }

    private interface Attempt<T> {
        T run() throws SQLException, DamagedRowException;
    }

    private <T> T guarded(Gate gate, Attempt<T> attempt) {
        gate.enter();
        try {
            requireWorking();
            return attempt.run();
        } catch (SQLException e) {
            throw translated(e);
        } catch (DamagedRowException e) {
            throw damaged(e);
        } finally {
            gate.leave();
        }
    }

    private <T> T onConnection(Work<T> work) throws SQLException, DamagedRowException {
        Connection connection = connection();
        try {
            return work.run(connection);
        } finally {
            giveBack(connection);
        }
    }

    /** A call that writes: where nobody can say what became of it, the answer is what {@code unknown} makes of that. */
    <T> T write(Gate gate, Work<T> work, Function<Throwable, T> unknown) {
        return call(gate, connection -> {
            try {
                return work.run(connection);
            } catch (SQLException e) {
                if (Trouble.isRolledBack(e)) {
                    throw e;
                }
                return unknown.apply(translated(e));
            } catch (RuntimeException | Error e) {
                pool.evictConnection(connection); // broken off anywhere, perhaps in the middle of the answer
                return unknown.apply(e);
            }
        });
    }

    /**
     * After a change whose answer has no place for doubt.
     *
     * @throws StoreException UNAVAILABLE if the server warns, as it does where a commit waited for a standby in vain: then
     *     only this server has it
     */
    static void requireDurable(Statement statement) throws SQLException {
        SQLWarning warning = statement.getWarnings();
        if (warning != null) {
            throw new StoreException(
                    Kind.UNAVAILABLE, "whether a change is durable is unknown: " + warning.getMessage(), warning);
        }
    }

    /** A connection of the pool. The wait is bounded, so an interrupt is kept for the caller. */
    private Connection connection() throws SQLException {
        boolean interrupted = Thread.interrupted();
        try {
            while (true) {
                try {
                    return pool.getConnection();
                } catch (SQLException e) {
                    if (!(e.getCause() instanceof InterruptedException)) {
                        throw e;
                    }
                    interrupted |= Thread.interrupted();
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** What the call came to is known by now; a connection that cannot be given back must not change it. */
    private void giveBack(Connection connection) {
        try {
            connection.close();
        } catch (SQLException e) {
            pool.evictConnection(connection);
        }
    }

    /** Refuses work where the store has stopped. */
    void requireWorking() {
        StoreException first = failure.get();
        if (first != null) {
            throw new StoreException(first.kind(), String.valueOf(first.getMessage()), first);
        }
    }

    /** The error as one of a store; one that shows damage stops this store. */
    private StoreException translated(SQLException e) {
        return translated(e, Trouble.kindOf(e));
    }

    StoreException translated(SQLException e, Kind kind) {
        boolean stops = kind != Kind.UNAVAILABLE && kind != Kind.BUSY && kind != Kind.CONFLICT;
        StoreException translated = new StoreException(
                kind,
                "the store in " + settings.place() + (stops ? " has stopped: " : " is not available: ")
                        + Trouble.wordsOf(e),
                e);
        return stops ? stop(translated) : translated;
    }

    /** A row that no call of this program has written: the store stops for good. */
    StoreException damaged(DamagedRowException e) {
        return stop(new StoreException(
                Kind.CORRUPT,
                "the store in " + settings.place() + " has stopped: a row is damaged: " + e.getMessage(),
                e));
    }

    private StoreException stop(StoreException reason) {
        failure.compareAndSet(null, reason);
        return reason;
    }

    Optional<StoreException> failure() {
        return Optional.ofNullable(failure.get());
    }

    /** Most that a statement may take, its connection included; what a call asks again ends much sooner. */
    Duration callBound() {
        return settings.connectTimeout().plus(settings.socketTimeout());
    }

    /** Closes the connections; what still hangs is cut off after some seconds. May be called twice. */
    void close() {
        boolean interrupted = Thread.interrupted();
        try {
            pool.close();
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
