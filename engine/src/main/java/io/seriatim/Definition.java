package io.seriatim;

import java.util.Collections;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/** A definition with every option decided and all rules checked; whoever holds one need not ask again. */
record Definition(
        Contract contract,
        ValueType type,
        long start,
        long min,
        long max,
        long increment,
        boolean cycle,
        OptionalLong cache,
        OptionalLong warnAt,
        SortedMap<String, String> format) {

    /*
     * The rules and their order are those of PostgreSQL 15's CREATE and ALTER SEQUENCE: the type bounds min
     * and max but not the increment; changing the type moves a limit only if it was the old type's; turning
     * the direction leaves the limits alone. Three things are ours: a cache may be "auto", an option may be taken
     * back to its default (PostgreSQL can do that for min and max only), and there is warnAt.
     *
     * With a format values become numbers that people read: contract ordered unless another one is given, from 1 on,
     * never below 0, and never twice, so no cycle. The format itself is checked by whoever prints.
     */

    private static final String POLICY = "format.policy";
    private static final String RESERVATION_SECONDS = "format.reservationSeconds";
    private static final String USUAL_POLICY = "relaxed";
    private static final String USUAL_RESERVATION_SECONDS = "600";

    Definition {
        format = Collections.unmodifiableSortedMap(withUsual(contract, format));
        if (!format.isEmpty() && cycle) {
            throw bad(SequenceDefinition.CYCLE, "a sequence with a format must not cycle");
        }
        if (format.isEmpty() && contract == Contract.GAPLESS) {
            throw bad(
                    SequenceDefinition.CONTRACT,
                    "contract gapless needs a format, for it accounts for every number; \"{seq}\" prints the plain value");
        }
        if (warnAt.isPresent() && warnAt.getAsLong() < 1) {
            throw bad(SequenceDefinition.WARN_AT, "warnAt must be at least 1: warnAt=" + warnAt.getAsLong());
        }
        if (warnAt.isPresent() && cycle) {
            throw bad(SequenceDefinition.WARN_AT, "warnAt must not be given with cycle, which does not end");
        }
        if (!format.isEmpty() && min < 0) {
            throw bad(SequenceDefinition.MIN, "min must be at least 0 with a format: min=" + min);
        }
    }

    /** What is in force where nothing was given is said too; rows of before leave it out. */
    private static SortedMap<String, String> withUsual(Contract contract, SortedMap<String, String> format) {
        SortedMap<String, String> all = new TreeMap<>(format);
        if (contract == Contract.GAPLESS && !format.isEmpty()) {
            all.putIfAbsent(POLICY, USUAL_POLICY);
            all.putIfAbsent(RESERVATION_SECONDS, USUAL_RESERVATION_SECONDS);
        }
        return all;
    }

    /** The definition that a new sequence gets. */
    static Definition of(SequenceDefinition wish) {
        SortedMap<String, String> format = merged(new TreeMap<>(), wish);
        boolean printed = !format.isEmpty();
        Contract contract = wish.contract().orElse(usualContract(printed));
        ValueType type = wish.type().orElse(ValueType.BIGINT);
        long increment =
                checkedIncrement(wish.number(SequenceDefinition.INCREMENT).orElse(1));
        boolean up = increment > 0;
        long max = checkedLimit(
                type,
                SequenceDefinition.MAX,
                wish.number(SequenceDefinition.MAX).orElse(usualMax(type, up, printed)));
        long min = checkedLimit(
                type,
                SequenceDefinition.MIN,
                wish.number(SequenceDefinition.MIN).orElse(usualMin(type, up, printed)));
        checkOrder(min, max);
        long start =
                checkedStart(wish.number(SequenceDefinition.START).orElse(usualStart(min, max, up, printed)), min, max);
        return new Definition(
                contract,
                type,
                start,
                min,
                max,
                increment,
                wish.cycle().orElse(false),
                checkedCache(contract, wish),
                wish.number(SequenceDefinition.WARN_AT),
                format);
    }

    private static Contract usualContract(boolean printed) {
        return printed ? Contract.ORDERED : Contract.FAST;
    }

    private static long usualMax(ValueType type, boolean up, boolean printed) {
        return up || printed ? type.greatest() : -1;
    }

    private static long usualMin(ValueType type, boolean up, boolean printed) {
        return printed ? 0 : up ? 1 : type.least();
    }

    private static long usualStart(long min, long max, boolean up, boolean printed) {
        return !up ? max : printed ? Math.max(1, min) : min;
    }

    private static SortedMap<String, String> merged(SortedMap<String, String> format, SequenceDefinition changes) {
        SortedMap<String, String> merged = new TreeMap<>(format);
        changes.formatOptions().forEach((name, text) -> {
            if (text.isPresent()) {
                merged.put(name, text.get());
            } else {
                merged.remove(name);
            }
        });
        return merged;
    }

    /** This definition with the options that {@code changes} names. */
    Definition altered(SequenceDefinition changes) {
        SortedMap<String, String> newFormat = merged(format, changes);
        boolean printed = !newFormat.isEmpty();
        Contract newContract = changes.names(SequenceDefinition.CONTRACT)
                ? changes.contract().orElse(usualContract(printed))
                : contract;
        ValueType newType =
                changes.names(SequenceDefinition.TYPE) ? changes.type().orElse(ValueType.BIGINT) : type;
        if (newContract != contract && (newContract == Contract.GAPLESS || contract == Contract.GAPLESS)) {
            throw bad(SequenceDefinition.CONTRACT, "contract gapless is for the whole life of a sequence");
        }
        long newIncrement = changes.names(SequenceDefinition.INCREMENT)
                ? checkedIncrement(changes.number(SequenceDefinition.INCREMENT).orElse(1))
                : increment;
        if (newIncrement != increment && contract == Contract.GAPLESS) {
            throw bad(SequenceDefinition.INCREMENT, "contract gapless keeps its increment");
        }
        boolean newCycle =
                changes.names(SequenceDefinition.CYCLE) ? changes.cycle().orElse(false) : cycle;
        boolean up = newIncrement > 0;
        boolean typeChanges = changes.names(SequenceDefinition.TYPE);

        long newMax = max;
        if (changes.names(SequenceDefinition.MAX)) {
            newMax = changes.number(SequenceDefinition.MAX).orElse(usualMax(newType, up, printed));
        } else if (typeChanges && max == type.greatest()) {
            newMax = newType.greatest();
        }
        checkedLimit(newType, SequenceDefinition.MAX, newMax);

        long newMin = min;
        if (changes.names(SequenceDefinition.MIN)) {
            newMin = changes.number(SequenceDefinition.MIN).orElse(usualMin(newType, up, printed));
        } else if (typeChanges && min == type.least()) {
            newMin = newType.least();
        }
        checkedLimit(newType, SequenceDefinition.MIN, newMin);
        checkOrder(newMin, newMax);

        long newStart = changes.names(SequenceDefinition.START)
                ? changes.number(SequenceDefinition.START).orElse(usualStart(newMin, newMax, up, printed))
                : start;
        checkedStart(newStart, newMin, newMax);
        OptionalLong newCache =
                changes.names(SequenceDefinition.CACHE) ? checkedCache(newContract, changes) : kept(newContract);
        OptionalLong newWarnAt =
                changes.names(SequenceDefinition.WARN_AT) ? changes.number(SequenceDefinition.WARN_AT) : warnAt;
        return new Definition(
                newContract, newType, newStart, newMin, newMax, newIncrement, newCycle, newCache, newWarnAt, newFormat);
    }

    /** Whether an account is kept of single numbers: those that people read. */
    boolean keepsLedger() {
        return !format.isEmpty();
    }

    /** What the format says of reservations; of contract gapless. */
    ReservationPolicy reservationPolicy() {
        return ReservationPolicy.of(format.getOrDefault(POLICY, USUAL_POLICY));
    }

    /** How long a reservation is held; of contract gapless. */
    int reservationSeconds() {
        return Integer.parseInt(format.getOrDefault(RESERVATION_SECONDS, USUAL_RESERVATION_SECONDS));
    }

    /** The same as a wish with every option named. */
    SequenceDefinition asWish() {
        return SequenceDefinition.of(options());
    }

    Progression progression() {
        return new Progression(min, max, increment, cycle);
    }

    boolean contains(long value) {
        return min <= value && value <= max;
    }

    /** Every option by its name, as the store keeps it. */
    Map<String, String> options() {
        Map<String, String> options = new TreeMap<>();
        options.put(SequenceDefinition.CONTRACT, contract.text());
        options.put(SequenceDefinition.TYPE, type.text());
        options.put(SequenceDefinition.START, Long.toString(start));
        options.put(SequenceDefinition.MIN, Long.toString(min));
        options.put(SequenceDefinition.MAX, Long.toString(max));
        options.put(SequenceDefinition.INCREMENT, Long.toString(increment));
        options.put(SequenceDefinition.CYCLE, Boolean.toString(cycle));
        if (contract == Contract.FAST) {
            options.put(
                    SequenceDefinition.CACHE,
                    cache.isPresent() ? Long.toString(cache.getAsLong()) : SequenceDefinition.AUTO);
        }
        warnAt.ifPresent(remaining -> options.put(SequenceDefinition.WARN_AT, Long.toString(remaining)));
        options.putAll(format);
        return options;
    }

    private static long checkedIncrement(long increment) {
        if (increment == 0) {
            throw bad(SequenceDefinition.INCREMENT, "increment must not be 0");
        }
        return increment;
    }

    private static long checkedLimit(ValueType type, String option, long limit) {
        if (limit < type.least() || limit > type.greatest()) {
            throw bad(
                    option,
                    option + " must be within type " + type.text() + ", from " + type.least() + " to " + type.greatest()
                            + ": " + option + "=" + limit);
        }
        return limit;
    }

    private static void checkOrder(long min, long max) {
        if (min >= max) {
            throw bad(SequenceDefinition.MIN, "min must be less than max: min=" + min + " max=" + max);
        }
    }

    private static long checkedStart(long start, long min, long max) {
        if (start < min || start > max) {
            throw bad(
                    SequenceDefinition.START,
                    "start must be from min to max: start=" + start + " min=" + min + " max=" + max);
        }
        return start;
    }

    private static OptionalLong checkedCache(Contract contract, SequenceDefinition wish) {
        OptionalLong cache = wish.cache();
        if (contract != Contract.FAST && wish.gives(SequenceDefinition.CACHE)) {
            throw noCache(contract);
        }
        if (cache.isPresent() && cache.getAsLong() < 1) {
            throw bad(SequenceDefinition.CACHE, "cache must be at least 1, or \"auto\": cache=" + cache.getAsLong());
        }
        return cache;
    }

    /** The present cache, if it goes with another contract too. */
    private OptionalLong kept(Contract newContract) {
        if (newContract != Contract.FAST && cache.isPresent()) {
            throw noCache(newContract);
        }
        return cache;
    }

    private static BadDefinitionException noCache(Contract contract) {
        return bad(
                SequenceDefinition.CACHE,
                "cache is an option of contract fast, and must not be given with contract " + contract.text());
    }

    private static BadDefinitionException bad(String option, String message) {
        return new BadDefinitionException(ErrorCode.BAD_OPTION, option, message);
    }
}
