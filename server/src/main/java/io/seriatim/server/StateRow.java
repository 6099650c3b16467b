package io.seriatim.server;

import io.seriatim.store.ApplicationRow;
import io.seriatim.store.CatalogueRow;
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
import io.seriatim.store.TransactionalRow;
import io.seriatim.store.VersionedValue;
import io.seriatim.store.WorkspaceEvent;
import io.seriatim.store.WriterMark;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
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
     * A body is bytes to a store, so it stands in a line as Base64.
     *
     * Who may have values in memory is left out of a counter: it is of the processes that have the store open, and there is
     * none of them where the row goes.
     *
     * A line is understood only if writing what was read gives the same line again.
     */

    private static final String DEFINITION = "definition";
    private static final String COUNTER = "counter";
    private static final String LEDGER = "ledger";
    private static final String IDEMPOTENCY = "idempotency";

    private static final String APPLICATION = "application";
    private static final String EPOCH = "epoch";
    private static final String EVENT = "event";
    private static final String PLACE = "place";
    private static final String RECORD = "record";
    private static final String REGISTRY = "registry";
    private static final String KEY = "key";
    private static final String SKIPPED = "skipped";
    private static final String APPLIED = "applied";
    private static final String NUMBERS = "numbers";
    private static final String CHECKPOINT = "checkpoint";
    private static final String TRANSACTIONAL = "transactional";

    static final List<String> KINDS = List.of(
            DEFINITION,
            COUNTER,
            LEDGER,
            IDEMPOTENCY,
            APPLICATION,
            EPOCH,
            EVENT,
            PLACE,
            RECORD,
            REGISTRY,
            KEY,
            SKIPPED,
            APPLIED,
            NUMBERS,
            CHECKPOINT,
            TRANSACTIONAL);

    /** A body is as long as it is; how long a line may be is for the file to say. */
    private static final JsonMapper MAPPER = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxStringLength(Integer.MAX_VALUE)
                            .build())
                    .build())
            .build();

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
            write(out, row.options());
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

    // ---- event logs

    static StateRow of(ApplicationRow row) {
        return of(APPLICATION, out -> {
            out.writeNumberProperty("id", row.id());
            out.writeStringProperty("name", row.name());
            out.writeNumberProperty("revision", row.revision());
            write(out, row.mark());
            write(out, row.body());
        });
    }

    static StateRow ofEpoch(PartitionKey partition, long epoch) {
        return of(EPOCH, out -> {
            write(out, partition);
            out.writeNumberProperty("epoch", epoch);
        });
    }

    static StateRow of(PartitionKey partition, LogEvent row) {
        EventHeader header = row.header();
        return of(EVENT, out -> {
            write(out, partition);
            out.writeNumberProperty("plogOffset", row.offset());
            out.writeNumberProperty("epoch", row.epoch());
            out.writeNumberProperty("workspace", header.workspace());
            out.writeNumberProperty("workspaceKind", header.kind());
            write(out, header.mark());
            out.writeStringProperty("key", header.key());
            write(out, header.sequences(), header.values());
            write(out, row.body());
        });
    }

    static StateRow of(PartitionKey partition, WorkspaceEvent row) {
        return of(PLACE, out -> {
            write(out, partition);
            out.writeNumberProperty("workspace", row.workspace());
            out.writeNumberProperty("wlogOffset", row.offset());
            out.writeNumberProperty("plogOffset", row.plogOffset());
        });
    }

    static StateRow of(PartitionKey partition, RecordRow row) {
        return of(RECORD, out -> {
            write(out, partition);
            out.writeNumberProperty("workspace", row.workspace());
            out.writeNumberProperty("id", row.id());
            out.writeNumberProperty("type", row.type());
            out.writeNumberProperty("plogOffset", row.plogOffset());
            out.writeNumberProperty("wlogOffset", row.wlogOffset());
            write(out, row.body());
        });
    }

    static StateRow of(PartitionKey partition, RegistryRow row) {
        return of(REGISTRY, out -> {
            write(out, partition);
            out.writeNumberProperty("workspace", row.workspace());
            out.writeNumberProperty("id", row.id());
            out.writeNumberProperty("type", row.type());
            out.writeNumberProperty("wlogOffset", row.wlogOffset());
        });
    }

    static StateRow of(PartitionKey partition, KeyRow row) {
        return of(KEY, out -> {
            write(out, partition);
            out.writeNumberProperty("workspace", row.workspace());
            out.writeStringProperty("key", row.key());
            out.writeNumberProperty("plogOffset", row.plogOffset());
        });
    }

    static StateRow of(PartitionKey partition, SkippedRow row) {
        return of(SKIPPED, out -> {
            write(out, partition);
            out.writeNumberProperty("plogOffset", row.plogOffset());
            out.writeStringProperty("projector", row.projector());
            out.writeStringProperty("who", row.who());
            out.writeStringProperty("reason", row.reason());
            out.writeNumberProperty("millis", row.epochMillis());
        });
    }

    static StateRow ofApplied(PartitionKey partition, long nextOffset) {
        return of(APPLIED, out -> {
            write(out, partition);
            out.writeNumberProperty("nextOffset", nextOffset);
        });
    }

    static StateRow of(PartitionKey partition, NumbersRow row) {
        return of(NUMBERS, out -> {
            write(out, partition);
            out.writeNumberProperty("workspace", row.workspace());
            out.writeNumberProperty("workspaceKind", row.kind());
            write(out, row.sequences(), row.values());
        });
    }

    static StateRow of(PartitionKey partition, Checkpoint row) {
        return of(CHECKPOINT, out -> {
            write(out, partition);
            out.writeNumberProperty("nextOffset", row.nextOffset());
            out.writeNumberProperty("epoch", row.epoch());
        });
    }

    private static void write(JsonGenerator out, PartitionKey partition) {
        out.writeNumberProperty("application", partition.application());
        out.writeNumberProperty("partition", partition.partition());
    }

    private static void write(JsonGenerator out, int[] sequences, long[] numbers) {
        out.writeArrayPropertyStart("sequences");
        for (int sequence : sequences) {
            out.writeNumber(sequence);
        }
        out.writeEndArray();
        out.writeArrayPropertyStart("numbers");
        for (long number : numbers) {
            out.writeNumber(number);
        }
        out.writeEndArray();
    }

    private static void write(JsonGenerator out, byte[] body) {
        out.writeStringProperty("body", Base64.getEncoder().encodeToString(body));
    }

    // ---- transactional sequences

    static StateRow of(TransactionalRow row) {
        return of(TRANSACTIONAL, out -> {
            out.writeNumberProperty("id", row.id());
            out.writeBooleanProperty("deleted", row.deleted());
            out.writeNumberProperty("version", row.newest().version());
            out.writeNumberProperty("value", row.newest().value());
            row.entry().ifPresent(entry -> {
                out.writeStringProperty("name", entry.name());
                write(out, entry.options());
            });
        });
    }

    private static void write(JsonGenerator out, Map<String, String> options) {
        out.writeObjectPropertyStart("options");
        options.forEach(out::writeStringProperty);
        out.writeEndObject();
    }

    // ---- parts of rows

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
            JsonNode root = MAPPER.readTree(line);
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
            case APPLICATION -> {
                ApplicationRow read = new ApplicationRow(
                        row.path("id").asInt(),
                        row.path("name").asString(),
                        row.path("revision").asLong(),
                        mark(row),
                        body(row));
                yield Optional.of(new Read(of(read), taker -> taker.application(read)));
            }
            case TRANSACTIONAL -> {
                TransactionalRow read = transactional(row);
                yield Optional.of(new Read(of(read), taker -> taker.transactional(read)));
            }
            default -> row.has("partition") ? read(kind, partition(row), row) : Optional.empty();
        };
    }

    /** A row of a partition. */
    private static Optional<Read> read(String kind, PartitionKey partition, JsonNode row) {
        long workspace = row.path("workspace").asLong();
        long plogOffset = row.path("plogOffset").asLong();
        long wlogOffset = row.path("wlogOffset").asLong();
        return switch (kind) {
            case EPOCH -> {
                long epoch = row.path("epoch").asLong();
                yield Optional.of(new Read(ofEpoch(partition, epoch), taker -> taker.epoch(partition, epoch)));
            }
            case EVENT -> {
                EventHeader header = new EventHeader(
                        workspace,
                        row.path("workspaceKind").asInt(),
                        mark(row),
                        row.path("key").asString(),
                        sequences(row),
                        numbers(row));
                LogEvent read = new LogEvent(plogOffset, row.path("epoch").asLong(), header, body(row));
                yield Optional.of(new Read(of(partition, read), taker -> taker.event(partition, read)));
            }
            case PLACE -> {
                WorkspaceEvent read = new WorkspaceEvent(workspace, wlogOffset, plogOffset);
                yield Optional.of(new Read(of(partition, read), taker -> taker.workspaceEvent(partition, read)));
            }
            case RECORD -> {
                RecordRow read = new RecordRow(
                        workspace,
                        row.path("id").asLong(),
                        row.path("type").asInt(),
                        plogOffset,
                        wlogOffset,
                        body(row));
                yield Optional.of(new Read(of(partition, read), taker -> taker.record(partition, read)));
            }
            case REGISTRY -> {
                RegistryRow read = new RegistryRow(
                        workspace, row.path("id").asLong(), row.path("type").asInt(), wlogOffset);
                yield Optional.of(new Read(of(partition, read), taker -> taker.registered(partition, read)));
            }
            case KEY -> {
                KeyRow read = new KeyRow(workspace, row.path("key").asString(), plogOffset);
                yield Optional.of(new Read(of(partition, read), taker -> taker.keyed(partition, read)));
            }
            case SKIPPED -> {
                SkippedRow read = new SkippedRow(
                        plogOffset,
                        row.path("projector").asString(),
                        row.path("who").asString(),
                        row.path("reason").asString(),
                        row.path("millis").asLong());
                yield Optional.of(new Read(of(partition, read), taker -> taker.skipped(partition, read)));
            }
            case APPLIED -> {
                long next = row.path("nextOffset").asLong();
                yield Optional.of(new Read(ofApplied(partition, next), taker -> taker.applied(partition, next)));
            }
            case NUMBERS -> {
                NumbersRow read =
                        new NumbersRow(workspace, row.path("workspaceKind").asInt(), sequences(row), numbers(row));
                yield Optional.of(new Read(of(partition, read), taker -> taker.numbers(partition, read)));
            }
            case CHECKPOINT -> {
                Checkpoint read = new Checkpoint(
                        row.path("nextOffset").asLong(), row.path("epoch").asLong());
                yield Optional.of(new Read(of(partition, read), taker -> taker.checkpoint(partition, read)));
            }
            default -> Optional.empty();
        };
    }

    private static TransactionalRow transactional(JsonNode row) {
        long id = row.path("id").asLong();
        Optional<CatalogueRow> entry = row.has("name")
                ? Optional.of(new CatalogueRow(row.path("name").asString(), id, options(row)))
                : Optional.empty();
        VersionedValue newest = new VersionedValue(
                row.path("version").asLong(), row.path("value").asLong());
        return new TransactionalRow(id, row.path("deleted").asBoolean(), entry, newest);
    }

    private static PartitionKey partition(JsonNode row) {
        return new PartitionKey(
                row.path("application").asInt(), row.path("partition").asInt());
    }

    private static int[] sequences(JsonNode row) {
        return row.path("sequences").valueStream().mapToInt(JsonNode::asInt).toArray();
    }

    private static long[] numbers(JsonNode row) {
        return row.path("numbers").valueStream().mapToLong(JsonNode::asLong).toArray();
    }

    private static byte[] body(JsonNode row) {
        return Base64.getDecoder().decode(row.path("body").asString());
    }

    private static Map<String, String> options(JsonNode row) {
        Map<String, String> options = new TreeMap<>();
        row.path("options")
                .properties()
                .forEach(
                        option -> options.put(option.getKey(), option.getValue().asString()));
        return options;
    }

    private static DefinitionRow definition(JsonNode row) {
        return new DefinitionRow(
                row.path("name").asString(),
                row.path("sequence").asLong(),
                row.path("generation").asLong(),
                row.path("revision").asLong(),
                options(row),
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
