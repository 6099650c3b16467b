package io.seriatim;

import java.util.List;

/**
 * Values that one call took.
 *
 * @param generation of the definition that they come from
 * @param round how often the sequence had wrapped around before the first of them
 * @param blocks the values in order; more than one block where they pass a wrap
 */
public record Draw(long generation, long round, List<Block> blocks) {

    public Draw {
        blocks = List.copyOf(blocks);
    }

    /** The values of runs, at least one, that lie in order. */
    static Draw of(List<Run> runs) {
        Run last = runs.get(runs.size() - 1);
        return new Draw(
                last.generation(),
                runs.get(0).round(),
                runs.stream().map(Run::block).toList());
    }

    /** How many values, over all blocks. */
    public long count() {
        return blocks.stream().mapToLong(Block::count).sum();
    }
}
