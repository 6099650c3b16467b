package io.seriatim.eventlog;

import static org.assertj.core.api.Assertions.assertThat;

import io.seriatim.SystemEnvironment;
import io.seriatim.memory.MemoryEventLogStore;
import io.seriatim.store.EventHeader;
import io.seriatim.store.LogEvent;
import io.seriatim.store.LogOutcome;
import io.seriatim.store.PartitionKey;
import io.seriatim.store.PartitionStore;
import io.seriatim.store.WriteMode;
import io.seriatim.store.WriterMark;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SequencerTest {

    private static final WorkspaceKind KIND = WorkspaceKind.of(1).with(1, 1).with(2, 1);
    private static final Duration LONG = Duration.ofSeconds(20);

    private final MemoryEventLogStore memory = new MemoryEventLogStore();
    private final PartitionStore store = memory.partition(new PartitionKey(1, 0));
    private final SystemEnvironment environment = new SystemEnvironment();

    @AfterEach
    void closeEnvironment() {
        environment.close();
    }

    private Sequencer open() {
        return Sequencer.on(store, List.of(KIND), SequencerSettings.usual(), environment);
    }

    private void logHas(long offset, int sequence, long value) {
        long epoch = store.take();
        EventHeader header =
                new EventHeader(1, 1, new WriterMark(7, offset), "", new int[] {sequence}, new long[] {value});
        assertThat(store.append(
                        epoch, WriteMode.INSERT_IF_ABSENT, List.of(new LogEvent(offset, epoch, header, new byte[0]))))
                .isInstanceOf(LogOutcome.Applied.class);
    }

    private static SequencingTransaction start(Sequencer sequencer) {
        return sequencer.start(1, 1, LONG).orThrow();
    }

    @Test
    void s1_manyNumbersThenManyTransactions_goOnFromTheLog() {
        logHas(1, 1, 100);
        try (Sequencer sequencer = open()) {
            SequencingTransaction tx = start(sequencer);
            assertThat(tx.plogOffset()).isEqualTo(2);
            for (int i = 101; i <= 200; i++) {
                assertThat(tx.next(1)).isEqualTo(i);
            }
            tx.flush();
            for (int i = 1; i <= 100; i++) {
                tx = start(sequencer);
                assertThat(tx.plogOffset()).isEqualTo(2 + i);
                assertThat(tx.next(1)).isEqualTo(200 + i);
                tx.flush();
            }
        }
        assertThat(store.checkpoint().orElseThrow().nextOffset()).isEqualTo(103);
    }

    @Test
    void s24_actualize_givesTheSameAgain() {
        try (Sequencer sequencer = open()) {
            SequencingTransaction tx = start(sequencer);
            assertThat(tx.next(1)).isEqualTo(1);
            tx.actualize();
            tx = start(sequencer);
            assertThat(tx.plogOffset()).isEqualTo(1);
            assertThat(tx.next(1)).isEqualTo(1);
            assertThat(tx.next(1)).isEqualTo(2);
            tx.flush();
        }
        long[] values = new long[1];
        assertThat(store.readNumbers(1, new int[] {1}, values)).isEqualTo(1);
        assertThat(values[0]).isEqualTo(2);
    }
}
