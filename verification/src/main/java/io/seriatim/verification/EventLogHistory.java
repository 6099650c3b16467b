package io.seriatim.verification;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.seriatim.store.LogEvent;
import io.seriatim.store.PartitionStore;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What drivers of an event log were told, to be held against the log. Uses nothing of the sequencer. */
final class EventLogHistory {

    /*
     * A number of a log is spent only when its event is in it, so what is in the log must be whole: offsets, WLog offsets
     * of each workspace and its record ids rise by one from their first on. That says at once that none came twice and
     * none was skipped, also over kills, groups that were given up and appends whose answer was lost.
     */

    private static final int PAGE = 500;

    /** What a driver printed of an event, or what the log has of it. */
    private record Event(String workspace, String wlogOffset, String ids, String hash) {}

    private final Map<Long, Event> acknowledged = new TreeMap<>();
    private final List<String> violations = new ArrayList<>();
    private final Map<String, Long> nextWlogOffsets = new HashMap<>();
    private final Map<String, Long> nextRecordIds = new HashMap<>();
    private int opened;
    private long mostReplayed;
    private long events;
    private long unacknowledged;

    /**
     * What came of a loop.
     *
     * @param events in the log
     * @param acknowledged of them
     * @param mostReplayed the most events that a start read
     */
    record Result(int starts, long events, int acknowledged, long mostReplayed, List<String> violations) {
        Result {
            violations = List.copyOf(violations);
        }
    }

    static String hash(byte[] body) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(body));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    /** By the start before; one that is killed before it has stored anything leaves that to the next one, and its own. */
    private long lastReplayed;

    void violation(String what) {
        violations.add(what);
    }

    /** A line that a driver printed; in their order. */
    void add(String line) {
        String[] words = line.split(" ");
        if (words[0].equals(EventLogDriver.OPENED) && words.length == 3) {
            addStart(Long.parseLong(words[1]), Long.parseLong(words[2]));
        } else if (words[0].equals(EventLogDriver.EVENT) && words.length == 6) {
            Event earlier =
                    acknowledged.put(Long.parseLong(words[1]), new Event(words[2], words[3], words[4], words[5]));
            if (earlier != null) {
                violation("offset " + words[1] + " was acknowledged twice");
            }
        } else {
            violation("a process said what nobody understands: " + line);
        }
    }

    private void addStart(long nextOffset, long replayed) {
        opened++;
        mostReplayed = Math.max(mostReplayed, replayed);
        long most = lastReplayed + EventLogDriver.MOST_REPLAYED;
        lastReplayed = replayed;
        if (replayed > most) {
            violation("a start replayed " + replayed + " events, of " + (nextOffset - 1));
        }
    }

    // ---- the end

    Result check(PartitionStore log, int kills) {
        List<LogEvent> page = log.events(1, PAGE);
        while (!page.isEmpty()) {
            page.forEach(this::look);
            page = log.events(page.get(page.size() - 1).offset() + 1, PAGE);
        }
        acknowledged.keySet().stream()
                .filter(offset -> offset > events)
                .forEach(offset -> violation("offset " + offset + " was acknowledged, and is not in the log"));
        if (unacknowledged > (long) kills * EventLogDriver.MOST_OF_A_GROUP) {
            violation(unacknowledged + " events are in the log of which nobody was told");
        }
        return new Result(opened, events, acknowledged.size(), mostReplayed, violations);
    }

    private void look(LogEvent event) {
        events++;
        if (event.offset() != events) {
            violation("offset " + event.offset() + " stands where " + events + " should be");
            events = event.offset();
        }
        String[] words = new String(event.body(), UTF_8).split(" ");
        Event its = new Event(words[0], words[1], words[2], hash(event.body()));
        Event told = acknowledged.get(event.offset());
        if (told == null) {
            unacknowledged++;
        } else if (!told.equals(its)) {
            violation("offset " + event.offset() + " was acknowledged as " + told + ", and is " + its);
        }
        List<Long> ids = its.ids().equals("-")
                ? List.of()
                : Arrays.stream(its.ids().split(",")).map(Long::valueOf).toList();
        long wlogOffset = Long.parseLong(its.wlogOffset());
        requireNext(event, "WLog offset", nextWlogOffsets, its.workspace(), 1, wlogOffset);
        ids.forEach(id ->
                requireNext(event, "record id", nextRecordIds, its.workspace(), EventLogDriver.FIRST_RECORD_ID, id));
        compareHeader(event, its, wlogOffset, ids);
    }

    private void requireNext(
            LogEvent event, String what, Map<String, Long> nexts, String workspace, long first, long number) {
        long expected = nexts.getOrDefault(workspace, first);
        if (number != expected) {
            violation("the event at offset " + event.offset() + " of workspace " + workspace + " has " + what + " "
                    + number + ", where " + expected + " should come");
        }
        nexts.put(workspace, Math.max(expected, number + 1));
    }

    private void compareHeader(LogEvent event, Event its, long wlogOffset, List<Long> ids) {
        Map<Integer, Long> expected = new TreeMap<>(Map.of(0, wlogOffset));
        ids.forEach(id -> expected.put(EventLogDriver.RECORD_ID, id));
        Map<Integer, Long> said = new TreeMap<>();
        for (int i = 0; i < event.header().sequences().length; i++) {
            said.put(event.header().sequences()[i], event.header().values()[i]);
        }
        if (!said.equals(expected) || event.header().workspace() != Long.parseLong(its.workspace())) {
            violation("the header at offset " + event.offset() + " says " + event.header() + ", the body " + its);
        }
    }
}
