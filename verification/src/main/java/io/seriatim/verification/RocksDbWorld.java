package io.seriatim.verification;

import io.seriatim.rocksdb.RocksDbStore;
import io.seriatim.rocksdb.RocksDbTransaction;
import io.seriatim.store.Transaction;
import io.seriatim.store.TransactionalStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** A folder; a crash leaves its files as they are, and the next life begins on a copy of them. */
public final class RocksDbWorld implements TransactionalWorld {

    private static final int ATTEMPTS = 1_000;

    private final Path parent;
    private int life = 1;
    private RocksDbStore opened;

    /** @param parent an empty folder */
    public RocksDbWorld(Path parent) {
        this.parent = parent;
        this.opened = RocksDbStore.openForTransactions(folder());
    }

    private Path folder() {
        return parent.resolve("life" + life);
    }

    /** What is open in this life. */
    public RocksDbStore opened() {
        return opened;
    }

    @Override
    public TransactionalStore store() {
        return opened.transactions();
    }

    @Override
    public UserTransaction begin() {
        return new OfFolder(opened.transactions().begin());
    }

    @Override
    public void crash() {
        Path before = folder();
        life++;
        copy(before, folder());
        opened.close();
        opened = RocksDbStore.openForTransactions(folder());
    }

    /** The files as they are at one moment: begins anew where RocksDB changes them meanwhile, in the background. */
    private static void copy(Path from, Path to) {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            try {
                List<String> before = files(from);
                for (String left : Files.exists(to) ? files(to) : List.<String>of()) {
                    Files.delete(to.resolve(left));
                }
                for (String file : before) {
                    Path target = to.resolve(file);
                    Files.createDirectories(Objects.requireNonNull(target.getParent()));
                    Files.copy(from.resolve(file), target, StandardCopyOption.REPLACE_EXISTING);
                }
                if (files(from).equals(before) && files(to).equals(before)) {
                    return;
                }
            } catch (NoSuchFileException | UncheckedIOException e) {
                // gone since it was listed, which is looked at again
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        throw new IllegalStateException("the files of " + from + " do not come to rest");
    }

    private static List<String> files(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile)
                    .map(file -> folder.relativize(file).toString())
                    .sorted()
                    .toList();
        }
    }

    @Override
    public void close() {
        opened.close();
    }

    private record OfFolder(RocksDbTransaction transaction) implements UserTransaction {

        @Override
        public Transaction handle() {
            return transaction;
        }

        @Override
        public void commit() {
            transaction.commit();
        }

        @Override
        public void setSavepoint() {
            transaction.setSavepoint();
        }

        @Override
        public void rollbackToSavepoint() {
            transaction.rollbackToSavepoint();
        }

        @Override
        public void close() {
            transaction.close();
        }
    }
}
