package io.seriatim.eventlog;

import static org.assertj.core.api.Assertions.assertThat;

import io.seriatim.Environment;
import io.seriatim.ErrorCode;
import io.seriatim.SystemEnvironment;
import io.seriatim.TestEnvironment;
import io.seriatim.store.LogEvent;
import io.seriatim.store.LogOutcome;
import io.seriatim.store.PartitionStore;
import io.seriatim.store.WriteMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/** Random transactions of changing owners of a partition, against a map of last numbers. */
final class RandomLife {

    private static final int WORKSPACES = 5;
    private static final Duration WAIT = Duration.ofSeconds(20);
    private static final List<WorkspaceKind> KINDS = List.of(
            WorkspaceKind.of(1).with(1, 1).with(2, 1),
            WorkspaceKind.of(2).with(1, 100).with(3, 1).with(4, 200_001));
    private static final SequencerSettings SETTINGS = SequencerSettings.usual()
            .withLruCacheSize(2)
            .withMaxUnflushed(3, 10)
            .withWaits(Duration.ofMillis(5), Duration.ofMillis(10), Duration.ofSeconds(1), Duration.ofSeconds(1));

    private record Key(long workspace, int sequence) {}

    private final int seed;
    private final Random random;
    private final PartitionStore store;
    /** Time that stands still, and everything in one thread; nothing where there are threads. */
    private final Optional<TestEnvironment> still;

    private final Environment environment;
    private Sequencer sequencer;

    /** Of events that are in the log. */
    private Map<Key, Long> last = new HashMap<>();

    private long offset = 1;
    /** The same, and of what is sealed. */
    private Map<Key, Long> drawn = new HashMap<>();

    private final List<LogEvent> group = new ArrayList<>();
    private final List<SealedTransaction> sealed = new ArrayList<>();

    /** Everything in one thread, and time that stands still between transactions. */
    static RandomLife ofOneThread(int seed, PartitionStore store) {
        TestEnvironment still = new TestEnvironment();
        return new RandomLife(seed, store, still, Optional.of(still));
    }

    static RandomLife onThreads(int seed, PartitionStore store, SystemEnvironment environment) {
        return new RandomLife(seed, store, environment, Optional.empty());
    }

    private RandomLife(int seed, PartitionStore store, Environment environment, Optional<TestEnvironment> still) {
        this.seed = seed;
        this.store = store;
        this.environment = environment;
        this.still = still;
        random = new Random(seed);
        sequencer = open();
    }

    private Sequencer open() {
        return Sequencer.on(store, KINDS, SETTINGS, environment);
    }

    void live(int transactions) {
        for (int i = 0; i < transactions; i++) {
            transaction();
            if (random.nextInt(10) == 0) {
                pass(Duration.ofMillis(random.nextInt(1_000)));
            }
            if (random.nextInt(50) == 0) {
                changeOwner();
            }
        }
        drop();
        sequencer.start(1, 0, WAIT).orThrow().discard(); // a close amid a replay leaves the rest to the next one
        sequencer.close();
        last.forEach((key, value) -> {
            long[] stored = new long[1];
            assertThat(store.readNumbers(key.workspace(), new int[] {key.sequence()}, stored))
                    .isGreaterThan(0);
            assertThat(stored[0]).as("seed %s, %s", seed, key).isEqualTo(value);
        });
        if (offset > 1) {
            assertThat(store.checkpoint().orElseThrow().nextOffset()).isEqualTo(offset);
        }
        List<LogEvent> events = store.events(1, Integer.MAX_VALUE);
        assertThat(events).hasSize((int) offset - 1);
        assertThat(events.isEmpty() ? 0 : events.get(events.size() - 1).offset())
                .isEqualTo(offset - 1);
    }

    private void transaction() {
        long workspace = random.nextInt(WORKSPACES);
        WorkspaceKind kind = KINDS.get((int) workspace % 2);
        SequencingTransaction tx = sequencer.start(kind.id(), workspace, WAIT).orThrow();
        Map<Key, Long> before = new HashMap<>(drawn);
        assertThat(tx.plogOffset()).as("seed %s", seed).isEqualTo(offset + group.size());
        for (int i = random.nextInt(4); i > 0; i--) {
            draw(tx, kind, workspace);
        }
        end(tx, before);
    }

    private void draw(SequencingTransaction tx, WorkspaceKind kind, long workspace) {
        KindSequence sequence =
                kind.sequences().get(random.nextInt(kind.sequences().size()));
        Key key = new Key(workspace, sequence.id());
        long expected = Math.max(drawn.getOrDefault(key, 0L) + 1, sequence.initial());
        assertThat(tx.next(sequence.id())).as("seed %s, %s", seed, key).isEqualTo(expected);
        drawn.put(key, expected);
    }

    private void end(SequencingTransaction tx, Map<Key, Long> before) {
        switch (random.nextInt(8)) {
            case 0 -> {
                tx.discard();
                drawn = before;
            }
            case 1 -> {
                tx.actualize();
                forgetDrawn();
            }
            case 2 -> {
                group.add(tx.event(new byte[0]));
                append();
                tx.close(); // in the log, but its writer does not know
                commit();
            }
            case 3, 4 -> {
                group.add(tx.event(new byte[0]));
                sealed.add(tx.seal());
                if (random.nextInt(4) == 0) {
                    flushSealed();
                } else if (random.nextInt(6) == 0) {
                    append();
                    sequencer.actualize();
                    commit();
                } else if (random.nextInt(6) == 0) {
                    drop();
                }
            }
            default -> {
                group.add(tx.event(new byte[0]));
                append();
                tx.flush();
                commit();
            }
        }
    }

    private void flushSealed() {
        append();
        SealedTransaction one = sealed.get(random.nextInt(sealed.size()));
        assertThat(one.flush().size()).isGreaterThanOrEqualTo(0);
        if (one != sealed.get(sealed.size() - 1)) {
            assertThat(sealed.get(sealed.size() - 1).flush().size()).isGreaterThanOrEqualTo(0);
        }
        commit();
    }

    private void append() {
        assertThat(store.append(store.epoch(), WriteMode.INSERT_IF_ABSENT, group))
                .isInstanceOf(LogOutcome.Applied.class);
    }

    private void commit() {
        offset += group.size();
        last = new HashMap<>(drawn);
        group.clear();
        sealed.clear();
    }

    /** What is sealed did not go to the log. */
    private void drop() {
        if (!sealed.isEmpty()) {
            sequencer.actualize();
        }
        forgetDrawn();
    }

    private void forgetDrawn() {
        drawn = new HashMap<>(last);
        group.clear();
        sealed.clear();
    }

    /** The old one finds out when it writes. */
    private void changeOwner() {
        Sequencer old = sequencer;
        forgetDrawn();
        sequencer = open();
        OnePartition.await(() -> sequencer.status() != SequencerStatus.NONE);
        if (old.start(1, 0, WAIT) instanceof SequencingTransaction tx) {
            appendLate(tx);
            tx.actualize();
        }
        pass(Duration.ofSeconds(1));
        OnePartition.await(() -> old.status() == SequencerStatus.FENCED);
        old.close();
    }

    /** Where its flusher has found out meanwhile, the old one gives no event any more. */
    private void appendLate(SequencingTransaction tx) {
        LogEvent late;
        try {
            late = tx.event(new byte[0]);
        } catch (EventLogException e) {
            assertThat(e.code()).isEqualTo(ErrorCode.FENCED);
            return;
        }
        assertThat(store.append(late.epoch(), WriteMode.INSERT_IF_ABSENT, List.of(late)))
                .isInstanceOf(LogOutcome.Fenced.class);
    }

    private void pass(Duration time) {
        still.ifPresent(clock -> clock.pass(time));
    }
}
