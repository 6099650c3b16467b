package io.seriatim.eventlog.application;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Gives fields of a record other contents; those that are not named stay.
 *
 * @param type if given, must be the record's
 * @param id of the record; never a raw one
 */
public record RecordUpdate(Optional<String> type, long id, Fields fields) implements Cud {

    public RecordUpdate {
        if (id < 1) {
            throw new IllegalArgumentException("an id is at least 1: id=" + id);
        }
    }

    public static RecordUpdate of(long id) {
        return new RecordUpdate(Optional.empty(), id, Fields.empty());
    }

    /** The same with a field; see {@link Fields} for what it can be. */
    public RecordUpdate with(String field, @Nullable Object content) {
        return new RecordUpdate(type, id, fields.with(field, content));
    }
}
