package io.seriatim;

import io.seriatim.store.Change;
import io.seriatim.store.CounterKey;
import io.seriatim.store.CounterRow;
import io.seriatim.store.CounterStore;
import io.seriatim.store.StoreException;
import io.seriatim.store.WriteOutcome;

/**
 * Tells the other nodes that share a store that some sequence was changed, or is about to be, and hears it from them.
 *
 * <p>Calls the store on the caller's thread and waits for it.
 */
final class Notices {

    /*
     * A node with a block must learn within a second or so that the sequence was changed elsewhere. Were each node
     * to read the rows of all sequences that it holds blocks of, that would be thousands of reads a second for
     * nothing. So there is one row whose revision rises with each such change; a node reads that alone, and only when
     * it has risen looks at its sequences.
     *
     * The notice is posted after the change, so whoever has seen the notice finds the change. A post that is refused
     * is done all the same: somebody else's was written after ours was begun, and so after our change.
     *
     * A lost notice loses nothing but time: holders compare the generation when they take their next block.
     */

    /** Sequence id 0 belongs to no sequence. */
    static final CounterKey KEY = new CounterKey(0, "", "notices");

    private final CounterStore store;
    private final WriterMarks marks;
    /** A notice is still to be written. */
    private volatile boolean owed;
    /** Of the notice last heard; used by one thread at a time, the one that looks. */
    private volatile long seenRevision;

    Notices(CounterStore store, WriterMarks marks) {
        this.store = store;
        this.marks = marks;
    }

    /** Posts a notice; if the store fails, with the next look. */
    void post() {
        owed = store.isShared();
        try {
            postOwed();
        } catch (StoreException e) {
            owed = true; // the store has counted its failure, and the next look tries again
        }
    }

    /**
     * The debt is taken before the revision is read: whoever runs up another one meanwhile posts it too, and nobody's
     * is paid by a write that was begun before it.
     */
    private void postOwed() {
        if (!owed) {
            return;
        }
        owed = false;
        boolean posted = false;
        try {
            CounterRow row = new CounterRow(KEY, 1, 0, 0, false, revision() + 1, marks.next());
            posted = !(store.apply(Change.of(row)) instanceof WriteOutcome.Unknown);
        } finally {
            if (!posted) {
                owed = true;
            }
        }
    }

    /**
     * Does what is to be done if there are new notices.
     *
     * @param meet must throw if it could not do all of it: then it is done again after the next look
     */
    void look(Runnable meet) {
        postOwed();
        long revision = revision();
        if (revision != seenRevision) {
            meet.run();
            seenRevision = revision;
        }
    }

    private long revision() {
        return store.findCounter(KEY).map(CounterRow::revision).orElse(0L);
    }
}
