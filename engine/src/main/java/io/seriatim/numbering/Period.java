package io.seriatim.numbering;

import java.time.LocalDate;

/**
 * The time between two resets, in days of the calendar.
 *
 * @param key its name: {@code 2026}, {@code 2026-Q3}, {@code 2026-07}, {@code 2026-W28}, {@code 2026-07-09},
 *     {@code FY2025} (the year of its first day); empty where the counter never starts again
 * @param firstDay inclusive
 * @param lastDay inclusive
 */
public record Period(String key, LocalDate firstDay, LocalDate lastDay) {

    public Period {
        if (lastDay.isBefore(firstDay)) {
            throw new IllegalArgumentException(
                    "a period must not end before it begins: firstDay=" + firstDay + " lastDay=" + lastDay);
        }
    }
}
