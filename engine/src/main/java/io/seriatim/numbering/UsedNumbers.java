package io.seriatim.numbering;

import io.seriatim.BadFormatException;
import io.seriatim.ErrorCode;
import io.seriatim.Sequence;
import io.seriatim.Sequences;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/**
 * Numbers that were used outside, as somebody has listed them: for each line the name of a sequence, a blank, and a number
 * as it was printed, or the value where the sequence has no format. {@code NAME -} says that none was used. Empty lines and
 * those that begin with {@code #} do not count. For one thread.
 */
public final class UsedNumbers {

    /** More than this are refused: they are kept in memory. */
    private static final int MOST = 5_000_000;

    private static final String NONE = "-";

    /**
     * Names one counter of one sequence.
     *
     * @param scope scope values in their normal form, empty for none
     * @param period period key, empty for none
     */
    public record Counter(String sequence, String scope, String period) {}

    private final Sequences sequences;
    private final Numbering numbering;
    private final Map<Counter, List<Long>> values = new HashMap<>();
    private final Set<String> named = new HashSet<>();
    /** What a line needs to be read, by the name of its sequence. */
    private final Map<String, Optional<FormatHistory>> histories = new HashMap<>();

    private int count;

    public UsedNumbers(Sequences sequences) {
        this.sequences = sequences;
        this.numbering = Numbering.on(sequences);
    }

    /**
     * Adds one line.
     *
     * @param number of the line, for errors
     * @throws BadFormatException if it is no such line, if there is no such sequence, or if no format of it has printed
     *     the number; final
     */
    public void add(String line, long number) {
        String text = line.strip();
        if (text.isEmpty() || text.startsWith("#")) {
            return;
        }
        int blank = text.indexOf(' ');
        if (blank < 0) {
            throw bad(number, "needs the name of a sequence, a blank, and a number or -");
        }
        String name = text.substring(0, blank);
        String used = text.substring(blank + 1).strip();
        Optional<FormatHistory> history = histories.computeIfAbsent(name, each -> historyOf(each, number));
        named.add(name);
        if (used.equals(NONE)) {
            return;
        }
        if (++count > MOST) {
            throw bad(number, "is one too many: at most " + MOST + " numbers can be given");
        }
        Map.Entry<Counter, Long> read = history.isPresent()
                ? read(name, history.get(), used, number)
                : Map.entry(new Counter(name, "", ""), value(used, number));
        values.computeIfAbsent(read.getKey(), each -> new ArrayList<>()).add(read.getValue());
    }

    private Optional<FormatHistory> historyOf(String name, long number) {
        Sequence sequence = sequences
                .find(name)
                .orElseThrow(() -> bad(number, "names sequence " + name + ", which is not in this store"));
        return numbering.format(sequence).isPresent() ? Optional.of(numbering.formats(sequence)) : Optional.empty();
    }

    private static Map.Entry<Counter, Long> read(String name, FormatHistory history, String text, long number) {
        for (Reading reading : history.readings(text)) {
            String scope = ScopeKey.of(new TreeMap<>(reading.scope()));
            return Map.entry(new Counter(name, scope, reading.period().orElseThrow()), reading.value());
        }
        throw bad(number, "has a number that sequence " + name + " has not printed, or that does not show its period");
    }

    private static long value(String text, long number) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw bad(number, "has no whole number of 64 bits for a sequence without a format");
        }
    }

    private static BadFormatException bad(long number, String what) {
        return BadFormatException.of(ErrorCode.BAD_OPTION, "used", "line " + number + " " + what);
    }

    /** Whether anything was said of a sequence. */
    public boolean names(String sequence) {
        return named.contains(sequence);
    }

    /** The values of a counter that were used, in the order given. */
    public List<Long> of(Counter counter) {
        return values.getOrDefault(counter, List.of());
    }

    /** Shows the counters of which numbers were used, and those, in no order. */
    public void forEach(BiConsumer<Counter, List<Long>> visitor) {
        values.forEach(visitor);
    }
}
