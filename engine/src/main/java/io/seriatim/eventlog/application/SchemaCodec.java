package io.seriatim.eventlog.application;

import io.seriatim.eventlog.application.ApplicationDefinition.Range;
import io.seriatim.eventlog.application.ApplicationDefinition.RecordType;
import io.seriatim.eventlog.application.Schema.KindEntry;
import io.seriatim.eventlog.application.Schema.SequenceEntry;
import io.seriatim.eventlog.application.Schema.TypeEntry;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import tools.jackson.core.JsonGenerator;

/** A schema as it is stored. */
final class SchemaCodec {

    private SchemaCodec() {}

    static byte[] encode(Schema schema) {
        return Json.object(out -> {
            out.writeBooleanProperty("deployed", schema.deployed());
            out.writeNumberProperty("partitions", schema.partitions());
            out.writeArrayPropertyStart("kinds");
            schema.kinds().forEach(kind -> write(out, kind));
            out.writeEndArray();
            out.writeArrayPropertyStart("types");
            schema.types().forEach(type -> write(out, type));
            out.writeEndArray();
            out.writeArrayPropertyStart("projectors");
            schema.projectors().forEach(out::writeString);
            out.writeEndArray();
        });
    }

    private static void write(JsonGenerator out, KindEntry kind) {
        out.writeStartObject();
        out.writeNumberProperty("id", kind.id());
        out.writeStringProperty("name", kind.name());
        out.writeArrayPropertyStart("sequences");
        for (SequenceEntry each : kind.sequences()) {
            out.writeStartObject();
            out.writeNumberProperty("id", each.id());
            out.writeStringProperty("name", each.name());
            out.writeNumberProperty("initial", each.range().initial());
            out.writeNumberProperty("max", each.range().max());
            out.writeNumberProperty("lowest", each.lowest());
            out.writeBooleanProperty("feedsRecords", each.feedsRecords());
            out.writeEndObject();
        }
        out.writeEndArray();
        out.writeEndObject();
    }

    private static void write(JsonGenerator out, TypeEntry type) {
        out.writeStartObject();
        out.writeNumberProperty("id", type.id());
        out.writeStringProperty("name", type.name());
        out.writeStringProperty("kind", type.type().kind().text());
        type.type().sequence().ifPresent(sequence -> out.writeStringProperty("sequence", sequence));
        type.singletonId().ifPresent(id -> out.writeNumberProperty("singletonId", id));
        out.writeEndObject();
    }

    /**
     * Reads what {@link #encode} wrote.
     *
     * @throws IllegalArgumentException if it is anything else
     */
    static Schema decode(int id, String name, byte[] bytes) {
        Map<String, ?> schema = Json.read(bytes);
        return new Schema(
                id,
                name,
                Boolean.TRUE.equals(schema.get("deployed")),
                Math.toIntExact(Json.number(schema, "partitions")),
                Json.objects(schema, "kinds").stream().map(SchemaCodec::kind).toList(),
                Json.objects(schema, "types").stream().map(SchemaCodec::type).toList(),
                schema.containsKey("projectors") ? Json.texts(schema, "projectors") : List.of());
    }

    private static KindEntry kind(Map<String, ?> kind) {
        return new KindEntry(
                Math.toIntExact(Json.number(kind, "id")),
                Json.text(kind, "name"),
                Json.objects(kind, "sequences").stream()
                        .map(SchemaCodec::sequence)
                        .toList());
    }

    private static SequenceEntry sequence(Map<String, ?> sequence) {
        return new SequenceEntry(
                Math.toIntExact(Json.number(sequence, "id")),
                Json.text(sequence, "name"),
                new Range(Json.number(sequence, "initial"), Json.number(sequence, "max")),
                Json.number(sequence, "lowest"),
                Boolean.TRUE.equals(sequence.get("feedsRecords")));
    }

    private static TypeEntry type(Map<String, ?> type) {
        boolean singleton = type.containsKey("singletonId");
        return new TypeEntry(
                Math.toIntExact(Json.number(type, "id")),
                Json.text(type, "name"),
                new RecordType(
                        recordKind(Json.text(type, "kind")),
                        type.containsKey("sequence") ? Optional.of(Json.text(type, "sequence")) : Optional.empty(),
                        singleton),
                singleton ? OptionalLong.of(Json.number(type, "singletonId")) : OptionalLong.empty());
    }

    private static RecordKind recordKind(String text) {
        return Arrays.stream(RecordKind.values())
                .filter(each -> each.text().equals(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no kind of record: " + text));
    }
}
