package io.seriatim.eventlog;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.seriatim.memory.MemoryEventLogStore;
import io.seriatim.store.EventHeader;
import io.seriatim.store.LogEvent;
import io.seriatim.store.LogOutcome;
import io.seriatim.store.NumberRows;
import io.seriatim.store.PartitionKey;
import io.seriatim.store.PartitionStore;
import io.seriatim.store.WriteMode;
import io.seriatim.store.WriterMark;
import java.util.List;
import java.util.Map;

/**
 * A log that is written past the sequencer, so that it can be wrong. All events are of workspace 1 and kind 1, and each has
 * one number of sequence 1, which its body says too.
 */
final class WrittenLog {

    static final WorkspaceKind KIND = WorkspaceKind.of(1).with(1, 1);

    final MemoryEventLogStore store = new MemoryEventLogStore();
    final PartitionStore partition = store.partition(new PartitionKey(1, 0));
    private long epoch = partition.take();

    long epoch() {
        return epoch;
    }

    void takeAgain() {
        epoch = partition.take();
    }

    /** Events at these offsets, whose numbers are their offsets. */
    void append(long first, long last) {
        for (long offset = first; offset <= last; offset++) {
            append(offset, offset, Long.toString(offset));
        }
    }

    void append(long offset, long number, String body) {
        put(offset, epoch, number, body);
    }

    void put(long offset, long eventEpoch, long number, String body) {
        put(offset, eventEpoch, 1, number, body);
    }

    void put(long offset, long eventEpoch, int kind, long number, String body) {
        EventHeader header =
                new EventHeader(1, kind, new WriterMark(7, offset), "", new int[] {1}, new long[] {number});
        requireApplied(partition.append(
                epoch, WriteMode.PUT, List.of(new LogEvent(offset, eventEpoch, header, body.getBytes(UTF_8)))));
    }

    void store(long number, long nextOffset) {
        requireApplied(partition.writeNumbers(epoch, new LastNumber(number), nextOffset));
    }

    static BodyNumbers bodies() {
        return event -> Map.of(1, Long.parseLong(new String(event.body(), UTF_8)));
    }

    private static void requireApplied(LogOutcome outcome) {
        assertThat(outcome).isInstanceOf(LogOutcome.Applied.class);
    }

    /** The last number of workspace 1, or nothing where it is 0. */
    private record LastNumber(long number) implements NumberRows {
        @Override
        public int size() {
            return number == 0 ? 0 : 1;
        }

        @Override
        public long workspace(int row) {
            return 1;
        }

        @Override
        public int kind(int row) {
            return 1;
        }

        @Override
        public int count(int row) {
            return 1;
        }

        @Override
        public int sequence(int row, int place) {
            return 1;
        }

        @Override
        public long value(int row, int place) {
            return number;
        }
    }
}
