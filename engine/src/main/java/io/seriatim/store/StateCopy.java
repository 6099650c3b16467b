package io.seriatim.store;

import java.util.function.Consumer;

/** The rows of another store, on their way into an empty one; and the look that decides whether they stay. */
public interface StateCopy {

    /** Shows every row that is to be taken, in any order. */
    void showTo(RowVisitor taker);

    /**
     * Is called when every row is there, before anybody else can see one. An exception takes all of them back.
     *
     * @param rows shows a visitor the rows that are there, in any order
     */
    void check(Consumer<RowVisitor> rows);
}
