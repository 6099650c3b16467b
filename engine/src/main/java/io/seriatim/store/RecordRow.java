package io.seriatim.store;

import java.util.Arrays;

/**
 * A record as the last event left it.
 *
 * @param type its type's id
 * @param plogOffset of the event that wrote it
 * @param wlogOffset of the same event
 * @param body what it holds, for whoever wrote it; not copied
 */
@SuppressWarnings("ArrayRecordComponent") // not copied, and compared by what they hold
public record RecordRow(long workspace, long id, int type, long plogOffset, long wlogOffset, byte[] body)
        implements LogRow {

    @Override
    public boolean equals(Object other) {
        return other instanceof RecordRow that
                && workspace == that.workspace
                && id == that.id
                && type == that.type
                && plogOffset == that.plogOffset
                && wlogOffset == that.wlogOffset
                && Arrays.equals(body, that.body);
    }

    @Override
    public int hashCode() {
        return Long.hashCode(workspace) * 31 + Long.hashCode(id);
    }

    @Override
    public String toString() {
        return "RecordRow[workspace=" + workspace + ", id=" + id + ", type=" + type + ", plogOffset=" + plogOffset
                + ", wlogOffset=" + wlogOffset + ", body of " + body.length + " bytes]";
    }
}
