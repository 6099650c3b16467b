package io.seriatim.server;

import java.util.Optional;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;

/**
 * What keeps others out. Each is asked anew when it is needed: files may change while the server runs.
 *
 * @param tokens who may call; empty: whoever reaches the port
 * @param tls for new connections; empty: plain text
 */
record Guard(Optional<Supplier<Tokens>> tokens, Optional<Supplier<SSLContext>> tls) {

    static final Guard NONE = new Guard(Optional.empty(), Optional.empty());
}
