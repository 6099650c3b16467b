package io.seriatim.server;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Text from bytes and back, where nothing may be guessed or replaced. */
final class Utf8 {

    private static final String UNRESERVED = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";

    private Utf8() {}

    /** Empty if the bytes are not UTF-8. */
    static Optional<String> decode(byte[] bytes) {
        try {
            return Optional.of(StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString());
        } catch (CharacterCodingException e) {
            return Optional.empty();
        }
    }

    /** Decodes {@code %xx} once, RFC 3986; empty if a percent sign does not begin a byte, or the bytes are not UTF-8. */
    static Optional<String> percentDecode(String encoded) {
        if (encoded.indexOf('%') < 0) {
            return Optional.of(encoded);
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(encoded.length());
        for (int at = 0; at < encoded.length(); at++) {
            char c = encoded.charAt(at);
            if (c != '%') {
                bytes.writeBytes(String.valueOf(c).getBytes(StandardCharsets.UTF_8));
                continue;
            }
            if (at + 2 >= encoded.length()) {
                return Optional.empty();
            }
            int high = hexDigit(encoded.charAt(at + 1));
            int low = hexDigit(encoded.charAt(at + 2));
            if (high < 0 || low < 0) {
                return Optional.empty();
            }
            bytes.write(high << 4 | low);
            at += 2;
        }
        return decode(bytes.toByteArray());
    }

    /** Encodes all but the unreserved characters of RFC 3986. */
    static String percentEncode(String text) {
        StringBuilder encoded = new StringBuilder();
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            if (UNRESERVED.indexOf(b) >= 0) {
                encoded.append((char) b);
            } else {
                encoded.append('%')
                        .append("0123456789ABCDEF".charAt(b >> 4 & 15))
                        .append("0123456789ABCDEF".charAt(b & 15));
            }
        }
        return encoded.toString();
    }

    /** Only ASCII digits: {@link Character#digit} would take those of every script. */
    private static int hexDigit(char c) {
        return c < 128 ? Character.digit(c, 16) : -1;
    }
}
