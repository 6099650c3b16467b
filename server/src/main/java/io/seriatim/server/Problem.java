package io.seriatim.server;

import static io.seriatim.store.StoreException.Kind.UNAVAILABLE;

import io.seriatim.BadDefinitionException;
import io.seriatim.BadFormatException;
import io.seriatim.ErrorCode;
import io.seriatim.ReservationException;
import io.seriatim.SequenceException;
import io.seriatim.SequenceExhaustedException;
import io.seriatim.eventlog.EventLogException;
import io.seriatim.eventlog.application.Appended;
import io.seriatim.eventlog.application.ApplicationException;
import io.seriatim.eventlog.application.RepairPendingException;
import io.seriatim.store.StoreException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/**
 * What went wrong, in the form of RFC 9457.
 *
 * @param code one of docs/http.md's table
 * @param detail a sentence of ours; never the text of an exception that is not ours
 * @param retryAfterSeconds when the same call may be tried again; 0: trying again does not help
 * @param facts further fields by name: a text or a {@link Long}, a list of these, or names with these
 */
record Problem(int status, String code, String detail, int retryAfterSeconds, Map<String, Object> facts) {

    static final String CONTENT_TYPE = "application/problem+json";

    /** The field that says why the whole store has stopped; a problem without it may pass by itself. */
    static final String STOPPED = "stopped";

    private static final int SOON_SECONDS = 1;
    /** A store that has stopped does not come back by itself. */
    private static final int LATER_SECONDS = 10;

    private static final String PENDING =
            "the event is in the log, and what follows from it comes later; do not send the command again";

    private static final String UNKNOWN =
            "whether it took effect is not known; an event may be sent again under the same Idempotency-Key only";

    private static final String NOT_READ =
            "nothing happened: the log is being read, or what follows from an event is not written yet";

    private static final String WENT_BACK =
            "the store holds an older state than this process has seen; the sequence has stopped";

    static Problem badRequest(String detail) {
        return refused(400, ErrorCode.BAD_REQUEST, detail);
    }

    /** A request with one field, option or parameter that is wrong. */
    static Problem badOption(ErrorCode code, String option, String detail) {
        return new Problem(400, code.name(), detail, 0, Map.of("option", option));
    }

    static Problem reasonRequired() {
        return new Problem(
                400,
                "REASON_REQUIRED",
                "a reason is required, which is kept with the change",
                0,
                Map.of("option", "reason"));
    }

    static Problem unauthorized() {
        return new Problem(401, "UNAUTHORIZED", "a known token is required: Authorization: Bearer TOKEN", 0, Map.of());
    }

    static Problem forbidden(String detail) {
        return new Problem(403, "FORBIDDEN", detail, 0, Map.of());
    }

    static Problem notFound(String detail) {
        return refused(404, ErrorCode.NOT_FOUND, detail);
    }

    /** No number has such a text. */
    static Problem numberUnknown() {
        return refused(404, ErrorCode.NUMBER_UNKNOWN, "no such number was handed out");
    }

    /** A request that breaks a rule of HTTP rather than of ours. */
    static Problem badHttp(int status, String detail) {
        return refused(status, ErrorCode.BAD_REQUEST, detail);
    }

    static Problem busy(String detail) {
        return new Problem(503, ErrorCode.BUSY.name(), detail, SOON_SECONDS, Map.of());
    }

    static Problem unavailable(String detail) {
        return new Problem(503, ErrorCode.STORE_UNAVAILABLE.name(), detail, LATER_SECONDS, Map.of());
    }

    /** Of a whole server: a log of it is being read. */
    static Problem recovering() {
        return new Problem(503, ErrorCode.RECOVERING.name(), "an event log is being read", SOON_SECONDS, Map.of());
    }

    static Problem tooManyFollow() {
        return new Problem(
                429, ErrorCode.TOO_MANY.name(), "no more callers can follow events", LATER_SECONDS, Map.of());
    }

    static Problem corrupt(String detail) {
        return new Problem(503, ErrorCode.STORE_CORRUPT.name(), detail, LATER_SECONDS, Map.of());
    }

    static Problem outcomeUnknown(String detail) {
        return new Problem(503, ErrorCode.OUTCOME_UNKNOWN.name(), detail, SOON_SECONDS, Map.of());
    }

    /** The store is a copy of which nobody has said what was handed out since. */
    static Problem restorePending(String detail) {
        return new Problem(503, ErrorCode.RESTORE_PENDING.name(), detail, LATER_SECONDS, Map.of(STOPPED, "restored"));
    }

    /** Everything in the store is in another one. */
    static Problem movedAway(String detail) {
        return new Problem(503, ErrorCode.MOVED_AWAY.name(), detail, LATER_SECONDS, Map.of(STOPPED, "moved"));
    }

    /** Something has the name already. */
    static Problem alreadyExists(String detail) {
        return refused(409, ErrorCode.ALREADY_EXISTS, detail);
    }

    /** There was no answer in time. */
    static Problem tooLate() {
        return outcomeUnknown(UNKNOWN);
    }

    static Problem internal() {
        return new Problem(
                500,
                "INTERNAL",
                "the server failed unexpectedly; its log says more. The call may or may not have taken effect",
                0,
                Map.of());
    }

    /** What a call on an event log ran into. */
    static Problem of(EventLogException e) {
        ErrorCode code = e.code();
        return switch (code) {
            case REPAIR_PENDING -> new Problem(500, code.name(), PENDING, 0, facts(e));
            case OUTCOME_UNKNOWN -> outcomeUnknown(UNKNOWN);
            case RECOVERING -> new Problem(503, code.name(), NOT_READ, SOON_SECONDS, Map.of());
            case STORE_UNAVAILABLE, STORE_CORRUPT ->
                kindOf(e).isPresent()
                        ? ofStore(code, kindOf(e))
                        : new Problem(503, code.name(), String.valueOf(e.getMessage()), LATER_SECONDS, Map.of());
            default -> of(code, String.valueOf(e.getMessage()), facts(e));
        };
    }

    /** What a store said where nothing stood between. */
    static Problem of(StoreException e) {
        return ofStore(
                e.kind() == StoreException.Kind.CORRUPT ? ErrorCode.STORE_CORRUPT : ErrorCode.STORE_UNAVAILABLE,
                Optional.of(e.kind()));
    }

    static Problem of(SequenceException e) {
        ErrorCode code = e.code();
        String said = String.valueOf(e.getMessage());
        return switch (code) {
            case STORE_UNAVAILABLE, STORE_CORRUPT, RESTORE_PENDING, MOVED_AWAY ->
                isOfRows(e) ? ofRows(said) : ofStore(code, kindOf(e));
            case STORE_WENT_BACK -> new Problem(503, code.name(), WENT_BACK, LATER_SECONDS, Map.of());
            default -> of(code, said, facts(e));
        };
    }

    /** The status of each code, and whether trying again helps. */
    private static Problem of(ErrorCode code, String said, Map<String, Object> facts) {
        return switch (code) {
            case BAD_REQUEST,
                    BAD_OPTION,
                    OUT_OF_RANGE,
                    BAD_NAME,
                    UNKNOWN_TYPE,
                    BAD_RAW_ID,
                    UNCLOSED_FIELD,
                    UNEXPECTED_CLOSE,
                    EMPTY_FIELD,
                    UNKNOWN_FIELD,
                    BAD_SPEC,
                    BAD_DATE_PATTERN,
                    CONTROL_CHAR,
                    NO_COUNTER,
                    DUPLICATE_COUNTER,
                    UNKNOWN_SCOPE,
                    PERIOD_NOT_RENDERED,
                    SCOPE_NOT_RENDERED,
                    AMBIGUOUS,
                    CHECK_ALPHABET,
                    CHECK_POSITION,
                    TOO_LONG,
                    CHARSET,
                    BAD_ZONE,
                    BAD_RESET,
                    BAD_START,
                    BAD_STEP,
                    BAD_MAX,
                    SCOPE_MISSING,
                    SCOPE_UNKNOWN,
                    SCOPE_VALUE_INVALID,
                    DATE_NO_TIME,
                    DATE_OUT_OF_RANGE,
                    REASON_REQUIRED -> new Problem(400, code.name(), said, 0, facts);
            case NOT_FOUND, NUMBER_UNKNOWN -> refused(404, code, said);
            case ALREADY_EXISTS,
                    NAME_CASE,
                    EXHAUSTED,
                    BEHIND,
                    WOULD_REPEAT,
                    KEY_IN_FLIGHT,
                    PERIOD_CLOSED,
                    PERIOD_BACKWARDS,
                    PERIOD_AHEAD,
                    RESERVATION_GONE,
                    RESERVATIONS_OPEN,
                    ALREADY_VOID,
                    NO_CURRENT_VALUE,
                    WRONG_KIND,
                    FENCED -> new Problem(409, code.name(), said, 0, facts);
            case KEY_REUSED -> refused(422, code, said);
            case TOO_MANY -> new Problem(429, code.name(), said, LATER_SECONDS, Map.of());
            case REPAIR_PENDING -> new Problem(500, code.name(), said, 0, facts);
            case BUSY, RETRY_TRANSACTION, OUTCOME_UNKNOWN, RECOVERING, BACKLOG, CLOSED ->
                new Problem(503, code.name(), said, SOON_SECONDS, facts);
            case QUARANTINED, STORE_UNAVAILABLE, STORE_CORRUPT, STORE_WENT_BACK, RESTORE_PENDING, MOVED_AWAY ->
                new Problem(503, code.name(), said, LATER_SECONDS, facts);
        };
    }

    /** Whether only the rows of one sequence are not understood: to the store they were sound. */
    static boolean isOfRows(SequenceException e) {
        return e.code() == ErrorCode.STORE_CORRUPT && kindOf(e).isEmpty();
    }

    private static Problem ofRows(String said) {
        return corrupt(said + "; an operator has to repair it, other sequences go on");
    }

    /** The same with the name of the sequence that it is about. */
    Problem about(String sequence) {
        return with("sequence", sequence);
    }

    /** The same with a further fact. */
    Problem with(String name, Object fact) {
        Map<String, Object> more = new LinkedHashMap<>(facts);
        more.put(name, fact);
        return new Problem(status, code, detail, retryAfterSeconds, more);
    }

    /** The same in other words. */
    Problem saying(String sentence) {
        return new Problem(status, code, sentence, retryAfterSeconds, facts);
    }

    /** What a store's trouble is to a caller: why it has stopped, in words of ours, and never the system's own. */
    private static Problem ofStore(ErrorCode code, Optional<StoreException.Kind> kind) {
        String until = "; the store has stopped until ";
        return switch (kind.orElse(UNAVAILABLE)) {
            case UNAVAILABLE, BUSY, CONFLICT, IN_USE -> unavailable("the store cannot be reached for now");
            case FAILED ->
                stopped(
                        code,
                        "write-failed",
                        "a write, or the sync behind it, has failed" + until + "the server is started again");
            case TAKEN_AWAY ->
                stopped(
                        code,
                        "taken-away",
                        "the data folder was taken away or a lock file in it deleted" + until
                                + "the server is started again");
            case RESTORED ->
                stopped(
                        ErrorCode.RESTORE_PENDING,
                        "restored",
                        "the store was restored from a copy, and nobody has said what was handed out since");
            case MOVED -> stopped(ErrorCode.MOVED_AWAY, "moved", "the store was moved to another place for good");
            case CORRUPT ->
                stopped(code, "damaged", "a record of the store is damaged" + until + "an operator repairs it");
        };
    }

    private static Problem stopped(ErrorCode code, String why, String detail) {
        return new Problem(503, code.name(), detail, LATER_SECONDS, Map.of(STOPPED, why));
    }

    private static Optional<StoreException.Kind> kindOf(Throwable e) {
        for (@Nullable Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof StoreException store) {
                return Optional.of(store.kind());
            }
        }
        return Optional.empty();
    }

    private static Problem refused(int status, ErrorCode code, String detail) {
        return new Problem(status, code.name(), detail, 0, Map.of());
    }

    private static Map<String, Object> facts(EventLogException e) {
        if (e instanceof ApplicationException bad) {
            return Map.of("option", bad.option());
        }
        if (e instanceof RepairPendingException pending) {
            return facts(pending.appended());
        }
        return e.code() == ErrorCode.EXHAUSTED ? Map.of("limit", "max") : Map.of();
    }

    /** Where an event is, and its ids: what an answer would have said. */
    private static Map<String, Object> facts(Appended appended) {
        Map<String, Object> ids = new LinkedHashMap<>();
        appended.ids().forEach((raw, id) -> ids.put(Long.toString(raw), id));
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("partition", (long) appended.partition());
        facts.put("plogOffset", appended.plogOffset());
        facts.put("wlogOffset", appended.wlogOffset());
        facts.put("ids", ids);
        return facts;
    }

    private static Map<String, Object> facts(SequenceException e) {
        if (e instanceof BadDefinitionException bad) {
            return Map.of("option", bad.option());
        }
        if (e instanceof ReservationException gone && gone.state().isPresent()) {
            return Map.of("state", gone.state().get().text());
        }
        if (e instanceof BadFormatException bad) {
            Map<String, Object> facts = new LinkedHashMap<>();
            facts.put("option", bad.option());
            bad.position().ifPresent(position -> facts.put("position", (long) position));
            bad.number().ifPresent(number -> facts.put("number", number));
            return facts;
        }
        if (e instanceof SequenceExhaustedException exhausted) {
            Map<String, Object> facts = new LinkedHashMap<>();
            facts.put("limit", exhausted.limit());
            facts.put("limitValue", exhausted.limitValue());
            return facts;
        }
        return Map.of();
    }

    Reply reply() {
        return reply(Map.of());
    }

    Reply reply(Map<String, String> headers) {
        Map<String, String> all = new LinkedHashMap<>(headers);
        if (retryAfterSeconds > 0) {
            all.put("Retry-After", Integer.toString(retryAfterSeconds));
        }
        return Reply.problem(status, code, all, json());
    }

    private String json() {
        return Json.object(out -> {
            out.writeStringProperty("type", "urn:seriatim:problem:" + code);
            out.writeStringProperty("title", title());
            out.writeNumberProperty("status", status);
            out.writeStringProperty("code", code);
            out.writeStringProperty("detail", detail);
            facts.forEach((name, fact) -> {
                out.writeName(name);
                write(out, fact);
            });
            if (retryAfterSeconds > 0) {
                out.writeNumberProperty("retryAfter", retryAfterSeconds);
            }
        });
    }

    /** A fact: a text, a number, a list of these or names with these. */
    static void write(JsonGenerator out, Object fact) {
        if (fact instanceof Long number) {
            out.writeNumber(number);
        } else if (fact instanceof List<?> list) {
            out.writeStartArray();
            list.forEach(each -> write(out, each));
            out.writeEndArray();
        } else if (fact instanceof Map<?, ?> map) {
            out.writeStartObject();
            map.forEach((name, each) -> {
                out.writeName(name.toString());
                write(out, each);
            });
            out.writeEndObject();
        } else {
            out.writeString(fact.toString());
        }
    }

    /** The code as words: the same for all problems of a code, as RFC 9457 wants it. */
    private String title() {
        String words = code.toLowerCase(Locale.ROOT).replace('_', ' ');
        return Character.toUpperCase(words.charAt(0)) + words.substring(1);
    }
}
