package io.seriatim.eventlog;

import io.seriatim.store.PartitionStore;
import io.seriatim.store.StoreException;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/** A partition whose calls a test can count, make fail, and hold before or behind their work. */
final class GatedPartition extends ForwardingPartition {

    /** Guards all below, and tells of every change. */
    private final Object gate = new Object();

    private final Set<Call> failing = EnumSet.noneOf(Call.class);
    private final Set<Call> closedBefore = EnumSet.noneOf(Call.class);
    private final Set<Call> closedBehind = EnumSet.noneOf(Call.class);
    private final Map<Call, Integer> counts = new EnumMap<>(Call.class);
    private final Map<Call, Integer> held = new EnumMap<>(Call.class);
    private final Map<Call, Integer> passes = new EnumMap<>(Call.class);

    GatedPartition(PartitionStore store) {
        super(store);
    }

    @Override
    <T> T call(Call call, Supplier<T> work) {
        synchronized (gate) {
            counts.merge(call, 1, Integer::sum);
            pass(call, closedBefore);
            if (failing.contains(call)) {
                throw new StoreException(StoreException.Kind.UNAVAILABLE, "the test wants " + call + " to fail");
            }
        }
        T answer = work.get();
        synchronized (gate) {
            pass(call, closedBehind);
        }
        return answer;
    }

    private void pass(Call call, Set<Call> closed) {
        if (!closed.contains(call)) {
            return;
        }
        held.merge(call, 1, Integer::sum);
        gate.notifyAll();
        boolean interrupted = false;
        while (closed.contains(call) && passes.getOrDefault(call, 0) == 0) {
            try {
                gate.wait();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        held.merge(call, -1, Integer::sum);
        if (closed.contains(call)) {
            passes.merge(call, -1, Integer::sum);
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** From now on calls fail, before anything is done. */
    void fail(Call call) {
        synchronized (gate) {
            failing.add(call);
        }
    }

    void heal(Call call) {
        synchronized (gate) {
            failing.remove(call);
        }
    }

    /** From now on calls wait before they do anything. */
    void hold(Call call) {
        synchronized (gate) {
            closedBefore.add(call);
        }
    }

    /** From now on calls wait when their work is done and before they answer. */
    void holdBehind(Call call) {
        synchronized (gate) {
            closedBehind.add(call);
        }
    }

    /** Lets one call through that waits, or will. */
    void passOne(Call call) {
        synchronized (gate) {
            passes.merge(call, 1, Integer::sum);
            gate.notifyAll();
        }
    }

    void release(Call call) {
        synchronized (gate) {
            closedBefore.remove(call);
            closedBehind.remove(call);
            gate.notifyAll();
        }
    }

    void releaseAll() {
        synchronized (gate) {
            failing.clear();
            closedBefore.clear();
            closedBehind.clear();
            gate.notifyAll();
        }
    }

    int count(Call call) {
        synchronized (gate) {
            return counts.getOrDefault(call, 0);
        }
    }

    /** Returns when a call waits. */
    void awaitHeld(Call call) {
        OnePartition.await(() -> {
            synchronized (gate) {
                return held.getOrDefault(call, 0) > 0;
            }
        });
    }
}
