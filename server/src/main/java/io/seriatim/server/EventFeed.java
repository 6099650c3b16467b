package io.seriatim.server;

import io.seriatim.ErrorCode;
import io.seriatim.eventlog.EventLogException;
import io.seriatim.eventlog.application.Event;
import io.seriatim.eventlog.application.EventPage;
import io.seriatim.eventlog.application.Partition;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.ToLongFunction;

/** Events from an offset on, each once and in order, as text of server-sent events. For one thread at a time. */
final class EventFeed {

    static final String CONTENT_TYPE = "text/event-stream";

    private static final byte[] NOTHING = new byte[0];

    /** Each is as long as the body of a call at most, so a page is two megabytes at worst. */
    private static final int PAGE = 32;

    /** Whether a call for events wants them as they happen. */
    static boolean isWanted(Call call) {
        return call.method().equals("GET")
                && Accept.preferred(call, List.of(Reply.JSON, CONTENT_TYPE)).equals(CONTENT_TYPE);
    }

    /** Reads events from an offset on. */
    interface Pages {
        EventPage from(long offset, int limit);
    }

    private final Partition partition;
    private final Pages pages;
    private final ToLongFunction<Event> offset;
    private long next;

    /** @param offset by which the events are counted */
    EventFeed(Partition partition, Pages pages, ToLongFunction<Event> offset, long from) {
        this.partition = partition;
        this.pages = pages;
        this.offset = offset;
        this.next = from;
    }

    /**
     * The next events; nothing while there are none, or while what follows from the log is made anew: whoever listens is told
     * when that is over, or when the partition is closed. Reads the store.
     *
     * @throws RuntimeException if it cannot go on: who wants more comes again, and is told why
     */
    byte[] next() {
        try {
            return page();
        } catch (EventLogException e) {
            if (e.code() != ErrorCode.RECOVERING) {
                throw e;
            }
            return NOTHING;
        }
    }

    /** The same for a caller who has heard nothing yet, and is told of everything. */
    byte[] first() {
        return page();
    }

    private byte[] page() {
        EventPage page = pages.from(next, PAGE);
        StringBuilder text = new StringBuilder();
        for (Event event : page.events()) {
            text.append("id: ").append(offset.applyAsLong(event)).append("\ndata: ");
            text.append(Json.object(out -> LogJson.write(out, event))).append("\n\n");
        }
        next = page.next();
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    /** Calls a task whenever there may be more, until what is returned is run. The task must be short. */
    Runnable listen(Runnable task) {
        return partition.listen(task);
    }
}
