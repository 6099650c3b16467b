package io.seriatim.verification;

import static org.assertj.core.api.Assertions.assertThat;

import io.seriatim.SystemEnvironment;
import io.seriatim.eventlog.Refusal;
import io.seriatim.eventlog.Sequencer;
import io.seriatim.eventlog.SequencerSettings;
import io.seriatim.eventlog.SequencerStatus;
import io.seriatim.eventlog.SequencingTransaction;
import io.seriatim.eventlog.WorkspaceKind;
import io.seriatim.postgresql.PostgresSettings;
import io.seriatim.postgresql.PostgresStore;
import io.seriatim.store.Checkpoint;
import io.seriatim.store.EventLogStore;
import io.seriatim.store.LogEvent;
import io.seriatim.store.LogOutcome;
import io.seriatim.store.PartitionKey;
import io.seriatim.store.PartitionStore;
import io.seriatim.store.WriteMode;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** And those of two owners, each with a store of its own on one database. */
final class CommandCasesOnPostgresTest extends CommandCases {

    private static final Duration LONG = Duration.ofMinutes(1);
    private static final PartitionKey KEY = new PartitionKey(1_000, 0);
    private static final WorkspaceKind KIND = WorkspaceKind.of(1).with(1, 1);
    private static final SequencerSettings SETTINGS = SequencerSettings.usual().withFlush(1, Duration.ofMillis(1));

    private final PostgresSettings settings =
            PostgresServer.shared().newSchema().withTimeouts(LONG, LONG, LONG.plusSeconds(1));

    @SuppressWarnings("NullAway.Init")
    private PostgresStore store;

    @Override
    EventLogStore openStore() {
        store = PostgresStore.open(settings);
        return store.eventLog();
    }

    @Override
    void closeStore() {
        store.close();
    }

    private static SequencingTransaction start(Sequencer sequencer) {
        return sequencer.start(KIND.id(), 1, Duration.ofSeconds(20)).orThrow();
    }

    private static void next(Sequencer sequencer, PartitionStore log, long number) {
        SequencingTransaction tx = start(sequencer);
        assertThat(tx.plogOffset()).isEqualTo(number);
        assertThat(tx.next(1)).isEqualTo(number);
        assertThat(log.append(tx.epoch(), WriteMode.PUT, List.of(tx.event(new byte[0]))))
                .isEqualTo(LogOutcome.Applied.APPLIED);
        tx.flush();
    }

    private static void await(BooleanSupplier reached) {
        long deadline = System.nanoTime() + LONG.toNanos();
        while (!reached.getAsBoolean()) {
            assertThat(System.nanoTime()).isLessThan(deadline);
            Thread.onSpinWait();
        }
    }

    private static long covered(PartitionStore log) {
        return log.checkpoint().map(Checkpoint::nextOffset).orElse(1L);
    }

    private static long stored(PartitionStore log) {
        long[] values = new long[1];
        assertThat(log.readNumbers(1, new int[] {1}, values)).isEqualTo(1);
        return values[0];
    }

    /** The first owner writes over what is there, as at trust level 2: only the epoch keeps it from that. */
    @Test
    void s95_twoOwnersOnOneDatabase_theFirstIsFencedAndChangesNothing() {
        try (PostgresStore second = PostgresStore.open(settings);
                SystemEnvironment environment = new SystemEnvironment()) {
            PartitionStore mine = store.eventLog().partition(KEY);
            PartitionStore other = second.eventLog().partition(KEY);
            try (Sequencer a = Sequencer.on(mine, List.of(KIND), SETTINGS, environment)) {
                for (int i = 1; i <= 9; i++) {
                    next(a, mine, i);
                }
                await(() -> covered(mine) == 10);
                SequencingTransaction paused = start(a);
                assertThat(paused.next(1)).isEqualTo(10);
                LogEvent late = paused.event(new byte[] {1});

                try (Sequencer b = Sequencer.on(other, List.of(KIND), SETTINGS, environment)) {
                    for (int i = 10; i <= 12; i++) {
                        next(b, other, i);
                    }
                    await(() -> covered(other) == 13);
                    LogEvent tenth = other.events(10, 1).get(0);

                    assertThat(mine.append(late.epoch(), WriteMode.PUT, List.of(late)))
                            .isInstanceOf(LogOutcome.Fenced.class);
                    paused.flush();
                    await(() -> a.status() == SequencerStatus.FENCED);
                    assertThat(stored(other)).isEqualTo(12);
                    assertThat(covered(other)).isEqualTo(13);
                    assertThat(other.events(10, 1)).containsExactly(tenth);
                    assertThat(a.start(1, 1)).isEqualTo(Refusal.FENCED);
                    next(b, other, 13);
                }
            }
        }
    }
}
