package io.seriatim.server;

import io.seriatim.server.Terminal.Form;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Appends an event to a log, or one for each line of a file. */
@Command(
        name = "append",
        description =
                "Append an event to a log: from --kind with --argument or --cud, from --file, or many from --lines.",
        mixinStandardHelpOptions = true)
final class AppendCommand implements Callable<Integer> {

    private final Main main;

    @Parameters(paramLabel = LogCommands.LOG, index = "0")
    @SuppressWarnings("NullAway.Init") // picocli sets what is required before a command runs
    private String log;

    @Parameters(paramLabel = LogCommands.WORKSPACE, index = "1")
    @SuppressWarnings("NullAway.Init")
    private String workspace;

    @Option(names = "--kind", paramLabel = "KIND", description = "The kind of the workspace.")
    private @Nullable String kind;

    @Option(
            names = "--argument",
            paramLabel = "JSON",
            description = "The record that the event is about, with its children.")
    private @Nullable String argument;

    @Option(
            names = "--cud",
            paramLabel = "JSON",
            description = "A record to create, or with \"update\":true to update; once for each.")
    private @Nullable List<String> cuds;

    @Option(names = "--file", paramLabel = "FILE|-", description = "The command as JSON in a file, or from stdin.")
    private @Nullable String file;

    @Option(
            names = "--lines",
            paramLabel = "FILE|-",
            description = "Commands as JSON, one a line; stops at the first that is refused.")
    private @Nullable String lines;

    @Option(
            names = "--key",
            paramLabel = "KEY",
            description = "A repetition with the same key is the same event. With --lines that of line N is KEY.N.")
    private @Nullable String key;

    AppendCommand(Main main) {
        this.main = main;
    }

    @Override
    public Integer call() {
        boolean inOptions = kind != null || argument != null || cuds != null;
        if ((inOptions ? 1 : 0) + (file == null ? 0 : 1) + (lines == null ? 0 : 1) != 1) {
            throw main.badUsage("append takes one of: --kind with --argument or --cud, --file, --lines");
        }
        if (lines != null) {
            return appendLines(lines);
        }
        String body = file == null ? body() : main.textOf("--file", file);
        return main.send("POST", path(), "", body, Main.keyed(key), Form.FIELDS);
    }

    private String path() {
        return LogCommands.path(log, "workspaces", workspace, "events");
    }

    private String body() {
        if (kind == null) {
            throw main.badUsage("--argument and --cud need --kind, the kind of the workspace");
        }
        Body body = new Body().put("kind", kind);
        if (argument != null) {
            body.putJson("argument", main.object("--argument", argument));
        }
        if (cuds != null) {
            List<String> objects =
                    cuds.stream().map(cud -> main.object("--cud", cud)).toList();
            body.putJson("cuds", "[" + String.join(",", objects) + "]");
        }
        return body.text();
    }

    /** Blank lines count and say nothing. */
    private int appendLines(String from) {
        Terminal terminal = main.terminal();
        int number = 0;
        try (BufferedReader in = main.reader("--lines", from);
                Target.Session session = main.target().session()) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                number++;
                if (line.isBlank()) {
                    continue;
                }
                Map<String, String> headers = Main.keyed(key == null ? null : key + "." + number);
                int exitCode =
                        terminal.showLine(session.send(main.call("POST", path(), "", line, headers)), "line " + number);
                if (exitCode != ExitCode.OK) {
                    return exitCode;
                }
            }
            return ExitCode.OK;
        } catch (Refusal e) {
            return terminal.show(e.problem().reply(), Form.NOTHING);
        } catch (IOException e) {
            throw main.badUsage("--lines must be text in UTF-8 that can be read, and cannot be behind line " + number
                    + ": " + from);
        }
    }
}
