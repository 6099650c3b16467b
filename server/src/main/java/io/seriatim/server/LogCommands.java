package io.seriatim.server;

import io.seriatim.server.Terminal.Form;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The commands on event logs. Each is one call of {@code LogCalls}, or many of one kind. */
final class LogCommands {

    static final String LOG = "LOG";
    static final String WORKSPACE = "WORKSPACE";

    private LogCommands() {}

    static List<Object> all(Main main) {
        return List.of(
                new Log(main),
                new AppendCommand(main),
                new EventsCommand(main),
                new ShowRecord(main),
                new PartitionCommand(main),
                new Actualize(main),
                new Cluster(main));
    }

    /** The path of a log, or of something in it. */
    static String path(String log, String... parts) {
        StringBuilder path = new StringBuilder("/v1/logs/").append(Utf8.percentEncode(log));
        for (String part : parts) {
            path.append('/').append(Utf8.percentEncode(part));
        }
        return path.toString();
    }

    /** Does nothing by itself. */
    @Command(
            name = "log",
            description = "Define, show, list and drop event logs.",
            mixinStandardHelpOptions = true,
            synopsisSubcommandLabel = "define|show|list|drop")
    @SuppressWarnings("UnusedMethod") // picocli calls them
    private static final class Log implements Callable<Integer> {

        private final Main main;

        Log(Main main) {
            this.main = main;
        }

        @Override
        public Integer call() {
            throw main.badUsage("log needs a command: define, show, list or drop");
        }

        @Command(
                name = "define",
                description = "Define a log, or add kinds, sequences and types to one.",
                mixinStandardHelpOptions = true)
        int define(
                @Parameters(paramLabel = "NAME") String name,
                @Mixin LogDefinitionOptions options,
                @Option(
                                names = "--file",
                                paramLabel = "FILE|-",
                                description = "The definition as JSON in a file, or from stdin; instead of all others.")
                        @Nullable
                        String file) {
            if (file != null && options.isGiven()) {
                throw main.badUsage("--file has the whole definition: give it alone, or only the other options");
            }
            String body = file == null ? options.body(main).text() : main.textOf("--file", file);
            return main.send("PUT", path(name), "", body, Map.of(), Form.APPLICATION);
        }

        @Command(name = "show", description = "Show a log.", mixinStandardHelpOptions = true)
        int show(@Parameters(paramLabel = "NAME") String name) {
            return main.send("GET", path(name), "", "", Map.of(), Form.APPLICATION);
        }

        @Command(name = "list", description = "List logs in order of name.", mixinStandardHelpOptions = true)
        int list(
                @Option(names = "--prefix", description = "Only names that begin so.") @Nullable String prefix,
                @Option(names = "--after", description = "Only names behind this one.") @Nullable String after,
                @Option(names = "--limit", description = "At most so many; default 100.") @Nullable String limit) {
            StringBuilder query = new StringBuilder();
            Main.parameter(query, "prefix", prefix);
            Main.parameter(query, "after", after);
            Main.parameter(query, "limit", limit);
            return main.send("GET", "/v1/logs", query.toString(), "", Map.of(), Form.APPLICATIONS);
        }

        @Command(
                name = "drop",
                description = "Stop serving a log. Its events stay; log define serves them again.",
                mixinStandardHelpOptions = true)
        int drop(@Parameters(paramLabel = "NAME") String name) {
            int exitCode = main.send("DELETE", path(name), "", "", Map.of(), Form.NOTHING);
            if (exitCode == ExitCode.OK) {
                main.terminal()
                        .say("log " + name + " is served no longer; its events stay, log define serves them again");
            }
            return exitCode;
        }
    }

    @Command(name = "record", description = "Show a record as the last event left it.", mixinStandardHelpOptions = true)
    private static final class ShowRecord implements Callable<Integer> {

        private final Main main;

        @Parameters(paramLabel = LOG, index = "0")
        @SuppressWarnings("NullAway.Init") // picocli sets what is required before a command runs
        private String log;

        @Parameters(paramLabel = WORKSPACE, index = "1")
        @SuppressWarnings("NullAway.Init")
        private String workspace;

        @Parameters(paramLabel = "ID", index = "2")
        @SuppressWarnings("NullAway.Init")
        private String id;

        ShowRecord(Main main) {
            this.main = main;
        }

        @Override
        public Integer call() {
            return main.send("GET", path(log, "workspaces", workspace, "records", id), "", "", Map.of(), Form.FIELDS);
        }
    }

    @Command(
            name = "actualize",
            description = "Let a partition read its log again from its checkpoint.",
            mixinStandardHelpOptions = true)
    private static final class Actualize implements Callable<Integer> {

        private final Main main;

        @Parameters(paramLabel = LOG, index = "0")
        @SuppressWarnings("NullAway.Init")
        private String log;

        @Parameters(paramLabel = "PARTITION", index = "1", description = "From 0 on.")
        @SuppressWarnings("NullAway.Init")
        private String partition;

        Actualize(Main main) {
            this.main = main;
        }

        @Override
        public Integer call() {
            return PartitionCommand.act(main, path(log, "partitions", partition), PartitionCommand.ACTUALIZE);
        }
    }

    @Command(
            name = "cluster",
            description = "Show the servers on the same store, and which of them has which partition.",
            mixinStandardHelpOptions = true)
    private static final class Cluster implements Callable<Integer> {

        private final Main main;

        Cluster(Main main) {
            this.main = main;
        }

        @Override
        public Integer call() {
            return main.send("GET", "/v1/cluster", "", "", Map.of(), Form.CLUSTER);
        }
    }
}
