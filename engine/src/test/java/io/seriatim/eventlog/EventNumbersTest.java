package io.seriatim.eventlog;

import static io.seriatim.eventlog.OnePartition.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.seriatim.ErrorCode;
import io.seriatim.eventlog.ForwardingPartition.Call;
import io.seriatim.store.LogEvent;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class EventNumbersTest {

    private static final int RECORD_ID = 3;
    private static final int C_RECORD_ID = 5;
    private static final WorkspaceKind KIND =
            WorkspaceKind.of(1).with(RECORD_ID, 200_001).recordIdsFrom(RECORD_ID);
    private static final WorkspaceKind TWO_WAYS = WorkspaceKind.of(2)
            .with(RECORD_ID, 200_001)
            .with(C_RECORD_ID, 900_001)
            .recordIdsFrom(RECORD_ID)
            .cRecordIdsFrom(C_RECORD_ID);
    private static final WorkspaceKind PLAIN = WorkspaceKind.of(3);

    private final OnePartition partition = new OnePartition();

    @AfterEach
    void close() {
        partition.close();
    }

    private void finish(EventNumbers numbers) {
        partition.append(List.of(numbers.event(new byte[] {1})));
        numbers.finishEvent();
    }

    @Test
    void events_ofTwoWorkspaces_haveOneLogAndTheirOwnNumbers() {
        EventNumbers numbers = new EventNumbers(partition.open(KIND));
        assertThat(numbers.startEvent(LONG, 1)).isEqualTo(new EventOffsets(1, 1));
        assertThat(numbers.nextRecordId()).isEqualTo(200_001);
        assertThat(numbers.nextCRecordId()).isEqualTo(200_002);
        finish(numbers);
        assertThat(numbers.startEvent(LONG, 2)).isEqualTo(new EventOffsets(2, 1));
        assertThat(numbers.nextRecordId()).isEqualTo(200_001);
        finish(numbers);
        assertThat(numbers.startEvent(LONG, 1)).isEqualTo(new EventOffsets(3, 2));
        assertThat(numbers.nextRecordId()).isEqualTo(200_003);
    }

    @Test
    void event_asAppended_hasOffsetsAndIdsInItsHeader() {
        EventNumbers numbers = new EventNumbers(partition.open(KIND));
        assertThat(numbers.startEvent(LONG, 9)).isEqualTo(new EventOffsets(1, 1));
        assertThat(numbers.nextRecordId()).isEqualTo(200_001);
        LogEvent event = numbers.event(new byte[] {7});
        assertThat(event.offset()).isEqualTo(1);
        assertThat(event.body()).containsExactly(7);
        assertThat(event.header().workspace()).isEqualTo(9);
        assertThat(event.header().kind()).isEqualTo(1);
        assertThat(event.header().sequences()).containsExactly(WorkspaceKind.WLOG_OFFSET, RECORD_ID);
        assertThat(event.header().values()).containsExactly(1, 200_001);
    }

    @Test
    void cancelEvent_thatIsNotInTheLog_bringsTheSameAgain() {
        EventNumbers numbers = new EventNumbers(partition.open(KIND));
        for (int i = 0; i < 3; i++) {
            assertThat(numbers.startEvent(LONG, 1)).isEqualTo(new EventOffsets(1, 1));
            assertThat(numbers.nextRecordId()).isEqualTo(200_001);
            numbers.cancelEvent();
        }
    }

    @Test
    void cancelEvent_thatIsInTheLog_goesOnBehindIt() {
        EventNumbers numbers = new EventNumbers(partition.open(KIND));
        assertThat(numbers.startEvent(LONG, 1)).isEqualTo(new EventOffsets(1, 1));
        assertThat(numbers.nextRecordId()).isEqualTo(200_001);
        partition.append(List.of(numbers.event(new byte[0])));
        numbers.cancelEvent();
        assertThat(numbers.startEvent(LONG, 1)).isEqualTo(new EventOffsets(2, 2));
        assertThat(numbers.nextRecordId()).isEqualTo(200_002);
    }

    @Test
    void kinds_eachWithItsOwnIds_areTold() {
        EventNumbers numbers = new EventNumbers(partition.open(KIND, TWO_WAYS, PLAIN));
        assertThat(numbers.startEvent(LONG, 2, 1)).isEqualTo(new EventOffsets(1, 1));
        assertThat(numbers.nextRecordId()).isEqualTo(200_001);
        assertThat(numbers.nextCRecordId()).isEqualTo(900_001);
        finish(numbers);
        assertThat(numbers.startEvent(LONG, 3, 2)).isEqualTo(new EventOffsets(2, 1));
        assertThatExceptionOfType(EventLogException.class)
                .isThrownBy(numbers::nextRecordId)
                .satisfies(thrown -> assertThat(thrown.code()).isEqualTo(ErrorCode.BAD_REQUEST));
        finish(numbers);
        assertThatIllegalStateException().isThrownBy(() -> numbers.startEvent(LONG, 3));
        assertThat(numbers.startEvent(LONG, 2, 1)).isEqualTo(new EventOffsets(3, 2));
    }

    @Test
    void everyCall_withoutAnEvent_isRefused() {
        EventNumbers numbers = new EventNumbers(partition.open(KIND));
        assertThat(numbers.startEvent(LONG, 1)).isEqualTo(new EventOffsets(1, 1));
        assertThatIllegalStateException().isThrownBy(() -> numbers.startEvent(LONG, 1));
        finish(numbers);
        assertThatIllegalStateException().isThrownBy(numbers::nextRecordId);
        assertThatIllegalStateException().isThrownBy(numbers::nextCRecordId);
        assertThatIllegalStateException().isThrownBy(() -> numbers.event(new byte[0]));
        assertThatIllegalStateException().isThrownBy(numbers::finishEvent);
        assertThatIllegalStateException().isThrownBy(numbers::cancelEvent);
        assertThat(numbers.startEvent(LONG, 1)).isEqualTo(new EventOffsets(2, 2));
    }

    @Test
    void startEvent_whoseNumbersCannotBeRead_startsNone() {
        partition.settings = partition.settings.withWaits(
                Duration.ofMillis(1), Duration.ofMillis(1), Duration.ofMillis(5), Duration.ofMillis(100));
        EventNumbers numbers = new EventNumbers(partition.open(KIND));
        partition.store.fail(Call.READ_NUMBERS);
        for (int i = 0; i < 2; i++) {
            assertThatExceptionOfType(EventLogException.class)
                    .isThrownBy(() -> numbers.startEvent(LONG, 1))
                    .satisfies(thrown -> assertThat(thrown.code()).isEqualTo(ErrorCode.STORE_UNAVAILABLE));
        }
        partition.store.heal(Call.READ_NUMBERS);
        assertThat(numbers.startEvent(LONG, 1)).isEqualTo(new EventOffsets(1, 1));
    }

    @Test
    void startEvent_thatCannotBe_saysWhy() {
        partition.store.hold(Call.REPLAY);
        Sequencer sequencer = partition.open(KIND);
        EventNumbers numbers = new EventNumbers(sequencer);
        assertThat(numbers.startEvent(Duration.ofMillis(1), 1)).isEqualTo(Refusal.ACTUALIZING);
        partition.store.release(Call.REPLAY);
        sequencer.close();
        assertThat(numbers.startEvent(LONG, 1)).isEqualTo(Refusal.CLOSED);
    }
}
