package io.seriatim.rocksdb;

import io.seriatim.store.StoreException;
import java.nio.file.Path;

/** A process that opens a store, says what came of it, and keeps it open until its input ends. */
final class Opener {

    private Opener() {}

    /**
     * Opens and waits.
     *
     * @param args the folder
     */
    public static void main(String[] args) throws Exception {
        try (RocksDbStore store = RocksDbStore.open(Path.of(args[0]))) {
            System.out.println("open, revision " + Rows.revision(store, 7));
            System.in.transferTo(System.out);
        } catch (StoreException e) {
            System.out.println(e.kind());
        }
    }
}
