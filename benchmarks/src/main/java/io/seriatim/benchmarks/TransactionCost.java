package io.seriatim.benchmarks;

import io.seriatim.SequenceDefinition;
import io.seriatim.postgresql.PostgresSettings;
import io.seriatim.postgresql.PostgresStore;
import io.seriatim.postgresql.PostgresTransaction;
import io.seriatim.rocksdb.RocksDbStore;
import io.seriatim.rocksdb.RocksDbTransaction;
import io.seriatim.rocksdb.RocksDbTransactions;
import io.seriatim.rocksdb.RowFamily;
import io.seriatim.transaction.SequenceGenerator;
import io.seriatim.transaction.TransactionalSequences;
import io.seriatim.verification.PostgresServer;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What a transactional sequence costs: a transaction that writes a row of 100 bytes and commits, with its number drawn from a
 * generator and registered, beside the same transaction whose number comes from an {@code AtomicLong}. The two take turns,
 * half a second each, so that the disk is the same for both.
 *
 * <p>Arguments: rounds (default 3), seconds a round for each of the two (default 5), a folder on a disk.
 */
final class TransactionCost {

    private static final int ROW_BYTES = 100;
    private static final double TURN_SECONDS = 0.5;

    private TransactionCost() {}

    /** One thread's transactions. */
    private interface Work extends AutoCloseable {
        /** @param drawn whether the number is drawn from the sequence */
        void transaction(boolean drawn) throws SQLException;

        @Override
        void close() throws SQLException;
    }

    private interface Opening {
        Work open() throws Exception;
    }

    public static void main(String[] arguments) throws Exception {
        int rounds = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 3;
        double seconds = arguments.length > 1 ? Double.parseDouble(arguments[1]) : 5;
        Path folder = Path.of(arguments.length > 2 ? arguments[2] : "transaction-cost-data");
        System.out.println("| store | threads | with a sequence, transactions/s | without | time with / without |");
        System.out.println("|---|---|---|---|---|");
        for (int threads : new int[] {1, 8}) {
            rocksDb(folder.resolve("threads" + threads), threads, rounds, seconds);
        }
        try (PostgresServer server = PostgresServer.start()) {
            for (int threads : new int[] {1, 8}) {
                postgres(server, threads, rounds, seconds);
            }
        }
    }

    private static void rocksDb(Path folder, int threads, int rounds, double seconds) throws Exception {
        try (RocksDbStore store = RocksDbStore.openForTransactions(folder)) {
            RocksDbTransactions transactions = store.transactions();
            TransactionalSequences sequences = TransactionalSequences.on(transactions);
            SequenceGenerator generator = sequences.generator(sequences.create(), SequenceDefinition.ascending());
            RowFamily rows = transactions.family("rows");
            AtomicLong plain = new AtomicLong(1L << 40);
            measure("RocksDB", threads, rounds, seconds, () -> new Work() {
                @Override
                public void transaction(boolean drawn) {
                    try (RocksDbTransaction transaction = transactions.begin()) {
                        long number = drawn ? generator.next(transaction) : plain.incrementAndGet();
                        transaction.put(
                                rows,
                                ByteBuffer.allocate(Long.BYTES).putLong(number).array(),
                                new byte[ROW_BYTES]);
                        transaction.commit();
                    }
                }

                @Override
                public void close() {}
            });
        }
    }

    private static void postgres(PostgresServer server, int threads, int rounds, double seconds) throws Exception {
        PostgresSettings settings = server.newSchema();
        try (PostgresStore store = PostgresStore.open(settings)) {
            server.run("CREATE TABLE " + settings.schema() + ".row (number bigint PRIMARY KEY, content bytea)");
            TransactionalSequences sequences = TransactionalSequences.on(store.transactions());
            SequenceGenerator generator = sequences.generator(sequences.create(), SequenceDefinition.ascending());
            AtomicLong plain = new AtomicLong(1L << 40);
            String insert = "INSERT INTO " + settings.schema() + ".row VALUES (?, ?)";
            measure("PostgreSQL", threads, rounds, seconds, () -> {
                Connection connection =
                        DriverManager.getConnection(settings.url(), settings.user(), settings.password());
                connection.setAutoCommit(false);
                PostgresTransaction transaction = store.transactions().on(connection);
                return new Work() {
                    @Override
                    public void transaction(boolean drawn) throws SQLException {
                        long number = drawn ? generator.next(transaction) : plain.incrementAndGet();
                        try (PreparedStatement statement = connection.prepareStatement(insert)) {
                            statement.setLong(1, number);
                            statement.setBytes(2, new byte[ROW_BYTES]);
                            statement.executeUpdate();
                        }
                        connection.commit();
                    }

                    @Override
                    public void close() throws SQLException {
                        connection.close();
                    }
                };
            });
        }
    }

    private static void measure(String store, int threads, int rounds, double seconds, Opening opening)
            throws Exception {
        List<Work> works = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            works.add(opening.open());
        }
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try {
            for (boolean drawn : new boolean[] {true, false}) {
                double unused = rate(executor, works, drawn, 2 * TURN_SECONDS); // warms up
            }
            List<double[]> results = new ArrayList<>();
            for (int round = 0; round < rounds; round++) {
                int turns = (int) Math.max(1, Math.round(seconds / TURN_SECONDS));
                double with = 0;
                double without = 0;
                for (int turn = 0; turn < turns; turn++) {
                    with += rate(executor, works, true, TURN_SECONDS) / turns;
                    without += rate(executor, works, false, TURN_SECONDS) / turns;
                }
                results.add(new double[] {without / with, with, without});
            }
            results.sort((one, other) -> Double.compare(one[0], other[0]));
            double[] median = results.get(results.size() / 2);
            System.out.printf(
                    Locale.ROOT,
                    "| %s | %d | %,.0f | %,.0f | %.2f |%n",
                    store,
                    threads,
                    median[1],
                    median[2],
                    median[0]);
        } finally {
            executor.shutdownNow();
            for (Work work : works) {
                work.close();
            }
        }
    }

    /** Transactions a second, over all threads. */
    private static double rate(ExecutorService executor, List<Work> works, boolean drawn, double seconds)
            throws Exception {
        long begin = System.nanoTime();
        long end = begin + (long) (seconds * 1e9);
        List<Future<Long>> counts = new ArrayList<>();
        for (Work work : works) {
            counts.add(executor.submit(() -> {
                long count = 0;
                while (System.nanoTime() < end) {
                    work.transaction(drawn);
                    count++;
                }
                return count;
            }));
        }
        long sum = 0;
        for (Future<Long> count : counts) {
            sum += count.get();
        }
        return sum / ((System.nanoTime() - begin) / 1e9);
    }
}
