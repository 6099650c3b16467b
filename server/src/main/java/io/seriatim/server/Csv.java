package io.seriatim.server;

import java.util.List;
import java.util.stream.Collectors;

/** Tables as RFC 4180 has them, that a spreadsheet may open. */
final class Csv {

    /** What a spreadsheet takes for the beginning of a formula, or skips and then looks. */
    private static final String BEGIN_FORMULA = "=+-@\t\r";

    private Csv() {}

    static String line(List<String> cells) {
        return cells.stream().map(Csv::cell).collect(Collectors.joining(",", "", "\r\n"));
    }

    /** A text from outside must not become a formula: it gets an apostrophe, as a spreadsheet itself writes it. */
    private static String cell(String text) {
        String safe = !text.isEmpty() && BEGIN_FORMULA.indexOf(text.charAt(0)) >= 0 ? "'" + text : text;
        boolean plain = safe.chars().noneMatch(c -> c == '"' || c == ',' || c == '\r' || c == '\n');
        return plain ? safe : "\"" + safe.replace("\"", "\"\"") + "\"";
    }
}
