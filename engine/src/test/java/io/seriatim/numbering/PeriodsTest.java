package io.seriatim.numbering;

import static io.seriatim.numbering.Formats.format;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.LocalDate;
import java.time.MonthDay;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.IsoFields;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Function;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.statistics.Statistics;
import org.junit.jupiter.api.Test;

/** Periods against what java.time says, in all its zones and from 1970 to 2100. */
final class PeriodsTest {

    private static final Instant FROM = Instant.parse("1970-01-01T00:00:00Z");
    private static final Instant UNTIL = Instant.parse("2101-01-01T00:00:00Z");
    private static final MonthDay APRIL = MonthDay.of(4, 6);

    /** The keys, said in another way. */
    private static final Map<Reset, Function<LocalDate, String>> KEYS = keys();

    private static Map<Reset, Function<LocalDate, String>> keys() {
        Map<Reset, Function<LocalDate, String>> keys = new EnumMap<>(Reset.class);
        keys.put(Reset.NEVER, day -> "");
        keys.put(Reset.YEARLY, DateTimeFormatter.ofPattern("uuuu")::format);
        keys.put(Reset.QUARTERLY, DateTimeFormatter.ofPattern("uuuu-'Q'q")::format);
        keys.put(Reset.MONTHLY, DateTimeFormatter.ofPattern("uuuu-MM")::format);
        keys.put(
                Reset.WEEKLY, day -> DateTimeFormatter.ISO_WEEK_DATE.format(day).substring(0, 8));
        keys.put(Reset.DAILY, DateTimeFormatter.ISO_LOCAL_DATE::format);
        keys.put(
                Reset.FISCAL,
                day -> "FY" + (MonthDay.from(day).compareTo(APRIL) < 0 ? day.getYear() - 1 : day.getYear()));
        return keys;
    }

    @Test
    void periodOf_everyDay_hasItsKeyAndHoldsTheDay() {
        KEYS.forEach((reset, keyOf) -> {
            PeriodRule rule = new PeriodRule(reset, APRIL);
            LocalDate end = LocalDate.of(2101, 1, 1);
            Period last = rule.periodOf(LocalDate.of(1969, 12, 31));
            for (LocalDate day = LocalDate.of(1970, 1, 1); day.isBefore(end); day = day.plusDays(1)) {
                Period period = rule.periodOf(day);
                assertThat(period.key()).isEqualTo(keyOf.apply(day));
                assertThat(day).isBetween(period.firstDay(), period.lastDay());
                if (!period.equals(last)) {
                    assertThat(period.firstDay()).isEqualTo(day);
                    assertThat(last.lastDay()).isEqualTo(day.minusDays(1));
                    assertThat(rule.after(last)).contains(period);
                    assertThat(rule.named(period.key())).contains(period);
                }
                last = period;
            }
        });
    }

    @Test
    void at_everyZoneAroundEveryChange_showsItsDate() {
        int changes = 0;
        for (String name : ZoneId.getAvailableZoneIds()) {
            ZoneId zone = ZoneId.of(name);
            ZoneRules rules = zone.getRules();
            agrees(FROM, zone);
            ZoneOffsetTransition change = rules.nextTransition(FROM);
            while (change != null && change.getInstant().isBefore(UNTIL)) {
                changes++;
                Instant at = change.getInstant();
                for (long distance : new long[] {-86_400, -3_600, -1, 0, 1, 3_600, 86_400}) {
                    agrees(at.plusSeconds(distance), zone);
                }
                agrees(at.minusNanos(1), zone);
                change = rules.nextTransition(at);
            }
        }
        assertThat(changes).isGreaterThan(10_000);
    }

    /** The date, and that it is the same from the first to the last second of the window, and no longer. */
    private static void agrees(Instant instant, ZoneId zone) {
        for (int unit : new int[] {86_400, 3_600, 60, 1}) {
            WallClock clock = WallClock.at(instant, zone, unit).orElseThrow();
            assertThat(clock.from()).isLessThanOrEqualTo(instant.getEpochSecond());
            assertThat(clock.until()).isGreaterThan(instant.getEpochSecond());
            for (long second : new long[] {instant.getEpochSecond(), clock.from(), clock.until() - 1}) {
                assertThat(shown(second, zone, unit)).isEqualTo(clock.moment());
            }
        }
    }

    private static Moment shown(long second, ZoneId zone, int unit) {
        ZonedDateTime shown = Instant.ofEpochSecond(second).atZone(zone);
        int secondOfDay = shown.toLocalTime().toSecondOfDay();
        return new Moment(shown.toLocalDate(), secondOfDay - secondOfDay % unit);
    }

    @Test
    void periodAt_everyZone_isTheKeyOfTheLocalDate() {
        for (String name : ZoneId.getAvailableZoneIds()) {
            NumberFormat daily = format(FormatDefinition.of("{date:yyyyMMdd}-{seq}")
                    .reset(Reset.DAILY)
                    .zone(name));
            for (Instant instant = FROM; instant.isBefore(UNTIL); instant = instant.plusSeconds(2_000_003 * 37L)) {
                LocalDate date = instant.atZone(ZoneId.of(name)).toLocalDate();
                assertThat(daily.periodAt(instant).key()).isEqualTo(date.toString());
                assertThat(daily.at(instant).period().key()).isEqualTo(date.toString());
            }
        }
    }

    /** Any second of 131 years in any zone, and every reset; half of them close to where the zone changes. */
    @Property(tries = 5_000)
    void periodAt_anyInstantZoneAndReset_isTheKeyOfTheLocalDate(
            @ForAll("zones") String zone,
            @ForAll @LongRange(max = 4_133_980_799L) long second,
            @ForAll @IntRange(min = -7_300, max = 7_300) int distance,
            @ForAll boolean atAChange,
            @ForAll Reset reset) {
        ZoneId id = ZoneId.of(zone);
        Instant any = Instant.ofEpochSecond(second);
        ZoneOffsetTransition change = id.getRules().nextTransition(any);
        Instant instant = atAChange && change != null ? change.getInstant().plusSeconds(distance) : any;
        Statistics.label("at a change").collect(!instant.equals(any));
        NumberFormat format = FORMATS.computeIfAbsent(
                reset + zone,
                key -> format(FormatDefinition.of("{date:yyyyMMdd}{isoyear}{isoweek}{fystart}-{seq}")
                        .reset(reset)
                        .fiscalStart("04-06")
                        .zone(zone)));
        String key =
                Objects.requireNonNull(KEYS.get(reset)).apply(instant.atZone(id).toLocalDate());
        assertThat(format.periodAt(instant).key()).isEqualTo(key);
        assertThat(format.at(instant).period().key()).isEqualTo(key);
    }

    @Provide
    Arbitrary<String> zones() {
        return Arbitraries.of(new TreeSet<>(ZoneId.getAvailableZoneIds()));
    }

    private static final Map<String, NumberFormat> FORMATS = new HashMap<>();

    @Test
    void startOf_period_isItsFirstInstant() {
        for (String name : new String[] {
            "UTC", "Europe/Berlin", "America/Sao_Paulo", "America/St_Johns", "Asia/Kathmandu", "Pacific/Apia"
        }) {
            NumberFormat daily = format(FormatDefinition.of("{date:yyyyMMdd}-{seq}")
                    .reset(Reset.DAILY)
                    .zone(name));
            Period period = daily.periodOn(LocalDate.of(2000, 1, 1));
            while (period.firstDay().getYear() < 2020) {
                Period next = daily.after(period).orElseThrow();
                Instant start = daily.startOf(period);
                boolean left = start.equals(daily.startOf(next));
                assertThat(left)
                        .isEqualTo(name.equals("Pacific/Apia") && period.key().equals("2011-12-30"));
                if (!left) {
                    assertThat(daily.periodAt(start)).isEqualTo(period);
                    assertThat(daily.periodAt(start.minusNanos(1)).key()).isLessThan(period.key());
                }
                period = next;
            }
        }
    }

    /** St. John's put the clock back at one minute past midnight: the day before came again for an hour. */
    @Test
    void at_dayThatComesTwice_countsInItsOwnPeriod() {
        NumberFormat daily = format(
                FormatDefinition.of("{date:yyyyMMdd}-{seq}").reset(Reset.DAILY).zone("America/St_Johns"));
        Instant back = ZonedDateTime.of(2010, 11, 7, 0, 0, 0, 0, ZoneId.of("America/St_Johns"))
                .toInstant()
                .plusSeconds(60);
        assertThat(daily.at(back.minusSeconds(61)).number(1)).isEqualTo("20101106-1");
        assertThat(daily.at(back.minusSeconds(1)).number(1)).isEqualTo("20101107-1");
        assertThat(daily.at(back).number(1)).isEqualTo("20101106-1");
        assertThat(daily.at(back.plusSeconds(3_540)).number(1)).isEqualTo("20101107-1");
    }

    @Test
    void named_keyOfNoPeriod_isNothing() {
        NumberFormat monthly = format(FormatDefinition.of("{date:yyyyMM}-{seq}").reset(Reset.MONTHLY));
        for (String key : new String[] {"", "2026", "2026-13", "2026-00", "2026-7", "2026-07-01", "FY2026-07", "x"}) {
            assertThat(monthly.period(key)).as(key).isEqualTo(Optional.empty());
        }
        NumberFormat weekly =
                format(FormatDefinition.of("{isoyear}W{isoweek}-{seq}").reset(Reset.WEEKLY));
        assertThat(weekly.period("2026-W53")).isPresent();
        assertThat(weekly.period("2025-W53")).isEmpty();
        NumberFormat never = format("{seq}");
        assertThat(never.period("")).isPresent();
        assertThat(never.period("2026")).isEmpty();
        assertThat(never.after(never.periodOn(LocalDate.of(2026, 1, 1)))).isEmpty();
    }

    @Test
    void period_atTheEndsOfTheCalendar_isRefusedBeyond() {
        NumberFormat fiscal = format(
                FormatDefinition.of("{fystart}-{seq}").reset(Reset.FISCAL).fiscalStart("04-01"));
        assertThat(fiscal.periodOn(LocalDate.of(1, 1, 1)).key()).isEqualTo("FY0000");
        assertThat(fiscal.period("FY0000")).contains(fiscal.periodOn(LocalDate.of(1, 1, 1)));
        assertThat(fiscal.on(LocalDate.of(1, 1, 1)).number(1)).isEqualTo("0000-1");
        assertThat(fiscal.periodOn(LocalDate.of(9_999, 12, 31)).key()).isEqualTo("FY9999");
        for (Instant far : new Instant[] {Instant.MIN, Instant.MAX, Instant.parse("+10000-01-01T00:00:00Z")}) {
            assertThat(Formats.codeOf(() -> fiscal.at(far))).hasToString("DATE_OUT_OF_RANGE");
        }
        assertThat(fiscal.startOf(fiscal.periodOn(LocalDate.of(2026, 5, 1))))
                .isEqualTo(LocalDate.of(2026, 4, 1).atStartOfDay(ZoneOffset.UTC).toInstant());
    }

    @Test
    void weekKey_comparedWithIsoFields_isTheSame() {
        LocalDate day = LocalDate.of(2024, 12, 30);
        assertThat(new PeriodRule(Reset.WEEKLY, APRIL).periodOf(day).key()).isEqualTo("2025-W01");
        assertThat(day.get(IsoFields.WEEK_BASED_YEAR)).isEqualTo(2025);
    }
}
