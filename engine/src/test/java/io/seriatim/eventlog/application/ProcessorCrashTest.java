package io.seriatim.eventlog.application;

import static org.assertj.core.api.Assertions.assertThat;

import io.seriatim.ErrorCode;
import io.seriatim.TestEnvironment;
import io.seriatim.eventlog.EventLogException;
import io.seriatim.eventlog.SequencerSettings;
import io.seriatim.eventlog.application.TroubledStore.Ended;
import io.seriatim.eventlog.application.TroubledStore.Trouble;
import io.seriatim.memory.MemoryEventLogStore;
import io.seriatim.store.LogEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A life of commands with everything in it, in trouble at each of its calls to the store in every way, and the life after
 * it in trouble at each of its calls again. What must hold afterwards is worked out from the log and the answers.
 */
class ProcessorCrashTest {

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
            ErrorCode.NOT_FOUND);
    private static final int TRIES = 12;
    private static final int MOST_PASSES = 60;

    /** What a caller was told in the end of one command. */
    private record Told(Command command, String tag, Optional<Appended> happened, boolean isKnown) {}

    /** What outlives every crash. */
    private static final class World {
        final MemoryEventLogStore memory = new MemoryEventLogStore();
        final List<Told> told = new ArrayList<>();
        final TreeSet<Long> projected = new TreeSet<>();
        final boolean projecting;
        final Schema schema;
        int lives;
        int tags;
        long customer;

        World(boolean projecting) {
            this.projecting = projecting;
            try (Applications applications = Applications.on(
                    new TroubledStore(memory), ApplicationSettings.usual().withSequencer(SEQUENCER), environment())) {
                schema = applications.deploy("shop", SHOP).application().schema();
            }
        }

        TestEnvironment environment() {
            return new TestEnvironment(1_000L * ++lives);
        }

        ApplicationSettings settings() {
            ApplicationSettings settings = ApplicationSettings.usual().withSequencer(SEQUENCER);
            return !projecting
                    ? settings
                    : settings.withProjector("shop", new Projector() {
                        @Override
                        public String name() {
                            return "offsets";
                        }

                        @Override
                        public void apply(int partition, Event event) {
                            assertThat(projected.isEmpty() ? 0 : projected.last())
                                    .isGreaterThanOrEqualTo(event.plogOffset() - 1);
                            projected.add(event.plogOffset());
                        }
                    });
        }
    }

    /** A process. */
    private static final class Life {
        private final World world;
        private final TroubledStore store;
        private final TestEnvironment environment;
        private final Applications applications;
        private final Partition partition;

        Life(World world, Trouble trouble, int at) {
            this.world = world;
            store = new TroubledStore(world.memory, trouble, at);
            environment = world.environment();
            applications = Applications.on(store, world.settings(), environment);
            partition = applications.get("shop").partition(0);
        }

        void requireAlive() {
            if (store.hasEnded()) {
                throw new Ended();
            }
        }

        /** Sends commands until each has happened, or nobody knows, or it cannot; together at first. */
        void send(Command... commands) {
            List<Command> left = new ArrayList<>(List.of(commands));
            for (int i = 0; i < TRIES && !left.isEmpty(); i++) {
                left = sendOnce(left);
                environment.pass(Duration.ofMillis(i < TRIES / 2 ? 2 : 200));
                requireAlive();
            }
        }

        private List<Command> sendOnce(List<Command> commands) {
            environment.hold();
            Map<Command, CompletableFuture<Appended>> answers = new HashMap<>();
            for (Command each : commands) {
                answers.put(each, partition.submit(each));
            }
            environment.release();
            for (int i = 0; i < MOST_PASSES && !answers.values().stream().allMatch(CompletableFuture::isDone); i++) {
                environment.pass(Duration.ofMillis(1));
            }
            List<Command> again = new ArrayList<>();
            for (Command each : commands) {
                CompletableFuture<Appended> answer = answers.get(each);
                if (!answer.isDone()) {
                    world.told.add(new Told(each, tag(each), Optional.empty(), false));
                    requireAlive();
                    assertThat(answer).as("an answer").isDone();
                } else if (!told(each, answer)) {
                    again.add(each);
                }
            }
            return again;
        }

        /** Writes down what was told; says whether that was the last word. */
        private boolean told(Command command, CompletableFuture<Appended> answer) {
            try {
                world.told.add(new Told(command, tag(command), Optional.of(answer.join()), true));
                return true;
            } catch (CompletionException e) {
                if (e.getCause() instanceof RepairPendingException pending) {
                    world.told.add(new Told(command, tag(command), Optional.of(pending.appended()), true));
                    return command.key().isEmpty();
                }
                boolean isKnown =
                        e.getCause() instanceof EventLogException its && NOTHING_HAPPENED.contains(its.code());
                world.told.add(new Told(command, tag(command), Optional.empty(), isKnown));
                return !isKnown && command.key().isEmpty();
            }
        }

        /** A process that is no more closes nothing. */
        void close() {
            requireAlive();
            applications.close();
            requireAlive();
        }
    }

    private static String tag(Command command) {
        Fields first = command.argument()
                .map(NewRecord::fields)
                .orElseGet(() -> command.cuds().get(0).fields());
        return (String) first.asMap().get("tag");
    }

    // ---- commands

    private static Command order(World world, String key) {
        return Command.in("shop", 1)
                .argument(NewRecord.of("order", 1)
                        .with("tag", key.isEmpty() ? "t" + ++world.tags : key)
                        .with("customer", Reference.to(4))
                        .child("items", NewRecord.of("item", 2).child("parts", NewRecord.of("item", 3))))
                .create(NewRecord.of("customer", 4).with("order", Reference.to(1)))
                .key(key);
    }

    private static Command customer(World world, long workspace, long id) {
        return Command.in("shop", workspace).create(NewRecord.of("customer", id).with("tag", "t" + ++world.tags));
    }

    private static Command settings(World world) {
        return Command.in("shop", 2).create(NewRecord.of("settings", 1).with("tag", "t" + ++world.tags));
    }

    private static Command update(World world) {
        String tag = "t" + ++world.tags;
        return Command.in("shop", 1)
                .update(RecordUpdate.of(world.customer).with("tag", tag).with(tag, world.tags));
    }

    private static void updateTwice(World world, Life life) {
        world.told.stream()
                .filter(told -> told.command().key().equals("first"))
                .flatMap(told -> told.happened().stream())
                .findFirst()
                .ifPresent(appended -> {
                    world.customer = appended.ids().get(4L);
                    life.send(update(world), customer(world, 2, 7), update(world));
                });
    }

    // ---- lives

    private static boolean wholeLife(World world, Trouble trouble, int at) {
        return life(world, trouble, at, life -> {
            life.send(order(world, "first"));
            life.send(customer(world, 2, 5), order(world, ""), settings(world));
            updateTwice(world, life);
            updateTwice(world, life);
            life.store.land();
            life.send(order(world, "first"), customer(world, 1, 300_000 + world.lives), order(world, "second"));
            life.environment.pass(Duration.ofMillis(150));
            updateTwice(world, life);
        });
    }

    private static boolean shortLife(World world, Trouble trouble, int at) {
        return life(world, trouble, at, life -> {
            life.send(order(world, "first"), customer(world, 2, 8));
            updateTwice(world, life);
        });
    }

    private interface Course {
        void run(Life life);
    }

    private static boolean life(World world, Trouble trouble, int at, Course course) {
        Life life = new Life(world, trouble, at);
        try {
            course.run(life);
            life.store.land();
            life.close();
        } catch (Ended e) {
            assertThat(life.store.hasEnded()).isTrue();
        }
        return life.store.wasReached();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void life_troubledAtEachCall_losesAndRepeatsNothing(boolean projecting) {
        int lives = 0;
        for (Trouble trouble : Trouble.values()) {
            boolean reached = true;
            for (int at = 1; reached; at++) {
                World world = new World(projecting);
                String where = trouble + " at " + at;
                reached = wholeLife(world, trouble, at);
                check(world, where);
                assertThat(shortLife(world, Trouble.FAILED, Integer.MAX_VALUE)).isFalse();
                checkWhole(world, where + ", reopened");
                lives++;
            }
        }
        assertThat(lives).isGreaterThan(300);
    }

    // ---- what must hold

    /** What holds at every instant. */
    private static LogModel check(World world, String where) {
        LogModel model = LogModel.of(world.memory, world.schema, 0, where);
        Map<String, Integer> tags = model.tags();
        for (Told told : world.told) {
            int found = tags.getOrDefault(told.tag(), 0);
            assertThat(found).as("%s: events of %s", where, told).isLessThanOrEqualTo(1);
            if (told.happened().isPresent()) {
                Appended appended = told.happened().get();
                assertThat(model.of(told.command(), appended.ids()))
                        .as("%s: events of %s", where, told)
                        .extracting(LogEvent::offset)
                        .containsExactly(appended.plogOffset());
                assertThat(model.bodies.get((int) appended.plogOffset() - 1).wlogOffset())
                        .as(where)
                        .isEqualTo(appended.wlogOffset());
            } else if (told.isKnown()
                    && world.told.stream()
                            .noneMatch(other -> other.tag().equals(told.tag())
                                    && (other.happened().isPresent() || !other.isKnown()))) {
                assertThat(found)
                        .as("%s: of what is said not to have happened, %s", where, told)
                        .isZero();
            }
        }
        return model;
    }

    /** What holds after a life that ended well. */
    private static void checkWhole(World world, String where) {
        LogModel model = check(world, where);
        model.checkRows();
        if (world.projecting) {
            assertThat(world.projected).as(where).hasSize(model.events.size());
        }
        Life next = new Life(world, Trouble.FAILED, Integer.MAX_VALUE);
        assertThat(next.partition.state().status()).as(where).isEqualTo(PartitionStatus.READY);
        assertThat(next.partition.check().findings()).as(where).isEmpty();
        int events = model.events.size();
        for (Told told : List.copyOf(world.told)) {
            if (!told.command().key().isEmpty() && told.happened().isPresent()) {
                assertThat(next.partition.submit(told.command()))
                        .as(where)
                        .isCompletedWithValue(told.happened().get());
            }
        }
        next.close();
        assertThat(LogModel.of(world.memory, world.schema, 0, where).events)
                .as(where)
                .hasSize(events);
    }
}
