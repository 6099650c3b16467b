package io.seriatim.store;

/** What became of a write to a partition. */
public sealed interface LogOutcome {

    /** All rows are written. */
    record Applied() implements LogOutcome {
        public static final Applied APPLIED = new Applied();
    }

    /**
     * Nothing was written, for a row is there where none should be.
     *
     * @param present one of those rows
     */
    record Occupied(LogRow present) implements LogOutcome {}

    /**
     * Nothing was written, for the partition has another epoch.
     *
     * @param epoch the present one
     */
    record Fenced(long epoch) implements LogOutcome {}

    /** Applied or not, now or later; nobody can say before the epoch is raised. */
    record Unknown(Throwable cause) implements LogOutcome {}
}
