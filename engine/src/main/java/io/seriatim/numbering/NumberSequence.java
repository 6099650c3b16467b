package io.seriatim.numbering;

import io.seriatim.Author;
import io.seriatim.Block;
import io.seriatim.CounterState;
import io.seriatim.Draw;
import io.seriatim.ErrorCode;
import io.seriatim.LedgerEntry;
import io.seriatim.NumberRefusedException;
import io.seriatim.RequestKey;
import io.seriatim.RequestNote;
import io.seriatim.Reservation;
import io.seriatim.ReservationException;
import io.seriatim.Restart;
import io.seriatim.Sequence;
import io.seriatim.SequenceDefinition;
import io.seriatim.SequenceNotFoundException;
import io.seriatim.SequenceState;
import io.seriatim.Sequences;
import io.seriatim.StoreUnavailableException;
import io.seriatim.store.Transaction;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Function;

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
        return byPresentFormat(present -> {
            Occasion occasion = present.occasion(ask, sequences.now());
            return printed(occasion, counterToTakeFrom(present, occasion).draw(count), count);
        });
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
        return byPresentFormat(present -> {
            KeptAsk asked = KeptAsk.of(ask, sequences.now(), present.generation());
            Occasion occasion = present.format().occasion(asked.ask());
            RequestNote note = new RequestNote(asked.request(occasion), asked.text());
            Draw draw = counterToTakeFrom(present, occasion, key).draw(count, key, note);
            KeptAsk first =
                    sequence.noteOf(key).map(text -> KeptAsk.parse(text, ask)).orElse(asked);
            return printed(occasion(first), draw, count);
        });
    }

    /**
     * Takes the next number of a period and scope with a transaction of the user, under contract gapless: the number and the
     * rows that use it become durable together, or not at all. {@link Sequence#next(Transaction, Duration)} says what holds;
     * under {@code monotonicPeriod} a new period has begun even if the transaction is aborted.
     *
     * @param wait at most, for another transaction that holds the counter; positive
     * @throws NumberRefusedException also if the ask does not fit the format; nothing was taken; final
     */
    public PrintedNumber next(Transaction transaction, Ask ask, Duration wait) {
        return byPresentFormat(present -> {
            Occasion occasion = present.occasion(ask, sequences.now());
            long value = counterToTakeFrom(present, occasion).next(transaction, wait);
            return new PrintedNumber(value, occasion.number(value), occasion.period());
        });
    }

    /** The format, and the generation of the definition that has it: the ledger says which one has printed a number. */
    private record Present(NumberFormat format, long generation) {

        Occasion occasion(Ask ask, Instant now) {
            return format.occasion(ask.at().isPresent() || ask.date().isPresent() ? ask : ask.at(now));
        }
    }

    private Present present() {
        for (; ; ) {
            long generation = sequence.generation();
            NumberFormat format = format();
            if (sequence.generation() == generation) {
                return new Present(format, generation);
            }
        }
    }

    /** Asks again where the counter has turned out to know a newer definition than this. */
    private <T> T byPresentFormat(Function<Present, T> call) {
        for (; ; ) {
            Present present = present();
            try {
                return call.apply(present);
            } catch (NumberRefusedException e) {
                if (e.code() != ErrorCode.BUSY) {
                    throw e;
                }
                sequence.refresh();
                if (sequence.generation() == present.generation()) {
                    throw e;
                }
            }
        }
    }

    /** By the format that printed then. */
    private Occasion occasion(KeptAsk asked) {
        return numbering.formatAt(sequence, asked.generation()).occasion(asked.ask());
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

    /**
     * Returns what there is to know of the sequence, with the last value and what is left of one counter. Writes nothing.
     *
     * @throws NumberRefusedException if the ask does not fit the format; final
     */
    public SequenceState state(Ask ask) {
        return counter(occasion(ask)).state();
    }

    private Occasion occasion(Ask ask) {
        return present().occasion(ask, sequences.now());
    }

    private Sequence counter(Occasion occasion) {
        return sequence.counter(occasion.scopeKey(), occasion.period().key());
    }

    /** The counter, once its period is the latest where the format wants that. */
    private Sequence counterToTakeFrom(Present present, Occasion occasion) {
        NumberFormat format = present.format();
        Period period = occasion.period();
        if (format.definition().monotonicPeriod() && !period.key().isEmpty()) {
            requireNotAhead(format, period);
            sequence.counter(occasion.scopeKey(), "")
                    .beginPeriod(period.firstDay().toString(), period.key());
        }
        return counter(occasion).printedBy(present.generation());
    }

    private Sequence counterToTakeFrom(Present present, Occasion occasion, RequestKey key) {
        boolean answered = sequence.noteOf(key).isPresent(); // then nothing is taken, whatever has begun since
        return answered ? counter(occasion) : counterToTakeFrom(present, occasion);
    }

    private void requireNotAhead(NumberFormat format, Period period) {
        Period present = format.periodAt(sequences.now());
        boolean ahead = format.after(present)
                .filter(next -> period.firstDay().isAfter(next.firstDay()))
                .isPresent();
        if (ahead) {
            throw new NumberRefusedException(
                    ErrorCode.PERIOD_AHEAD,
                    "the period begins more than one after the present one: period=" + period.key() + " present="
                            + present.key());
        }
    }

    // ---- reservations, under contract gapless

    /**
     * Holds a number until it is confirmed or cancelled, or expires. It is printed now, and stays as it is.
     *
     * @throws io.seriatim.ReservationException as {@link Sequence#reserve}
     * @throws NumberRefusedException if the ask does not fit the format, or the period is over; final
     */
    public ReservedNumber reserve(Ask ask) {
        Present present = present();
        KeptAsk asked = KeptAsk.of(ask, sequences.now(), present.generation());
        Occasion occasion = present.format().occasion(asked.ask());
        return reserved(
                counterToTakeFrom(present, occasion).reserve(asked.text()),
                occasion.period().key(),
                occasion.scopeKey());
    }

    /**
     * Holds a number as {@link #reserve(Ask)} does, once for a key: a call with the same key, scope and business date
     * returns the same reservation in its present state.
     *
     * @throws io.seriatim.RequestKeyException if the key belongs to another request, or cannot be served now
     */
    public ReservedNumber reserve(Ask ask, RequestKey key) {
        Present present = present();
        KeptAsk given = KeptAsk.of(ask, sequences.now(), present.generation());
        KeptAsk asked =
                sequence.noteOf(key).map(text -> KeptAsk.parse(text, ask)).orElse(given);
        Occasion occasion = occasion(asked); // of the first: a repetition may come in another period
        RequestNote note = new RequestNote(given.request(present.format().occasion(given.ask())), asked.text());
        return reserved(
                counterToTakeFrom(present, occasion, key).reserve(key, note),
                occasion.period().key(),
                occasion.scopeKey());
    }

    /**
     * Returns a reservation as it is now.
     *
     * @throws io.seriatim.ReservationException NOT_FOUND; final
     */
    public ReservedNumber reservation(String id) {
        return at(id, Sequence::reservation);
    }

    /**
     * Confirms a reservation: its number may leave for the world once this has returned.
     *
     * @throws io.seriatim.ReservationException as {@link Sequence#confirm}
     */
    public ReservedNumber confirm(String id) {
        return at(id, Sequence::confirm);
    }

    /**
     * Gives a number back.
     *
     * @throws io.seriatim.ReservationException as {@link Sequence#cancel}
     */
    public ReservedNumber cancel(String id) {
        return at(id, Sequence::cancel);
    }

    private ReservedNumber at(String id, BiFunction<Sequence, String, Reservation> step) {
        ReservationName name = ReservationName.parse(id).orElseThrow(() -> ReservationException.notFound(id));
        Sequence counter = sequence.counter(name.scopeKey(), name.period());
        try {
            return reserved(step.apply(counter, name.inCounter()), name.period(), name.scopeKey());
        } catch (ReservationException e) {
            throw told(e, id, name, counter);
        }
    }

    /** With the name that the caller knows, and the number. */
    private ReservationException told(ReservationException e, String id, ReservationName name, Sequence counter) {
        return switch (e.code()) {
            case RESERVATION_GONE -> {
                Reservation ended = counter.reservation(name.inCounter());
                ReservedNumber number = reserved(ended, name.period(), name.scopeKey());
                yield e.of(id, Optional.of(number.number().text()));
            }
            case NOT_FOUND -> e.of(id, Optional.empty());
            default -> e;
        };
    }

    private ReservedNumber reserved(Reservation reservation, String period, String scopeKey) {
        Ask scoped = Ask.NOW.in(ScopeKey.parse(scopeKey));
        Occasion occasion = occasion(KeptAsk.parse(reservation.note(), scoped));
        long value = reservation.value();
        return new ReservedNumber(
                new ReservationName(reservation.id(), period, scopeKey).text(),
                new PrintedNumber(value, occasion.number(value), occasion.period()),
                reservation.state(),
                reservation.expires());
    }

    // ---- what became of numbers

    /**
     * Returns what is known of a number. It is read by the format that printed it; where that prints more of the date
     * than the period, numbers that differ in that alone are one.
     *
     * @throws NumberRefusedException NUMBER_UNKNOWN if it was never handed out; final
     */
    public KnownNumber find(String number) {
        Found found = found(number);
        long step = format().values().increment();
        return new KnownNumber(
                number,
                found.value(),
                found.period(),
                found.scope(),
                found.entries(),
                neighbour(found, -step),
                neighbour(found, step));
    }

    private static OptionalLong neighbour(Found found, long distance) {
        long value = found.value() + distance;
        boolean overflowed = distance > 0 ? value < found.value() : value > found.value();
        return overflowed || found.counter().history(value).isEmpty() ? OptionalLong.empty() : OptionalLong.of(value);
    }

    /**
     * Voids a number that was handed out. To be called on a handle {@link #by} somebody who gives a reason.
     *
     * @throws NumberRefusedException REASON_REQUIRED, NUMBER_UNKNOWN or ALREADY_VOID; final
     * @throws io.seriatim.ReservationException RESERVATIONS_OPEN while it is reserved
     */
    public KnownNumber voidNumber(String number) {
        sequence.requireReason();
        Found found = found(number);
        if (!found.isLast()) {
            throw new NumberRefusedException(
                    ErrorCode.NUMBER_UNKNOWN,
                    "the number was given back, and its value has another text now: " + number);
        }
        found.counter().voidValue(found.value());
        return find(number);
    }

    /**
     * A number and what the ledger tells of it.
     *
     * @param isLast whether its value was printed so when it was last taken
     */
    private record Found(
            Sequence counter,
            long value,
            String period,
            Map<String, String> scope,
            List<LedgerEntry> entries,
            boolean isLast) {}

    private Found found(String number) {
        FormatHistory formats = numbering.formats(sequence);
        for (Reading reading : formats.readings(number)) {
            Map<String, String> scope = reading.scope();
            String period = reading.period().orElseThrow();
            Sequence counter = sequence.counter(ScopeKey.of(new TreeMap<>(scope)), period);
            List<LedgerEntry> all = counter.history(reading.value());
            List<LedgerEntry> entries = formats.printedAs(number, reading, all);
            if (!entries.isEmpty()) {
                boolean isLast = entries.contains(all.get(all.size() - 1));
                return new Found(counter, reading.value(), period, scope, entries, isLast);
            }
        }
        throw new NumberRefusedException(ErrorCode.NUMBER_UNKNOWN, "no such number was handed out: " + number);
    }

    // ---- single counters

    /**
     * Returns the counter of a period and scope.
     *
     * @param period the key of the period; empty where the counter never starts again
     * @throws NumberRefusedException DATE_OUT_OF_RANGE if there is no such period, or as {@link #next(Ask)}; final
     */
    public Sequence counter(String period, Map<String, String> scope) {
        return numberCounter(format(), period, scope).values();
    }

    /**
     * The same, with what its values print; also of a period that an earlier format of the sequence had, to see what became
     * of its numbers.
     */
    public NumberCounter numberCounter(String period, Map<String, String> scope) {
        return numberCounter(formatOf(period), period, scope);
    }

    /** Whether the sequence has a period of a key, or had one under an earlier format. */
    public boolean hasPeriod(String key) {
        return formatOf(key).period(key).isPresent();
    }

    /** The present format, or the newest of the earlier ones that has such a period. */
    private NumberFormat formatOf(String period) {
        NumberFormat present = format();
        return present.period(period).isPresent()
                ? present
                : numbering.formats(sequence).withPeriod(period).orElse(present);
    }

    private NumberCounter numberCounter(NumberFormat format, String period, Map<String, String> scope) {
        Period known = format.period(period)
                .orElseThrow(() -> new NumberRefusedException(
                        ErrorCode.DATE_OUT_OF_RANGE, "there is no such period: period=" + period));
        Instant within = period.isEmpty() ? sequences.now() : format.startOf(known);
        Occasion occasion = format.at(within, scope);
        return new NumberCounter(counter(occasion), format, occasion.period().key(), occasion.scopes());
    }

    /** Returns the counter of a number. */
    public NumberCounter counterOf(KnownNumber number) {
        return counterOf(ScopeKey.of(new TreeMap<>(number.scope())), number.period());
    }

    /** Returns one of {@link Sequence#counters}. */
    public NumberCounter counterOf(CounterState state) {
        return counterOf(state.scope(), state.period());
    }

    private NumberCounter counterOf(String scopeKey, String period) {
        return new NumberCounter(
                sequence.counter(scopeKey, period), formatOf(period), period, ScopeKey.parse(scopeKey));
    }

    /**
     * Lets one counter go on elsewhere.
     *
     * @param period as for {@link #counter(String, Map)}
     * @throws io.seriatim.SequenceConflictException BEHIND if numbers could come again and the restart does not allow
     *     it; final
     */
    public SequenceState restart(String period, Map<String, String> scope, Restart restart) {
        return counter(period, scope).restart(restart);
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
