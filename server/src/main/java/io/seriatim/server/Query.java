package io.seriatim.server;

import io.seriatim.ErrorCode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The parameters of a request's query, each given at most once; every other one is refused with BAD_REQUEST. */
final class Query {

    private final Map<String, String> values;

    private Query(Map<String, String> values) {
        this.values = values;
    }

    static Query of(Call call, String... known) {
        return of(call, List.of(known), "");
    }

    /** @param prefix of further parameters, each with a name behind it; empty: there are none */
    static Query of(Call call, List<String> known, String prefix) {
        if (call.query().isEmpty()) {
            return new Query(Map.of());
        }
        Map<String, String> values = new HashMap<>();
        for (String pair : call.query().split("&")) {
            int equals = pair.indexOf('=');
            String name = decode(equals < 0 ? pair : pair.substring(0, equals));
            String value = equals < 0 ? "" : decode(pair.substring(equals + 1));
            if (!known.contains(name) && (prefix.isEmpty() || !name.startsWith(prefix))) {
                throw refusal(name, "there is no parameter " + Integers.shown(name) + " in this call");
            }
            if (value.indexOf(0) >= 0 && known.contains(name)) {
                throw refusal(name, name + " must not hold the character U+0000"); // no store keeps it
            }
            if (values.put(name, value) != null) {
                throw refusal(name, "parameter " + name + " is given twice");
            }
        }
        return new Query(values);
    }

    private static String decode(String encoded) {
        return Utf8.percentDecode(encoded.replace('+', ' '))
                .orElseThrow(() -> new Refusal(Problem.badRequest("the query is not percent-encoded UTF-8")));
    }

    boolean isEmpty() {
        return values.isEmpty();
    }

    /** What is given with a prefix, by the names behind it. */
    Map<String, String> behind(String prefix) {
        Map<String, String> found = new HashMap<>();
        values.forEach((name, value) -> {
            if (name.startsWith(prefix)) {
                found.put(name.substring(prefix.length()), value);
            }
        });
        return found;
    }

    Optional<String> text(String name) {
        return Optional.ofNullable(values.get(name));
    }

    /** An integer within limits, or what it is when it is not given. */
    long integer(String name, long otherwise, long least, long greatest) {
        return text(name)
                .map(text -> Integers.parse(name, text, least, greatest))
                .orElse(otherwise);
    }

    /** Whether {@code name=true} is given. */
    boolean flag(String name) {
        return text(name)
                .map(text -> switch (text) {
                    case "true" -> true;
                    case "false" -> false;
                    default -> throw refusal(name, name + " must be true or false");
                })
                .orElse(false);
    }

    private static Refusal refusal(String name, String detail) {
        return new Refusal(Problem.badOption(ErrorCode.BAD_REQUEST, Integers.shown(name), detail));
    }
}
