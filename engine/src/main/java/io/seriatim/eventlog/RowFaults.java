package io.seriatim.eventlog;

import io.seriatim.store.LogEvent;
import java.util.List;

/** Says what is wrong with the rows that follow from an event. */
@FunctionalInterface
public interface RowFaults {

    /**
     * Compares what is stored with an event. Called for each event once, in order of offset.
     *
     * @param applied whether all its rows are said to be written; those of another one may be there or not
     * @return a sentence for each fault
     */
    List<String> of(LogEvent event, boolean applied);
}
