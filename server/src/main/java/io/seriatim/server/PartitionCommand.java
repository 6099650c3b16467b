package io.seriatim.server;

import io.seriatim.ErrorCode;
import io.seriatim.SystemEnvironment;
import io.seriatim.eventlog.EventLogException;
import io.seriatim.eventlog.LogReport;
import io.seriatim.eventlog.Rebuild;
import io.seriatim.eventlog.ReplayProgress;
import io.seriatim.eventlog.application.Application;
import io.seriatim.eventlog.application.ApplicationSettings;
import io.seriatim.eventlog.application.Applications;
import io.seriatim.eventlog.application.ElsewhereException;
import io.seriatim.eventlog.application.Partition;
import io.seriatim.eventlog.application.PartitionState;
import io.seriatim.eventlog.application.PartitionStatus;
import io.seriatim.server.Terminal.Form;
import io.seriatim.store.ApplicationRow;
import io.seriatim.store.EventLogStore;
import io.seriatim.store.PartitionKey;
import io.seriatim.store.StoreException;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.json.JsonMapper;

/** Looks at one partition of an event log, or lets it be read or made anew. */
@Command(
        name = "partition",
        description = "Show a partition of an event log, check it, let it read its log again, or rebuild what follows"
                + " from its log.",
        mixinStandardHelpOptions = true)
final class PartitionCommand implements Callable<Integer> {

    /*
     * show and actualize are calls, as are check and rebuild of a server. On a folder check and rebuild work on the rows
     * themselves, because they may take minutes and show how far they are; check takes no partition and so changes nothing,
     * on a database either. A rebuild there is handed to the server that has the partition, which would take it back from
     * anybody else; where none has it, this process takes it as one of those that share the database.
     */

    /** How long the last owner of a partition may be dead before somebody may take it, and some. */
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    /** How long one look at the other processes may take. */
    private static final Duration LOOKED = Duration.ofSeconds(10);

    /** How often a rebuild is shown. */
    private static final Duration LOOK = Duration.ofMillis(100);

    static final String ACTUALIZE = "actualize";
    private static final String CHECK = "check";
    private static final String REBUILD = "rebuild";

    private final Main main;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before the command runs
    private CommandSpec spec;

    @Parameters(
            paramLabel = LogCommands.LOG,
            index = "0",
            description = "The log's name; without a server also the application's id, from 1 on.")
    private String log = "";

    @Parameters(paramLabel = "PARTITION", index = "1", description = "From 0 on.")
    private int partition;

    @Parameters(
            paramLabel = "show|check|actualize|rebuild",
            index = "2",
            arity = "0..1",
            description = "What is to be done; rebuild takes the partition. Default show.")
    private String action = "show";

    PartitionCommand(Main main) {
        this.main = main;
    }

    @Override
    public Integer call() throws InterruptedException {
        if (partition < 0) {
            throw main.badUsage("partitions are numbered from 0 on: " + partition);
        }
        String path = LogCommands.path(log, "partitions", Integer.toString(partition));
        return switch (action) {
            case "show" -> main.send("GET", path, "", "", Map.of(), Form.FIELDS);
            case ACTUALIZE -> act(main, path, ACTUALIZE);
            case CHECK -> main.target() instanceof RemoteServer ? checkAtServer(path) : ofStore();
            case REBUILD -> main.target() instanceof RemoteServer ? act(main, path, REBUILD) : ofStore();
            default -> throw main.badUsage("a partition can be shown, checked, actualized or rebuilt: " + action);
        };
    }

    private int checkAtServer(String path) {
        Reply reply = main.reply("POST", path + "/" + CHECK, "");
        return reply.isSuccess()
                ? main.terminal().showReport(reply, "log " + log + ", partition " + partition)
                : main.terminal().show(reply, Form.NOTHING);
    }

    /** Lets a partition do something, and says by the exit code whether it may be used then. */
    static int act(Main main, String path, String act) {
        Reply reply = main.reply("POST", path + "/" + act, "");
        int exitCode = main.terminal().show(reply, Form.FIELDS);
        if (!reply.isSuccess()) {
            return exitCode;
        }
        String status =
                JsonMapper.shared().readTree(reply.body()).path("status").asString();
        return switch (status) {
            case "ready" -> ExitCode.OK;
            case "recovering" -> ExitCode.TRY_AGAIN;
            case "fenced" -> ExitCode.FENCED;
            default -> ExitCode.CORRUPT;
        };
    }

    // ---- in a store

    /** A partition of a store, and the log that it is of, if that has a name. */
    private record Found(PartitionKey key, Optional<ApplicationRow> row) {

        String where() {
            return Check.where(key, row.map(ApplicationRow::name));
        }
    }

    private int ofStore() throws InterruptedException {
        LocalStore local = main.localStore("partition");
        Terminal terminal = main.terminal();
        try {
            if (local instanceof LocalFolder folder) {
                LocalFolder.requireThere(folder.path());
            }
            Optional<Reply> reply;
            Found found;
            try (OpenStore store = local.open();
                    SystemEnvironment environment = new SystemEnvironment();
                    Progress progress = new Progress(spec.commandLine().getErr())) {
                found = find(store.logs());
                if (action.equals(CHECK)) {
                    LogReport report = check(store.logs(), found, environment, progress);
                    return terminal.showReport(Check.reply(report), found.where());
                }
                reply = local.isShared()
                        ? rebuildUnlessElsewhere(store, found, environment, progress)
                        : Optional.of(rebuild(store.logs(), found, environment, progress));
            }
            if (reply.isPresent()) {
                return terminal.show(reply.get(), Form.FIELDS);
            }
            String name = found.row().orElseThrow().name();
            return act(main, LogCommands.path(name, "partitions", Integer.toString(partition)), REBUILD);
        } catch (EventLogException e) {
            return terminal.show(Problem.of(e).reply(), Form.NOTHING);
        } catch (StoreException e) {
            String said = String.valueOf(e.getMessage());
            boolean corrupt = e.kind() == StoreException.Kind.CORRUPT;
            return terminal.show((corrupt ? Problem.corrupt(said) : Problem.unavailable(said)).reply(), Form.NOTHING);
        } catch (Refusal e) {
            return terminal.show(e.problem().reply(), Form.NOTHING);
        }
    }

    /** A name goes before an id: a log may be called 3. */
    private Found find(EventLogStore logs) {
        Optional<ApplicationRow> named = logs.applications().stream()
                .filter(row -> row.name().equals(log))
                .findFirst();
        int id = named.isPresent() ? named.get().id() : id();
        PartitionKey key = new PartitionKey(id, partition);
        if (!logs.partitions().contains(key)) {
            throw new Refusal(Problem.notFound(
                    (named.isPresent() ? "log " : "application ") + log + " has no partition " + partition + " here"));
        }
        Optional<ApplicationRow> row =
                logs.applications().stream().filter(each -> each.id() == id).findFirst();
        return new Found(key, row);
    }

    private int id() {
        if (!Integers.isInteger(log)) {
            throw new Refusal(Problem.notFound("there is no log " + Integers.shown(log) + " here"));
        }
        try {
            int id = Integer.parseInt(log);
            if (id >= 1) {
                return id;
            }
        } catch (NumberFormatException e) {
            throw main.badUsage("'" + log + "' is larger than " + Integer.MAX_VALUE);
        }
        throw main.badUsage("applications have ids from 1 on: " + log);
    }

    private static LogReport check(EventLogStore logs, Found found, SystemEnvironment environment, Progress progress) {
        return Applications.check(logs, found.key(), environment)
                .telling(progress::show)
                .run();
    }

    /** Of a log that is deployed everything that follows is made anew, of any other one the numbers. */
    private static Reply rebuild(EventLogStore logs, Found found, SystemEnvironment environment, Progress progress)
            throws InterruptedException {
        if (found.row().isEmpty()) {
            return rebuildNumbers(logs, found, environment, progress);
        }
        try (Applications applications = Applications.on(logs, ApplicationSettings.usual(), environment)) {
            Optional<Application> deployed = applications.find(found.row().get().name());
            return deployed.isPresent()
                    ? rebuild(deployed.get().partition(found.key().partition()), found, environment, progress)
                    : rebuildNumbers(logs, found, environment, progress);
        }
    }

    /** The same on a database; empty where a server has the partition. */
    private static Optional<Reply> rebuildUnlessElsewhere(
            OpenStore store, Found found, SystemEnvironment environment, Progress progress)
            throws InterruptedException {
        Optional<String> name = found.row().map(ApplicationRow::name);
        if (name.isEmpty() || store.applications().find(name.get()).isEmpty()) {
            return Optional.of(rebuildNumbers(store.logs(), found, environment, progress));
        }
        long deadline = environment.nanoTime() + PATIENCE.toNanos();
        while (true) {
            try {
                Partition here = store.applications()
                        .get(name.get())
                        .partition(found.key().partition());
                return Optional.of(rebuild(here, found, environment, progress));
            } catch (ElsewhereException e) {
                if (e.owner().isPresent() || environment.nanoTime() - deadline > 0) {
                    return Optional.empty();
                }
                awaitLook(store.applications()); // it has been free, or its owner dead, since a moment ago
            }
        }
    }

    /** Waits until it was looked again who has what. */
    private static void awaitLook(Applications applications) throws InterruptedException {
        try {
            applications.lookAgain().get(LOOKED.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new StoreException(StoreException.Kind.UNAVAILABLE, "it cannot be seen who has the partition", e);
        }
    }

    private static Reply rebuildNumbers(
            EventLogStore logs, Found found, SystemEnvironment environment, Progress progress) {
        ReplayProgress done = Rebuild.run(logs.partition(found.key()), environment, progress::show);
        return rebuilt(found, done, done.elapsed());
    }

    private static Reply rebuild(Partition partition, Found found, SystemEnvironment environment, Progress progress)
            throws InterruptedException {
        long began = environment.nanoTime();
        AtomicReference<ReplayProgress> numbers = new AtomicReference<>(new ReplayProgress(0, 0, Duration.ZERO, false));
        CompletableFuture<PartitionState> rebuilding = partition.rebuild(numbers::set);
        while (true) {
            try {
                PartitionState state = rebuilding.get(LOOK.toMillis(), TimeUnit.MILLISECONDS);
                requireReady(state);
                return rebuilt(
                        found, Objects.requireNonNull(numbers.get()), Duration.ofNanos(environment.nanoTime() - began));
            } catch (TimeoutException e) {
                ReplayProgress last = Objects.requireNonNull(numbers.get());
                progress.show(last.done() ? applied(partition.state(), last) : last);
            } catch (ExecutionException e) {
                if (e.getCause() instanceof RuntimeException known) {
                    throw known;
                }
                throw new IllegalStateException("a rebuild broke off", e.getCause());
            }
        }
    }

    private static ReplayProgress applied(PartitionState state, ReplayProgress numbers) {
        return new ReplayProgress(state.appliedOffset() - 1, numbers.total(), numbers.elapsed(), false);
    }

    private static void requireReady(PartitionState state) {
        if (state.status() != PartitionStatus.READY) {
            ErrorCode code = state.status() == PartitionStatus.FENCED ? ErrorCode.FENCED : ErrorCode.QUARANTINED;
            throw new EventLogException(code, state.trouble().orElse("the partition is " + state.status()));
        }
    }

    private static Reply rebuilt(Found found, ReplayProgress done, Duration elapsed) {
        return Reply.json(200, Json.object(out -> {
            out.writeNumberProperty("application", found.key().application());
            out.writeNumberProperty("partition", found.key().partition());
            out.writeNumberProperty("events", done.events());
            out.writeNumberProperty("millis", elapsed.toMillis());
            out.writeNumberProperty("nextOffset", done.total() + 1);
        }));
    }
}
