package io.seriatim.eventlog.application;

import static org.assertj.core.api.Assertions.assertThat;

import io.seriatim.ErrorCode;
import io.seriatim.TestEnvironment;
import io.seriatim.eventlog.EventLogException;
import io.seriatim.eventlog.SequencerSettings;
import io.seriatim.eventlog.application.TroubledStore.Ended;
import io.seriatim.eventlog.application.TroubledStore.Trouble;
import io.seriatim.memory.MemoryEventLogStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * What outlives every process: a store in memory with a deployed shop, and what callers were told. Everything happens in
 * one thread, and time stands still between steps.
 */
final class CommandWorld {

    private static final ApplicationDefinition SHOP = ApplicationDefinition.ofPartitions(1)
            .kind("shop", "RecordID", 200_001)
            .type("order", RecordKind.ODOC)
            .type("item", RecordKind.ORECORD)
            .type("customer", RecordKind.CDOC)
            .singleton("settings");
    private static final SequencerSettings SEQUENCER = SequencerSettings.usual()
            .withLruCacheSize(1)
            .withMaxUnflushed(100, 100)
            .withFlush(2, Duration.ofMillis(100))
            .withWaits(Duration.ofMillis(1), Duration.ofMillis(1), Duration.ofMillis(20), Duration.ofMillis(1));
    private static final Set<ErrorCode> NOTHING_HAPPENED = Set.of(
            ErrorCode.RECOVERING,
            ErrorCode.BACKLOG,
            ErrorCode.BUSY,
            ErrorCode.STORE_UNAVAILABLE,
            ErrorCode.FENCED,
            ErrorCode.ALREADY_EXISTS,
            ErrorCode.NOT_FOUND,
            ErrorCode.BAD_REQUEST,
            ErrorCode.BAD_RAW_ID,
            ErrorCode.KEY_REUSED);
    private static final int TRIES = 12;
    private static final int MOST_PASSES = 60;

    /**
     * What a caller was told of one command, once.
     *
     * @param happened where its event is, if it has happened
     * @param isKnown whether the caller knows what became of it
     */
    record Told(Command command, Optional<Appended> happened, boolean isKnown) {

        String tag() {
            Fields first = command.argument()
                    .map(NewRecord::fields)
                    .orElseGet(() -> command.cuds().get(0).fields());
            return String.valueOf(first.asMap().get("tag"));
        }
    }

    final MemoryEventLogStore memory = new MemoryEventLogStore();
    final List<Told> told = new ArrayList<>();
    private final TreeSet<Long> projected = new TreeSet<>();
    private final ApplicationSettings settings;
    private final Schema schema;
    private int lives;
    private int tags;

    CommandWorld(TrustLevel level, boolean projecting) {
        ApplicationSettings plain =
                ApplicationSettings.usual().withSequencer(SEQUENCER).withTrustLevel(level);
        settings = projecting ? plain.withProjector("shop", projector()) : plain;
        try (Applications applications = Applications.on(new TroubledStore(memory), settings, environment())) {
            schema = applications.deploy("shop", SHOP).application().schema();
        }
    }

    private Projector projector() {
        return new Projector() {
            @Override
            public String name() {
                return "offsets";
            }

            @Override
            public void apply(int partition, Event event) {
                assertThat(event.plogOffset()).isLessThanOrEqualTo(1 + (projected.isEmpty() ? 0 : projected.last()));
                projected.add(event.plogOffset());
            }
        };
    }

    private TestEnvironment environment() {
        return new TestEnvironment(1_000L * ++lives);
    }

    /** A text by which a command is known again in its event. */
    String tag() {
        return "t" + ++tags;
    }

    /** The answers to commands that have happened, in the order in which that was told. */
    List<Told> happened() {
        return told.stream().filter(each -> each.happened().isPresent()).toList();
    }

    /** A process. */
    final class Life {
        private final TroubledStore store;
        private final Trouble trouble;
        private final TestEnvironment environment;
        private final Applications applications;
        private final Partition partition;

        Life(Trouble trouble, int at) {
            this.trouble = trouble;
            store = new TroubledStore(memory, trouble, at);
            environment = environment();
            applications = Applications.on(store, settings, environment);
            partition = applications.get("shop").partition(0);
        }

        private void requireAlive() {
            if (store.hasEnded()) {
                throw new Ended();
            }
        }

        /** Lets writes come through that are on their way. */
        void land() {
            store.land();
        }

        void pass(Duration time) {
            environment.pass(time);
            requireAlive();
        }

        /** Sends commands, at first together, until each has happened, or nobody knows, or it cannot. */
        void send(List<Command> commands) {
            List<Command> left = commands;
            for (int i = 0; i < TRIES && !left.isEmpty(); i++) {
                left = sendOnce(left);
                pass(Duration.ofMillis(i < TRIES / 2 ? 2 : 200));
            }
        }

        private List<Command> sendOnce(List<Command> commands) {
            environment.hold();
            List<CompletableFuture<Appended>> answers =
                    commands.stream().map(partition::submit).toList();
            environment.release();
            for (int i = 0; i < MOST_PASSES && !answers.stream().allMatch(CompletableFuture::isDone); i++) {
                environment.pass(Duration.ofMillis(1));
            }
            List<Command> again = new ArrayList<>();
            for (int i = 0; i < answers.size(); i++) {
                if (!answers.get(i).isDone()) {
                    told.add(new Told(commands.get(i), Optional.empty(), false));
                    requireAlive();
                    assertThat(answers.get(i)).as("an answer").isDone();
                } else if (!told(commands.get(i), answers.get(i))) {
                    again.add(commands.get(i));
                }
            }
            return again;
        }

        /** Writes down what was told; says whether that was the last word. */
        private boolean told(Command command, CompletableFuture<Appended> answer) {
            try {
                told.add(new Told(command, Optional.of(answer.join()), true));
                return true;
            } catch (CompletionException e) {
                Throwable thrown = Objects.requireNonNull(e.getCause());
                if (thrown instanceof RepairPendingException pending) {
                    told.add(new Told(command, Optional.of(pending.appended()), true));
                    return command.key().isEmpty();
                }
                boolean isKnown = thrown instanceof EventLogException its && NOTHING_HAPPENED.contains(its.code());
                told.add(new Told(command, Optional.empty(), isKnown));
                requireAlive();
                assertThat(isKnown || mayBeUnknown(thrown)).as("%s", e).isTrue();
                boolean isFinal =
                        thrown instanceof EventLogException its && !its.code().mayBeRetried();
                return isFinal || !isKnown && command.key().isEmpty();
            }
        }

        private boolean mayBeUnknown(Throwable thrown) {
            return thrown instanceof EventLogException its
                    ? its.code() == ErrorCode.OUTCOME_UNKNOWN
                    : trouble == Trouble.BROKEN;
        }

        /** A process that is no more closes nothing. */
        private void close() {
            requireAlive();
            applications.close();
            requireAlive();
        }
    }

    /** What is done in a life. */
    interface Course {
        void run(Life life);
    }

    /** Lets a process live, in trouble at its n-th call; says whether there were so many. */
    boolean live(Trouble trouble, int at, Course course) {
        Life life = new Life(trouble, at);
        try {
            course.run(life);
            life.land();
            life.close();
        } catch (Ended e) {
            assertThat(life.store.hasEnded()).isTrue();
        }
        return life.store.wasReached();
    }

    void liveWithoutTrouble(Course course) {
        assertThat(live(Trouble.FAILED, Integer.MAX_VALUE, course)).isFalse();
    }

    // ---- what must hold

    /** What holds at every instant. */
    LogModel check(String where) {
        LogModel model = LogModel.of(memory, schema, 0, where);
        Map<String, Integer> found = model.tags();
        for (Told each : told) {
            int events = found.getOrDefault(each.tag(), 0);
            assertThat(events).as("%s: events of %s", where, each).isLessThanOrEqualTo(1);
            if (each.happened().isPresent()) {
                Appended appended = each.happened().get();
                assertThat(model.saysAt(appended.plogOffset(), each.command(), appended.ids()))
                        .as("%s: that the event at its offset is of %s", where, each)
                        .isTrue();
                assertThat(model.bodies.get((int) appended.plogOffset() - 1).wlogOffset())
                        .as(where)
                        .isEqualTo(appended.wlogOffset());
            } else if (events > 0) {
                assertThat(told)
                        .as("%s: it is said to have happened, or not to be known: %s", where, each)
                        .anyMatch(other -> other.tag().equals(each.tag())
                                && (other.happened().isPresent() || !other.isKnown()));
            }
        }
        return model;
    }

    /** What holds after a life that ended well. */
    void checkWhole(String where) {
        LogModel model = check(where);
        model.checkRows();
        if (!settings.projectors().isEmpty()) {
            assertThat(projected).as(where).hasSize(model.events.size());
        }
        Life next = new Life(Trouble.FAILED, Integer.MAX_VALUE);
        assertThat(next.partition.state().status()).as(where).isEqualTo(PartitionStatus.READY);
        assertThat(next.partition.check().findings()).as(where).isEmpty();
        for (Told each : happened()) {
            if (!each.command().key().isEmpty()) {
                assertThat(next.partition.submit(each.command()))
                        .as(where)
                        .isCompletedWithValue(each.happened().get());
            }
        }
        next.close();
        assertThat(LogModel.of(memory, schema, 0, where).events).as(where).hasSameSizeAs(model.events);
    }
}
