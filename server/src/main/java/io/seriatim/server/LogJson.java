package io.seriatim.server;

import io.seriatim.ErrorCode;
import io.seriatim.eventlog.ReplayProgress;
import io.seriatim.eventlog.SequencerState;
import io.seriatim.eventlog.application.Appended;
import io.seriatim.eventlog.application.Application;
import io.seriatim.eventlog.application.ApplicationDefinition;
import io.seriatim.eventlog.application.ApplicationDefinition.Kind;
import io.seriatim.eventlog.application.ApplicationDefinition.Range;
import io.seriatim.eventlog.application.ApplicationDefinition.RecordType;
import io.seriatim.eventlog.application.Cud;
import io.seriatim.eventlog.application.Difference;
import io.seriatim.eventlog.application.Event;
import io.seriatim.eventlog.application.NewRecord;
import io.seriatim.eventlog.application.Partition;
import io.seriatim.eventlog.application.PartitionState;
import io.seriatim.eventlog.application.RecordKind;
import io.seriatim.eventlog.application.RecordUpdate;
import io.seriatim.eventlog.application.Reference;
import io.seriatim.eventlog.application.StoredRecord;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/** Applications, events, records and the state of partitions as JSON. */
final class LogJson {

    private static final List<String> OF_DEFINITION = List.of("partitions", "kinds", "types");
    private static final List<String> OF_KIND = List.of("sequences");
    private static final List<String> OF_RANGE = List.of("initial", "max");
    private static final List<String> OF_TYPE = List.of("kind", "sequence", "singleton");

    private LogJson() {}

    // ---- applications

    /** Reads a definition; the order of what is named stays. */
    static ApplicationDefinition definition(String body) {
        Fields fields = Fields.of(body).only(OF_DEFINITION);
        if (!fields.has("partitions")) {
            throw fields.required("partitions");
        }
        int partitions = Math.toIntExact(fields.integer("partitions", 1, Integer.MIN_VALUE, Integer.MAX_VALUE));
        Map<String, Kind> kinds = new LinkedHashMap<>();
        fields.object("kinds")
                .ifPresent(all -> all.names()
                        .forEach(name -> kinds.put(
                                name, kind(all.object(name).orElseThrow().only(OF_KIND)))));
        Map<String, RecordType> types = new LinkedHashMap<>();
        fields.object("types")
                .ifPresent(all -> all.names()
                        .forEach(name -> types.put(
                                name, type(all.object(name).orElseThrow().only(OF_TYPE)))));
        return new ApplicationDefinition(partitions, kinds, types);
    }

    private static Kind kind(Fields kind) {
        Map<String, Range> sequences = new LinkedHashMap<>();
        kind.object("sequences").ifPresent(all -> all.names().forEach(name -> sequences.put(name, range(all, name))));
        return new Kind(sequences);
    }

    /** An initial value, or an object with one and perhaps a max. */
    private static Range range(Fields sequences, String name) {
        if (!sequences.isObject(name)) {
            return new Range(sequences.integer(name).orElseThrow(), Long.MAX_VALUE);
        }
        Fields range = sequences.object(name).orElseThrow().only(OF_RANGE);
        if (!range.has("initial")) {
            throw range.required("initial");
        }
        return new Range(
                range.integer("initial").orElseThrow(),
                range.isNull("max") ? Long.MAX_VALUE : range.integer("max").orElse(Long.MAX_VALUE));
    }

    private static RecordType type(Fields type) {
        String kind = type.text("kind").orElseThrow(() -> type.required("kind"));
        return new RecordType(
                recordKind(type, kind),
                type.isNull("sequence") ? Optional.empty() : type.text("sequence"),
                type.flag("singleton").orElse(false));
    }

    private static RecordKind recordKind(Fields type, String kind) {
        for (RecordKind each : RecordKind.values()) {
            if (each.text().equals(kind)) {
                return each;
            }
        }
        throw new Refusal(Problem.badOption(
                ErrorCode.BAD_OPTION,
                type.path("kind"),
                "kind must be one of "
                        + Arrays.stream(RecordKind.values())
                                .map(RecordKind::text)
                                .collect(Collectors.joining(", "))
                        + ": " + Integers.shown(kind)));
    }

    /** An application as it would be deployed, with its name and id. */
    static void write(JsonGenerator out, Application application) {
        ApplicationDefinition definition = application.definition();
        out.writeStringProperty("name", application.name());
        out.writeNumberProperty("id", application.id());
        out.writeNumberProperty("partitions", definition.partitions());
        out.writeObjectPropertyStart("kinds");
        definition.kinds().forEach((name, kind) -> {
            out.writeObjectPropertyStart(name);
            out.writeObjectPropertyStart("sequences");
            kind.sequences().forEach((sequence, range) -> write(out, sequence, range));
            out.writeEndObject();
            out.writeEndObject();
        });
        out.writeEndObject();
        out.writeObjectPropertyStart("types");
        definition.types().forEach((name, type) -> write(out, name, type));
        out.writeEndObject();
    }

    private static void write(JsonGenerator out, String sequence, Range range) {
        if (range.max() == Long.MAX_VALUE) {
            out.writeNumberProperty(sequence, range.initial());
            return;
        }
        out.writeObjectPropertyStart(sequence);
        out.writeNumberProperty("initial", range.initial());
        out.writeNumberProperty("max", range.max());
        out.writeEndObject();
    }

    private static void write(JsonGenerator out, String name, RecordType type) {
        out.writeObjectPropertyStart(name);
        out.writeStringProperty("kind", type.kind().text());
        type.sequence().ifPresent(sequence -> out.writeStringProperty("sequence", sequence));
        if (type.singleton()) {
            out.writeBooleanProperty("singleton", true);
        }
        out.writeEndObject();
    }

    // ---- events and records

    static String appended(Appended appended) {
        return Json.object(out -> {
            out.writeNumberProperty("partition", appended.partition());
            out.writeNumberProperty("plogOffset", appended.plogOffset());
            out.writeNumberProperty("wlogOffset", appended.wlogOffset());
            out.writeObjectPropertyStart("ids");
            appended.ids().forEach((raw, id) -> out.writeNumberProperty(Long.toString(raw), id));
            out.writeEndObject();
        });
    }

    static void write(JsonGenerator out, Event event) {
        out.writeNumberProperty("plogOffset", event.plogOffset());
        out.writeNumberProperty("workspace", event.workspace());
        out.writeStringProperty("kind", event.kind());
        out.writeNumberProperty("wlogOffset", event.wlogOffset());
        out.writeStringProperty("time", event.time().toString());
        if (event.argument().isEmpty()) {
            out.writeNullProperty("argument");
        }
        writeContent(out, event.argument(), event.cuds());
    }

    /** What happens, as a command says it too. */
    static void writeContent(JsonGenerator out, Optional<NewRecord> argument, List<Cud> cuds) {
        argument.ifPresent(root -> {
            out.writeName("argument");
            write(out, root);
        });
        out.writeArrayPropertyStart("cuds");
        cuds.forEach(cud -> write(out, cud));
        out.writeEndArray();
    }

    private static void write(JsonGenerator out, Cud cud) {
        if (cud instanceof NewRecord created) {
            write(out, created);
        } else if (cud instanceof RecordUpdate update) {
            out.writeStartObject();
            update.type().ifPresent(type -> out.writeStringProperty("type", type));
            out.writeNumberProperty("id", update.id());
            out.writeBooleanProperty("update", true);
            writeFields(out, update.fields());
            out.writeEndObject();
        }
    }

    private static void write(JsonGenerator out, NewRecord record) {
        out.writeStartObject();
        out.writeStringProperty("type", record.type());
        out.writeNumberProperty("id", record.id());
        writeFields(out, record.fields());
        if (!record.children().isEmpty()) {
            out.writeObjectPropertyStart("children");
            record.children().forEach((container, records) -> {
                out.writeArrayPropertyStart(container);
                records.forEach(child -> write(out, child));
                out.writeEndArray();
            });
            out.writeEndObject();
        }
        out.writeEndObject();
    }

    static void write(JsonGenerator out, StoredRecord record) {
        out.writeNumberProperty("id", record.id());
        out.writeStringProperty("type", record.type());
        out.writeNumberProperty("plogOffset", record.plogOffset());
        out.writeNumberProperty("wlogOffset", record.wlogOffset());
        writeFields(out, record.fields());
        if (record.parent().isPresent()) {
            out.writeNumberProperty("parent", record.parent().getAsLong());
        } else {
            out.writeNullProperty("parent");
        }
    }

    private static void writeFields(JsonGenerator out, io.seriatim.eventlog.application.Fields fields) {
        out.writeName("fields");
        writeContent(out, fields.asMap());
    }

    private static void writeContent(JsonGenerator out, @Nullable Object content) {
        if (content == null) {
            out.writeNull();
        } else if (content instanceof Long whole) {
            out.writeNumber(whole);
        } else if (content instanceof BigDecimal decimal) {
            out.writeNumber(decimal);
        } else if (content instanceof Boolean truth) {
            out.writeBoolean(truth);
        } else if (content instanceof Reference reference) {
            out.writeStartObject();
            out.writeNumberProperty("ref", reference.id());
            out.writeEndObject();
        } else if (content instanceof List<?> list) {
            out.writeStartArray();
            list.forEach(each -> writeContent(out, each));
            out.writeEndArray();
        } else if (content instanceof Map<?, ?> map) {
            out.writeStartObject();
            map.forEach((name, each) -> {
                out.writeName(name.toString());
                writeContent(out, each);
            });
            out.writeEndObject();
        } else {
            out.writeString(content.toString());
        }
    }

    // ---- partitions

    /** @param owner this process, if it has the partition */
    static void write(JsonGenerator out, Partition partition, PartitionState state, Optional<String> owner) {
        SequencerState sequencer = state.sequencer();
        out.writeNumberProperty("partition", partition.number());
        out.writeStringProperty("status", word(state));
        out.writeNumberProperty("epoch", sequencer.epoch());
        Json.text(out, "owner", owner);
        out.writeNumberProperty("nextOffset", sequencer.nextOffset());
        out.writeNumberProperty("checkpoint", sequencer.checkpoint());
        out.writeNumberProperty("appliedOffset", state.appliedOffset());
        out.writeNumberProperty("durableOffset", state.durableOffset());
        out.writeObjectPropertyStart("backlog");
        out.writeNumberProperty("commands", state.waiting());
        out.writeNumberProperty("events", sequencer.unflushedEvents());
        out.writeNumberProperty("values", sequencer.unflushedValues());
        out.writeEndObject();
        out.writeNumberProperty("cache", sequencer.cachedWorkspaces());
        out.writeStringProperty("trustLevel", TrustLevels.word(state.trustLevel()));
        out.writeObjectPropertyStart("lastActualize");
        write(out, sequencer.replay());
        out.writeEndObject();
        Json.text(out, "trouble", state.trouble());
        out.writeArrayPropertyStart("differences");
        state.differences().forEach(difference -> {
            out.writeStartObject();
            out.writeNumberProperty("plogOffset", difference.plogOffset());
            out.writeStringProperty("what", difference.what());
            out.writeEndObject();
        });
        out.writeEndArray();
    }

    /** {@code ready}. */
    static String word(PartitionState state) {
        return state.status().name().toLowerCase(Locale.ROOT);
    }

    static void write(JsonGenerator out, ReplayProgress replay) {
        out.writeNumberProperty("events", replay.events());
        out.writeNumberProperty("total", replay.total());
        out.writeNumberProperty("percent", replay.percent());
        out.writeNumberProperty("eventsPerSecond", replay.eventsPerSecond());
        out.writeNumberProperty("millis", replay.elapsed().toMillis());
        if (replay.left().isPresent()) {
            out.writeNumberProperty("millisLeft", replay.left().get().toMillis());
        } else {
            out.writeNullProperty("millisLeft");
        }
    }

    /** The first of the differences, as facts of a problem. */
    static List<Map<String, Object>> facts(List<Difference> differences, int most) {
        return differences.stream()
                .limit(most)
                .map(each -> Map.<String, Object>of("plogOffset", each.plogOffset(), "what", each.what()))
                .toList();
    }
}
