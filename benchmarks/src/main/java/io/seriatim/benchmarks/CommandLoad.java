package io.seriatim.benchmarks;

import io.seriatim.SystemEnvironment;
import io.seriatim.eventlog.application.Appended;
import io.seriatim.eventlog.application.Application;
import io.seriatim.eventlog.application.ApplicationDefinition;
import io.seriatim.eventlog.application.ApplicationSettings;
import io.seriatim.eventlog.application.Applications;
import io.seriatim.eventlog.application.Command;
import io.seriatim.eventlog.application.NewRecord;
import io.seriatim.eventlog.application.RecordKind;
import io.seriatim.eventlog.application.TrustLevel;
import io.seriatim.store.EventLogStore;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Callers that have one command under way each, on one partition of a new store. */
final class CommandLoad {

    private static final int WORKSPACES = 16;
    private static final String KIND = "shop";
    private static final ApplicationDefinition SHOP = ApplicationDefinition.ofPartitions(1)
            .kind(KIND, ApplicationDefinition.RECORD_ID, 200_001)
            .type("order", RecordKind.WDOC);

    private CommandLoad() {}

    /** Commands a second; the first third of the time warms up and does not count. */
    static double rate(EventLogStore store, TrustLevel level, int callers, Duration time) throws InterruptedException {
        ApplicationSettings settings = ApplicationSettings.usual().withTrustLevel(level);
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try (SystemEnvironment environment = new SystemEnvironment();
                Applications applications = Applications.on(store, settings, environment)) {
            Application shop = applications.deploy("shop", SHOP).application();
            Appended unused = shop.append(command(0), Duration.ofSeconds(10));
            Callers all = new Callers(shop, threads, callers, time);
            for (int i = 0; i < callers; i++) {
                all.call(i);
            }
            return all.rate();
        } finally {
            threads.shutdown();
        }
    }

    private static Command command(int caller) {
        return Command.in(KIND, caller % WORKSPACES)
                .create(NewRecord.of("order", 1).with("customer", "Ada").with("total", 1234L));
    }

    /** Callers that have one command under way each, and send the next when it is answered. */
    private static final class Callers {

        private final Application shop;
        private final ExecutorService threads;
        private final CountDownLatch done;
        private final long warm;
        private final long end;
        private final LongAdder count = new LongAdder();
        private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

        Callers(Application shop, ExecutorService threads, int callers, Duration time) {
            this.shop = shop;
            this.threads = threads;
            done = new CountDownLatch(callers);
            long begin = System.nanoTime();
            warm = begin + time.toNanos() / 3;
            end = begin + time.toNanos();
        }

        void call(int caller) {
            var unused = shop.submit(command(caller))
                    .whenCompleteAsync(
                            (appended, thrown) -> {
                                long now = System.nanoTime();
                                if (thrown != null) {
                                    failure.set(thrown);
                                }
                                if (thrown != null || now >= end) {
                                    done.countDown();
                                    return;
                                }
                                if (now >= warm) {
                                    count.increment();
                                }
                                call(caller);
                            },
                            threads);
        }

        double rate() throws InterruptedException {
            done.await();
            if (failure.get() != null) {
                throw new IllegalStateException("a command failed", failure.get());
            }
            return count.sum() / ((end - warm) / 1e9);
        }
    }
}
