package io.seriatim.eventlog.application;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A record that a command creates, with those below it.
 *
 * @param type name of its type
 * @param id in a command a raw id from 1 to 65535, which stands for the record in its command alone, or from 65536 on the
 *     id that it has elsewhere; in an event the id
 * @param children by the name of their container, in order; only of an argument
 */
public record NewRecord(String type, long id, Fields fields, Map<String, List<NewRecord>> children) implements Cud {

    public NewRecord {
        if (id < 1) {
            throw new IllegalArgumentException("an id is at least 1: id=" + id);
        }
        Map<String, List<NewRecord>> copy = new LinkedHashMap<>();
        children.forEach((container, records) -> copy.put(Fields.wellFormed(container), List.copyOf(records)));
        children = Collections.unmodifiableMap(copy);
    }

    /** A record without fields and children. */
    public static NewRecord of(String type, long id) {
        return new NewRecord(type, id, Fields.empty(), Map.of());
    }

    /** The same with a field; see {@link Fields} for what it can be. */
    public NewRecord with(String field, @Nullable Object content) {
        return new NewRecord(type, id, fields.with(field, content), children);
    }

    /** The same with one more child in a container. */
    public NewRecord child(String container, NewRecord child) {
        Map<String, List<NewRecord>> more = new LinkedHashMap<>(children);
        List<NewRecord> records = new ArrayList<>(more.getOrDefault(container, List.of()));
        records.add(child);
        more.put(container, records);
        return new NewRecord(type, id, fields, more);
    }
}
