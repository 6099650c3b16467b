package io.seriatim.server;

import io.seriatim.LedgerEntry;
import io.seriatim.numbering.NumberCounter;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import tools.jackson.core.JsonGenerator;

/** Entries of ledgers as JSON, as lines of text and as CSV. */
final class LedgerJson {

    /**
     * One thing that an entry says.
     *
     * @param isNumber in JSON
     * @param isShown in a line of text; the rest is for machines
     */
    private record Column(
            String name,
            boolean isNumber,
            boolean isShown,
            BiFunction<LedgerEntry, NumberCounter, Optional<String>> content) {

        static Column number(String name, boolean isShown, ToLongFunction<LedgerEntry> content) {
            return new Column(
                    name, true, isShown, (entry, counter) -> Optional.of(Long.toString(content.applyAsLong(entry))));
        }

        static Column text(String name, boolean isShown, Function<LedgerEntry, Optional<String>> content) {
            return new Column(name, false, isShown, (entry, counter) -> content.apply(entry));
        }
    }

    private static final List<Column> COLUMNS = List.of(
            Column.number("index", true, LedgerEntry::index),
            Column.text("at", true, entry -> Optional.of(entry.at().toString())),
            Column.text("state", true, entry -> Optional.of(entry.state().text())),
            Column.number("generation", false, LedgerEntry::generation),
            Column.number("first", true, entry -> entry.values().first()),
            Column.number("last", true, entry -> entry.values().last()),
            Column.number("count", false, entry -> entry.values().count()),
            new Column(
                    "firstText",
                    false,
                    true,
                    (entry, counter) -> counter.text(entry.values().first())),
            new Column(
                    "lastText",
                    false,
                    true,
                    (entry, counter) -> counter.text(entry.values().last())),
            Column.text("who", true, LedgerJson::who),
            Column.text("why", true, entry -> entry.facts().why()),
            Column.text("caller", false, LedgerJson::caller),
            Column.text("key", false, LedgerJson::key),
            new Column("reservation", false, false, (entry, counter) -> counter.reservation(entry)),
            Column.text("node", false, entry -> entry.facts().node()),
            Column.text("hash", false, entry -> Optional.of(entry.hash())));

    private LedgerJson() {}

    static void write(JsonGenerator out, LedgerEntry entry, NumberCounter counter) {
        out.writeStartObject();
        for (Column column : COLUMNS) {
            Optional<String> content = column.content().apply(entry, counter);
            if (column.isNumber()) {
                out.writeNumberProperty(column.name(), Long.parseLong(content.orElseThrow()));
            } else {
                Json.text(out, column.name(), content);
            }
        }
        out.writeEndObject();
    }

    /** One line an entry, a tab between its columns. */
    static String text(List<LedgerEntry> entries, NumberCounter counter) {
        return entries.stream()
                .map(entry -> COLUMNS.stream()
                        .filter(Column::isShown)
                        .map(column -> column.content().apply(entry, counter).orElse("-"))
                        .collect(Collectors.joining("\t", "", "\n")))
                .collect(Collectors.joining());
    }

    /** A line of names, then one an entry. */
    static String csv(List<LedgerEntry> entries, NumberCounter counter) {
        String names = Csv.line(COLUMNS.stream().map(Column::name).toList());
        return entries.stream()
                .map(entry -> Csv.line(COLUMNS.stream()
                        .map(column -> column.content().apply(entry, counter).orElse(""))
                        .toList()))
                .collect(Collectors.joining("", names, ""));
    }

    /** Who has signed what an entry tells. */
    static Optional<String> who(LedgerEntry entry) {
        return Optional.of(entry.facts().who()).filter(who -> !who.isEmpty());
    }

    /** Whose key it was. */
    static Optional<String> caller(LedgerEntry entry) {
        return entry.facts().key().map(key -> key.substring(0, key.indexOf('/'))); // no caller's name has a slash
    }

    static Optional<String> key(LedgerEntry entry) {
        return entry.facts().key().map(key -> key.substring(key.indexOf('/') + 1));
    }
}
