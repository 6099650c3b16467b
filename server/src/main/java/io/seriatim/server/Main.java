package io.seriatim.server;

import io.seriatim.server.Terminal.Form;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.io.Reader;
import java.io.StringWriter;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
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
import picocli.CommandLine.TypeConversionException;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/** The command line. Each command is one call of docs/http.md, on a local folder or on a server. */
@Command(
        name = "seriatim",
        description = "Hands out numbers and keeps what it promises for each of them.",
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class,
        subcommands = {TemplateCommand.class, ConvertCommand.class, ImportCommand.class},
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
            "7:the store is damaged, has stopped, or must not serve; or a partition of a log waits for repair"
        })
public final class Main {

    private static final Set<String> TAKE_ALL_SETTINGS = Set.of("serve", "config");

    /** They ask no store and no server. */
    private static final Set<String> TAKE_NO_STORE = Set.of("token", "template", "convert");

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before any command runs
    private CommandSpec spec;

    @Mixin
    private final TargetOptions targetOptions;

    @Option(names = "--json", scope = ScopeType.INHERIT, description = "Print the answer as JSON.")
    private boolean json;

    private final InputStream in;

    private Main(Map<String, String> environment, InputStream in) {
        targetOptions = new TargetOptions(environment);
        this.in = in;
    }

    /** Runs one command and ends the process with its exit code. */
    public static void main(String[] arguments) {
        // System.out would keep it for itself that nothing can be written.
        PrintWriter out = new PrintWriter(
                new OutputStreamWriter(new FileOutputStream(FileDescriptor.out), Charset.defaultCharset()), true);
        int exitCode = commandLine(System.getenv(), System.in).setOut(out).execute(arguments);
        out.flush();
        System.exit(exitCode);
    }

    /** A command line without stdin. */
    static CommandLine commandLine(Map<String, String> environment) {
        return commandLine(environment, InputStream.nullInputStream());
    }

    /** @param environment where settings come from that no flag gives */
    static CommandLine commandLine(Map<String, String> environment, InputStream in) {
        Main main = new Main(environment, in);
        CommandLine commandLine = new CommandLine(main)
                .setParameterExceptionHandler(Main::badUsage)
                .setExecutionExceptionHandler(Main::unexpected)
                .setDefaultValueProvider(argument -> ofEnvironment(argument, environment))
                .registerConverter(int.class, Main::wholeNumber);
        NumberCommands.all(main).forEach(commandLine::addSubcommand);
        LogCommands.all(main).forEach(commandLine::addSubcommand);
        BackupCommands.all(main).forEach(commandLine::addSubcommand);
        StateCommands.all(main).forEach(commandLine::addSubcommand);
        // A negative number in the place of a value, or a template that begins with a dash, is no option.
        for (String name : List.of("restart", "template", "convert", "append", "record")) {
            Objects.requireNonNull(commandLine.getSubcommands().get(name)).setUnmatchedOptionsArePositionalParams(true);
        }
        for (Setting setting : Setting.values()) {
            commandLine.getSubcommands().forEach((name, command) -> {
                if (setting.isOfStore() && !TAKE_NO_STORE.contains(name) || TAKE_ALL_SETTINGS.contains(name)) {
                    addTo(command, setting);
                }
            });
            if (setting.isOfStore()) {
                commandLine.getCommandSpec().addOption(option(setting));
            }
        }
        return commandLine;
    }

    /** To a command and those below it. */
    private static void addTo(CommandLine command, Setting setting) {
        command.getCommandSpec().addOption(option(setting));
        command.getSubcommands().values().forEach(below -> addTo(below, setting));
    }

    /** Written as the API wants it: picocli would take 010 and +5 too. */
    private static int wholeNumber(String text) {
        if (!Integers.isInteger(text)) {
            throw new TypeConversionException("'" + text + "' is not a whole number");
        }
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException tooLarge) {
            throw new TypeConversionException("'" + text + "' is larger than " + Integer.MAX_VALUE);
        }
    }

    private static OptionSpec option(Setting setting) {
        return OptionSpec.builder(setting.flag())
                .type(String.class)
                .paramLabel(setting.label())
                .description(setting.description().replace("%", "%%"))
                .build();
    }

    /** {@code --server} is {@code SERIATIM_SERVER} in the environment; {@link Settings} reads what is of a server. */
    private static @Nullable String ofEnvironment(ArgSpec argument, Map<String, String> environment) {
        if (!argument.inherited() && argument.root() == null || !(argument instanceof OptionSpec option)) {
            return null;
        }
        String name = option.longestName().replaceFirst("^--", "");
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

    @Command(name = "serve", description = "Serve the store over HTTP until SIGTERM.", mixinStandardHelpOptions = true)
    int serve() throws InterruptedException {
        if (targetOptions.isGiven("--server")) {
            throw badUsage("serve takes --data, not --server");
        }
        Settings settings = targetOptions.allSettings();
        try {
            Serving.start(settings).untilSignal(spec.commandLine().getOut());
            return ExitCode.OK;
        } catch (Refusal e) {
            return terminal().show(e.problem().reply(), Form.NOTHING);
        }
    }

    @Command(
            name = "config",
            description = "Show each setting of a server, and where its value comes from.",
            mixinStandardHelpOptions = true)
    int config() {
        if (targetOptions.target() instanceof RemoteServer) {
            return send("GET", "/v1/config", "", "", Form.SETTINGS);
        }
        return terminal().show(Reply.json(200, targetOptions.allSettings().json()), Form.SETTINGS);
    }

    @Command(
            name = "token",
            description = "Print a new token, and behind it the line for the file of --tokens.",
            mixinStandardHelpOptions = true)
    int freshToken(
            @Parameters(paramLabel = "NAME", description = "Who will call with it.") String name,
            @Parameters(paramLabel = "ROLE", description = "viewer, allocator or operator; several with commas.")
                    String roles,
            @Parameters(
                            paramLabel = "SEQUENCE",
                            arity = "0..*",
                            description = "What an allocator may draw from: names, or beginnings such as shop-*.")
                    @Nullable
                    List<String> sequences) {
        try {
            Tokens.Fresh fresh =
                    Tokens.fresh(new SecureRandom(), name, roles, sequences == null ? List.of() : sequences);
            return terminal().show(Reply.json(200, fresh.json()), Form.FIELDS);
        } catch (Refusal e) {
            throw badUsage(e.problem().detail());
        }
    }

    // ---- sequences

    @Command(name = "define", description = "Define a sequence.", mixinStandardHelpOptions = true)
    int define(
            @Parameters(paramLabel = "NAME") String name,
            @Mixin DefinitionOptions options,
            @Option(names = "--reason", description = "Why; the audit trail keeps it.") @Nullable String reason) {
        return send("PUT", sequence(name), reasonQuery(reason), options.body().text(), Form.FIELDS);
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
    int show(@Parameters(paramLabel = "NAME") String name, @Mixin AskOptions ask) {
        return send("GET", sequence(name), query(ask), "", Form.FIELDS);
    }

    private String query(AskOptions ask) {
        StringBuilder query = new StringBuilder();
        parameter(query, "at", ask.at);
        parameter(query, "date", ask.date);
        scopeValues(ask.scope).forEach((scope, value) -> parameter(query, "scope." + scope, value));
        return query.toString();
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
                    String key,
            @Mixin AskOptions ask) {
        Body body = new Body().put("count", count).put("at", ask.at).put("date", ask.date);
        body.put("scope", scope(ask.scope));
        return send("POST", sequence(name) + "/next", "", body.textOrNothing(), keyed(key), Form.TEXT);
    }

    Body scope(ScopeOption given) {
        Body body = new Body();
        scopeValues(given).forEach(body::put);
        return body;
    }

    Map<String, String> scopeValues(ScopeOption given) {
        return ScopeValue.byName(given.values).orElseThrow(() -> badUsage("--scope gives one scope two values"));
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
    int peek(@Parameters(paramLabel = "NAME") String name, @Mixin AskOptions ask) {
        return send("GET", sequence(name) + "/peek", query(ask), "", Form.TEXT);
    }

    @Command(
            name = "restart",
            description = "Go on behind a value, or with --fresh at it.",
            mixinStandardHelpOptions = true)
    int restart(
            @Parameters(paramLabel = "NAME") String name,
            @Parameters(paramLabel = "VALUE", description = "Counts as just issued.") String value,
            @Option(names = "--fresh", description = "VALUE itself comes next.") boolean fresh,
            @Mixin CounterOptions counter,
            @Mixin ReuseOptions reuse) {
        Body body = new Body().put("value", value).put("fresh", fresh).put("period", counter.period);
        body.put("scope", scope(counter.scope));
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
    int drop(
            @Parameters(paramLabel = "NAME") String name,
            @Option(names = "--reason", description = "Why; the audit trail keeps it.") @Nullable String reason) {
        return send("DELETE", sequence(name), reasonQuery(reason), "", Form.NOTHING);
    }

    @Command(
            name = "audit",
            description = "Show who defined, altered, restarted and dropped a sequence, when and why.",
            mixinStandardHelpOptions = true)
    int audit(
            @Parameters(paramLabel = "NAME") String name,
            @Option(names = "--after", description = "Only entries behind this index.") @Nullable String after,
            @Option(names = "--limit", description = "At most so many; default 100.") @Nullable String limit) {
        StringBuilder query = new StringBuilder();
        parameter(query, "after", after);
        parameter(query, "limit", limit);
        return send("GET", sequence(name) + "/audit", query.toString(), "", Form.AUDIT);
    }

    // ---- looking and measuring

    @Command(
            name = "check",
            description = "Read every row of the data folder or the database, and say what does not belong together.",
            mixinStandardHelpOptions = true)
    int check() {
        LocalStore store = localStore("check");
        try (Progress progress = new Progress(spec.commandLine().getErr())) {
            return terminal()
                    .showCheck(
                            store instanceof LocalFolder folder
                                    ? Check.of(folder.path(), progress)
                                    : Check.of((PostgresDatabase) store, progress));
        } catch (Refusal e) {
            return terminal().show(e.problem().reply(), Form.NOTHING);
        }
    }

    /** For commands that open the store themselves. */
    LocalStore localStore(String command) {
        if (targetOptions.isGiven("--server")) {
            throw badUsage(command + " takes --data, not --server: it reads files that no server may have open");
        }
        try {
            return LocalStore.of(targetOptions.settings());
        } catch (Refusal e) {
            throw badUsage(e.problem().detail());
        }
    }

    /**
     * For commands that read the files of a folder.
     *
     * @param sentence what somebody with a database is told; begins with the command
     */
    LocalFolder folderAlone(String sentence) {
        LocalStore store = localStore(sentence.substring(0, sentence.indexOf(' ')));
        if (!(store instanceof LocalFolder folder)) {
            throw badUsage(sentence);
        }
        return folder;
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
        try (Target.Session session = targetOptions.target().session();
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

    // ---- reading what is given

    /** The text of a file, or of stdin. */
    String textOf(String option, String file) {
        try (Reader reader = reader(option, file)) {
            StringWriter text = new StringWriter();
            reader.transferTo(text);
            return text.toString();
        } catch (IOException e) {
            throw badUsage(option + " must name a text file in UTF-8 that can be read, or be - for stdin: " + file);
        }
    }

    /** Reads a file or stdin; what is no UTF-8 is an {@link IOException}. */
    BufferedReader reader(String option, String file) {
        try {
            InputStream bytes = file.equals("-") ? in : Files.newInputStream(Path.of(file));
            return new BufferedReader(new InputStreamReader(bytes, StandardCharsets.UTF_8.newDecoder()));
        } catch (IOException | InvalidPathException e) {
            throw badUsage(option + " must name a text file in UTF-8 that can be read, or be - for stdin: " + file);
        }
    }

    /** What an option has if it is one JSON object. */
    String object(String option, String text) {
        try (JsonParser parser = Json.parser(text)) {
            boolean isObject = parser.nextToken() == JsonToken.START_OBJECT;
            parser.skipChildren();
            if (isObject && parser.nextToken() == null) {
                return text;
            }
        } catch (JacksonException e) {
            throw badUsage(option + " is not JSON: " + e.getOriginalMessage());
        }
        throw badUsage(option + " must be one JSON object: " + Integers.shown(text));
    }

    // ---- sending

    ParameterException badUsage(String sentence) {
        return new ParameterException(spec.commandLine(), sentence);
    }

    static String sequence(String name) {
        return "/v1/sequences/" + Utf8.percentEncode(name);
    }

    static void parameter(StringBuilder query, String name, @Nullable String value) {
        if (value != null) {
            query.append(query.isEmpty() ? "" : "&")
                    .append(Utf8.percentEncode(name))
                    .append('=')
                    .append(Utf8.percentEncode(value));
        }
    }

    private static String reasonQuery(@Nullable String reason) {
        StringBuilder query = new StringBuilder();
        parameter(query, "reason", reason);
        return query.toString();
    }

    static Map<String, String> keyed(@Nullable String key) {
        return key == null ? Map.of() : Map.of(Call.IDEMPOTENCY_KEY, key);
    }

    private int send(String method, String path, String query, String body, Form form) {
        return send(method, path, query, body, Map.of(), form);
    }

    int send(String method, String path, String query, String body, Map<String, String> more, Form form) {
        Map<String, String> headers = new HashMap<>(more);
        if (!json) {
            form.accepted().ifPresent(type -> headers.put(Call.ACCEPT, type));
        }
        return terminal().show(reply(call(method, path, query, body, headers)), form);
    }

    /** A call by the one at the keyboard. */
    Call call(String method, String path, String query, String body, Map<String, String> headers) {
        Caller caller = Caller.atKeyboard(System.getProperty("user.name", ""));
        return new Call(method, path, query, headers, body, caller);
    }

    Target target() {
        return targetOptions.target();
    }

    Terminal terminal() {
        return new Terminal(spec.commandLine().getOut(), spec.commandLine().getErr(), json);
    }

    /** The answer to a call that another command makes. */
    Reply reply(String method, String path, String body) {
        return reply(call(method, path, "", body, Map.of()));
    }

    private Reply reply(Call call) {
        try {
            return targetOptions.target().send(call);
        } catch (Refusal e) {
            return e.problem().reply();
        }
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
