package io.seriatim.numbering;

import io.seriatim.LedgerEntry;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;

/**
 * The formats that a sequence has had, and which of them has printed what.
 *
 * @param byGeneration each under the generation of the definition that brought it
 */
record FormatHistory(NavigableMap<Long, NumberFormat> byGeneration) {

    /*
     * A ledger has values, not texts. Each entry by which a value was taken says the generation of the definition that
     * printed it, so a text is of a value only if the format of that generation reads it as that value: a template that
     * came later has not printed the numbers that were there before. The entries that follow tell of that number, until
     * the value is taken again.
     *
     * Entries made before this was kept say no generation. They are taken for entries of whatever format reads the text.
     */

    /** What a text may say, by the newest format first. */
    Set<Reading> readings(String number) {
        Set<Reading> readings = new LinkedHashSet<>();
        for (NumberFormat format : byGeneration.descendingMap().values()) {
            format.read(number).filter(reading -> reading.period().isPresent()).ifPresent(readings::add);
        }
        return readings;
    }

    /** Those of the entries of a value that tell of it under one of its texts. */
    List<LedgerEntry> printedAs(String number, Reading reading, List<LedgerEntry> entries) {
        List<LedgerEntry> told = new ArrayList<>();
        boolean isOfText = true;
        for (LedgerEntry entry : entries) {
            if (entry.takesValues()) {
                isOfText = entry.facts().definition().isEmpty()
                        || at(entry.facts().definition().getAsLong())
                                .flatMap(format -> format.read(number))
                                .filter(reading::equals)
                                .isPresent();
            }
            if (isOfText) {
                told.add(entry);
            }
        }
        return told;
    }

    /** The format that printed in a generation. */
    private Optional<NumberFormat> at(long generation) {
        return Optional.ofNullable(byGeneration.floorEntry(generation)).map(entry -> entry.getValue());
    }

    /** The newest format that has a period of a key. */
    Optional<NumberFormat> withPeriod(String key) {
        return byGeneration.descendingMap().values().stream()
                .filter(format -> format.period(key).isPresent())
                .findFirst();
    }
}
