package io.seriatim.numbering;

import io.seriatim.Author;
import io.seriatim.Block;
import io.seriatim.Draw;
import io.seriatim.ErrorCode;
import io.seriatim.NumberRefusedException;
import io.seriatim.RequestKey;
import io.seriatim.RequestNote;
import io.seriatim.Restart;
import io.seriatim.Sequence;
import io.seriatim.SequenceDefinition;
import io.seriatim.SequenceNotFoundException;
import io.seriatim.SequenceState;
import io.seriatim.Sequences;
import io.seriatim.StoreUnavailableException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Hands out the numbers of one sequence. A handle: {@link Numbering} gives as many of it as one likes.
 *
 * <p>Safe for use by many threads. Every method throws {@link SequenceNotFoundException} once the sequence was dropped,
 * and {@link StoreUnavailableException} when the store does not do its part in time.
 */
public final class NumberSequence {

    private final Numbering numbering;
    private final Sequences sequences;
    private final Sequence sequence;

    NumberSequence(Numbering numbering, Sequences sequences, Sequence sequence) {
        this.numbering = numbering;
        this.sequences = sequences;
        this.sequence = sequence;
    }

    public String name() {
        return sequence.name();
    }

    /** The sequence that the numbers are of: to look at, drop and sign. Its own values are none of any number. */
    public Sequence sequence() {
        return sequence;
    }

    /** Returns a handle whose changes are signed, as {@link Sequence#by}. */
    public NumberSequence by(Author author) {
        return new NumberSequence(numbering, sequences, sequence.by(author));
    }

    /** The format as it is now. */
    public NumberFormat format() {
        return numbering
                .format(sequence)
                .orElseThrow(() -> new IllegalStateException("the sequence has no format: name=" + name()));
    }

    /** The next number of this moment, of a format without scopes; durable on return as the contract says. */
    public PrintedNumber next() {
        return next(Ask.NOW);
    }

    /**
     * Returns the next number of a period and scope. What the ask decides, decides once: period, printed date.
     *
     * @throws NumberRefusedException if the ask does not fit the format; nothing was consumed; final
     * @throws io.seriatim.SequenceExhaustedException at the end of the counter; nothing was consumed; final
     */
    public PrintedNumber next(Ask ask) {
        return next(ask, 1).get(0);
    }

    /**
     * Takes {@code count} numbers of one period and scope, in order, all or nothing.
     *
     * @param count at least 1
     */
    public List<PrintedNumber> next(Ask ask, int count) {
        Occasion occasion = occasion(ask);
        return printed(occasion, counter(occasion).draw(count), count);
    }

    /**
     * Takes numbers as {@link #next(Ask, int)} does, once for a key: a call with the same key, count, scope and business
     * date returns the same numbers for 24 hours, whatever midnights, crashes and restarts there are between them.
     *
     * @param count at least 1
     * @throws io.seriatim.RequestKeyException if the key belongs to another request, or cannot be served now
     * @throws StoreUnavailableException also OUTCOME_UNKNOWN: the same call with the same key settles it
     */
    public List<PrintedNumber> next(Ask ask, int count, RequestKey key) {
        KeptAsk asked = KeptAsk.of(ask, sequences.now(), sequence.generation());
        Occasion occasion = format().occasion(asked.ask());
        RequestNote note = new RequestNote(asked.request(occasion), asked.text());
        Draw draw = counter(occasion).draw(count, key, note);
        KeptAsk first =
                sequence.noteOf(key).map(text -> KeptAsk.parse(text, ask)).orElse(asked);
        NumberFormat then = numbering.formatAt(sequence, first.generation());
        return printed(then.occasion(first.ask()), draw, count);
    }

    private static List<PrintedNumber> printed(Occasion occasion, Draw draw, int count) {
        List<PrintedNumber> numbers = new ArrayList<>(count);
        for (Block block : draw.blocks()) {
            for (long index = 0; index < block.count(); index++) {
                long value = block.valueAt(index);
                numbers.add(new PrintedNumber(value, occasion.number(value), occasion.period()));
            }
        }
        return numbers;
    }

    /** The number that comes next if nobody else takes one before; it is not reserved and nothing is written. */
    public PrintedNumber peek(Ask ask) {
        Occasion occasion = occasion(ask);
        long value = counter(occasion).peek();
        return new PrintedNumber(value, occasion.number(value), occasion.period());
    }

    private Occasion occasion(Ask ask) {
        return format().occasion(ask.at().isPresent() || ask.date().isPresent() ? ask : ask.at(sequences.now()));
    }

    private Sequence counter(Occasion occasion) {
        return sequence.counter(occasion.scopeKey(), occasion.period().key());
    }

    /**
     * Lets one counter go on elsewhere.
     *
     * @param period the key of the period; empty where the counter never starts again
     * @throws io.seriatim.SequenceConflictException BEHIND if numbers could come again and the restart does not allow
     *     it; final
     */
    public SequenceState restart(String period, Map<String, String> scope, Restart restart) {
        NumberFormat format = format();
        Period known = format.period(period)
                .orElseThrow(() -> new NumberRefusedException(
                        ErrorCode.DATE_OUT_OF_RANGE, "there is no such period: period=" + period));
        Instant within = period.isEmpty() ? sequences.now() : format.startOf(known);
        Occasion occasion = format.at(within, scope);
        return counter(occasion).restart(restart);
    }

    /** Changes options of the values; see {@link #alter(SequenceDefinition, FormatDefinition)}. */
    public SequenceState alter(SequenceDefinition changes) {
        return numbering.alter(sequence, changes, Optional.empty());
    }

    /**
     * Changes format and options; counters go on where they stand. All or nothing, durable on return.
     *
     * @throws io.seriatim.BadFormatException also WOULD_REPEAT if a text could come again for another number, with the
     *     text; final
     */
    public SequenceState alter(SequenceDefinition changes, FormatDefinition format) {
        return numbering.alter(sequence, changes, Optional.of(format));
    }
}
