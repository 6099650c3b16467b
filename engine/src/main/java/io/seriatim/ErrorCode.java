package io.seriatim;

import io.seriatim.store.StoreException;

/**
 * What went wrong, in one word that Java, HTTP, command line and metrics share. The names are the codes of
 * the HTTP interface.
 */
public enum ErrorCode {
    /** A request that could not be read: final. */
    BAD_REQUEST(false),
    /** An option of a definition breaks a rule; the option is named: final. */
    BAD_OPTION(false),
    /** A number beyond 64 bits, beyond its limits, or more numbers than a round holds: final. */
    OUT_OF_RANGE(false),
    /** A name that is not {@code [A-Za-z0-9][A-Za-z0-9_.-]{0,127}}: final. */
    BAD_NAME(false),
    /** A field of a template without its closing brace: final. */
    UNCLOSED_FIELD(false),
    /** A closing brace outside a field; as a character it is doubled: final. */
    UNEXPECTED_CLOSE(false),
    /** A field without a name: final. */
    EMPTY_FIELD(false),
    /** A field that there is not: final. */
    UNKNOWN_FIELD(false),
    /** What follows a field's colon is nothing that the field knows: final. */
    BAD_SPEC(false),
    /** A date pattern outside its closed set of letters: final. */
    BAD_DATE_PATTERN(false),
    /** A character in a template that prints nothing: final. */
    CONTROL_CHAR(false),
    /** A template without its counter: every number would be the same: final. */
    NO_COUNTER(false),
    /** A template with two counters: final. */
    DUPLICATE_COUNTER(false),
    /** A template that prints a scope which is not declared: final. */
    UNKNOWN_SCOPE(false),
    /** The counter starts again in a period that the text does not show: numbers would repeat: final. */
    PERIOD_NOT_RENDERED(false),
    /** A scope has counters of its own and is not in the text: numbers would repeat: final. */
    SCOPE_NOT_RENDERED(false),
    /** Two different numbers could have the same text, because fields run into each other: final. */
    AMBIGUOUS(false),
    /** A check over characters that its method has no value for: final. */
    CHECK_ALPHABET(false),
    /** A check where its method does not allow it, or a second one: final. */
    CHECK_POSITION(false),
    /** A number could be longer than allowed: final. */
    TOO_LONG(false),
    /** A number could have a character that is not allowed: final. */
    CHARSET(false),
    /** No such time zone: final. */
    BAD_ZONE(false),
    /** No such reset, or a fiscal year without a first day: final. */
    BAD_RESET(false),
    /** A first value that cannot be printed: final. */
    BAD_START(false),
    /** An increment of 0: final. */
    BAD_STEP(false),
    /** A max that leaves no value: final. */
    BAD_MAX(false),
    /** A change after which a text, or the id of a record, could come again: final. */
    WOULD_REPEAT(false),
    /** A call without a value for a scope: final. */
    SCOPE_MISSING(false),
    /** A call with a scope that is not declared: final. */
    SCOPE_UNKNOWN(false),
    /** A scope value with the wrong length or characters: final. */
    SCOPE_VALUE_INVALID(false),
    /** A business date for a template that prints the time of day: final. */
    DATE_NO_TIME(false),
    /** A date whose year the template cannot print: final. */
    DATE_OUT_OF_RANGE(false),
    /** A command with a type that the application, or the kind of the workspace, does not have: final. */
    UNKNOWN_TYPE(false),
    /** A raw id that is unknown, is there twice, or is none: final. */
    BAD_RAW_ID(false),
    /** No such sequence: final. */
    NOT_FOUND(false),
    /** A sequence of this name exists with another definition: final. */
    ALREADY_EXISTS(false),
    /** A sequence exists whose name differs only by the case of letters: final. */
    NAME_CASE(false),
    /** The limit is reached and the sequence does not cycle; nothing was consumed: final. */
    EXHAUSTED(false),
    /** A restart that would hand out numbers again, without the explicit leave to do so: final. */
    BEHIND(false),
    /** The period is closed: final. */
    PERIOD_CLOSED(false),
    /** Numbers of a later period are out already: final. */
    PERIOD_BACKWARDS(false),
    /** The period lies too far ahead of the server's clock: final. */
    PERIOD_AHEAD(false),
    /** A reservation that was confirmed, was cancelled or has expired: final, and the state is told. */
    RESERVATION_GONE(false),
    /** A change that must wait until open reservations have ended: may be retried then. */
    RESERVATIONS_OPEN(true),
    /** No such number was ever handed out: final. */
    NUMBER_UNKNOWN(false),
    /** The number was voided before: final. */
    ALREADY_VOID(false),
    /** Something that needs a reason, without one: final. */
    REASON_REQUIRED(false),
    /** The key of a request was used for another request: final. */
    KEY_REUSED(false),
    /** The same request is still being answered; nothing was handed out: may be retried. */
    KEY_IN_FLIGHT(true),
    /** No further key can be kept; nothing was handed out: may be retried when older ones have expired. */
    TOO_MANY(true),
    /** The store, or another change of the same sequence, took too long; nothing was handed out: may be retried. */
    BUSY(true),
    /** Another transaction was first: the caller's own is undone; may be retried by running all of it again. */
    RETRY_TRANSACTION(true),
    /** The session has drawn no value of this sequence yet: final. */
    NO_CURRENT_VALUE(false),
    /** The store could not be reached or has stopped; nothing was handed out: may be retried. */
    STORE_UNAVAILABLE(true),
    /** A record of the store is damaged; the store has stopped until an operator repairs it. */
    STORE_CORRUPT(true),
    /** The store holds an older state than this process has seen; the sequence has stopped. */
    STORE_WENT_BACK(true),
    /** The store is a copy, and nobody has said what was handed out since it was made: it serves when that is said. */
    RESTORE_PENDING(true),
    /** Everything in the store was moved to another one, and only that one serves. */
    MOVED_AWAY(true),
    /** The log of a partition is being read; nothing happened: may be retried. */
    RECOVERING(true),
    /** Too many numbers of a partition are not stored yet; nothing happened: may be retried. */
    BACKLOG(true),
    /** Another owner has the partition: final for this one. */
    FENCED(false),
    /** The workspace is of another kind: final. */
    WRONG_KIND(false),
    /** The event is in the log, and what follows from it comes later: final, the command must not be sent again. */
    REPAIR_PENDING(false),
    /** What is stored is not what the log says; the partition waits for an operator. */
    QUARANTINED(true),
    /** What was asked is closed: final. */
    CLOSED(false),
    /** A change was sent, and whether it was applied is not known: read the state, then decide. */
    OUTCOME_UNKNOWN(true);

    private final boolean mayBeRetried;

    ErrorCode(boolean mayBeRetried) {
        this.mayBeRetried = mayBeRetried;
    }

    /** What a store says, in the words of the engine. */
    public static ErrorCode of(StoreException.Kind kind) {
        return switch (kind) {
            case BUSY -> BUSY;
            case CONFLICT -> RETRY_TRANSACTION;
            case UNAVAILABLE, IN_USE, FAILED, TAKEN_AWAY -> STORE_UNAVAILABLE;
            case RESTORED -> RESTORE_PENDING;
            case MOVED -> MOVED_AWAY;
            case CORRUPT -> STORE_CORRUPT;
        };
    }

    /** Whether the same call may succeed later without anything else being changed. */
    public boolean mayBeRetried() {
        return mayBeRetried;
    }
}
