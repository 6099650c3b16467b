package io.seriatim.benchmarks;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * Sends one request again and again over connections that stay open, each with one request under way, and
 * counts the answers. For one thread.
 */
final class HttpLoad {

    /*
     * One thread and one selector: with so little to do for an answer (find its length, note the time) the
     * load is not what limits. Only answers with a status of success and a Content-Length are understood; anything else
     * ends the run with an exception.
     */

    private static final int BUFFER_BYTES = 16 * 1024;
    private static final Duration SILENCE = Duration.ofSeconds(10);
    private static final String LENGTH = "\r\ncontent-length:";

    private final InetSocketAddress address;
    private final byte[] request;

    HttpLoad(InetSocketAddress address, String path) {
        this(address, path, "");
    }

    /** @param body characters of ISO 8859-1 */
    HttpLoad(InetSocketAddress address, String path, String body) {
        this.address = address;
        this.request = ("POST " + path + " HTTP/1.1\r\nHost: " + address.getHostString() + ":" + address.getPort()
                        + "\r\nContent-Length: " + body.length() + "\r\n\r\n" + body)
                .getBytes(ISO_8859_1);
    }

    /** What a run saw. */
    static final class Seen {

        private static final int LONGEST_MICROS = 1_000_000;

        /** At index i how many answers took i microseconds; the last one counts all that took longer. */
        private final long[] micros = new long[LONGEST_MICROS + 1];

        private long count;
        private Duration time = Duration.ZERO;

        private void add(long tookNanos) {
            micros[(int) Math.min(TimeUnit.NANOSECONDS.toMicros(tookNanos), LONGEST_MICROS)]++;
            count++;
        }

        double perSecond() {
            return count * 1e9 / time.toNanos();
        }

        /** The least number of microseconds within which so many percent of the answers came. */
        int percentileMicros(double percent) {
            long wanted = (long) Math.ceil(count * percent / 100);
            long sum = 0;
            for (int i = 0; i < micros.length; i++) {
                sum += micros[i];
                if (sum >= wanted) {
                    return i;
                }
            }
            throw new IllegalStateException("more answers than latencies: count=" + count);
        }
    }

    /** Sends one request and returns the body of its answer. */
    String once() throws IOException {
        try (Selector selector = Selector.open();
                SocketChannel channel = connect()) {
            Connection connection = new Connection(channel, selector);
            connection.send();
            while (!connection.receive()) {
                await(selector);
            }
            return connection.body();
        }
    }

    /** Keeps so many requests under way for so long. */
    Seen run(int connections, Duration time) throws IOException {
        List<SocketChannel> channels = new ArrayList<>();
        try (Selector selector = Selector.open()) {
            List<Connection> all = new ArrayList<>();
            for (int i = 0; i < connections; i++) {
                SocketChannel channel = connect();
                channels.add(channel);
                all.add(new Connection(channel, selector));
            }
            return run(selector, all, time);
        } finally {
            for (SocketChannel channel : channels) {
                channel.close();
            }
        }
    }

    private static Seen run(Selector selector, List<Connection> all, Duration time) throws IOException {
        Seen seen = new Seen();
        long begin = System.nanoTime();
        long end = begin + time.toNanos();
        for (Connection connection : all) {
            connection.send();
        }
        long now = begin;
        while (now < end) {
            await(selector);
            for (SelectionKey key : selector.selectedKeys()) {
                Connection connection = (Connection) key.attachment();
                if (connection.receive()) {
                    now = System.nanoTime();
                    seen.add(now - connection.sentNanos);
                    connection.send();
                }
            }
            selector.selectedKeys().clear();
        }
        seen.time = Duration.ofNanos(now - begin);
        return seen;
    }

    private SocketChannel connect() throws IOException {
        SocketChannel channel = SocketChannel.open(address);
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel.configureBlocking(false);
        return channel;
    }

    private static void await(Selector selector) throws IOException {
        if (selector.select(SILENCE.toMillis()) == 0) {
            throw new IOException("no answer within " + SILENCE);
        }
    }

    /** A connection with at most one request under way. */
    private final class Connection {
        private final SocketChannel channel;
        private final ByteBuffer out = ByteBuffer.wrap(request);
        private final ByteBuffer in = ByteBuffer.allocate(BUFFER_BYTES);
        /** Where the answer's body begins and ends in {@code in}; 0 while that is not known. */
        private int bodyBegin;

        private int bodyEnd;
        private long sentNanos;

        Connection(SocketChannel channel, Selector selector) throws IOException {
            this.channel = channel;
            channel.register(selector, SelectionKey.OP_READ, this);
        }

        void send() throws IOException {
            in.clear();
            bodyBegin = 0;
            bodyEnd = 0;
            out.rewind();
            sentNanos = System.nanoTime();
            channel.write(out);
            if (out.hasRemaining()) {
                throw new IOException("a request of some bytes does not fit into the socket's buffer");
            }
        }

        /** Reads what is there; true once the answer is complete. */
        boolean receive() throws IOException {
            if (channel.read(in) < 0) {
                throw new IOException("the server has closed the connection");
            }
            if (bodyEnd == 0) {
                readHead();
            }
            return bodyEnd > 0 && in.position() >= bodyEnd;
        }

        String body() {
            return new String(in.array(), bodyBegin, bodyEnd - bodyBegin, ISO_8859_1);
        }

        private void readHead() throws IOException {
            int end = endOfHead();
            if (end == 0) {
                return;
            }
            String head = new String(in.array(), 0, end, ISO_8859_1).toLowerCase(Locale.ROOT);
            int length = head.indexOf(LENGTH);
            if (!head.startsWith("http/1.1 20") || length < 0) {
                throw new IOException("not an answer that this load understands: " + head);
            }
            int digits = length + LENGTH.length();
            bodyBegin = end;
            bodyEnd = end
                    + Integer.parseInt(
                            head.substring(digits, head.indexOf("\r\n", digits)).strip());
        }

        /** Where the empty line ends; 0 if it is not there yet. */
        private int endOfHead() {
            byte[] bytes = in.array();
            for (int i = 3; i < in.position(); i++) {
                if (bytes[i] == '\n' && bytes[i - 1] == '\r' && bytes[i - 2] == '\n' && bytes[i - 3] == '\r') {
                    return i + 1;
                }
            }
            return 0;
        }
    }
}
