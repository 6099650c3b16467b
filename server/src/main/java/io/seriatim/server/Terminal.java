package io.seriatim.server;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.cfg.JsonNodeFeature;
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
        /** The text of the answer itself, as CSV. */
        CSV,
        /** One line a field, then one line an entry. */
        NUMBER,
        /** One line a gap, then one line a field. */
        GAPS,
        /** One line an entry. */
        LEDGER,
        /** One line a counter. */
        PERIODS,
        /** A log: one line a field, a kind and a type. */
        APPLICATION,
        /** One line a log. */
        APPLICATIONS,
        /** One line a counter, one line a partition of a log, then one line a field. */
        RESTORED,
        /** One line a node, then one line a partition. */
        CLUSTER,
        /** One line a field; the exit code says whether all is well. */
        VERDICT,
        NOTHING;

        /** The type to ask for; nothing where it is JSON that is shown. */
        Optional<String> accepted() {
            return switch (this) {
                case TEXT -> Optional.of("text/plain");
                case CSV -> Optional.of("text/csv");
                default -> Optional.empty();
            };
        }
    }

    private static final int LONGEST_NUMBER = 10_000;

    /** The fields of records have numbers that no double holds. */
    private static final JsonMapper MAPPER = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNumberLength(LONGEST_NUMBER)
                            .build())
                    .build())
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
            .build();

    private static final List<String> COLUMNS = List.of("name", "contract", "lastValue", "increment", "remaining");
    private static final List<String> AUDIT_COLUMNS =
            List.of("index", "at", "who", "action", "generation", "why", "changes");

    private static final List<String> APPLICATION_COLUMNS = List.of("name", "partitions");
    private static final List<String> ANSWER_COLUMNS = List.of("partition", "plogOffset", "wlogOffset", "ids");

    private static final List<String> NODE_COLUMNS = List.of("node", "url", "alive", "partitions");
    private static final List<String> PLACE_COLUMNS = List.of("log", "partition", "owner", "epoch");

    private static final List<String> GAP_COLUMNS =
            List.of("first", "last", "firstText", "lastText", "state", "reason");
    private static final List<String> LEDGER_COLUMNS =
            List.of("index", "at", "state", "first", "last", "firstText", "lastText", "who", "why", "key");
    private static final List<String> PERIOD_COLUMNS = List.of(
            "period", "scope", "highWaterMark", "highWaterText", "remaining", "open", "released", "closed", "entries");

    private static final List<String> RESTORED_COLUMNS =
            List.of("sequence", "scope", "period", "lastOfCopy", "lastValue");
    private static final List<String> RESTORED_LOG_COLUMNS = List.of("log", "partition", "lastOffset", "epoch");

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
                case TEXT, CSV -> out.print(reply.body());
                case FIELDS, VERDICT -> printColumns(fields(MAPPER.readTree(reply.body())));
                case NUMBER -> printNumber(MAPPER.readTree(reply.body()));
                case GAPS -> printGaps(MAPPER.readTree(reply.body()));
                case LEDGER -> printList(LEDGER_COLUMNS, MAPPER.readTree(reply.body()));
                case PERIODS -> printList(PERIOD_COLUMNS, MAPPER.readTree(reply.body()));
                case RESTORED -> printRestored(MAPPER.readTree(reply.body()));
                case LIST -> printList(COLUMNS, MAPPER.readTree(reply.body()));
                case APPLICATION -> printColumns(application(MAPPER.readTree(reply.body())));
                case CLUSTER -> printCluster(MAPPER.readTree(reply.body()));
                case APPLICATIONS -> printList(APPLICATION_COLUMNS, MAPPER.readTree(reply.body()));
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
        return form == Form.VERDICT ? verdict(MAPPER.readTree(reply.body())) : ExitCode.OK;
    }

    private void printRestored(JsonNode restored) {
        List<List<String>> figures = new ArrayList<>();
        for (Map.Entry<String, JsonNode> field : restored.properties()) {
            switch (field.getKey()) {
                case "counters" -> printAbove(RESTORED_COLUMNS, field.getValue());
                case "partitions" -> printAbove(RESTORED_LOG_COLUMNS, field.getValue());
                default -> figures.add(List.of(field.getKey(), cell(field.getValue())));
            }
        }
        printColumns(figures);
    }

    private void printAbove(List<String> columns, JsonNode items) {
        if (!items.isEmpty()) {
            printColumns(rows(columns, items));
            out.println();
        }
    }

    private int verdict(JsonNode found) {
        if (found.path("sound").asBoolean()) {
            return ExitCode.OK;
        }
        say(
                found.path("broken").isNull()
                        ? "STORE_CORRUPT: the ledger has no entry with the head that was kept: it was written anew"
                        : "STORE_CORRUPT: the ledger is broken at entry "
                                + found.path("broken").asString());
        return ExitCode.CORRUPT;
    }

    private void printNumber(JsonNode number) {
        List<List<String>> fields = new ArrayList<>();
        for (Map.Entry<String, JsonNode> field : number.properties()) {
            switch (field.getKey()) {
                case "neighbours" ->
                    field.getValue()
                            .properties()
                            .forEach(side -> fields.add(List.of(side.getKey(), numberIn(side.getValue()))));
                case "entries" -> {}
                default -> fields.add(List.of(field.getKey(), cell(field.getValue())));
            }
        }
        printColumns(fields);
        out.println();
        printColumns(rows(LEDGER_COLUMNS, number.path("entries")));
    }

    /** The text of a number, or its value where that has none. */
    private static String numberIn(JsonNode number) {
        JsonNode text = number.path("text");
        return cell(text.isNull() ? number.path("value") : text);
    }

    private void printCluster(JsonNode cluster) {
        printColumns(rows(NODE_COLUMNS, cluster.path("nodes")));
        List<List<String>> partitions = rows(PLACE_COLUMNS, cluster.path("partitions"));
        if (partitions.size() > 1) {
            out.println();
            printColumns(partitions);
        }
        if (!cluster.path("trouble").isNull()) {
            say(cluster.path("trouble").asString());
        }
    }

    private void printGaps(JsonNode report) {
        List<List<String>> gaps = rows(GAP_COLUMNS, report.path("gaps"));
        if (gaps.size() > 1) {
            printColumns(gaps);
            out.println();
        }
        printColumns(List.of(List.of("count", cell(report.path("count"))), List.of("head", cell(report.path("head")))));
        if (report.path("more").asBoolean()) {
            say("there are more gaps than one report holds");
        }
    }

    private int showProblem(Reply reply) {
        return showProblem(reply, "");
    }

    private int showProblem(Reply reply, String where) {
        if (json) {
            printJson(reply);
        }
        say(where + sentence(reply));
        return exitCode(reply);
    }

    /** Reads an answer. */
    static JsonNode read(Reply reply) {
        return MAPPER.readTree(reply.body());
    }

    /** A problem as one sentence. */
    static String sentence(Reply reply) {
        JsonNode problem = MAPPER.readTree(reply.body());
        return problem.path("code").asString() + ": " + problem.path("detail").asString();
    }

    /** The exit code that goes with a problem. */
    static int exitCode(Reply reply) {
        JsonNode problem = MAPPER.readTree(reply.body());
        return ExitCode.of(reply.status(), problem.path("code").asString(), problem.has(Problem.STOPPED));
    }

    // ---- event logs

    private static List<List<String>> application(JsonNode log) {
        List<List<String>> rows = new ArrayList<>();
        for (Map.Entry<String, JsonNode> field : log.properties()) {
            switch (field.getKey()) {
                case "kinds" ->
                    field.getValue()
                            .properties()
                            .forEach(kind -> rows.add(List.of(
                                    "kind " + kind.getKey(),
                                    sequences(kind.getValue().path("sequences")))));
                case "types" ->
                    field.getValue()
                            .properties()
                            .forEach(type -> rows.add(List.of("type " + type.getKey(), type(type.getValue()))));
                default -> rows.add(List.of(field.getKey(), cell(field.getValue())));
            }
        }
        return rows;
    }

    /** As {@code log define} takes them. */
    private static String sequences(JsonNode sequences) {
        return sequences.isEmpty()
                ? "-"
                : sequences.properties().stream()
                        .map(sequence -> sequence.getKey() + "=" + range(sequence.getValue()))
                        .collect(Collectors.joining(", "));
    }

    private static String range(JsonNode range) {
        if (!range.isObject()) {
            return cell(range);
        }
        JsonNode max = range.path("max");
        return cell(range.path("initial")) + (max.isNull() || max.isMissingNode() ? "" : ".." + cell(max));
    }

    private static String type(JsonNode type) {
        JsonNode sequence = type.path("sequence");
        return cell(type.path("kind"))
                + (type.path("singleton").asBoolean() ? ":singleton" : "")
                + (sequence.isNull() || sequence.isMissingNode() ? "" : ":" + cell(sequence));
    }

    /** Shows one of many answers, on a line of its own; returns the exit code that goes with it. */
    int showLine(Reply reply, String where) {
        if (!reply.isSuccess()) {
            return showProblem(reply, where + ": ");
        }
        if (json) {
            printJson(reply);
        } else {
            JsonNode answer = MAPPER.readTree(reply.body());
            print(ANSWER_COLUMNS.stream()
                    .map(column -> cell(answer.path(column)))
                    .collect(Collectors.joining(" ")));
        }
        if (out.checkError()) {
            say(where + " was carried out, but its answer could not be written to stdout; nothing behind it was sent");
            return ExitCode.UNEXPECTED;
        }
        return ExitCode.OK;
    }

    /** Prints an event on one line; false if it cannot be written. */
    boolean printEvent(JsonNode event, long offset) {
        print(
                json
                        ? event.toString()
                        : offset + " " + cell(event.path("time")) + " " + cell(event.path("kind")) + " "
                                + cell(event.path("workspace")) + " " + what(event));
        return !out.checkError();
    }

    private static String what(JsonNode event) {
        List<String> records = new ArrayList<>();
        addRecord(event.path("argument"), records);
        event.path("cuds").forEach(cud -> addRecord(cud, records));
        return records.isEmpty() ? "-" : String.join(", ", records);
    }

    /** A record and its children, depth first, as their ids were drawn. */
    private static void addRecord(JsonNode record, List<String> records) {
        if (record.isObject()) {
            records.add((record.path("update").asBoolean() ? "update " : "") + cell(record.path("type")) + " "
                    + cell(record.path("id")));
            record.path("children").forEach(container -> container.forEach(child -> addRecord(child, records)));
        }
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
    int showCheck(Check check) {
        return showFindings(check.reply(), Set.of("findings", "partitions"), check.sentences());
    }

    /** Shows what the check of a partition has found; the exit code says whether it found something. */
    int showReport(Reply report, String where) {
        List<String> findings = new ArrayList<>();
        MAPPER.readTree(report.body())
                .path("findings")
                .forEach(finding ->
                        findings.add(cell(finding.path("code")) + ": " + where + ": " + cell(finding.path("what"))));
        return showFindings(report, Set.of("findings"), findings);
    }

    /** Shows what was found: figures, then one line a finding on stderr; returns the exit code. */
    int showFindings(Reply reply, List<String> findings) {
        return showFindings(reply, Set.of("findings"), findings);
    }

    private int showFindings(Reply reply, Set<String> onlyInJson, List<String> findings) {
        if (json) {
            printJson(reply);
        } else {
            printColumns(fields(MAPPER.readTree(reply.body())).stream()
                    .filter(field -> !onlyInJson.contains(field.get(0)))
                    .toList());
        }
        findings.forEach(this::say);
        return findings.isEmpty() ? ExitCode.OK : ExitCode.CORRUPT;
    }

    private static String cell(JsonNode value) {
        if (value.isObject() && !value.isEmpty()) {
            return value.properties().stream()
                    .map(field -> field.getKey() + "=" + cell(field.getValue()))
                    .collect(Collectors.joining(","));
        }
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
