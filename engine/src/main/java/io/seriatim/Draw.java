package io.seriatim;

import java.util.List;

/**
 * Values that one call took.
 *
 * @param generation of the definition that they come from
 * @param blocks the values in order; more than one block where they pass a wrap
 */
public record Draw(long generation, List<Block> blocks) {

    public Draw {
        blocks = List.copyOf(blocks);
    }

    /** How many values, over all blocks. */
    public long count() {
        return blocks.stream().mapToLong(Block::count).sum();
    }
}
