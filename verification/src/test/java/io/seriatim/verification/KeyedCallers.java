package io.seriatim.verification;

import static org.assertj.core.api.Assertions.assertThat;

import io.seriatim.ErrorCode;
import io.seriatim.eventlog.EventLogException;
import io.seriatim.eventlog.application.Appended;
import io.seriatim.eventlog.application.Application;
import io.seriatim.eventlog.application.Command;
import io.seriatim.eventlog.application.Event;
import io.seriatim.eventlog.application.NewRecord;
import io.seriatim.eventlog.application.Partition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Sends commands, each with a key and until it has its answer, whatever happens in between. So at the end each command is
 * one event: none lost, none twice.
 */
final class KeyedCallers {

    private static final int CALLERS = 4;
    private static final Duration WAIT = Duration.ofMillis(300);
    private static final long PATIENCE_SECONDS = 90;
    /** More than anybody waits for. */
    private static final int ALL = Integer.MAX_VALUE / 2;

    private static final Set<ErrorCode> TRY_AGAIN = Set.of(
            ErrorCode.STORE_UNAVAILABLE,
            ErrorCode.OUTCOME_UNKNOWN,
            ErrorCode.REPAIR_PENDING,
            ErrorCode.RECOVERING,
            ErrorCode.BACKLOG,
            ErrorCode.BUSY,
            ErrorCode.KEY_IN_FLIGHT);

    private final Application shop;
    private final ExecutorService threads = Executors.newFixedThreadPool(CALLERS);
    private final List<Future<?>> ends = new ArrayList<>();
    private final Map<Appended, Long> answers = new ConcurrentHashMap<>();
    private final Semaphore answered = new Semaphore(0);
    private final Semaphore refused = new Semaphore(0);
    private volatile boolean over;

    private KeyedCallers(Application shop) {
        this.shop = shop;
    }

    static KeyedCallers start(Application shop) {
        KeyedCallers callers = new KeyedCallers(shop);
        for (int i = 0; i < CALLERS; i++) {
            int caller = i;
            callers.ends.add(callers.threads.submit(() -> callers.sendAll(caller)));
        }
        return callers;
    }

    private void sendAll(int caller) {
        try {
            send(caller);
        } finally {
            answered.release(ALL / CALLERS); // nobody waits any longer
            refused.release(ALL / CALLERS);
        }
    }

    private void send(int caller) {
        for (int i = 0; !over; i++) {
            long workspace = caller % 2;
            Command command = Command.in("shop", workspace)
                    .create(NewRecord.of("customer", 1).with("name", "Ada"))
                    .key(caller + "-" + i);
            answers.put(answer(command), workspace);
            answered.release();
        }
    }

    private Appended answer(Command command) {
        while (true) {
            try {
                return shop.append(command, WAIT);
            } catch (EventLogException e) {
                assertThat(e.code()).as("%s", e).isIn(TRY_AGAIN);
                refused.release();
            }
        }
    }

    /** Waits until so many more commands were answered. */
    void awaitAnswers(int count) throws InterruptedException, ExecutionException {
        await(answered, count);
    }

    /** Waits until so many more attempts were refused. */
    void awaitRefusals(int count) throws InterruptedException, ExecutionException {
        await(refused, count);
    }

    /** Fails at once where a caller has met what it does not expect. */
    private void await(Semaphore events, int count) throws InterruptedException, ExecutionException {
        events.drainPermits();
        boolean all = events.tryAcquire(count, PATIENCE_SECONDS, TimeUnit.SECONDS);
        for (Future<?> end : ends) {
            if (end.isDone()) {
                end.get();
            }
        }
        assertThat(all).isTrue();
    }

    /** Requires that the ids of an answer are none of those before. */
    void requireNew(Appended answer, long workspace) {
        answers.forEach((earlier, its) -> {
            if (its == workspace) {
                assertThat(earlier.ids().values())
                        .doesNotContainAnyElementsOf(answer.ids().values());
            }
        });
    }

    /** Ends when the last command of each has its answer, and holds all answers against the log. */
    void endAndCheck() throws Exception {
        over = true;
        threads.shutdown();
        for (Future<?> end : ends) {
            end.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        }
        Partition partition = shop.partition(0);
        List<Event> events = new ArrayList<>();
        for (List<Event> page = partition.events(1, 100).events();
                !page.isEmpty();
                page = partition.events(events.size() + 1, 100).events()) {
            events.addAll(page);
        }
        assertThat(events).hasSize(answers.size());
        Map<Long, Long> nextWlogOffsets = new HashMap<>();
        for (int i = 0; i < events.size(); i++) {
            Event event = events.get(i);
            assertThat(event.plogOffset()).isEqualTo(i + 1);
            assertThat(event.wlogOffset()).isEqualTo(nextWlogOffsets.merge(event.workspace(), 1L, Long::sum));
        }
        Set<String> ids = new HashSet<>();
        answers.forEach((answer, workspace) -> {
            Event event = events.get((int) answer.plogOffset() - 1);
            assertThat(event.workspace()).isEqualTo(workspace);
            assertThat(event.wlogOffset()).isEqualTo(answer.wlogOffset());
            assertThat(answer.ids()).hasSize(1);
            answer.ids().values().forEach(id -> {
                assertThat(ids.add(workspace + " " + id)).isTrue();
                assertThat(partition.record(workspace, id)).isPresent();
            });
        });
        assertThat(partition.check().findings()).isEmpty();
    }
}
