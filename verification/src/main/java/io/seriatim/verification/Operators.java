package io.seriatim.verification;

import io.seriatim.verification.HistoryEvent.Answered;
import io.seriatim.verification.HistoryEvent.Change;
import io.seriatim.verification.HistoryEvent.Changed;
import io.seriatim.verification.HistoryEvent.Failed;
import io.seriatim.verification.HistoryEvent.Varying;
import io.seriatim.verification.HistoryEvent.Wish;
import io.seriatim.verification.SequenceClient.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** Those who change sequences while others draw from them, on all servers of a kill loop. */
final class Operators {

    /*
     * Each server has one operator, and clients beside it that draw from the same few sequences. So changes at both
     * servers meet, and a server is killed while it makes one, or while the other waits for what it has in memory.
     *
     * Of a killed node the operators know that it is gone, and say so: sometimes as soon as they begin, else when BUSY
     * names it. A node that lives all the time of a change must not be named: it was to give back what it had.
     */

    static final List<Varying> SEQUENCES = List.of(new Varying("varying-1"), new Varying("varying-2"));

    private static final int CLIENTS = 2;
    private static final int MOST_DRAWS_BETWEEN_CHANGES = 60;
    private static final int MOST_VALUES = 5;
    /** Caches are from 1 to 2,048: what lies in memory is now gone in a moment, now for a second. */
    private static final int POWERS_OF_CACHE = 12;

    private static final int FARTHEST = 5_000;
    private static final Pattern NODE = Pattern.compile("\\b[0-9a-f]{16}\\b");
    private static final Change[] CHANGES = Change.values();

    private final HistoryWriter history;
    private final Consumer<String> surprises;
    private final Set<String> alive = ConcurrentHashMap.newKeySet();
    private final Set<String> gone = ConcurrentHashMap.newKeySet();

    /** @param surprises takes answers that no call should get; called by many threads */
    Operators(HistoryWriter history, Consumer<String> surprises) {
        this.history = history;
        this.surprises = surprises;
    }

    /** A server can be called. */
    void began(String node) {
        alive.add(node);
    }

    /** A server is about to be killed or stopped. */
    void ending(String node) {
        alive.remove(node);
    }

    /** A server has ended. */
    void ended(String node) {
        gone.add(node);
    }

    /**
     * Starts an operator and clients that call a server until it is gone.
     *
     * @param changes is counted down after each change, made or not
     */
    List<Thread> start(int process, SequenceClient server, SplittableRandom random, CountDownLatch changes) {
        List<Thread> threads = new ArrayList<>();
        SplittableRandom ofOperator = random.split();
        threads.add(thread(
                "verification-operator-" + process,
                () -> new Operator(process, server, ofOperator).untilTheEnd(changes)));
        for (int i = 0; i < CLIENTS; i++) {
            SplittableRandom own = random.split();
            threads.add(thread("verification-drawer-" + process + "-" + i, () -> {
                Operator client = new Operator(process, server, own);
                while (isThere(client.draw(any(own)))) {}
            }));
        }
        threads.forEach(Thread::start);
        return threads;
    }

    private interface Work {
        void run() throws InterruptedException;
    }

    private Thread thread(String name, Work work) {
        Thread thread = new Thread(
                () -> {
                    try {
                        work.run();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    } catch (RuntimeException e) {
                        surprises.accept("an operator failed: " + e);
                    }
                },
                name);
        thread.setDaemon(true);
        return thread;
    }

    private static String any(SplittableRandom random) {
        return SEQUENCES.get(random.nextInt(SEQUENCES.size())).sequence();
    }

    private static boolean isThere(Outcome outcome) {
        return !(outcome instanceof Outcome.NotSent || outcome instanceof Outcome.Unknown);
    }

    /** One who draws and changes at one server. For use by one thread. */
    private final class Operator {
        private final int process;
        private final SequenceClient server;
        private final SplittableRandom random;
        private long lastValue;

        Operator(int process, SequenceClient server, SplittableRandom random) {
            this.process = process;
            this.server = server;
            this.random = random;
        }

        void untilTheEnd(CountDownLatch changes) throws InterruptedException {
            if (random.nextBoolean()) {
                for (Varying varying : SEQUENCES) {
                    for (String node : gone) {
                        declareGone(varying.sequence(), node);
                    }
                }
            }
            boolean there = true;
            while (there) {
                String sequence = any(random);
                Outcome outcome = draw(sequence);
                for (int i = random.nextInt(MOST_DRAWS_BETWEEN_CHANGES); i > 0 && isThere(outcome); i--) {
                    outcome = draw(sequence);
                }
                boolean missing = outcome instanceof Outcome.Refused refused && refused.status() == 404;
                there = isThere(change(sequence, missing ? Change.CREATE : CHANGES[random.nextInt(CHANGES.length)]));
                changes.countDown();
            }
        }

        Outcome draw(String sequence) throws InterruptedException {
            long count = 1 + random.nextLong(MOST_VALUES);
            long call = history.addCall(process, sequence, Wish.EXACTLY, count, Optional.empty());
            Outcome outcome = server.take(sequence, Wish.EXACTLY, count, 1);
            if (outcome instanceof Outcome.Values values) {
                history.add(new Answered(call, values.generation(), values.runs()));
                lastValue = values.runs().get(values.runs().size() - 1).last();
            } else {
                failed(call, outcome, Set.of(404, 503));
            }
            return outcome;
        }

        private Outcome change(String sequence, Change change) throws InterruptedException {
            OptionalLong value = value(change);
            Set<String> aliveBefore = Set.copyOf(alive);
            long call = history.addChange(process, sequence, change, value);
            Outcome outcome = send(sequence, change, value);
            if (outcome instanceof Outcome.Altered altered) {
                history.add(new Changed(call, altered.state()));
            } else {
                failed(call, outcome, Set.of(404, 409, 503));
            }
            if (outcome instanceof Outcome.Refused refused && refused.code().equals("BUSY")) {
                waitedInVain(sequence, call, refused.detail(), aliveBefore);
            }
            return outcome;
        }

        private OptionalLong value(Change change) {
            return switch (change) {
                case BACK -> OptionalLong.of(1);
                case FORWARD -> OptionalLong.of(lastValue + 1 + random.nextInt(FARTHEST));
                default -> OptionalLong.empty();
            };
        }

        private Outcome send(String sequence, Change change, OptionalLong value) throws InterruptedException {
            String fast = "{\"contract\": \"fast\", \"cache\": " + (1 << random.nextInt(POWERS_OF_CACHE)) + "}";
            String ordered = "{\"contract\": \"ordered\", \"cache\": null}";
            return switch (change) {
                case CREATE -> server.change("PUT", sequence, random.nextBoolean() ? fast : ordered);
                case TO_FAST -> server.change("PATCH", sequence, fast);
                case TO_ORDERED -> server.change("PATCH", sequence, ordered);
                case FORWARD ->
                    server.change(
                            "POST", sequence + "/restart", "{\"value\": " + value.getAsLong() + ", \"fresh\": true}");
                case BACK ->
                    server.change(
                            "POST",
                            sequence + "/restart",
                            "{\"value\": " + value.getAsLong()
                                    + ", \"fresh\": true, \"allowReuse\": true, \"reason\": \"kill loop\"}");
                case DROP -> server.change("DELETE", sequence, "");
            };
        }

        private void waitedInVain(String sequence, long call, String detail, Set<String> aliveBefore)
                throws InterruptedException {
            List<String> named =
                    NODE.matcher(detail).results().map(MatchResult::group).toList();
            for (String node : named) {
                if (gone.contains(node)) {
                    declareGone(sequence, node);
                } else if (aliveBefore.contains(node) && alive.contains(node)) {
                    surprises.accept("change " + call + ": a node that lives has given nothing back: " + detail);
                }
            }
        }

        private void declareGone(String sequence, String node) throws InterruptedException {
            String body = "{\"node\": \"" + node + "\", \"reason\": \"killed by the loop\"}";
            Outcome outcome = server.change("POST", sequence + "/gone", body);
            if (outcome instanceof Outcome.Refused refused && refused.status() != 404 && refused.status() != 503) {
                surprises.accept("to declare " + node + " gone was answered " + refused);
            }
        }

        private void failed(long call, Outcome outcome, Set<Integer> expected) {
            if (outcome instanceof Outcome.Refused refused) {
                history.add(new Failed(call, refused.code()));
                if (!expected.contains(refused.status())) {
                    surprises.accept("call " + call + " was answered " + refused);
                }
            } else if (outcome instanceof Outcome.NotSent) {
                history.add(new Failed(call, "NOT_SENT"));
            }
        }
    }
}
