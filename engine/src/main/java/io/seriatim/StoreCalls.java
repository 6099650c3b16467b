package io.seriatim;

import io.seriatim.store.StoreException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Calls the store on a thread of the environment, so that no caller waits longer than the bound. */
final class StoreCalls {

    private final Environment environment;
    private final long maxWaitNanos;

    StoreCalls(Environment environment, Duration maxWait) {
        this.environment = environment;
        this.maxWaitNanos = maxWait.toNanos();
    }

    /** A call that changes nothing: late is BUSY. */
    <T> T read(Supplier<T> call) {
        return within(ErrorCode.BUSY, "the store has not answered in time", call);
    }

    /** A call that changes something: late is OUTCOME_UNKNOWN. */
    <T> T write(String what, Supplier<T> call) {
        return within(ErrorCode.OUTCOME_UNKNOWN, "the store has not answered in time to the " + what, call);
    }

    private <T> T within(ErrorCode whenLate, String message, Supplier<T> call) {
        FutureTask<T> task = new FutureTask<>(call::get);
        try {
            environment.executor().execute(task);
            return task.get(maxWaitNanos, TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            throw new StoreUnavailableException(ErrorCode.BUSY, "too many calls wait for the store", e);
        } catch (TimeoutException e) {
            throw new StoreUnavailableException(whenLate, message, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreUnavailableException(whenLate, "interrupted while waiting for the store", e);
        } catch (ExecutionException e) {
            throw said(e.getCause());
        }
    }

    private static RuntimeException said(@Nullable Throwable cause) {
        if (cause instanceof SequenceException expected) {
            return expected.again();
        }
        if (cause instanceof StoreException trouble) {
            return StoreTrouble.of(trouble);
        }
        if (cause instanceof Error error) {
            throw error;
        }
        return new IllegalStateException("a call to the store failed unexpectedly", cause);
    }
}
