package io.seriatim.verification;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.seriatim.memory.MemoryEventLogStore;
import io.seriatim.store.EventHeader;
import io.seriatim.store.LogEvent;
import io.seriatim.store.LogOutcome;
import io.seriatim.store.PartitionStore;
import io.seriatim.store.WriteMode;
import io.seriatim.store.WriterMark;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The checker finds what it looks for: a good log, broken in one place each. */
class EventLogHistoryTest {

    private final PartitionStore log = new MemoryEventLogStore().partition(EventLogDriver.PARTITION);
    private final long epoch = log.take();
    private final EventLogHistory history = new EventLogHistory();

    private void event(long offset, long workspace, String said, long wlogOffset, String ids) {
        boolean none = ids.equals("-");
        long lastId = none ? 0 : Long.parseLong(ids.substring(ids.lastIndexOf(',') + 1));
        EventHeader header = new EventHeader(
                workspace,
                1,
                new WriterMark(1, offset),
                "",
                none ? new int[] {0} : new int[] {0, 1},
                none ? new long[] {wlogOffset} : new long[] {wlogOffset, lastId});
        assertThat(log.append(
                        epoch,
                        WriteMode.INSERT_IF_ABSENT,
                        List.of(new LogEvent(offset, epoch, header, said.getBytes(UTF_8)))))
                .isEqualTo(LogOutcome.Applied.APPLIED);
    }

    private void event(long offset, long workspace, long wlogOffset, String ids) {
        event(offset, workspace, workspace + " " + wlogOffset + " " + ids + " x", wlogOffset, ids);
    }

    private void told(long offset, long workspace, long wlogOffset, String ids) {
        String body = workspace + " " + wlogOffset + " " + ids + " x";
        history.add("event " + offset + " " + workspace + " " + wlogOffset + " " + ids + " "
                + EventLogHistory.hash(body.getBytes(UTF_8)));
    }

    private List<String> violations() {
        return history.check(log, 1).violations();
    }

    @Test
    void check_wholeLog_isGood() {
        event(1, 0, 1, "200001,200002");
        event(2, 3, 1, "-");
        event(3, 0, 2, "200003");
        told(1, 0, 1, "200001,200002");
        told(3, 0, 2, "200003");
        history.add("opened 4 3");

        assertThat(violations()).isEmpty();
    }

    @Test
    void check_hole_isFound() {
        event(1, 0, 1, "-");
        event(3, 0, 2, "-");

        assertThat(violations()).containsExactly("offset 3 stands where 2 should be");
    }

    @Test
    void check_recordIdTwice_isFound() {
        event(1, 0, 1, "200001");
        event(2, 0, 2, "200001");

        assertThat(violations())
                .containsExactly("the event at offset 2 of workspace 0 has record id 200001, where 200002 should come");
    }

    @Test
    void check_wlogOffsetSkipped_isFound() {
        event(1, 0, 1, "-");
        event(2, 0, 3, "-");

        assertThat(violations())
                .containsExactly("the event at offset 2 of workspace 0 has WLog offset 3, where 2 should come");
    }

    @Test
    void check_acknowledgedEventThatIsNotThere_isFound() {
        event(1, 0, 1, "-");
        told(2, 0, 2, "-");

        assertThat(violations()).containsExactly("offset 2 was acknowledged, and is not in the log");
    }

    @Test
    void check_acknowledgedEventWithOtherBytes_isFound() {
        event(1, 0, "0 1 - y", 1, "-");
        told(1, 0, 1, "-");

        assertThat(violations()).singleElement().asString().startsWith("offset 1 was acknowledged as ");
    }

    @Test
    void check_headerThatIsNotOfTheBody_isFound() {
        event(1, 0, "0 1 200001 x", 1, "-");

        assertThat(violations()).singleElement().asString().startsWith("the header at offset 1 says ");
    }

    @Test
    void check_startThatReadsMoreThanTheTail_isFound() {
        history.add("opened 100001 100000");

        assertThat(violations()).containsExactly("a start replayed 100000 events, of 100000");
    }

    @Test
    void check_manyEventsThatNobodyWasToldOf_areFound() {
        for (int i = 1; i <= 41; i++) {
            event(i, 0, i, "-");
        }

        assertThat(violations()).containsExactly("41 events are in the log of which nobody was told");
    }
}
