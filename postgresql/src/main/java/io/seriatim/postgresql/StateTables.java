package io.seriatim.postgresql;

import io.seriatim.postgresql.Rows.DamagedRowException;
import io.seriatim.store.ApplicationRow;
import io.seriatim.store.Checkpoint;
import io.seriatim.store.CounterKey;
import io.seriatim.store.CounterRow;
import io.seriatim.store.DefinitionRow;
import io.seriatim.store.EventHeader;
import io.seriatim.store.IdempotencyKey;
import io.seriatim.store.IdempotencyRow;
import io.seriatim.store.KeyRow;
import io.seriatim.store.LedgerRow;
import io.seriatim.store.LogEvent;
import io.seriatim.store.NumbersRow;
import io.seriatim.store.PartitionKey;
import io.seriatim.store.RecordRow;
import io.seriatim.store.RegistryRow;
import io.seriatim.store.RowVisitor;
import io.seriatim.store.SkippedRow;
import io.seriatim.store.StateCopy;
import io.seriatim.store.StoreException;
import io.seriatim.store.StoreException.Kind;
import io.seriatim.store.TransactionalRow;
import io.seriatim.store.VersionedValue;
import io.seriatim.store.WorkspaceEvent;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads and writes the tables whole, in one transaction of a connection. */
final class StateTables {

    /*
     * Rows are read through a cursor, a page at a time, in a transaction that sees one moment. They are written in batches,
     * in a transaction that holds the tables until it commits: nobody sees some of them, and what breaks off leaves none.
     */

    private static final int PAGE = 1_000;

    /** Of bodies, on their way in either direction. */
    private static final int PAGE_BYTES = 32 << 20;

    /** A statement over a large table, or one that waits for the writes of others. */
    private static final Duration LONGEST_STATEMENT = Duration.ofHours(6);

    private final Connection connection;

    /** The greatest id of a transactional sequence that was taken. */
    private long lastIdTaken = Long.MAX_VALUE;

    StateTables(Connection connection) {
        this.connection = connection;
    }

    /** The pool undoes all of it when it gets the connection back. */
    private void begin() throws SQLException {
        connection.setAutoCommit(false);
        connection.setNetworkTimeout(Runnable::run, Math.toIntExact(LONGEST_STATEMENT.toMillis()));
        execute(StateSql.NO_TIMEOUT);
    }

    // ---- reading

    /** Shows every row as it is at one moment. */
    void show(RowVisitor visitor) throws SQLException, DamagedRowException {
        connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        begin();
        showAll(visitor);
        connection.rollback();
    }

    /** Shows those of sequences as they are at one moment. */
    void showSequences(RowVisitor visitor) throws SQLException, DamagedRowException {
        connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        begin();
        showAllSequences(visitor);
        connection.rollback();
    }

    private void showAll(RowVisitor visitor) throws SQLException, DamagedRowException {
        showAllSequences(visitor);
        showLogs(visitor);
        showTransactional(visitor);
    }

    private void showAllSequences(RowVisitor visitor) throws SQLException, DamagedRowException {
        each(StateSql.DEFINITIONS, PAGE, row -> Rows.definition(row).ifPresent(visitor::definition));
        try (PreparedStatement statement = connection.prepareStatement(StateSql.LEDGERS_OF_COUNTERS)) {
            statement.setFetchSize(PAGE);
            try (ResultSet rows = statement.executeQuery()) {
                Ledgers ledgers = new Ledgers(rows);
                each(StateSql.COUNTERS, PAGE, row -> {
                    CounterRow counter = Rows.counter(row.getLong(12), row);
                    visitor.counter(counter);
                    ledgers.showOf(counter.key(), visitor);
                });
            }
        }
        each(StateSql.OTHER_LEDGERS, PAGE, row -> visitor.ledger(ledger(row)));
        each(StateSql.IDEMPOTENCY, PAGE, row -> visitor.idempotency(Rows.idempotency(row)));
    }

    private void showLogs(RowVisitor visitor) throws SQLException, DamagedRowException {
        each(StateSql.APPLICATIONS, pageOf("log_application"), row -> visitor.application(LogRows.application(row)));
        each(StateSql.PARTITIONS, PAGE, row -> showPartition(row, visitor));
        each(StateSql.EVENTS, pageOf("log_event"), row -> {
            PartitionKey partition = LogRows.partition(row, 13);
            visitor.event(partition, LogRows.event(partition, row));
        });
        each(StateSql.PLACES, PAGE, row -> visitor.workspaceEvent(LogRows.partition(row, 4), LogRows.place(row)));
        each(StateSql.RECORDS, pageOf("log_record"), row -> {
            PartitionKey partition = LogRows.partition(row, 8);
            visitor.record(partition, LogRows.record(partition, row));
        });
        each(StateSql.REGISTRY, PAGE, row -> visitor.registered(LogRows.partition(row, 5), LogRows.registered(row)));
        each(StateSql.KEYS, PAGE, row -> visitor.keyed(LogRows.partition(row, 4), LogRows.key(row)));
        each(StateSql.SKIPPED, PAGE, row -> visitor.skipped(LogRows.partition(row, 6), LogRows.skipped(row)));
        each(StateSql.NUMBERS, PAGE, row -> visitor.numbers(LogRows.partition(row, 5), LogRows.numbers(row)));
    }

    private static void showPartition(ResultSet row, RowVisitor visitor) throws SQLException, DamagedRowException {
        PartitionKey partition = LogRows.partition(row, 1);
        long epoch = row.getLong(3);
        if (epoch < 1) {
            throw new DamagedRowException(
                    new IllegalArgumentException(partition + " has rows, and nobody has ever taken it"));
        }
        visitor.epoch(partition, epoch);
        long applied = row.getLong(4);
        if (!row.wasNull()) {
            visitor.applied(partition, applied);
        }
        Checkpoint checkpoint = new Checkpoint(row.getLong(5), row.getLong(6));
        if (!row.wasNull()) {
            visitor.checkpoint(partition, checkpoint);
        }
    }

    private void showTransactional(RowVisitor visitor) throws SQLException, DamagedRowException {
        long[] lastShown = new long[1];
        each(StateSql.TRANSACTIONAL, PAGE, row -> {
            TransactionalRow sequence = Rows.transactional(row);
            visitor.transactional(sequence);
            lastShown[0] = Math.max(lastShown[0], sequence.id());
        });
        long last = Math.min(lastId(), lastIdTaken);
        if (last > lastShown[0]) {
            visitor.transactional(TransactionalRow.deleted(last));
        }
    }

    private long lastId() throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(StateSql.LAST_ID);
                ResultSet row = statement.executeQuery()) {
            if (!row.next() || !row.getBoolean(1)) {
                throw new StoreException(
                        Kind.UNAVAILABLE, "the role may not read the sequence transactional_id: GRANT USAGE on it");
            }
            return row.getLong(2);
        }
    }

    /** How many rows of a table with bodies are read at once. */
    private int pageOf(String table) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(StateSql.LONGEST_BODY.formatted(table));
                ResultSet row = statement.executeQuery()) {
            row.next();
            long longest = Math.max(1, row.getLong(1));
            return (int) Math.max(1, Math.min(PAGE, PAGE_BYTES / longest));
        }
    }

    private static LedgerRow ledger(ResultSet row) throws SQLException, DamagedRowException {
        return Rows.ledger(new CounterKey(row.getLong(3), Rows.text(row, 4), Rows.text(row, 5)), row);
    }

    /** The ledgers of all counters, in the counters' order. */
    private static final class Ledgers {
        private final ResultSet rows;
        private Optional<LedgerRow> next;

        Ledgers(ResultSet rows) throws SQLException, DamagedRowException {
            this.rows = rows;
            next = read();
        }

        private Optional<LedgerRow> read() throws SQLException, DamagedRowException {
            return rows.next() ? Optional.of(ledger(rows)) : Optional.empty();
        }

        void showOf(CounterKey counter, RowVisitor visitor) throws SQLException, DamagedRowException {
            while (next.isPresent() && next.get().counter().equals(counter)) {
                visitor.ledger(next.get());
                next = read();
            }
        }
    }

    private interface Taker {
        void take(ResultSet row) throws SQLException, DamagedRowException;
    }

    private void each(String query, int page, Taker taker) throws SQLException, DamagedRowException {
        try (PreparedStatement statement = connection.prepareStatement(query)) {
            statement.setFetchSize(page);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    taker.take(rows);
                }
            }
        }
    }

    /** Roles that own tables which this one does not. */
    List<String> otherOwners() throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(StateSql.OTHER_OWNERS)) {
            return texts(statement);
        }
    }

    /** Tables with rows that are not of this program. */
    List<String> others() throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(StateSql.OTHER_TABLES)) {
            new Parameters(statement).array("text", StateSql.TABLES.toArray());
            return filled(texts(statement));
        }
    }

    private static List<String> texts(PreparedStatement query) throws SQLException {
        List<String> texts = new ArrayList<>();
        try (ResultSet rows = query.executeQuery()) {
            while (rows.next()) {
                texts.add(Rows.text(rows, 1));
            }
        }
        return List.copyOf(texts);
    }

    private List<String> filled(List<String> tables) throws SQLException {
        List<String> filled = new ArrayList<>();
        for (String table : tables) {
            if (yes(StateSql.HAS_ROWS.formatted(table))) {
                filled.add(table);
            }
        }
        return List.copyOf(filled);
    }

    boolean isMoved() throws SQLException {
        return yes(StateSql.IS_MOVED);
    }

    private boolean yes(String question) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(question);
                ResultSet row = statement.executeQuery()) {
            return row.next() && row.getBoolean(1);
        }
    }

    private void execute(String script) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(script);
        }
    }

    // ---- writing

    /** Lets nobody write any more. */
    void move() throws SQLException {
        if (!isMoved()) {
            begin();
            execute(StateSql.MOVE);
            List<String> others = others(); // somebody may have written since they were asked for before
            if (!others.isEmpty()) {
                throw new StoreException(
                        Kind.CONFLICT,
                        "there are rows in " + String.join(", ", others) + ", which would be left behind");
            }
            connection.commit();
        }
    }

    /** Takes rows into empty tables, all or none. */
    void load(StateCopy copy) throws SQLException, DamagedRowException {
        begin();
        execute(StateSql.LOCK);
        requireEmpty();
        try (Inserts inserts = new Inserts(connection)) {
            copy.showTo(inserts);
            inserts.flush();
            lastIdTaken = inserts.lastId;
            raiseLastId();
            copy.check(this::showAllUnchecked);
        } catch (Unsent e) {
            throw e.reason;
        } catch (Unread e) {
            throw e.reason;
        }
        execute(StateSql.RAISE_EPOCHS);
        connection.commit();
    }

    /** Is not undone with the transaction, which does no harm: nothing but the next id rests on it. */
    private void raiseLastId() throws SQLException {
        if (lastIdTaken > lastId()) {
            try (PreparedStatement statement = connection.prepareStatement(StateSql.RAISE_LAST_ID)) {
                new Parameters(statement).number(lastIdTaken);
                statement.execute();
            }
        }
    }

    private void requireEmpty() throws SQLException {
        List<String> filled = new ArrayList<>(others());
        filled.addAll(filled(StateSql.TABLES));
        if (!filled.isEmpty()) {
            throw new StoreException(
                    Kind.CONFLICT, "the store is not empty: there are rows in " + String.join(", ", filled));
        }
    }

    private void showAllUnchecked(RowVisitor visitor) {
        try {
            showAll(visitor);
        } catch (SQLException e) {
            throw new Unsent(e);
        } catch (DamagedRowException e) {
            throw new Unread(e);
        }
    }

    /** An error on its way through somebody else's code. */
    private static final class Unsent extends RuntimeException {
        private static final long serialVersionUID = 1;

        final transient SQLException reason;

        Unsent(SQLException reason) {
            super(reason);
            this.reason = reason;
        }
    }

    /** A damaged row on its way through somebody else's code. */
    private static final class Unread extends RuntimeException {
        private static final long serialVersionUID = 1;

        final transient DamagedRowException reason;

        Unread(DamagedRowException reason) {
            super(reason);
            this.reason = reason;
        }
    }

    /** Rows in batches, one statement a table. */
    private static final class Inserts implements RowVisitor, AutoCloseable {

        private final Connection connection;
        private final Map<String, PreparedStatement> statements = new LinkedHashMap<>();
        private int waiting;
        private long waitingBytes;
        private long lastId;

        Inserts(Connection connection) {
            this.connection = connection;
        }

        private interface Filling {
            void fill(Parameters parameters) throws SQLException;
        }

        private void add(String insert, Filling filling) {
            add(insert, 0, filling);
        }

        private void add(String insert, int bodyBytes, Filling filling) {
            try {
                PreparedStatement statement = statements.get(insert);
                if (statement == null) {
                    statement = connection.prepareStatement(insert);
                    statements.put(insert, statement);
                }
                filling.fill(new Parameters(statement));
                statement.addBatch();
                waitingBytes += bodyBytes;
                if (++waiting == PAGE || waitingBytes >= PAGE_BYTES) {
                    flush();
                }
            } catch (SQLException e) {
                throw new Unsent(e);
            }
        }

        void flush() throws SQLException {
            for (PreparedStatement each : statements.values()) {
                int[] unused = each.executeBatch();
            }
            waiting = 0;
            waitingBytes = 0;
        }

        // ---- sequences

        @Override
        public void definition(DefinitionRow row) {
            Rows.requireKey(row.foldedName());
            add(StateSql.INSERT_DEFINITION, parameters -> parameters.definition(Optional.of(row)));
        }

        @Override
        public void counter(CounterRow row) {
            Rows.requireKey(row.key().scope(), row.key().period());
            add(StateSql.INSERT_COUNTER, parameters -> parameters.counter(Optional.of(row)));
        }

        @Override
        public void ledger(LedgerRow row) {
            Rows.requireKey(row.counter().scope(), row.counter().period());
            add(
                    StateSql.INSERT_LEDGER,
                    parameters -> parameters
                            .counterKey(row.counter())
                            .number(row.index())
                            .text(row.entry()));
        }

        @Override
        public void idempotency(IdempotencyRow row) {
            IdempotencyKey key = row.key();
            Rows.requireKey(key.caller(), key.key());
            add(StateSql.INSERT_IDEMPOTENCY, parameters -> parameters.idempotency(Optional.of(row)));
        }

        // ---- event logs

        @Override
        public void application(ApplicationRow row) {
            Rows.requireKey(row.name());
            add(
                    StateSql.INSERT_APPLICATION,
                    row.body().length,
                    parameters -> parameters
                            .number(row.id())
                            .text(row.name())
                            .number(row.revision())
                            .mark(row.mark())
                            .bytes(row.body())
                            .number(LogChecksum.of(row)));
        }

        @Override
        public void epoch(PartitionKey partition, long epoch) {
            add(
                    StateSql.INSERT_PARTITION,
                    parameters -> parameters.partition(partition).number(epoch));
        }

        @Override
        public void applied(PartitionKey partition, long nextOffset) {
            add(
                    StateSql.INSERT_APPLIED,
                    parameters -> parameters.partition(partition).number(nextOffset));
        }

        @Override
        public void checkpoint(PartitionKey partition, Checkpoint row) {
            add(
                    StateSql.INSERT_CHECKPOINT,
                    parameters -> parameters
                            .partition(partition)
                            .number(row.nextOffset())
                            .number(row.epoch()));
        }

        @Override
        public void event(PartitionKey partition, LogEvent row) {
            EventHeader header = row.header();
            LogChecksum.OfEvent sums = LogChecksum.of(partition, row.offset(), row.epoch(), header, row.body());
            add(
                    StateSql.INSERT_EVENT,
                    row.body().length,
                    parameters -> parameters
                            .partition(partition)
                            .number(row.offset())
                            .number(row.epoch())
                            .number(header.workspace())
                            .number(header.kind())
                            .mark(header.mark())
                            .text(header.key())
                            .array("int4", boxed(header.sequences()))
                            .array("int8", boxed(header.values()))
                            .number(sums.header())
                            .bytes(row.body())
                            .number(sums.whole()));
        }

        private static Object[] boxed(int[] sequences) {
            return Arrays.stream(sequences).boxed().toArray(Integer[]::new);
        }

        private static Object[] boxed(long[] numbers) {
            return Arrays.stream(numbers).boxed().toArray(Long[]::new);
        }

        @Override
        public void workspaceEvent(PartitionKey partition, WorkspaceEvent row) {
            add(
                    StateSql.INSERT_PLACE,
                    parameters -> parameters
                            .partition(partition)
                            .number(row.workspace())
                            .number(row.offset())
                            .number(row.plogOffset()));
        }

        @Override
        public void record(PartitionKey partition, RecordRow row) {
            add(
                    StateSql.INSERT_RECORD,
                    row.body().length,
                    parameters -> parameters
                            .partition(partition)
                            .number(row.workspace())
                            .number(row.id())
                            .number(row.type())
                            .number(row.plogOffset())
                            .number(row.wlogOffset())
                            .bytes(row.body())
                            .number(LogChecksum.of(partition, row)));
        }

        @Override
        public void registered(PartitionKey partition, RegistryRow row) {
            add(
                    StateSql.INSERT_REGISTRY,
                    parameters -> parameters
                            .partition(partition)
                            .number(row.workspace())
                            .number(row.id())
                            .number(row.type())
                            .number(row.wlogOffset()));
        }

        @Override
        public void keyed(PartitionKey partition, KeyRow row) {
            Rows.requireKey(row.key());
            add(
                    StateSql.INSERT_KEY,
                    parameters -> parameters
                            .partition(partition)
                            .number(row.workspace())
                            .text(row.key())
                            .number(row.plogOffset()));
        }

        @Override
        public void skipped(PartitionKey partition, SkippedRow row) {
            Rows.requireKey(row.projector());
            add(
                    StateSql.INSERT_SKIPPED,
                    parameters -> parameters
                            .partition(partition)
                            .number(row.plogOffset())
                            .text(row.projector())
                            .text(row.who())
                            .text(row.reason())
                            .number(row.epochMillis()));
        }

        @Override
        public void numbers(PartitionKey partition, NumbersRow row) {
            add(
                    StateSql.INSERT_WORKSPACE,
                    parameters -> parameters
                            .partition(partition)
                            .number(row.workspace())
                            .number(row.kind()));
            for (int i = 0; i < row.sequences().length; i++) {
                int sequence = row.sequences()[i];
                long last = row.values()[i];
                add(
                        StateSql.INSERT_NUMBER,
                        parameters -> parameters
                                .partition(partition)
                                .number(row.workspace())
                                .number(sequence)
                                .number(last));
            }
        }

        // ---- transactional sequences

        @Override
        public void transactional(TransactionalRow row) {
            lastId = Math.max(lastId, row.id());
            if (!row.deleted()) {
                add(StateSql.INSERT_SEQUENCE, parameters -> parameters.number(row.id()));
            }
            VersionedValue newest = row.newest();
            if (newest.version() > 0) {
                add(
                        StateSql.INSERT_PUT,
                        parameters -> parameters
                                .number(row.id())
                                .number(newest.version())
                                .number(newest.value()));
            }
            row.entry()
                    .ifPresent(entry -> add(
                            StateSql.INSERT_CATALOGUE,
                            parameters -> parameters
                                    .text(entry.name())
                                    .number(entry.sequenceId())
                                    .array("text", entry.options().keySet().toArray())
                                    .array("text", entry.options().values().toArray())));
        }

        @Override
        public void damaged(String where, String what) {
            throw new StoreException(Kind.CORRUPT, "a row cannot be taken: " + where + ": " + what);
        }

        @Override
        public void close() throws SQLException {
            for (PreparedStatement each : statements.values()) {
                each.close();
            }
        }
    }
}
