package io.seriatim.server;

import io.seriatim.rocksdb.Backup;
import io.seriatim.rocksdb.RocksDbStore;
import io.seriatim.server.Terminal.Form;
import io.seriatim.store.StoreException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;

/** The commands that copy a store, and bring a copy back. */
final class BackupCommands {

    private BackupCommands() {}

    static List<Object> all(Main main) {
        return List.of(new Make(main), new RestoreCommand(main), new VerifyUsedCommand(main));
    }

    /** Refuses what cannot be done with files of a backup, in the words of the one at the keyboard. */
    static Refusal refusal(String sentence, Exception e) {
        if (e instanceof IOException files) {
            return new Refusal(LocalFolder.unusable(sentence, files));
        }
        String said = String.valueOf(e.getMessage());
        if (e instanceof IllegalArgumentException) {
            return new Refusal(Problem.badRequest(sentence + said));
        }
        boolean corrupt = e instanceof StoreException store && store.kind() == StoreException.Kind.CORRUPT;
        return new Refusal(corrupt ? Problem.corrupt(said) : Problem.unavailable(said));
    }

    static Reply reply(Backup backup) {
        return Reply.json(200, Json.object(out -> {
            out.writeStringProperty("backup", backup.folder().toString());
            BackupCalls.write(out, LocalFolder.made(backup));
        }));
    }

    @Command(
            name = "backup",
            description =
                    "Copy the store as it is now into a new folder; of a server, in the folder of its --backup-dir.",
            mixinStandardHelpOptions = true)
    private static final class Make implements Callable<Integer> {

        private static final Duration LOOK = Duration.ofMillis(500);

        private final Main main;

        @Spec
        @SuppressWarnings("NullAway.Init") // picocli sets it before the command runs
        private CommandSpec spec;

        @Parameters(
                paramLabel = "BACKUP",
                description = "The folder to make, with --verify one that is there, with --server a name.")
        @SuppressWarnings("NullAway.Init") // picocli sets it before the command runs
        private Path target;

        @Option(names = "--verify", description = "Make none: read the one that is there and compare it with its list.")
        private boolean verify;

        Make(Main main) {
            this.main = main;
        }

        @Override
        public Integer call() {
            try (Progress progress = new Progress(spec.commandLine().getErr())) {
                Reply reply = verify
                        ? reply(verified(progress))
                        : main.target() instanceof RemoteServer ? ofServer(progress) : reply(made(progress));
                return main.terminal().show(reply, Form.FIELDS);
            } catch (Refusal e) {
                return main.terminal().show(e.problem().reply(), Form.NOTHING);
            }
        }

        private Backup verified(Progress progress) {
            try {
                Backup backup = Backup.read(target);
                backup.verify(part -> progress.show(part, "read"));
                return backup;
            } catch (IOException | StoreException e) {
                throw refusal("the backup cannot be read: ", e);
            }
        }

        /** Asks until it has come to its end, for it may take longer than an answer. */
        private Reply ofServer(Progress progress) {
            Reply reply = main.reply(
                    "POST",
                    "/v1/backup",
                    new Body().put("name", target.toString()).text());
            while (reply.isSuccess() && stateIn(reply).path("state").asString().equals("running")) {
                progress.show(stateIn(reply).path("part").asDouble(), "copied");
                LockSupport.parkNanos(LOOK.toNanos());
                reply = main.reply("GET", "/v1/backup", "");
            }
            if (reply.isSuccess() && !stateIn(reply).path("state").asString().equals("done")) {
                return Problem.unavailable("the backup could not be written; the server's log says why")
                        .reply();
            }
            return reply;
        }

        private static JsonNode stateIn(Reply reply) {
            return Terminal.read(reply);
        }

        private Backup made(Progress progress) {
            LocalFolder folder = main.folderAlone("backup copies a data folder; a database is backed up with its own"
                    + " tools, pg_basebackup or pg_dump");
            LocalFolder.requireStore(folder.path());
            try (RocksDbStore store = LocalFolder.openStore(folder.path())) {
                return store.backup(target, Instant.now(), part -> progress.show(part, "copied"));
            } catch (IOException | StoreException | IllegalArgumentException e) {
                throw refusal("the backup cannot be written: ", e);
            }
        }
    }
}
