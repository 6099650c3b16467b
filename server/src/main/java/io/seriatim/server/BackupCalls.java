package io.seriatim.server;

import io.seriatim.ErrorCode;
import io.seriatim.store.StoreException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JsonGenerator;

/** The calls on backups of the store that is served. */
final class BackupCalls {

    /*
     * A backup takes as long as it takes, and a call has only so long. So a thread of its own makes it, a call waits for its
     * end for a while, and whoever wants to know more asks again. There is one at a time, and only the last one is known.
     */

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.-]{0,99}");

    private static final Logger LOG = LoggerFactory.getLogger(BackupCalls.class);

    private final Optional<BackupMaker> maker;
    private final Optional<Path> folder;

    /** Held while one is begun. */
    private final Object lock = new Object();

    private volatile @Nullable Run last;

    /** One backup, and what has come of it. */
    private static final class Run {
        final String name;
        final CompletableFuture<BackupMaker.Made> made = new CompletableFuture<>();
        volatile double part;

        Run(String name) {
            this.name = name;
        }
    }

    /** @param folder where backups are made; empty where nobody may ask for any */
    BackupCalls(OpenStore store, Optional<Path> folder) {
        this.maker = store.backups();
        this.folder = folder;
    }

    void addTo(Routes routes) {
        routes.add("POST", "/v1/backup", (call, names) -> make(call));
        routes.addQuick("GET", "/v1/backup", (call, names) -> show(call));
    }

    private Reply make(Call call) {
        Query.of(call);
        Fields fields = Fields.of(call.body()).only(List.of("name"));
        String name = fields.text("name").orElseThrow(() -> fields.required("name"));
        if (!NAME.matcher(name).matches() || name.endsWith(".part")) {
            throw new Refusal(Problem.badOption(
                    ErrorCode.BAD_NAME, "name", "a name must be " + NAME + " and not end with .part"));
        }
        Path into = folder.orElseThrow(() ->
                new Refusal(Problem.badRequest("this server makes no backups: it was started without --backup-dir")));
        BackupMaker its = maker.orElseThrow(() ->
                new Refusal(Problem.badRequest("a store in a database is backed up by the tools of the database")));
        Run run = begin(name, into.resolve(name), its, call);
        try {
            BackupMaker.Made unused = run.made.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
            return reply(run);
        } catch (TimeoutException e) {
            return reply(run);
        } catch (ExecutionException e) {
            throw refusal(run.name, e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return reply(run);
        }
    }

    /** The one of this name that is being made, or a new one. */
    private Run begin(String name, Path target, BackupMaker its, Call call) {
        synchronized (lock) {
            Run running = last;
            if (running != null && !running.made.isDone()) {
                if (running.name.equals(name)) {
                    return running;
                }
                throw new Refusal(Problem.busy("another backup is being made: " + running.name));
            }
            Run run = new Run(name);
            last = run;
            LOG.atInfo()
                    .addKeyValue("name", name)
                    .addKeyValue("caller", call.caller().name())
                    .log("a backup was begun");
            Thread thread = new Thread(() -> run(run, target, its), "seriatim-backup");
            thread.setDaemon(true);
            thread.start();
            return run;
        }
    }

    private static void run(Run run, Path target, BackupMaker its) {
        try {
            BackupMaker.Made made = its.make(target, Instant.now(), part -> run.part = part);
            LOG.atInfo()
                    .addKeyValue("name", run.name)
                    .addKeyValue("bytes", made.bytes())
                    .log("a backup was made");
            run.made.complete(made);
        } catch (FileAlreadyExistsException | IllegalArgumentException e) {
            LOG.atInfo()
                    .addKeyValue("name", run.name)
                    .addKeyValue("reason", Causes.of(e))
                    .log("a backup was refused");
            run.made.completeExceptionally(e); // the caller's mistake
        } catch (IOException | RuntimeException | Error e) {
            LOG.atError()
                    .addKeyValue("name", run.name)
                    .addKeyValue("reason", Causes.of(e))
                    .log("a backup could not be made");
            run.made.completeExceptionally(e);
        }
    }

    private static Refusal refusal(String name, @Nullable Throwable e) {
        if (e instanceof FileAlreadyExistsException) {
            return new Refusal(
                    Problem.alreadyExists("there is a backup of this name, or something in the place of one: " + name));
        }
        if (e instanceof IllegalArgumentException) {
            return new Refusal(Problem.badRequest(String.valueOf(e.getMessage())));
        }
        if (e instanceof StoreException trouble) {
            return new Refusal(Problem.of(trouble));
        }
        return new Refusal(
                Problem.unavailable("the backup could not be written; the server goes on, and its log says why"));
    }

    private Reply show(Call call) {
        Query.of(call);
        Run run = last;
        if (run == null) {
            throw new Refusal(Problem.notFound("no backup was made since the server was started"));
        }
        return reply(run);
    }

    private static Reply reply(Run run) {
        boolean failed = run.made.isCompletedExceptionally();
        Optional<BackupMaker.Made> made =
                run.made.isDone() && !failed ? Optional.of(run.made.join()) : Optional.empty();
        return Reply.json(200, Json.object(out -> {
            out.writeStringProperty("name", run.name);
            out.writeStringProperty("state", failed ? "failed" : made.isPresent() ? "done" : "running");
            out.writeNumberProperty("part", made.isPresent() ? 1.0 : run.part);
            made.ifPresent(facts -> write(out, facts));
        }));
    }

    static void write(JsonGenerator out, BackupMaker.Made made) {
        out.writeStringProperty("store", made.store());
        out.writeNumberProperty("incarnation", made.incarnation());
        out.writeStringProperty("taken", made.taken().toString());
        out.writeNumberProperty("written", made.written());
        out.writeNumberProperty("files", made.files());
        out.writeNumberProperty("bytes", made.bytes());
    }
}
