package io.seriatim.verification;

import static org.assertj.core.api.Assertions.assertThat;

import io.seriatim.store.ApplicationRow;
import io.seriatim.store.Checkpoint;
import io.seriatim.store.LogEvent;
import io.seriatim.store.PartitionStore;
import io.seriatim.store.WriteMode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What an {@link io.seriatim.store.EventLogStore} promises beyond its own life: its rows outlive a close. */
public abstract class DurableEventLogStoreContract extends EventLogStoreContract {

    @Test
    void reopen_rowsOfAllKinds_areThereAsWritten() {
        PartitionStore partition = owned();
        List<LogEvent> events = append(partition, 1, 150, 64);
        Derived derived = derived(1, 9, 5).updated(record(2, 3, "updated"));
        applied(partition.derive(OWNER, derived.rows()));
        applied(partition.writeNumbers(
                OWNER, new NumberList().with(1, 3, 0, 5, 7, 8).with(-1, 2, 1, 1), 42));
        reopen();
        PartitionStore again = partition();
        assertThat(again.epoch()).isEqualTo(OWNER);
        assertThat(again.events(1, 1_000)).isEqualTo(events);
        assertThat(headers(again, 1, 1_000)).isEqualTo(shown(events));
        assertThat(headers(again, 100, 10)).isEqualTo(shown(events.subList(99, 109)));
        assertThat(again.lastOffset()).hasValue(150);
        assertThere(again, derived);
        assertThat(again.appliedOffset()).hasValue(10);
        assertThat(numbers(again, 1, 0, 7, 8)).containsExactly(3, 5, 8, 0);
        assertThat(numbers(again, -1, 1)).containsExactly(2, 1);
        assertThat(again.checkpoint()).contains(new Checkpoint(42, OWNER));
    }

    @Test
    void reopen_applications_areThereAndGoOn() {
        ApplicationRow second = application(2, "shop", 2);
        applied(store().write(application(2, "shop", 1)));
        applied(store().write(second));
        ApplicationRow other = application(1, "office", 1);
        applied(store().write(other));
        reopen();
        assertThat(store().applications()).containsExactly(other, second);
        applied(store().write(second));
        assertThat(occupied(store().write(application(2, "shop", 2)))).isEqualTo(second);
        assertThat(occupied(store().write(application(3, "shop", 1)))).isEqualTo(second);
        ApplicationRow third = application(2, "shop", 3);
        applied(store().write(third));
        reopen();
        assertThat(store().applications()).containsExactly(other, third);
    }

    @Test
    void reopen_epoch_goesOn() {
        owned();
        reopen();
        PartitionStore partition = partition();
        assertThat(partition.take()).isEqualTo(2);
        fenced(2, partition.append(OWNER, WriteMode.PUT, List.of(event(1))));
        applied(partition.renew(2));
        reopen();
        assertThat(store().partitions()).containsExactly(partition().key());
        assertThat(partition().epoch()).isEqualTo(3);
        applied(partition().append(3, WriteMode.PUT, List.of(event(1, 3))));
    }

    /** S45 over a restart: what is there is judged by its mark. */
    @Test
    void reopen_eventThatIsThere_isStillInTheWay() {
        List<LogEvent> events = append(owned(), 1, 10, 10);
        reopen();
        PartitionStore partition = partition();
        applied(partition.append(OWNER, WriteMode.INSERT_IF_ABSENT, events));
        assertThat(occupied(partition.append(OWNER, WriteMode.INSERT_IF_ABSENT, List.of(event(10)))))
                .isEqualTo(events.get(9));
        LogEvent next = event(11);
        applied(partition.append(OWNER, WriteMode.INSERT_IF_ABSENT, List.of(next)));
        LogEvent over = event(5);
        applied(partition.append(OWNER, WriteMode.PUT, List.of(over)));
        List<LogEvent> expected = new ArrayList<>(events);
        expected.set(4, over);
        expected.add(next);
        reopen();
        assertThat(partition().events(1, 100)).isEqualTo(expected);
        assertThat(headers(partition(), 1, 100)).isEqualTo(shown(expected));
    }

    @Test
    void reopen_refusedWrites_haveLeftNothing() {
        PartitionStore partition = owned();
        applied(partition.derive(OWNER, derived(1, 9, 5).rows()));
        occupied(partition.derive(
                OWNER, derived(1, 9, 6).updated(record(1, 77, "refused")).rows()));
        fenced(OWNER, partition.writeNumbers(OWNER + 1, new NumberList().with(1, 1, 0, 1), 2));
        reopen();
        assertThere(partition(), derived(1, 9, 5));
        assertThat(partition().record(1, 77)).isEmpty();
        assertThat(partition().checkpoint()).isEmpty();
    }

    @Test
    void reopen_manyTimes_losesNothing() {
        owned();
        List<LogEvent> events = new ArrayList<>();
        for (int round = 0; round < 5; round++) {
            PartitionStore partition = partition();
            events.addAll(append(partition, 1 + round * 100, 100 + round * 100, 30));
            applied(partition.writeNumbers(OWNER, new NumberList().with(round, 1, 0, round + 1), 1 + round * 100));
            applied(partition.derive(OWNER, derived(1, round + 1, round).rows()));
            reopen();
        }
        PartitionStore partition = partition();
        assertThat(partition.events(1, 1_000)).isEqualTo(events);
        assertThat(headers(partition, 1, 1_000)).isEqualTo(shown(events));
        for (int round = 0; round < 5; round++) {
            assertThat(numbers(partition, round, 0)).containsExactly(1, round + 1);
            assertThere(partition, derived(1, round + 1, round));
        }
    }
}
