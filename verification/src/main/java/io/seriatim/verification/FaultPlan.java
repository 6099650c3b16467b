package io.seriatim.verification;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;

/** Decides what befalls each call to a {@link FaultyStore} or {@link FaultyEventLogStore}. Asked once a call, by many threads. */
public interface FaultPlan {

    /** Returns the fault of this call. */
    Fault next(StoreCall call);

    /** No faults. */
    static FaultPlan none() {
        return call -> Fault.none();
    }

    /**
     * Faults drawn at random; the same seed and the same order of calls give the same faults.
     *
     * @param rate of a hundred calls, how many meet a fault, from 0 to 100
     * @param faults which faults, each as often as it is in the list
     */
    static FaultPlan seeded(long seed, int rate, List<Fault> faults) {
        if (rate < 0 || rate > 100) {
            throw new IllegalArgumentException("rate must be from 0 to 100: rate=" + rate);
        }
        Random random = new Random(seed);
        List<Fault> all = List.copyOf(faults);
        List<Fault> ofReads =
                all.stream().filter(fault -> !fault.isForWritesOnly()).toList();
        return call -> {
            List<Fault> possible = call.isWrite() ? all : ofReads;
            synchronized (random) {
                return possible.isEmpty() || random.nextInt(100) >= rate
                        ? Fault.none()
                        : possible.get(random.nextInt(possible.size()));
            }
        };
    }

    /** Faults that a test writes down: each is for the next call of its kind that has none yet. */
    final class Script implements FaultPlan {

        /** Guarded by itself. */
        private final Map<StoreCall, Queue<Fault>> faults = new HashMap<>();

        /** Adds faults for the next calls of a kind, in this order; {@link Fault#none} passes one over. */
        public Script then(StoreCall call, Fault... next) {
            synchronized (faults) {
                faults.computeIfAbsent(call, each -> new ArrayDeque<>()).addAll(List.of(next));
            }
            return this;
        }

        @Override
        public Fault next(StoreCall call) {
            synchronized (faults) {
                Queue<Fault> waiting = faults.get(call);
                return waiting == null || waiting.isEmpty() ? Fault.none() : waiting.remove();
            }
        }

        /** Whether every fault has come true. */
        public boolean isDone() {
            synchronized (faults) {
                return faults.values().stream().allMatch(Queue::isEmpty);
            }
        }
    }
}
