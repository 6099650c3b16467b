package io.seriatim.benchmarks;

import io.seriatim.Contract;
import io.seriatim.SequenceDefinition;
import io.seriatim.Sequences;
import io.seriatim.Statistics;
import io.seriatim.memory.MemoryCounterStore;
import io.seriatim.numbering.Ask;
import io.seriatim.numbering.FormatDefinition;
import io.seriatim.numbering.NumberSequence;
import io.seriatim.numbering.Numbering;
import io.seriatim.numbering.Scope;
import java.io.PrintStream;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.Random;

/**
 * Many counters of one sequence on a store in memory: each gets its first number, then its second, then most calls go to
 * the counters that there is room for and every twentieth to another one. Prints time, memory and what was skipped.
 *
 * <p>Arguments: how many counters (default 1,000,000), how many calls to busy ones (default 2,000,000).
 */
final class ManyCounters {

    private static final int ROOM = 95_000;
    private static final Ask NOON = Ask.NOW.at(Instant.parse("2026-07-09T12:00:00Z"));

    private final MemoryCounterStore store = new MemoryCounterStore();
    private final Sequences sequences = Sequences.on(store);
    private final NumberSequence printed;
    private final PrintStream out = System.out;
    private final byte[] handedOut;
    private long worstNanos;

    private ManyCounters(int counters, Contract contract) {
        handedOut = new byte[counters];
        printed = Numbering.on(sequences)
                .define(
                        "many",
                        SequenceDefinition.ascending().contract(contract),
                        FormatDefinition.of("{scope:customer}-{seq}").scope(Scope.of("customer", 9)));
    }

    public static void main(String[] arguments) {
        int counters = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 1_000_000;
        int busyCalls = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 2_000_000;
        System.out.println(
                "| contract | phase | calls | µs a call | worst ms | open | heap MB | store writes | skipped |");
        System.out.println("|---|---|---|---|---|---|---|---|---|");
        for (Contract contract : new Contract[] {Contract.FAST, Contract.ORDERED}) {
            new ManyCounters(counters, contract).run(busyCalls);
        }
    }

    private void run(int busyCalls) {
        int counters = handedOut.length;
        phase("first number of each", counters, call -> call);
        phase("second number of each", counters, call -> call);
        Random random = new Random(1);
        int busy = Math.min(ROOM, counters - 1);
        phase(
                "most to " + busy + " busy ones",
                busyCalls,
                call -> call % 20 == 0 ? busy + random.nextInt(counters - busy) : random.nextInt(busy));
        sequences.close();
    }

    private interface Choice {
        int counter(int call);
    }

    private void phase(String name, int calls, Choice choice) {
        worstNanos = 0;
        Statistics before = sequences.statistics();
        long begin = System.nanoTime();
        for (int call = 0; call < calls; call++) {
            next(choice.counter(call));
        }
        double micros = (System.nanoTime() - begin) / 1e3 / calls;
        Statistics after = sequences.statistics();
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        out.println(String.format(
                Locale.ROOT,
                "| %s | %s | %,d | %.1f | %.1f | %,d | %,d | %,d | %,d |",
                printed.sequence().definition().options().get("contract"),
                name,
                calls,
                micros,
                worstNanos / 1e6,
                after.openSequences(),
                (runtime.totalMemory() - runtime.freeMemory()) >> 20,
                after.storeWrites() - before.storeWrites(),
                after.skipped() - before.skipped()));
        out.flush();
    }

    /** Takes a number, which must be the one behind the last of its counter. */
    private void next(int counter) {
        long begin = System.nanoTime();
        long value = printed.next(NOON.in(Map.of("customer", Integer.toString(counter))))
                .value();
        worstNanos = Math.max(worstNanos, System.nanoTime() - begin);
        handedOut[counter]++;
        if ((byte) value != handedOut[counter]) {
            throw new IllegalStateException("customer " + counter + " got " + value);
        }
    }
}
