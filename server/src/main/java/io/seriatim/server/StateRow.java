package io.seriatim.server;

import io.seriatim.store.CounterKey;
import io.seriatim.store.CounterRow;
import io.seriatim.store.DefinitionRow;
import io.seriatim.store.IdempotencyKey;
import io.seriatim.store.IdempotencyRow;
import io.seriatim.store.LedgerRow;
import io.seriatim.store.RowVisitor;
import io.seriatim.store.WriterMark;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A row of a store as a line of a file: {@code {"counter":{"sequence":7,…}}}.
 *
 * @param kind the name of its one property
 * @param line without its end
 */
record StateRow(String kind, String line) {

    /*
     * Who may have values in memory is left out of a counter: it is of the processes that have the store open, and there is
     * none of them where the row goes.
     *
     * A line is understood only if writing what was read gives the same line again.
     */

    private static final String DEFINITION = "definition";
    private static final String COUNTER = "counter";
    private static final String LEDGER = "ledger";
    private static final String IDEMPOTENCY = "idempotency";

    static final List<String> KINDS = List.of(COUNTER, DEFINITION, IDEMPOTENCY, LEDGER);

    private static StateRow of(String kind, Consumer<JsonGenerator> properties) {
        return new StateRow(kind, Json.object(out -> {
            out.writeObjectPropertyStart(kind);
            properties.accept(out);
            out.writeEndObject();
        }));
    }

    static StateRow of(DefinitionRow row) {
        return of(DEFINITION, out -> {
            out.writeStringProperty("name", row.name());
            out.writeNumberProperty("sequence", row.sequenceId());
            out.writeNumberProperty("generation", row.generation());
            out.writeNumberProperty("revision", row.revision());
            out.writeObjectPropertyStart("options");
            row.options().forEach(out::writeStringProperty);
            out.writeEndObject();
            out.writeBooleanProperty("dropped", row.dropped());
            out.writeStringProperty("created", row.created().toString());
            out.writeStringProperty("modified", row.modified().toString());
            write(out, row.mark());
        });
    }

    static StateRow of(CounterRow row) {
        return of(COUNTER, out -> {
            write(out, row.key());
            out.writeNumberProperty("generation", row.generation());
            out.writeNumberProperty("round", row.round());
            out.writeNumberProperty("highWaterMark", row.highWaterMark());
            out.writeBooleanProperty("fresh", row.fresh());
            out.writeNumberProperty("revision", row.revision());
            write(out, row.mark());
            out.writeStringProperty("account", row.account());
        });
    }

    static StateRow of(LedgerRow row) {
        return of(LEDGER, out -> {
            write(out, row.counter());
            out.writeNumberProperty("index", row.index());
            out.writeStringProperty("entry", row.entry());
        });
    }

    static StateRow of(IdempotencyRow row) {
        return of(IDEMPOTENCY, out -> {
            out.writeNumberProperty("sequence", row.key().sequenceId());
            out.writeStringProperty("caller", row.key().caller());
            out.writeStringProperty("key", row.key().key());
            out.writeStringProperty("answer", row.answer());
            out.writeStringProperty("expires", row.expires().toString());
            write(out, row.mark());
        });
    }

    private static void write(JsonGenerator out, CounterKey key) {
        out.writeNumberProperty("sequence", key.sequenceId());
        out.writeStringProperty("scope", key.scope());
        out.writeStringProperty("period", key.period());
    }

    private static void write(JsonGenerator out, WriterMark mark) {
        out.writeNumberProperty("writer", mark.writer());
        out.writeNumberProperty("write", mark.write());
    }

    /** A row that was read, for whoever takes it. */
    record Read(StateRow row, Consumer<RowVisitor> show) {}

    /** The row in a line; empty if it is none. */
    static Optional<Read> read(String line) {
        try {
            JsonNode root = JsonMapper.shared().readTree(line);
            if (!root.isObject() || root.size() != 1) {
                return Optional.empty();
            }
            String kind = root.propertyNames().iterator().next();
            return read(kind, root.path(kind)).filter(read -> read.row().line().equals(line));
        } catch (JacksonException | IllegalArgumentException | DateTimeException e) {
            return Optional.empty();
        }
    }

    private static Optional<Read> read(String kind, JsonNode row) {
        return switch (kind) {
            case DEFINITION -> {
                DefinitionRow read = definition(row);
                yield Optional.of(new Read(of(read), taker -> taker.definition(read)));
            }
            case COUNTER -> {
                CounterRow read = counter(row);
                yield Optional.of(new Read(of(read), taker -> taker.counter(read)));
            }
            case LEDGER -> {
                LedgerRow read = new LedgerRow(
                        key(row), row.path("index").asLong(), row.path("entry").asString());
                yield Optional.of(new Read(of(read), taker -> taker.ledger(read)));
            }
            case IDEMPOTENCY -> {
                IdempotencyRow read = new IdempotencyRow(
                        new IdempotencyKey(
                                row.path("sequence").asLong(),
                                row.path("caller").asString(),
                                row.path("key").asString()),
                        row.path("answer").asString(),
                        Instant.parse(row.path("expires").asString()),
                        mark(row));
                yield Optional.of(new Read(of(read), taker -> taker.idempotency(read)));
            }
            default -> Optional.empty();
        };
    }

    private static DefinitionRow definition(JsonNode row) {
        Map<String, String> options = new TreeMap<>();
        row.path("options")
                .properties()
                .forEach(
                        option -> options.put(option.getKey(), option.getValue().asString()));
        return new DefinitionRow(
                row.path("name").asString(),
                row.path("sequence").asLong(),
                row.path("generation").asLong(),
                row.path("revision").asLong(),
                options,
                row.path("dropped").asBoolean(),
                Instant.parse(row.path("created").asString()),
                Instant.parse(row.path("modified").asString()),
                mark(row));
    }

    private static CounterRow counter(JsonNode row) {
        return new CounterRow(
                key(row),
                row.path("generation").asLong(),
                row.path("round").asLong(),
                row.path("highWaterMark").asLong(),
                row.path("fresh").asBoolean(),
                row.path("revision").asLong(),
                mark(row),
                "",
                row.path("account").asString());
    }

    private static CounterKey key(JsonNode row) {
        return new CounterKey(
                row.path("sequence").asLong(),
                row.path("scope").asString(),
                row.path("period").asString());
    }

    private static WriterMark mark(JsonNode row) {
        return new WriterMark(row.path("writer").asLong(), row.path("write").asLong());
    }
}
