package io.seriatim.postgresql;

import io.seriatim.store.CounterKey;
import io.seriatim.store.CounterRow;
import io.seriatim.store.DefinitionRow;
import io.seriatim.store.IdempotencyKey;
import io.seriatim.store.IdempotencyRow;
import io.seriatim.store.LedgerRow;
import io.seriatim.store.PartitionKey;
import io.seriatim.store.WriterMark;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.IntFunction;

/** Fills the parameters of one of {@link Sql}'s statements, from the first on. */
final class Parameters {

    private final PreparedStatement statement;
    private int last;

    Parameters(PreparedStatement statement) {
        this.statement = statement;
    }

    Parameters text(String text) throws SQLException {
        statement.setString(++last, text);
        return this;
    }

    Parameters number(long number) throws SQLException {
        statement.setLong(++last, number);
        return this;
    }

    Parameters flag(boolean flag) throws SQLException {
        statement.setBoolean(++last, flag);
        return this;
    }

    private Parameters instant(Instant instant) throws SQLException {
        return text(Instants.format(instant));
    }

    Parameters mark(WriterMark mark) throws SQLException {
        return number(mark.writer()).number(mark.write());
    }

    Parameters array(String type, Object... elements) throws SQLException {
        statement.setArray(++last, statement.getConnection().createArrayOf(type, elements));
        return this;
    }

    private Parameters nulls(int count) throws SQLException {
        for (int i = 0; i < count; i++) {
            statement.setNull(++last, Types.NULL);
        }
        return this;
    }

    /** A cell of each row, as an array. */
    private <R, C> Parameters column(String type, List<R> rows, Function<R, C> cell, IntFunction<C[]> array)
            throws SQLException {
        return array(type, rows.stream().map(cell).toArray(array)); // of its own type, which the driver sends as bytes
    }

    <R> Parameters numbers(List<R> rows, Function<R, Long> cell) throws SQLException {
        return column("int8", rows, cell, Long[]::new);
    }

    <R> Parameters integers(List<R> rows, Function<R, Integer> cell) throws SQLException {
        return column("int4", rows, cell, Integer[]::new);
    }

    <R> Parameters texts(List<R> rows, Function<R, String> cell) throws SQLException {
        return column("text", rows, cell, String[]::new);
    }

    <R> Parameters bodies(List<R> rows, Function<R, byte[]> cell) throws SQLException {
        return column("bytea", rows, cell, byte[][]::new);
    }

    Parameters bytes(byte[] bytes) throws SQLException {
        statement.setBytes(++last, bytes);
        return this;
    }

    Parameters optional(OptionalLong number) throws SQLException {
        return number.isPresent() ? number(number.getAsLong()) : nulls(1);
    }

    Parameters partition(PartitionKey key) throws SQLException {
        return number(key.application()).number(key.partition());
    }

    Parameters counterKey(CounterKey key) throws SQLException {
        return number(key.sequenceId()).text(key.scope()).text(key.period());
    }

    private Parameters idempotencyKey(IdempotencyKey key) throws SQLException {
        return number(key.sequenceId()).text(key.caller()).text(key.key());
    }

    /** Of {@link Sql#FIND}. */
    Parameters keys(Optional<String> foldedName, Optional<CounterKey> counter, Optional<IdempotencyKey> request)
            throws SQLException {
        if (foldedName.isPresent()) {
            text(foldedName.get());
        } else {
            nulls(1);
        }
        if (counter.isPresent()) {
            counterKey(counter.get());
        } else {
            nulls(3);
        }
        return request.isPresent() ? idempotencyKey(request.get()) : nulls(3);
    }

    /** The columns of a counter but for its key. */
    Parameters counterState(CounterRow row) throws SQLException {
        return number(row.generation())
                .number(row.round())
                .number(row.highWaterMark())
                .flag(row.fresh())
                .number(row.revision())
                .mark(row.mark())
                .text(row.openBlocks())
                .text(row.account());
    }

    /** All columns of a definition, in the order of its table; nulls where there is none. */
    Parameters definition(Optional<DefinitionRow> definition) throws SQLException {
        if (definition.isEmpty()) {
            return nulls(12);
        }
        DefinitionRow row = definition.get();
        return text(row.foldedName())
                .text(row.name())
                .number(row.sequenceId())
                .number(row.generation())
                .number(row.revision())
                .array("text", row.options().keySet().toArray())
                .array("text", row.options().values().toArray())
                .flag(row.dropped())
                .instant(row.created())
                .instant(row.modified())
                .mark(row.mark());
    }

    /** All columns of a counter, in the order of its table; nulls where there is none. */
    Parameters counter(Optional<CounterRow> counter) throws SQLException {
        return counter.isPresent() ? counterKey(counter.get().key()).counterState(counter.get()) : nulls(12);
    }

    /** The columns of ledger rows, each as an array. */
    Parameters ledger(List<LedgerRow> rows) throws SQLException {
        return array("bigint", column(rows, row -> row.counter().sequenceId()))
                .array("text", column(rows, row -> row.counter().scope()))
                .array("text", column(rows, row -> row.counter().period()))
                .array("bigint", column(rows, LedgerRow::index))
                .array("text", column(rows, LedgerRow::entry));
    }

    private static Object[] column(List<LedgerRow> rows, Function<LedgerRow, Object> cell) {
        return rows.stream().map(cell).toArray();
    }

    /** All columns of an answer, in the order of its table; nulls where there is none. */
    Parameters idempotency(Optional<IdempotencyRow> idempotency) throws SQLException {
        if (idempotency.isEmpty()) {
            return nulls(7);
        }
        IdempotencyRow row = idempotency.get();
        return idempotencyKey(row.key())
                .text(row.answer())
                .instant(row.expires())
                .mark(row.mark());
    }
}
