package io.seriatim.verification;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;

/** A way to a server that can lose a request, or the reply to it. */
final class TcpProxy implements AutoCloseable {

    /** What becomes of a request that holds a given text. */
    enum Loss {
        /** It does not arrive, and the connection breaks. */
        REQUEST,
        /** It arrives, and the connection breaks when the reply comes. */
        REPLY,
        /** It arrives, and nothing ever comes back. */
        SILENCE
    }

    private record Rule(String text, Loss loss) {}

    private static final Rule NONE = new Rule("\0 in no request", Loss.REQUEST);

    private final ServerSocket listening;
    private final int port;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final Semaphore losses = new Semaphore(0);
    private volatile Rule rule = NONE;

    TcpProxy(int port) throws IOException {
        this.listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        this.port = port;
        start("accept", this::accept);
    }

    int port() {
        return listening.getLocalPort();
    }

    /** Loses the first request that holds the text, or its reply; then forwards again. */
    void lose(String text, Loss loss) {
        rule = new Rule(text, loss);
    }

    /** Waits until a request was met; once for each. */
    void awaitLoss() throws InterruptedException {
        losses.acquire();
    }

    private static void start(String what, Runnable work) {
        Thread thread = new Thread(work, "verification-proxy-" + what);
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        while (!listening.isClosed()) {
            try {
                Socket client = listening.accept();
                Socket server = new Socket(InetAddress.getLoopbackAddress(), port);
                sockets.add(client);
                sockets.add(server);
                new Way(client, server).open();
            } catch (IOException e) {
                if (!listening.isClosed()) {
                    throw new UncheckedIOException(e);
                }
            }
        }
    }

    /** One connection. */
    private final class Way {

        private final Socket client;
        private final Socket server;
        private volatile Rule met = NONE;

        Way(Socket client, Socket server) {
            this.client = client;
            this.server = server;
        }

        void open() {
            start("requests", () -> forward(client, server, true));
            start("replies", () -> forward(server, client, false));
        }

        /** Until an end breaks off, which ends the other too. */
        private void forward(Socket from, Socket to, boolean requests) {
            byte[] bytes = new byte[1 << 16];
            try (from;
                    to;
                    InputStream in = from.getInputStream();
                    OutputStream out = to.getOutputStream()) {
                for (int count = in.read(bytes); count >= 0; count = in.read(bytes)) {
                    if (requests) {
                        meet(new String(bytes, 0, count, ISO_8859_1));
                    }
                    Loss loss = met.loss();
                    if (met.equals(NONE) || requests && loss != Loss.REQUEST) {
                        out.write(bytes, 0, count);
                    } else if (loss != Loss.SILENCE) {
                        return;
                    }
                }
            } catch (IOException e) {
                return; // one of the two has gone; so does the other
            }
        }

        private void meet(String request) {
            Rule now = rule;
            if (request.contains(now.text())) {
                rule = NONE;
                met = now;
                losses.release();
            }
        }
    }

    @Override
    public void close() throws IOException {
        listening.close();
        for (Socket socket : sockets) {
            socket.close();
        }
    }
}
