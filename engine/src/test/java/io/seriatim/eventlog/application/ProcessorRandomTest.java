package io.seriatim.eventlog.application;

import io.seriatim.eventlog.application.CommandWorld.Told;
import io.seriatim.eventlog.application.TroubledStore.Trouble;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Random commands of changing processes in random trouble. What must be stored is worked out from the log alone. */
class ProcessorRandomTest {

    private static final int SEEDS = Integer.getInteger("seriatim.random.seeds", 30);
    private static final int FIRST_SEED = Integer.getInteger("seriatim.random.first", 1);
    private static final int LIVES = 6;

    @Test
    void commands_inRandomTrouble_loseAndRepeatNothing() {
        for (int seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed++) {
            try {
                new Story(seed).run();
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError("seed " + seed, e);
            }
        }
    }

    private static final class Story {
        private final int seed;
        private final Random random;
        private final CommandWorld world;
        private final List<Command> keyed = new ArrayList<>();
        private int keys;

        Story(int seed) {
            this.seed = seed;
            random = new Random(seed);
            TrustLevel[] levels = TrustLevel.values();
            world = new CommandWorld(levels[random.nextInt(levels.length)], random.nextBoolean());
        }

        void run() {
            Trouble[] troubles = Trouble.values();
            for (int i = 0; i < LIVES; i++) {
                Trouble trouble = troubles[random.nextInt(troubles.length)];
                int at = 1 + random.nextInt(150);
                boolean unused = world.live(trouble, at, this::life);
                world.check("seed " + seed + ", life " + i + ", " + trouble + " at " + at);
            }
            world.liveWithoutTrouble(this::life);
            world.checkWhole("seed " + seed);
        }

        private void life(CommandWorld.Life life) {
            for (int left = 1 + random.nextInt(8); left > 0; left--) {
                List<Command> together = new ArrayList<>();
                for (int each = 1 + random.nextInt(4); each > 0; each--) {
                    together.add(command());
                }
                life.send(together);
                if (random.nextInt(4) == 0) {
                    life.land();
                }
                life.pass(Duration.ofMillis(random.nextInt(120)));
            }
        }

        private Command command() {
            if (!keyed.isEmpty() && random.nextInt(5) == 0) {
                Command old = keyed.get(random.nextInt(keyed.size()));
                return random.nextInt(4) > 0 ? old : fresh(old.workspace()).key(old.key());
            }
            Command command = fresh(random.nextInt(3));
            if (random.nextInt(3) == 0) {
                command = command.key("k" + ++keys);
                keyed.add(command);
            }
            return command;
        }

        private Command fresh(long workspace) {
            Command command = Command.in("shop", workspace);
            String tag = world.tag();
            if (random.nextInt(3) == 0) {
                NewRecord order = NewRecord.of("order", 1).with("tag", tag).with("of", List.of(Reference.to(1)));
                for (int i = random.nextInt(3); i > 0; i--) {
                    order = order.child(i % 2 == 0 ? "items" : "gifts", NewRecord.of("item", 10 + i));
                }
                command = command.argument(order);
            }
            for (int i = random.nextInt(3); i > 0; i--) {
                command = command.create(NewRecord.of("customer", 20 + i).with("tag", tag));
            }
            if (random.nextInt(6) == 0) {
                command = command.create(NewRecord.of("customer", outside()).with("tag", tag));
            }
            if (random.nextInt(8) == 0) {
                command = command.create(NewRecord.of("settings", 30).with("tag", tag));
            }
            if (random.nextInt(2) == 0
                    || command.argument().isEmpty() && command.cuds().isEmpty()) {
                command = command.update(
                        RecordUpdate.of(known(workspace)).with("tag", tag).with(tag, 1));
            }
            return command;
        }

        /** Ahead of what was drawn, or behind it. */
        private long outside() {
            return 200_001L + random.nextInt(100);
        }

        /** A record that is there, or perhaps not. */
        private long known(long workspace) {
            List<Long> ids = new ArrayList<>();
            for (Told told : world.happened()) {
                if (told.command().workspace() == workspace) {
                    told.happened().orElseThrow().ids().forEach((raw, id) -> {
                        if (raw > 20) {
                            ids.add(id);
                        }
                    });
                }
            }
            return ids.isEmpty() || random.nextInt(10) == 0
                    ? 200_001L + random.nextInt(20)
                    : ids.get(random.nextInt(ids.size()));
        }
    }
}
