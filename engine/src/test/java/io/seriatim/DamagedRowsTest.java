package io.seriatim;

import static org.assertj.core.api.Assertions.assertThat;

import io.seriatim.memory.MemoryCounterStore;
import io.seriatim.store.Change;
import io.seriatim.store.CounterKey;
import io.seriatim.store.CounterRow;
import io.seriatim.store.IdempotencyKey;
import io.seriatim.store.IdempotencyRow;
import io.seriatim.store.WriteOutcome;
import io.seriatim.store.WriterMark;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Texts in the store that nobody writes: damage, and said to be; it was told as a store that cannot be reached. */
final class DamagedRowsTest {

    private static final RequestKey KEY = new RequestKey("", "k");

    private final TestEnvironment environment = new TestEnvironment();
    private final MemoryCounterStore store = new MemoryCounterStore();
    private final Sequences sequences = open();

    private Sequences open() {
        return Sequences.on(new KeptOpen(store), environment, Duration.ofMillis(300));
    }

    /** With a block of ten where there are blocks. */
    private static SequenceDefinition ofTen(Contract contract) {
        SequenceDefinition definition = SequenceDefinition.ascending().contract(contract);
        return contract == Contract.FAST ? definition.cache(10) : definition;
    }

    @AfterEach
    void close() {
        sequences.close();
    }

    private static ErrorCode codeOf(Callable<?> call) {
        try {
            throw new AssertionError("no error but " + call.call());
        } catch (SequenceException e) {
            return e.code();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private long sequenceId() {
        return store.findDefinition("s").orElseThrow().sequenceId();
    }

    private void damageOpenBlocks(String text) {
        CounterRow row = store.findCounter(CounterKey.of(sequenceId())).orElseThrow();
        CounterRow damaged = new CounterRow(
                row.key(),
                row.generation(),
                row.round(),
                row.highWaterMark(),
                row.fresh(),
                row.revision() + 1,
                new WriterMark(1, 1),
                text,
                row.account());
        assertThat(store.apply(Change.of(damaged))).isInstanceOf(WriteOutcome.Applied.class);
    }

    private void keepAnswer(String text) {
        IdempotencyRow row = new IdempotencyRow(
                new IdempotencyKey(sequenceId(), KEY.caller(), KEY.key()), text, Instant.MAX, new WriterMark(1, 1));
        assertThat(store.apply(Change.of(row))).isInstanceOf(WriteOutcome.Applied.class);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "GAPLESS")
    void openBlocks_damaged_isCorruptForWhoHasTheSequenceOpenAndForWhoOpensIt(Contract contract) {
        Sequence s = sequences.define("s", ofTen(contract));
        assertThat(s.next()).isEqualTo(1);
        damageOpenBlocks("4fd1a20c99b1e7d3");
        assertThat(codeOf(() -> s.draw(100))).isEqualTo(ErrorCode.STORE_CORRUPT);
        assertThat(codeOf(() -> s.restart(Restart.at(1).allowingReuse("test")))).isEqualTo(ErrorCode.STORE_CORRUPT);
        try (Sequences others = open()) {
            assertThat(codeOf(() -> others.get("s"))).isEqualTo(ErrorCode.STORE_CORRUPT);
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "GAPLESS")
    void answer_damaged_isCorruptAndTakesNothing(Contract contract) {
        Sequence s = sequences.define("s", SequenceDefinition.ascending().contract(contract));
        keepAnswer("next 3; generation 1; round 0; 17 1 x2");
        assertThat(codeOf(() -> s.draw(3, KEY))).isEqualTo(ErrorCode.STORE_CORRUPT);
        assertThat(s.next()).isEqualTo(1);
    }

    /** It was told as the answer to another request. */
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "GAPLESS")
    void answer_whoseRequestIsDamaged_isCorrupt(Contract contract) {
        Sequence s = sequences.define("s", SequenceDefinition.ascending().contract(contract));
        keepAnswer("nex 3; generation 1; round 0; 17 1 x3");
        assertThat(codeOf(() -> s.draw(3, KEY))).isEqualTo(ErrorCode.STORE_CORRUPT);
    }

    @Test
    void check_damagedTexts_areNotUnderstood() {
        sequences.define("s", SequenceDefinition.ascending()).draw(1, new RequestKey("", "sound"));
        damageOpenBlocks("; ");
        keepAnswer("");
        StoreCheck check = new StoreCheck();
        store.findDefinition("s").ifPresent(check::definition);
        store.findCounter(CounterKey.of(sequenceId())).ifPresent(check::counter);
        store.listLedger(AuditTrail.key("s"), 1, 1).forEach(check::ledger);
        for (String key : List.of("sound", KEY.key())) {
            store.findIdempotency(new IdempotencyKey(sequenceId(), "", key)).ifPresent(check::idempotency);
        }
        assertThat(check.report().findings())
                .containsExactly(
                        new StoreCheck.Finding(
                                "NOT_UNDERSTOOD",
                                "s",
                                "the stored list of nodes that may have values in memory is not understood:"
                                        + " openBlocks=; "),
                        new StoreCheck.Finding(
                                "NOT_UNDERSTOOD",
                                "sequence id " + sequenceId(),
                                "the stored answer of key k is not understood"));
    }
}
