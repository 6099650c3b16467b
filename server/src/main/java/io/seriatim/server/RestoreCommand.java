package io.seriatim.server;

import io.seriatim.Author;
import io.seriatim.ErrorCode;
import io.seriatim.SequenceException;
import io.seriatim.Sequences;
import io.seriatim.numbering.Restoration;
import io.seriatim.numbering.UsedNumbers;
import io.seriatim.rocksdb.Backup;
import io.seriatim.rocksdb.RocksDbStore;
import io.seriatim.server.Terminal.Form;
import io.seriatim.store.ApplicationRow;
import io.seriatim.store.EventLogStore;
import io.seriatim.store.PartitionKey;
import io.seriatim.store.StoreException;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.core.JsonGenerator;

/**
 * Makes a data folder of a backup, and moves every counter behind what may have been handed out since. The folder serves
 * nothing until the last counter has been moved, so it may be broken off anywhere and be run again.
 */
@Command(
        name = "restore",
        description = "Make a data folder of a backup, behind everything that may have been handed out since.",
        mixinStandardHelpOptions = true)
final class RestoreCommand implements Callable<Integer> {

    /** More counters are counted, not shown. */
    private static final int MOST_SHOWN = 10_000;

    private final Main main;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before the command runs
    private CommandSpec spec;

    @Parameters(paramLabel = "BACKUP", arity = "0..1", description = "The folder that backup has made.")
    private @Nullable Path from;

    @Option(
            names = "--in-place",
            description =
                    "The data folder is the copy: it was brought back by other means, or restored without a margin.")
    private boolean inPlace;

    @Option(
            names = "--margin",
            paramLabel = "N",
            description = "At most so many values of each counter were handed out since the copy was made.")
    private @Nullable Long margin;

    @Option(
            names = "--used",
            paramLabel = "FILE|-",
            description =
                    "Numbers that were really used, a line each: the name of a sequence, a blank, the number; or -.")
    private @Nullable String used;

    @Option(
            names = "--block",
            paramLabel = "N",
            description =
                    "With --used: so many values behind the last one may be out unused. Default: the largest block.")
    private @Nullable Long block;

    @Option(names = "--no-new-scopes", description = "No scope value was first used since the copy was made.")
    private boolean noNewScopes;

    @Option(
            names = "--since",
            paramLabel = "TIME",
            description = "With --in-place: when the copy was made, such as 2026-07-09T22:30:00Z.")
    private @Nullable String since;

    @Option(
            names = "--give-up-events",
            description = "Events that were appended since the copy was made are lost, and their offsets come again.")
    private boolean giveUpEvents;

    @Option(
            names = "--give-up-values",
            description =
                    "Transactional sequences go on where the copy has them: values that were drawn since come again.")
    private boolean giveUpValues;

    @Option(names = "--dry-run", description = "Say what would be done, and leave nothing behind.")
    private boolean dryRun;

    @Option(names = "--reason", description = "Why; audit trail and ledger keep it.")
    private @Nullable String reason;

    RestoreCommand(Main main) {
        this.main = main;
    }

    @Override
    public Integer call() {
        if (inPlace == (from != null)) {
            throw main.badUsage("restore takes a backup, or --in-place for a data folder that is a copy itself");
        }
        if (since != null && !inPlace) {
            throw main.badUsage("--since is for --in-place: a backup knows when it was made");
        }
        if (block != null && used == null) {
            throw main.badUsage("--block is for --used");
        }
        if (margin != null && margin < 0 || block != null && block < 0) {
            throw main.badUsage("--margin and --block must be at least 0");
        }
        Optional<Instant> copied = Optional.ofNullable(since).map(this::instant);
        Path folder = main.folderAlone("restore makes a data folder; bring a database back with its own tools, and see"
                        + " docs/operating.md for what that costs")
                .path();
        Terminal terminal = main.terminal();
        try (Progress progress = new Progress(spec.commandLine().getErr())) {
            return terminal.show(
                    from == null ? inPlace(folder, copied) : restored(from, folder, progress), Form.RESTORED);
        } catch (SequenceException e) {
            return terminal.show(Problem.of(e).reply(), Form.NOTHING);
        } catch (Refusal e) {
            return terminal.show(e.problem().reply(), Form.NOTHING);
        } catch (StoreException e) {
            return terminal.show(BackupCommands.refusal("", e).problem().reply(), Form.NOTHING);
        }
    }

    private Reply inPlace(Path folder, Optional<Instant> copied) {
        LocalFolder.requireStore(folder);
        if (dryRun) {
            try (RocksDbStore store = LocalFolder.openStore(folder, RocksDbStore::openToRead)) {
                return moved(store, store.copied().or(() -> copied));
            }
        }
        return moved(folder, copied);
    }

    private Instant instant(String text) {
        try {
            return Instant.parse(text);
        } catch (DateTimeException e) {
            throw main.badUsage("--since must be a time such as 2026-07-09T22:30:00Z: " + Integers.shown(text));
        }
    }

    private Reply restored(Path backup, Path folder, Progress progress) {
        try {
            Backup copy = Backup.read(backup);
            if (!dryRun) {
                copy.restoreTo(folder, part -> progress.show(part, "copied"));
                return moved(folder, Optional.empty());
            }
            requireNothingAt(folder);
            Path scratch = folder.resolveSibling(folder.getFileName() + ".dry-run");
            return copy.inScratch(
                    scratch, part -> progress.show(part, "copied"), store -> moved(store, store.copied()));
        } catch (IOException | IllegalArgumentException e) {
            throw BackupCommands.refusal("the backup cannot be restored: ", e);
        }
    }

    private static void requireNothingAt(Path folder) {
        if (Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
            throw new Refusal(Problem.alreadyExists(
                    "the backup cannot be restored: " + folder + ": there is something of this name already"));
        }
    }

    /** The folder serves nothing before this has come to its end. */
    private Reply moved(Path folder, Optional<Instant> copied) {
        try (RocksDbStore store = LocalFolder.openStore(folder, path -> RocksDbStore.openForRestore(path, copied))) {
            return moved(store, store.copied());
        }
    }

    private Reply moved(RocksDbStore store, Optional<Instant> copied) {
        try (Sequences sequences = Sequences.on(store)) { // closes the store too
            return moved(store, sequences, copied);
        }
    }

    private Reply moved(RocksDbStore store, Sequences sequences, Optional<Instant> copied) {
        List<Restoration.Step> steps = new ArrayList<>();
        long[] more = new long[1];
        UsedNumbers numbers = usedNumbers(sequences);
        Restoration.Rule rule = new Restoration.Rule(number(margin), number(block), noNewScopes, copied);
        Restoration restoration = new Restoration(sequences, rule, numbers, author(copied));
        List<Log> logs = logs(store.eventLog());
        requireGivenUp(logs, store.transactionalSequences());
        if (dryRun) {
            restoration.plan(step -> keep(step, steps, more));
        } else {
            restoration.run(step -> keep(step, steps, more));
            store.serve();
        }
        long incarnation = store.incarnation();
        return Reply.json(200, Json.object(out -> {
            out.writeBooleanProperty("dryRun", dryRun);
            out.writeNumberProperty("incarnation", incarnation);
            if (copied.isPresent()) {
                out.writeStringProperty("copied", copied.get().toString());
            } else {
                out.writeNullProperty("copied");
            }
            out.writeArrayPropertyStart("counters");
            steps.forEach(step -> write(out, step));
            out.writeEndArray();
            out.writeNumberProperty("moreCounters", more[0]);
            out.writeArrayPropertyStart("partitions");
            logs.forEach(log -> write(out, log));
            out.writeEndArray();
        }));
    }

    private UsedNumbers usedNumbers(Sequences sequences) {
        UsedNumbers numbers = new UsedNumbers(sequences);
        if (used != null) {
            read(main, "--used", used, numbers);
        }
        return numbers;
    }

    /** Reads lines of used numbers. */
    static void read(Main main, String option, String file, UsedNumbers numbers) {
        try (BufferedReader lines = main.reader(option, file)) {
            long number = 0;
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                numbers.add(line, ++number);
            }
        } catch (IOException e) {
            throw main.badUsage(
                    option + " must name a text file in UTF-8 that can be read, or be - for stdin: " + file);
        }
    }

    private static OptionalLong number(@Nullable Long given) {
        return given == null ? OptionalLong.empty() : OptionalLong.of(given);
    }

    private Author author(Optional<Instant> copied) {
        String who = Caller.atKeyboard(System.getProperty("user.name", "")).who();
        return Author.of(who)
                .because(
                        reason != null
                                ? reason
                                : "restored from a copy"
                                        + copied.map(at -> " of " + at).orElse("")
                                        + (margin == null ? "" : ", margin " + margin)
                                        + (used == null ? "" : ", with the numbers used since"));
    }

    private static void keep(Restoration.Step step, List<Restoration.Step> steps, long[] more) {
        if (steps.size() < MOST_SHOWN) {
            steps.add(step);
        } else {
            more[0]++;
        }
    }

    // ---- event logs

    private record Log(String name, PartitionKey key, long lastOffset, long epoch) {}

    private static List<Log> logs(EventLogStore events) {
        List<ApplicationRow> applications = events.applications();
        return events.partitions().stream()
                .map(key -> new Log(
                        applications.stream()
                                .filter(row -> row.id() == key.application())
                                .map(ApplicationRow::name)
                                .findFirst()
                                .orElse(Integer.toString(key.application())),
                        key,
                        events.partition(key).lastOffset().orElse(0),
                        events.partition(key).epoch()))
                .toList();
    }

    /** What comes again and has to be said, all of it at once. */
    private void requireGivenUp(List<Log> logs, long transactionalSequences) {
        Map<String, String> unsaid = new LinkedHashMap<>();
        if (!logs.isEmpty() && !giveUpEvents) {
            Log first = logs.get(0);
            unsaid.put(
                    "give-up-events",
                    "log " + first.name() + ", partition " + first.key().partition() + " ends at offset "
                            + first.lastOffset()
                            + " in the copy; events that were appended since are lost, and their offsets"
                            + " and ids come again under a higher epoch: say so with --give-up-events");
        }
        if (transactionalSequences > 0 && !giveUpValues) {
            unsaid.put(
                    "give-up-values",
                    transactionalSequences
                            + " transactional sequences stand in the copy as your rows beside them do; values"
                            + " that were drawn since, and are known outside of this folder, come again: say so with"
                            + " --give-up-values");
        }
        if (!unsaid.isEmpty() && !dryRun) {
            throw new Refusal(Problem.badOption(
                    ErrorCode.BAD_OPTION, String.join(", ", unsaid.keySet()), String.join("; ", unsaid.values())));
        }
    }

    // ---- the answer

    private static void write(JsonGenerator out, Restoration.Step step) {
        out.writeStartObject();
        out.writeStringProperty("sequence", step.sequence());
        Json.text(out, "scope", Optional.of(step.scope()).filter(text -> !text.isEmpty()));
        Json.text(out, "period", Optional.of(step.period()).filter(text -> !text.isEmpty()));
        write(out, "lastOfCopy", step.before());
        write(out, "lastValue", step.after());
        out.writeEndObject();
    }

    private static void write(JsonGenerator out, String name, OptionalLong value) {
        if (value.isPresent()) {
            out.writeStringProperty(name, Long.toString(value.getAsLong()));
        } else {
            out.writeNullProperty(name);
        }
    }

    private static void write(JsonGenerator out, Log log) {
        out.writeStartObject();
        out.writeStringProperty("log", log.name());
        out.writeNumberProperty("partition", log.key().partition());
        out.writeNumberProperty("lastOffset", log.lastOffset());
        out.writeNumberProperty("epoch", log.epoch());
        out.writeEndObject();
    }
}
