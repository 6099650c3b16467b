package io.seriatim;

import java.util.List;

/**
 * What may have been handed out of one counter since its store was copied.
 *
 * @param margin so many values behind the mark at most, from 0 on; 0 where only {@code used} is known
 * @param used values that were really used, in any order, before and behind the mark
 * @param block how many values behind the last one used may be out without having been used yet, from 0 on
 */
public record UsedSince(long margin, List<Long> used, long block) {

    /** Nothing was handed out since. */
    public static final UsedSince NOTHING = new UsedSince(0, List.of(), 0);

    public UsedSince {
        if (margin < 0 || block < 0) {
            throw new IllegalArgumentException(
                    "margin and block must be at least 0: margin=" + margin + " block=" + block);
        }
        used = used.stream().sorted().toList();
    }

    /** At most so many values behind the mark. */
    public static UsedSince atMost(long margin) {
        return new UsedSince(margin, List.of(), 0);
    }
}
