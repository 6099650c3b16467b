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
            if (last >= 0 && runs.get(last).adjoins(run) && fits(runs.get(last), run)) {
                runs.set(last, runs.get(last).join(run));
            } else {
                runs.add(run);
            }
        }
    }

    private static boolean fits(Run a, Run b) {
        return a.block().count() <= Long.MAX_VALUE - b.block().count();
    }

    boolean isComplete() {
        return switch (shape) {
            case ACROSS_WRAPS -> total() >= count;
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
        for (Run run : runs.subList(firstTaken(), runs.size())) {
            if (wanted == 0 || (shape != Shape.ACROSS_WRAPS && !taken.isEmpty())) {
                break;
            }
            long n = Math.min(wanted, run.block().count());
            taken.add(new Run(run.block().head(n), run.before(), run.round()));
            wanted -= n;
        }
        return taken;
    }

    /** What lies behind the values of the call. */
    List<Run> left() {
        List<Run> left = new ArrayList<>();
        long behind = skipped()
                + taken().stream().mapToLong(run -> run.block().count()).sum();
        for (Run run : runs) {
            long n = run.block().count();
            if (behind >= n) {
                behind -= n;
            } else {
                left.add(run.from(behind));
                behind = 0;
            }
        }
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

    private long total() {
        long total = 0;
        for (Run run : runs) {
            long n = run.block().count();
            total = n > Long.MAX_VALUE - total ? Long.MAX_VALUE : total + n;
        }
        return total;
    }
}
