package io.seriatim.server;

import io.undertow.util.HeaderMap;
import io.undertow.util.Headers;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Keeps out requests that a browser on this machine sends for a web page of somebody else. */
final class WebPages {

    /*
     * Without tokens everyone on this machine may call, and a browser on it calls for any page that it shows. Two
     * ways lead from such a page to this server.
     *
     * A page may send what needs no permission, a POST above all, and not see the answer. Browsers name the page's
     * origin then, and that is not this server's.
     *
     * A page's owner may point the page's own name at 127.0.0.1 once it is loaded (DNS rebinding). To the browser the
     * server is then the page's own: a GET names no origin, and the answer can be read. But Host still bears the
     * page's name. So without tokens Host must be a name that nobody outside can have: localhost, or an address of
     * this machine itself.
     *
     * With tokens such a page lacks one, and Host may be whatever the server is known by. A request without Host
     * (HTTP/1.0 permits it) comes from no browser. A host in the first line is not looked at: browsers put it there for
     * a proxy only.
     */

    private static final Pattern HOST = Pattern.compile("(\\[[0-9a-f:.]+]|[a-z0-9.-]+)(?::[0-9]*)?");
    private static final String BYTE = "(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])";
    private static final Pattern LOOPBACK_4 = Pattern.compile("127(?:\\." + BYTE + "){3}");

    private final String scheme;
    private final boolean hasTokens;

    /** @param scheme that this server is called by */
    WebPages(String scheme, boolean hasTokens) {
        this.scheme = scheme;
        this.hasTokens = hasTokens;
    }

    /** What is wrong with a request that may come from a page of somebody else. */
    Optional<Problem> refuse(HeaderMap headers) {
        String host = headers.getFirst(Headers.HOST);
        if (!hasTokens && !isOfThisMachine(host)) {
            return Optional.of(Problem.forbidden(
                    "a server without tokens is called by localhost or a loopback address; this Host is another"));
        }
        String origin = headers.getFirst(Headers.ORIGIN);
        return origin == null || origin.equals(scheme + "://" + host)
                ? Optional.empty()
                : Optional.of(Problem.forbidden("a web page of another origin may not call this server"));
    }

    /** Whether a host, perhaps with a port, can only be this machine; so is none at all. Asks no name server. */
    static boolean isOfThisMachine(@Nullable String hostAndPort) {
        if (hostAndPort == null) {
            return true;
        }
        Matcher parts = HOST.matcher(hostAndPort.toLowerCase(Locale.ROOT));
        if (!parts.matches()) {
            return false;
        }
        String host = parts.group(1);
        return host.startsWith("[")
                ? isLoopback6(host)
                : host.equals("localhost") || LOOPBACK_4.matcher(host).matches();
    }

    private static boolean isLoopback6(String bracketed) {
        try {
            return InetAddress.getByName(bracketed).isLoopbackAddress(); // in brackets it is never a name
        } catch (UnknownHostException e) {
            return false;
        }
    }
}
