package io.seriatim.benchmarks;

import io.seriatim.eventlog.application.TrustLevel;
import io.seriatim.postgresql.PostgresStore;
import io.seriatim.verification.PostgresServer;
import java.io.PrintStream;
import java.sql.Connection;
import java.sql.PreparedStatement;
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
 * Commands a second of one partition on PostgreSQL, each with a record and answered when it is durable and applied, with 1
 * and 16 callers of which each has one command under way; beside a plain INSERT with its commit over JDBC on the same
 * server, a connection and a prepared statement for each caller.
 *
 * <p>Arguments: rounds (default 3), seconds a run (default 5).
 */
final class PostgresCommands {

    private static final int[] CALLERS = {1, 16};
    /** About as long as the body of an event of {@link CommandLoad}. */
    private static final byte[] BODY = new byte[120];

    private PostgresCommands() {}

    public static void main(String[] arguments) throws Exception {
        int rounds = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 3;
        Duration time = Duration.ofSeconds(arguments.length > 1 ? Integer.parseInt(arguments[1]) : 5);
        PrintStream out = System.out;
        try (PostgresServer server = PostgresServer.start()) {
            server.run("CREATE TABLE plain (caller integer, number bigint, body bytea, PRIMARY KEY (caller, number))");
            out.println("| round | callers | what | a second | of a plain INSERT |");
            out.println("|---|---|---|---|---|");
            for (int round = 1; round <= rounds; round++) {
                for (int callers : CALLERS) {
                    server.run("TRUNCATE plain");
                    double plain = plain(server, callers, time);
                    line(out, round, callers, "INSERT, commit", plain, plain);
                    for (TrustLevel level : TrustLevel.values()) {
                        try (PostgresStore store = PostgresStore.open(server.newSchema())) {
                            double rate = CommandLoad.rate(store.eventLog(), level, callers, time);
                            line(out, round, callers, "command, " + level, rate, plain);
                        }
                    }
                }
            }
        }
    }

    private static void line(PrintStream out, int round, int callers, String what, double rate, double plain) {
        out.printf(Locale.ROOT, "| %d | %d | %s | %,.0f | %.2f |%n", round, callers, what, rate, rate / plain);
        out.flush();
    }

    private static double plain(PostgresServer server, int callers, Duration time) throws InterruptedException {
        ExecutorService threads = Executors.newFixedThreadPool(callers);
        try {
            List<Future<Double>> rates = new ArrayList<>();
            for (int i = 0; i < callers; i++) {
                int caller = i;
                rates.add(threads.submit(() -> plainRate(server, caller, time)));
            }
            double sum = 0;
            for (Future<Double> rate : rates) {
                sum += rate.get();
            }
            return sum;
        } catch (ExecutionException e) {
            throw new IllegalStateException("an INSERT failed", e.getCause());
        } finally {
            threads.shutdownNow();
        }
    }

    /** The first third warms up and does not count. */
    private static double plainRate(PostgresServer server, int caller, Duration time) throws SQLException {
        try (Connection connection = server.connect();
                PreparedStatement statement = connection.prepareStatement("INSERT INTO plain VALUES (?, ?, ?)")) {
            long begin = System.nanoTime();
            long warm = begin + time.toNanos() / 3;
            long end = begin + time.toNanos();
            long counted = 0;
            long first = 0;
            for (long number = 1; ; number++) {
                statement.setInt(1, caller);
                statement.setLong(2, number);
                statement.setBytes(3, BODY);
                statement.executeUpdate();
                long now = System.nanoTime();
                if (now >= end) {
                    return counted / ((now - first) / 1e9);
                }
                if (now >= warm) {
                    first = first == 0 ? now : first;
                    counted++;
                }
            }
        }
    }
}
