package io.seriatim.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.seriatim.SystemEnvironment;
import io.seriatim.eventlog.ReplayProgress;
import io.seriatim.eventlog.Sequencer;
import io.seriatim.eventlog.SequencerSettings;
import io.seriatim.eventlog.SequencingTransaction;
import io.seriatim.eventlog.WorkspaceKind;
import io.seriatim.rocksdb.RocksDbStore;
import io.seriatim.store.LogEvent;
import io.seriatim.store.LogOutcome;
import io.seriatim.store.NumberRows;
import io.seriatim.store.PartitionKey;
import io.seriatim.store.PartitionStore;
import io.seriatim.store.WriteMode;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;

/** What an operator is told of the partitions of an event log in a folder. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PartitionCommandTest {

    private static final PartitionKey KEY = new PartitionKey(3, 1);
    private static final WorkspaceKind KIND = WorkspaceKind.of(1).with(1, 200_001);

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    private record Said(int exitCode, String out, String err) {
        JsonNode json() {
            return Calls.json(out);
        }
    }

    private Said run(String words) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine commandLine = Main.commandLine(Map.of("SERIATIM_DATA", folder.toString()));
        commandLine.setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
        int exitCode = commandLine.execute(words.split(" "));
        return new Said(exitCode, out.toString(), err.toString());
    }

    private void write(int events) {
        try (RocksDbStore store = RocksDbStore.open(folder);
                SystemEnvironment environment = new SystemEnvironment()) {
            PartitionStore log = store.eventLog().partition(KEY);
            try (Sequencer sequencer = Sequencer.on(log, List.of(KIND), SequencerSettings.usual(), environment)) {
                for (int i = 0; i < events; i++) {
                    SequencingTransaction tx =
                            sequencer.start(1, i % 3, Duration.ofSeconds(30)).orThrow();
                    LogEvent event = tx.event(("order " + tx.next(1)).getBytes(UTF_8));
                    assertThat(log.append(tx.epoch(), WriteMode.INSERT_IF_ABSENT, List.of(event)))
                            .isEqualTo(LogOutcome.Applied.APPLIED);
                    tx.flush();
                }
            }
        }
    }

    /** Says that the numbers reach further than the log does, as after a copy back of half a folder. */
    private void raiseCheckpoint(long nextOffset) {
        try (RocksDbStore store = RocksDbStore.open(folder)) {
            PartitionStore log = store.eventLog().partition(KEY);
            assertThat(log.writeNumbers(log.epoch(), NumberRows.none(), nextOffset))
                    .isEqualTo(LogOutcome.Applied.APPLIED);
        }
    }

    @Test
    void check_soundPartition_hasItsFigures() {
        write(20);

        Said said = run("partition 3 1 check");

        assertThat(said.err()).isEmpty();
        assertThat(said.exitCode()).isZero();
        assertThat(said.out())
                .contains("sound         true", "events        20", "nextOffset    21", "checkpoint    21");
        JsonNode folder = run("check --json").json();
        assertThat(folder.path("sound").asBoolean()).isTrue();
        assertThat(folder.path("events").asLong()).isEqualTo(20);
        assertThat(folder.path("partitions").path(0).path("application").asInt())
                .isEqualTo(3);
        assertThat(folder.path("partitions").path(0).path("partition").asInt()).isEqualTo(1);
        assertThat(folder.path("partitions").path(0).path("epoch").asLong()).isEqualTo(1);
    }

    @Test
    void checkpointBeyondTheLog_isToldWith7UntilRebuild() {
        write(20);
        raiseCheckpoint(25);
        String sentence = "seriatim: CHECKPOINT: application 3, partition 1: the stored numbers reach the event at"
                + " offset 24, and the last event is at 20";

        for (String command : List.of("partition 3 1 check", "check")) {
            Said said = run(command);
            assertThat(said.exitCode()).isEqualTo(7);
            assertThat(said.err().lines()).containsExactly(sentence);
        }
        JsonNode json = run("partition 3 1 check --json").json();
        assertThat(json.path("sound").asBoolean()).isFalse();
        assertThat(json.path("findings").path(0).path("code").asString()).isEqualTo("CHECKPOINT");
        assertThat(json.path("findings").path(0).path("offset").asLong()).isEqualTo(25);

        JsonNode rebuilt = run("partition 3 1 rebuild --json").json();

        assertThat(rebuilt.path("events").asLong()).isEqualTo(20);
        assertThat(rebuilt.path("nextOffset").asLong()).isEqualTo(21);
        assertThat(run("partition 3 1 check").exitCode()).isZero();
        assertThat(run("check").exitCode()).isZero();
    }

    @Test
    void rebuild_logWithAHole_isCorrupt() {
        write(5);
        try (RocksDbStore store = RocksDbStore.open(folder)) {
            PartitionStore log = store.eventLog().partition(KEY);
            LogEvent last = log.events(5, 1).get(0);
            assertThat(log.append(
                            log.epoch(),
                            WriteMode.INSERT_IF_ABSENT,
                            List.of(new LogEvent(7, last.epoch(), last.header(), last.body()))))
                    .isEqualTo(LogOutcome.Applied.APPLIED);
        }

        Said said = run("partition 3 1 rebuild");

        assertThat(said.exitCode()).isEqualTo(7);
        assertThat(said.err()).contains("STORE_CORRUPT: the log has no event at offset 6, and one at 7");
        assertThat(run("partition 3 1 check").err())
                .contains("HOLE: application 3, partition 1: there is no event from offset 6 to 6");
    }

    @Test
    void partition_thatIsNotThere_isNotFound() {
        assertThat(run("partition 3 1 check").exitCode()).isEqualTo(3);
        write(1);
        assertThat(run("partition 3 2 check").exitCode()).isEqualTo(3);
        assertThat(run("partition 2147483647 2 check").exitCode()).isEqualTo(3);
        assertThat(run("partition 3 2 check").err()).contains("application 3 has no partition 2 here");
    }

    @Test
    void partition_calledWrongly_isRefused() {
        write(1);
        assertThat(run("partition 0 1 check").exitCode()).isEqualTo(2);
        assertThat(run("partition 3 1 mend").exitCode()).isEqualTo(2);
        assertThat(run("partition 3 x check").exitCode()).isEqualTo(2);
        assertThat(run("partition 3 -1 check").exitCode()).isEqualTo(2);
        Said tooLarge = run("partition 3000000000 1 check");
        assertThat(tooLarge.exitCode()).isEqualTo(2);
        assertThat(tooLarge.err()).contains("'3000000000' is larger than 2147483647");
        assertThat(run("partition 3 1 check --server http://127.0.0.1:1").exitCode())
                .as("nobody answers there")
                .isEqualTo(5);
        assertThat(run("partition 3 1").exitCode())
                .as("a log without an application runs nowhere")
                .isEqualTo(3);
    }

    @Test
    void partition_ofAFolderInUse_isTryAgain() {
        write(1);
        try (RocksDbStore store = RocksDbStore.open(folder)) {
            assertThat(store.failure()).isEmpty();
            assertThat(run("partition 3 1 check").exitCode()).isEqualTo(5);
        }
    }

    @Test
    void progress_ofALog_hasPercentRateAndTimeLeft() {
        StringWriter err = new StringWriter();
        try (Progress progress = new Progress(new PrintWriter(err), true)) {
            progress.show(new ReplayProgress(0, 4_000_000, Duration.ZERO, false));
            progress.show(new ReplayProgress(1_000_000, 4_000_000, Duration.ofSeconds(25), false));
        }
        assertThat(err.toString())
                .contains("]   0 % 0 events/s\r")
                .contains("]  25 % 40,000 events/s, 1:15 left")
                .endsWith("\r");
    }
}
