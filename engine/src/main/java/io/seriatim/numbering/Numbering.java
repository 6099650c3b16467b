package io.seriatim.numbering;

import io.seriatim.AuditEntry;
import io.seriatim.Author;
import io.seriatim.BadFormatException;
import io.seriatim.Contract;
import io.seriatim.ErrorCode;
import io.seriatim.NumberRefusedException;
import io.seriatim.Sequence;
import io.seriatim.SequenceConflictException;
import io.seriatim.SequenceDefinition;
import io.seriatim.SequenceNotFoundException;
import io.seriatim.SequenceState;
import io.seriatim.Sequences;
import io.seriatim.Warning;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

/**
 * Sequences whose values are printed as numbers.
 *
 * <p>Safe for use by many threads. Closing the {@link Sequences} closes everything.
 */
public final class Numbering {

    /*
     * A format is part of its sequence's definition, as options that the rest of the engine keeps without knowing what
     * they mean. The counter of a number is named by scope values and period key, and nothing else decides which one it
     * is: a reset is a new row, so no clock can set a counter back.
     *
     * A change of a format must not print a text that an earlier one has printed for another number. Which formats
     * there were stands in the audit trail, an entry a change, in the write that made the change. So a change is checked
     * against the trail as it was read, and goes in only over the definition of the trail's last entry.
     */

    private static final int TRAIL_PAGE = 1_000;

    /** Formats kept in memory; a few kilobytes each. */
    private static final int MOST_COMPILED = 10_000;

    private final Sequences sequences;
    /** Formats by the definition that they are of, so that each is checked and compiled once. */
    private final ConcurrentHashMap<String, Compiled> compiled = new ConcurrentHashMap<>();

    private record Compiled(SequenceDefinition definition, NumberFormat format) {}

    private Numbering(Sequences sequences) {
        this.sequences = sequences;
    }

    public static Numbering on(Sequences sequences) {
        return new Numbering(sequences);
    }

    /**
     * Returns the sequence of this name, creating it if there is none; durable on return.
     *
     * @param definition of the values; with a format the contract defaults to ordered, start to 1 and min to 0
     * @throws BadFormatException if format or values break a rule, naming option and place; final
     * @throws SequenceConflictException ALREADY_EXISTS if there is one with another definition, NAME_CASE if there is
     *     one whose name differs only by case; final
     */
    public NumberSequence define(String name, SequenceDefinition definition, FormatDefinition format) {
        return define(name, definition, format, Author.of(""));
    }

    /** The same, signed: the audit trail says by whom it was defined, and why. */
    public NumberSequence define(String name, SequenceDefinition definition, FormatDefinition format, Author author) {
        Sequence sequence = sequences.define(name, resolved(definition, format), author);
        return new NumberSequence(this, sequences, sequence);
    }

    /**
     * The format that a sequence has when it is defined so, with all of its options decided; needs no store.
     *
     * @throws BadFormatException as {@link #define(String, SequenceDefinition, FormatDefinition)}
     */
    public static NumberFormat formatOf(SequenceDefinition definition, FormatDefinition format) {
        return formatIn(resolved(definition, format)).orElseThrow();
    }

    private static SequenceDefinition resolved(SequenceDefinition definition, FormatDefinition format) {
        requireGood(definition, format);
        return endingWhereTheTextEnds(
                FormatOptions.put(definition, Map.of(), format).resolved());
    }

    /** Before the values are resolved, so that an error is told in the words of the format. */
    private static void requireGood(SequenceDefinition definition, FormatDefinition format) {
        Map<String, String> options = new TreeMap<>(Map.of(
                "start",
                "1",
                "min",
                "0",
                "max",
                Long.toString(Long.MAX_VALUE),
                "increment",
                "1",
                "contract",
                "ordered"));
        options.putAll(definition.options());
        NumberFormat unused = NumberFormat.of(format, values(options), contract(options));
    }

    /** Checks the format of a resolved definition, and lets max be no greater than what can be printed. */
    private static SequenceDefinition endingWhereTheTextEnds(SequenceDefinition resolved) {
        NumberFormat format = formatIn(resolved).orElseThrow();
        return format.greatest() < format.values().max() ? resolved.max(format.greatest()) : resolved;
    }

    /** Returns the sequence of this name, if there is one and it has a format. */
    public Optional<NumberSequence> find(String name) {
        return sequences
                .find(name)
                .filter(sequence -> format(sequence).isPresent())
                .map(sequence -> new NumberSequence(this, sequences, sequence));
    }

    /**
     * Returns the sequence of this name.
     *
     * @throws SequenceNotFoundException if there is none; final
     * @throws IllegalStateException if it has no format
     */
    public NumberSequence get(String name) {
        NumberSequence found = new NumberSequence(this, sequences, sequences.get(name));
        NumberFormat unused = found.format();
        return found;
    }

    /**
     * Returns what {@link Sequences#warnings()} does, without the counters whose period is over in the format's zone: few
     * values are left of yesterday's numbers, and nobody wants them.
     */
    public List<Warning> warnings() {
        Instant now = sequences.now();
        return sequences.warnings(warning -> !isOver(warning, now));
    }

    private boolean isOver(Warning warning, Instant now) {
        Compiled known = compiled.get(warning.sequence());
        if (known == null || warning.period().isEmpty()) {
            return false;
        }
        NumberFormat format = known.format();
        return format.period(warning.period())
                .filter(period ->
                        !period.lastDay().isBefore(format.periodAt(now).firstDay()))
                .isEmpty();
    }

    // ---- formats

    /** The format of a sequence as this process knows it; nothing if it has none. */
    Optional<NumberFormat> format(Sequence sequence) {
        SequenceDefinition definition = sequence.definition();
        Compiled known = compiled.get(sequence.name());
        if (known != null && known.definition().equals(definition)) {
            return Optional.of(known.format());
        }
        Optional<NumberFormat> format = formatIn(definition);
        if (compiled.size() >= MOST_COMPILED) {
            compiled.clear(); // to compile one again takes less than to find out which to keep
        }
        format.ifPresent(present -> compiled.put(sequence.name(), new Compiled(definition, present)));
        return format;
    }

    private static Optional<NumberFormat> formatIn(SequenceDefinition resolved) {
        Map<String, String> options = resolved.options();
        return FormatOptions.in(options).map(format -> NumberFormat.of(format, values(options), contract(options)));
    }

    private static ValueRange values(Map<String, String> options) {
        return new ValueRange(
                number(options, "start"), number(options, "min"), number(options, "max"), number(options, "increment"));
    }

    private static long number(Map<String, String> options, String name) {
        return Long.parseLong(options.get(name));
    }

    private static Contract contract(Map<String, String> options) {
        String text = options.get("contract");
        return Stream.of(Contract.values())
                .filter(contract -> contract.text().equals(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no such contract: contract=" + text));
    }

    // ---- changes

    /**
     * Changes format and options of a sequence; counters go on where they stand. All or nothing, durable on return.
     *
     * @throws BadFormatException also WOULD_REPEAT if a text could come again for another number, with the text; final
     */
    SequenceState alter(Sequence sequence, SequenceDefinition changes, Optional<FormatDefinition> format) {
        if (isGapless(sequence) && endsEarlier(sequence, changes, format)) {
            sequence.requireNoReservations();
        }
        for (; ; ) {
            Trail trail = trail(sequence.name());
            AtomicBoolean overtaken = new AtomicBoolean();
            try {
                return sequence.alter(now -> {
                    // What is older than the trail is not what the store holds: the write is refused, and this asked
                    // again.
                    if (now.generation() > trail.generation()) {
                        overtaken.set(true);
                        throw new NumberRefusedException(ErrorCode.BUSY, "the definition was changed meanwhile");
                    }
                    return checked(now, changes, format, trail);
                });
            } catch (NumberRefusedException e) {
                if (!overtaken.get()) {
                    throw e;
                }
            }
        }
    }

    private static boolean isGapless(Sequence sequence) {
        return contract(sequence.definition().options()) == Contract.GAPLESS;
    }

    /** Whether a value that is reserved could lie beyond what can be printed after a change. */
    private boolean endsEarlier(Sequence sequence, SequenceDefinition changes, Optional<FormatDefinition> format) {
        SequenceDefinition now = sequence.definition();
        SequenceDefinition wanted = format.map(wish -> FormatOptions.put(changes, now.options(), wish))
                .orElse(changes);
        return formatIn(now.resolvedWith(wanted))
                .filter(after ->
                        after.greatest() >= format(sequence).orElseThrow().greatest())
                .isEmpty();
    }

    private static SequenceDefinition checked(
            SequenceState now, SequenceDefinition changes, Optional<FormatDefinition> format, Trail trail) {
        Map<String, String> present = now.definition().options();
        SequenceDefinition wanted =
                format.map(wish -> FormatOptions.put(changes, present, wish)).orElse(changes);
        NumberFormat before = formatIn(now.definition()).orElseThrow();
        boolean endedByText =
                before.greatest() == before.values().max() && !changes.options().containsKey("max");
        SequenceDefinition widened = endedByText ? wanted.with("max", null) : wanted;
        SequenceDefinition resolved = now.definition().resolvedWith(widened);
        if (turned(now.definition(), resolved)) {
            throw BadFormatException.of(
                    ErrorCode.BAD_STEP, "increment", "numbers that were printed would come again the other way");
        }
        NumberFormat after = formatIn(resolved)
                .orElseThrow(() -> BadFormatException.of(
                        ErrorCode.BAD_OPTION, "format", "a format cannot be taken off a sequence that has one"));
        after.checkFollows(trail.formats());
        return after.greatest() < after.values().max() ? widened.max(after.greatest()) : widened;
    }

    private static boolean turned(SequenceDefinition before, SequenceDefinition after) {
        return number(before.options(), "increment") > 0 != number(after.options(), "increment") > 0;
    }

    /**
     * The formats that a sequence has had since it was created.
     *
     * @param generation of the last change
     */
    private record Trail(long generation, NavigableMap<Long, NumberFormat> byGeneration) {

        List<NumberFormat> formats() {
            return List.copyOf(byGeneration.values());
        }
    }

    /** Every format that a sequence has had since it was created. */
    FormatHistory formats(Sequence sequence) {
        return new FormatHistory(trail(sequence.name()).byGeneration());
    }

    /** The format that printed in a generation. */
    NumberFormat formatAt(Sequence sequence, long generation) {
        if (generation == sequence.generation()) {
            return format(sequence).orElseThrow();
        }
        return trail(sequence.name()).byGeneration().floorEntry(generation).getValue();
    }

    private Trail trail(String name) {
        NavigableMap<Long, NumberFormat> byGeneration = new TreeMap<>();
        Map<String, String> options = new TreeMap<>();
        long generation = 0;
        long index = 0;
        List<AuditEntry> page = sequences.audit(name, index, TRAIL_PAGE);
        while (!page.isEmpty()) {
            for (AuditEntry entry : page) {
                if (entry.action() == AuditEntry.Action.DEFINE) {
                    byGeneration.clear();
                    options.clear();
                }
                options.keySet().removeAll(entry.was().keySet());
                options.putAll(entry.now());
                if (FormatOptions.changes(entry)) {
                    FormatOptions.in(options)
                            .map(format -> NumberFormat.of(format, values(options), contract(options)))
                            .ifPresent(format -> byGeneration.put(entry.generation(), format));
                }
                generation = entry.generation();
                index = entry.index();
            }
            page = sequences.audit(name, index, TRAIL_PAGE);
        }
        return new Trail(generation, byGeneration);
    }
}
