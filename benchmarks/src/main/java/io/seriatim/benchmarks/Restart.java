package io.seriatim.benchmarks;

import io.seriatim.SystemEnvironment;
import io.seriatim.eventlog.ReplayProgress;
import io.seriatim.eventlog.Sequencer;
import io.seriatim.eventlog.SequencerSettings;
import io.seriatim.rocksdb.RocksDbStore;
import io.seriatim.store.EventHeader;
import io.seriatim.store.LogEvent;
import io.seriatim.store.LogOutcome;
import io.seriatim.store.NumberRows;
import io.seriatim.store.PartitionKey;
import io.seriatim.store.PartitionStore;
import io.seriatim.store.WriteMode;
import io.seriatim.store.WriterMark;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * How long a sequencer over RocksDB takes until it gives numbers: with the stored numbers 500 events behind, and with the
 * whole log to read; and what it then has in memory.
 *
 * <p>Arguments: a folder on the disk that is to be measured; then pairs, events/workspaces (default 10000/10000
 * 1000000/10000 10000000/10000 1000/1000 100000/100000). Of events/workspaces/stored the log is not read whole: the
 * numbers are stored while it is written, as a sequencer does (default 10000000/10000000/stored).
 */
final class Restart {

    private static final List<String> USUAL = List.of(
            "10000/10000", "1000000/10000", "10000000/10000", "1000/1000", "100000/100000", "10000000/10000000/stored");
    private static final PartitionKey PARTITION = new PartitionKey(1, 0);
    private static final int TAIL = 500;
    private static final int GROUP = 64;
    private static final int ROUNDS = 5;
    private static final byte[] BODY = new byte[100];
    private static final Duration LONG = Duration.ofMinutes(30);

    private final Path folder;
    private final int workspaces;
    private final boolean stored;
    private final SystemEnvironment environment = new SystemEnvironment();
    private long offset = 1;

    private Restart(Path folder, int workspaces, boolean stored) {
        this.folder = folder;
        this.workspaces = workspaces;
        this.stored = stored;
    }

    public static void main(String[] arguments) {
        Path near = Path.of(arguments[0]);
        List<String> pairs = arguments.length > 1 ? List.of(arguments).subList(1, arguments.length) : USUAL;
        PrintStream out = System.out;
        out.println("| events | workspaces | append, events/s | whole log, ms | ns an event | tail of 500, median ms "
                + "| whole / tail | heap MB |");
        out.println("|---|---|---|---|---|---|---|---|");
        for (String pair : pairs) {
            String[] parts = pair.split("/", 3);
            Path folder = near.resolve("restart-" + parts[0] + "-" + parts[1]);
            boolean stored = parts.length == 3 && parts[2].equals("stored");
            new Restart(folder, Integer.parseInt(parts[1]), stored).run(Integer.parseInt(parts[0]), out);
        }
    }

    private void run(int events, PrintStream out) {
        long begin = System.nanoTime();
        try (RocksDbStore store = RocksDbStore.open(folder)) {
            append(store.eventLog().partition(PARTITION), events, stored);
        }
        double rate = events * 1e9 / (System.nanoTime() - begin);
        double wholeMillis = stored ? Double.NaN : untilReady(false);
        List<Double> tails = new ArrayList<>();
        for (int round = 0; round < ROUNDS; round++) {
            try (RocksDbStore store = RocksDbStore.open(folder)) {
                append(store.eventLog().partition(PARTITION), TAIL, false);
            }
            tails.add(untilReady(false));
        }
        double heap = untilReady(true);
        tails.sort(Double::compare);
        double tail = tails.get(ROUNDS / 2);
        out.printf(
                Locale.ROOT,
                "| %,d | %,d | %,.0f | %,.1f | %.0f | %.2f | %,.0f | %.1f |%n",
                events,
                workspaces,
                rate,
                wholeMillis,
                wholeMillis * 1e6 / events,
                tail,
                wholeMillis / tail,
                heap);
        environment.close();
    }

    private void append(PartitionStore partition, int events, boolean store) {
        long epoch = partition.take();
        for (int done = 0; done < events; done += GROUP) {
            List<LogEvent> group = new ArrayList<>(GROUP);
            for (int i = done; i < Math.min(events, done + GROUP); i++) {
                group.add(event(epoch));
            }
            if (!(partition.append(epoch, WriteMode.INSERT_IF_ABSENT, group) instanceof LogOutcome.Applied)) {
                throw new IllegalStateException("an append was not applied");
            }
            if (store && !(partition.writeNumbers(epoch, new Drawn(group), offset) instanceof LogOutcome.Applied)) {
                throw new IllegalStateException("numbers were not stored");
            }
        }
    }

    /** The numbers of a group, as the sequencer would store them. */
    private record Drawn(List<LogEvent> group) implements NumberRows {

        @Override
        public int size() {
            return group.size();
        }

        @Override
        public long workspace(int row) {
            return group.get(row).header().workspace();
        }

        @Override
        public int kind(int row) {
            return 1;
        }

        @Override
        public int count(int row) {
            return 2;
        }

        @Override
        public int sequence(int row, int place) {
            return group.get(row).header().sequences()[place];
        }

        @Override
        public long value(int row, int place) {
            return group.get(row).header().values()[place];
        }
    }

    private LogEvent event(long epoch) {
        long workspace = offset % workspaces;
        long number = 1 + offset / workspaces;
        EventHeader header = new EventHeader(
                workspace, 1, new WriterMark(1, offset), "", new int[] {0, Transactions.RECORD_ID}, new long[] {
                    number, 200_000 + number
                });
        return new LogEvent(offset++, epoch, header, BODY);
    }

    /** Milliseconds until numbers are given; or the heap in use then, in MB. */
    private double untilReady(boolean wantHeap) {
        try (RocksDbStore store = RocksDbStore.open(folder)) {
            long begin = System.nanoTime();
            try (Sequencer sequencer = Sequencer.on(
                    store.eventLog().partition(PARTITION),
                    List.of(Transactions.KIND),
                    SequencerSettings.usual(),
                    environment)) {
                sequencer.start(1, 0, LONG).orThrow().discard();
                double millis = (System.nanoTime() - begin) / 1e6;
                ReplayProgress replay = sequencer.state().replay();
                if (!replay.done()) {
                    throw new IllegalStateException("not replayed: " + replay);
                }
                return wantHeap ? heapMegabytes() : millis;
            }
        }
    }

    private static double heapMegabytes() {
        System.gc();
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        return (runtime.totalMemory() - runtime.freeMemory()) / 1e6;
    }
}
