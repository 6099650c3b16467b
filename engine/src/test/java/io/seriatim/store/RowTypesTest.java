package io.seriatim.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What no row can be, whoever makes it. */
final class RowTypesTest {

    private static final WriterMark MARK = new WriterMark(1, 1);

    /** Half a surrogate pair, and U+0000. */
    private static final List<String> UNFIT =
            List.of("\uD83D", "a\uDE00", "\uD83D\uD83D\uDE00", "\uDE00\uD83D", "x\uD83Dy", "\0", "a\0", "\0a");

    private static DefinitionRow definition(String name, Map<String, String> options) {
        return new DefinitionRow(name, 1, 1, 1, options, false, Instant.EPOCH, Instant.EPOCH, MARK);
    }

    /** Lower case of all Unicode would depend on neighbours (the final sigma) and on the Unicode version. */
    @Test
    void fold_onlyAsciiLetters_andEachForItself() {
        assertThat(DefinitionRow.fold("AZ az09 [@`{")).isEqualTo("az az09 [@`{");
        assertThat(DefinitionRow.fold("ÄΣİ\uD83D\uDE00K")).isEqualTo("ÄΣİ\uD83D\uDE00k");
        assertThat(DefinitionRow.fold("\u212A")).isEqualTo("\u212A"); // the Kelvin sign, whose lower case is k
        String name = "ΑΣ1";
        for (int end = 0; end <= name.length(); end++) {
            assertThat(DefinitionRow.fold(name)).startsWith(DefinitionRow.fold(name.substring(0, end)));
        }
    }

    @Test
    void rows_textsThatAStoreCannotKeep_areRefusedEverywhere() {
        for (String unfit : UNFIT) {
            refused(() -> DefinitionRow.fold(unfit));
            refused(() -> definition(unfit, Map.of()));
            refused(() -> definition("n", Map.of(unfit, "")));
            refused(() -> definition("n", Map.of("o", unfit)));
            refused(() -> new CounterKey(1, unfit, ""));
            refused(() -> new CounterKey(1, "", unfit));
            refused(() -> new IdempotencyKey(1, unfit, ""));
            refused(() -> new IdempotencyKey(1, "", unfit));
            refused(() -> new IdempotencyRow(new IdempotencyKey(1, "", ""), unfit, Instant.EPOCH, MARK));
            refused(() -> new LedgerRow(CounterKey.of(1), 1, unfit));
        }
        definition("\uD83D\uDE00\uD83D\uDE00", Map.of("\uD83D\uDE00", "\uD83D\uDE00"));
    }

    @Test
    void rows_numbersBelowTheirFirst_areRefused() {
        refused(() -> definition("", Map.of()));
        refused(() -> new DefinitionRow("n", 1, 0, 1, Map.of(), false, Instant.EPOCH, Instant.EPOCH, MARK));
        refused(() -> new DefinitionRow("n", 1, 1, 0, Map.of(), false, Instant.EPOCH, Instant.EPOCH, MARK));
        refused(() -> new CounterRow(CounterKey.of(1), 0, 0, 1, false, 1, MARK));
        refused(() -> new CounterRow(CounterKey.of(1), 1, -1, 1, false, 1, MARK));
        refused(() -> new CounterRow(CounterKey.of(1), 1, 0, 1, false, -1, MARK));
        refused(() -> Change.of(new CounterRow(CounterKey.of(1), 1, 0, 1, false, 0, MARK)));
        refused(() -> new LedgerRow(CounterKey.of(1), 0, ""));
    }

    @Test
    void definition_optionsChangedAfterwards_keepsItsOwn() {
        Map<String, String> options = new HashMap<>(Map.of("a", "1"));
        DefinitionRow row = definition("n", options);
        options.put("a", "2");
        assertThat(row.options()).containsExactly(Map.entry("a", "1"));
        assertThatThrownBy(() -> row.options().put("b", "")).isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void change_empty_isRefused() {
        refused(() -> new Change(Optional.empty(), Optional.empty(), List.of(), Optional.empty()));
    }

    @Test
    void change_oneLedgerRowTwice_isRefused() {
        Change change = new Change(
                Optional.empty(), Optional.empty(), List.of(new LedgerRow(CounterKey.of(1), 1, "a")), Optional.empty());
        refused(() -> change.with(new LedgerRow(CounterKey.of(1), 1, "b")));
        assertThat(change.with(new LedgerRow(CounterKey.of(1), 2, "b"))
                        .with(new LedgerRow(CounterKey.of(2), 1, "b"))
                        .ledger())
                .hasSize(3);
    }

    private static void refused(Runnable making) {
        assertThatThrownBy(making::run).isInstanceOf(IllegalArgumentException.class);
    }
}
