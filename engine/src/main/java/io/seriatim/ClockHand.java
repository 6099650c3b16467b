package io.seriatim;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/**
 * Chooses the counters that leave the memory to make room for others.
 *
 * <p>Safe for use by many threads.
 */
final class ClockHand {

    /*
     * The clock algorithm. A hand goes round the counters in memory and closes those that have rested since it last came
     * by. It goes on from where it stopped: to begin at the front each time is to look at the same busy counters again
     * and again. A counter that it passes over was used since the last time, so there are never more looks than uses.
     *
     * One call looks at STEPS counters at most, lest a caller pay for a whole round. If all of these were used there are
     * more counters than there should be for a while; the next calls close two for each that they open. Where that is
     * not enough, because everything is used all the time, those are closed too that were used but have no call under
     * way. So the memory has a bound, whatever the load.
     */

    private static final int STEPS = 16;
    private static final int MOST_CLOSED = 2;

    private final Map<CounterName, Supply> supplies;
    private final int limit;

    /** What is left of the present round. Guarded by this. */
    private Iterator<Map.Entry<CounterName, Supply>> round = Collections.emptyIterator();

    /**
     * @param supplies iterated while it changes
     * @param limit how many of them there should be
     */
    ClockHand(Map<CounterName, Supply> supplies, int limit) {
        this.supplies = supplies;
        this.limit = limit;
    }

    /** Over the limit there may be so many before counters in use are closed as well. */
    static int slack(int limit) {
        return limit / 8 + STEPS;
    }

    /** Begins to close counters, and returns those that can be removed once they are closed. */
    synchronized List<Map.Entry<CounterName, Supply>> closeSome(Supply spared) {
        boolean evenIfUsed = supplies.size() > limit + slack(limit);
        List<Map.Entry<CounterName, Supply>> closing = new ArrayList<>(MOST_CLOSED);
        for (int step = 0; step < STEPS && closing.size() < MOST_CLOSED; step++) {
            if (!round.hasNext()) {
                round = supplies.entrySet().iterator();
                if (!round.hasNext()) {
                    break;
                }
            }
            Map.Entry<CounterName, Supply> candidate = round.next();
            Supply supply = candidate.getValue();
            if (supply != spared && (supply.isClosed() || supply.beginCloseAtRest(evenIfUsed))) {
                closing.add(candidate);
            }
        }
        return closing;
    }
}
