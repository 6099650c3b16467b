package io.seriatim.benchmarks;

import io.seriatim.Sequence;
import io.seriatim.SequenceDefinition;
import io.seriatim.Sequences;
import io.seriatim.postgresql.PostgresStore;
import io.seriatim.verification.PostgresServer;
import java.io.PrintStream;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Values that 8 threads take from a {@code fast} sequence on PostgreSQL, beside {@code SELECT nextval} over JDBC on
 * the same server: a PostgreSQL sequence with {@code CACHE 1}, a connection and a prepared statement for each thread.
 *
 * <p>Arguments: rounds (default 3), seconds a run (default 5).
 */
final class PostgresNext {

    private static final int THREADS = 8;
    /** Values between two looks at the clock: reading it costs as much as one of our values. */
    private static final int STRIDE = 1_024;

    private PostgresNext() {}

    /** What a thread takes its values from. */
    private interface Source {
        long next() throws SQLException;
    }

    public static void main(String[] arguments) throws Exception {
        int rounds = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 3;
        Duration time = Duration.ofSeconds(arguments.length > 1 ? Integer.parseInt(arguments[1]) : 5);
        PrintStream out = System.out;
        try (PostgresServer server = PostgresServer.start()) {
            server.run("CREATE SEQUENCE plain CACHE 1");
            out.println("| round | threads | fast next() values/s | SELECT nextval values/s | ratio |");
            out.println("|---|---|---|---|---|");
            for (int round = 1; round <= rounds; round++) {
                double plain = nextval(server, time);
                double ours = ours(server, time);
                out.printf(
                        Locale.ROOT,
                        "| %d | %d | %,.0f | %,.0f | %,.0f |%n",
                        round,
                        THREADS,
                        ours,
                        plain,
                        ours / plain);
                out.flush();
            }
        }
    }

    private static double ours(PostgresServer server, Duration time) throws Exception {
        try (Sequences sequences = Sequences.on(PostgresStore.open(server.newSchema()))) {
            Sequence sequence = sequences.create(Contender.NAME, SequenceDefinition.ascending());
            return rate(time, STRIDE, take -> take.run(sequence::next));
        }
    }

    private static double nextval(PostgresServer server, Duration time) throws Exception {
        return rate(time, 1, take -> {
            try (Connection connection = server.connect();
                    PreparedStatement statement = connection.prepareStatement("SELECT nextval('plain')")) {
                take.run(() -> nextval(statement));
            }
        });
    }

    private static long nextval(PreparedStatement statement) throws SQLException {
        try (ResultSet row = statement.executeQuery()) {
            row.next();
            return row.getLong(1);
        }
    }

    /** What each thread does: opens its source, hands it to the run, closes it. */
    private interface Taker {
        void with(Run run) throws SQLException;
    }

    /** Values a second, over all threads; each has as long as its own source lasts. */
    private static double rate(Duration time, int stride, Taker taker) throws InterruptedException {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            List<Run> runs = new ArrayList<>();
            List<Future<?>> ends = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                Run run = new Run(time, stride);
                runs.add(run);
                ends.add(threads.submit(() -> {
                    taker.with(run);
                    return null;
                }));
            }
            for (Future<?> end : ends) {
                end.get();
            }
            return runs.stream().mapToDouble(run -> run.rate).sum();
        } catch (ExecutionException e) {
            throw new IllegalStateException("a thread got no values", e.getCause());
        } finally {
            threads.shutdownNow();
        }
    }

    /** One thread's run; the first third warms up and does not count. */
    private static final class Run {
        private final Duration time;
        private final int stride;
        /** Values a second; written by the thread, read after its end. */
        private double rate;

        Run(Duration time, int stride) {
            this.time = time;
            this.stride = stride;
        }

        void run(Source source) throws SQLException {
            take(source, System.nanoTime() + time.toNanos() / 3);
            long begin = System.nanoTime();
            long count = take(source, begin + time.toNanos() * 2 / 3);
            rate = count / ((System.nanoTime() - begin) / 1e9);
        }

        /** Throws where a value is not greater than the one before, which also keeps the calls from being dropped. */
        private long take(Source source, long untilNanos) throws SQLException {
            long count = 0;
            long last = 0;
            while (System.nanoTime() < untilNanos) {
                for (int i = 0; i < stride; i++) {
                    long value = source.next();
                    if (value <= last) {
                        throw new IllegalStateException("values must rise: last=" + last + " value=" + value);
                    }
                    last = value;
                }
                count += stride;
            }
            return count;
        }
    }
}
