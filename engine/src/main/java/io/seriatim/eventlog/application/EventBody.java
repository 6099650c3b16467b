package io.seriatim.eventlog.application;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/**
 * What the body of an event says.
 *
 * @param argument with record ids for raw ids and references, as everywhere here
 * @param fromOutside ids of new records that were not drawn but given
 * @param request what its command was, and which id each raw id got; of one with an idempotency key
 */
record EventBody(
        Instant time,
        long wlogOffset,
        Optional<NewRecord> argument,
        List<Cud> cuds,
        Set<Long> fromOutside,
        Optional<Request> request) {

    /**
     * What is kept for the case that a command comes again.
     *
     * @param digest of the command: the same command has the same
     */
    record Request(String digest, Map<Long, Long> ids) {}

    EventBody {
        cuds = List.copyOf(cuds);
        fromOutside = Set.copyOf(fromOutside);
    }

    // ---- written

    byte[] encode() {
        return encode(time.toString());
    }

    /** The same with the time as text, which is dear to make. */
    byte[] encode(String timeText) {
        return Json.object(out -> {
            out.writeStringProperty("time", timeText);
            out.writeNumberProperty("wlogOffset", wlogOffset);
            writeContent(out, argument, cuds);
            if (!fromOutside.isEmpty()) {
                out.writeArrayPropertyStart("fromOutside");
                fromOutside.stream().sorted().forEach(out::writeNumber);
                out.writeEndArray();
            }
            request.ifPresent(its -> {
                out.writeStringProperty("request", its.digest());
                out.writeArrayPropertyStart("ids");
                its.ids().forEach((raw, id) -> {
                    out.writeNumber(raw);
                    out.writeNumber(id);
                });
                out.writeEndArray();
            });
        });
    }

    static void writeContent(JsonGenerator out, Optional<NewRecord> argument, List<Cud> cuds) {
        argument.ifPresent(root -> {
            out.writeName("argument");
            write(out, root);
        });
        if (!cuds.isEmpty()) {
            out.writeArrayPropertyStart("cuds");
            for (Cud cud : cuds) {
                if (cud instanceof NewRecord created) {
                    write(out, created);
                } else if (cud instanceof RecordUpdate update) {
                    write(out, update);
                }
            }
            out.writeEndArray();
        }
    }

    private static void write(JsonGenerator out, NewRecord created) {
        out.writeStartObject();
        out.writeStringProperty("type", created.type());
        out.writeNumberProperty("id", created.id());
        out.writeName("fields");
        Json.writeFields(out, created.fields());
        if (!created.children().isEmpty()) {
            out.writeObjectPropertyStart("children");
            created.children().forEach((container, records) -> {
                out.writeArrayPropertyStart(container);
                records.forEach(each -> write(out, each));
                out.writeEndArray();
            });
            out.writeEndObject();
        }
        out.writeEndObject();
    }

    private static void write(JsonGenerator out, RecordUpdate update) {
        out.writeStartObject();
        update.type().ifPresent(type -> out.writeStringProperty("type", type));
        out.writeNumberProperty("id", update.id());
        out.writeBooleanProperty("update", true);
        out.writeName("fields");
        Json.writeFields(out, update.fields());
        out.writeEndObject();
    }

    // ---- read

    /**
     * Reads what {@link #encode} wrote.
     *
     * @throws IllegalArgumentException if it is anything else
     */
    static EventBody decode(byte[] bytes) {
        Map<String, @Nullable Object> body = Json.read(bytes);
        return new EventBody(
                time(Json.text(body, "time")),
                Json.number(body, "wlogOffset"),
                body.containsKey("argument") ? Optional.of(created(Json.objectOf(body, "argument"))) : Optional.empty(),
                Json.objects(body, "cuds").stream().map(EventBody::cud).toList(),
                Set.copyOf(numbers(body, "fromOutside")),
                body.containsKey("request")
                        ? Optional.of(new Request(Json.text(body, "request"), ids(numbers(body, "ids"))))
                        : Optional.empty());
    }

    private static Instant time(String text) {
        try {
            return Instant.parse(text);
        } catch (DateTimeException e) {
            throw new IllegalArgumentException("not a time: " + text, e);
        }
    }

    private static Cud cud(Map<String, ?> cud) {
        if (!Boolean.TRUE.equals(cud.get("update"))) {
            return created(cud);
        }
        return new RecordUpdate(
                cud.containsKey("type") ? Optional.of(Json.text(cud, "type")) : Optional.empty(),
                Json.number(cud, "id"),
                Fields.of(Json.objectOf(cud, "fields")));
    }

    private static NewRecord created(Map<String, ?> record) {
        Map<String, List<NewRecord>> children = new LinkedHashMap<>();
        if (record.containsKey("children")) {
            Map<String, ?> containers = Json.objectOf(record, "children");
            for (String container : containers.keySet()) {
                children.put(
                        container,
                        Json.objects(containers, container).stream()
                                .map(EventBody::created)
                                .toList());
            }
        }
        return new NewRecord(
                Json.text(record, "type"),
                Json.number(record, "id"),
                Fields.of(Json.objectOf(record, "fields")),
                children);
    }

    private static List<Long> numbers(Map<String, ?> object, String name) {
        List<Long> numbers = new ArrayList<>();
        if (object.get(name) instanceof List<?> list) {
            for (Object each : list) {
                if (!(each instanceof Long number)) {
                    throw new IllegalArgumentException("not a whole number: in " + name);
                }
                numbers.add(number);
            }
        }
        return numbers;
    }

    private static Map<Long, Long> ids(List<Long> pairs) {
        if (pairs.size() % 2 != 0) {
            throw new IllegalArgumentException("a raw id without its record id");
        }
        Map<Long, Long> ids = new LinkedHashMap<>();
        for (int i = 0; i < pairs.size(); i += 2) {
            ids.put(pairs.get(i), pairs.get(i + 1));
        }
        return ids;
    }
}
