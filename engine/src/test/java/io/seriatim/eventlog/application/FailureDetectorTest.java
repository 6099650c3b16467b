package io.seriatim.eventlog.application;

import static org.assertj.core.api.Assertions.assertThat;

import io.seriatim.eventlog.application.FailureDetector.Nodes;
import io.seriatim.store.ClusterStore;
import io.seriatim.store.LeaseRow;
import io.seriatim.store.NodeRow;
import io.seriatim.store.PartitionKey;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a node makes of the rows of another one, look by look. */
class FailureDetectorTest {

    private static final Duration LEASE = Duration.ofSeconds(10);
    private static final Duration SHORT_OF_LEASE = LEASE.minusNanos(1);
    private static final Duration TWO_BEATS = Duration.ofSeconds(2);

    private final FailureDetector detector = new FailureDetector(new ClusterMember("self", "http://self", LEASE));
    private Duration now = Duration.ofDays(-3);

    /** A look that takes no time. */
    private Nodes look(long beat, Duration silence) {
        return look(beat, silence, Duration.ZERO);
    }

    private Nodes look(long beat, Duration silence, Duration length) {
        long before = now.toNanos();
        now = now.plus(length);
        NodeRow other = new NodeRow("other", "http://other", beat, LEASE);
        NodeRow self = new NodeRow("self", "http://self", 1, LEASE);
        return detector.look(
                new ClusterStore.Rows(List.of(other, self), Map.of("other", silence), List.of()),
                before,
                now.toNanos());
    }

    private void pass(Duration time) {
        now = now.plus(time);
    }

    @Test
    void node_thatHasJustBeaten_livesAndIsNotProvenYet() {
        Nodes nodes = look(1, Duration.ZERO);
        assertThat(nodes.living()).containsExactlyInAnyOrder("self", "other");
        assertThat(nodes.isShownAlive("other")).isTrue();
        assertThat(nodes.proven()).isEmpty();
        assertThat(look(2, Duration.ZERO).proven()).containsExactly("other");
    }

    @Test
    void node_whoseRowStays_diesWithItsLeaseAndNotBefore() {
        assertThat(look(1, Duration.ZERO).lives("other")).isTrue();
        pass(SHORT_OF_LEASE);
        assertThat(look(1, SHORT_OF_LEASE).lives("other")).isTrue();
        pass(Duration.ofNanos(1));
        assertThat(look(1, SHORT_OF_LEASE).lives("other")).isFalse();
        assertThat(look(2, Duration.ZERO).lives("other")).isTrue();
    }

    @Test
    void look_thatTakesLongerThanALease_makesNobodyDead() {
        assertThat(look(1, Duration.ZERO, LEASE.multipliedBy(2)).lives("other")).isTrue();
        assertThat(look(1, Duration.ZERO, LEASE.multipliedBy(2)).lives("other")).isTrue();
        assertThat(look(1, Duration.ZERO).lives("other")).isFalse(); // seen for two leases by now, the second look long
    }

    @Test
    void node_thatWasSilentWhenThisOneCame_isShownAsDeadAtOnceAndIsDeadAfterTwoBeats() {
        Nodes first = look(1, LEASE);
        assertThat(first.silent()).containsExactly("other");
        assertThat(first.isShownAlive("other")).isFalse();
        assertThat(first.lives("other")).isTrue();
        pass(TWO_BEATS.minusNanos(1));
        assertThat(look(1, LEASE.plus(TWO_BEATS)).lives("other")).isTrue();
        pass(Duration.ofNanos(1));
        assertThat(look(1, LEASE.plus(TWO_BEATS)).lives("other")).isFalse();
    }

    @Test
    void clockOfTheStore_setForward_silencesNobodyWhoWasSeenToBeat() {
        assertThat(look(1, LEASE).silent()).containsExactly("other");
        Nodes beaten = look(2, LEASE.multipliedBy(100));
        assertThat(beaten.silent()).isEmpty();
        assertThat(beaten.lives("other")).isTrue();
        pass(TWO_BEATS);
        assertThat(look(2, LEASE.multipliedBy(100)).lives("other")).isTrue();
    }

    @Test
    void node_isLongDeadAfterTenLeases_watchedOrByItsAge() {
        assertThat(look(1, LEASE.multipliedBy(10)).longDead()).isEmpty(); // it may beat yet
        pass(TWO_BEATS);
        assertThat(look(1, LEASE.multipliedBy(10)).longDead()).containsExactly("other");
        look(2, Duration.ZERO);
        pass(LEASE.multipliedBy(10).minusNanos(1));
        assertThat(look(2, Duration.ZERO).longDead()).isEmpty();
        pass(Duration.ofNanos(1));
        assertThat(look(2, Duration.ZERO).longDead()).containsExactly("other");
    }

    @Test
    void self_livesWhateverItsRowSays() {
        look(1, Duration.ZERO);
        pass(LEASE.multipliedBy(100));
        Nodes nodes = look(2, Duration.ZERO);
        assertThat(nodes.lives("self")).isTrue();
        assertThat(nodes.longDead()).isEmpty();
    }

    /** Its row was taken away, and what it had was not given to anybody yet. */
    @Test
    void owner_withoutARow_isWatchedForThisNodesLease() {
        ClusterStore.Rows rows =
                new ClusterStore.Rows(List.of(), Map.of(), List.of(new LeaseRow(new PartitionKey(1, 0), "left", 3, 4)));
        assertThat(detector.look(rows, 0, 0).lives("left")).isTrue();
        assertThat(detector.look(rows, SHORT_OF_LEASE.toNanos(), SHORT_OF_LEASE.toNanos())
                        .lives("left"))
                .isTrue();
        assertThat(detector.look(rows, LEASE.toNanos(), LEASE.toNanos()).lives("left"))
                .isFalse();
    }
}
