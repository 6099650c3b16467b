package io.seriatim.memory;

import java.util.ArrayList;
import java.util.List;

/** The first rows of many. */
final class Pages {

    /*
     * Not stream().limit(): that asks a part of a TreeMap for its size, which counts all of its rows. A log that is read
     * page by page was counted to its end with every page.
     */

    private Pages() {}

    static <T> List<T> first(int limit, Iterable<T> rows) {
        List<T> page = new ArrayList<>();
        for (T row : rows) {
            if (page.size() == limit) {
                break;
            }
            page.add(row);
        }
        return List.copyOf(page);
    }
}
