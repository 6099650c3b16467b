package io.seriatim.numbering;

import java.time.temporal.IsoFields;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** A part of a date that a field prints, with digits of a fixed number. */
enum DatePart {
    YEAR(Year.FULL, "yyyy", "####"),
    YEAR2(Year.SHORT, "yy", "##"),
    MONTH("MM", "0[1-9] 1[0-2]"),
    DAY("dd", "0[1-9] [1-2]# 3[0-1]"),
    DOY("DDD", "00[1-9] 0[1-9]# [1-2]## 3[0-5]# 36[0-6]"),
    QUARTER("", "[1-4]"),
    HOUR("HH", "[0-1]# 2[0-3]"),
    MINUTE("mm", "[0-5]#"),
    SECOND("ss", "[0-5]#"),
    ISOYEAR(Year.FULL, "", "####"),
    ISOYEAR2(Year.SHORT, "", "##"),
    ISOWEEK("", "0[1-9] [1-4]# 5[0-3]"),
    FYSTART(Year.FULL, "", "####"),
    FYSTART2(Year.SHORT, "", "##"),
    FYEND(Year.FULL, "", "####"),
    FYEND2(Year.SHORT, "", "##");

    private enum Year {
        NONE,
        FULL,
        SHORT
    }

    private final Year year;
    private final String letters;
    /** What its texts look like: alternatives of digits, {@code #} for any, {@code [a-b]} for some. */
    private final String texts;

    private final int width;

    DatePart(String letters, String texts) {
        this(Year.NONE, letters, texts);
    }

    DatePart(Year year, String letters, String texts) {
        this.year = year;
        this.letters = letters;
        this.texts = texts;
        this.width = texts.split(" ", -1)[0].replaceAll("\\[...]", "#").length();
    }

    List<List<CharacterSet>> texts() {
        List<List<CharacterSet>> all = new ArrayList<>();
        for (String one : texts.split(" ", -1)) {
            List<CharacterSet> digits = new ArrayList<>();
            for (int i = 0; i < one.length(); i++) {
                char c = one.charAt(i);
                if (c == '[') {
                    digits.add(CharacterSet.range(one.charAt(i + 1), one.charAt(i + 3)));
                    i += 4;
                } else {
                    digits.add(c == '#' ? CharacterSet.DIGITS : CharacterSet.of(c));
                }
            }
            all.add(List.copyOf(digits));
        }
        return List.copyOf(all);
    }

    /** The field of a template by its name: {@code year}, or {@code year2} for {@code year:2}. */
    static Optional<DatePart> ofField(String name) {
        for (DatePart part : values()) {
            if (part.fieldName().equals(name)) {
                return Optional.of(part);
            }
        }
        return Optional.empty();
    }

    /** The part that a run of one letter means in a date pattern. */
    static Optional<DatePart> ofLetters(String run) {
        for (DatePart part : values()) {
            if (!run.isEmpty() && part.letters.equals(run)) {
                return Optional.of(part);
            }
        }
        return Optional.empty();
    }

    private String fieldName() {
        return name().toLowerCase(Locale.ROOT);
    }

    int width() {
        return width;
    }

    boolean isTimeOfDay() {
        return this == HOUR || this == MINUTE || this == SECOND;
    }

    /** How long its text stays the same at least, in seconds. */
    int unitSeconds() {
        return switch (this) {
            case HOUR -> 3_600;
            case MINUTE -> 60;
            case SECOND -> 1;
            default -> Moment.SECONDS_OF_DAY;
        };
    }

    /** The same part with all its digits; two parts of one kind have one value. */
    DatePart full() {
        return switch (this) {
            case YEAR2 -> YEAR;
            case ISOYEAR2 -> ISOYEAR;
            case FYSTART2 -> FYSTART;
            case FYEND2 -> FYEND;
            default -> this;
        };
    }

    /** The value before it is cut to its digits. */
    int valueOf(Moment moment, PeriodRule rule) {
        return switch (this) {
            case YEAR, YEAR2 -> moment.date().getYear();
            case MONTH -> moment.date().getMonthValue();
            case DAY -> moment.date().getDayOfMonth();
            case DOY -> moment.date().getDayOfYear();
            case QUARTER -> (moment.date().getMonthValue() + 2) / 3;
            case HOUR -> moment.secondOfDay() / 3_600;
            case MINUTE -> moment.secondOfDay() / 60 % 60;
            case SECOND -> moment.secondOfDay() % 60;
            case ISOYEAR, ISOYEAR2 -> moment.date().get(IsoFields.WEEK_BASED_YEAR);
            case ISOWEEK -> moment.date().get(IsoFields.WEEK_OF_WEEK_BASED_YEAR);
            case FYSTART, FYSTART2 -> rule.fiscalYearOf(moment.date());
            case FYEND, FYEND2 ->
                rule.lastDayOfFiscalYear(rule.fiscalYearOf(moment.date())).getYear();
        };
    }

    /** Whether its digits say which value it is. */
    boolean canPrint(int value) {
        return switch (year) {
            case NONE -> true;
            case FULL -> value >= 0 && value <= 9_999;
            case SHORT -> value >= 2_000 && value <= 2_099;
        };
    }

    /** Appends a value that {@link #canPrint can be printed}. */
    void append(StringBuilder text, int value) {
        int power = 1;
        for (int i = 1; i < width; i++) {
            power *= 10;
        }
        for (; power > 0; power /= 10) {
            text.append((char) ('0' + value / power % 10));
        }
    }

    /** The value that its digits stand for. */
    int read(String digits) {
        return Integer.parseInt(digits) + (year == Year.SHORT ? 2_000 : 0);
    }
}
