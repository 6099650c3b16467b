package io.seriatim.server;

import io.seriatim.server.Terminal.Form;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.Charset;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The command line. Each command is one call of docs/http.md, on a local folder or on a server. */
@Command(
        name = "seriatim",
        description = "Hands out numbers and keeps what it promises for each of them.",
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class,
        synopsisSubcommandLabel = "COMMAND",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:done",
            "1:failed unexpectedly",
            "2:bad usage or bad request",
            "3:not found, or in conflict with what is there",
            "4:exhausted",
            "5:try again later; also: the folder or the port is in use",
            "6:fenced",
            "7:the store is damaged or has stopped"
        })
public final class Main {

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before any command runs
    private CommandSpec spec;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            scope = ScopeType.INHERIT,
            description = "The data folder; default ./data.")
    private @Nullable String data;

    @Option(
            names = "--server",
            paramLabel = "URL",
            scope = ScopeType.INHERIT,
            description = "Ask a running server instead, such as http://127.0.0.1:7450.")
    private @Nullable String server;

    @Option(names = "--json", scope = ScopeType.INHERIT, description = "Print the answer as JSON.")
    private boolean json;

    /** Runs one command and ends the process with its exit code. */
    public static void main(String[] arguments) {
        // System.out would keep it for itself that nothing can be written.
        PrintWriter out = new PrintWriter(
                new OutputStreamWriter(new FileOutputStream(FileDescriptor.out), Charset.defaultCharset()), true);
        int exitCode = commandLine(System.getenv()).setOut(out).execute(arguments);
        out.flush();
        System.exit(exitCode);
    }

    /** @param environment where settings come from that no flag gives */
    static CommandLine commandLine(Map<String, String> environment) {
        CommandLine commandLine = new CommandLine(new Main())
                .setParameterExceptionHandler(Main::badUsage)
                .setExecutionExceptionHandler(Main::unexpected)
                .setDefaultValueProvider(argument -> setting(argument, environment));
        // A negative number in the place of a value is no option.
        Objects.requireNonNull(commandLine.getSubcommands().get("restart"))
                .setUnmatchedOptionsArePositionalParams(true);
        return commandLine;
    }

    /** {@code --default-definition} of a server is {@code SERIATIM_DEFAULT_DEFINITION} in the environment. */
    private static @Nullable String setting(ArgSpec argument, Map<String, String> environment) {
        boolean isSetting = argument.inherited()
                || argument.root() != null
                || "serve".equals(argument.command().name());
        if (!isSetting || !(argument instanceof OptionSpec option) || option.usageHelp() || option.versionHelp()) {
            return null;
        }
        String name = option.longestName().replaceFirst("^--", "").replace('-', '_');
        return environment.get("SERIATIM_" + name.toUpperCase(Locale.ROOT));
    }

    private static int badUsage(ParameterException e, String[] arguments) {
        CommandLine command = e.getCommandLine();
        Terminal terminal = new Terminal(command.getOut(), command.getErr(), false);
        terminal.say("BAD_REQUEST: " + e.getMessage());
        command.getErr().println("Try: " + command.getCommandSpec().qualifiedName() + " --help");
        return ExitCode.BAD_REQUEST;
    }

    private static int unexpected(Exception e, CommandLine command, CommandLine.ParseResult parsed) {
        command.getErr().println("seriatim: INTERNAL: the command failed unexpectedly");
        e.printStackTrace(command.getErr());
        return ExitCode.UNEXPECTED;
    }

    // ---- the server

    @Command(
            name = "serve",
            description = "Serve the data folder over HTTP until SIGTERM.",
            mixinStandardHelpOptions = true)
    int serve(
            @Option(
                            names = "--host",
                            defaultValue = "127.0.0.1",
                            description = "Address to listen on: a loopback address; default 127.0.0.1.")
                    String host,
            @Option(
                            names = "--port",
                            defaultValue = "7450",
                            description = "Port to listen on; 0 for any free one; default 7450.")
                    int port,
            @Option(
                            names = "--default-definition",
                            paramLabel = "JSON|FILE",
                            defaultValue = "{}",
                            description = "What next?define=true defines an unknown name with; default {}.")
                    String defaultDefinition)
            throws InterruptedException {
        if (isGiven("--server")) {
            throw badUsage("serve takes --data, not --server");
        }
        try {
            Serving.start(folder(), host, port, defaultDefinition)
                    .untilSignal(spec.commandLine().getOut());
            return ExitCode.OK;
        } catch (Refusal e) {
            return terminal().show(e.problem().reply(), Form.NOTHING);
        }
    }

    // ---- sequences

    @Command(name = "define", description = "Define a sequence.", mixinStandardHelpOptions = true)
    int define(@Parameters(paramLabel = "NAME") String name, @Mixin DefinitionOptions options) {
        return send("PUT", sequence(name), "", options.body().text(), Form.FIELDS);
    }

    @Command(name = "list", description = "List sequences in order of name.", mixinStandardHelpOptions = true)
    int list(
            @Option(names = "--prefix", description = "Only names that begin so.") @Nullable String prefix,
            @Option(names = "--after", description = "Only names behind this one.") @Nullable String after,
            @Option(names = "--limit", description = "At most so many; default 100.") @Nullable String limit) {
        StringBuilder query = new StringBuilder();
        parameter(query, "prefix", prefix);
        parameter(query, "after", after);
        parameter(query, "limit", limit);
        return send("GET", "/v1/sequences", query.toString(), "", Form.LIST);
    }

    @Command(name = "show", description = "Show a sequence.", mixinStandardHelpOptions = true)
    int show(@Parameters(paramLabel = "NAME") String name) {
        return send("GET", sequence(name), "", "", Form.FIELDS);
    }

    @Command(name = "next", description = "Take the next numbers, one a line.", mixinStandardHelpOptions = true)
    int next(
            @Parameters(paramLabel = "NAME") String name,
            @Option(
                            names = {"-n", "--count"},
                            description = "How many; default 1.")
                    @Nullable
                    String count,
            @Option(
                            names = "--key",
                            paramLabel = "KEY",
                            description = "A repetition with the same key gets the same numbers, for 24 hours.")
                    @Nullable
                    String key) {
        return send(
                "POST",
                sequence(name) + "/next",
                "",
                new Body().put("count", count).textOrNothing(),
                keyed(key),
                Form.TEXT);
    }

    @Command(name = "block", description = "Take a run of values at once.", mixinStandardHelpOptions = true)
    int block(
            @Parameters(paramLabel = "NAME") String name,
            @Option(
                            names = {"-n", "--count"},
                            required = true,
                            description = "How many at most.")
                    String count,
            @Option(
                            names = "--key",
                            paramLabel = "KEY",
                            description = "A repetition with the same key gets the same numbers, for 24 hours.")
                    @Nullable
                    String key) {
        return send(
                "POST",
                sequence(name) + "/blocks",
                "",
                new Body().put("count", count).text(),
                keyed(key),
                Form.FIELDS);
    }

    @Command(
            name = "peek",
            description = "Show the number that comes next; takes nothing.",
            mixinStandardHelpOptions = true)
    int peek(@Parameters(paramLabel = "NAME") String name) {
        return send("GET", sequence(name) + "/peek", "", "", Form.TEXT);
    }

    @Command(
            name = "restart",
            description = "Go on behind a value, or with --fresh at it.",
            mixinStandardHelpOptions = true)
    int restart(
            @Parameters(paramLabel = "NAME") String name,
            @Parameters(paramLabel = "VALUE", description = "Counts as just issued.") String value,
            @Option(names = "--fresh", description = "VALUE itself comes next.") boolean fresh,
            @Mixin ReuseOptions reuse) {
        Body body = new Body().put("value", value).put("fresh", fresh);
        reuse.addTo(body);
        return send("POST", sequence(name) + "/restart", "", body.text(), Form.FIELDS);
    }

    @Command(
            name = "alter",
            description = "Change options of a sequence; all or nothing.",
            mixinStandardHelpOptions = true)
    int alter(
            @Parameters(paramLabel = "NAME") String name,
            @Mixin DefinitionOptions options,
            @Option(
                            names = "--restart",
                            paramLabel = "VALUE",
                            arity = "0..1",
                            fallbackValue = Body.DEFAULT,
                            description = "VALUE comes next; without VALUE the start.")
                    @Nullable
                    String restart,
            @Mixin ReuseOptions reuse) {
        Body body = options.body().putOrDefault("restart", restart);
        reuse.addTo(body);
        return send("PATCH", sequence(name), "", body.text(), Form.FIELDS);
    }

    @Command(
            name = "gone",
            description = "Say that a node has ended for good, so that its values need not be waited for.",
            mixinStandardHelpOptions = true)
    int gone(
            @Parameters(paramLabel = "NAME") String name,
            @Parameters(paramLabel = "NODE", description = "As BUSY names it.") String node,
            @Option(names = "--reason", required = true, description = "How you know.") String reason) {
        Body body = new Body().put("node", node).put("reason", reason);
        return send("POST", sequence(name) + "/gone", "", body.text(), Form.FIELDS);
    }

    @Command(name = "drop", description = "Drop a sequence for good.", mixinStandardHelpOptions = true)
    int drop(@Parameters(paramLabel = "NAME") String name) {
        return send("DELETE", sequence(name), "", "", Form.NOTHING);
    }

    // ---- looking and measuring

    @Command(
            name = "check",
            description = "Read every row of the data folder, and say what does not belong together.",
            mixinStandardHelpOptions = true)
    int check() {
        if (isGiven("--server")) {
            throw badUsage("check takes --data, not --server: it reads files that no server may have open");
        }
        try {
            return terminal().showCheck(Check.of(folder()));
        } catch (Refusal e) {
            return terminal().show(e.problem().reply(), Form.NOTHING);
        }
    }

    @Command(
            name = "bench",
            description = "Take numbers as fast as they come, and measure it. The numbers are used up.",
            mixinStandardHelpOptions = true)
    int bench(
            @Parameters(paramLabel = "NAME") String name,
            @Option(names = "--seconds", defaultValue = "5", description = "How long, 1 to 3600; default 5.")
                    int seconds,
            @Option(
                            names = "--connections",
                            defaultValue = "8",
                            description = "How many calls at the same time, 1 to 1000; default 8.")
                    int connections,
            @Option(
                            names = {"-n", "--count"},
                            defaultValue = "1",
                            description = "How many numbers a call, 1 to 10000; default 1.")
                    int count)
            throws InterruptedException {
        requireWithin("--seconds", seconds, 3_600);
        requireWithin("--connections", connections, 1_000);
        requireWithin("--count", count, 10_000);
        Bench.Plan plan = new Bench.Plan(name, Duration.ofSeconds(seconds), connections, count);
        try (Target.Session session = target().session();
                Progress progress = new Progress(spec.commandLine().getErr())) {
            Bench bench = new Bench(plan, session);
            return terminal()
                    .show(bench.run(part -> progress.show(part, bench.calls())).reply(), Form.FIELDS);
        } catch (Bench.FirstRefused e) {
            return terminal().show(e.reply(), Form.NOTHING);
        } catch (Refusal e) {
            return terminal().show(e.problem().reply(), Form.NOTHING);
        }
    }

    private void requireWithin(String option, int value, int most) {
        if (value < 1 || value > most) {
            throw badUsage(option + " must be from 1 to " + most + ": " + value);
        }
    }

    // ---- sending

    /** Whether a flag is on the command line; what the environment says does not count. */
    private boolean isGiven(String flag) {
        CommandLine.ParseResult parsed = spec.commandLine().getParseResult();
        return parsed.hasMatchedOption(flag) || parsed.subcommand().hasMatchedOption(flag);
    }

    private ParameterException badUsage(String sentence) {
        return new ParameterException(spec.commandLine(), sentence);
    }

    private static String sequence(String name) {
        return "/v1/sequences/" + Utf8.percentEncode(name);
    }

    private static void parameter(StringBuilder query, String name, @Nullable String value) {
        if (value != null) {
            query.append(query.isEmpty() ? "" : "&").append(name).append('=').append(Utf8.percentEncode(value));
        }
    }

    private static Map<String, String> keyed(@Nullable String key) {
        return key == null ? Map.of() : Map.of(Call.IDEMPOTENCY_KEY, key);
    }

    private int send(String method, String path, String query, String body, Form form) {
        return send(method, path, query, body, Map.of(), form);
    }

    private int send(String method, String path, String query, String body, Map<String, String> more, Form form) {
        Map<String, String> headers = new HashMap<>(more);
        if (form == Form.TEXT && !json) {
            headers.put(Call.ACCEPT, "text/plain");
        }
        Call call = new Call(method, path, query, headers, body);
        return terminal().show(reply(call), form);
    }

    private Terminal terminal() {
        return new Terminal(spec.commandLine().getOut(), spec.commandLine().getErr(), json);
    }

    private Reply reply(Call call) {
        try {
            return target().send(call);
        } catch (Refusal e) {
            return e.problem().reply();
        }
    }

    /** A flag wins over the environment. Two that are as good as each other are refused: numbers would come twice. */
    private Target target() {
        boolean dataGiven = isGiven("--data");
        boolean serverGiven = isGiven("--server");
        if (dataGiven && serverGiven) {
            throw badUsage("--data and --server exclude each other");
        }
        if (dataGiven || server == null) {
            return new LocalFolder(folder());
        }
        if (data != null && !serverGiven) {
            throw badUsage("SERIATIM_DATA and SERIATIM_SERVER are both set: unset one, or give --data or --server");
        }
        return new RemoteServer(address(server));
    }

    private Path folder() {
        String name = data == null ? "./data" : data;
        if (name.isBlank()) {
            throw badUsage("--data, or SERIATIM_DATA, must name a folder: it is empty");
        }
        try {
            return Path.of(name);
        } catch (InvalidPathException e) {
            throw badUsage("--data, or SERIATIM_DATA, must name a folder that this system can have: " + name);
        }
    }

    private URI address(String text) {
        try {
            URI address = new URI(text);
            boolean isHttp = "http".equals(address.getScheme()) || "https".equals(address.getScheme());
            if (!isHttp || address.getHost() == null) {
                throw noAddress(text);
            }
            return address;
        } catch (URISyntaxException e) {
            throw noAddress(text);
        }
    }

    private ParameterException noAddress(String text) {
        return badUsage(
                "--server, or SERIATIM_SERVER, must be an address such as http://127.0.0.1:7450: '" + text + "'");
    }

    static final class Version implements CommandLine.IVersionProvider {
        @Override
        public String[] getVersion() {
            return new String[] {"seriatim " + text()};
        }

        /** The version of the jar that this runs from. */
        static String text() {
            String version = Main.class.getPackage().getImplementationVersion();
            return version == null ? "(not from a jar)" : version;
        }
    }
}
