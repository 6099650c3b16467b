package io.seriatim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.seriatim.store.WriterMark;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The list of those who may have values in memory. */
final class HoldersTest {

    private static final Block BLOCK = new Block(1, -2, 3);

    @Test
    void text_parsed_isTheSame() {
        Holders holders =
                Holders.parse("").with("a", BLOCK).with("b", new Block(7, 1, 2)).with("a", BLOCK);
        assertThat(holders.text()).isEqualTo("b 7+1x2; a 1-2x3");
        assertThat(Holders.parse(holders.text())).isEqualTo(holders);
        assertThat(holders.without("a").without("b").text()).isEmpty();
        assertThat(holders.only("a").text()).isEqualTo("a 1-2x3");
    }

    /** A node that is forgotten could be overlooked; one more that nobody knows cannot. */
    @Test
    void with_manyNodes_staysBoundedAndForgetsNobodySilently() {
        Holders holders = Holders.parse("");
        for (int i = 0; i < 1_000; i++) {
            holders = holders.with(Holders.nodeOf(i), BLOCK);
        }
        assertThat(holders.entries()).hasSize(50);
        assertThat(holders.lists("others")).isTrue();
        assertThat(holders.lists(Holders.nodeOf(999))).isTrue();
        assertThat(holders.text().length()).isLessThan(5_000);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "4fd1a20c99b1e7d3",
                "4fd1a20c99b1e7d3 ",
                " 1+1x1",
                "a 1+1x1;",
                "a 1+1x1; ",
                "; a 1+1x1",
                "a 1+1x1;b 2+1x1",
                "a 1+1x1 b",
                "a  1+1x1",
                "recall",
                "recall ",
                "a 1+1x1; recall b.1",
                "recall a.1; recall b.1",
                ";",
                " ",
            })
    void parse_textThatNobodyWrites_isCorrupt(String text) {
        assertThatThrownBy(() -> Holders.parse(text))
                .isInstanceOfSatisfying(
                        StoreUnavailableException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.STORE_CORRUPT))
                .hasMessageEndingWith("openBlocks=" + text);
    }

    @Test
    void parse_recall_isTheSame() {
        Holders recalled = Holders.none().with("a", BLOCK).recalledBy(new WriterMark(10, 7));
        assertThat(recalled.text()).isEqualTo("recall 000000000000000a.7; a 1-2x3");
        assertThat(Holders.parse(recalled.text())).isEqualTo(recalled);
        Holders nobody = Holders.none().recalledBy(new WriterMark(10, 7));
        assertThat(Holders.parse(nobody.text())).isEqualTo(nobody);
    }
}
