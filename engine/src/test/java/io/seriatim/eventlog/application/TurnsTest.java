package io.seriatim.eventlog.application;

import static org.assertj.core.api.Assertions.assertThat;

import io.seriatim.Environment;
import io.seriatim.TestEnvironment;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Turns where there is no thread for them, and turns that break off: another one comes, whatever it was. */
final class TurnsTest {

    private static final Duration RETRY = Duration.ofMillis(500);

    /** Has no thread left while a test wants that. */
    private static final class Crowded implements Environment {

        final TestEnvironment usual = new TestEnvironment();
        Optional<Class<? extends Throwable>> refusal = Optional.empty();

        @Override
        public Executor executor() {
            return task -> {
                if (refusal.isPresent() && refusal.get() == OutOfMemoryError.class) {
                    throw new OutOfMemoryError("unable to create native thread");
                } else if (refusal.isPresent()) {
                    throw new RejectedExecutionException("the queue is full");
                }
                usual.executor().execute(task);
            };
        }

        @Override
        public Instant now() {
            return usual.now();
        }

        @Override
        public long nanoTime() {
            return usual.nanoTime();
        }

        @Override
        public long random() {
            return usual.random();
        }

        @Override
        public void after(Duration delay, Runnable task) {
            usual.after(delay, task);
        }
    }

    /** Writes down what is asked of it. */
    private static final class Written implements Turns.Work {

        final List<String> calls = new ArrayList<>();
        Runnable inTurn = () -> {};
        Runnable inBroken = () -> {};

        @Override
        public boolean turn() {
            calls.add("turn");
            inTurn.run();
            return false;
        }

        @Override
        public void broken(Throwable thrown) {
            calls.add("broken");
            inBroken.run();
        }

        @Override
        public void noThread(Throwable none) {
            calls.add("none");
            inTurn.run();
        }
    }

    private final Crowded environment = new Crowded();
    private final Written work = new Written();
    private final Turns turns = new Turns(environment, RETRY, work);

    /** The error once left the count of calls as it was: the partition never had a turn again. */
    @ParameterizedTest
    @ValueSource(classes = {RejectedExecutionException.class, OutOfMemoryError.class})
    void wake_noThread_isToldAndATurnComesLater(Class<? extends Throwable> refusal) {
        environment.refusal = Optional.of(refusal);
        turns.wake();
        turns.wake();
        assertThat(work.calls).containsExactly("none", "none");
        environment.refusal = Optional.empty();
        environment.usual.pass(RETRY);
        assertThat(work.calls).containsExactly("none", "none", "turn");
        turns.wake();
        assertThat(work.calls).endsWith("turn", "turn");
    }

    @Test
    void wake_whileItIsToldThatThereIsNoThread_isToldToo() {
        environment.refusal = Optional.of(OutOfMemoryError.class);
        work.inTurn = () -> {
            work.inTurn = () -> {};
            turns.wake();
        };
        turns.wake();
        assertThat(work.calls).containsExactly("none", "none");
    }

    @Test
    void turn_thatBreaksOff_isToldAndAnotherOneComes() {
        work.inTurn = () -> {
            work.inTurn = () -> {};
            throw new IllegalStateException("the test wants it");
        };
        turns.wake();
        assertThat(work.calls).containsExactly("turn", "broken");
        environment.usual.pass(RETRY);
        assertThat(work.calls).containsExactly("turn", "broken", "turn");
    }

    /** Out of memory twice in a row, and the partition never had a turn again. */
    @Test
    void turn_thatBreaksOffAndTellingThatDoesToo_isFollowedByAnother() {
        work.inTurn = () -> {
            work.inTurn = () -> {};
            throw new OutOfMemoryError("the test wants it");
        };
        work.inBroken = () -> {
            work.inBroken = () -> {};
            throw new OutOfMemoryError("the test wants it again");
        };
        turns.wake();
        environment.usual.pass(RETRY);
        assertThat(work.calls).containsExactly("turn", "broken", "turn");
        turns.wake();
        assertThat(work.calls).endsWith("turn", "turn");
    }

    @Test
    void wake_inATurn_isAnotherTurn() {
        work.inTurn = () -> {
            work.inTurn = () -> {};
            turns.wake();
        };
        turns.wake();
        assertThat(work.calls).containsExactly("turn", "turn");
    }
}
