package io.seriatim.eventlog.application;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.seriatim.ErrorCode;
import io.seriatim.eventlog.EventLogException;
import io.seriatim.eventlog.application.ClusterWorld.Node;
import io.seriatim.store.PartitionKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nodes that come, go, die, stand still and come back; time is the test's. */
class MembershipTest {

    private static final Duration LOOK = Duration.ofMillis(200);
    private static final Duration BEAT = Duration.ofMillis(1_300);

    private final ClusterWorld world = new ClusterWorld();

    @Test
    void node_thatIsAlone_hasEverything_atOnce() {
        Node a = world.start();
        world.deploy(a);
        assertThat(a.partitions()).containsExactly(0, 1, 2, 3);
        world.requireWhole();
        ClusterState state = a.applications.cluster().orElseThrow();
        assertThat(state.nodes()).containsExactly(new ClusterState.Node("n0", "http://127.0.0.1:7450", true));
        assertThat(state.partitions()).hasSize(4);
        assertThat(state.taken()).isEqualTo(4);
    }

    @Test
    void node_thatJoins_isHandedHalf_withoutALoss() {
        Node a = world.start();
        world.deploy(a);
        for (int i = 0; i < 8; i++) {
            assertThat(a.append(i)).isEmpty();
        }
        Node b = world.start();
        world.pass(BEAT);
        assertThat(a.partitions()).hasSize(2);
        assertThat(b.partitions()).hasSize(2);
        world.requireWhole();
        world.requireHistory();
        assertThat(a.applications.cluster().orElseThrow().lost()).isZero();
        assertThat(a.applications.cluster().orElseThrow())
                .extracting(ClusterState::nodes, ClusterState::partitions)
                .isEqualTo(List.of(
                        b.applications.cluster().orElseThrow().nodes(),
                        b.applications.cluster().orElseThrow().partitions()));
    }

    @Test
    void nodes_thatStartTogether_shareWithoutTakingAnythingTwice() {
        world.deploy(world.start());
        world.nodes.values().iterator().next().leave();
        Node b = world.start();
        Node c = world.start();
        world.pass(BEAT);
        world.requireWhole();
        assertThat(b.partitions()).hasSize(2);
        assertThat(c.partitions()).hasSize(2);
        assertThat(b.applications.cluster().orElseThrow().lost()).isZero();
    }

    @Test
    void node_thatReadsThatAPartitionIsFree_doesNotTakeItFromWhoWasFaster() {
        Node a = world.start();
        world.deploy(a);
        Node b = world.start();
        world.pass(BEAT);
        List<Integer> ofB = b.partitions();
        a.leave();
        b.afterNextRead(() -> assertThat(world.start().partitions()).hasSize(2));
        world.pass(Duration.ofMillis(100));
        assertThat(b.partitions()).isEqualTo(ofB);
        world.pass(BEAT);
        world.requireWhole();
        assertThat(b.applications.cluster().orElseThrow().lost()).isZero();
    }

    /** It opened the partition for longer than its lease after it had looked, and shut out who had it by then. */
    @Test
    void node_thatStandsStillBetweenLeaseAndOpening_looksAgainFirst() {
        Node a = world.start();
        world.deploy(a);
        Node b = world.start();
        world.pass(BEAT);
        List<Integer> ofB = b.partitions();
        a.leave();
        List<Node> stood = new ArrayList<>();
        b.afterNextLease(() -> {
            b.environment.skip(ClusterWorld.LEASE);
            stood.add(b);
        });
        while (stood.isEmpty()) {
            world.pass(Duration.ofMillis(50));
        }
        assertThat(b.partitions()).isEqualTo(ofB);
        world.pass(BEAT);
        assertThat(b.partitions()).containsExactly(0, 1, 2, 3);
        world.requireWhole();
    }

    /** Its row stayed, and the others waited for a whole lease of a node that had left cleanly. */
    @Test
    void node_thatLeavesWhileItTakesAPartition_keepsNoLease() {
        Node a = world.start();
        world.deploy(a);
        Node b = world.start();
        world.pass(BEAT);
        a.leave();
        b.afterNextLease(b::leave);
        world.pass(BEAT);
        assertThat(world.nodes).isEmpty();
        assertThat(world.owners().values()).containsOnly("");
    }

    @Test
    void node_thatDiedBeforeAnybodyLooked_isGivenNothing() {
        world.start().kill();
        Node a = world.start();
        world.deploy(a);
        assertThat(a.partitions()).hasSize(4);
        world.requireWhole();
    }

    @Test
    void node_thatLeaves_handsOverAtOnce() {
        Node a = world.start();
        world.deploy(a);
        Node b = world.start();
        world.pass(BEAT);
        for (int partition : a.partitions()) {
            assertThat(a.append(partition)).isEmpty();
        }
        a.leave();
        assertThat(world.owners().values()).containsOnly("", "n1");
        world.pass(LOOK);
        world.requireWhole();
        assertThat(b.partitions()).hasSize(4);
        assertThat(world.nodeRows()).containsExactly("n1");
        assertThat(b.applications.cluster().orElseThrow().takenFromDead()).isZero();
        world.requireHistory();
    }

    @Test
    void node_thatIsKilled_isFollowedAfterItsLease_notBefore() {
        Node a = world.start();
        world.deploy(a);
        Node b = world.start();
        world.pass(BEAT);
        List<Integer> mine = b.partitions();
        a.kill();
        world.pass(ClusterWorld.LEASE.minus(BEAT)); // its last beat may have been a second ago
        assertThat(b.partitions()).isEqualTo(mine);
        assertThat(b.append(elsewhere(mine))).contains(ErrorCode.RECOVERING);
        world.pass(BEAT.plus(LOOK));
        world.requireWhole();
        assertThat(b.partitions()).hasSize(4);
        assertThat(b.applications.cluster().orElseThrow().takenFromDead()).isEqualTo(2);
        assertThat(b.applications.cluster().orElseThrow().nodes()).anyMatch(node -> !node.isAlive());
        world.pass(ClusterWorld.LEASE.multipliedBy(11));
        assertThat(world.nodeRows()).containsExactly("n1");
    }

    @Test
    void command_afterAKill_waitsForTwoBeats_andTheNextOneForNothing() {
        Node server = world.start();
        world.deploy(server);
        assertThat(server.append(0)).isEmpty();
        server.kill();
        world.pass(ClusterWorld.LEASE.plus(BEAT));

        Node first = world.start("");
        assertThat(first.applications.cluster().orElseThrow().nodes())
                .contains(new ClusterState.Node("n0", "http://127.0.0.1:7450", false));
        assertThat(first.partitions()).isEmpty(); // a step of the store's clock would look the same
        world.pass(BEAT.plus(BEAT));
        world.requireWhole();
        first.leave();
        assertThat(world.owners().values()).containsOnly("");

        Node second = world.start("");
        assertThat(second.partitions()).hasSize(4);
        world.requireWhole();
        second.leave();
        world.pass(ClusterWorld.LEASE.multipliedBy(10));
        Node third = world.start("");
        world.pass(BEAT.plus(BEAT));
        assertThat(world.nodeRows()).containsExactly(third.name);
        world.requireHistory();
    }

    @Test
    void command_rightAfterAKill_waitsForTheLease_asNobodyKnowsYet() {
        Node server = world.start();
        world.deploy(server);
        server.kill();
        Node visitor = world.start("");
        world.pass(ClusterWorld.LEASE.minus(LOOK));
        assertThat(visitor.partitions()).isEmpty();
        world.pass(LOOK.plus(LOOK));
        world.requireWhole();
    }

    @Test
    void clockOfTheStore_thatIsSetForward_takesNothingFromWhoBeats() {
        Node a = world.start();
        world.deploy(a);
        world.storeTime = world.storeTime.plus(Duration.ofDays(1));
        Node b = world.start();
        world.pass(LOOK);
        assertThat(a.partitions()).hasSize(4);
        world.pass(BEAT);
        world.requireWhole();
        assertThat(b.partitions()).hasSize(2);
        world.storeTime = world.storeTime.minus(Duration.ofDays(2));
        world.pass(BEAT);
        assertThat(a.applications.cluster().orElseThrow().lost()).isZero();
        assertThat(b.applications.cluster().orElseThrow().takenFromDead()).isZero();
        assertThat(world.nodeRows()).containsExactly("n0", "n1");
        world.requireWhole();
    }

    @Test
    void deadNode_withPartitionsOfALogThatIsDeployedNoMore_goesToo() {
        Node a = world.start();
        world.deploy(a);
        Node b = world.start();
        world.pass(BEAT);
        a.kill();
        assertThat(b.applications.undeploy("shop")).isTrue();
        world.pass(ClusterWorld.LEASE.multipliedBy(11));
        assertThat(world.owners().values()).containsOnly("");
        assertThat(world.nodeRows()).containsExactly("n1");
    }

    @Test
    void whatBecomesOfNodesAndPartitions_isToldOnce() {
        Node a = world.start();
        world.deploy(a);
        world.pass(LOOK);
        assertThat(a.told).hasSize(4).allMatch(event -> event instanceof ClusterEvent.Opened);
        a.told.clear();
        Node b = world.start();
        world.pass(BEAT);
        assertThat(a.told)
                .contains(new ClusterEvent.Joined("n1", "http://127.0.0.1:7451"))
                .filteredOn(event -> event instanceof ClusterEvent.HandedOver handed
                        && handed.to().equals("n1"))
                .hasSize(2);
        assertThat(b.told)
                .contains(new ClusterEvent.Joined("n0", "http://127.0.0.1:7450"))
                .filteredOn(event -> event instanceof ClusterEvent.Opened opened && opened.epoch() == 2)
                .hasSize(2);
        assertThat(a.told).hasSize(3);
        assertThat(b.told).hasSize(3);
        a.told.clear();
        b.told.clear();

        a.stop();
        world.pass(ClusterWorld.LEASE.plus(BEAT));
        assertThat(b.told)
                .contains(new ClusterEvent.Died("n0", "http://127.0.0.1:7450", ClusterWorld.LEASE))
                .filteredOn(event -> event instanceof ClusterEvent.Opened opened
                        && opened.deadOwner().equals(Optional.of("n0"))
                        && opened.epoch() == 2)
                .hasSize(2);
        a.goOn();
        world.pass(LOOK);
        assertThat(a.told)
                .filteredOn(event ->
                        event instanceof ClusterEvent.Lost lost && lost.to().equals("n1") && lost.epoch() == 1)
                .hasSize(2);
        assertThat(a.told)
                .filteredOn(event -> event instanceof ClusterEvent.Paused)
                .hasSize(1);
        world.pass(BEAT);
        a.told.clear();
        b.leave();
        world.pass(LOOK);
        assertThat(a.told).contains(new ClusterEvent.Left("n1", "http://127.0.0.1:7451"));
    }

    @Test
    void twoNodes_thatSayTheyAreCalledAtOnePlace_areToldSo() {
        Node a = world.start("http://127.0.0.1:7450");
        world.deploy(a);
        Node b = world.start("http://127.0.0.1:7450");
        world.pass(BEAT.plus(BEAT));
        world.requireWhole();
        assertThat(a.told).containsOnlyOnce(new ClusterEvent.SameUrl("n1", "http://127.0.0.1:7450"));
        assertThat(b.told).containsOnlyOnce(new ClusterEvent.SameUrl("n0", "http://127.0.0.1:7450"));
    }

    @Test
    void deployment_isSeenByWhoeverAsks_withTheNextLook() {
        Node a = world.start();
        Node b = world.start();
        world.pass(BEAT);
        world.deploy(a);
        world.pass(BEAT);
        ApplicationDefinition more = a.applications.get("shop").definition().type("order", RecordKind.ODOC);
        assertThat(a.applications.deploy("shop", more).created()).isFalse();
        CompletableFuture<Void> looked = b.applications.lookAgain();
        assertThat(looked).isNotDone();
        world.pass(Duration.ofMillis(100));
        assertThat(looked).isDone();
        assertThat(b.applications.get("shop").definition()).isEqualTo(more);
        world.requireWhole();
    }

    @Test
    void node_thatStoodStillBeyondItsLease_findsItselfFenced_andGivesUpWithoutHarm() {
        Node a = world.start();
        world.deploy(a);
        Node b = world.start();
        world.pass(BEAT);
        int partition = a.partitions().get(0);
        Partition stale = a.applications.get("shop").partition(partition);
        a.stop();
        world.pass(ClusterWorld.LEASE.plus(BEAT));
        assertThat(b.partitions()).hasSize(4);
        assertThat(b.append(partition)).isEmpty();

        // it goes on in the middle of a command and of a read, before any of its looks
        assertThat(stale.state().status()).isEqualTo(PartitionStatus.READY);
        assertThat(a.append(partition)).isPresent();
        a.isStopped = false;
        a.environment.hold();
        a.environment.pass(ClusterWorld.LEASE.plus(BEAT));
        assertThatThrownBy(() -> stale.events(1, 10))
                .isInstanceOfSatisfying(
                        EventLogException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.RECOVERING));
        a.environment.release();

        world.pass(BEAT);
        world.requireWhole();
        assertThat(a.applications.cluster().orElseThrow().lost()).isPositive();
        assertThat(a.partitions()).hasSize(2);
        world.requireHistory();
    }

    @Test
    void node_thatStoodStillItself_takesNobodyForDead() {
        Node a = world.start();
        world.deploy(a);
        Node b = world.start();
        world.pass(BEAT);
        List<Integer> ofA = a.partitions();
        b.stop();
        world.pass(ClusterWorld.LEASE.dividedBy(2));
        b.goOn();
        // and in the worst place: between the read of the rows and what follows from them
        b.afterNextRead(() -> {
            b.environment.hold();
            b.environment.pass(ClusterWorld.LEASE.multipliedBy(2));
            a.environment.pass(ClusterWorld.LEASE.multipliedBy(2));
        });
        world.pass(LOOK);
        b.environment.release();
        assertThat(a.partitions()).containsAll(ofA);
        assertThat(b.applications.cluster().orElseThrow().takenFromDead()).isZero();
        world.pass(BEAT);
        world.requireWhole();
        assertThat(b.partitions()).hasSize(2);
        world.requireHistory();
    }

    @Test
    void nodes_thatFlap_loseNothing() {
        Node a = world.start();
        world.deploy(a);
        for (int i = 0; i < 6; i++) {
            Node b = world.start();
            world.pass(LOOK);
            for (int workspace = 0; workspace < 4; workspace++) {
                var unusedA = a.append(workspace);
                var unusedB = b.append(workspace);
            }
            if (i % 2 == 0) {
                b.leave();
            } else {
                b.kill();
            }
        }
        world.pass(ClusterWorld.LEASE.plus(BEAT));
        world.requireWhole();
        world.requireHistory();
        assertThat(world.happened).hasSizeGreaterThan(12);
    }

    @Test
    void deployment_reachesTheOthers_withinASecond() {
        Node a = world.start();
        Node b = world.start();
        world.pass(BEAT);
        world.deploy(a);
        assertThat(a.partitions()).hasSize(2);
        world.pass(LOOK);
        world.requireWhole();
        assertThat(b.partitions()).hasSize(2);
        ApplicationDefinition more = a.applications.get("shop").definition().type("order", RecordKind.ODOC);
        assertThat(b.applications.deploy("shop", more).created()).isFalse();
        world.pass(BEAT);
        assertThat(a.applications.get("shop").definition()).isEqualTo(more);
        world.requireWhole();
        assertThat(a.applications.undeploy("shop")).isTrue();
        world.pass(BEAT);
        assertThat(b.applications.find("shop")).isEmpty();
        assertThat(world.owners().values()).containsOnly("");
    }

    @Test
    void process_thatServesNobody_hasPartitionsOnlyWhileNoServerLives() {
        Node visitor = world.start("");
        world.deploy(visitor);
        assertThat(visitor.partitions()).hasSize(4);
        Node server = world.start();
        world.pass(BEAT);
        assertThat(visitor.partitions()).isEmpty();
        assertThat(server.partitions()).hasSize(4);
        world.requireWhole();
    }

    @Test
    void partition_thatRunsElsewhere_saysWhere() {
        Node a = world.start();
        world.deploy(a);
        Node b = world.start();
        world.pass(BEAT);
        int there = b.partitions().get(0);
        assertThatThrownBy(() -> a.applications.get("shop").partition(there))
                .isInstanceOfSatisfying(
                        ElsewhereException.class,
                        e -> assertThat(e.owner())
                                .contains(new ClusterState.Node("n1", "http://127.0.0.1:7451", true)));
    }

    /** It showed its log without what the other one had written, until its own next write. */
    @Test
    void owner_thatIsPassedOver_showsNothing_fromThenOn() {
        Node a = world.start();
        world.deploy(a);
        assertThat(a.append(0)).isEmpty();
        Partition partition = a.applications.get("shop").partition(0);
        assertThat(partition.events(1, 10).events()).hasSize(1);
        assertThat(world.log.partition(new PartitionKey(1, 0)).take()).isPositive();
        assertThat(partition.state().status()).isEqualTo(PartitionStatus.READY);
        List<ThrowingCallable> reads = List.of(
                () -> partition.events(1, 10), () -> partition.workspaceEvents(0, 1, 10), () -> partition.record(0, 1));
        for (ThrowingCallable read : reads) {
            assertThatThrownBy(read)
                    .isInstanceOfSatisfying(
                            EventLogException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.RECOVERING));
        }
        assertThat(partition.state().status()).isEqualTo(PartitionStatus.FENCED);
        world.pass(BEAT);
        assertThat(a.applications.get("shop").partition(0).events(1, 10).events())
                .hasSize(1);
        world.requireWhole();
        world.requireHistory();
    }

    @Test
    void owner_thatIsFencedBySomebodyWithoutALease_takesItsPartitionBack() {
        Node a = world.start();
        world.deploy(a);
        assertThat(a.append(0)).isEmpty();
        assertThat(world.log.partition(new PartitionKey(1, 0)).take()).isPositive();
        assertThat(a.append(0)).isPresent();
        world.pass(BEAT);
        world.requireWhole();
        world.requireHistory();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
    void anything_inAnyOrder_losesNothing(long seed) {
        Random random = new Random(seed);
        world.deploy(world.start());
        for (int i = 0; i < 150; i++) {
            step(random);
        }
        List.copyOf(world.nodes.values()).stream()
                .filter(node -> node.isStopped)
                .forEach(Node::goOn);
        if (world.nodes.isEmpty()) {
            var unused = world.start();
        }
        world.pass(ClusterWorld.LEASE.plus(BEAT).plus(BEAT));
        world.requireWhole();
        world.requireHistory();
        assertThat(world.happened).as("commands that have happened").hasSizeGreaterThan(8);
        Map<String, List<Integer>> running = world.running();
        Stream<Integer> sizes = running.values().stream().map(Collection::size);
        assertThat(sizes.mapToInt(size -> size).summaryStatistics())
                .satisfies(each -> assertThat(each.getMax() - each.getMin()).isLessThanOrEqualTo(1));
    }

    private void step(Random random) {
        List<Node> nodes = List.copyOf(world.nodes.values());
        int kind = random.nextInt(100);
        if (nodes.isEmpty() || kind < 5 && nodes.size() < 4) {
            var unused = world.start();
            return;
        }
        Node node = nodes.get(random.nextInt(nodes.size()));
        if (kind < 8) {
            node.kill();
        } else if (kind < 11 && !node.isStopped) {
            node.leave();
        } else if (kind < 15 && !node.isStopped) {
            node.stop();
        } else if (kind < 22 && node.isStopped) {
            node.goOn();
        } else if (kind < 24 && !node.isStopped && nodes.size() > 1) {
            node.afterNextRead(() -> world.nodes.values().stream()
                    .filter(other -> other != node && !other.isStopped)
                    .findFirst()
                    .ifPresent(other -> other.environment.pass(Duration.ofMillis(random.nextInt(15_000)))));
        } else if (kind < 60) {
            var unused = node.append(random.nextInt(8)); // a stopped one goes on for just this
        } else {
            world.pass(Duration.ofMillis(50L * random.nextInt(60)));
        }
    }

    private static int elsewhere(List<Integer> mine) {
        return Stream.of(0, 1, 2, 3)
                .filter(each -> !mine.contains(each))
                .findFirst()
                .orElseThrow();
    }
}
