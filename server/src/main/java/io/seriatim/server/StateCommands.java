package io.seriatim.server;

import io.seriatim.postgresql.PostgresStore;
import io.seriatim.rocksdb.RocksDbStore;
import io.seriatim.server.Terminal.Form;
import io.seriatim.store.RowVisitor;
import io.seriatim.store.StateCopy;
import io.seriatim.store.StoreException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The commands that bring everything in a store to another one, of whatever kind. */
final class StateCommands {

    private StateCommands() {}

    static List<Object> all(Main main) {
        return List.of(new Export(main), new ImportState(main));
    }

    private static Reply reply(StateFile file) {
        return Reply.json(200, Json.object(out -> {
            out.writeStringProperty("file", file.path().toString());
            out.writeStringProperty("exported", file.exported().toString());
            out.writeBooleanProperty("final", file.last());
            StateRow.KINDS.forEach(kind -> {
                StateTally.Kind of = file.kinds().get(kind);
                if (of != null && of.count() > 0) {
                    out.writeNumberProperty(kind, of.count());
                }
            });
        }));
    }

    /** What somebody does with the store that is set. */
    private interface Work {
        Reply run() throws IOException;
    }

    private static int show(Main main, Work work) {
        Terminal terminal = main.terminal();
        try {
            return terminal.show(work.run(), Form.FIELDS);
        } catch (IOException e) {
            return terminal.show(refused(e), Form.NOTHING);
        } catch (UncheckedIOException e) {
            return terminal.show(refused(Objects.requireNonNull(e.getCause())), Form.NOTHING);
        } catch (StoreException e) {
            return terminal.show(problem(e).reply(), Form.NOTHING);
        } catch (Refusal e) {
            return terminal.show(e.problem().reply(), Form.NOTHING);
        } catch (IllegalArgumentException e) {
            return terminal.show(
                    Problem.badRequest("the store cannot hold it; nothing was done: " + e.getMessage())
                            .reply(),
                    Form.NOTHING);
        }
    }

    private static Reply refused(IOException e) {
        return LocalFolder.unusable("the file cannot be used: ", e).reply();
    }

    private static Problem problem(StoreException e) {
        String said = String.valueOf(e.getMessage());
        return switch (e.kind()) {
            case CORRUPT -> Problem.corrupt(said);
            case CONFLICT -> Problem.alreadyExists(said);
            case MOVED -> Problem.movedAway(said);
            case RESTORED -> Problem.restorePending(said);
            default -> Problem.unavailable(said);
        };
    }

    /** A move that leaves something behind is none. */
    private static void requireNothingElse(String where, List<String> others) {
        if (!others.isEmpty()) {
            throw new Refusal(
                    Problem.badRequest("the store has rows of your own, which would be left behind; nothing was done."
                            + " Move and delete them first: " + where + " " + String.join(", ", others)));
        }
    }

    @Command(
            name = "export",
            description = "Write every row of the store into a file, for import-state into another store.",
            mixinStandardHelpOptions = true)
    private static final class Export implements Callable<Integer> {

        private final Main main;

        @Parameters(paramLabel = "FILE", description = "The file to make.")
        @SuppressWarnings("NullAway.Init") // picocli sets it before the command runs
        private Path file;

        @Option(
                names = "--final",
                description = "First let the store hand out nothing any more, for good: only the other one will.")
        private boolean last;

        Export(Main main) {
            this.main = main;
        }

        @Override
        public Integer call() {
            LocalStore store = main.localStore("export");
            return show(main, () -> {
                requireOutside();
                return store instanceof LocalFolder folder
                        ? ofFolder(folder.path())
                        : ofDatabase((PostgresDatabase) store);
            });
        }

        /** A data folder has its store's own files, which are opened by their names, and is deleted when it was moved. */
        private void requireOutside() throws IOException {
            try {
                RocksDbStore.requireOutside(file);
            } catch (IllegalArgumentException e) {
                throw new Refusal(Problem.badRequest(e.getMessage() + "; nothing was done"));
            }
        }

        /*
         * Nobody can take back that a store was moved, so the file is begun before, and every row read once: a name that is
         * taken, and a damaged row, are found while the store still serves.
         */

        private Reply ofFolder(Path folder) throws IOException {
            LocalFolder.requireStore(folder);
            try (RocksDbStore store = LocalFolder.openStore(folder, RocksDbStore::openToRead)) {
                store.requireKnown(); // a copy of a copy would not know that it is one
                requireNothingElse("the families", store.otherRows());
                return reply(StateFile.write(file, Instant.now(), last, taker -> {
                    if (last) {
                        store.visit(new StateTally());
                        store.move();
                    }
                    store.visit(taker);
                }));
            }
        }

        private Reply ofDatabase(PostgresDatabase database) throws IOException {
            try (PostgresStore store = database.openToRead()) {
                requireNothingElse("the tables", store.otherRows());
                if (last) {
                    requireOwner(store.otherOwners());
                }
                return reply(StateFile.write(file, Instant.now(), last, taker -> {
                    if (last) {
                        store.show(new StateTally());
                        store.move();
                    }
                    store.show(taker);
                }));
            }
        }
    }

    private static void requireOwner(List<String> others) {
        if (!others.isEmpty()) {
            throw new Refusal(Problem.badRequest("--final takes the role that owns the tables, which is "
                    + String.join(" and ", others) + "; nothing was done"));
        }
    }

    @Command(
            name = "import-state",
            description = "Take every row of a file that export has made into a store that has none.",
            mixinStandardHelpOptions = true)
    private static final class ImportState implements Callable<Integer> {

        private final Main main;

        @Parameters(paramLabel = "FILE")
        @SuppressWarnings("NullAway.Init") // picocli sets it before the command runs
        private Path file;

        ImportState(Main main) {
            this.main = main;
        }

        @Override
        public Integer call() {
            LocalStore store = main.localStore("import-state");
            return show(main, () -> {
                StateFile state = StateFile.read(file);
                if (!state.last()) {
                    load(state, store);
                    return reply(state);
                }
                boolean isFirst = mark(state, store);
                try {
                    load(state, store);
                } catch (IOException | RuntimeException e) {
                    if (isFirst && !mayHaveHappened(e)) {
                        Files.deleteIfExists(imported(state));
                    }
                    throw e;
                }
                return reply(state);
            });
        }

        private static void load(StateFile state, LocalStore store) throws IOException {
            if (store instanceof LocalFolder folder) {
                Optional<Instant> copied = state.last() ? Optional.empty() : Optional.of(state.exported());
                RocksDbStore.load(folder.path(), copyOf(state), copied);
            } else {
                requireLast(state);
                try (PostgresStore database = ((PostgresDatabase) store).openToRead()) {
                    database.load(copyOf(state));
                }
            }
        }

        /** A commit without an answer. */
        private static boolean mayHaveHappened(Exception e) {
            return e instanceof StoreException store && store.kind() == StoreException.Kind.UNAVAILABLE;
        }

        /*
         * Two stores of one file would both hand out its numbers. Nothing in a file can tell how often it was copied, but
         * the honest mistake is to import the same one again: so a file beside it says that it was imported, and where to.
         * It is there before the first row is, so that neither a kill nor a commit without an answer leaves none; the import
         * may be done again into the same store, which takes nothing twice. It goes only where certainly nothing was taken.
         */

        private static Path imported(StateFile state) {
            return state.path().resolveSibling(state.path().getFileName() + ".imported");
        }

        /** Says beside the file where it goes, or refuses if it went elsewhere. Returns whether nobody had said so before. */
        private static boolean mark(StateFile state, LocalStore store) throws IOException {
            Path imported = imported(state);
            try {
                Files.writeString(imported, store + "\n", StandardOpenOption.CREATE_NEW, StandardOpenOption.SYNC);
                return true;
            } catch (FileAlreadyExistsException e) {
                String where = Files.readString(imported).strip();
                if (!where.equals(String.valueOf(store))) {
                    throw new Refusal(Problem.alreadyExists("the file " + state.path() + " was imported already, into "
                            + where
                            + "; two stores of one file hand out the same numbers. If that one is no more and has"
                            + " handed out nothing, delete " + imported));
                }
                return false;
            }
        }

        /** Of a store that may go on a folder can wait until somebody has said how far it went; a database cannot. */
        private static void requireLast(StateFile state) {
            if (!state.last()) {
                throw new Refusal(Problem.badRequest("the store that " + state.path()
                        + " is of may have handed out more since: export it with --final, or import it into a folder and"
                        + " restore that with a margin first"));
            }
        }
    }

    /** The rows of a file; in the other store they must be the same, by count and digest of each kind. */
    private static StateCopy copyOf(StateFile state) {
        return new StateCopy() {
            @Override
            public void showTo(RowVisitor taker) {
                state.showTo(taker);
            }

            @Override
            public void check(Consumer<RowVisitor> rows) {
                StateTally tally = new StateTally();
                rows.accept(tally);
                Map<String, StateTally.Kind> found = tally.kinds();
                StateFile.difference(state.kinds(), found).ifPresent(difference -> {
                    throw new StoreException(
                            StoreException.Kind.CORRUPT,
                            "the rows in the store are not those of the file, and were taken out again: " + difference);
                });
            }
        };
    }
}
