package io.seriatim;

import java.util.ArrayList;
import java.util.List;

/**
 * Puts together the values of one call out of runs that lie one behind the other. Knows no store and no
 * thread.
 */
final class Gathering {

    private final long count;
    private final Shape shape;
    /** In order of issue; neighbours that adjoin are joined. */
    private final List<Run> runs = new ArrayList<>();

    private boolean settled;

    Gathering(List<Run> runs, long count, Shape shape) {
        this.count = count;
        this.shape = shape;
        add(runs);
    }

    void add(List<Run> more) {
        for (Run run : more) {
            int last = runs.size() - 1;
            if (last < 0 || !runs.get(last).adjoins(run)) {
                runs.add(run);
                continue;
            }
            long room = Long.MAX_VALUE - runs.get(last).block().count();
            long joined = Math.min(room, run.block().count());
            if (joined > 0) {
                runs.set(last, runs.get(last).join(run.head(joined)));
            }
            if (joined < run.block().count()) {
                runs.add(run.from(joined));
            }
        }
    }

    boolean isComplete() {
        return switch (shape) {
            case ACROSS_WRAPS, RESERVED -> total() >= count;
            case CONTIGUOUS -> runs.stream().anyMatch(this::isEnough);
            case CONTIGUOUS_OR_SHORTER -> settled || runs.size() > 1 || (runs.size() == 1 && isEnough(runs.get(0)));
        };
    }

    private boolean isEnough(Run run) {
        return run.block().count() >= count;
    }

    /** How many values to take from the store, at least 1; to be asked while incomplete. */
    long missing() {
        if (shape == Shape.ACROSS_WRAPS) {
            return count - total();
        }
        return runs.isEmpty()
                ? count
                : count - runs.get(runs.size() - 1).block().count();
    }

    /** Whether the call can be answered with what is there. */
    boolean mayBeShorter() {
        return shape == Shape.CONTIGUOUS_OR_SHORTER && !runs.isEmpty();
    }

    /** The limit is reached: the values at hand are the answer. */
    void settleForLess() {
        settled = true;
    }

    /** The values of the call. */
    List<Run> taken() {
        List<Run> taken = new ArrayList<>();
        long wanted = count;
        for (Run run : runs.subList(firstTaken(), endTaken())) {
            long n = Math.min(wanted, run.block().count());
            if (n > 0) {
                taken.add(run.head(n));
            }
            wanted -= n;
        }
        return taken;
    }

    /** What lies behind the values of the call. */
    List<Run> left() {
        List<Run> left = new ArrayList<>();
        long wanted = count;
        for (Run run : runs.subList(firstTaken(), endTaken())) {
            long n = Math.min(wanted, run.block().count());
            if (n < run.block().count()) {
                left.add(run.from(n));
            }
            wanted -= n;
        }
        left.addAll(runs.subList(endTaken(), runs.size()));
        return left;
    }

    /** How many values lie before those of the call, in runs too short for it. */
    long skipped() {
        return runs.subList(0, firstTaken()).stream()
                .mapToLong(run -> run.block().count())
                .sum();
    }

    /** All values, to be put back. */
    List<Run> everything() {
        return List.copyOf(runs);
    }

    private int firstTaken() {
        if (shape != Shape.CONTIGUOUS) {
            return 0;
        }
        int index = 0;
        while (!isEnough(runs.get(index))) {
            index++;
        }
        return index;
    }

    /** The values of a contiguous call lie in one run. */
    private int endTaken() {
        return shape == Shape.ACROSS_WRAPS ? runs.size() : firstTaken() + 1;
    }

    private long total() {
        long total = 0;
        for (Run run : runs) {
            long n = run.block().count();
            total = n > Long.MAX_VALUE - total ? Long.MAX_VALUE : total + n;
        }
        return total;
    }
}
