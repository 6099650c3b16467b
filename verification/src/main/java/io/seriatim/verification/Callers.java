package io.seriatim.verification;

import io.seriatim.verification.HistoryEvent.Answered;
import io.seriatim.verification.HistoryEvent.Failed;
import io.seriatim.verification.HistoryEvent.Wish;
import io.seriatim.verification.SequenceClient.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** The clients of all servers of a kill loop: they draw, and write down what they asked and what they heard. */
final class Callers {

    /*
     * Some calls carry a key. Each of those that gets no answer is made again, and some of those that get one, by
     * whichever client comes next: mostly after its server was killed, and where there are two, at the other one too.
     */

    private static final int CLIENTS = 8;
    private static final int ONE_WITH_KEY_IN = 6;
    private static final int ONE_REPEATED_IN = 3;

    /** What a client asks for. */
    private record Wanted(Load load, Wish wish, long count, Optional<String> key) {}

    private final HistoryWriter history;
    private final Consumer<String> surprises;
    private final Queue<Wanted> again = new ConcurrentLinkedQueue<>();
    private final AtomicLong keys = new AtomicLong();

    /** @param surprises takes answers that no call should get; called by many threads */
    Callers(HistoryWriter history, Consumer<String> surprises) {
        this.history = history;
        this.surprises = surprises;
    }

    /**
     * Starts clients that call a server until it is gone.
     *
     * @param afterEach runs after each call, answered or refused; called by many threads
     */
    List<Thread> start(int process, SequenceClient server, SplittableRandom random, Runnable afterEach) {
        List<Thread> clients = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            SplittableRandom own = random.split();
            Thread thread = new Thread(
                    () -> drawUntilTheEnd(process, server, own, afterEach), "verification-client-" + process + "-" + i);
            thread.setDaemon(true);
            clients.add(thread);
        }
        clients.forEach(Thread::start);
        return clients;
    }

    private void drawUntilTheEnd(int process, SequenceClient server, SplittableRandom random, Runnable afterEach) {
        try {
            while (isThere(call(process, server, random, wanted(random)))) {
                afterEach.run();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            surprises.accept("a client failed: " + e);
        }
    }

    private Wanted wanted(SplittableRandom random) {
        boolean withKey = random.nextInt(ONE_WITH_KEY_IN) == 0;
        if (withKey && random.nextBoolean()) {
            Wanted repeated = again.poll();
            if (repeated != null) {
                return repeated;
            }
        }
        Load load = Load.ALL.get(random.nextInt(Load.ALL.size()));
        Wish wish = load.calls().get(random.nextInt(load.calls().size()));
        long count = 1 + random.nextLong(load.mostValues());
        return new Wanted(load, wish, count, withKey ? Optional.of("key-" + keys.incrementAndGet()) : Optional.empty());
    }

    /** Asks for one value of each sequence, and says how many sequences gave it. */
    int drawOnce(int process, SequenceClient server, SplittableRandom random) throws InterruptedException {
        int given = 0;
        for (Load load : Load.ALL) {
            Wanted one = new Wanted(load, Wish.EXACTLY, 1, Optional.empty());
            given += call(process, server, random, one) instanceof Outcome.Values ? 1 : 0;
        }
        return given;
    }

    /** Repeats what was to be repeated. */
    void repeat(int process, SequenceClient server, SplittableRandom random) throws InterruptedException {
        List<Wanted> left = new ArrayList<>(again);
        again.clear();
        for (Wanted wanted : left) {
            call(process, server, random, wanted);
        }
    }

    private static boolean isThere(Outcome outcome) {
        return outcome instanceof Outcome.Values || outcome instanceof Outcome.Refused;
    }

    private Outcome call(int process, SequenceClient server, SplittableRandom random, Wanted wanted)
            throws InterruptedException {
        HistoryEvent.Defined sequence = wanted.load().sequence();
        long call = history.addCall(process, sequence.sequence(), wanted.wish(), wanted.count(), wanted.key());
        Outcome outcome =
                server.take(sequence.sequence(), wanted.wish(), wanted.count(), sequence.increment(), wanted.key());
        if (outcome instanceof Outcome.Values values) {
            history.add(new Answered(call, values.generation(), values.runs()));
            if (wanted.key().isPresent() && random.nextInt(ONE_REPEATED_IN) == 0) {
                again.add(wanted);
            }
            return outcome;
        }
        if (wanted.key().isPresent()) {
            again.add(wanted);
        }
        if (outcome instanceof Outcome.Refused refused) {
            history.add(new Failed(call, refused.code()));
            if (refused.status() != 503) {
                surprises.accept("call " + call + " was answered " + refused);
            }
        } else if (outcome instanceof Outcome.NotSent) {
            history.add(new Failed(call, "NOT_SENT"));
        }
        return outcome;
    }
}
