package io.seriatim.verification;

import io.seriatim.rocksdb.RocksDbStore;
import io.seriatim.rocksdb.RocksDbTransaction;
import io.seriatim.store.Transaction;
import io.seriatim.store.TransactionalStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** A folder; a crash leaves its files as they are, and the next life begins on a copy of them. */
public final class RocksDbWorld implements TransactionalWorld {

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

    private static void copy(Path from, Path to) {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                Path target = to.resolve(from.relativize(file).toString());
                if (Files.isDirectory(file)) {
                    Files.createDirectories(target);
                } else {
                    Files.copy(file, target);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
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
