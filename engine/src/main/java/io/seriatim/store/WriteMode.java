package io.seriatim.store;

/** What a write does where a row is already. */
public enum WriteMode {
    /** Refuses the whole write. */
    INSERT_IF_ABSENT,
    /** Writes over it. */
    PUT
}
