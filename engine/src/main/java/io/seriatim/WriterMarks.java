package io.seriatim;

import io.seriatim.store.WriterMark;
import java.util.concurrent.atomic.AtomicLong;

/** Gives every write of one engine its own mark. */
final class WriterMarks {

    private final long writer;
    private final AtomicLong writes = new AtomicLong();

    WriterMarks(long writer) {
        this.writer = writer;
    }

    /** The name of the engine among those that share a store. */
    String node() {
        return Holders.nodeOf(writer);
    }

    WriterMark next() {
        return new WriterMark(writer, writes.incrementAndGet());
    }
}
