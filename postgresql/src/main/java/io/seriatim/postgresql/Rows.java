package io.seriatim.postgresql;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.seriatim.store.CatalogueRow;
import io.seriatim.store.CounterKey;
import io.seriatim.store.CounterRow;
import io.seriatim.store.DefinitionRow;
import io.seriatim.store.IdempotencyKey;
import io.seriatim.store.IdempotencyRow;
import io.seriatim.store.LedgerRow;
import io.seriatim.store.TransactionalRow;
import io.seriatim.store.VersionedValue;
import io.seriatim.store.WriterMark;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/** Takes rows out of the answers to {@link Sql}'s statements. */
final class Rows {

    /** An index entry has at most a third of a page (2,704 bytes); the rest is for the key's numbers. */
    private static final int MAX_KEY_BYTES = 2_600;

    /** Columns of a definition in {@link Sql#FIND} and {@link Sql#LIST_DEFINITIONS}; those behind are in FIND alone. */
    private static final int DEFINITION = 1;

    private static final int COUNTER = 12;
    private static final int IDEMPOTENCY = 21;

    private Rows() {}

    /** The row at the cursor is not one that this program wrote. */
    static final class DamagedRowException extends Exception {

        private static final long serialVersionUID = 1;

        DamagedRowException(RuntimeException cause) {
            super(cause.getMessage(), cause);
        }
    }

    /** How a row is read; a value that no row can have ends in one of the row's own exceptions. */
    interface Reading<T> {
        T read() throws SQLException;
    }

    static <T> T reading(Reading<T> reading) throws SQLException, DamagedRowException {
        try {
            return reading.read();
        } catch (IllegalArgumentException | DateTimeException | NullPointerException e) {
            throw new DamagedRowException(e);
        }
    }

    /** Refuses texts that no index entry has room for. */
    static void requireKey(String... texts) {
        if (!fitsKey(texts)) {
            throw new IllegalArgumentException(
                    "the texts of a key have at most " + MAX_KEY_BYTES + " bytes: bytes=" + bytesOf(texts));
        }
    }

    /** Whether an index entry has room for the texts. */
    static boolean fitsKey(String... texts) {
        return bytesOf(texts) <= MAX_KEY_BYTES;
    }

    private static int bytesOf(String... texts) {
        int bytes = 0;
        for (String text : texts) {
            bytes += text.getBytes(UTF_8).length;
        }
        return bytes;
    }

    static Optional<DefinitionRow> definition(ResultSet row) throws SQLException, DamagedRowException {
        if (row.getString(DEFINITION) == null) {
            return Optional.empty();
        }
        return Optional.of(reading(() -> new DefinitionRow(
                text(row, DEFINITION),
                row.getLong(DEFINITION + 1),
                row.getLong(DEFINITION + 2),
                row.getLong(DEFINITION + 3),
                options(row, DEFINITION + 9),
                row.getBoolean(DEFINITION + 4),
                instant(row, DEFINITION + 5),
                instant(row, DEFINITION + 6),
                mark(row, DEFINITION + 7))));
    }

    static Optional<CounterRow> counter(Optional<CounterKey> key, ResultSet row)
            throws SQLException, DamagedRowException {
        if (key.isEmpty() || row.getString(COUNTER) == null) {
            return Optional.empty();
        }
        return Optional.of(counter(key.get(), row, COUNTER));
    }

    /** A row of the list of counters. */
    static CounterRow counter(long sequenceId, ResultSet row) throws SQLException, DamagedRowException {
        return counter(new CounterKey(sequenceId, text(row, 1), text(row, 2)), row, 3);
    }

    private static CounterRow counter(CounterKey key, ResultSet row, int column)
            throws SQLException, DamagedRowException {
        return reading(() -> new CounterRow(
                key,
                row.getLong(column),
                row.getLong(column + 1),
                row.getLong(column + 2),
                row.getBoolean(column + 3),
                row.getLong(column + 4),
                mark(row, column + 5),
                text(row, column + 7),
                text(row, column + 8)));
    }

    static Optional<IdempotencyRow> idempotency(Optional<IdempotencyKey> key, ResultSet row)
            throws SQLException, DamagedRowException {
        if (key.isEmpty() || row.getString(IDEMPOTENCY) == null) {
            return Optional.empty();
        }
        return Optional.of(reading(() -> new IdempotencyRow(
                key.get(), text(row, IDEMPOTENCY), instant(row, IDEMPOTENCY + 1), mark(row, IDEMPOTENCY + 2))));
    }

    /** A row of all answers. */
    static IdempotencyRow idempotency(ResultSet row) throws SQLException, DamagedRowException {
        return reading(() -> new IdempotencyRow(
                new IdempotencyKey(row.getLong(5), text(row, 6), text(row, 7)),
                text(row, 1),
                instant(row, 2),
                mark(row, 3)));
    }

    static CatalogueRow catalogue(ResultSet row) throws SQLException, DamagedRowException {
        return reading(() -> new CatalogueRow(text(row, 1), row.getLong(2), options(row, 3)));
    }

    /** The newest put of a sequence, or nulls. */
    static VersionedValue put(ResultSet row) throws SQLException, DamagedRowException {
        return reading(() -> new VersionedValue(row.getLong(1), row.getLong(2)));
    }

    /** A transactional sequence with its newest put, and its entry in the catalogue. */
    static TransactionalRow transactional(ResultSet row) throws SQLException, DamagedRowException {
        return reading(() -> {
            long id = row.getLong(1);
            Optional<CatalogueRow> entry = row.getString(4) == null
                    ? Optional.empty()
                    : Optional.of(new CatalogueRow(text(row, 4), id, options(row, 5)));
            return new TransactionalRow(id, false, entry, new VersionedValue(row.getLong(2), row.getLong(3)));
        });
    }

    static LedgerRow ledger(CounterKey key, ResultSet row) throws SQLException, DamagedRowException {
        return reading(() -> new LedgerRow(key, row.getLong(1), text(row, 2)));
    }

    static String text(ResultSet row, int column) throws SQLException {
        return Objects.requireNonNull(row.getString(column));
    }

    private static Instant instant(ResultSet row, int column) throws SQLException {
        return Instants.parse(text(row, column));
    }

    static WriterMark mark(ResultSet row, int column) throws SQLException {
        return new WriterMark(row.getLong(column), row.getLong(column + 1));
    }

    /** Two arrays of equal length, the names and the texts. */
    private static Map<String, String> options(ResultSet row, int column) throws SQLException {
        String[] names = (String[]) row.getArray(column).getArray();
        String[] texts = (String[]) row.getArray(column + 1).getArray();
        Map<String, String> options = new TreeMap<>();
        for (int i = 0; i < names.length; i++) {
            options.put(names[i], texts[i]);
        }
        return options;
    }
}
