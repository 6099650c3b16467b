package io.seriatim.verification;

import static java.util.concurrent.TimeUnit.SECONDS;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Runs a part in several threads that begin together. */
final class Together {

    /** How long to wait; {@code -Dseriatim.patienceSeconds=N} is for long runs. */
    static final long PATIENCE_SECONDS = Long.getLong("seriatim.patienceSeconds", 120);

    private Together() {}

    /** What one of several threads does. */
    interface Part {
        void run(int thread) throws Exception;
    }

    /** Runs the part in that many threads, begun together; fails with what any of them threw. */
    static void run(int threads, Part part) throws Exception {
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try {
            CyclicBarrier start = new CyclicBarrier(threads);
            List<Callable<Void>> parts = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                int thread = i;
                parts.add(() -> {
                    start.await(PATIENCE_SECONDS, SECONDS);
                    part.run(thread);
                    return null;
                });
            }
            for (Future<Void> future : executor.invokeAll(parts, PATIENCE_SECONDS, SECONDS)) {
                future.get();
            }
        } finally {
            executor.shutdownNow();
        }
    }
}
