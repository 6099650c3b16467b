package io.seriatim.eventlog.application;

/**
 * A place in the fields of a record that becomes the id of another record when the command is carried out.
 *
 * @param id raw id of a new record of the same command, or the id of a record that has one already
 */
public record Reference(long id) {

    public Reference {
        if (id < 1) {
            throw new IllegalArgumentException("an id is at least 1: id=" + id);
        }
    }

    public static Reference to(long id) {
        return new Reference(id);
    }
}
