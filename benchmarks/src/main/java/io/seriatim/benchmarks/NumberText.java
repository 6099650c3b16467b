package io.seriatim.benchmarks;

import io.seriatim.Contract;
import io.seriatim.numbering.FormatDefinition;
import io.seriatim.numbering.NumberFormat;
import io.seriatim.numbering.Occasion;
import io.seriatim.numbering.Reset;
import io.seriatim.numbering.ValueRange;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** The text of {@code ORDER2013-0522-00001}, beside what one writes with the JDK. Run it with {@code -prof gc}. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class NumberText {

    /** One day's orders; each thread prints its own. */
    @State(Scope.Thread)
    public static class Orders {
        final Instant instant = Instant.parse("2013-05-22T10:11:12Z");
        final NumberFormat format = NumberFormat.of(
                FormatDefinition.of("ORDER{date:yyyy-MMdd}-{seq:5}").reset(Reset.DAILY),
                ValueRange.ascending().start(0),
                Contract.FAST);
        final NumberFormat checked = NumberFormat.of(
                FormatDefinition.of("ORDER{date:yyyy-MMdd}-{seq:5}{check:luhn/digits}")
                        .reset(Reset.DAILY),
                ValueRange.ascending().start(0),
                Contract.FAST);
        final Occasion occasion = format.at(instant);
        final Occasion checkedOccasion = checked.at(instant);
        final DateTimeFormatter date =
                DateTimeFormatter.ofPattern("yyyy-MMdd", Locale.ROOT).withZone(ZoneOffset.UTC);
        final byte[] target = new byte[64];
        long last;

        long next() {
            last = last == 99_999 ? 0 : last + 1;
            return last;
        }
    }

    @Benchmark
    public String jdk(Orders orders) {
        return String.format(Locale.ROOT, "ORDER%s-%05d", orders.date.format(orders.instant), orders.next());
    }

    /** The whole way from an instant to a String. */
    @Benchmark
    public String seriatim(Orders orders) {
        return orders.format.at(orders.instant).number(orders.next());
    }

    /** The same into a buffer. */
    @Benchmark
    public int seriatimBuffer(Orders orders) {
        return orders.format.at(orders.instant).print(orders.next(), orders.target, 0);
    }

    /** With a check digit. */
    @Benchmark
    public String seriatimChecked(Orders orders) {
        return orders.checkedOccasion.number(orders.next());
    }

    /** The number alone, the occasion is known. */
    @Benchmark
    public String seriatimKnownOccasion(Orders orders) {
        return orders.occasion.number(orders.next());
    }
}
