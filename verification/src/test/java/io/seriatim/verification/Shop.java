package io.seriatim.verification;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.seriatim.eventlog.Sequencer;
import io.seriatim.eventlog.SequencingTransaction;
import io.seriatim.eventlog.WorkspaceKind;
import io.seriatim.rocksdb.RocksDbStore;
import io.seriatim.store.LogEvent;
import io.seriatim.store.LogOutcome;
import io.seriatim.store.PartitionKey;
import io.seriatim.store.PartitionStore;
import io.seriatim.store.WriteMode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A small shop: the orders of two branches go into one log, 16 of them with one sync. */
final class Shop {
    private static final WorkspaceKind BRANCH = WorkspaceKind.of(1).with(1, 200_001); // with a sequence 1

    public static void main(String[] arguments) {
        try (RocksDbStore store = RocksDbStore.open(Path.of(arguments[0]))) {
            PartitionStore log = store.eventLog().partition(new PartitionKey(1, 0));
            try (Sequencer sequencer = Sequencer.on(log, List.of(BRANCH))) {
                start(sequencer, 0).discard(); // a transaction starts once the log is read
                System.out.println("actualized: " + sequencer.state().replay());
                for (int group = Integer.parseInt(arguments[1]); group > 0; group--) {
                    System.out.println(takeOrders(sequencer, log));
                }
            }
        }
    }

    private static String takeOrders(Sequencer sequencer, PartitionStore log) {
        List<LogEvent> events = new ArrayList<>();
        for (int i = 0; i < 15; i++) {
            SequencingTransaction order = start(sequencer, i % 2);
            events.add(draw(order));
            var unused = order.seal(); // the next one may start before this one is durable
        }
        try (SequencingTransaction last = start(sequencer, 1)) {
            events.add(draw(last));
            if (log.append(last.epoch(), WriteMode.INSERT_IF_ABSENT, events) instanceof LogOutcome.Applied) {
                var unused = last.flush(); // for all 16
                return events.get(15).offset() + ": "
                        + new String(events.get(15).body(), UTF_8);
            }
            throw new IllegalStateException("nobody knows whether they are written"); // close() actualizes
        }
    }

    private static SequencingTransaction start(Sequencer sequencer, long branch) {
        return sequencer.start(BRANCH.id(), branch, Duration.ofSeconds(10)).orThrow();
    }

    private static LogEvent draw(SequencingTransaction order) {
        return order.event(("order " + order.next(1)).getBytes(UTF_8));
    }
}
