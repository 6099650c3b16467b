package io.seriatim.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.seriatim.Block;
import io.seriatim.SequenceDefinition;
import io.seriatim.numbering.NumberFormat;
import io.seriatim.numbering.Numbering;
import io.seriatim.numbering.OldNumbers;
import io.seriatim.server.Terminal.Form;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Enters numbers that were used before, one a line: reads them by the format of the sequence, says what is double and what
 * is missing, and lets each counter go on behind its last one.
 */
@Command(
        name = "import",
        description = "Enter numbers that were used before, one a line: each counter goes on behind its last one.",
        mixinStandardHelpOptions = true)
final class ImportCommand implements Callable<Integer> {

    /** More findings of one kind are counted, not shown. */
    private static final int MOST_SHOWN = 100;

    @ParentCommand
    @SuppressWarnings("NullAway.Init") // picocli sets it before the command runs
    private Main main;

    @Parameters(paramLabel = "NAME")
    private String name = "";

    @Parameters(paramLabel = "FILE", description = "Numbers in UTF-8, one a line, in any order.")
    private Path file = Path.of("");

    @Option(names = "--dry-run", description = "Say what would be entered, and enter nothing.")
    private boolean dryRun;

    @Option(names = "--reason", description = "Why; the audit trail and the ledger keep it.")
    private @Nullable String reason;

    @Override
    public Integer call() {
        Terminal terminal = main.terminal();
        try {
            Reply definition = main.reply("GET", Main.sequence(name), "");
            if (!definition.isSuccess()) {
                return terminal.show(definition, Form.NOTHING);
            }
            OldNumbers numbers = read(formatIn(definition.body()));
            Found found = look(numbers);
            if (!found.unread().isEmpty() || numbers.counters().isEmpty() && found.already() == 0) {
                show(terminal, numbers, found);
                return terminal.show(
                        Problem.badRequest("nothing was entered: "
                                        + (found.unread().isEmpty()
                                                ? "there is no number in the file"
                                                : "the format has not printed every line"))
                                .reply(),
                        Form.NOTHING);
            }
            for (OldNumbers.OfCounter counter : numbers.counters()) {
                Entered entered = enter(counter);
                if (!entered.reply().isSuccess()) {
                    show(terminal, numbers, found);
                    return terminal.show(entered.reply(), Form.NOTHING);
                }
                found = found.with(entered.already());
            }
            show(terminal, numbers, found);
            return ExitCode.OK;
        } catch (Refusal e) {
            return terminal.show(e.problem().reply(), Form.NOTHING);
        }
    }

    /**
     * What the sequence says of the lines.
     *
     * @param unread lines that no format of it has printed
     * @param already how many numbers its ledger had before
     * @param counters how many counters were gone through
     */
    private record Found(List<OldNumbers.Line> unread, long already, long counters) {

        Found with(long more) {
            return new Found(unread, already + more, counters + 1);
        }
    }

    /** A line that the present format does not read may be a number that an earlier one has printed. */
    private Found look(OldNumbers numbers) {
        List<OldNumbers.Line> unread = new ArrayList<>();
        long already = 0;
        for (OldNumbers.Line line : numbers.unread()) {
            String path = Main.sequence(name) + "/numbers/" + Utf8.percentEncode(line.text());
            if (unread.size() < MOST_SHOWN && main.reply("GET", path, "").isSuccess()) {
                already++;
            } else {
                unread.add(line);
            }
        }
        return new Found(unread, already, 0);
    }

    private NumberFormat formatIn(String state) {
        ObjectNode fields = (ObjectNode) JsonMapper.shared().readTree(state);
        if (!fields.has(SequenceJson.FORMAT)) {
            throw new Refusal(
                    Problem.badRequest("the sequence has no format, so nothing says what its numbers look like"));
        }
        Set<String> known = new HashSet<>(SequenceDefinition.optionNames());
        known.add(SequenceJson.FORMAT);
        fields.retain(known);
        for (String option : Set.copyOf(fields.propertyNames())) {
            if (fields.get(option).isNull()) {
                fields.remove(option);
            }
        }
        NewSequence definition = SequenceJson.definition(fields.toString());
        return Numbering.formatOf(definition.definition(), definition.format().orElseThrow());
    }

    private OldNumbers read(NumberFormat format) {
        OldNumbers numbers = new OldNumbers(format);
        try (BufferedReader lines = Files.newBufferedReader(file, UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                numbers.add(line);
            }
        } catch (CharacterCodingException e) {
            throw new Refusal(Problem.badRequest("the file is not UTF-8: " + file));
        } catch (IOException e) {
            throw new Refusal(Problem.badRequest("the file cannot be read: " + file));
        } catch (IllegalArgumentException e) {
            throw new Refusal(Problem.badRequest(String.valueOf(e.getMessage())));
        }
        return numbers;
    }

    /**
     * What came of the numbers of one counter.
     *
     * @param reply of the last call
     */
    private record Entered(Reply reply, long already) {}

    /** In as many calls as it takes, in order; numbers that were imported before are left as they are. */
    private Entered enter(OldNumbers.OfCounter counter) {
        List<Block> runs = counter.runs();
        Reply reply = Reply.text("");
        long already = 0;
        for (int from = 0; from < runs.size() && reply.isSuccess(); from += ImportCalls.MOST_RUNS) {
            List<Body> some = new ArrayList<>();
            for (Block run : runs.subList(from, Math.min(runs.size(), from + ImportCalls.MOST_RUNS))) {
                some.add(new Body().put("first", Long.toString(run.first())).put("last", Long.toString(run.last())));
            }
            Body scope = new Body();
            counter.scope().forEach(scope::put);
            Body body = new Body()
                    .put("period", counter.period().isEmpty() ? null : counter.period())
                    .put("scope", scope)
                    .put("runs", some)
                    .put("reason", reason);
            if (dryRun) {
                body.put("dryRun", true);
            }
            reply = main.reply("POST", Main.sequence(name) + "/import", body.text());
            if (reply.isSuccess()) {
                already += JsonMapper.shared()
                        .readTree(reply.body())
                        .path("already")
                        .longValue();
            }
        }
        return new Entered(reply, already);
    }

    // ---- what was found

    private void show(Terminal terminal, OldNumbers numbers, Found found) {
        if (terminal.isJson()) {
            int unused = terminal.show(Reply.json(200, Json.object(out -> write(out, numbers, found))), Form.NOTHING);
            return;
        }
        for (OldNumbers.Line line : shown(found.unread())) {
            terminal.say("line " + line.line() + " is no number of this sequence: " + line.text());
        }
        for (OldNumbers.Line line : shown(numbers.doubles())) {
            terminal.say("line " + line.line() + " was there before: " + line.text());
        }
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("period", "scope", "count", "first", "last", "missing"));
        for (OldNumbers.OfCounter counter : shown(numbers.counters())) {
            rows.add(List.of(
                    counter.period().isEmpty() ? "-" : counter.period(),
                    counter.scope().isEmpty() ? "-" : counter.scope().toString(),
                    Long.toString(counter.count()),
                    Long.toString(counter.runs().get(0).first()),
                    Long.toString(last(counter)),
                    missing(counter)));
        }
        terminal.printColumns(rows);
        terminal.say(found.already() + " numbers were in the ledger already");
        terminal.say(
                dryRun
                        ? "nothing was entered, as it was asked for"
                        : found.counters() + " of " + numbers.counters().size()
                                + " counters go on behind these numbers");
    }

    private static <T> List<T> shown(List<T> all) {
        return all.subList(0, Math.min(all.size(), MOST_SHOWN));
    }

    private static long last(OldNumbers.OfCounter counter) {
        return counter.runs().get(counter.runs().size() - 1).last();
    }

    /** The holes between the runs, as {@code 3, 7-9}. */
    private static String missing(OldNumbers.OfCounter counter) {
        List<String> holes = new ArrayList<>();
        for (int i = 1; i < counter.runs().size() && holes.size() < MOST_SHOWN; i++) {
            Block before = counter.runs().get(i - 1);
            long first = before.last() + before.increment();
            long last = counter.runs().get(i).first() - before.increment();
            holes.add(first == last ? Long.toString(first) : first + "-" + last);
        }
        return holes.isEmpty() ? "-" : String.join(", ", holes);
    }

    private void write(JsonGenerator out, OldNumbers numbers, Found found) {
        out.writeBooleanProperty("dryRun", dryRun);
        out.writeNumberProperty("entered", dryRun ? 0 : found.counters());
        out.writeNumberProperty("already", found.already());
        out.writeArrayPropertyStart("counters");
        for (OldNumbers.OfCounter counter : numbers.counters()) {
            out.writeStartObject();
            out.writeStringProperty("period", counter.period());
            out.writeObjectPropertyStart("scope");
            for (Map.Entry<String, String> scope : counter.scope().entrySet()) {
                out.writeStringProperty(scope.getKey(), scope.getValue());
            }
            out.writeEndObject();
            out.writeNumberProperty("count", counter.count());
            out.writeNumberProperty("first", counter.runs().get(0).first());
            out.writeNumberProperty("last", last(counter));
            out.writeStringProperty("missing", missing(counter));
            out.writeEndObject();
        }
        out.writeEndArray();
        writeLines(out, "doubles", numbers.doubles());
        writeLines(out, "unread", found.unread());
    }

    private static void writeLines(JsonGenerator out, String what, List<OldNumbers.Line> lines) {
        out.writeArrayPropertyStart(what);
        for (OldNumbers.Line line : lines) {
            out.writeStartObject();
            out.writeNumberProperty("line", line.line());
            out.writeStringProperty("text", line.text());
            out.writeEndObject();
        }
        out.writeEndArray();
    }
}
