package io.seriatim.store;

/** Is shown the headers of events, one after another, without an object for each. */
public interface HeaderVisitor {

    /**
     * Is shown one header.
     *
     * @param offset PLog offset
     * @param epoch of the owner that wrote the event
     * @param writer of the event's mark, see {@link WriterMark}
     * @param write of the event's mark
     * @param count how many of the arrays' places are of this event
     * @param sequences ids; good until the method returns
     * @param values the greatest number of each; good until the method returns
     */
    void header(
            long offset,
            long epoch,
            long workspace,
            int kind,
            long writer,
            long write,
            int count,
            int[] sequences,
            long[] values);
}
