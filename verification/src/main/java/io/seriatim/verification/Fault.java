package io.seriatim.verification;

/** What befalls one call to a {@link FaultyStore} or {@link FaultyEventLogStore}. */
public sealed interface Fault {

    /** The call goes through. */
    static Fault none() {
        return new None();
    }

    /** The call fails with {@code UNAVAILABLE} before it reaches the store. */
    static Fault unavailable() {
        return new Unavailable("the store is unavailable");
    }

    /** There is no space: as {@link #unavailable}, and the store works on when there is. */
    static Fault outOfSpace() {
        return new Unavailable("no space left");
    }

    /** A write is applied, and its answer is lost. */
    static Fault unknownApplied() {
        return new Unknown(Landing.NOW);
    }

    /** A write is lost, and so is its answer. */
    static Fault unknownLost() {
        return new Unknown(Landing.NEVER);
    }

    /** A write is on its way and not yet applied; {@link FaultyStore#land} applies it, or finds it too late. */
    static Fault unknownOnItsWay() {
        return new Unknown(Landing.LATER);
    }

    /** A sync fails after the write was applied: the outcome is unknown and the store has stopped for good. */
    static Fault syncFailedApplied() {
        return new SyncFailed(true);
    }

    /** A sync fails and the write is lost: the outcome is unknown and the store has stopped for good. */
    static Fault syncFailedLost() {
        return new SyncFailed(false);
    }

    /** The call waits until the test lets it go, and then goes through. */
    static Fault slow(Hold hold) {
        return new Slow(hold);
    }

    /** When a write of unknown outcome reaches the store. */
    enum Landing {
        NOW,
        LATER,
        NEVER
    }

    /** No fault. */
    record None() implements Fault {}

    /** The call fails before it reaches the store. */
    record Unavailable(String message) implements Fault {}

    /** For writes only. */
    record Unknown(Landing landing) implements Fault {}

    /** For writes only. */
    record SyncFailed(boolean applied) implements Fault {}

    /** The call waits until the test lets it go, and then goes through. */
    record Slow(Hold hold) implements Fault {}

    /** Whether only a write can meet this fault. */
    default boolean isForWritesOnly() {
        return this instanceof Unknown || this instanceof SyncFailed;
    }
}
