package io.seriatim.server;

import io.seriatim.SystemEnvironment;
import io.seriatim.eventlog.EventLogException;
import io.seriatim.eventlog.LogCheck;
import io.seriatim.eventlog.LogReport;
import io.seriatim.eventlog.Rebuild;
import io.seriatim.eventlog.ReplayProgress;
import io.seriatim.rocksdb.RocksDbStore;
import io.seriatim.server.Terminal.Form;
import io.seriatim.store.EventLogStore;
import io.seriatim.store.PartitionKey;
import io.seriatim.store.StoreException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** Looks at one partition of an event log in a data folder that no process has open, or makes its numbers anew. */
@Command(
        name = "partition",
        description = "Check a partition of an event log, or rebuild its numbers from the log.",
        mixinStandardHelpOptions = true)
final class PartitionCommand implements Callable<Integer> {

    private static final String CHECK = "check";
    private static final String REBUILD = "rebuild";

    @ParentCommand
    @SuppressWarnings("NullAway.Init") // picocli sets it before the command runs
    private Main main;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before the command runs
    private CommandSpec spec;

    @Parameters(paramLabel = "APPLICATION", description = "The application's id, from 1 on.")
    private int application;

    @Parameters(paramLabel = "PARTITION", description = "From 0 on.")
    private int partition;

    @Parameters(paramLabel = "check|rebuild", description = "What is to be done; rebuild takes the partition.")
    private String action = "";

    @Override
    public Integer call() {
        if (!action.equals(CHECK) && !action.equals(REBUILD)) {
            throw main.badUsage("a partition can be checked or rebuilt: " + action);
        }
        if (application < 1) {
            throw main.badUsage("applications have ids from 1 on: " + application);
        }
        if (partition < 0) {
            throw main.badUsage("partitions are numbered from 0 on: " + partition);
        }
        LocalFolder folder = main.folderAlone("partition");
        Terminal terminal = main.terminal();
        try {
            LocalFolder.requireThere(folder.path());
            try (RocksDbStore store = LocalFolder.openStore(folder.path());
                    Progress progress = new Progress(spec.commandLine().getErr())) {
                PartitionKey key = present(store.eventLog());
                return action.equals(CHECK)
                        ? terminal.showLog(check(store.eventLog(), key, progress))
                        : terminal.show(rebuild(store.eventLog(), key, progress), Form.FIELDS);
            }
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

    private PartitionKey present(EventLogStore logs) {
        PartitionKey key = new PartitionKey(application, partition);
        if (!logs.partitions().contains(key)) {
            throw new Refusal(
                    Problem.notFound("application " + application + " has no partition " + partition + " here"));
        }
        return key;
    }

    private static LogReport check(EventLogStore logs, PartitionKey key, Progress progress) {
        try (SystemEnvironment environment = new SystemEnvironment()) {
            return LogCheck.of(logs.partition(key), environment)
                    .telling(progress::show)
                    .run();
        }
    }

    private static Reply rebuild(EventLogStore logs, PartitionKey key, Progress progress) {
        try (SystemEnvironment environment = new SystemEnvironment()) {
            ReplayProgress done = Rebuild.run(logs.partition(key), environment, progress::show);
            return Reply.json(200, Json.object(out -> {
                out.writeNumberProperty("application", key.application());
                out.writeNumberProperty("partition", key.partition());
                out.writeNumberProperty("events", done.events());
                out.writeNumberProperty("millis", done.elapsed().toMillis());
                out.writeNumberProperty("nextOffset", done.total() + 1);
            }));
        }
    }
}
