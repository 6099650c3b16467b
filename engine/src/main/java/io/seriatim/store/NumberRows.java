package io.seriatim.store;

/** Numbers of workspaces, to be read while they are written; row by row, without an object for each. */
public interface NumberRows {

    /** No rows: who writes these moves the checkpoint alone. */
    static NumberRows none() {
        return new NoNumbers();
    }

    /** How many rows there are; a workspace may have more than one. */
    int size();

    long workspace(int row);

    /** The kind that the workspace is bound to, at least 1. */
    int kind(int row);

    /** How many numbers the row has, at least 1. */
    int count(int row);

    /** The id of the sequence at this place of the row. */
    int sequence(int row, int place);

    /** Its last number, at least 1. */
    long value(int row, int place);
}
