package io.seriatim.verification;

import static org.assertj.core.api.Assertions.assertThat;

import io.seriatim.store.Change;
import io.seriatim.store.CounterKey;
import io.seriatim.store.CounterRow;
import io.seriatim.store.DefinitionRow;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a {@link io.seriatim.store.CounterStore} promises beyond its own life: its rows outlive a close. */
public abstract class DurableCounterStoreContract extends CounterStoreContract {

    @Test
    void reopen_rowsOfAllKinds_areThereAsWritten() {
        Change all = four(1);
        applied(all);
        reopen();
        assertThere(all);
    }

    @Test
    void reopen_tombstone_isStillOne() {
        applied(change(definition("orders", 1)));
        DefinitionRow tombstone = dropped("orders", 2);
        applied(change(tombstone));
        reopen();
        assertThat(store().findDefinition("orders")).contains(tombstone);
        assertThat(store().listDefinitions("", "", 10)).isEmpty();
    }

    @Test
    void reopen_counter_goesOnFromItsRevision() {
        applied(Change.of(counter(1, 1, 100)));
        CounterRow second = counter(1, 2, 200);
        applied(Change.of(second));
        reopen();
        assertThat(refused(Change.of(counter(1, 1, 300))).counter()).contains(second);
        assertThat(refused(Change.of(counter(1, 2, 300))).counter()).contains(second);
        applied(Change.of(counter(1, 3, 300)));
    }

    @Test
    void reopen_refusedChange_hasLeftNothing() {
        CounterRow first = counter(1, 1, 100);
        applied(Change.of(first));
        refused(four(1));
        reopen();
        assertThat(store().findCounter(CounterKey.of(1))).contains(first);
        assertThat(store().findDefinition("sequence-1")).isEmpty();
        assertThat(store().listLedger(CounterKey.of(1), 1, 10)).isEmpty();
    }

    @Test
    void reopen_manyTimes_losesNothing() {
        List<Change> changes = new ArrayList<>();
        for (int round = 1; round <= 5; round++) {
            for (int i = 0; i < 60; i++) {
                Change change = four(round * 1_000L + i);
                applied(change);
                changes.add(change);
            }
            reopen();
        }
        changes.forEach(this::assertThere);
        assertThat(store().listDefinitions("", "", 1_000)).hasSize(300);
    }
}
