package io.seriatim;

import java.time.Instant;
import java.util.Collections;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * One change of a definition: who made it, when and why. It became durable in the same write as the change.
 *
 * @param index counts the changes under a name from 1, over drop and creating anew
 * @param at the wall clock at the write; for display only, it may go back from one entry to the next
 * @param who as {@link Author} has it; empty where nobody has signed
 * @param generation of the sequence after the change
 * @param was by name what the change has ended: options; {@code lastValue}, or {@code next} where a value comes next that
 *     was not out yet; {@code holder}, a node and the block that it had
 * @param now by name what took its place; a definition also has {@code name}
 */
public record AuditEntry(
        long index,
        Instant at,
        String who,
        Action action,
        Optional<String> why,
        long generation,
        Map<String, String> was,
        Map<String, String> now) {

    /** What was done. */
    public enum Action {
        DEFINE,
        ALTER,
        RESTART,
        DROP,
        /** A node was declared gone. */
        GONE,
        /** A number was voided. */
        VOID,
        /** A period was closed. */
        CLOSE,
        /** Values that were used elsewhere before were entered. */
        IMPORT,
        /** The store was restored from a copy, and a counter moved behind what may have been handed out since. */
        RESTORE;

        /** As HTTP and the store have it: {@code define}. */
        public String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** More than any fact of ours has: a format's alphabet is the longest, or its template. */
    private static final int MAX_FACT = 3_000;

    private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9._-]*");

    public AuditEntry {
        if (index < 1 || generation < 1) {
            throw new IllegalArgumentException(
                    "index and generation start at 1: index=" + index + " generation=" + generation);
        }
        Author unused = new Author(who, why);
        was = checked(was);
        now = checked(now);
    }

    private static Map<String, String> checked(Map<String, String> facts) {
        facts.forEach((name, text) -> {
            if (!NAME.matcher(name).matches()) {
                throw new IllegalArgumentException("the name of a fact must be [A-Za-z][A-Za-z0-9._-]*: name=" + name);
            }
            Author.requirePlain(name, text, MAX_FACT);
        });
        return Collections.unmodifiableMap(new TreeMap<>(facts));
    }
}
