package io.seriatim;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

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
}
