package io.seriatim.server;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** A connection that sends exactly what a test says, right or wrong, and reads what comes back. */
final class RawConnection implements AutoCloseable {

    /** Nothing of ours takes as long; a test that waits longer has failed. */
    private static final int PATIENCE_MILLIS = 20_000;

    private final Socket socket;
    private final InputStream in;

    RawConnection(URI server) throws IOException {
        socket = new Socket(InetAddress.getByName(server.getHost()), server.getPort());
        socket.setSoTimeout(PATIENCE_MILLIS);
        in = socket.getInputStream();
    }

    /** An answer as it came. */
    record Answer(int status, String head, String body) {

        boolean hasHeader(String line) {
            return ("\n" + head.toLowerCase(Locale.ROOT)).contains("\n" + line.toLowerCase(Locale.ROOT) + "\r");
        }
    }

    RawConnection send(String text) throws IOException {
        return send(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    RawConnection send(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
        socket.getOutputStream().flush();
        return this;
    }

    /** Sends a POST with a body of ISO 8859-1 characters, each one byte. */
    RawConnection post(String path, String body) throws IOException {
        return send("POST " + path + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: " + body.length() + "\r\n\r\n"
                + body);
    }

    /** The next answer with a Content-Length, or without a body. */
    Answer answer() throws IOException {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        while (!head.toString(StandardCharsets.ISO_8859_1).endsWith("\r\n\r\n")) {
            int b = in.read();
            if (b < 0) {
                throw new IOException("closed after: " + head);
            }
            head.write(b);
        }
        String text = head.toString(StandardCharsets.ISO_8859_1);
        int length = 0;
        for (String line : text.split("\r\n")) {
            if (line.toLowerCase(Locale.ROOT).startsWith("content-length:")) {
                length = Integer.parseInt(line.substring(line.indexOf(':') + 1).strip());
            }
        }
        String body = new String(in.readNBytes(length), StandardCharsets.UTF_8);
        return new Answer(Integer.parseInt(text.split(" ")[1]), text, body);
    }

    /** Waits until the other side has closed; returns what came before. */
    String untilClosed() throws IOException {
        try {
            return new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
        } catch (SocketException e) {
            return ""; // reset: closed as well
        }
    }

    /** Says that nothing more will be sent. */
    void endInput() throws IOException {
        socket.shutdownOutput();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
