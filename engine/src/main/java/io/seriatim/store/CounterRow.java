package io.seriatim.store;

/**
 * The durable state of one counter.
 *
 * @param key names the counter
 * @param generation of the definition under which this row was written; rises with ALTER, restart and drop
 * @param round how often the counter has wrapped around in this generation
 * @param highWaterMark the last value durably taken, in the direction of the increment
 * @param fresh nothing has been taken since the start or restart: the mark itself is the next value
 * @param revision counts the writes of this row from 1; the condition of the next write. 0: it was never written, and
 *     is what stands for a row that is not there
 * @param mark names the write that made this row
 * @param openBlocks who may have values of this counter in memory, as text; the engine gives it its meaning
 * @param account what is known of single numbers of this counter, as text; the engine gives it its meaning
 */
public record CounterRow(
        CounterKey key,
        long generation,
        long round,
        long highWaterMark,
        boolean fresh,
        long revision,
        WriterMark mark,
        String openBlocks,
        String account) {

    public CounterRow {
        if (generation < 1 || round < 0 || revision < 0) {
            throw new IllegalArgumentException("generation starts at 1, round and revision at 0: generation="
                    + generation + " round=" + round + " revision=" + revision);
        }
        Text.requireWellFormed("openBlocks", openBlocks);
        Text.requireWellFormed("account", account);
    }

    /** A row that nobody has values of in memory, without an account. */
    public CounterRow(
            CounterKey key,
            long generation,
            long round,
            long highWaterMark,
            boolean fresh,
            long revision,
            WriterMark mark) {
        this(key, generation, round, highWaterMark, fresh, revision, mark, "", "");
    }
}
