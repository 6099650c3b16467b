package io.seriatim.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.seriatim.SequenceDefinition;
import io.seriatim.Sequences;
import io.seriatim.memory.MemoryCounterStore;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Callers that are slow or send too much, beside one that only wants its numbers; with the limits of a real server. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SlowCallersTest {

    private static final int EACH = 150;
    private static final String NEXT = "POST /v1/sequences/a/next HTTP/1.1\r\nHost: localhost\r\n";

    @Test
    void callersThatAreSlowOrSendTooMuch_starveNobody() throws Exception {
        try (Sequences sequences = Sequences.on(new MemoryCounterStore());
                HttpServer server =
                        HttpServer.start(sequences, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
            sequences.create("a", SequenceDefinition.ascending().cache(10_000));
            List<RawConnection> slow = new ArrayList<>();
            AtomicBoolean over = new AtomicBoolean();
            AtomicLong floodedBytes = new AtomicLong();
            ExecutorService floods = Executors.newFixedThreadPool(4);
            try (RawConnection normal = new RawConnection(server.uri())) {
                for (int i = 0; i < EACH; i++) {
                    slow.add(new RawConnection(server.uri())); // says nothing
                    slow.add(new RawConnection(server.uri()).send(NEXT + "X-Slow: ")); // ends no header
                    slow.add(new RawConnection(server.uri()).send(NEXT + "Content-Length: 60000\r\n\r\n{\"count\""));
                    slow.add(new RawConnection(server.uri()).send(NEXT + "Content-Length: 99999999\r\n\r\n{"));
                }
                for (int i = 0; i < 4; i++) {
                    floods.execute(() -> flood(server, over, floodedBytes));
                }
                long longestMillis = 0;
                int answered = 0;
                while (answered < 2_000 || floodedBytes.get() < 20_000_000) {
                    long before = System.nanoTime();
                    assertThat(normal.send(NEXT + "Content-Length: 0\r\n\r\n")
                                    .answer()
                                    .status())
                            .isEqualTo(200);
                    longestMillis = Math.max(longestMillis, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - before));
                    answered++;
                    sendOneByteMore(slow.get(answered * 4 % slow.size() + 1));
                }
                // Starved, it would have waited until the slow ones were cut off, 10 s after they began.
                assertThat(longestMillis).as("longest wait for an answer").isLessThan(8_000);
                assertThat(sequences.get("a").peek()).isEqualTo(answered + 1);
            } finally {
                over.set(true);
                floods.shutdown();
                for (RawConnection connection : slow) {
                    connection.close();
                }
            }
            assertThat(floods.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
        }
    }

    /** On a busy machine the test takes longer than a header may. */
    private static void sendOneByteMore(RawConnection inHeader) throws IOException {
        try {
            inHeader.send("y");
        } catch (SocketException e) {
            assertThat(inHeader.untilClosed()).as("cut off, as it should be").isEmpty();
        }
    }

    /** Sends bodies without an end, over and over: each is dropped, and its connection closed in time. */
    private static void flood(HttpServer server, AtomicBoolean over, AtomicLong sentBytes) {
        byte[] piece = new byte[16_384];
        while (!over.get()) {
            try (Socket socket = new Socket(server.uri().getHost(), server.uri().getPort())) {
                OutputStream out = socket.getOutputStream();
                out.write((NEXT + "Transfer-Encoding: chunked\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
                while (!over.get()) {
                    out.write("4000\r\n".getBytes(StandardCharsets.US_ASCII));
                    out.write(piece);
                    out.write("\r\n".getBytes(StandardCharsets.US_ASCII));
                    sentBytes.addAndGet(piece.length);
                }
            } catch (IOException e) {
                sentBytes.incrementAndGet(); // cut off, as it should be: again
            }
        }
    }
}
