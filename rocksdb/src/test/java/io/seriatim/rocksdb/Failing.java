package io.seriatim.rocksdb;

import io.seriatim.store.Change;
import io.seriatim.store.CounterKey;
import io.seriatim.store.StoreException;
import io.seriatim.store.WriteOutcome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Supplier;

/** A process whose storage fails while it writes, and that says what the store made of it. */
final class Failing {

    private Failing() {}

    /**
     * Writes until a write is not applied, looks at the store, closes it, and opens it again.
     *
     * @param args folder; length of the answer in each write; a file that is made after the third write, and
     *     deleted before the store is opened again; one that is there and deleted then
     */
    public static void main(String[] args) throws Exception {
        Path folder = Path.of(args[0]);
        String answer = "x".repeat(Integer.parseInt(args[1]));
        Path failFrom = Path.of(args[2]);
        Path reserve = Path.of(args[3]);
        long revision = 0;
        try (RocksDbStore store = RocksDbStore.open(folder)) {
            WriteOutcome outcome = new WriteOutcome.Applied();
            while (outcome instanceof WriteOutcome.Applied && revision < 1_000_000) {
                if (++revision == 4) {
                    Files.createFile(failFrom);
                }
                outcome =
                        store.apply(Change.of(Rows.counter(7, revision)).with(Rows.answer(7, "k" + revision, answer)));
            }
            System.out.println(outcome.getClass().getSimpleName());
            Files.delete(failFrom); // the next write would be well again
            Files.deleteIfExists(reserve);
            long next = revision;
            System.out.println(kind(() -> store.apply(Change.of(Rows.counter(8, 1)))));
            System.out.println(kind(() -> store.apply(Change.of(Rows.counter(7, next)))));
            System.out.println(kind(() -> store.findCounter(CounterKey.of(7))));
            System.out.println(store.failure().map(StoreException::kind).orElseThrow());
        }
        try (RocksDbStore store = RocksDbStore.open(folder)) {
            long found = Rows.revision(store, 7);
            System.out.println(found == revision || found == revision - 1 ? "nothing lost" : found + " of " + revision);
            System.out.println(Rows.revision(store, 8) == 0 ? "nothing invented" : "a refused write is there");
            Rows.write(store, Change.of(Rows.counter(7, found + 1)));
        }
        System.out.println("written on");
    }

    private static String kind(Supplier<Object> call) {
        try {
            return "no error: " + call.get();
        } catch (StoreException e) {
            return e.kind().toString();
        }
    }
}
