package io.seriatim.verification;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.seriatim.store.ClusterStore;
import io.seriatim.store.ClusterStore.Outcome;
import io.seriatim.store.LeaseRow;
import io.seriatim.store.NodeRow;
import io.seriatim.store.PartitionKey;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** What every {@link ClusterStore} promises. */
public abstract class ClusterStoreContract {

    private static final PartitionKey KEY = new PartitionKey(1, 0);
    private static final int THREADS = 8;
    private static final int ROUNDS = 25;

    /** A store without rows. */
    protected abstract ClusterStore store();

    @Test
    void read_ofAStoreWithoutRows_isEmpty() {
        assertThat(store().read()).isEqualTo(new ClusterStore.Rows(List.of(), Map.of(), List.of()));
    }

    @Test
    void nodes_areReadAsTheyWereWrittenLast_inOrderOfTheirNames() {
        store().write(node("é 𝄞", 1));
        store().write(node("b", 1));
        store().write(node("a", 1));
        store().write(node("b", Long.MAX_VALUE));
        assertThat(store().read().nodes()).containsExactly(node("a", 1), node("b", Long.MAX_VALUE), node("é 𝄞", 1));
    }

    @Test
    void remove_takesANodeAway_ifItHasNotBeatenMeanwhile() {
        store().write(node("a", 1));
        store().write(node("b", 1));
        store().write(node("b", 2));
        store().remove("a", 1);
        store().remove("b", 1);
        store().remove("c", 1);
        assertThat(store().read().nodes()).containsExactly(node("b", 2));
    }

    @Test
    void silence_ofANode_beginsWhenItsRowIsWritten() {
        store().write(node("a", 1));
        store().write(node("b", 1));
        Duration atMost = Duration.ofMillis(20);
        while (silenceOf(store().read(), "b").compareTo(atMost) < 0) {
            Thread.onSpinWait();
        }
        store().write(node("a", 2));
        ClusterStore.Rows rows = store().read();
        assertThat(rows.silences()).containsOnlyKeys("a", "b");
        assertThat(silenceOf(rows, "a")).isLessThan(silenceOf(rows, "b")).isGreaterThanOrEqualTo(Duration.ZERO);
        assertThat(silenceOf(rows, "b")).isGreaterThanOrEqualTo(atMost);
    }

    private static Duration silenceOf(ClusterStore.Rows rows, String node) {
        return requireNonNull(rows.silences().get(node));
    }

    @Test
    void leases_areReadInOrder_asTheyWereWritten() {
        List<LeaseRow> leases = List.of(
                new LeaseRow(new PartitionKey(1, 2), "a", Long.MAX_VALUE, 1),
                new LeaseRow(new PartitionKey(1, 10), "", 0, 1),
                new LeaseRow(new PartitionKey(2, 0), "é 𝄞", 1, 1),
                new LeaseRow(new PartitionKey(Integer.MAX_VALUE, Integer.MAX_VALUE), "b", 7, 1));
        for (int i = leases.size() - 1; i >= 0; i--) {
            assertThat(store().write(leases.get(i))).isEqualTo(Outcome.APPLIED);
        }
        assertThat(store().read().leases()).isEqualTo(leases);
    }

    @Test
    void write_overTheRevisionBefore_isApplied_overAnotherOneRefused() {
        LeaseRow first = lease("a", 1);
        assertThat(store().write(lease("a", 2))).isEqualTo(Outcome.REFUSED);
        assertThat(store().write(first)).isEqualTo(Outcome.APPLIED);
        assertThat(store().write(first)).isEqualTo(Outcome.REFUSED);
        assertThat(store().write(lease("b", 3))).isEqualTo(Outcome.REFUSED);
        assertThat(store().read().leases()).containsExactly(first);
        LeaseRow second = lease("b", 2);
        assertThat(store().write(second)).isEqualTo(Outcome.APPLIED);
        assertThat(store().write(lease("a", 2))).isEqualTo(Outcome.REFUSED);
        assertThat(store().read().leases()).containsExactly(second);
    }

    @Test
    void write_byManyAtOnce_isAppliedOnceARevision() throws Exception {
        AtomicInteger[] applied = new AtomicInteger[ROUNDS];
        for (int i = 0; i < ROUNDS; i++) {
            applied[i] = new AtomicInteger();
        }
        Together.run(THREADS, thread -> {
            for (int round = 0; round < ROUNDS; round++) {
                if (store().write(lease("n" + thread, round + 1L)) == Outcome.APPLIED) {
                    applied[round].incrementAndGet();
                }
                while (store().read().leases().stream().noneMatch(reached(round + 1L))) {
                    Thread.onSpinWait();
                }
            }
        });
        assertThat(applied).allMatch(count -> count.get() == 1);
    }

    private static Predicate<LeaseRow> reached(long revision) {
        return lease -> lease.revision() >= revision;
    }

    @Test
    void texts_thatNoStoreCanKeep_areRefused() {
        assertThatThrownBy(() -> node("a\0", 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> lease("\ud800", 1)).isInstanceOf(IllegalArgumentException.class);
    }

    private static NodeRow node(String name, long beat) {
        return new NodeRow(name, "http://127.0.0.1:7450", beat, Duration.ofMillis(10_001));
    }

    private static LeaseRow lease(String owner, long revision) {
        return new LeaseRow(KEY, owner, revision * 10, revision);
    }
}
