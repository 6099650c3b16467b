package io.seriatim.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is read from files, and read again when they change while the server runs.
 *
 * @param <T> what is made of them
 */
final class ReloadedFiles<T> implements Supplier<T> {

    /*
     * The bytes are compared and not the times: a file may be replaced within the clock's step, or by an older
     * one. Two files that belong together are not replaced at one moment. So what does not fit is told once, the
     * old stays in use, and the next look may find the rest. A file that has gone is no reason to forget what it
     * held; an empty one is what it says.
     */

    private static final Logger LOG = LoggerFactory.getLogger(ReloadedFiles.class);

    /** Larger than a long chain of certificates, or a thousand tokens with many names. */
    private static final long MOST_BYTES = 1 << 20;

    private final String what;
    private final List<Path> files;
    private final Function<List<byte[]>, T> reader;

    private List<byte[]> seen;
    private volatile T current;

    /**
     * Reads the files for the first time.
     *
     * @param what they hold, for the log
     * @param reader throws {@link Refusal} if they hold something else
     * @throws Refusal if they cannot be read
     */
    ReloadedFiles(String what, List<Path> files, Function<List<byte[]>, T> reader) {
        this.what = what;
        this.files = files;
        this.reader = reader;
        this.seen = bytes();
        this.current = reader.apply(seen);
    }

    /** What the files held when they last could be read. */
    @Override
    public T get() {
        return current;
    }

    /** Looks whether the files have changed. For one thread. */
    void look() {
        List<byte[]> now;
        try {
            now = bytes();
        } catch (Refusal e) {
            now = List.of(); // like a change that cannot be read
        }
        if (isSame(seen, now)) {
            return;
        }
        seen = now;
        try {
            current = reader.apply(now.isEmpty() ? bytes() : now);
            LOG.info("{} read again", what);
        } catch (Refusal e) {
            LOG.error(
                    "{} stays as it was, because the changed file cannot be used: {}",
                    what,
                    e.problem().detail());
        }
    }

    private List<byte[]> bytes() {
        List<byte[]> all = new ArrayList<>();
        for (Path file : files) {
            try {
                if (Files.size(file) > MOST_BYTES) {
                    throw new Refusal(Problem.badRequest(file + " has more than " + MOST_BYTES + " bytes"));
                }
                all.add(Files.readAllBytes(file));
            } catch (IOException e) {
                throw new Refusal(Problem.badRequest(file + " cannot be read"));
            }
        }
        return all;
    }

    private static boolean isSame(List<byte[]> some, List<byte[]> others) {
        if (some.size() != others.size()) {
            return false;
        }
        for (int i = 0; i < some.size(); i++) {
            if (!Arrays.equals(some.get(i), others.get(i))) {
                return false;
            }
        }
        return true;
    }
}
