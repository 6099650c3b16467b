package io.seriatim;

/**
 * What the sequences of a process have done since they were opened; read with {@link Sequences#statistics()}.
 *
 * @param openSequences how many sequences are in memory
 * @param issued how many values were handed out; less the rest of a lease, once it is closed
 * @param skipped how many values were taken from the store and will never be handed out
 * @param storeReads calls to the store that read
 * @param storeWrites conditional writes sent to the store, whatever came of them
 * @param storeWritesRefused those that found another row in their way
 * @param storeWritesUnknown those of which nobody knows whether they were applied
 * @param storeFailures calls to the store, reads or writes, that ended with an error
 * @param missedLooks how often this process could not learn whether sequences were changed elsewhere; it tries again
 *     every second
 */
public record Statistics(
        long openSequences,
        long issued,
        long skipped,
        long storeReads,
        long storeWrites,
        long storeWritesRefused,
        long storeWritesUnknown,
        long storeFailures,
        long missedLooks) {}
