package io.seriatim.verification;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.seriatim.store.Change;
import io.seriatim.store.CounterKey;
import io.seriatim.store.CounterRow;
import io.seriatim.store.CounterStore;
import io.seriatim.store.DefinitionRow;
import io.seriatim.store.IdempotencyKey;
import io.seriatim.store.IdempotencyRow;
import io.seriatim.store.LedgerRow;
import io.seriatim.store.StoreException;
import io.seriatim.store.WriteOutcome;
import io.seriatim.store.WriterMark;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What every {@link CounterStore} promises, as tests: the specification of the port. A store's test class
 * extends it and says how the store is opened; a store that keeps its rows extends
 * {@link DurableCounterStoreContract}.
 */
public abstract class CounterStoreContract {

    private static final long PATIENCE_SECONDS = Together.PATIENCE_SECONDS;
    private static final Instant CREATED = Instant.parse("2026-07-09T12:30:45.123456Z");
    private static final Instant MODIFIED = Instant.parse("2031-01-01T00:00:00Z");

    private final AtomicLong writes = new AtomicLong();
    private CounterStore store;

    /** Opens the store of this test; a later call in the same test opens the same store anew. */
    protected abstract CounterStore open();

    @BeforeEach
    final void openStore() {
        store = open();
    }

    @AfterEach
    final void closeStore() {
        store.close();
    }

    /** The open store. */
    protected final CounterStore store() {
        return store;
    }

    /** Closes the store and opens it anew. */
    final void reopen() {
        store.close();
        store = open();
    }

    // ---- definitions

    @Test
    void findDefinition_unknownName_empty() {
        assertThat(store.findDefinition("orders")).isEmpty();
    }

    @Test
    void findDefinition_written_isTheSameRow() {
        DefinitionRow row = new DefinitionRow(
                "Orders",
                42,
                7,
                1,
                Map.of("increment", "-5", "template", "R-{seq:5}"),
                false,
                CREATED,
                MODIFIED,
                new WriterMark(3, 4));
        applied(change(row));
        assertThat(store.findDefinition("Orders")).contains(row);
    }

    @Test
    void findDefinition_otherCaseOfAsciiLetters_isTheSameRow() {
        DefinitionRow row = definition("Orders-EU", 1);
        applied(change(row));
        assertThat(store.findDefinition("oRDERS-eu")).contains(row);
    }

    /** Other letters fold differently with each Unicode version; a key must not. */
    @Test
    void findDefinition_otherCaseOfOtherLetters_isAnotherName() {
        applied(change(definition("été", 1)));
        applied(change(definition("ΣΑΣ", 1)));
        assertThat(store.findDefinition("ÉTÉ")).isEmpty();
        assertThat(store.findDefinition("σας")).isEmpty();
        assertThat(store.findDefinition("éTé")).isPresent();
    }

    /** A drop leaves its tombstone under the name: who creates the name anew must see what was there. */
    @Test
    void findDefinition_dropped_isTheTombstone() {
        applied(change(definition("orders", 1)));
        DefinitionRow tombstone = dropped("orders", 2);
        applied(change(tombstone));
        assertThat(store.findDefinition("orders")).contains(tombstone);
    }

    /** Half a surrogate pair has no UTF-8 form: as a key it would be somebody else's. */
    @Test
    void findDefinition_halfASurrogatePair_isRefused() {
        assertThatThrownBy(() -> store.findDefinition("a\uD83D")).isInstanceOf(IllegalArgumentException.class);
    }

    /** PostgreSQL has no place for it in a text, so no store takes it. */
    @Test
    void everyText_withTheCharacterZero_isRefused() {
        assertThatThrownBy(() -> store.findDefinition("a\0")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> store.listDefinitions("\0", "", 10)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> store.listDefinitions("", "a\0", 10)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> answer("k", "\0")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void apply_firstDefinitionOverNothing_applied() {
        applied(change(definition("orders", 1)));
    }

    @Test
    void apply_firstDefinitionOverOne_refusedWithTheOneThere() {
        DefinitionRow first = definition("orders", 1);
        applied(change(first));
        assertThat(refused(change(definition("orders", 1))).definition()).contains(first);
        assertThat(store.findDefinition("orders")).contains(first);
    }

    @Test
    void apply_firstDefinitionInOtherCase_refusedWithTheOneThere() {
        DefinitionRow first = definition("orders", 1);
        applied(change(first));
        assertThat(refused(change(definition("ORDERS", 1))).definition()).contains(first);
    }

    @Test
    void apply_definitionOverTheRevisionBefore_replacesIt() {
        applied(change(definition("orders", 1)));
        DefinitionRow second = definition("orders", 2);
        applied(change(second));
        assertThat(store.findDefinition("orders")).contains(second);
    }

    @Test
    void apply_definitionThatSkipsARevision_refused() {
        DefinitionRow first = definition("orders", 1);
        applied(change(first));
        assertThat(refused(change(definition("orders", 3))).definition()).contains(first);
    }

    @Test
    void apply_definitionOfThePresentOrAnOlderRevision_refused() {
        applied(change(definition("orders", 1)));
        DefinitionRow second = definition("orders", 2);
        applied(change(second));
        assertThat(refused(change(definition("orders", 2))).definition()).contains(second);
        assertThat(refused(change(definition("orders", 1))).definition()).contains(second);
    }

    @Test
    void apply_laterDefinitionOverNothing_refusedWithNothing() {
        assertThat(refused(change(definition("orders", 2))).definition()).isEmpty();
        assertThat(store.findDefinition("orders")).isEmpty();
    }

    /** Otherwise dropping and creating could undo the generation that the tombstone keeps. */
    @Test
    void apply_firstDefinitionOverATombstone_refusedWithTheTombstone() {
        applied(change(definition("orders", 1)));
        DefinitionRow tombstone = dropped("orders", 2);
        applied(change(tombstone));
        assertThat(refused(change(definition("orders", 1))).definition()).contains(tombstone);
        applied(change(definition("orders", 3)));
    }

    @Test
    void apply_definitionInOtherCase_isStillOneRow() {
        applied(change(definition("orders", 1)));
        applied(change(definition("Orders", 2)));
        assertThat(names(store.listDefinitions("", "", 10))).containsExactly("Orders");
        assertThat(store.findDefinition("orders").orElseThrow().name()).isEqualTo("Orders");
    }

    // ---- counters

    @Test
    void findCounter_unknownKey_empty() {
        assertThat(store.findCounter(CounterKey.of(1))).isEmpty();
    }

    @Test
    void findCounter_written_isTheSameRow() {
        CounterRow row = new CounterRow(
                new CounterKey(5, "store=A", "2026-07"),
                3,
                2,
                -1_000,
                true,
                1,
                new WriterMark(-8, 9),
                "4fd1a20c99b1e7d3 1001+1x1000; ä",
                "ledger 2; ß");
        applied(Change.of(row));
        assertThat(store.findCounter(row.key())).contains(row);
    }

    @Test
    void findCounter_extremeValues_areKept() {
        for (long extreme :
                new long[] {Long.MIN_VALUE, Long.MIN_VALUE + 1, -1, 0, 1, Long.MAX_VALUE - 1, Long.MAX_VALUE}) {
            CounterRow row = new CounterRow(
                    CounterKey.of(extreme),
                    Math.max(1, extreme),
                    Math.max(0, extreme),
                    extreme,
                    false,
                    1,
                    new WriterMark(extreme, extreme));
            applied(Change.of(row));
            assertThat(store.findCounter(row.key())).contains(row);
        }
    }

    @Test
    void apply_firstCounterOverNothing_applied() {
        applied(Change.of(counter(1, 1, 100)));
    }

    @Test
    void apply_firstCounterOverOne_refusedWithTheOneThere() {
        CounterRow first = counter(1, 1, 100);
        applied(Change.of(first));
        assertThat(refused(Change.of(counter(1, 1, 200))).counter()).contains(first);
        assertThat(store.findCounter(first.key())).contains(first);
    }

    @Test
    void apply_counterOverTheRevisionBefore_replacesIt() {
        applied(Change.of(counter(1, 1, 100)));
        CounterRow second = counter(1, 2, 200);
        applied(Change.of(second));
        assertThat(store.findCounter(second.key())).contains(second);
    }

    /** A block that a clean stop gives back lowers the mark: which way a mark moves is the engine's business. */
    @Test
    void apply_counterWithALowerMark_replacesIt() {
        applied(Change.of(counter(1, 1, 100)));
        CounterRow second = counter(1, 2, 60);
        applied(Change.of(second));
        assertThat(store.findCounter(second.key())).contains(second);
    }

    @Test
    void apply_counterThatSkipsARevision_refused() {
        CounterRow first = counter(1, 1, 100);
        applied(Change.of(first));
        assertThat(refused(Change.of(counter(1, 3, 300))).counter()).contains(first);
    }

    @Test
    void apply_counterOfThePresentOrAnOlderRevision_refused() {
        applied(Change.of(counter(1, 1, 100)));
        CounterRow second = counter(1, 2, 200);
        applied(Change.of(second));
        assertThat(refused(Change.of(counter(1, 2, 300))).counter()).contains(second);
        assertThat(refused(Change.of(counter(1, 1, 300))).counter()).contains(second);
        assertThat(store.findCounter(second.key())).contains(second);
    }

    @Test
    void apply_laterCounterOverNothing_refusedWithNothing() {
        assertThat(refused(Change.of(counter(1, 2, 100))).counter()).isEmpty();
        assertThat(store.findCounter(CounterKey.of(1))).isEmpty();
    }

    /** A repeated send of the very same row is a second write, not a success: only its mark can tell. */
    @Test
    void apply_theSameRowAgain_refusedWithItself() {
        CounterRow row = counter(1, 1, 100);
        applied(Change.of(row));
        assertThat(refused(Change.of(row)).counter()).contains(row);
    }

    @Test
    void apply_keysThatLookAlike_areDifferentCounters() {
        List<CounterKey> keys = List.of(
                new CounterKey(1, "", ""),
                new CounterKey(2, "", ""),
                new CounterKey(256, "", ""),
                new CounterKey(1, "a", ""),
                new CounterKey(1, "", "a"),
                new CounterKey(1, "ab", "c"),
                new CounterKey(1, "a", "bc"),
                new CounterKey(1, "abc", ""),
                new CounterKey(1, "A", "bc"),
                new CounterKey(1, "a ", "bc"),
                new CounterKey(1, "é", ""),
                new CounterKey(1, "e\u0301", ""));
        for (int i = 0; i < keys.size(); i++) {
            applied(Change.of(counter(keys.get(i), 1, i)));
        }
        for (int i = 0; i < keys.size(); i++) {
            assertThat(store.findCounter(keys.get(i)).orElseThrow().highWaterMark())
                    .isEqualTo(i);
        }
    }

    // ---- ledger

    @Test
    void listCounters_unknownSequence_empty() {
        assertThat(store.listCounters(1, Optional.empty(), 10)).isEmpty();
    }

    /** Not those of other sequences, be their ids next to it or of the other sign. */
    @Test
    void listCounters_inPages_givesEachCounterOfTheSequenceOnce() {
        Set<CounterRow> expected = new HashSet<>();
        for (String scope : List.of("", "A", "a", "AA", "é", "𝄞")) {
            for (String period : List.of("", "2026", "2026-07", "2026-W28")) {
                CounterRow row = counterAt(new CounterKey(7, scope, period));
                applied(Change.of(row));
                expected.add(row);
            }
        }
        for (long other : new long[] {6, 8, -7, Long.MAX_VALUE}) {
            applied(Change.of(counterAt(new CounterKey(other, "A", "2026"))));
        }
        List<CounterRow> all = new ArrayList<>();
        List<CounterRow> page = store.listCounters(7, Optional.empty(), 5);
        while (!page.isEmpty()) {
            assertThat(page).hasSizeLessThanOrEqualTo(5);
            all.addAll(page);
            page = store.listCounters(7, Optional.of(all.get(all.size() - 1).key()), 5);
        }
        assertThat(all).doesNotHaveDuplicates().hasSameElementsAs(expected);
        assertThat(store.listCounters(7, Optional.empty(), 1_000)).isEqualTo(all);
    }

    @Test
    void listCounters_behindAKeyWithoutARow_beginsAtTheNext() {
        CounterRow row = counterAt(new CounterKey(7, "A", "2026-07"));
        applied(Change.of(row));
        assertThat(store.listCounters(7, Optional.of(new CounterKey(7, "A", "2026-06")), 10))
                .containsExactly(row);
        assertThat(store.listCounters(7, Optional.of(new CounterKey(7, "A", "2026-08")), 10))
                .isEmpty();
    }

    private CounterRow counterAt(CounterKey key) {
        return new CounterRow(key, 1, 0, 1, false, 1, mark());
    }

    @Test
    void listLedger_unknownCounter_empty() {
        assertThat(store.listLedger(CounterKey.of(1), 1, 10)).isEmpty();
    }

    @Test
    void listLedger_writtenOutOfOrder_inOrderOfIndex() {
        for (long index : new long[] {3, 1, 300, 2, 256, 255}) {
            applied(change(ledger(1, index)));
        }
        assertThat(indexes(store.listLedger(CounterKey.of(1), 1, 100))).containsExactly(1L, 2L, 3L, 255L, 256L, 300L);
    }

    @Test
    void listLedger_inPages_givesEachEntryOnce() {
        Change change = change(ledger(1, 1));
        for (int index = 2; index <= 300; index++) {
            change = change.with(ledger(1, index));
        }
        applied(change);
        List<LedgerRow> all = new ArrayList<>();
        List<LedgerRow> page = store.listLedger(CounterKey.of(1), 1, 7);
        while (!page.isEmpty()) {
            assertThat(page).hasSizeLessThanOrEqualTo(7);
            all.addAll(page);
            page = store.listLedger(CounterKey.of(1), all.get(all.size() - 1).index() + 1, 7);
        }
        assertThat(all).isEqualTo(change.ledger());
    }

    @Test
    void listLedger_fromAnIndexBetweenEntries_beginsAtTheNext() {
        applied(change(ledger(1, 5)).with(ledger(1, 9)));
        assertThat(indexes(store.listLedger(CounterKey.of(1), 6, 10))).containsExactly(9L);
        assertThat(indexes(store.listLedger(CounterKey.of(1), 10, 10))).isEmpty();
        assertThat(indexes(store.listLedger(CounterKey.of(1), Long.MIN_VALUE, 10)))
                .containsExactly(5L, 9L);
    }

    @Test
    void listLedger_greatestIndex_isKept() {
        LedgerRow row = ledger(1, Long.MAX_VALUE);
        applied(change(row));
        assertThat(store.listLedger(CounterKey.of(1), Long.MAX_VALUE, 10)).containsExactly(row);
    }

    @Test
    void listLedger_countersThatLookAlike_areNotMixed() {
        List<CounterKey> keys = List.of(
                new CounterKey(1, "", ""),
                new CounterKey(1, "a", ""),
                new CounterKey(1, "", "a"),
                new CounterKey(1, "ab", ""),
                new CounterKey(1, "a", "b"),
                new CounterKey(2, "", ""));
        for (CounterKey key : keys) {
            applied(change(new LedgerRow(key, 1, "of " + key)));
        }
        for (CounterKey key : keys) {
            assertThat(store.listLedger(key, 1, 10)).containsExactly(new LedgerRow(key, 1, "of " + key));
        }
    }

    @Test
    void apply_ledgerRowOverOne_refusedAndTheFirstStays() {
        LedgerRow first = new LedgerRow(CounterKey.of(1), 1, "first");
        applied(change(first));
        refused(change(new LedgerRow(CounterKey.of(1), 1, "second")));
        refused(change(first));
        assertThat(store.listLedger(CounterKey.of(1), 1, 10)).containsExactly(first);
    }

    @Test
    void apply_ledgerRowsOfSeveralCounters_allThere() {
        applied(change(ledger(1, 1)).with(ledger(2, 1)).with(ledger(2, 2)));
        assertThat(indexes(store.listLedger(CounterKey.of(1), 1, 10))).containsExactly(1L);
        assertThat(indexes(store.listLedger(CounterKey.of(2), 1, 10))).containsExactly(1L, 2L);
    }

    // ---- idempotency

    @Test
    void findIdempotency_unknownKey_empty() {
        assertThat(store.findIdempotency(new IdempotencyKey(1, "", "k"))).isEmpty();
    }

    @Test
    void findIdempotency_written_isTheSameRow() {
        IdempotencyRow row = new IdempotencyRow(
                new IdempotencyKey(1, "alice", "0f3d"), "{\"value\":17}", MODIFIED, new WriterMark(1, 2));
        applied(Change.of(row));
        assertThat(store.findIdempotency(row.key())).contains(row);
    }

    @Test
    void apply_secondAnswerUnderOneKey_refusedWithTheFirst() {
        IdempotencyRow first = answer("k", "first");
        applied(Change.of(first));
        assertThat(refused(Change.of(answer("k", "second"))).idempotency()).contains(first);
        assertThat(store.findIdempotency(first.key())).contains(first);
    }

    @Test
    void sweepIdempotency_someExpired_removesTheseAndCountsTheRest() {
        Instant now = Instant.parse("2026-07-09T12:00:00.000000001Z");
        List<Instant> expiries = List.of(
                now.minusNanos(1),
                Instant.parse("2026-07-09T11:59:59Z"),
                Instant.parse("1969-12-31T23:59:59.999999999Z"),
                now,
                now.plusNanos(1),
                Instant.parse("2026-07-09T12:00:00.1Z"),
                Instant.parse("2026-07-10T00:00:00Z"));
        for (int i = 0; i < expiries.size(); i++) {
            applied(Change.of(
                    new IdempotencyRow(new IdempotencyKey(1, "", "k" + i), "answer", expiries.get(i), mark())));
        }
        assertThat(store.sweepIdempotency(now)).isEqualTo(4);
        for (int i = 0; i < expiries.size(); i++) {
            assertThat(store.findIdempotency(new IdempotencyKey(1, "", "k" + i)).isPresent())
                    .as("expires %s", expiries.get(i))
                    .isEqualTo(i >= 3);
        }
        applied(Change.of(answer("k0", "anew")));
        assertThat(store.sweepIdempotency(Instant.parse("2027-01-01T00:00:00Z")))
                .isEqualTo(1);
    }

    @Test
    void apply_idempotencyKeysThatLookAlike_areDifferentRequests() {
        List<IdempotencyKey> keys = List.of(
                new IdempotencyKey(1, "", ""),
                new IdempotencyKey(2, "", ""),
                new IdempotencyKey(1, "a", ""),
                new IdempotencyKey(1, "", "a"),
                new IdempotencyKey(1, "", "A"),
                new IdempotencyKey(1, "ab", "c"),
                new IdempotencyKey(1, "a", "bc"));
        for (IdempotencyKey key : keys) {
            applied(Change.of(new IdempotencyRow(key, "of " + key, MODIFIED, mark())));
        }
        for (IdempotencyKey key : keys) {
            assertThat(store.findIdempotency(key).orElseThrow().answer()).isEqualTo("of " + key);
        }
    }

    /** A counter and a request may have the same three parts; they are still two rows. */
    @Test
    void apply_counterAndRequestOfTheSameParts_areTwoRows() {
        applied(Change.of(counter(new CounterKey(1, "a", "b"), 1, 7)));
        applied(Change.of(new IdempotencyRow(new IdempotencyKey(1, "a", "b"), "x", MODIFIED, mark())));
        assertThat(store.findCounter(new CounterKey(1, "a", "b")).orElseThrow().highWaterMark())
                .isEqualTo(7);
    }

    // ---- texts

    @Test
    void apply_emptyTexts_areKept() {
        DefinitionRow definition = new DefinitionRow("n", 1, 1, 1, Map.of("", ""), false, CREATED, CREATED, mark());
        LedgerRow ledger = new LedgerRow(CounterKey.of(1), 1, "");
        IdempotencyRow answer = new IdempotencyRow(new IdempotencyKey(1, "", ""), "", MODIFIED, mark());
        applied(Change.of(answer).with(definition).with(ledger));
        assertThat(store.findDefinition("n")).contains(definition);
        assertThat(store.listLedger(CounterKey.of(1), 1, 10)).containsExactly(ledger);
        assertThat(store.findIdempotency(answer.key())).contains(answer);
    }

    @Test
    void apply_textsOfAllPlanes_areKept() {
        for (String text : List.of(
                "ÄÖÜ ß ẞ",
                "日本語",
                "\uD83D\uDE00",
                "\u0001\t\r\n\u007F",
                "e\u0301",
                "\uFFFD\uFFFE\uFFFF",
                "' \" \\ % _ ; --")) {
            CounterKey key = new CounterKey(1, text, text);
            DefinitionRow definition =
                    new DefinitionRow("n" + text, 1, 1, 1, Map.of(text, text), false, CREATED, CREATED, mark());
            LedgerRow ledger = new LedgerRow(key, 1, text);
            IdempotencyRow answer = new IdempotencyRow(new IdempotencyKey(1, text, text), text, MODIFIED, mark());
            CounterRow counter = counter(key, 1, 1);
            applied(Change.of(counter).with(definition).with(ledger).with(answer));
            assertThat(store.findDefinition("n" + text)).contains(definition);
            assertThat(store.findCounter(key)).contains(counter);
            assertThat(store.listLedger(key, 1, 10)).containsExactly(ledger);
            assertThat(store.findIdempotency(answer.key())).contains(answer);
        }
    }

    @Test
    void apply_longTexts_areKept() {
        String text = "abc\u00E9\uD83D\uDE00".repeat(20_000);
        IdempotencyRow answer = new IdempotencyRow(new IdempotencyKey(1, "", "k"), text, MODIFIED, mark());
        applied(Change.of(answer));
        assertThat(store.findIdempotency(answer.key())).contains(answer);
    }

    // ---- all or nothing

    @Test
    void apply_fourKindsOfRows_allThere() {
        Change all = four(1);
        applied(all);
        assertThere(all);
    }

    @Test
    void apply_definitionRefuses_nothingOfTheChangeIsThere() {
        DefinitionRow present = definition("sequence-1", 1);
        applied(change(present));
        WriteOutcome.Refused refused = refused(four(1));
        assertThat(refused.definition()).contains(present);
        assertThat(refused.counter()).isEmpty();
        assertThat(refused.idempotency()).isEmpty();
        assertThat(store.findDefinition("sequence-1")).contains(present);
        assertThat(store.findCounter(CounterKey.of(1))).isEmpty();
        assertThat(store.listLedger(CounterKey.of(1), 1, 10)).isEmpty();
        assertThat(store.findIdempotency(new IdempotencyKey(1, "", "k"))).isEmpty();
    }

    @Test
    void apply_counterRefuses_nothingOfTheChangeIsThere() {
        CounterRow present = counter(1, 1, 17);
        applied(Change.of(present));
        WriteOutcome.Refused refused = refused(four(1));
        assertThat(refused.counter()).contains(present);
        assertThat(refused.definition()).isEmpty();
        assertThat(store.findDefinition("sequence-1")).isEmpty();
        assertThat(store.findCounter(CounterKey.of(1))).contains(present);
        assertThat(store.listLedger(CounterKey.of(1), 1, 10)).isEmpty();
        assertThat(store.findIdempotency(new IdempotencyKey(1, "", "k"))).isEmpty();
    }

    @Test
    void apply_oneOfTheLedgerRowsRefuses_nothingOfTheChangeIsThere() {
        applied(change(ledger(1, 2)));
        refused(four(1));
        assertThat(store.findDefinition("sequence-1")).isEmpty();
        assertThat(store.findCounter(CounterKey.of(1))).isEmpty();
        assertThat(indexes(store.listLedger(CounterKey.of(1), 1, 10))).containsExactly(2L);
        assertThat(store.findIdempotency(new IdempotencyKey(1, "", "k"))).isEmpty();
    }

    /** The duplicate request: its allocation must not happen, or a number would be lost for each retry. */
    @Test
    void apply_idempotencyRefuses_nothingOfTheChangeIsThere() {
        IdempotencyRow present = answer("k", "earlier");
        applied(Change.of(present));
        WriteOutcome.Refused refused = refused(four(1));
        assertThat(refused.idempotency()).contains(present);
        assertThat(store.findDefinition("sequence-1")).isEmpty();
        assertThat(store.findCounter(CounterKey.of(1))).isEmpty();
        assertThat(store.listLedger(CounterKey.of(1), 1, 10)).isEmpty();
        assertThat(store.findIdempotency(present.key())).contains(present);
    }

    @Test
    void apply_allFourRefuse_answerCarriesAllPresentRows() {
        Change first = four(1);
        applied(first);
        WriteOutcome.Refused refused = refused(four(1));
        assertThat(refused.definition()).isEqualTo(first.definition());
        assertThat(refused.counter()).isEqualTo(first.counter());
        assertThat(refused.idempotency()).isEqualTo(first.idempotency());
        assertThere(first);
    }

    /** Who is refused by one row learns the others too: "no such row" and "not in the way" must differ. */
    @Test
    void apply_oneRowRefuses_answerCarriesThePresentRowsOfTheOthers() {
        DefinitionRow definition = definition("sequence-1", 1);
        CounterRow counter = counter(1, 1, 100);
        applied(Change.of(counter).with(definition));
        WriteOutcome.Refused refused = refused(
                Change.of(counter(1, 2, 200)).with(definition("sequence-1", 3)).with(answer("k", "x")));
        assertThat(refused.definition()).contains(definition);
        assertThat(refused.counter()).contains(counter);
        assertThat(refused.idempotency()).isEmpty();
    }

    @Test
    void apply_ledgerRefuses_answerCarriesThePresentCounter() {
        CounterRow counter = counter(1, 1, 100);
        applied(Change.of(counter).with(ledger(1, 1)));
        assertThat(refused(Change.of(counter(1, 2, 200)).with(ledger(1, 1))).counter())
                .contains(counter);
    }

    @Test
    void apply_refused_answerHoldsNothingThatWasNotNamed() {
        applied(four(1));
        WriteOutcome.Refused refused = refused(Change.of(counter(1, 1, 5)));
        assertThat(refused.definition()).isEmpty();
        assertThat(refused.idempotency()).isEmpty();
    }

    @Test
    void apply_afterARefusal_theRightRevisionGoesIn() {
        applied(Change.of(counter(1, 1, 100)));
        CounterRow present = refused(Change.of(counter(1, 1, 200))).counter().orElseThrow();
        applied(Change.of(counter(1, present.revision() + 1, 200)));
    }

    // ---- listing definitions

    @Test
    void listDefinitions_emptyStore_empty() {
        assertThat(store.listDefinitions("", "", 10)).isEmpty();
    }

    @Test
    void listDefinitions_namesOfMixedCase_inOrderOfTheirFoldedNames() {
        for (String name : List.of("b", "C", "a", "D", "B2", "_", "9", "-")) {
            applied(change(definition(name, 1)));
        }
        assertThat(names(store.listDefinitions("", "", 100))).containsExactly("-", "9", "_", "a", "b", "B2", "C", "D");
    }

    @Test
    void listDefinitions_threeHundredNames_inPagesOfAnySize() {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            String name = "s%03d".formatted((i * 7) % 300); // not in order
            names.add(name);
            applied(change(definition(name, 1)));
        }
        names.sort(null);
        for (int limit : new int[] {1, 7, 100, 299, 300, 301, Integer.MAX_VALUE}) {
            List<String> all = new ArrayList<>();
            List<DefinitionRow> page = store.listDefinitions("", "", limit);
            while (!page.isEmpty()) {
                assertThat(page).hasSizeLessThanOrEqualTo(limit);
                all.addAll(names(page));
                page = store.listDefinitions("", all.get(all.size() - 1), limit);
            }
            assertThat(all).isEqualTo(names);
        }
    }

    @Test
    void listDefinitions_prefix_onlyNamesThatBeginWithIt() {
        for (String name : List.of("invoice", "invoice.de", "invoice.fr", "invoicf", "invoic", "order")) {
            applied(change(definition(name, 1)));
        }
        assertThat(names(store.listDefinitions("invoice", "", 100)))
                .containsExactly("invoice", "invoice.de", "invoice.fr");
        assertThat(names(store.listDefinitions("invoice", "", 2))).containsExactly("invoice", "invoice.de");
        assertThat(names(store.listDefinitions("invoice.fr.x", "", 2))).isEmpty();
        assertThat(names(store.listDefinitions("z", "", 2))).isEmpty();
    }

    @Test
    void listDefinitions_prefix_isCaseSensitive() {
        for (String name : List.of("Ab1", "ab2", "AB3", "Ab4")) {
            applied(change(definition(name, 1)));
        }
        assertThat(names(store.listDefinitions("Ab", "", 100))).containsExactly("Ab1", "Ab4");
        assertThat(names(store.listDefinitions("ab", "", 100))).containsExactly("ab2");
    }

    @Test
    void listDefinitions_after_beginsBehindIt() {
        for (String name : List.of("a", "b", "c", "d")) {
            applied(change(definition(name, 1)));
        }
        assertThat(names(store.listDefinitions("", "b", 100))).containsExactly("c", "d");
        assertThat(names(store.listDefinitions("", "B", 100))).containsExactly("c", "d");
        assertThat(names(store.listDefinitions("", "bb", 100))).containsExactly("c", "d");
        assertThat(names(store.listDefinitions("", "d", 100))).isEmpty();
    }

    @Test
    void listDefinitions_prefixAndAfter_bothHold() {
        for (String name : List.of("a", "m1", "m2", "m3", "z")) {
            applied(change(definition(name, 1)));
        }
        assertThat(names(store.listDefinitions("m", "m1", 100))).containsExactly("m2", "m3");
        assertThat(names(store.listDefinitions("m", "m", 100))).containsExactly("m1", "m2", "m3");
        assertThat(names(store.listDefinitions("m", "a", 100))).containsExactly("m1", "m2", "m3");
        assertThat(names(store.listDefinitions("m", "n", 100))).isEmpty();
    }

    @Test
    void listDefinitions_tombstones_areLeftOutAndDoNotFillAPage() {
        for (int i = 0; i < 20; i++) {
            applied(change(definition("s%02d".formatted(i), 1)));
            if (i < 18) {
                applied(change(dropped("s%02d".formatted(i), 2)));
            }
        }
        assertThat(names(store.listDefinitions("", "", 2))).containsExactly("s18", "s19");
        assertThat(names(store.listDefinitions("", "s03", 1))).containsExactly("s18");
    }

    /** The order of UTF-8 and of SQL's collation C; that of Java's strings differs above U+FFFF. */
    @Test
    void listDefinitions_namesBeyondTheBasicPlane_inOrderOfCodePoints() {
        for (String name : List.of("x\uD83D\uDE00", "x\uFF21", "x\u00E9", "xz")) {
            applied(change(definition(name, 1)));
        }
        assertThat(names(store.listDefinitions("x", "", 100)))
                .containsExactly("xz", "x\u00E9", "x\uFF21", "x\uD83D\uDE00");
        assertThat(names(store.listDefinitions("x", "x\uFF21", 100))).containsExactly("x\uD83D\uDE00");
    }

    @Test
    void listings_limitBelowOne_isRefused() {
        assertThatThrownBy(() -> store.listDefinitions("", "", 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> store.listLedger(CounterKey.of(1), 1, 0)).isInstanceOf(IllegalArgumentException.class);
    }

    // ---- threads

    /** The test that all others are for: of all writers of one revision exactly one is told that it won. */
    @Test
    void apply_manyThreadsOnOneCounter_oneWinnerForEachRevision() throws Exception {
        int revisions = 200;
        Map<Long, WriterMark> winners = new ConcurrentHashMap<>();
        Together.run(8, thread -> {
            long revision = 0;
            while (revision < revisions) {
                CounterRow wanted = counter(1, revision + 1, thread);
                WriteOutcome outcome = store.apply(Change.of(wanted));
                if (outcome instanceof WriteOutcome.Applied) {
                    assertThat(winners.put(wanted.revision(), wanted.mark()))
                            .as("second winner")
                            .isNull();
                    revision = wanted.revision();
                } else {
                    revision = ((WriteOutcome.Refused) outcome)
                            .counter()
                            .map(CounterRow::revision)
                            .orElse(0L);
                    assertThat(revision).isGreaterThanOrEqualTo(wanted.revision());
                }
            }
        });
        assertThat(winners).hasSize(revisions);
        CounterRow last = store.findCounter(CounterKey.of(1)).orElseThrow();
        assertThat(last.revision()).isEqualTo(revisions);
        assertThat(last.mark()).isEqualTo(winners.get((long) revisions));
    }

    @Test
    void apply_manyThreadsOnCountersOfTheirOwn_allApplied() throws Exception {
        Together.run(8, thread -> {
            for (int revision = 1; revision <= 50; revision++) {
                applied(Change.of(counter(thread, revision, revision)));
            }
        });
        for (int thread = 0; thread < 8; thread++) {
            assertThat(store.findCounter(CounterKey.of(thread)).orElseThrow().revision())
                    .isEqualTo(50);
        }
    }

    @Test
    void apply_manyThreadsCreateOneName_oneWinner() throws Exception {
        Set<WriterMark> winners = ConcurrentHashMap.newKeySet();
        Together.run(8, thread -> {
            DefinitionRow row = definition(thread % 2 == 0 ? "orders" : "ORDERS", 1);
            if (store.apply(change(row)) instanceof WriteOutcome.Applied) {
                winners.add(row.mark());
            }
        });
        assertThat(winners)
                .containsExactly(store.findDefinition("orders").orElseThrow().mark());
    }

    @Test
    void apply_manyThreadsWithOneIdempotencyKey_losersGetTheWinnersAnswer() throws Exception {
        Set<String> answers = ConcurrentHashMap.newKeySet();
        AtomicLong winners = new AtomicLong();
        Together.run(8, thread -> {
            Change change = Change.of(counter(thread, 1, thread)).with(answer("k", "of thread " + thread));
            WriteOutcome outcome = store.apply(change);
            if (outcome instanceof WriteOutcome.Applied) {
                winners.incrementAndGet();
                answers.add("of thread " + thread);
            } else {
                answers.add(((WriteOutcome.Refused) outcome)
                        .idempotency()
                        .orElseThrow()
                        .answer());
            }
        });
        assertThat(winners).hasValue(1);
        assertThat(answers).hasSize(1);
        long counters = 0;
        for (int thread = 0; thread < 8; thread++) {
            counters += store.findCounter(CounterKey.of(thread)).isPresent() ? 1 : 0;
        }
        assertThat(counters).isEqualTo(1);
    }

    /** Writers of the same rows in opposite roles must not wait for each other for ever. */
    @Test
    void apply_threadsThatNeedEachOthersRows_allEnd() throws Exception {
        Together.run(8, thread -> {
            for (int i = 0; i < 50; i++) {
                long one = thread % 2;
                store.apply(Change.of(counter(one, 1, 1))
                        .with(definition("d" + (1 - one), 1))
                        .with(ledger(1 - one, i + 1))
                        .with(new IdempotencyRow(new IdempotencyKey(one, "", "k" + i), "", MODIFIED, mark())));
            }
        });
    }

    @Test
    void findCounter_whileOthersWrite_neverGoesBack() throws Exception {
        AtomicBoolean done = new AtomicBoolean();
        Together.run(4, thread -> {
            if (thread == 0) {
                try {
                    for (int revision = 1; revision <= 200; revision++) {
                        applied(Change.of(counter(1, revision, revision)).with(ledger(1, revision)));
                    }
                } finally {
                    done.set(true);
                }
                return;
            }
            long seen = 0;
            while (!done.get()) {
                Optional<CounterRow> row = store.findCounter(CounterKey.of(1));
                long revision = row.map(CounterRow::revision).orElse(0L);
                assertThat(revision).isGreaterThanOrEqualTo(seen);
                assertThat(row.map(CounterRow::highWaterMark).orElse(0L)).isEqualTo(revision);
                if (revision > 0) {
                    assertThat(indexes(store.listLedger(CounterKey.of(1), revision, 1)))
                            .containsExactly(revision);
                }
                seen = revision;
            }
        });
    }

    /** A server's threads are interrupted by its users' timeouts; the files under them must not notice. */
    @Test
    void everyCall_onAnInterruptedThread_worksAndKeepsTheFlag() {
        Thread.currentThread().interrupt();
        try {
            Change all = four(1);
            applied(all);
            assertThere(all);
            assertThat(names(store.listDefinitions("", "", 10))).containsExactly("sequence-1");
            assertThat(Thread.currentThread().isInterrupted()).isTrue();
        } finally {
            Thread.interrupted();
        }
        applied(Change.of(counter(1, 2, 2)));
    }

    // ---- failure and close

    @Test
    void failure_workingStore_empty() {
        applied(four(1));
        refused(four(1));
        assertThat(store.failure()).isEmpty();
    }

    @Test
    void failure_closedStore_empty() {
        store.close();
        assertThat(store.failure()).isEmpty();
    }

    @Test
    void close_twice_isFine() {
        store.close();
        store.close();
    }

    @Test
    void close_onAnInterruptedThread_closesAndKeepsTheFlag() {
        Thread.currentThread().interrupt();
        try {
            store.close();
            assertThat(Thread.currentThread().isInterrupted()).isTrue();
        } finally {
            Thread.interrupted();
        }
    }

    @Test
    void everyCall_closedStore_isUnavailable() {
        store.close();
        unavailable(() -> store.findDefinition("orders"));
        unavailable(() -> store.listDefinitions("", "", 10));
        unavailable(() -> store.findCounter(CounterKey.of(1)));
        unavailable(() -> store.findIdempotency(new IdempotencyKey(1, "", "k")));
        unavailable(() -> store.listLedger(CounterKey.of(1), 1, 10));
        unavailable(() -> store.apply(four(1)));
    }

    @Test
    void close_whileOthersWrite_eachCallEndsAndSaysWhatHappened() throws Exception {
        CyclicBarrier underWay = new CyclicBarrier(4);
        Together.run(4, thread -> {
            if (thread == 0) {
                underWay.await(PATIENCE_SECONDS, SECONDS);
                store.close();
                return;
            }
            for (int revision = 1; ; revision++) {
                try {
                    applied(Change.of(counter(thread, revision, revision)));
                } catch (StoreException e) {
                    assertThat(e.kind()).isEqualTo(StoreException.Kind.UNAVAILABLE);
                    return;
                }
                if (revision == 1) {
                    underWay.await(PATIENCE_SECONDS, SECONDS);
                }
            }
        });
    }

    // ---- the words of the tests

    /** A mark that no other write of this test has. */
    protected final WriterMark mark() {
        return new WriterMark(0x5e71a71dL, writes.incrementAndGet());
    }

    protected final DefinitionRow definition(String name, long revision) {
        return new DefinitionRow(name, 1, 1, revision, Map.of("increment", "1"), false, CREATED, MODIFIED, mark());
    }

    protected final DefinitionRow dropped(String name, long revision) {
        return new DefinitionRow(name, 1, 2, revision, Map.of(), true, CREATED, MODIFIED, mark());
    }

    protected final CounterRow counter(long sequenceId, long revision, long highWaterMark) {
        return counter(CounterKey.of(sequenceId), revision, highWaterMark);
    }

    protected final CounterRow counter(CounterKey key, long revision, long highWaterMark) {
        return new CounterRow(key, 1, 0, highWaterMark, false, revision, mark());
    }

    protected final LedgerRow ledger(long sequenceId, long index) {
        return new LedgerRow(CounterKey.of(sequenceId), index, "entry " + index);
    }

    protected final IdempotencyRow answer(String key, String answer) {
        return new IdempotencyRow(new IdempotencyKey(1, "", key), answer, MODIFIED, mark());
    }

    /** A change of all four kinds of rows, each the first under its key. */
    protected final Change four(long sequenceId) {
        return Change.of(counter(sequenceId, 1, 100))
                .with(definition("sequence-" + sequenceId, 1))
                .with(ledger(sequenceId, 1))
                .with(ledger(sequenceId, 2))
                .with(ledger(sequenceId, 3))
                .with(new IdempotencyRow(new IdempotencyKey(sequenceId, "", "k"), "answer", MODIFIED, mark()));
    }

    protected static Change change(DefinitionRow row) {
        return new Change(Optional.of(row), Optional.empty(), List.of(), Optional.empty());
    }

    protected static Change change(LedgerRow row) {
        return new Change(Optional.empty(), Optional.empty(), List.of(row), Optional.empty());
    }

    protected final void applied(Change change) {
        assertThat(store.apply(change)).isEqualTo(new WriteOutcome.Applied());
    }

    protected final WriteOutcome.Refused refused(Change change) {
        WriteOutcome outcome = store.apply(change);
        assertThat(outcome).isInstanceOf(WriteOutcome.Refused.class);
        return (WriteOutcome.Refused) outcome;
    }

    /** All rows of the change are there, as it wrote them. */
    protected final void assertThere(Change change) {
        change.definition()
                .ifPresent(row -> assertThat(store.findDefinition(row.name())).contains(row));
        change.counter()
                .ifPresent(row -> assertThat(store.findCounter(row.key())).contains(row));
        change.idempotency()
                .ifPresent(row -> assertThat(store.findIdempotency(row.key())).contains(row));
        for (LedgerRow row : change.ledger()) {
            assertThat(store.listLedger(row.counter(), row.index(), 1)).containsExactly(row);
        }
    }

    private static void unavailable(ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.kind()).isEqualTo(StoreException.Kind.UNAVAILABLE));
    }

    private static List<String> names(List<DefinitionRow> rows) {
        return rows.stream().map(DefinitionRow::name).toList();
    }

    private static List<Long> indexes(List<LedgerRow> rows) {
        return rows.stream().map(LedgerRow::index).toList();
    }
}
