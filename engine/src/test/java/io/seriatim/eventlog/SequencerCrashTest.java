package io.seriatim.eventlog;

import static org.assertj.core.api.Assertions.assertThat;

import io.seriatim.TestEnvironment;
import io.seriatim.eventlog.StoppingPartition.Ended;
import io.seriatim.eventlog.StoppingPartition.Trouble;
import io.seriatim.memory.MemoryEventLogStore;
import io.seriatim.store.Checkpoint;
import io.seriatim.store.EventHeader;
import io.seriatim.store.LogEvent;
import io.seriatim.store.LogOutcome;
import io.seriatim.store.PartitionKey;
import io.seriatim.store.PartitionStore;
import io.seriatim.store.StoreException;
import io.seriatim.store.WriteMode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * A life with everything in it, stopped at each of its calls to the store in every way, and its recovery stopped at each
 * of its calls again. What must hold afterwards is checked against the log itself.
 */
class SequencerCrashTest {

    private static final List<WorkspaceKind> KINDS = List.of(OnePartition.KIND);
    private static final SequencerSettings SETTINGS = SequencerSettings.usual()
            .withLruCacheSize(1)
            .withFlush(2, Duration.ofMillis(100))
            .withWaits(Duration.ofMillis(1), Duration.ofMillis(1), Duration.ofMillis(2), Duration.ofMillis(1));
    private static final int[] DRAWN = {1, 2};
    private static final int TRIES = 20;

    private record Key(long workspace, int sequence) {}

    /** What outlives every crash. */
    private static final class World {
        final PartitionStore memory = new MemoryEventLogStore().partition(new PartitionKey(1, 0));
        final List<LogEvent> acknowledged = new ArrayList<>();
        long covered = 1;
        int lives;
    }

    /** A process: who writes events, as the owner of the partition. */
    private static final class Life {
        private final World world;
        private final StoppingPartition store;
        private final TestEnvironment environment;
        private final Sequencer sequencer;

        Life(World world, Trouble trouble, int at) {
            this.world = world;
            store = new StoppingPartition(world.memory, trouble, at);
            environment = new TestEnvironment(1_000L * ++world.lives);
            sequencer = Sequencer.on(store, KINDS, SETTINGS, environment);
        }

        /** Nothing if this owner will start none any more. */
        private Optional<SequencingTransaction> start(long workspace) {
            for (int i = 0; i < TRIES; i++) {
                if (sequencer.start(1, workspace) instanceof SequencingTransaction tx) {
                    return Optional.of(tx);
                }
                environment.pass(Duration.ofMillis(200));
            }
            return Optional.empty();
        }

        /** An event with numbers of both sequences, two of the first; its body says them all. */
        private Optional<LogEvent> event(SequencingTransaction tx) {
            try {
                String drawn = tx.next(1) + "," + tx.next(1) + ";" + tx.next(2);
                return Optional.of(tx.event(drawn.getBytes(StandardCharsets.UTF_8)));
            } catch (EventLogException e) {
                return Optional.empty(); // of a store that fails
            }
        }

        private boolean append(List<LogEvent> events) {
            try {
                return store.append(events.get(0).epoch(), WriteMode.INSERT_IF_ABSENT, events)
                        instanceof LogOutcome.Applied;
            } catch (StoreException e) {
                return false;
            }
        }

        void command(long workspace) {
            start(workspace).ifPresent(tx -> {
                Optional<LogEvent> event = event(tx);
                if (event.isEmpty()) {
                    tx.discard();
                } else if (append(List.of(event.get()))) {
                    tx.flush();
                    world.acknowledged.add(event.get());
                } else {
                    tx.actualize();
                }
            });
        }

        void group(long... workspaces) {
            List<LogEvent> group = new ArrayList<>();
            List<SealedTransaction> sealed = new ArrayList<>();
            for (long workspace : workspaces) {
                Optional<SequencingTransaction> tx = start(workspace);
                if (tx.isEmpty()) {
                    break;
                }
                Optional<LogEvent> event = event(tx.get());
                if (event.isEmpty()) {
                    tx.get().discard();
                    break;
                }
                group.add(event.get());
                sealed.add(tx.get().seal());
            }
            if (group.isEmpty()) {
                return;
            }
            if (append(group)) {
                sealed.forEach(SealedTransaction::flush);
                world.acknowledged.addAll(group);
            } else {
                sequencer.actualize();
            }
        }

        void without(boolean discard) {
            start(1).ifPresent(tx -> {
                Optional<LogEvent> unused = event(tx);
                if (discard) {
                    tx.discard();
                } else {
                    tx.actualize();
                }
            });
        }

        void pass() {
            environment.pass(Duration.ofMillis(150));
        }

        /** A process that is no more closes nothing. */
        void close() {
            if (store.hasEnded()) {
                throw new Ended();
            }
            sequencer.close();
        }
    }

    private static boolean wholeLife(World world, Trouble trouble, int at) {
        Life life = new Life(world, trouble, at);
        try {
            life.command(1);
            life.command(2);
            life.group(1, 2, 1);
            life.pass();
            life.without(true);
            life.without(false);
            life.command(2);
            life.group(2, 1, 1);
            life.command(1);
            life.pass(); // a close that has to try again waits
            life.close();
        } catch (Ended e) {
            assertThat(life.store.hasEnded()).isTrue();
        }
        return life.store.wasReached();
    }

    private static boolean shortLife(World world, Trouble trouble, int at) {
        Life life = new Life(world, trouble, at);
        try {
            life.command(2);
            life.group(1, 2);
            life.pass();
            life.close();
        } catch (Ended e) {
            assertThat(life.store.hasEnded()).isTrue();
        }
        return life.store.wasReached();
    }

    private static boolean lifeWithMuchToClose(World world, Trouble trouble, int at) {
        Life life = new Life(world, trouble, at);
        try {
            life.command(1);
            life.close();
        } catch (Ended e) {
            assertThat(life.store.hasEnded()).isTrue();
        }
        return life.store.wasReached();
    }

    @Test
    void close_troubledAtEachCall_losesAndRepeatsNothing() {
        for (Trouble trouble : Trouble.values()) {
            boolean reached = true;
            for (int at = 1; reached; at++) {
                World world = new World();
                reached = lifeWithMuchToClose(world, trouble, at);
                check(world, trouble + " at " + at);
                assertThat(shortLife(world, trouble, Integer.MAX_VALUE)).isFalse();
                checkWhole(world, trouble + " at " + at + ", reopened");
            }
        }
    }

    @Test
    void life_troubledAtEachCall_losesAndRepeatsNothing() {
        for (Trouble trouble : Trouble.values()) {
            boolean reached = true;
            for (int at = 1; reached; at++) {
                World world = new World();
                reached = wholeLife(world, trouble, at);
                check(world, trouble + " at " + at);
                assertThat(shortLife(world, trouble, Integer.MAX_VALUE)).isFalse();
                checkWhole(world, trouble + " at " + at + ", reopened");
            }
        }
    }

    @Test
    void recovery_troubledAtEachCallAfterACrashAtEach_losesAndRepeatsNothing() {
        int lives = 0;
        boolean firstReached = true;
        for (int first = 1; firstReached; first++) {
            for (Trouble trouble : Trouble.values()) {
                boolean reached = true;
                for (int second = 1; reached; second++) {
                    World world = new World();
                    firstReached = wholeLife(world, Trouble.STOPPED_BEHIND, first);
                    String where = "stopped at " + first + ", then " + trouble + " at " + second;
                    check(world, where);
                    reached = shortLife(world, trouble, second);
                    check(world, where);
                    assertThat(shortLife(world, trouble, Integer.MAX_VALUE)).isFalse();
                    checkWhole(world, where);
                    lives++;
                }
            }
        }
        assertThat(lives).isGreaterThan(1_000);
    }

    /** What holds at every instant. */
    private static void check(World world, String where) {
        List<LogEvent> events = world.memory.events(1, Integer.MAX_VALUE);
        Set<String> numbers = new HashSet<>();
        for (int i = 0; i < events.size(); i++) {
            LogEvent event = events.get(i);
            assertThat(event.offset()).as(where).isEqualTo(i + 1);
            String[] drawn = new String(event.body(), StandardCharsets.UTF_8).split(";");
            String workspace = event.header().workspace() + ":";
            for (String number : drawn[0].split(",")) {
                assertThat(numbers.add(workspace + "1:" + number))
                        .as("%s: %s of event %s is the first", where, number, i + 1)
                        .isTrue();
            }
            assertThat(numbers.add(workspace + "2:" + drawn[1])).as(where).isTrue();
        }
        assertThat(events).as(where).containsAll(world.acknowledged);

        Optional<Checkpoint> checkpoint = world.memory.checkpoint();
        long covered = checkpoint.map(Checkpoint::nextOffset).orElse(1L);
        assertThat(covered).as(where).isBetween(world.covered, events.size() + 1L);
        world.covered = covered;
        Map<Key, Long> last = last(events.subList(0, (int) covered - 1));
        last.forEach((key, value) ->
                assertThat(stored(world, key)).as("%s: %s", where, key).isGreaterThanOrEqualTo(value));
    }

    /** What holds after a life that ended well. */
    private static void checkWhole(World world, String where) {
        check(world, where);
        List<LogEvent> events = world.memory.events(1, Integer.MAX_VALUE);
        assertThat(world.covered).as(where).isEqualTo(events.size() + 1);
        Map<Key, Long> last = last(events);
        last.forEach((key, value) ->
                assertThat(stored(world, key)).as("%s: %s", where, key).isEqualTo(value));
        Life next = new Life(world, Trouble.FAILED, Integer.MAX_VALUE);
        for (long workspace = 1; workspace <= 2; workspace++) {
            SequencingTransaction tx = next.start(workspace).orElseThrow();
            assertThat(tx.plogOffset()).as(where).isEqualTo(events.size() + 1);
            for (int sequence : DRAWN) {
                long expected = last.getOrDefault(new Key(workspace, sequence), 0L) + 1;
                assertThat(tx.next(sequence)).as(where).isEqualTo(expected);
            }
            tx.discard();
        }
    }

    private static Map<Key, Long> last(List<LogEvent> events) {
        Map<Key, Long> last = new HashMap<>();
        for (LogEvent event : events) {
            EventHeader header = event.header();
            for (int i = 0; i < header.sequences().length; i++) {
                last.merge(new Key(header.workspace(), header.sequences()[i]), header.values()[i], Math::max);
            }
        }
        return last;
    }

    private static long stored(World world, Key key) {
        long[] values = new long[1];
        int unused = world.memory.readNumbers(key.workspace(), new int[] {key.sequence()}, values);
        return values[0];
    }
}
