package io.seriatim;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The text of an entry: one line a fact, {@code name=fact}, the first of them the version of the format. No fact has a line
 * end in it, so nothing is escaped. For one thread.
 */
final class FactLines {

    private static final String FORMAT = "format";
    private static final String VERSION = "1";

    private final Map<String, String> facts = new LinkedHashMap<>();

    FactLines() {
        facts.put(FORMAT, VERSION);
    }

    /** @throws IllegalArgumentException if it is of another version, or a line is no fact */
    static FactLines parse(String text) {
        FactLines lines = new FactLines();
        for (String line : text.split("\n", -1)) {
            int equals = line.indexOf('=');
            if (equals < 0) {
                throw new IllegalArgumentException("a line without a fact: " + line);
            }
            lines.facts.put(line.substring(0, equals), line.substring(equals + 1));
        }
        if (!VERSION.equals(lines.facts.get(FORMAT))) {
            throw new IllegalArgumentException("a format of another version: format=" + lines.facts.get(FORMAT));
        }
        return lines;
    }

    FactLines with(String name, String fact) {
        facts.put(name, fact);
        return this;
    }

    FactLines with(String name, long fact) {
        return with(name, Long.toString(fact));
    }

    FactLines with(String name, Optional<String> fact) {
        fact.ifPresent(present -> facts.put(name, present));
        return this;
    }

    /** Each fact of a map, its name behind a prefix. */
    FactLines with(String prefix, Map<String, String> more) {
        more.forEach((name, fact) -> facts.put(prefix + name, fact));
        return this;
    }

    String text() {
        StringBuilder text = new StringBuilder();
        facts.forEach((name, fact) ->
                text.append(text.isEmpty() ? "" : "\n").append(name).append('=').append(fact));
        return text.toString();
    }

    String fact(String name) {
        return Objects.requireNonNull(facts.get(name), name);
    }

    long number(String name) {
        return Long.parseLong(fact(name));
    }

    Optional<String> find(String name) {
        return Optional.ofNullable(facts.get(name));
    }

    /** Every fact whose name has a prefix, without it. */
    Map<String, String> under(String prefix) {
        Map<String, String> under = new TreeMap<>();
        facts.forEach((name, fact) -> {
            if (name.startsWith(prefix)) {
                under.put(name.substring(prefix.length()), fact);
            }
        });
        return under;
    }
}
