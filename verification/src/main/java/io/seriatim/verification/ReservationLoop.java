package io.seriatim.verification;

import io.seriatim.CounterState;
import io.seriatim.LedgerEntry;
import io.seriatim.LedgerEntry.State;
import io.seriatim.Reservation;
import io.seriatim.ReservationException;
import io.seriatim.Sequence;
import io.seriatim.Sequences;
import io.seriatim.store.CounterStore;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;

/**
 * Kills processes that take numbers of a gapless sequence, starts them again on the same store, and so on; then ends
 * what is open and compares the ledger with what the processes were told.
 */
final class ReservationLoop {

    private static final int LEAST_LINES = 30;
    private static final int MOST_LINES = 600;
    private static final Duration EXPIRY = Duration.ofSeconds(60);
    private static final int PAGE = 1_000;

    private static final Map<State, Set<State>> STEPS = Map.of(
            State.RESERVED, Set.of(State.CONFIRMED, State.RELEASED, State.VOIDED),
            State.RELEASED, Set.of(State.RESERVED, State.CONFIRMED, State.VOIDED),
            State.CONFIRMED, Set.of(State.VOIDED),
            State.VOIDED, Set.of());

    private final List<String> store;
    private final Path errors;
    private final Supplier<CounterStore> opened;
    private final ConcurrentLinkedQueue<String> lines = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<String> surprises = new ConcurrentLinkedQueue<>();

    /**
     * @param store arguments of the driver, without the seed
     * @param errors the file that the error output of the processes goes to
     * @param opened opens the same store in this process
     */
    ReservationLoop(List<String> store, Path errors, Supplier<CounterStore> opened) {
        this.store = List.copyOf(store);
        this.errors = errors;
        this.opened = opened;
    }

    /**
     * What came of a loop.
     *
     * @param steps answers that the processes were given
     * @param values handed out
     */
    record Result(int kills, int steps, long values, Map<State, Long> states, List<String> violations) {}

    /** @param processes at the same time, each killed so often */
    Result run(int processes, int kills, long seed) throws InterruptedException {
        SplittableRandom random = new SplittableRandom(seed);
        List<Thread> threads = new ArrayList<>();
        for (int process = 0; process < processes; process++) {
            SplittableRandom own = random.split();
            Thread thread = new Thread(() -> lives(kills, own), "verification-reservations-" + process);
            thread.start();
            threads.add(thread);
        }
        for (Thread thread : threads) {
            thread.join();
        }
        try (Sequences sequences = Sequences.on(opened.get(), Duration.ofSeconds(30))) {
            return check(sequences.get(ReservationDriver.SEQUENCE), processes * kills);
        }
    }

    // ---- kills

    private void lives(int kills, SplittableRandom random) {
        try {
            for (int kill = 0; kill < kills; kill++) {
                List<String> arguments = new ArrayList<>(store);
                int most = random.nextInt(LEAST_LINES, MOST_LINES);
                arguments.add(Long.toString(random.nextLong(Long.MAX_VALUE)));
                new DriverProcess(ReservationDriver.class, errors, lines::add, surprises::add).live(arguments, most);
            }
        } catch (IOException e) {
            surprises.add("the loop ended early: " + e);
        } catch (InterruptedException e) {
            surprises.add("the loop was interrupted");
            Thread.currentThread().interrupt();
        }
    }

    // ---- the end

    private Result check(Sequence sequence, int kills) {
        List<String> violations = new ArrayList<>(surprises);
        Told told = new Told();
        for (String line : lines) {
            told.add(line, violations);
        }
        told.open.forEach((id, value) -> finish(sequence, id, value, told, violations));
        CounterState row = expired(sequence);
        if (row.open() > 0) {
            violations.add(row.open() + " reservations have not expired");
        }
        Map<Long, List<LedgerEntry>> histories = histories(sequence);
        histories.forEach((value, history) -> checkSteps(value, history, violations));
        Map<Long, State> states = new TreeMap<>();
        histories.forEach((value, history) ->
                states.put(value, history.get(history.size() - 1).state()));
        checkWhole(sequence, states, violations);
        told.checkAgainst(states, violations);
        sample(sequence, histories, violations);
        Map<State, Long> counts = new TreeMap<>();
        states.values().forEach(state -> counts.merge(state, 1L, Long::sum));
        return new Result(kills, lines.size(), states.size(), counts, violations);
    }

    /** Whoever holds a reservation ends it now, as it wanted to. */
    private static void finish(Sequence sequence, String id, long value, Told told, List<String> violations) {
        boolean wanted = told.wanted.contains(id);
        Reservation.State state;
        try {
            state = (wanted ? sequence.confirm(id) : sequence.cancel(id)).state();
        } catch (ReservationException e) {
            state = e.state().orElseThrow(() -> e);
        }
        if (state == Reservation.State.CONFIRMED) {
            told.use(value, violations);
        }
        boolean possible = state == Reservation.State.EXPIRED
                || state == (wanted ? Reservation.State.CONFIRMED : Reservation.State.CANCELLED);
        if (!possible) {
            violations.add("reservation " + id + " is " + state + ", which its holder did not want");
        }
    }

    /** The row once every reservation that nobody knows of has expired, or that takes too long. */
    private static CounterState expired(Sequence sequence) {
        long deadline = System.nanoTime() + EXPIRY.toNanos();
        CounterState row = sequence.counters(Optional.empty(), 1).get(0);
        while (row.open() > 0 && System.nanoTime() < deadline) {
            Thread.onSpinWait();
            row = sequence.counters(Optional.empty(), 1).get(0);
        }
        return row;
    }

    private static Map<Long, List<LedgerEntry>> histories(Sequence sequence) {
        Map<Long, List<LedgerEntry>> histories = new TreeMap<>();
        long index = 0;
        List<LedgerEntry> page = sequence.ledger(index, PAGE);
        while (!page.isEmpty()) {
            for (LedgerEntry entry : page) {
                for (long at = 0; at < entry.values().count(); at++) {
                    histories
                            .computeIfAbsent(entry.values().valueAt(at), value -> new ArrayList<>())
                            .add(entry);
                }
                index = entry.index();
            }
            page = sequence.ledger(index, PAGE);
        }
        return histories;
    }

    private static void checkSteps(long value, List<LedgerEntry> history, List<String> violations) {
        Set<State> possible = Set.of(State.RESERVED, State.CONFIRMED);
        for (LedgerEntry entry : history) {
            if (!possible.contains(entry.state())) {
                violations.add("value " + value + " became " + entry.state() + " out of turn, entry " + entry.index());
            }
            possible = STEPS.getOrDefault(entry.state(), Set.of());
        }
    }

    private static void checkWhole(Sequence sequence, Map<Long, State> states, List<String> violations) {
        for (long value = 1; value <= states.size(); value++) {
            if (!states.containsKey(value)) {
                violations.add("value " + value + " is missing");
            }
        }
        if (states.containsValue(State.RESERVED)) {
            violations.add("a value is still reserved");
        }
        if (!sequence.gaps(false).gaps().isEmpty()) {
            violations.add("there are gaps: " + sequence.gaps(false).gaps());
        }
        if (!sequence.verify(Optional.empty()).isSound()) {
            violations.add("the ledger is not sound: " + sequence.verify(Optional.empty()));
        }
    }

    /** What is found of single values is what the whole ledger has of them. */
    private static void sample(Sequence sequence, Map<Long, List<LedgerEntry>> histories, List<String> violations) {
        long step = Math.max(1, histories.size() / 200);
        for (long value = 1; value <= histories.size(); value += step) {
            if (!sequence.history(value).equals(histories.get(value))) {
                violations.add("not every entry of value " + value + " is found");
            }
        }
    }

    /** What the processes were told. */
    private static final class Told {
        /** By reservation; what was ended is not in it. */
        private final Map<String, Long> open = new HashMap<>();

        private final Set<String> wanted = new HashSet<>();
        private final Set<Long> used = new HashSet<>();
        private final Set<Long> maybeVoided = new HashSet<>();
        private final Set<Long> voided = new HashSet<>();

        void add(String line, List<String> violations) {
            String[] words = line.split(" ");
            long value = Long.parseLong(words[1]);
            String id = words[2];
            switch (words[0]) {
                case ReservationDriver.RESERVED -> open.put(id, value);
                case ReservationDriver.CONFIRMED + "?" -> wanted.add(id);
                case ReservationDriver.CONFIRMED -> {
                    open.remove(id);
                    use(value, violations);
                }
                case ReservationDriver.NEXT -> use(value, violations);
                case ReservationDriver.CANCELLED, ReservationDriver.EXPIRED -> open.remove(id);
                case ReservationDriver.VOIDED + "?" -> maybeVoided.add(value);
                case ReservationDriver.VOIDED -> voided.add(value);
                case ReservationDriver.CANCELLED + "?", ReservationDriver.TROUBLE -> {}
                default -> violations.add("a process said what nobody understands: " + line);
            }
        }

        void use(long value, List<String> violations) {
            if (!used.add(value)) {
                violations.add("value " + value + " was used twice");
            }
        }

        void checkAgainst(Map<Long, State> states, List<String> violations) {
            for (long value : used) {
                State state = states.get(value);
                boolean right = voided.contains(value)
                        ? state == State.VOIDED
                        : state == State.CONFIRMED || (maybeVoided.contains(value) && state == State.VOIDED);
                if (!right) {
                    violations.add("value " + value + " was used, and the ledger has it as " + state);
                }
            }
            states.forEach((value, state) -> {
                if (state == State.VOIDED && !maybeVoided.contains(value)) {
                    violations.add("value " + value + " is voided, which nobody wanted");
                }
            });
        }
    }
}
