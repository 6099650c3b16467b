package io.seriatim.postgresql;

import java.util.Collections;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import org.postgresql.PGConnection;

/** What is known of the connections that callers put on, as long as these live. Safe for use by many threads. */
final class CallersConnections {

    /** More sequences than this on one connection, and the table is asked about the others each time. */
    private static final int MOST_HINTS = 10_000;

    /**
     * One connection of the driver, whichever wrappers it is seen through.
     *
     * @param process the server's process that serves it, by number and start
     */
    record Known(String process, Map<Long, Long> hints) {

        /** The greatest version that may have been put to a sequence: 0 if none was, the greatest of all if nobody knows. */
        long mayHavePut(long id) {
            Long hint = hints.get(id);
            if (hint != null) {
                return hint;
            }
            return hints.size() < MOST_HINTS ? 0 : Long.MAX_VALUE;
        }

        void hasPut(long id, long version) {
            if (hints.containsKey(id) || hints.size() < MOST_HINTS) {
                hints.merge(id, version, Math::max);
            }
        }
    }

    /** The driver's own objects, which are the same one as long as the connection is open. */
    private final Map<PGConnection, Known> all = Collections.synchronizedMap(new WeakHashMap<>());

    boolean isKnown(PGConnection driver) {
        return all.containsKey(driver);
    }

    void add(PGConnection driver, String process) {
        all.putIfAbsent(driver, new Known(process, new ConcurrentHashMap<>()));
    }

    /** One that was added. */
    Known get(PGConnection driver) {
        return Objects.requireNonNull(all.get(driver));
    }

    /** The server's processes that serve connections on which a sequence was certainly never put to. */
    Set<String> withoutPutTo(long id) {
        Set<String> processes = new HashSet<>();
        synchronized (all) {
            all.values().stream()
                    .filter(each -> each.mayHavePut(id) == 0)
                    .forEach(each -> processes.add(each.process()));
        }
        return processes;
    }
}
