package io.seriatim.store;

/**
 * Which node is to have a partition. It decides who tries, and nothing else: who may write is decided by the epoch of
 * {@link PartitionStore}.
 *
 * @param owner the node; empty where nobody has it
 * @param epoch the one under which the owner writes, as it last said; 0 where none is known
 * @param revision starts at 1 and rises by one with each write
 */
public record LeaseRow(PartitionKey key, String owner, long epoch, long revision) {

    public LeaseRow {
        Text.requireWellFormed("owner", owner);
        if (epoch < 0 || revision < 1) {
            throw new IllegalArgumentException(
                    "epochs are not negative, revisions start at 1: epoch=" + epoch + " revision=" + revision);
        }
    }
}
