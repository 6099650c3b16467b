package io.seriatim;

import io.seriatim.store.WriterMark;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Who may have values of a sequence in memory, as the counter row lists it: one entry a node, in the order of
 * their latest block.
 *
 * @param recall names a change that waits until everybody has given back; while it is there nobody takes values
 */
record Holders(Optional<String> recall, List<Entry> entries) {

    /*
     * A node is one engine that has a store open. Its entry is written with the block that it takes, replaced by
     * that of its next one, and removed when it gives its values back. So who is not listed holds nothing; who is
     * listed may hold something, be it only because it was killed.
     *
     *     4fd1a20c99b1e7d3 1001+1x1000; 0b7e… 2001+1x1000
     *
     * In front there may be a recall:
     *
     *     recall 0b7e….17; 4fd1a20c99b1e7d3 1001+1x1000
     *
     * A text is understood only if writing what was read gives the same text again; all else is damage.
     *
     * Killed nodes stay listed until somebody who knows says that they are gone. There are at most MOST entries;
     * beyond that the oldest become one, OTHERS, of which nobody can say who they were.
     */

    private static final int MOST = 50;
    private static final String OTHERS = "others";
    private static final String RECALL = "recall";
    private static final String SEPARATOR = "; ";

    /** @param block the block last taken, for people to read */
    record Entry(String node, String block) {

        Entry {
            requireWord(node);
            requireWord(block);
        }
    }

    Holders {
        recall.ifPresent(Holders::requireWord);
        entries = List.copyOf(entries);
    }

    private static void requireWord(String word) {
        if (word.isEmpty() || word.indexOf(' ') >= 0 || word.indexOf(';') >= 0) {
            throw new IllegalArgumentException("must be a word without spaces and semicolons: word=" + word);
        }
    }

    static String nodeOf(long writer) {
        return HexFormat.of().toHexDigits(writer);
    }

    static Holders none() {
        return new Holders(Optional.empty(), List.of());
    }

    /**
     * Who is listed in a counter row.
     *
     * @throws StoreUnavailableException STORE_CORRUPT if the text is not understood
     */
    static Holders parse(String text) {
        return StrictText.read(
                text,
                Holders::read,
                Holders::text,
                "the stored list of nodes that may have values in memory is not understood: openBlocks=" + text);
    }

    private static Holders read(String text) {
        Optional<String> recall = Optional.empty();
        List<Entry> entries = new ArrayList<>();
        if (!text.isEmpty()) {
            for (String entry : text.split(SEPARATOR)) {
                int space = entry.indexOf(' ');
                String name = entry.substring(0, space);
                String rest = entry.substring(space + 1);
                if (name.equals(RECALL)) {
                    recall = Optional.of(rest);
                } else {
                    entries.add(new Entry(name, rest));
                }
            }
        }
        return new Holders(recall, entries);
    }

    String text() {
        return Stream.concat(
                        recall.stream().map(id -> RECALL + " " + id),
                        entries.stream().map(entry -> entry.node() + " " + entry.block()))
                .collect(Collectors.joining(SEPARATOR));
    }

    /** With a recall, named by the write that makes it. */
    Holders recalledBy(WriterMark mark) {
        return new Holders(Optional.of(nodeOf(mark.writer()) + "." + mark.write()), entries);
    }

    boolean isRecalledBy(String node) {
        return recall.filter(id -> id.startsWith(node + ".")).isPresent();
    }

    Holders withoutRecall() {
        return new Holders(Optional.empty(), entries);
    }

    /** With the block that a node has just taken. */
    Holders with(String node, Block block) {
        String shown = block.first() + (block.increment() > 0 ? "+" : "") + block.increment() + "x" + block.count();
        List<Entry> changed = new ArrayList<>(without(node).entries);
        if (changed.size() >= MOST) {
            changed.subList(0, 2).clear();
            changed.add(0, new Entry(OTHERS, "some"));
        }
        changed.add(new Entry(node, shown));
        return new Holders(recall, changed);
    }

    Holders without(String node) {
        return new Holders(
                recall,
                entries.stream().filter(entry -> !entry.node().equals(node)).toList());
    }

    /** The entry of one node alone: on a store that only one process can have open all others are of the dead. */
    Holders only(String node) {
        return new Holders(
                Optional.empty(),
                entries.stream().filter(entry -> entry.node().equals(node)).toList());
    }

    boolean lists(String node) {
        return entries.stream().anyMatch(entry -> entry.node().equals(node));
    }

    /** Whether nobody is listed. */
    boolean isEmpty() {
        return entries.isEmpty();
    }
}
