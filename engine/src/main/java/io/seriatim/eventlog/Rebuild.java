package io.seriatim.eventlog;

import io.seriatim.Environment;
import io.seriatim.ErrorCode;
import io.seriatim.store.LogOutcome;
import io.seriatim.store.PartitionStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * Makes the stored numbers of a partition anew out of its log: what an operator does where a sequencer says that they do
 * not belong together. Numbers only rise; one that is stored too high stays so, and some numbers are skipped.
 */
public final class Rebuild {

    /*
     * The kinds that a log was written with are not in the store. What a replay needs of them is which sequences there
     * are, and that is in the headers; where a sequence begins matters only to who draws from it.
     */

    private static final int PAGE = 4_096;
    private static final Duration LOOK = Duration.ofMillis(200);

    private Rebuild() {}

    /**
     * Takes the partition and forgets how far its numbers reach, so that the next sequencer replays the log from its first
     * event.
     *
     * @return the epoch under which it was done
     * @throws EventLogException FENCED if another owner came in between, OUTCOME_UNKNOWN if nobody knows whether it was
     *     done; it can be done again
     */
    public static long reset(PartitionStore partition) {
        long epoch = partition.take();
        LogOutcome outcome = partition.resetCheckpoint(epoch);
        if (outcome instanceof LogOutcome.Applied) {
            return epoch;
        }
        if (outcome instanceof LogOutcome.Fenced fenced) {
            throw new EventLogException(ErrorCode.FENCED, "another owner took the partition: epoch=" + fenced.epoch());
        }
        throw new EventLogException(
                ErrorCode.OUTCOME_UNKNOWN, "whether the checkpoint was set back is not known: " + outcome);
    }

    /**
     * Resets the partition, replays its log and stores the numbers.
     *
     * @param listener is told how far it is, on this thread
     * @return how many events were read, and in what time
     * @throws EventLogException STORE_CORRUPT if the log cannot be replayed, as it has a hole; FENCED if another owner has
     *     come; STORE_UNAVAILABLE if the numbers could not be stored. The next sequencer then goes on where this one ended
     * @throws io.seriatim.store.StoreException if the store has stopped or cannot be reached
     */
    public static ReplayProgress run(
            PartitionStore partition, Environment environment, Consumer<ReplayProgress> listener) {
        List<WorkspaceKind> kinds = kinds(partition);
        long epoch = reset(partition);
        if (kinds.isEmpty()) {
            ReplayProgress nothing = new ReplayProgress(0, 0, Duration.ZERO, true);
            listener.accept(nothing);
            return nothing;
        }
        ReplayProgress done;
        try (Sequencer sequencer = Sequencer.on(partition, kinds, SequencerSettings.usual(), environment)) {
            awaitReady(partition, sequencer, kinds.get(0).id(), listener);
            done = sequencer.state().replay();
        }
        requireStored(partition, epoch);
        listener.accept(done);
        return done;
    }

    /** The kinds in the headers of a log, with every sequence that an event has a number of. */
    private static List<WorkspaceKind> kinds(PartitionStore partition) {
        Map<Integer, Set<Integer>> found = new TreeMap<>();
        long[] next = {1};
        int shown;
        do {
            shown = partition.replay(
                    next[0], PAGE, (offset, epoch, workspace, kind, writer, write, count, sequences, values) -> {
                        Set<Integer> its = found.computeIfAbsent(kind, each -> new TreeSet<>());
                        for (int i = 0; i < count; i++) {
                            its.add(sequences[i]);
                        }
                        next[0] = offset + 1;
                    });
        } while (shown == PAGE);
        return found.entrySet().stream()
                .map(kind -> kind(kind.getKey(), kind.getValue()))
                .toList();
    }

    private static WorkspaceKind kind(int id, Set<Integer> sequences) {
        WorkspaceKind kind = WorkspaceKind.of(id);
        for (int sequence : sequences) {
            if (sequence != WorkspaceKind.WLOG_OFFSET) {
                kind = kind.with(sequence, 1);
            }
        }
        return kind;
    }

    /** A transaction can start once the log is read. A sequencer tries again for ever; here a store that has stopped ends it. */
    private static void awaitReady(
            PartitionStore partition, Sequencer sequencer, int kind, Consumer<ReplayProgress> listener) {
        while (true) {
            Start start = sequencer.start(kind, 0, LOOK);
            if (start instanceof SequencingTransaction transaction) {
                transaction.discard();
                return;
            }
            SequencerState state = sequencer.state();
            ErrorCode code = ((Refusal) start).code();
            if (start == Refusal.CORRUPT
                    || !code.mayBeRetried()
                    || Thread.currentThread().isInterrupted()) {
                throw new EventLogException(code, state.lastFailure().orElse("the log could not be read to its end"));
            }
            long unused = partition.epoch();
            listener.accept(state.replay());
        }
    }

    private static void requireStored(PartitionStore partition, long epoch) {
        long end = partition.lastOffset().orElse(0) + 1;
        boolean stored = partition
                .checkpoint()
                .filter(its -> its.nextOffset() == end && its.epoch() > epoch)
                .isPresent();
        if (!stored) {
            throw new EventLogException(ErrorCode.STORE_UNAVAILABLE, "the numbers could not be stored to the end");
        }
    }
}
