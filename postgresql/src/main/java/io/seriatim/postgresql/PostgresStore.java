package io.seriatim.postgresql;

import io.seriatim.store.Change;
import io.seriatim.store.ClusterStore;
import io.seriatim.store.CounterKey;
import io.seriatim.store.CounterRow;
import io.seriatim.store.CounterStore;
import io.seriatim.store.CounterTransactions;
import io.seriatim.store.DefinitionRow;
import io.seriatim.store.EventLogStore;
import io.seriatim.store.IdempotencyKey;
import io.seriatim.store.IdempotencyRow;
import io.seriatim.store.LedgerRow;
import io.seriatim.store.RowVisitor;
import io.seriatim.store.StateCopy;
import io.seriatim.store.StoreException;
import io.seriatim.store.WriteOutcome;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Keeps counters, and event logs beside them, in tables of a PostgreSQL database, which any number of processes may share.
 *
 * <p>A database that cannot be reached, is full or read-only fails the call, and the next call may succeed. A row
 * or page that is damaged, and an I/O error of the server, stop the store until it is opened anew.
 */
public final class PostgresStore implements CounterStore {

    /*
     * Each call is one statement and each statement one transaction, so nothing is held between calls, and a
     * process that stops in the middle of one leaves no lock. The condition of a write is in the statement itself:
     * it writes over a revision, not after a look. A write of one counter is an UPDATE or INSERT; any other change
     * is one call of the function apply (V1.sql). Who is refused then reads what is there; rows only move on, so
     * what stood in the way is there or has been replaced by something newer.
     */

    private final Database database;
    private final PostgresEventLog eventLog;
    private final PostgresCluster cluster;
    private final PostgresTransactions transactions;
    private final Gate gate = new Gate();

    private PostgresStore(PostgresSettings settings, Database database) {
        this.database = database;
        this.transactions = new PostgresTransactions(settings, database);
        this.eventLog = new PostgresEventLog(database);
        this.cluster = new PostgresCluster(database);
    }

    /**
     * Opens the store in schema {@code seriatim} of a database; see {@link PostgresSettings#of}.
     *
     * @throws StoreException as {@link #open(PostgresSettings)}
     */
    public static PostgresStore open(String url, String user, String password) {
        return open(PostgresSettings.of(url, user, password));
    }

    /**
     * Opens the store, and makes schema and tables where they are missing.
     *
     * @throws StoreException {@code UNAVAILABLE} where the database cannot be reached, lets the role not in, is a
     *     standby, or runs without fsync or full_page_writes; {@code CORRUPT} where the tables are of a newer
     *     version of this program; {@code MOVED} where everything in them was moved to another store
     */
    public static PostgresStore open(PostgresSettings settings) {
        return open(settings, false);
    }

    /**
     * Opens the store to look at it, also where everything was moved to another one.
     *
     * @throws StoreException as {@link #open(PostgresSettings)}, but not MOVED
     */
    public static PostgresStore openToRead(PostgresSettings settings) {
        return open(settings, true);
    }

    private static PostgresStore open(PostgresSettings settings, boolean toRead) {
        PostgresStore store = new PostgresStore(settings, new Database(settings));
        try {
            store.inside(connection -> {
                new Schema(settings).migrate(connection);
                return settings;
            });
            if (!toRead && store.inside(connection -> new StateTables(connection).isMoved())) {
                throw new StoreException(
                        StoreException.Kind.MOVED,
                        "the store in " + settings + " was moved to another place for good; it serves nothing here");
            }
            return store;
        } catch (RuntimeException e) {
            store.close();
            throw e;
        }
    }

    /**
     * The event logs in the same schema, always the same object. Closing it ends event logs alone; closing this store ends
     * both.
     */
    public EventLogStore eventLog() {
        return eventLog;
    }

    /** Where the processes that share the event logs of this schema find each other, always the same object. */
    public ClusterStore cluster() {
        return cluster;
    }

    /** Shows every row as it is at one moment, but for those that say which processes live. Takes as long as it takes. */
    public void show(RowVisitor visitor) {
        boolean unused = inside(connection -> {
            new StateTables(connection).show(visitor);
            return true;
        });
    }

    /** Shows every row of sequences as it is at one moment. Takes as long as it takes. */
    public void showSequences(RowVisitor visitor) {
        boolean unused = inside(connection -> {
            new StateTables(connection).showSequences(visitor);
            return true;
        });
    }

    /** The tables with rows in this schema that are not of this program. */
    public List<String> otherRows() {
        return inside(connection -> new StateTables(connection).others());
    }

    /**
     * Takes the rows of another store into this one, which has none. All or nothing, durable on return. Epochs of partitions
     * are raised beyond any that the other store can have come to.
     *
     * @throws StoreException CONFLICT if there are rows already
     */
    public void load(StateCopy copy) {
        boolean unused = inside(connection -> {
            new StateTables(connection).load(copy);
            return true;
        });
    }

    /** The roles that own tables of this store which the one that is logged in does not: {@link #move} takes their word. */
    public List<String> otherOwners() {
        return inside(connection -> new StateTables(connection).otherOwners());
    }

    /**
     * Lets nobody write to this store any more, here or in any other process, and nobody open it to serve: everything goes to
     * another one. Cannot be taken back. Needs the role that owns the tables. Durable on return.
     */
    public void move() {
        boolean unused = inside(connection -> {
            new StateTables(connection).move();
            return true;
        });
    }

    /**
     * Transactional sequences in the same schema, put to in the caller's own transactions; always the same object. Closing it
     * closes nothing else; closing this store closes it.
     */
    public PostgresTransactions transactions() {
        return transactions;
    }

    /** In transactions of {@link PostgresTransactions#on}. */
    @Override
    public Optional<CounterTransactions> inTransactions() {
        return Optional.of(new PostgresCounterTransactions(transactions));
    }

    @Override
    public Optional<DefinitionRow> findDefinition(String name) {
        String folded = DefinitionRow.fold(name);
        Rows.requireKey(folded);
        return find(Optional.of(folded), Optional.empty(), Optional.empty()).definition();
    }

    @Override
    public Optional<CounterRow> findCounter(CounterKey key) {
        Rows.requireKey(key.scope(), key.period());
        return find(Optional.empty(), Optional.of(key), Optional.empty()).counter();
    }

    @Override
    public Optional<IdempotencyRow> findIdempotency(IdempotencyKey key) {
        Rows.requireKey(key.caller(), key.key());
        return find(Optional.empty(), Optional.empty(), Optional.of(key)).idempotency();
    }

    private WriteOutcome.Refused find(
            Optional<String> foldedName, Optional<CounterKey> counter, Optional<IdempotencyKey> request) {
        return database.read(gate, connection -> {
            try (PreparedStatement statement = connection.prepareStatement(Sql.FIND)) {
                new Parameters(statement).keys(foldedName, counter, request);
                try (ResultSet row = statement.executeQuery()) {
                    row.next();
                    return new WriteOutcome.Refused(
                            Rows.definition(row), Rows.counter(counter, row), Rows.idempotency(request, row));
                }
            }
        });
    }

    @Override
    public List<DefinitionRow> listDefinitions(String prefix, String after, int limit) {
        requireLimit(limit);
        String foldedPrefix = DefinitionRow.fold(prefix);
        String foldedAfter = DefinitionRow.fold(after);
        return database.read(gate, connection -> {
            try (PreparedStatement statement = connection.prepareStatement(Sql.LIST_DEFINITIONS)) {
                new Parameters(statement)
                        .text(foldedPrefix)
                        .text(foldedAfter)
                        .text(foldedPrefix)
                        .text(prefix)
                        .number(limit);
                List<DefinitionRow> found = new ArrayList<>();
                try (ResultSet rows = statement.executeQuery()) {
                    while (rows.next()) {
                        Rows.definition(rows).ifPresent(found::add);
                    }
                }
                return List.copyOf(found);
            }
        });
    }

    @Override
    public List<CounterRow> listCounters(long sequenceId, Optional<CounterKey> after, int limit) {
        requireLimit(limit);
        CounterKey from = after.orElse(CounterKey.of(sequenceId));
        Rows.requireKey(from.scope(), from.period());
        return database.read(gate, connection -> {
            try (PreparedStatement statement = connection.prepareStatement(Sql.LIST_COUNTERS)) {
                new Parameters(statement)
                        .number(sequenceId)
                        .text(from.scope())
                        .text(from.period())
                        .flag(after.isEmpty())
                        .text(from.scope())
                        .text(from.period())
                        .number(limit);
                List<CounterRow> found = new ArrayList<>();
                try (ResultSet rows = statement.executeQuery()) {
                    while (rows.next()) {
                        found.add(Rows.counter(sequenceId, rows));
                    }
                }
                return List.copyOf(found);
            }
        });
    }

    @Override
    public List<LedgerRow> listLedger(CounterKey key, long fromIndex, int limit) {
        requireLimit(limit);
        Rows.requireKey(key.scope(), key.period());
        return database.read(gate, connection -> {
            try (PreparedStatement statement = connection.prepareStatement(Sql.LIST_LEDGER)) {
                new Parameters(statement).counterKey(key).number(fromIndex).number(limit);
                List<LedgerRow> found = new ArrayList<>();
                try (ResultSet rows = statement.executeQuery()) {
                    while (rows.next()) {
                        found.add(Rows.ledger(key, rows));
                    }
                }
                return List.copyOf(found);
            }
        });
    }

    @Override
    public long sweepIdempotency(Instant now) {
        return inside(connection -> {
            try (PreparedStatement statement = connection.prepareStatement(Sql.SWEEP_IDEMPOTENCY)) {
                statement.setString(1, Instants.format(now));
                try (ResultSet rows = statement.executeQuery()) {
                    rows.next();
                    return rows.getLong(1);
                }
            }
        });
    }

    @Override
    public WriteOutcome apply(Change change) {
        requireKeys(change);
        boolean counterAlone = change.definition().isEmpty()
                && change.ledger().isEmpty()
                && change.idempotency().isEmpty();
        Optional<WriteOutcome> outcome = database.write(
                gate,
                connection -> counterAlone
                        ? writeCounter(connection, change.counter().orElseThrow())
                        : writeAll(connection, change),
                cause -> Optional.of(new WriteOutcome.Unknown(cause)));
        return outcome.orElseGet(() -> find(
                change.definition().map(DefinitionRow::foldedName),
                change.counter().map(CounterRow::key),
                change.idempotency().map(IdempotencyRow::key)));
    }

    // Empty is refused.

    private static Optional<WriteOutcome> writeCounter(Connection connection, CounterRow row) throws SQLException {
        boolean first = row.revision() == 1;
        try (PreparedStatement statement =
                connection.prepareStatement(first ? Sql.INSERT_COUNTER : Sql.UPDATE_COUNTER)) {
            Parameters parameters = new Parameters(statement).counterState(row).counterKey(row.key());
            if (!first) {
                parameters.number(row.revision() - 1);
            }
            int written = statement.executeUpdate();
            return outcome(written == 1, statement);
        }
    }

    private static Optional<WriteOutcome> writeAll(Connection connection, Change change) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(Sql.APPLY)) {
            new Parameters(statement)
                    .definition(change.definition())
                    .counter(change.counter())
                    .ledger(change.ledger())
                    .idempotency(change.idempotency());
            try (ResultSet answer = statement.executeQuery()) {
                return outcome(answer.next() && answer.getBoolean(1), statement);
            }
        }
    }

    private static Optional<WriteOutcome> outcome(boolean written, PreparedStatement statement) throws SQLException {
        SQLWarning warning = statement.getWarnings();
        if (written && warning != null) {
            return Optional.of(new WriteOutcome.Unknown(warning));
        }
        return written ? Optional.of(new WriteOutcome.Applied()) : Optional.empty();
    }

    private static void requireKeys(Change change) {
        change.definition().ifPresent(row -> Rows.requireKey(row.foldedName()));
        change.counter()
                .ifPresent(row -> Rows.requireKey(row.key().scope(), row.key().period()));
        change.ledger()
                .forEach(row ->
                        Rows.requireKey(row.counter().scope(), row.counter().period()));
        change.idempotency()
                .ifPresent(row -> Rows.requireKey(row.key().caller(), row.key().key()));
    }

    @Override
    public boolean isShared() {
        return true;
    }

    @Override
    public Optional<StoreException> failure() {
        return database.failure();
    }

    /**
     * Refuses new calls, waits for those under way, and closes the connections. May be called twice. Returns
     * within the time that one call may take and about ten seconds; what then still hangs is cut off.
     */
    @Override
    public void close() {
        long deadline = System.nanoTime();
        for (Duration wait :
                List.of(Duration.ZERO, database.callBound())) { // nothing begins while one waits for another
            deadline += wait.toNanos();
            gate.shut(left(deadline));
            transactions.shut(left(deadline));
            eventLog.shut(left(deadline));
            cluster.shut(left(deadline));
        }
        database.close();
    }

    private static Duration left(long deadline) {
        return Duration.ofNanos(Math.max(0, deadline - System.nanoTime()));
    }

    private <T> T inside(Database.Work<T> work) {
        return database.call(gate, work);
    }

    private static void requireLimit(int limit) {
        if (limit < 1) {
            throw new IllegalArgumentException("limit must be at least 1: limit=" + limit);
        }
    }
}
