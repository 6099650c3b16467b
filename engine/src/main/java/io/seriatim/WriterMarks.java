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

    WriterMark next() {
        return new WriterMark(writer, writes.incrementAndGet());
    }
}
