package io.seriatim.server;

import io.seriatim.server.Terminal.Form;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows the events of a partition or of a workspace, in order. */
@Command(
        name = "events",
        description = "Show events of a partition or a workspace, one a line, in order.",
        mixinStandardHelpOptions = true)
final class EventsCommand implements Callable<Integer> {

    private final Main main;

    @Parameters(paramLabel = LogCommands.LOG, index = "0")
    @SuppressWarnings("NullAway.Init") // picocli sets what is required before a command runs
    private String log;

    @Option(names = "--partition", paramLabel = "P", description = "A partition, from 0 on; its PLog offsets count.")
    private @Nullable String partition;

    @Option(names = "--workspace", paramLabel = "W", description = "A workspace; its WLog offsets count.")
    private @Nullable String workspace;

    @Option(names = "--from", paramLabel = "N", description = "The offset to begin at; default 1.")
    private @Nullable String from;

    @Option(names = "--limit", paramLabel = "N", description = "At most so many; default all that are there.")
    private @Nullable String limit;

    @Option(
            names = {"-f", "--follow"},
            description =
                    "Then wait for more, until SIGINT or SIGTERM; needs --server, and goes on when that has restarted.")
    private boolean follow;

    EventsCommand(Main main) {
        this.main = main;
    }

    @Override
    public Integer call() throws InterruptedException {
        if ((partition == null) == (workspace == null)) {
            throw main.badUsage("events takes one of --partition and --workspace");
        }
        String path = partition != null
                ? LogCommands.path(log, "partitions", partition, "events")
                : LogCommands.path(log, "workspaces", String.valueOf(workspace), "events");
        EventTail.Wanted wanted = new EventTail.Wanted(
                path, workspace != null, number("--from", from, 1), number("--limit", limit, Long.MAX_VALUE), follow);
        Terminal terminal = main.terminal();
        Target target = main.target();
        try (Target.Session session = target.session()) {
            if (follow && target instanceof LocalStore) {
                throw main.badUsage("--follow needs --server: while this command has " + target
                        + " open, nobody else can append to it");
            }
            return new EventTail(wanted, session, main, terminal).run();
        } catch (Refusal e) {
            return terminal.show(e.problem().reply(), Form.NOTHING);
        }
    }

    private long number(String option, @Nullable String text, long otherwise) {
        if (text == null) {
            return otherwise;
        }
        try {
            return Integers.parse(option, text, 1, Long.MAX_VALUE);
        } catch (Refusal e) {
            throw main.badUsage(e.problem().detail());
        }
    }
}
