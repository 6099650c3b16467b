package io.seriatim;

import java.util.List;
import java.util.Optional;

/**
 * Which values of a counter are not plainly in use.
 *
 * @param gaps in order of the values
 * @param more whether there are more of them than one report holds
 * @param entries how many entries the ledger has
 * @param head hash of the last one, to be kept elsewhere: who has it can show later that the ledger was not written anew
 */
public record GapReport(List<Gap> gaps, boolean more, long entries, String head) {

    /** More gaps than this are not reported at once. */
    public static final int MOST = 10_000;

    /**
     * Values of one fate.
     *
     * @param first the least of them
     * @param last the greatest of them
     * @param state empty where the ledger does not explain them
     * @param why the reason in the ledger
     */
    public record Gap(long first, long last, Optional<LedgerEntry.State> state, Optional<String> why) {}

    public GapReport {
        gaps = List.copyOf(gaps);
    }
}
