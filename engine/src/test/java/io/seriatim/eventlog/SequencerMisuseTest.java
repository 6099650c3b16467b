package io.seriatim.eventlog;

import static io.seriatim.eventlog.OnePartition.start;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.seriatim.ErrorCode;
import io.seriatim.store.LogEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Calls that must not be made, and what they leave: offsets and numbers as they were. */
class SequencerMisuseTest {

    private static final byte[] BODY = new byte[0];

    private final OnePartition partition = new OnePartition();
    private final Sequencer sequencer = partition.open();

    @AfterEach
    void close() {
        partition.close();
    }

    private static void refused(ErrorCode code, ThrowingCallable call) {
        assertThatExceptionOfType(EventLogException.class)
                .isThrownBy(call)
                .satisfies(thrown -> assertThat(thrown.code()).isEqualTo(code));
    }

    private SealedTransaction seal(List<LogEvent> group) {
        SequencingTransaction tx = start(sequencer);
        long unused = tx.next(1);
        group.add(tx.event(BODY));
        return tx.seal();
    }

    private void nextIs(long offset, long number) {
        SequencingTransaction tx = start(sequencer);
        assertThat(tx.plogOffset()).isEqualTo(offset);
        assertThat(tx.next(1)).isEqualTo(number);
        partition.finish(tx);
    }

    @Test
    void everyCall_withoutATransaction_changesNothing() {
        List<Consumer<SequencingTransaction>> calls = List.of(
                tx -> tx.next(1),
                tx -> tx.raise(1, 5, 10),
                tx -> tx.event(BODY),
                SequencingTransaction::plogOffset,
                SequencingTransaction::epoch,
                SequencingTransaction::seal,
                SequencingTransaction::flush,
                SequencingTransaction::discard,
                SequencingTransaction::actualize);
        SequencingTransaction tx = start(sequencer);
        List<Runnable> ends = List.of(
                () -> partition.finish(start(sequencer)),
                () -> start(sequencer).discard(),
                () -> start(sequencer).actualize(),
                () -> start(sequencer).close());
        tx.discard();
        for (Runnable end : ends) {
            end.run();
            for (Consumer<SequencingTransaction> call : calls) {
                assertThatIllegalStateException().isThrownBy(() -> call.accept(tx));
            }
            tx.close(); // the one that may come at any time
        }
        nextIs(2, 1);
        sequencer.close();
        for (Consumer<SequencingTransaction> call : calls) {
            assertThatIllegalStateException().isThrownBy(() -> call.accept(tx));
        }
        tx.close();
        assertThat(partition.covered()).isEqualTo(3);
    }

    @Test
    void everyCall_afterSeal_changesNothing() {
        List<LogEvent> group = new ArrayList<>();
        SealedTransaction sealed = seal(group);
        SequencingTransaction tx = sequencer.transaction();
        assertThatIllegalStateException().isThrownBy(tx::flush);
        assertThatIllegalStateException().isThrownBy(tx::seal);
        assertThatIllegalStateException().isThrownBy(tx::discard);
        assertThatIllegalStateException().isThrownBy(tx::actualize);
        partition.append(group);
        assertThat(sealed.flush().size()).isEqualTo(1);
        nextIs(2, 2);
    }

    @Test
    void sealedFlush_twice_isRefusedAndPublishesNothing() {
        List<LogEvent> group = new ArrayList<>();
        SealedTransaction sealed = seal(group);
        partition.append(group);
        assertThat(sealed.flush().size()).isEqualTo(1);
        assertThatIllegalStateException().isThrownBy(sealed::flush);
        nextIs(2, 2);
    }

    @Test
    void sealedFlush_afterALaterOne_isRefused() {
        List<LogEvent> group = new ArrayList<>();
        SealedTransaction first = seal(group);
        SealedTransaction second = seal(group);
        partition.append(group);
        assertThat(second.flush().size()).isEqualTo(2);
        assertThatIllegalStateException().isThrownBy(first::flush);
        nextIs(3, 3);
    }

    /** The offset comes again; the transaction that has it then is not durable because an earlier one says so. */
    @Test
    void sealedFlush_ofOneThatWasDropped_doesNotPublishItsSuccessor() {
        SealedTransaction dropped = seal(new ArrayList<>());
        sequencer.actualize();
        List<LogEvent> group = new ArrayList<>();
        SealedTransaction successor = seal(group);
        assertThat(successor.plogOffset()).isEqualTo(dropped.plogOffset());
        assertThatIllegalStateException().isThrownBy(dropped::flush);
        assertThat(sequencer.state().unflushedEvents()).isZero();
        partition.append(group);
        assertThat(successor.flush().size()).isEqualTo(1);
        nextIs(2, 2);
    }

    @Test
    void sealedFlush_afterClose_isRefused() {
        List<LogEvent> group = new ArrayList<>();
        SealedTransaction sealed = seal(group);
        sequencer.close();
        assertThatIllegalStateException().isThrownBy(sealed::flush);
        assertThatIllegalStateException().isThrownBy(sequencer::actualize);
    }

    @Test
    void actualize_withNothingOpenOrSealed_isRefused() {
        nextIs(1, 1);
        assertThatIllegalStateException().isThrownBy(sequencer::actualize);
        nextIs(2, 2);
    }

    @Test
    void start_beyondAFullGroup_isRefusedAtOnceUntilItIsFlushed() {
        List<LogEvent> group = new ArrayList<>();
        SealedTransaction last = seal(group);
        while (group.size() < Numbers.MOST_SEALED) {
            last = seal(group);
        }
        assertThat(sequencer.start(1, 1, OnePartition.LONG)).isEqualTo(Refusal.BACKLOG);
        partition.append(group);
        assertThat(last.flush().size()).isEqualTo(Numbers.MOST_SEALED);
        nextIs(Numbers.MOST_SEALED + 1, Numbers.MOST_SEALED + 1);
    }

    @Test
    void next_ofAnotherKind_isRefusedAndBindsNothing() {
        WorkspaceKind other = WorkspaceKind.of(2).with(5, 1);
        try (OnePartition two = new OnePartition();
                Sequencer both = two.open(OnePartition.KIND, other)) {
            SequencingTransaction tx = both.start(1, 7, OnePartition.LONG).orThrow();
            assertThat(tx.next(1)).isEqualTo(1);
            two.finish(tx);
            SequencingTransaction wrong = both.start(2, 7, OnePartition.LONG).orThrow();
            refused(ErrorCode.WRONG_KIND, () -> wrong.next(5));
            wrong.discard();
            SequencingTransaction withoutNumbers =
                    both.start(2, 7, OnePartition.LONG).orThrow();
            refused(ErrorCode.WRONG_KIND, () -> withoutNumbers.event(new byte[0]));
            withoutNumbers.discard();
            tx = both.start(1, 7, OnePartition.LONG).orThrow();
            assertThat(tx.next(1)).isEqualTo(2);
            tx.discard();
        }
    }

    /** Whatever ends a transaction without a number, its workspace is not bound to its kind. */
    @Test
    void workspace_ofATransactionWithoutNumbers_mayBeOfAnotherKindLater() {
        WorkspaceKind other = WorkspaceKind.of(2).with(5, 1);
        try (OnePartition two = new OnePartition();
                Sequencer both = two.open(OnePartition.KIND, other)) {
            List<Consumer<SequencingTransaction>> ends = List.of(SequencingTransaction::discard, two::finish, tx -> {
                two.append(tx);
                assertThat(tx.seal().flush().size()).isZero();
            });
            for (int workspace = 0; workspace < ends.size(); workspace++) {
                SequencingTransaction tx =
                        both.start(1, workspace, OnePartition.LONG).orThrow();
                refused(ErrorCode.OUT_OF_RANGE, () -> tx.raise(1, 1_000, 1));
                ends.get(workspace).accept(tx);
                SequencingTransaction its =
                        both.start(2, workspace, OnePartition.LONG).orThrow();
                assertThat(its.next(5)).isEqualTo(1);
                two.finish(its);
            }
        }
    }

    @Test
    void next_atTheLastNumber_isExhaustedAndTheRestGoesOn() {
        WorkspaceKind kind = WorkspaceKind.of(1).with(new KindSequence(1, 1, 2)).with(2, 1);
        try (OnePartition one = new OnePartition();
                Sequencer small = one.open(kind)) {
            SequencingTransaction tx = start(small);
            assertThat(tx.next(1)).isEqualTo(1);
            assertThat(tx.next(1)).isEqualTo(2);
            refused(ErrorCode.EXHAUSTED, () -> tx.next(1));
            refused(ErrorCode.OUT_OF_RANGE, () -> tx.raise(1, 3, 100));
            assertThat(tx.next(2)).isEqualTo(1);
            tx.discard();
            SequencingTransaction again = start(small);
            assertThat(again.next(1)).isEqualTo(1);
            again.discard();
        }
    }

    @Test
    void raise_belowTheInitialOrTheLast_changesNothing() {
        try (OnePartition one = new OnePartition();
                Sequencer high = one.open(WorkspaceKind.of(1).with(1, 200_001))) {
            SequencingTransaction tx = start(high);
            tx.raise(1, 65_536, 1);
            assertThat(tx.next(1)).isEqualTo(200_001);
            tx.raise(1, 200_001, 1);
            refused(ErrorCode.OUT_OF_RANGE, () -> tx.raise(1, 200_003, 1));
            tx.raise(1, 200_002, 1);
            assertThat(tx.next(1)).isEqualTo(200_003);
            tx.discard();
        }
    }

    @Test
    void sequencer_withKindsThatCannotBe_isRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> partition.open(OnePartition.KIND, WorkspaceKind.of(1)));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Sequencer.on(partition.store, List.of(), partition.settings, partition.environment));
    }

    /** It was found out when the cache had grown so far. */
    @Test
    void cache_largerThanAnArray_isRefusedAtOnce() {
        partition.settings = partition.settings.withLruCacheSize(100_000_000);
        assertThatIllegalArgumentException().isThrownBy(() -> partition.open(OnePartition.kind(63)));
    }

    /** As many as there may be: their places do not fit into a signed byte. */
    @Test
    void kinds_asManyAsMayBe_eachHasItsOwnSequences() {
        WorkspaceKind[] kinds = new WorkspaceKind[250];
        for (int i = 0; i < kinds.length; i++) {
            kinds[i] = WorkspaceKind.of(i + 1).with(i + 1, 1);
        }
        try (OnePartition one = new OnePartition()) {
            try (Sequencer many = one.open(kinds)) {
                for (int round = 1; round <= 2; round++) {
                    for (int i = 1; i <= kinds.length; i++) {
                        SequencingTransaction tx =
                                many.start(i, i, OnePartition.LONG).orThrow();
                        assertThat(tx.next(i)).isEqualTo(round);
                        one.append(tx);
                        assertThat(tx.flush().kind(0)).isEqualTo(i);
                    }
                }
            }
            for (int i = 1; i <= kinds.length; i++) {
                assertThat(one.stored(i, i)).isEqualTo(2);
            }
        }
    }
}
