package io.seriatim.store;

import java.util.Arrays;

/**
 * What is kept of an application.
 *
 * @param id at least 1; stays with the name for ever
 * @param name unique
 * @param revision starts at 1 and rises by one with each write
 * @param mark of the write that made this row
 * @param body its definition, for whoever wrote it; not copied
 */
@SuppressWarnings("ArrayRecordComponent") // not copied, and compared by what they hold
public record ApplicationRow(int id, String name, long revision, WriterMark mark, byte[] body) implements LogRow {

    public ApplicationRow {
        Text.requireWellFormed("name", name);
        if (id < 1 || revision < 1) {
            throw new IllegalArgumentException("id and revision start at 1: id=" + id + " revision=" + revision);
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ApplicationRow that
                && id == that.id
                && name.equals(that.name)
                && revision == that.revision
                && mark.equals(that.mark)
                && Arrays.equals(body, that.body);
    }

    @Override
    public int hashCode() {
        return name.hashCode() * 31 + Long.hashCode(revision);
    }

    @Override
    public String toString() {
        return "ApplicationRow[id=" + id + ", name=" + name + ", revision=" + revision + ", mark=" + mark + ", body of "
                + body.length + " bytes]";
    }
}
