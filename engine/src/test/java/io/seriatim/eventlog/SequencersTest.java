package io.seriatim.eventlog;

import static org.assertj.core.api.Assertions.assertThat;

import io.seriatim.eventlog.ForwardingPartition.Call;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Many sequencers that are closed together. */
class SequencersTest {

    private static final Duration WAIT = Duration.ofMillis(300);

    /** The first one used up the wait of all, and the numbers of the others were read again from their logs. */
    @Test
    void closeAll_oneStoreHangs_theNumbersOfTheOthersAreStored() {
        try (OnePartition stuck = new OnePartition();
                OnePartition free = new OnePartition();
                OnePartition alsoFree = new OnePartition()) {
            List<OnePartition> all = List.of(stuck, free, alsoFree);
            List<Sequencer> sequencers = all.stream()
                    .map(each -> {
                        Sequencer sequencer = each.open();
                        SequencingTransaction tx = OnePartition.start(sequencer);
                        assertThat(tx.next(1)).isEqualTo(1);
                        each.store.hold(Call.WRITE_NUMBERS);
                        each.finish(tx);
                        return sequencer;
                    })
                    .toList();
            List.of(free, alsoFree).forEach(each -> each.store.release(Call.WRITE_NUMBERS));
            Sequencer.closeAll(sequencers, WAIT);
            assertThat(stuck.covered()).isEqualTo(1);
            for (OnePartition each : List.of(free, alsoFree)) {
                assertThat(each.stored(1, 1)).isEqualTo(1);
                assertThat(each.covered()).isEqualTo(2);
            }
        }
    }
}
