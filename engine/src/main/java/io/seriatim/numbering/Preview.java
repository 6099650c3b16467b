package io.seriatim.numbering;

import io.seriatim.ErrorCode;
import io.seriatim.NumberRefusedException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The numbers that a format prints in one period, from the first to the last, without a store and without taking any.
 * Immutable; {@link NumberFormat#preview} makes it.
 */
public final class Preview {

    private final NumberFormat format;
    private final Occasion occasion;

    private Preview(NumberFormat format, Occasion occasion) {
        this.format = format;
        this.occasion = occasion;
    }

    static Preview at(NumberFormat format, Instant instant) {
        return new Preview(format, format.at(instant, format.exampleScope()));
    }

    public Period period() {
        return occasion.period();
    }

    /** A value for each scope, made up for the examples. */
    public Map<String, String> scope() {
        return occasion.scopes();
    }

    /** How many numbers the period has less one: from the first to the last by the increment. */
    private long steps() {
        ValueRange values = format.values();
        long limit = values.increment() > 0 ? format.greatest() : format.least();
        return (limit - values.start()) / values.increment();
    }

    private PrintedNumber after(long steps) {
        ValueRange values = format.values();
        long value = values.start() + steps * values.increment();
        return new PrintedNumber(value, occasion.number(value), occasion.period());
    }

    /**
     * The number that comes at a place.
     *
     * @param place from 1, which is the first number's
     * @return nothing if the counter is exhausted before
     */
    public Optional<PrintedNumber> nth(long place) {
        if (place < 1) {
            throw new IllegalArgumentException("place must be at least 1: place=" + place);
        }
        return place - 1 <= steps() ? Optional.of(after(place - 1)) : Optional.empty();
    }

    /** The first numbers, as many as wished for or as there are. */
    public List<PrintedNumber> first(int count) {
        List<PrintedNumber> numbers = new ArrayList<>();
        for (int place = 1; place <= count && place - 1 <= steps(); place++) {
            numbers.add(after(place - 1));
        }
        return numbers;
    }

    /** The number after which the counter is exhausted. */
    public PrintedNumber last() {
        return after(steps());
    }

    /** The numbers of the period that follows; nothing where the counter never starts again or no date follows. */
    public Optional<Preview> next() {
        return format.after(period()).flatMap(this::atTheStartOf);
    }

    private Optional<Preview> atTheStartOf(Period period) {
        try {
            return Optional.of(at(format, format.startOf(period)));
        } catch (NumberRefusedException e) {
            if (e.code() != ErrorCode.DATE_OUT_OF_RANGE) {
                throw e;
            }
            return Optional.empty(); // such as 2100 for a year of two digits
        }
    }
}
