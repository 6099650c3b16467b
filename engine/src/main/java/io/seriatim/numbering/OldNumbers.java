package io.seriatim.numbering;

import io.seriatim.Block;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Numbers that were used before a sequence was there, one a line, read by its format: what an import would do. Touches no
 * store. For one thread.
 */
public final class OldNumbers {

    /** As many as one import takes: each value is kept until the end. */
    public static final int MOST = 5_000_000;

    private final NumberFormat format;
    private final Map<Place, NavigableSet<Long>> values = new LinkedHashMap<>();
    private final List<Line> unread = new ArrayList<>();
    private final List<Line> doubles = new ArrayList<>();
    private long lines;
    private int count;

    private record Place(String period, Map<String, String> scope) {}

    /**
     * A line of the file.
     *
     * @param line counted from 1
     */
    public record Line(long line, String text) {}

    /**
     * The old numbers of one counter.
     *
     * @param runs the values in order, without a hole within a run; between two runs some are missing
     */
    public record OfCounter(String period, Map<String, String> scope, List<Block> runs) {

        public OfCounter {
            scope = Map.copyOf(scope);
            runs = List.copyOf(runs);
        }

        /** How many values there are. */
        public long count() {
            return runs.stream().mapToLong(Block::count).sum();
        }
    }

    /** None yet, of the sequence with this format. */
    public OldNumbers(NumberFormat format) {
        this.format = format;
    }

    /**
     * Takes the next line; an empty one is passed over.
     *
     * @throws IllegalArgumentException if there are more than {@link #MOST}
     */
    public void add(String text) {
        lines++;
        if (text.isBlank()) {
            return;
        }
        if (++count > MOST) {
            throw new IllegalArgumentException("at most " + MOST + " numbers are imported at once");
        }
        String number = text.strip();
        Optional<Reading> reading = format.read(number);
        if (reading.isEmpty() || reading.get().period().isEmpty()) {
            unread.add(new Line(lines, number));
            return;
        }
        Place place = new Place(reading.get().period().get(), reading.get().scope());
        if (!values.computeIfAbsent(place, unused -> new TreeSet<>())
                .add(reading.get().value())) {
            doubles.add(new Line(lines, number));
        }
    }

    /** Lines that the format has not printed. */
    public List<Line> unread() {
        return Collections.unmodifiableList(unread);
    }

    /** Lines whose number was there already. */
    public List<Line> doubles() {
        return Collections.unmodifiableList(doubles);
    }

    /** What there is of each counter, in order of period and scope. */
    public List<OfCounter> counters() {
        TreeMap<String, OfCounter> counters = new TreeMap<>();
        values.forEach((place, numbers) -> counters.put(
                place.period() + "/" + ScopeKey.of(new TreeMap<>(place.scope())),
                new OfCounter(place.period(), place.scope(), runs(numbers))));
        return List.copyOf(counters.values());
    }

    private List<Block> runs(NavigableSet<Long> numbers) {
        long increment = format.values().increment();
        List<Block> runs = new ArrayList<>();
        for (long value : increment > 0 ? numbers : numbers.descendingSet()) {
            Block last = runs.isEmpty() ? null : runs.get(runs.size() - 1);
            if (last != null && value - last.last() == increment) {
                runs.set(runs.size() - 1, new Block(last.first(), increment, last.count() + 1));
            } else {
                runs.add(new Block(value, increment, 1));
            }
        }
        return runs;
    }
}
