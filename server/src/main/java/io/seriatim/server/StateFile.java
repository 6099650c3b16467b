package io.seriatim.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.seriatim.store.RowVisitor;
import io.seriatim.store.StoreException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The rows of a store in a file, a line each.
 *
 * @param exported when the rows were read
 * @param last whether the store that they are of hands out nothing any more
 * @param kinds what there is of each kind
 */
record StateFile(Path path, Instant exported, boolean last, Map<String, StateTally.Kind> kinds) {

    /*
     *     {"seriatim":"state","format":2,"exported":"2026-11-29T03:40:00Z","final":true}
     *     {"definition":{"name":"orders",…}}                       a row each, in no order
     *     {"counter":{"sequence":7,…}}
     *     {"end":{"counter":{"count":1,"digest":"9f86…"},…,"digest":"1b4f…"}}
     *
     * The last line has the count and the digest of each kind, and the SHA-256 of all bytes before it. Written under the
     * name with .part behind it, forced, and renamed. Read twice: once to its end, with every digest, and then by whoever
     * takes the rows, who compares once more.
     */

    private static final int FORMAT = 2;

    /** Far beyond any row; a file without line ends is not one of these. */
    private static final int MAX_LINE_BYTES = 256 << 20;

    private static final String BEGIN = "{\"seriatim\":\"state\"";

    // ---- writing

    /**
     * Writes the rows of a store.
     *
     * @param rows shows a visitor every row
     * @throws FileAlreadyExistsException if there is a file of this name, or another process is writing it
     */
    static StateFile write(Path path, Instant exported, boolean last, Consumer<RowVisitor> rows) throws IOException {
        StateTally tally = new StateTally();
        try (PartFile part = PartFile.begin(path, BEGIN.getBytes(UTF_8))) {
            Lines lines = new Lines(part.channel());
            lines.add(Json.object(out -> {
                out.writeStringProperty("seriatim", "state");
                out.writeNumberProperty("format", FORMAT);
                out.writeStringProperty("exported", exported.toString());
                out.writeBooleanProperty("final", last);
            }));
            rows.accept(new Writer(lines, tally));
            lines.add(end(tally.kinds(), lines.digest()));
            lines.flush();
            part.finish();
        } catch (UncheckedIOException e) {
            throw Objects.requireNonNull(e.getCause());
        }
        return new StateFile(path, exported, last, tally.kinds());
    }

    private static String end(Map<String, StateTally.Kind> kinds, String digest) {
        return Json.object(out -> {
            out.writeObjectPropertyStart("end");
            kinds.forEach((kind, of) -> {
                out.writeObjectPropertyStart(kind);
                out.writeNumberProperty("count", of.count());
                out.writeStringProperty("digest", of.digest());
                out.writeEndObject();
            });
            out.writeStringProperty("digest", digest);
            out.writeEndObject();
        });
    }

    /** Lines on their way into a file, and the digest of those before. */
    private static final class Lines {

        private static final int FULL = 1 << 16;

        private final FileChannel file;
        private final MessageDigest digest = StateTally.sha256();
        private final ByteArrayOutputStream waiting = new ByteArrayOutputStream();

        Lines(FileChannel file) {
            this.file = file;
        }

        void add(String line) throws IOException {
            byte[] bytes = (line + "\n").getBytes(UTF_8);
            digest.update(bytes);
            waiting.writeBytes(bytes);
            if (waiting.size() >= FULL) {
                flush();
            }
        }

        /** To be asked once, before the last line. */
        String digest() {
            return HexFormat.of().formatHex(digest.digest());
        }

        void flush() throws IOException {
            ByteBuffer bytes = ByteBuffer.wrap(waiting.toByteArray());
            while (bytes.hasRemaining()) {
                file.write(bytes);
            }
            waiting.reset();
        }
    }

    private static final class Writer extends StateRows {

        private final Lines lines;
        private final StateTally tally;

        Writer(Lines lines, StateTally tally) {
            this.lines = lines;
            this.tally = tally;
        }

        @Override
        void add(StateRow row) {
            tally.add(row);
            try {
                lines.add(row.line());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void damaged(String where, String what) {
            tally.damaged(where, what);
        }
    }

    // ---- reading

    /**
     * Reads a file to its end.
     *
     * @throws StoreException CORRUPT if it is none, is not whole, or of another version
     */
    static StateFile read(Path path) throws IOException {
        if (Files.isDirectory(path)) {
            throw new FileSystemException(
                    path.toString(), null, "Is a directory"); // said when it is read, and not of what
        }
        return new StateFile(path, Instant.EPOCH, false, Map.of()).read(read -> {});
    }

    /**
     * Shows every row to a visitor.
     *
     * @throws StoreException CORRUPT as {@link #read(Path)}
     */
    void showTo(RowVisitor taker) {
        try {
            StateFile again = read(read -> read.show().accept(taker));
            if (!again.equals(this)) {
                throw corrupt("was changed while it was being read");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private StateFile read(Consumer<StateRow.Read> taker) throws IOException {
        try (InputStream in = Files.newInputStream(path)) {
            Reader lines = new Reader(in);
            MessageDigest digest = StateTally.sha256();
            if (!lines.startsWith(BEGIN)) {
                throw corrupt("is no file of export");
            }
            String first = lines.line();
            JsonNode head = tree(first);
            if (!head.path("seriatim").asString("").equals("state")) {
                throw corrupt("is no file of export");
            }
            if (head.path("format").asInt(0) != FORMAT) {
                throw corrupt("is of another version: format "
                        + head.path("format").asString("") + ", this program knows format " + FORMAT);
            }
            StateTally tally = new StateTally();
            String line = first;
            for (long number = 2; ; number++) {
                digest.update((line + "\n").getBytes(UTF_8));
                line = lines.line();
                if (line.startsWith("{\"end\":")) {
                    String end = end(tally.kinds(), HexFormat.of().formatHex(digest.digest()));
                    if (!line.equals(end) || !lines.isAtEnd()) {
                        throw corrupt("does not end as it should: rows are missing, or damaged");
                    }
                    return new StateFile(
                            path, exported(head), head.path("final").asBoolean(false), tally.kinds());
                }
                long at = number;
                StateRow.Read read = StateRow.read(line).orElseThrow(() -> corrupt("is damaged in line " + at));
                tally.add(read.row());
                taker.accept(read);
            }
        }
    }

    private Instant exported(JsonNode head) {
        try {
            return Instant.parse(head.path("exported").asString(""));
        } catch (DateTimeException e) {
            throw corrupt("does not say when it was made");
        }
    }

    private JsonNode tree(String line) {
        try {
            return JsonMapper.shared().readTree(line);
        } catch (JacksonException e) {
            throw corrupt("is no file of export");
        }
    }

    /** Whole lines one after another. */
    private final class Reader {

        private final InputStream in;
        private final byte[] buffer = new byte[1 << 16];
        private int at;
        private int end;

        Reader(InputStream in) {
            this.in = in;
        }

        /** A line without its end; a file ends with a whole one. */
        String line() throws IOException {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            while (true) {
                if (at == end && isAtEnd()) {
                    throw corrupt("ends too early");
                }
                int begin = at;
                while (at < end && buffer[at] != '\n') {
                    at++;
                }
                bytes.write(buffer, begin, at - begin);
                if (bytes.size() > MAX_LINE_BYTES) {
                    throw corrupt("has a line that is too long");
                }
                if (at < end) {
                    at++;
                    return Utf8.decode(bytes.toByteArray()).orElseThrow(() -> corrupt("is not UTF-8"));
                }
            }
        }

        /** Whether a file begins so; to be asked first, so that of one which does not no more than a little is read. */
        boolean startsWith(String text) throws IOException {
            byte[] wanted = text.getBytes(UTF_8);
            while (end < wanted.length) {
                int read = in.read(buffer, end, buffer.length - end);
                if (read < 0) {
                    return false;
                }
                end += read;
            }
            return Arrays.equals(wanted, 0, wanted.length, buffer, 0, wanted.length);
        }

        boolean isAtEnd() throws IOException {
            if (at == end) {
                at = 0;
                end = Math.max(0, in.read(buffer));
            }
            return at == end;
        }
    }

    private StoreException corrupt(String what) {
        return new StoreException(StoreException.Kind.CORRUPT, "the file " + path + " " + what);
    }

    /** What differs between two states, a sentence; empty where they are the same. */
    static Optional<String> difference(Map<String, StateTally.Kind> wanted, Map<String, StateTally.Kind> found) {
        return wanted.entrySet().stream()
                .filter(kind -> !kind.getValue().equals(found.get(kind.getKey())))
                .map(kind -> "of kind " + kind.getKey() + " there are " + found.get(kind.getKey())
                        + " where there should be " + kind.getValue())
                .findFirst();
    }
}
