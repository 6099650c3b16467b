package io.seriatim.server;

import io.seriatim.StoreCheck;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Shows answers to the one who called the command line: answers on stdout, errors as a sentence on stderr. */
final class Terminal {

    /** How an answer is shown where not as JSON. */
    enum Form {
        /** The text of the answer itself. */
        TEXT,
        /** One line a field. */
        FIELDS,
        /** One line an item. */
        LIST,
        /** One line an entry. */
        AUDIT,
        /** One line a setting. */
        SETTINGS,
        NOTHING
    }

    private static final JsonMapper MAPPER = JsonMapper.shared();
    private static final List<String> COLUMNS = List.of("name", "contract", "lastValue", "increment", "remaining");
    private static final List<String> AUDIT_COLUMNS =
            List.of("index", "at", "who", "action", "generation", "why", "changes");

    private final PrintWriter out;
    private final PrintWriter err;
    private final boolean json;

    Terminal(PrintWriter out, PrintWriter err, boolean json) {
        this.out = out;
        this.err = err;
        this.json = json;
    }

    /** Shows an answer and returns the exit code that goes with it. */
    int show(Reply reply, Form form) {
        if (!reply.isSuccess()) {
            return showProblem(reply);
        }
        if (json) {
            printJson(reply);
        } else {
            switch (form) {
                case TEXT -> out.print(reply.body());
                case FIELDS -> printColumns(fields(MAPPER.readTree(reply.body())));
                case LIST -> printList(COLUMNS, MAPPER.readTree(reply.body()));
                case AUDIT -> printList(AUDIT_COLUMNS, withChanges(MAPPER.readTree(reply.body())));
                case SETTINGS ->
                    printColumns(rows(
                            List.of("name", "value", "source"),
                            MAPPER.readTree(reply.body()).path("settings")));
                case NOTHING -> {}
            }
        }
        if (out.checkError()) {
            say("the call was carried out, but its answer could not be written to stdout");
        }
        return ExitCode.OK;
    }

    private int showProblem(Reply reply) {
        JsonNode problem = MAPPER.readTree(reply.body());
        String code = problem.path("code").asString();
        if (json) {
            printJson(reply);
        }
        say(code + ": " + problem.path("detail").asString());
        return ExitCode.of(reply.status(), code, problem.has(Problem.STOPPED));
    }

    private void printJson(Reply reply) {
        if (!reply.body().isEmpty()) {
            out.println(reply.body());
            out.flush();
        }
    }

    /** Says a sentence on stderr. */
    void say(String sentence) {
        err.println("seriatim: " + printable(sentence));
        err.flush();
    }

    private void printList(List<String> columns, JsonNode answer) {
        List<List<String>> rows = rows(columns, answer.path("items"));
        if (rows.size() > 1) {
            printColumns(rows);
        }
        JsonNode next = answer.path("next");
        if (!next.isNull()) {
            say("there are more: --after " + next.asString());
        }
    }

    /** Adds to each entry what has changed as a text: {@code max: 500 -> 5000, cache: 100}. */
    private static JsonNode withChanges(JsonNode answer) {
        for (JsonNode entry : answer.path("items")) {
            JsonNode was = entry.path("was");
            JsonNode now = entry.path("now");
            Set<String> names = new TreeSet<>(was.propertyNames());
            names.addAll(now.propertyNames());
            String changes = names.stream()
                    .map(name ->
                            name + ": " + (was.has(name) ? cell(was.path(name)) + " -> " : "") + cell(now.path(name)))
                    .collect(Collectors.joining(", "));
            ((ObjectNode) entry).put("changes", changes);
        }
        return answer;
    }

    /** The columns' names, and below them what each item has of them. */
    private static List<List<String>> rows(List<String> columns, JsonNode items) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(columns);
        for (JsonNode item : items) {
            rows.add(columns.stream().map(column -> cell(item.path(column))).toList());
        }
        return rows;
    }

    private static List<List<String>> fields(JsonNode object) {
        List<List<String>> rows = new ArrayList<>();
        for (Map.Entry<String, JsonNode> field : object.properties()) {
            if (field.getKey().equals(SequenceJson.FORMAT)) {
                fields(field.getValue())
                        .forEach(row -> rows.add(List.of(field.getKey() + "." + row.get(0), row.get(1))));
            } else {
                rows.add(List.of(field.getKey(), cell(field.getValue())));
            }
        }
        return rows;
    }

    /** Shows what a check has found: figures, then one line a finding on stderr; returns the exit code. */
    int showCheck(StoreCheck.Report report) {
        Reply reply = Check.reply(report);
        if (json) {
            printJson(reply);
        } else {
            printColumns(fields(MAPPER.readTree(reply.body())).stream()
                    .filter(field -> !field.get(0).equals("findings"))
                    .toList());
        }
        for (StoreCheck.Finding finding : report.findings()) {
            say(finding.code() + ": " + finding.where() + ": " + finding.what());
        }
        return report.isSound() ? ExitCode.OK : ExitCode.CORRUPT;
    }

    private static String cell(JsonNode value) {
        if (value.isContainer()) {
            return value.isEmpty() ? "-" : value.toString();
        }
        return value.isNull() || value.isMissingNode() ? "-" : value.asString();
    }

    boolean isJson() {
        return json;
    }

    /** Prints a line on stdout. */
    void print(String line) {
        out.println(printable(line));
        out.flush();
    }

    /** Shows a text on stderr, and a mark under the code point at a position. */
    void pointAt(String text, int position) {
        String shown = printable(text);
        String before = shown.substring(
                0, shown.offsetByCodePoints(0, Math.min(position, shown.codePointCount(0, shown.length()))));
        err.println("  " + shown);
        err.println("  " + " ".repeat(Columns.of(before)) + "^");
        err.flush();
    }

    void printColumns(List<List<String>> rows) {
        int columns = rows.get(0).size();
        int[] widths = new int[columns];
        for (List<String> row : rows) {
            for (int i = 0; i < columns; i++) {
                widths[i] = Math.max(widths[i], Columns.of(row.get(i)));
            }
        }
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < columns; i++) {
                line.append(row.get(i));
                if (i < columns - 1) {
                    line.append(" ".repeat(widths[i] - Columns.of(row.get(i)) + 2));
                }
            }
            out.println(printable(line.toString()));
        }
    }

    /** What a caller or a server sent must not move the cursor. */
    private static String printable(String text) {
        return text.replaceAll("[\\p{Cntrl}\u0080-\u009f]", "?");
    }
}
