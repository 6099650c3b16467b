package io.seriatim.verification;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;

/** Appends events to a history file. Safe for use by many threads: what one adds is behind all that was added. */
final class HistoryWriter implements AutoCloseable {

    private final BufferedWriter out;
    private long calls;

    private HistoryWriter(BufferedWriter out) {
        this.out = out;
    }

    static HistoryWriter create(Path file) throws IOException {
        return new HistoryWriter(Files.newBufferedWriter(file));
    }

    synchronized void add(HistoryEvent event) {
        try {
            out.write(HistoryFormat.line(event));
            out.write('\n');
            if (!(event instanceof HistoryEvent.Invoked || event instanceof HistoryEvent.Answered)) {
                out.flush();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Adds a call and returns its number. */
    synchronized long addCall(int process, String sequence, HistoryEvent.Wish wish, long count, Optional<String> key) {
        long call = ++calls;
        add(new HistoryEvent.Invoked(call, process, sequence, wish, count, key));
        return call;
    }

    /** Adds a change and returns its number, which is one of those of the calls. */
    synchronized long addChange(int process, String sequence, HistoryEvent.Change change, OptionalLong value) {
        long call = ++calls;
        add(new HistoryEvent.Changing(call, process, sequence, change, value));
        return call;
    }

    @Override
    public synchronized void close() throws IOException {
        out.close();
    }
}
