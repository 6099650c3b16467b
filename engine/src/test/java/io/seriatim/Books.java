package io.seriatim;

import static org.assertj.core.api.Assertions.assertThat;

import io.seriatim.LedgerEntry.State;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Checks the ledger of one counter by its entries alone, read one after another. */
final class Books {

    private static final Map<State, Set<State>> STEPS_OF_GAPLESS = Map.of(
            State.RESERVED, EnumSet.of(State.CONFIRMED, State.RELEASED, State.VOIDED),
            State.RELEASED, EnumSet.of(State.RESERVED, State.CONFIRMED, State.VOIDED),
            State.CONFIRMED, EnumSet.of(State.VOIDED),
            State.VOIDED, EnumSet.noneOf(State.class));

    private static final Set<State> BEGINNINGS_OF_GAPLESS = EnumSet.of(State.RESERVED, State.CONFIRMED, State.VOIDED);

    private final Map<Long, List<LedgerEntry>> histories = new TreeMap<>();

    private Books(Sequence counter) {
        for (LedgerEntry entry : counter.ledger(0, Integer.MAX_VALUE)) {
            for (long index = 0; index < entry.values().count(); index++) {
                histories
                        .computeIfAbsent(entry.values().valueAt(index), value -> new ArrayList<>())
                        .add(entry);
            }
        }
    }

    /** The last state of each value, after a look at the chain, and whether what is found of a value is all of it. */
    static Map<Long, State> ofAny(Sequence counter) {
        Books books = new Books(counter);
        assertThat(counter.verify(Optional.empty()).isSound()).isTrue();
        books.histories.forEach((value, history) ->
                assertThat(counter.history(value)).as("history of %s", value).isEqualTo(history));
        return books.states();
    }

    /**
     * The same, for contract gapless: also that no value took a way that there is not, that none is missing, and that
     * the counter row says the same.
     */
    static Map<Long, State> ofGapless(Sequence counter, long first, long increment) {
        Map<Long, State> states = ofAny(counter);
        new Books(counter).histories.forEach(Books::requireSteps);
        assertThat(counter.gaps(false).gaps()).isEmpty();
        for (long i = 0; i < states.size(); i++) {
            assertThat(states).containsKey(first + i * increment);
        }
        CounterState row = counter.counters(Optional.empty(), 1).get(0);
        assertThat(states.values().stream().filter(State.RESERVED::equals)).hasSize(row.open());
        assertThat(states.values().stream().filter(State.RELEASED::equals)).hasSize(row.released());
        return states;
    }

    private static void requireSteps(long value, List<LedgerEntry> history) {
        Set<State> possible = BEGINNINGS_OF_GAPLESS;
        for (LedgerEntry entry : history) {
            assertThat(possible).as("of %s: %s", value, history).contains(entry.state());
            possible = STEPS_OF_GAPLESS.getOrDefault(entry.state(), Set.of());
        }
    }

    private Map<Long, State> states() {
        Map<Long, State> states = new TreeMap<>();
        histories.forEach((value, history) ->
                states.put(value, history.get(history.size() - 1).state()));
        return states;
    }
}
