package io.seriatim.verification;

import io.seriatim.Author;
import io.seriatim.Contract;
import io.seriatim.Reservation;
import io.seriatim.ReservationException;
import io.seriatim.Sequence;
import io.seriatim.SequenceDefinition;
import io.seriatim.SequenceException;
import io.seriatim.Sequences;
import io.seriatim.postgresql.PostgresStore;
import io.seriatim.rocksdb.RocksDbStore;
import io.seriatim.store.CounterStore;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * Takes numbers of a gapless sequence with eight threads until it is killed, and prints what it is told: one line a
 * step, {@code STEP VALUE RESERVATION}, with a question mark behind the step before it is taken. What is printed was
 * answered; of the last steps before the kill nobody knows.
 */
public final class ReservationDriver {

    static final String SEQUENCE = "invoices";
    static final String RESERVED = "reserved";
    static final String CONFIRMED = "confirmed";
    static final String CANCELLED = "cancelled";
    static final String NEXT = "next";
    static final String VOIDED = "voided";
    static final String EXPIRED = "expired";
    static final String TROUBLE = "trouble";

    private static final int THREADS = 8;
    private static final Author AUDITOR = Author.of("driver").because("drawn by chance");

    private final Sequence sequence;

    private ReservationDriver(Sequence sequence) {
        this.sequence = sequence;
    }

    /**
     * Ends by being killed, or with whoever started it. The arguments: a folder and a seed, or URL and user of a
     * database and a seed.
     */
    public static void main(String[] arguments) throws IOException {
        SplittableRandom random = new SplittableRandom(Long.parseLong(arguments[arguments.length - 1]));
        CounterStore store = arguments.length == 2
                ? RocksDbStore.open(Path.of(arguments[0]))
                : PostgresStore.open(arguments[0], arguments[1], "");
        Sequences sequences = Sequences.on(store, Duration.ofSeconds(20));
        ReservationDriver driver = new ReservationDriver(sequences.define(SEQUENCE, definition()));
        for (int thread = 0; thread < THREADS; thread++) {
            SplittableRandom own = random.split();
            new Thread(() -> driver.run(own), "driver-" + thread).start();
        }
        while (System.in.read() >= 0) {}
        Runtime.getRuntime().halt(1);
    }

    static SequenceDefinition definition() {
        return SequenceDefinition.ascending()
                .contract(Contract.GAPLESS)
                .with("format.template", "{seq}")
                .with("format.policy", "relaxed")
                .with("format.reservationSeconds", "1");
    }

    private void run(SplittableRandom random) {
        while (true) {
            try {
                step(random);
            } catch (SequenceException e) {
                say(TROUBLE, 0, e.code().name());
            }
        }
    }

    private void step(SplittableRandom random) {
        int chance = random.nextInt(100);
        if (chance < 15) {
            say(NEXT, sequence.next(), "-");
            return;
        }
        Reservation held = sequence.reserve("");
        say(RESERVED, held.value(), held.id());
        if (chance < 55) {
            end(CONFIRMED, held);
            if (chance < 20) {
                say(VOIDED + "?", held.value(), held.id());
                sequence.by(AUDITOR).voidValue(held.value());
                say(VOIDED, held.value(), held.id());
            }
        } else if (chance < 97) {
            end(CANCELLED, held);
        } // else its caller forgets it
    }

    private void end(String how, Reservation held) {
        say(how + "?", held.value(), held.id());
        try {
            Reservation unused = how.equals(CONFIRMED) ? sequence.confirm(held.id()) : sequence.cancel(held.id());
            say(how, held.value(), held.id());
        } catch (ReservationException e) {
            if (e.state().equals(Optional.of(Reservation.State.EXPIRED))) {
                say(EXPIRED, held.value(), held.id());
                throw e;
            }
            throw new IllegalStateException("a reservation that nobody else has has ended: " + held, e);
        }
    }

    private static void say(String step, long value, String id) {
        synchronized (System.out) {
            System.out.println(step + " " + value + " " + id);
            System.out.flush();
        }
    }
}
