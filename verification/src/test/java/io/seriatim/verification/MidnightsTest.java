package io.seriatim.verification;

import static org.assertj.core.api.Assertions.assertThat;

import io.seriatim.Contract;
import io.seriatim.SequenceDefinition;
import io.seriatim.Sequences;
import io.seriatim.memory.MemoryCounterStore;
import io.seriatim.numbering.Ask;
import io.seriatim.numbering.FormatDefinition;
import io.seriatim.numbering.NumberSequence;
import io.seriatim.numbering.Numbering;
import io.seriatim.numbering.PrintedNumber;
import io.seriatim.numbering.Reading;
import io.seriatim.numbering.Reset;
import io.seriatim.postgresql.PostgresSettings;
import io.seriatim.postgresql.PostgresStore;
import io.seriatim.rocksdb.RocksDbStore;
import io.seriatim.store.CounterStore;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.zone.ZoneOffsetTransition;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Midnights as they come: two engines on one store whose clocks are up to five seconds off and are sometimes set back,
 * days that are lost or come twice, documents of earlier days. No text comes twice, each says of which period and value it
 * is, and each period begins with the start.
 *
 * <p>What happens follows from a seed, which a failure names; {@code -Dseriatim.seed=} repeats one midnight.
 */
final class MidnightsTest {

    /** Midnights at which zones did what most programs do not expect. */
    private static final List<Night> KNOWN = List.of(
            new Night("Pacific/Apia", LocalDate.of(2011, 12, 30)), // this day was left out
            new Night("Pacific/Apia", LocalDate.of(2011, 12, 31)),
            new Night("Pacific/Kwajalein", LocalDate.of(1993, 8, 21)), // and this one
            new Night("America/St_Johns", LocalDate.of(2010, 11, 7)), // back at 00:01: the day before goes on
            new Night("America/Sao_Paulo", LocalDate.of(2018, 11, 4)), // begins at 01:00
            new Night("America/Havana", LocalDate.of(2020, 11, 1)), // back at 01:00: midnight comes twice
            new Night("Asia/Gaza", LocalDate.of(2011, 8, 1)),
            new Night("Europe/Lisbon", LocalDate.of(1992, 9, 27)),
            new Night("Africa/Cairo", LocalDate.of(2010, 9, 10)),
            new Night("Asia/Manila", LocalDate.of(1844, 12, 31))); // left out too

    /** What a sequence is numbered by, and its keys said in another way. */
    private record Kind(Reset reset, String template, Function<LocalDate, String> keyOf) {}

    private static final Kind DAILY =
            new Kind(Reset.DAILY, "{date:yyyyMMdd}-{seq:2}", DateTimeFormatter.ISO_LOCAL_DATE::format);

    private static final List<Kind> KINDS = List.of(
            DAILY,
            DAILY,
            new Kind(
                    Reset.WEEKLY,
                    "{isoyear}W{isoweek}/{seq:3}",
                    day -> DateTimeFormatter.ISO_WEEK_DATE.format(day).substring(0, 8)),
            new Kind(Reset.MONTHLY, "N{year}{month}.{seq}", DateTimeFormatter.ofPattern("uuuu-MM")::format),
            new Kind(
                    Reset.QUARTERLY,
                    "{year}Q{quarter}-{seq:2/base32}",
                    DateTimeFormatter.ofPattern("uuuu-'Q'q")::format),
            new Kind(Reset.YEARLY, "{seq:4}/{year}", DateTimeFormatter.ofPattern("uuuu")::format));

    @TempDir
    private Path folder;

    private record Night(String zone, LocalDate day) {}

    @Test
    void midnights_inMemory() {
        CounterStore store = new KeptOpen(new MemoryCounterStore());
        run(1_000, () -> store, () -> store);
    }

    @Test
    void midnights_onRocksDb() {
        try (RocksDbStore store = RocksDbStore.open(folder)) {
            CounterStore shared = new KeptOpen(store);
            run(20, () -> shared, () -> shared);
        }
    }

    @Test
    void midnights_onPostgres() {
        PostgresSettings settings = PostgresServer.shared().newSchema();
        run(20, () -> PostgresStore.open(settings), () -> PostgresStore.open(settings));
    }

    private static void run(int nights, Supplier<CounterStore> storeOfA, Supplier<CounterStore> storeOfB) {
        Long only = Long.getLong("seriatim.seed");
        long first = only == null ? 20260709 : only;
        Engine a = new Engine(storeOfA, 1);
        Engine b = new Engine(storeOfB, 2);
        Set<String> zones = new HashSet<>();
        for (long seed = first; seed < first + (only == null ? nights : 1); seed++) {
            int index = (int) (seed - first);
            Optional<Night> known =
                    index < KNOWN.size() && only == null ? Optional.of(KNOWN.get(index)) : Optional.empty();
            Midnight midnight = new Midnight(seed, known, a, b);
            try {
                midnight.run();
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("midnight " + midnight + ", seed " + seed + ": " + e.getMessage(), e);
            }
            zones.add(midnight.zone.getId());
        }
        a.close();
        b.close();
        assertThat(zones).hasSizeGreaterThanOrEqualTo(Math.min(nights, 5));
    }

    /** One engine on the store, which may be closed cleanly and opened again. */
    private static final class Engine implements AutoCloseable {
        private final Supplier<CounterStore> store;
        private final SetClock clock;
        private Sequences sequences;
        private Numbering numbering;

        Engine(Supplier<CounterStore> store, long seed) {
            this.store = store;
            this.clock = new SetClock(seed);
            this.sequences = open();
            this.numbering = Numbering.on(sequences);
        }

        private Sequences open() {
            return Sequences.on(store.get(), clock, Duration.ofSeconds(5));
        }

        Numbering numbering() {
            return numbering;
        }

        void restart() {
            sequences.close();
            sequences = open();
            numbering = Numbering.on(sequences);
        }

        @Override
        public void close() {
            sequences.close();
        }
    }

    /** One midnight with a sequence of its own. */
    private static final class Midnight {

        private static final int CALLS = 40;

        private final long seed;
        private final Random random;
        private final ZoneId zone;
        private final Instant middle;
        private final Kind kind;
        private final Contract contract;
        private final long start;
        private final long increment;
        private final Engine[] engines;
        private final long[] skewMillis = new long[2];
        private final Set<String> texts = new HashSet<>();
        private final Map<String, TreeSet<Long>> values = new HashMap<>();

        Midnight(long seed, Optional<Night> night, Engine... engines) {
            this.seed = seed;
            this.random = new Random(seed);
            this.engines = engines;
            this.kind = KINDS.get(random.nextInt(KINDS.size()));
            this.contract = random.nextBoolean() ? Contract.FAST : Contract.ORDERED;
            this.start = random.nextInt(3);
            this.increment = 1L + random.nextInt(2);
            this.zone = night.map(known -> ZoneId.of(known.zone())).orElseGet(() -> zoneWithChanges(random));
            this.middle = night.map(known -> known.day().atStartOfDay(zone).toInstant())
                    .orElseGet(this::someMidnight);
        }

        private static ZoneId zoneWithChanges(Random random) {
            List<String> all = new ArrayList<>(new TreeSet<>(ZoneId.getAvailableZoneIds()));
            for (; ; ) {
                ZoneId zone = ZoneId.of(all.get(random.nextInt(all.size())));
                if (!zone.getRules().isFixedOffset()) {
                    return zone;
                }
            }
        }

        /** The begin of any day, of the first of a month or year, or of a day on which the clocks were changed. */
        private Instant someMidnight() {
            LocalDate day = LocalDate.of(1970 + random.nextInt(130), 1 + random.nextInt(12), 1 + random.nextInt(28));
            switch (random.nextInt(4)) {
                case 0 -> day = day.withDayOfMonth(1);
                case 1 -> day = day.withDayOfYear(1);
                case 2 -> {
                    ZoneOffsetTransition change = zone.getRules()
                            .nextTransition(day.atStartOfDay(zone).toInstant());
                    day = change == null ? day : change.getDateTimeBefore().toLocalDate();
                }
                default -> {}
            }
            return day.atStartOfDay(zone).toInstant();
        }

        void run() {
            SequenceDefinition definition = SequenceDefinition.ascending()
                    .contract(contract)
                    .start(start)
                    .increment(increment);
            if (contract == Contract.FAST && random.nextBoolean()) {
                definition = definition.cache(1L + random.nextInt(5));
            }
            FormatDefinition format =
                    FormatDefinition.of(kind.template()).reset(kind.reset()).zone(zone.getId());
            engines[0].numbering().define("n" + seed, definition, format);
            for (int i = 0; i < engines.length; i++) {
                skewMillis[i] = random.nextInt(10_001) - 5_000L;
            }
            long fromMillis = -10_000;
            for (int call = 0; call < CALLS; call++) {
                if (random.nextInt(15) == 0) {
                    fromMillis -= random.nextInt(7_200_000); // the clock is set back
                }
                call(middle.plusMillis(fromMillis + 20_000L * call / CALLS));
                if (random.nextInt(60) == 0) {
                    engines[random.nextInt(engines.length)].restart();
                }
            }
            values.forEach((period, all) ->
                    assertThat(all.first()).as("first of " + period).isEqualTo(start));
        }

        private void call(Instant now) {
            int who = random.nextInt(engines.length);
            Engine engine = engines[who];
            Instant shown = now.plusMillis(skewMillis[who]);
            engine.clock.set(shown);
            LocalDate date = shown.atZone(zone).toLocalDate();
            Ask ask = Ask.NOW;
            if (random.nextInt(5) == 0) { // a document of another day
                date = date.minusDays(random.nextInt(4));
                ask = ask.on(date);
            }
            NumberSequence sequence = engine.numbering().get("n" + seed);
            for (PrintedNumber number : sequence.next(ask, 1 + random.nextInt(3))) {
                check(sequence, number, kind.keyOf().apply(date));
            }
        }

        private void check(NumberSequence sequence, PrintedNumber number, String period) {
            assertThat(texts.add(number.text()))
                    .as(number.text() + " came before")
                    .isTrue();
            assertThat(number.period().key()).isEqualTo(period);
            Reading reading = sequence.format().read(number.text()).orElseThrow();
            assertThat(reading.value()).isEqualTo(number.value());
            assertThat(reading.period()).contains(period);
            TreeSet<Long> ofPeriod = values.computeIfAbsent(period, key -> new TreeSet<>());
            if (contract == Contract.ORDERED) {
                assertThat(number.value()).isEqualTo(ofPeriod.isEmpty() ? start : ofPeriod.last() + increment);
            }
            assertThat(ofPeriod.add(number.value())).isTrue();
        }

        @Override
        public String toString() {
            return middle.atZone(zone) + ", " + kind.reset() + ", " + contract;
        }
    }
}
