package io.seriatim.eventlog.application;

import static org.assertj.core.api.Assertions.assertThat;

import io.seriatim.eventlog.application.CommandWorld.Life;
import io.seriatim.eventlog.application.TroubledStore.Trouble;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A life of commands with everything in it, in trouble at each of its calls to the store in every way, and the life after
 * it in trouble at each of its calls again. What must hold afterwards is worked out from the log and the answers.
 */
class ProcessorCrashTest {

    /** Each so many-th crash is followed by trouble at each call; all of them if this is 1. */
    private static final int STEP = Integer.getInteger("seriatim.crash.step", 97);

    // ---- commands

    private static Command order(CommandWorld world, String key) {
        return Command.in("shop", 1)
                .argument(NewRecord.of("order", 1)
                        .with("tag", key.isEmpty() ? world.tag() : key)
                        .with("customer", Reference.to(4))
                        .child("items", NewRecord.of("item", 2).child("parts", NewRecord.of("item", 3))))
                .create(NewRecord.of("customer", 4).with("order", Reference.to(1)))
                .key(key);
    }

    private static Command create(CommandWorld world, String type, long workspace, long id) {
        return Command.in("shop", workspace).create(NewRecord.of(type, id).with("tag", world.tag()));
    }

    private static Command update(CommandWorld world, long id) {
        String tag = world.tag();
        return Command.in("shop", 1).update(RecordUpdate.of(id).with("tag", tag).with(tag, true));
    }

    private static void updateTwice(CommandWorld world, Life life) {
        world.happened().stream()
                .filter(told -> told.command().key().equals("first"))
                .findFirst()
                .ifPresent(told -> {
                    long customer = Objects.requireNonNull(
                            told.happened().orElseThrow().ids().get(4L));
                    life.send(
                            List.of(update(world, customer), create(world, "customer", 2, 7), update(world, customer)));
                });
    }

    // ---- lives

    private static boolean wholeLife(CommandWorld world, Trouble trouble, int at) {
        return world.live(trouble, at, life -> {
            life.send(List.of(order(world, "first")));
            life.send(List.of(create(world, "customer", 2, 5), order(world, ""), create(world, "settings", 2, 1)));
            updateTwice(world, life);
            updateTwice(world, life);
            life.land();
            life.send(List.of(order(world, "first"), create(world, "customer", 1, 300_000), order(world, "second")));
            life.pass(Duration.ofMillis(150));
            updateTwice(world, life);
        });
    }

    private static void shortLife(CommandWorld world, Life life) {
        life.send(List.of(order(world, "first"), create(world, "customer", 2, 8)));
        updateTwice(world, life);
    }

    @ParameterizedTest
    @CsvSource({"VERIFY_ALL,false", "TRUST_ALL,true"})
    void life_troubledAtEachCall_losesAndRepeatsNothing(TrustLevel level, boolean projecting) {
        int lives = 0;
        for (Trouble trouble : Trouble.values()) {
            boolean reached = true;
            for (int at = 1; reached; at++) {
                CommandWorld world = new CommandWorld(level, projecting);
                String where = trouble + " at " + at;
                reached = wholeLife(world, trouble, at);
                world.check(where);
                world.liveWithoutTrouble(life -> shortLife(world, life));
                world.checkWhole(where + ", reopened");
                lives++;
            }
        }
        assertThat(lives).isGreaterThan(300);
    }

    @Test
    void recovery_troubledAtEachCallAfterACrash_losesAndRepeatsNothing() {
        int lives = 0;
        boolean firstReached = true;
        for (int first = 1; firstReached; first += STEP) {
            for (Trouble trouble : Trouble.values()) {
                boolean reached = true;
                for (int second = 1; reached; second++) {
                    CommandWorld world = new CommandWorld(TrustLevel.VERIFY_ALL, first % 2 == 0);
                    firstReached = wholeLife(world, Trouble.STOPPED_BEHIND, first);
                    String where = "stopped at " + first + ", then " + trouble + " at " + second;
                    world.check(where);
                    reached = world.live(trouble, second, life -> shortLife(world, life));
                    world.check(where);
                    world.liveWithoutTrouble(life -> shortLife(world, life));
                    world.checkWhole(where);
                    lives++;
                }
            }
        }
        assertThat(lives).isGreaterThan(300);
    }
}
