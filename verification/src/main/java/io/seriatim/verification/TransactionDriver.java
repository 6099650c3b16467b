package io.seriatim.verification;

import io.seriatim.SequenceDefinition;
import io.seriatim.rocksdb.RocksDbStore;
import io.seriatim.rocksdb.RocksDbTransaction;
import io.seriatim.rocksdb.RocksDbTransactions;
import io.seriatim.rocksdb.RowFamily;
import io.seriatim.store.VersionedValue;
import io.seriatim.transaction.CatalogueEntry;
import io.seriatim.transaction.SequenceCatalogue;
import io.seriatim.transaction.SequenceGenerator;
import io.seriatim.transaction.TransactionalSequences;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Eight threads draw from three sequences of a folder, use each value in a row, and commit, until they are killed; every
 * fourth transaction is given up. Prints {@code opened} with what {@code get} says of each sequence at the start, then a line
 * for each transaction whose commit has returned, and {@code double} for a value whose row is there already.
 */
public final class TransactionDriver {

    static final String OPENED = "opened";
    static final String COMMITTED = "committed";
    static final String DOUBLE = "double";
    static final int SEQUENCES = 3;
    static final String FAMILY = "used";

    private static final int THREADS = 8;

    private final RocksDbTransactions store;
    private final RowFamily used;
    private final List<SequenceGenerator> generators;

    private TransactionDriver(RocksDbTransactions store, RowFamily used, List<SequenceGenerator> generators) {
        this.store = store;
        this.used = used;
        this.generators = generators;
    }

    /** Ends by being killed, or with whoever started it. The arguments: a folder and a seed. */
    public static void main(String[] arguments) throws IOException {
        RocksDbTransactions store =
                RocksDbStore.openForTransactions(Path.of(arguments[0])).transactions();
        TransactionalSequences sequences = TransactionalSequences.on(store);
        SequenceCatalogue catalogue = SequenceCatalogue.on(sequences);
        List<SequenceGenerator> generators = new ArrayList<>();
        StringBuilder opened = new StringBuilder(OPENED);
        for (int i = 0; i < SEQUENCES; i++) {
            SequenceGenerator generator = catalogue.generator(found(store, catalogue, name(i)));
            opened.append(' ').append(sequences.get(generator.id()).version());
            generators.add(generator);
        }
        say(opened.toString());
        TransactionDriver driver = new TransactionDriver(store, store.family(FAMILY), generators);
        SplittableRandom random = new SplittableRandom(Long.parseLong(arguments[1]));
        for (int thread = 0; thread < THREADS; thread++) {
            SplittableRandom own = random.split();
            new Thread(() -> driver.run(own), "transaction-driver-" + thread).start();
        }
        while (System.in.read() >= 0) {}
        Runtime.getRuntime().halt(1);
    }

    static String name(int sequence) {
        return "sequence " + sequence;
    }

    private static CatalogueEntry found(RocksDbTransactions store, SequenceCatalogue catalogue, String name) {
        try (RocksDbTransaction transaction = store.begin()) {
            var there = catalogue.find(transaction, name);
            if (there.isPresent()) {
                return there.get();
            }
            var made = catalogue.define(transaction, name, SequenceDefinition.ascending());
            transaction.commit();
            return made;
        }
    }

    private void run(SplittableRandom random) {
        try {
            while (true) {
                step(random.nextInt(SEQUENCES), random.nextInt(4) == 0);
            }
        } catch (RuntimeException | Error e) {
            e.printStackTrace(System.err);
            Runtime.getRuntime().halt(1);
        }
    }

    private void step(int sequence, boolean givenUp) {
        try (RocksDbTransaction transaction = store.begin()) {
            SequenceGenerator generator = generators.get(sequence);
            long value = generator.next();
            VersionedValue pair = generator.register(transaction);
            byte[] key = key(sequence, value);
            if (transaction.get(used, key).isPresent()) {
                say(DOUBLE + " " + sequence + " " + value);
            }
            transaction.put(used, key, new byte[] {1});
            if (!givenUp) {
                transaction.commit();
                say(COMMITTED + " " + sequence + " " + value + " " + pair.version());
            }
        }
    }

    static byte[] key(int sequence, long value) {
        return ByteBuffer.allocate(Integer.BYTES + Long.BYTES)
                .putInt(sequence)
                .putLong(value)
                .array();
    }

    private static void say(String line) {
        synchronized (System.out) {
            System.out.println(line);
        }
    }
}
