package io.seriatim.postgresql;

import io.seriatim.postgresql.Rows.DamagedRowException;
import io.seriatim.store.CatalogueRow;
import io.seriatim.store.StoreException;
import io.seriatim.store.Transaction;
import io.seriatim.store.TransactionalStore;
import io.seriatim.store.VersionedValue;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;

/**
 * Transactional sequences in tables of a PostgreSQL database, put to in transactions on the caller's own connections, which
 * are never committed, rolled back or closed here.
 *
 * <p>Safe for use by many threads; each connection by one at a time.
 */
public final class PostgresTransactions implements TransactionalStore {

    /*
     * What belongs to a caller's transaction runs on the caller's connection, with the schema named; the rest runs on the
     * store's own connections, each call a transaction of its own.
     *
     * A put is one INSERT. It takes a lock that all who put to the sequence hold together until they end, so that none of
     * them waits. Who goes on behind a process that was killed looks until nobody holds it, and so waits for commits that were
     * under way. It never asks for the lock itself, since who waits for a lock is in the way of all that come later.
     *
     * There are 256 locks, so that a transaction with many sequences does not fill the server's table of them. Those that
     * connections of this process hold are of other sequences, where nothing was put to this one through them.
     *
     * A thousand puts bring one cleaning, on a thread that ends when nothing is to be done: rows that a newer durable one
     * has superseded are deleted. One that fails is counted, and made up for by the next.
     *
     * Puts into another database than the one that is asked would be lost without a word, so a connection is compared
     * with the store's own once.
     */

    private static final int PUTS_BETWEEN_CLEANINGS = 1_000;
    private static final int MOST_TO_CLEAN = 10_000;
    /** In one statement, well within its timeout. */
    private static final int CLEANED_AT_ONCE = 10_000;

    private static final long IDLE_SECONDS = 10;
    private static final long LOOK_MILLIS = 10;

    private final String schema;
    private final PostgresSettings settings;
    private final Database database;
    private final Gate gate = new Gate();

    /** Those that were compared. */
    private final CallersConnections connections = new CallersConnections();

    private final Set<Long> toClean = ConcurrentHashMap.newKeySet();
    private final AtomicInteger putsToClean = new AtomicInteger();
    private final LongAdder failedCleanings = new LongAdder();
    private final ThreadPoolExecutor cleaner;

    /** Where puts go, as the store's own connections find it; null before it was asked for. */
    private volatile @Nullable Place place;

    /**
     * Where puts go. A copy of a whole server with its files is taken for the same.
     *
     * @param server the number that it was given when it was set up
     * @param table null where there is none
     */
    private record Place(
            long server, long database, @Nullable Long table) {}

    /** @param process of the server, which serves a connection */
    private record Whereabouts(Place place, String process) {}

    PostgresTransactions(PostgresSettings settings, Database database) {
        this.schema = settings.schema();
        this.settings = settings;
        this.database = database;
        this.cleaner = new ThreadPoolExecutor(
                0,
                1,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new SynchronousQueue<>(),
                task -> {
                    Thread thread = new Thread(task, "seriatim-postgresql-clean");
                    thread.setDaemon(true);
                    return thread;
                },
                new ThreadPoolExecutor.DiscardPolicy()); // one at a time is enough
    }

    /**
     * The present transaction of a connection, and those that follow it. Sends nothing.
     *
     * @param connection one of PostgreSQL's driver, or a wrapper of one, as pools have them
     * @throws IllegalArgumentException if it is of another driver
     */
    public PostgresTransaction on(Connection connection) {
        try {
            if (!connection.isWrapperFor(PGConnection.class)) {
                throw new IllegalArgumentException("not a connection of PostgreSQL's driver");
            }
        } catch (SQLException e) {
            throw database.translated(e, StoreException.Kind.UNAVAILABLE);
        }
        return new PostgresTransaction(this, connection);
    }

    String schema() {
        return schema;
    }

    // ---- sequences without names

    @Override
    public long create() {
        return inside(connection -> number(connection, Sql.CREATE_SEQUENCE));
    }

    @Override
    public long reserveId() {
        return inside(connection -> number(connection, Sql.RESERVE_SEQUENCE));
    }

    private static long number(Connection connection, String sql) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql);
                ResultSet row = statement.executeQuery()) {
            row.next();
            Database.requireDurable(statement);
            return row.getLong(1);
        }
    }

    @Override
    public boolean delete(long id) {
        return inside(connection -> {
            try (PreparedStatement statement = connection.prepareStatement(Sql.CATALOGUED)) {
                new Parameters(statement).number(id);
                try (ResultSet row = statement.executeQuery()) {
                    if (row.next()) {
                        throw new IllegalArgumentException(
                                "a sequence with a name is dropped by it: name=" + row.getString(1));
                    }
                }
            }
            try (PreparedStatement statement = connection.prepareStatement(Sql.DELETE_SEQUENCE)) {
                new Parameters(statement).number(id).number(id);
                boolean deleted = statement.executeUpdate() == 1;
                Database.requireDurable(statement);
                return deleted;
            }
        });
    }

    @Override
    public Optional<VersionedValue> find(long id) {
        return database.read(gate, connection -> find(connection, id));
    }

    private static Optional<VersionedValue> find(Connection connection, long id)
            throws SQLException, DamagedRowException {
        try (PreparedStatement statement = connection.prepareStatement(Sql.NEWEST_PUT)) {
            new Parameters(statement).number(id);
            try (ResultSet row = statement.executeQuery()) {
                return row.next() ? Optional.of(Rows.put(row)) : Optional.empty();
            }
        }
    }

    @Override
    public Optional<VersionedValue> recover(long id) {
        long deadline =
                System.nanoTime() + settings.statementTimeout().dividedBy(2).toNanos();
        boolean interrupted = false;
        try {
            while (database.read(gate, connection -> isPutTo(connection, id))) {
                if (System.nanoTime() - deadline > 0) {
                    throw new StoreException(
                            StoreException.Kind.BUSY,
                            "a transaction that may have put to sequence " + id + " has not ended");
                }
                try {
                    Thread.sleep(LOOK_MILLIS);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
        return find(id);
    }

    /** Whether a transaction may have put to a sequence and has not ended, as far as it is not known better. */
    private boolean isPutTo(Connection connection, long id) throws SQLException {
        Set<String> ofOthers = connections.withoutPutTo(id);
        try (PreparedStatement statement = connection.prepareStatement(Sql.HOLDERS_OF_PUTS)) {
            new Parameters(statement).text(schema).number(id);
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    String process = row.getString(1); // null of a prepared transaction, which has none
                    if (process == null || !ofOthers.contains(process)) {
                        return true;
                    }
                }
                return false;
            }
        }
    }

    @Override
    public PutOutcome put(Transaction transaction, long id, VersionedValue pair) {
        TransactionalStore.requireVersion(pair);
        PutOutcome outcome = within(transaction, ours -> ours.put(schema, id, pair));
        if (outcome == PutOutcome.WRITTEN) {
            supersedes(id);
        }
        return outcome;
    }

    // ---- sequences with names

    @Override
    public boolean define(Transaction transaction, CatalogueRow row) {
        return within(
                transaction,
                ours -> BoundedWait.run(ours.connection(), settings.statementTimeout(), connection -> {
                    try (PreparedStatement statement =
                            connection.prepareStatement(Sql.DEFINE_SEQUENCE.formatted(schema))) {
                        new Parameters(statement)
                                .text(row.name())
                                .number(row.sequenceId())
                                .array("text", row.options().keySet().toArray())
                                .array("text", row.options().values().toArray());
                        return statement.executeUpdate() == 1;
                    }
                }));
    }

    @Override
    public boolean drop(Transaction transaction, CatalogueRow row) {
        return within(
                transaction,
                ours -> BoundedWait.run(ours.connection(), settings.statementTimeout(), connection -> {
                    try (PreparedStatement statement =
                            connection.prepareStatement(Sql.DROP_SEQUENCE.formatted(schema))) {
                        new Parameters(statement).text(row.name()).number(row.sequenceId());
                        return statement.executeUpdate() == 1;
                    }
                }));
    }

    @Override
    public Optional<CatalogueRow> findEntry(Transaction transaction, String name) {
        return within(transaction, ours -> {
            try (PreparedStatement statement =
                    ours.connection().prepareStatement(Sql.FIND_NAMED_SEQUENCE.formatted(schema))) {
                new Parameters(statement).text(name);
                return entries(statement).stream().findFirst();
            }
        });
    }

    @Override
    public Optional<CatalogueRow> findEntry(Transaction transaction, long id) {
        return within(transaction, ours -> {
            try (PreparedStatement statement =
                    ours.connection().prepareStatement(Sql.FIND_NUMBERED_SEQUENCE.formatted(schema))) {
                new Parameters(statement).number(id);
                return entries(statement).stream().findFirst();
            }
        });
    }

    @Override
    public List<CatalogueRow> listEntries(Transaction transaction, String after, int limit) {
        if (limit < 1) {
            throw new IllegalArgumentException("limit must be at least 1: limit=" + limit);
        }
        return within(transaction, ours -> {
            try (PreparedStatement statement =
                    ours.connection().prepareStatement(Sql.LIST_NAMED_SEQUENCES.formatted(schema))) {
                new Parameters(statement).text(after).number(limit);
                return entries(statement);
            }
        });
    }

    private static List<CatalogueRow> entries(PreparedStatement statement) throws SQLException, DamagedRowException {
        List<CatalogueRow> found = new ArrayList<>();
        try (ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                found.add(Rows.catalogue(rows));
            }
        }
        return List.copyOf(found);
    }

    // ---- cleaning

    private void supersedes(long id) {
        if (toClean.size() < MOST_TO_CLEAN) {
            toClean.add(id);
        }
        if (putsToClean.incrementAndGet() % PUTS_BETWEEN_CLEANINGS == 0) {
            cleaner.execute(this::clean);
        }
    }

    private void clean() {
        Set<Long> ids = new HashSet<>(toClean);
        toClean.removeAll(ids);
        try {
            while (deleteSuperseded(ids) == CLEANED_AT_ONCE) {
                // there may be more
            }
        } catch (StoreException e) {
            failedCleanings.increment();
            for (Long each : ids) {
                if (toClean.size() < MOST_TO_CLEAN) {
                    toClean.add(each);
                }
            }
        }
    }

    /**
     * How many cleanings have failed since this was opened. Each leaves rows that are of no use, which cost room alone, and
     * which a later one deletes; if the number grows, somebody should look why.
     */
    public long failedCleanings() {
        return failedCleanings.sum();
    }

    /** Deletes rows of these sequences that are of no use any more, a bounded number; says how many there were. */
    int deleteSuperseded(Set<Long> ids) {
        return inside(connection -> {
            try (PreparedStatement statement = connection.prepareStatement(Sql.DELETE_SUPERSEDED)) {
                new Parameters(statement).array("bigint", ids.toArray()).number(CLEANED_AT_ONCE);
                return statement.executeUpdate();
            }
        });
    }

    // ---- one call

    private <T> T inside(Database.Work<T> work) {
        return database.call(gate, work);
    }

    /** Work on a caller's connection. */
    interface WorkWithin<T> {
        T run(PostgresTransaction ours) throws SQLException, DamagedRowException;
    }

    <T> T within(Transaction transaction, WorkWithin<T> work) {
        if (!(transaction instanceof PostgresTransaction ours) || !ours.isOf(this)) {
            throw new IllegalArgumentException("the transaction is of another store");
        }
        gate.enter();
        try {
            database.requireWorking();
            requireSamePlace(ours.connection());
            return work.run(ours);
        } catch (SQLException e) {
            if ("25P02".equals(e.getSQLState())) {
                throw new IllegalStateException("the transaction has failed and can only be rolled back", e);
            }
            throw database.translated(e, Trouble.kindWithinTransaction(e));
        } catch (DamagedRowException e) {
            throw database.damaged(e);
        } finally {
            gate.leave();
        }
    }

    private void requireSamePlace(Connection connection) throws SQLException {
        PGConnection driver = connection.unwrap(PGConnection.class);
        if (connections.isKnown(driver)) {
            return;
        }
        Place own = place;
        if (own == null) {
            own = inside(this::whereabouts).place();
            place = own;
        }
        Whereabouts found = whereabouts(connection);
        if (!found.place().equals(own)) {
            throw new IllegalArgumentException(
                    "the connection is to another database than the store's: " + settings.place());
        }
        connections.add(driver, found.process());
    }

    /** What is known of a connection that was compared. */
    CallersConnections.Known known(Connection connection) throws SQLException {
        return connections.get(connection.unwrap(PGConnection.class));
    }

    private Whereabouts whereabouts(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(Sql.WHERE_PUTS_GO)) {
            new Parameters(statement).text("\"" + schema + "\".transactional_put");
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                long table = row.getLong(3);
                Long found = row.wasNull() ? null : table;
                return new Whereabouts(new Place(row.getLong(1), row.getLong(2), found), Rows.text(row, 4));
            }
        }
    }

    // ---- the end

    @Override
    public Optional<StoreException> failure() {
        return database.failure();
    }

    /** Refuses new calls and waits for those under way. Transactions of the caller go on without it. May be called twice. */
    @Override
    public void close() {
        shut(database.callBound());
    }

    /** Refuses new calls, and waits at most so long. */
    void shut(Duration wait) {
        cleaner.shutdown();
        gate.shut(wait);
    }
}
