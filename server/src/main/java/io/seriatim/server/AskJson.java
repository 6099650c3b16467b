package io.seriatim.server;

import io.seriatim.ErrorCode;
import io.seriatim.numbering.Ask;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;

/** For what a number is wanted: {@code at} or {@code date}, and {@code scope}; of sequences with a format. */
final class AskJson {

    static final String AT = "at";
    static final String DATE = "date";
    static final String SCOPE = "scope";

    /** Before the name of a scope in a query. */
    static final String SCOPE_IN_QUERY = SCOPE + ".";

    /** RFC 3339; java.time reads more than that. */
    private static final Pattern INSTANT = Pattern.compile(
            "[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}" + "(?:\\.[0-9]{1,9})?(?:Z|[+-][0-9]{2}:[0-9]{2})");

    private static final Pattern DAY = Pattern.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}");

    private AskJson() {}

    /** What a body asks for; nothing if it says none of it. */
    static Optional<Ask> in(Fields fields) {
        if (!fields.has(AT) && !fields.has(DATE) && !fields.has(SCOPE)) {
            return Optional.empty();
        }
        // Which characters a value may have is the scope's to say, and its error.
        Map<String, String> scope = fields.object(SCOPE).map(Fields::anyTexts).orElse(Map.of());
        return Optional.of(ask(fields.text(AT), fields.text(DATE), scope));
    }

    /** What a query asks for; nothing if it says none of it. */
    static Optional<Ask> in(Call call) {
        Query query = Query.of(call, List.of(AT, DATE), SCOPE_IN_QUERY);
        return query.isEmpty()
                ? Optional.empty()
                : Optional.of(ask(query.text(AT), query.text(DATE), query.behind(SCOPE_IN_QUERY)));
    }

    private static Ask ask(Optional<String> at, Optional<String> date, Map<String, String> scope) {
        if (at.isPresent() && date.isPresent()) {
            throw refused(DATE, "at and date exclude each other");
        }
        return new Ask(
                at.map(text -> read(
                        AT, text, INSTANT, each -> OffsetDateTime.parse(each).toInstant(), "2026-07-09T10:11:12Z")),
                date.map(text -> read(DATE, text, DAY, LocalDate::parse, "2026-07-09")),
                scope);
    }

    private static <T> T read(String name, String text, Pattern form, Function<String, T> read, String example) {
        if (form.matcher(text).matches()) {
            try {
                return read.apply(text);
            } catch (DateTimeException e) { // such as February 30
                throw noDate(name, text, example);
            }
        }
        throw noDate(name, text, example);
    }

    private static Refusal noDate(String name, String text, String example) {
        return refused(name, name + " must be of the form " + example + ": " + name + "=" + Integers.shown(text));
    }

    /** Refuses what only a format has a use for. */
    static Refusal needsFormat(Ask ask) {
        String field = ask.at().isPresent() ? AT : ask.date().isPresent() ? DATE : SCOPE;
        return needsFormat(field);
    }

    static Refusal needsFormat(String field) {
        return refused(field, field + " is for sequences with a format");
    }

    private static Refusal refused(String field, String detail) {
        return new Refusal(Problem.badOption(ErrorCode.BAD_REQUEST, field, detail));
    }
}
