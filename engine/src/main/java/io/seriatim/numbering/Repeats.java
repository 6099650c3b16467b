package io.seriatim.numbering;

import java.time.LocalDate;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Finds numbers that would be handed out twice. */
final class Repeats {

    private static final int TRIES = 3_000;
    private static final int TRIES_A_DAY = 40;

    /** Days whose digits invite fields to run into each other. */
    private static final List<LocalDate> DAYS = List.of(
            LocalDate.of(2026, 1, 1),
            LocalDate.of(2011, 11, 11),
            LocalDate.of(2022, 2, 22),
            LocalDate.of(2020, 2, 2),
            LocalDate.of(2010, 10, 10),
            LocalDate.of(2012, 12, 12),
            LocalDate.of(2001, 10, 1));

    private Repeats() {}

    /** Two numbers with one text. */
    record Repeat(Reader.Origin one, Reader.Origin other) {

        String text() {
            return one.occasion().number(one.value());
        }

        String message() {
            return text() + " is the number of " + described(one) + " and of " + described(other);
        }
    }

    /** Two readings of one text by one layout or by two; they differ in value, period or scope values. */
    static Optional<Repeat> example(Layout one, Layout other, boolean anyReading) {
        Optional<Repeat> plain = withGivenDays(one, other, anyReading);
        if (plain.isPresent()) {
            return plain;
        }
        Map<String, Integer> names = new HashMap<>();
        Overlap overlap =
                new Overlap(new Slots(one, one.fields(), names), new Slots(other, other.fields(), names), anyReading);
        return tried(one, other, overlap, TRIES, anyReading);
    }

    /** With days that exist for certain: the digits of a date rarely form one by chance, and look odd. */
    private static Optional<Repeat> withGivenDays(Layout one, Layout other, boolean anyReading) {
        for (LocalDate first : DAYS) {
            for (LocalDate second : DAYS) {
                Optional<Repeat> example = tried(one, other, first, second, anyReading);
                if (example.isPresent()) {
                    return example;
                }
            }
        }
        return Optional.empty();
    }

    private static Optional<Repeat> tried(
            Layout one, Layout other, LocalDate first, LocalDate second, boolean anyReading) {
        if (!one.canPrint(Moment.startOf(first)) || !other.canPrint(Moment.startOf(second))) {
            return Optional.empty();
        }
        Map<String, Integer> names = new HashMap<>();
        Overlap overlap = new Overlap(on(first, one, names), on(second, other, names), anyReading);
        return tried(one, other, overlap, TRIES_A_DAY, anyReading);
    }

    /** The texts of a layout on one day. */
    private static Slots on(LocalDate day, Layout layout, Map<String, Integer> names) {
        return new Slots(
                layout.fields(),
                names,
                field -> field instanceof Field.Dated dated
                        ? List.of(digits(dated.part(), day, layout))
                        : field.chains(layout));
    }

    private static Field.Chain digits(DatePart part, LocalDate day, Layout layout) {
        StringBuilder text = new StringBuilder();
        part.append(text, part.valueOf(Moment.startOf(day), layout.periods()));
        List<CharacterSet> digits = text.chars().mapToObj(CharacterSet::of).toList();
        return new Field.Chain(digits, digits.size());
    }

    private static Optional<Repeat> tried(Layout one, Layout other, Overlap overlap, int tries, boolean anyReading) {
        if (!overlap.exists()) {
            return Optional.empty();
        }
        Reader readerOfOne = new Reader(one);
        Reader readerOfOther = new Reader(other);
        for (int seed = 0; seed < tries; seed++) {
            Optional<Overlap.Example> example = overlap.example(seed);
            if (example.isEmpty()) {
                continue;
            }
            String text = example.get().text();
            Optional<Reader.Origin> first = readerOfOne.read(text, example.get().fieldsOfOne());
            Optional<Reader.Origin> second = first.isEmpty()
                    ? first
                    : readerOfOther.read(text, example.get().fieldsOfOther());
            if (second.isPresent() && (anyReading || !same(first.get(), second.get()))) {
                return Optional.of(new Repeat(first.get(), second.get()));
            }
        }
        return Optional.empty();
    }

    private static boolean same(Reader.Origin one, Reader.Origin other) {
        return one.value() == other.value()
                && one.occasion()
                        .period()
                        .key()
                        .equals(other.occasion().period().key())
                && one.occasion().scopes().equals(other.occasion().scopes());
    }

    private static String described(Reader.Origin origin) {
        StringBuilder text = new StringBuilder("value ").append(origin.value());
        if (!origin.occasion().period().key().isEmpty()) {
            text.append(" in ").append(origin.occasion().period().key());
        }
        if (!origin.occasion().scopeKey().isEmpty()) {
            text.append(" with ").append(origin.occasion().scopeKey());
        }
        return text.toString();
    }
}
