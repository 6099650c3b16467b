package io.seriatim.eventlog.application;

import static org.assertj.core.api.Assertions.assertThat;

import io.seriatim.ErrorCode;
import io.seriatim.TestEnvironment;
import io.seriatim.eventlog.EventLogException;
import io.seriatim.eventlog.SequencerSettings;
import io.seriatim.memory.MemoryClusterStore;
import io.seriatim.memory.MemoryEventLogStore;
import io.seriatim.store.ClusterStore;
import io.seriatim.store.LeaseRow;
import io.seriatim.store.LogEvent;
import io.seriatim.store.NodeRow;
import io.seriatim.store.PartitionKey;
import io.seriatim.store.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * Several processes on one store in memory, each with a clock of its own. Everything happens in one thread: a process does
 * something only when its time is moved, so one that is killed or stopped is one whose time is not.
 */
final class ClusterWorld {

    static final Duration LEASE = Duration.ofSeconds(10);
    private static final Duration STEP = Duration.ofMillis(50);
    private static final ApplicationDefinition SHOP = ApplicationDefinition.ofPartitions(4)
            .kind("shop", "RecordID", 200_001)
            .type("customer", RecordKind.CDOC);
    private static final SequencerSettings SEQUENCER = SequencerSettings.usual()
            .withFlush(2, Duration.ofMillis(100))
            .withWaits(Duration.ofMillis(1), Duration.ofMillis(1), Duration.ofMillis(20), Duration.ofMillis(1));

    final MemoryEventLogStore log = new MemoryEventLogStore();
    /** The clock of the store; the test may set it. */
    Duration storeTime = Duration.ZERO;

    final MemoryClusterStore cluster = new MemoryClusterStore(() -> storeTime.toNanos());
    /** By name, those that were not killed and have not left. */
    final Map<String, Node> nodes = new LinkedHashMap<>();
    /** The tags of commands that have happened, by place. */
    final Map<String, String> happened = new HashMap<>();

    private int names;
    private int tags;

    /** A process. */
    final class Node {
        final String name;
        final TestEnvironment environment;
        final Applications applications;
        /** What it has told of itself and the others. */
        final List<ClusterEvent> told = new ArrayList<>();
        /** Stopped, as by SIGSTOP. */
        boolean isStopped;

        private Duration missed = Duration.ZERO;
        /** What happens between a call to the cluster store and the one after it, once. */
        private Optional<Runnable> between = Optional.empty();

        private Optional<Runnable> afterLease = Optional.empty();

        private Node(String name, String url) {
            this.name = name;
            environment = new TestEnvironment(1_000L * (names + 1));
            environment.pass(Duration.ofHours(names)); // no two clocks agree
            applications = Applications.sharing(
                    new ForwardingStore(log) {
                        @Override
                        public void close() {} // the others go on
                    },
                    new Watched(),
                    new ClusterMember(name, url, LEASE),
                    ApplicationSettings.usual().withSequencer(SEQUENCER),
                    environment,
                    told::add);
        }

        /** Lets something happen when a partition's row is written as this node's, before the node does anything more. */
        void afterNextLease(Runnable task) {
            afterLease = Optional.of(task);
        }

        /** Lets something happen after the next read of the rows, before what the node makes of them. */
        void afterNextRead(Runnable task) {
            between = Optional.of(task);
        }

        private final class Watched implements ClusterStore {
            @Override
            public Rows read() {
                Rows rows = cluster.read();
                Optional<Runnable> task = between;
                between = Optional.empty();
                task.ifPresent(Runnable::run);
                return rows;
            }

            @Override
            public void write(NodeRow node) {
                cluster.write(node);
            }

            @Override
            public void remove(String node, long beat) {
                cluster.remove(node, beat);
            }

            @Override
            public Outcome write(LeaseRow lease) {
                Outcome outcome = cluster.write(lease);
                Optional<Runnable> task = lease.owner().equals(name) ? afterLease : Optional.empty();
                if (task.isPresent()) {
                    afterLease = Optional.empty();
                    task.get().run();
                }
                return outcome;
            }
        }

        List<Integer> partitions() {
            return applications
                    .find("shop")
                    .map(shop ->
                            shop.partitions().stream().map(Partition::number).toList())
                    .orElse(List.of());
        }

        /** Stands still: its time goes on, and it does nothing. */
        void stop() {
            isStopped = true;
        }

        /** Goes on where it stood; its clock has gone on meanwhile. */
        void goOn() {
            isStopped = false;
            Duration late = missed;
            missed = Duration.ZERO;
            environment.pass(late);
        }

        void kill() {
            nodes.remove(name);
        }

        /** Ends cleanly. */
        void leave() {
            nodes.remove(name);
            applications.close();
        }

        /** Sends a command; the code of the refusal, or empty if it has happened. */
        Optional<ErrorCode> append(long workspace) {
            String tag = "t" + ++tags;
            CompletableFuture<Appended> answer;
            try {
                answer = applications
                        .get("shop")
                        .submit(Command.in("shop", workspace)
                                .create(NewRecord.of("customer", 1).with("tag", tag)));
                for (int i = 0; i < 40 && !answer.isDone(); i++) {
                    environment.pass(Duration.ofMillis(5));
                }
                Appended appended = answer.join();
                String place = appended.partition() + "/" + appended.plogOffset();
                assertThat(happened.put(place, tag))
                        .as("two answers name " + place)
                        .isNull();
                return Optional.empty();
            } catch (CompletionException e) {
                if (e.getCause() instanceof EventLogException refused) {
                    return Optional.of(refused.code());
                }
                throw e;
            } catch (EventLogException e) {
                return Optional.of(e.code());
            } catch (StoreException e) {
                return Optional.of(ErrorCode.STORE_UNAVAILABLE);
            }
        }
    }

    Node start() {
        return start("http://127.0.0.1:" + (7450 + names));
    }

    Node start(String url) {
        String name = "n" + names;
        Node node = new Node(name, url);
        names++;
        nodes.put(name, node);
        return node;
    }

    void deploy(Node node) {
        var unused = node.applications.deploy("shop", SHOP);
    }

    /** Lets time pass for all that are not stopped, in small steps; for those that are it counts all the same. */
    void pass(Duration time) {
        for (Duration left = time; !left.isZero(); left = left.minus(STEP)) {
            storeTime = storeTime.plus(STEP);
            for (Node node : List.copyOf(nodes.values())) {
                if (node.isStopped) {
                    node.missed = node.missed.plus(STEP);
                } else {
                    node.environment.pass(STEP);
                }
            }
        }
    }

    /** Who runs which partitions. */
    Map<String, List<Integer>> running() {
        Map<String, List<Integer>> running = new TreeMap<>();
        nodes.values().forEach(node -> running.put(node.name, node.partitions()));
        return running;
    }

    /** Every partition runs once, evenly spread, under the epoch that the store has, and commands are carried out. */
    void requireWhole() {
        List<Integer> all =
                running().values().stream().flatMap(Collection::stream).sorted().toList();
        assertThat(all).as("running: " + running()).containsExactly(0, 1, 2, 3);
        for (Node node : nodes.values()) {
            for (Partition each : node.applications.get("shop").partitions()) {
                assertThat(each.state().status()).isEqualTo(PartitionStatus.READY);
                assertThat(each.state().sequencer().epoch())
                        .isEqualTo(log.partition(new PartitionKey(1, each.number()))
                                .epoch());
                assertThat(node.append(each.number())).isEmpty();
            }
        }
    }

    /** What the logs hold is what was answered: offsets without a hole, each answered command at its place, none twice. */
    void requireHistory() {
        Map<String, String> there = new HashMap<>();
        for (int partition = 0; partition < 4; partition++) {
            List<LogEvent> events =
                    log.partition(new PartitionKey(1, partition)).events(1, Integer.MAX_VALUE);
            for (int i = 0; i < events.size(); i++) {
                assertThat(events.get(i).offset()).isEqualTo(i + 1L);
                String tag = String.valueOf(EventBody.decode(events.get(i).body())
                        .cuds()
                        .get(0)
                        .fields()
                        .asMap()
                        .get("tag"));
                there.put(partition + "/" + (i + 1), tag);
            }
        }
        assertThat(there).containsAllEntriesOf(happened);
        assertThat(there.values()).doesNotHaveDuplicates();
    }

    Map<Integer, String> owners() {
        Map<Integer, String> owners = new TreeMap<>();
        for (LeaseRow lease : cluster.read().leases()) {
            owners.put(lease.key().partition(), lease.owner());
        }
        return owners;
    }

    List<String> nodeRows() {
        return new ArrayList<>(
                cluster.read().nodes().stream().map(NodeRow::node).toList());
    }
}
