package io.seriatim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class OpenBlockTest {

    /** Four fences of the block that stands for none, which all sequences share, once made its cursor negative: it gave out -2^63. */
    @Test
    void fence_ofNoBlockManyTimes_stillGivesNoTicket() {
        for (int i = 0; i < 10; i++) {
            assertThat(OpenBlock.NONE.fence()).isZero();
        }

        assertThat(OpenBlock.NONE.take(1)).isNotNegative();
        assertThat(OpenBlock.NONE.tryTake(1)).isEqualTo(OptionalLong.empty());
    }

    @Test
    void fence_ofABlock_endsItAndTellsHowManyTicketsWereValid() {
        OpenBlock block = new OpenBlock(new Run(new Block(5, 1, 10), new Position(1, 0, 4, false), 0), 10);
        block.take(3);

        assertThat(block.fence()).isEqualTo(3);
        assertThat(block.take(1)).isGreaterThanOrEqualTo(block.count());
        assertThat(block.tryTake(1)).isEqualTo(OptionalLong.empty());
    }

    /** Values given back to a block that another has taken the place of would come behind later ones, or never. */
    @Test
    void tryGiveBack_afterTheBlockWasFenced_isRefused() {
        OpenBlock block = new OpenBlock(new Run(new Block(5, 1, 10), new Position(1, 0, 4, false), 0), 10);
        block.take(10);
        Draw rest = block.draw(new Block(13, 1, 2));
        assertThat(block.tryGiveBack(rest)).isTrue();
        assertThat(block.take(2)).isEqualTo(8);
        block.fence();

        assertThat(block.tryGiveBack(rest)).isFalse();
        assertThat(block.tryTake(1)).isEqualTo(OptionalLong.empty());
    }
}
