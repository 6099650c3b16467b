package io.seriatim.server;

import ch.qos.logback.classic.Level;
import io.seriatim.Author;
import io.seriatim.BadDefinitionException;
import io.seriatim.BadFormatException;
import io.seriatim.Sequences;
import io.seriatim.memory.MemoryCounterStore;
import io.seriatim.numbering.Numbering;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import javax.net.ssl.SSLContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A server process: a store served over HTTP until SIGTERM, and its clean end. */
final class Serving implements AutoCloseable {

    /*
     * SIGTERM and SIGINT run the shutdown hook. It refuses new work, answers what is in flight, gives unused
     * values back, and halts with the exit code itself, because the exit code of a process that a signal ends
     * cannot be set otherwise. Nothing comes after it that could be cut short: this hook is the only one.
     */

    /** Whatever the storage does, the process ends within ten seconds. */
    private static final Duration END = Duration.ofSeconds(9);

    private static final Logger LOG = LoggerFactory.getLogger(Serving.class);

    private final LocalStore store;
    private final OpenStore open;
    private final HttpServer http;
    private final GuardFiles.Watch watch;
    private volatile boolean closed;

    private Serving(LocalStore store, OpenStore open, HttpServer http, GuardFiles.Watch watch) {
        this.store = store;
        this.open = open;
        this.http = http;
        this.watch = watch;
    }

    /**
     * Opens the store and accepts connections.
     *
     * @throws Refusal if a setting is bad, or store or port cannot be had
     */
    static Serving start(Settings settings) {
        LogLayout.use(settings.logFormat());
        NewSequence definition = definition(settings);
        GuardFiles guard = GuardFiles.of(settings);
        InetSocketAddress wanted = address(settings);
        requireBackupFolder(settings);
        LocalStore store = LocalStore.of(settings);
        InetSocketAddress address = store.isShared() ? free(wanted) : sameIfFree(wanted);
        OpenStore.Served served = served(settings, store, address);
        OpenStore open = store.open();
        try {
            open.startLogs(served);
            Api api = new Api(open, definition, settings);
            if (store.isShared()) {
                LOG.info("node {}", open.sequences().node()); // as BUSY of another server names it
            }
            return new Serving(
                    store, open, HttpServer.start(api, address, Limits.standard(), guard.guard()), guard.watch());
        } catch (IOException e) {
            open.close();
            throw cannotListen(address, e);
        } catch (RuntimeException e) {
            open.close();
            throw e;
        }
    }

    /** So that a bad one is found now and not by the first backup. */
    private static void requireBackupFolder(Settings settings) {
        settings.path(Setting.BACKUP_DIR).ifPresent(folder -> {
            if (!Files.isDirectory(folder) || !Files.isWritable(folder)) {
                throw settings.bad(Setting.BACKUP_DIR, "must be a folder that this user may write to: " + folder);
            }
        });
    }

    /** Before the store is opened, so that a port in use leaves no folder behind; the port is free again on return. */
    private static InetSocketAddress sameIfFree(InetSocketAddress address) {
        InetSocketAddress unused = free(address);
        return address;
    }

    /** The same, with the port that port 0 comes to: others have to be told of it before it is listened on. */
    private static InetSocketAddress free(InetSocketAddress address) {
        try (ServerSocket free = new ServerSocket(address.getPort(), 1, address.getAddress())) {
            return new InetSocketAddress(address.getAddress(), free.getLocalPort());
        } catch (IOException e) {
            throw cannotListen(address, e);
        }
    }

    /** Where others on the same store call this server. */
    private static OpenStore.Served served(Settings settings, LocalStore store, InetSocketAddress address) {
        if (!store.isShared()) {
            for (Setting setting : List.of(Setting.ADVERTISE_URL, Setting.LEASE, Setting.CLUSTER_CA)) {
                if (settings.isGiven(setting)) {
                    throw settings.bad(setting, "is for servers that share a store: give --store postgresql too");
                }
            }
        }
        boolean isSecure = settings.isGiven(Setting.TLS_CERT);
        String scheme = isSecure ? "https" : "http";
        Optional<URI> advertised = settings.advertisedUrl();
        if (advertised.isPresent() && !scheme.equals(advertised.get().getScheme())) {
            throw settings.bad(Setting.ADVERTISE_URL, "must begin with " + scheme + ":, as this server is called");
        }
        if (advertised.isEmpty() && store.isShared() && address.getAddress().isAnyLocalAddress()) {
            throw settings.bad(
                    Setting.ADVERTISE_URL,
                    "is required where --host is every address: others have to know one of them");
        }
        String url = advertised
                .map(URI::toString)
                .orElseGet(() -> HttpServer.url(scheme, address).toString());
        return new OpenStore.Served(url, settings.path(Setting.CLUSTER_CA).map(Serving::trust));
    }

    private static SSLContext trust(Path file) {
        try {
            return Certificate.ofClient(file, Files.readAllBytes(file));
        } catch (IOException e) {
            throw new Refusal(
                    Problem.badRequest(Setting.CLUSTER_CA.flag() + " must name a file that can be read: " + file));
        }
    }

    private static Refusal cannotListen(InetSocketAddress address, IOException e) {
        String where =
                "port " + address.getPort() + " of " + address.getAddress().getHostAddress();
        String said = String.valueOf(e.getMessage());
        return new Refusal(
                said.contains("in use") // of the system's reasons the only one that may pass by itself
                        ? Problem.busy(where + " is in use by another program; --port takes another one")
                        : Problem.badRequest("cannot listen on " + where + ": " + said));
    }

    private static InetSocketAddress address(Settings settings) {
        String host = settings.text(Setting.HOST);
        int port = settings.port();
        try {
            InetAddress address = InetAddress.getByName(host);
            boolean isGuarded = settings.isGiven(Setting.TOKENS) && settings.isGiven(Setting.TLS_CERT);
            if (!address.isLoopbackAddress() && !isGuarded) {
                throw settings.bad(
                        Setting.HOST,
                        "is beyond loopback, where a token and TLS are required (--tokens, --tls-cert and --tls-key): "
                                + host);
            }
            return new InetSocketAddress(address, port);
        } catch (UnknownHostException e) {
            throw settings.bad(Setting.HOST, "must be an address of this machine: " + host);
        }
    }

    /** Reads a definition and checks it whole, so that a bad one is found now and not by the first caller. */
    private static NewSequence definition(Settings settings) {
        String textOrFile = settings.text(Setting.DEFAULT_DEFINITION);
        String text = textOrFile;
        if (!textOrFile.stripLeading().startsWith("{")) {
            try {
                text = Files.readString(Path.of(textOrFile));
            } catch (IOException | InvalidPathException e) {
                throw new Refusal(Problem.badRequest(
                        "the default definition is neither JSON nor a file that can be read: " + textOrFile));
            }
        }
        NewSequence definition = SequenceJson.definition(text);
        try (Sequences trial = Sequences.on(new MemoryCounterStore())) {
            definition.define("trial", trial, Numbering.on(trial), Author.of(""));
        } catch (BadDefinitionException | BadFormatException e) {
            throw new Refusal(Problem.of(e));
        }
        return definition;
    }

    /** Serves until SIGTERM or SIGINT, which end the process; says so once it can be called. */
    void untilSignal(PrintWriter out) throws InterruptedException {
        Runtime.getRuntime().addShutdownHook(new Thread(this::end, "seriatim-shutdown"));
        out.println(this);
        out.flush();
        new CountDownLatch(1).await();
    }

    URI uri() {
        return http.uri();
    }

    /** Where it listens and what it serves. */
    @Override
    public String toString() {
        return "seriatim " + Main.Version.text() + " listening on " + http.uri() + ", " + store;
    }

    private void end() {
        // Accepting goes on while the network's threads end, and each task that comes too late is told with a stack.
        ((ch.qos.logback.classic.Logger) LoggerFactory.getLogger("org.xnio.nio")).setLevel(Level.OFF);
        Thread closer = new Thread(this::close, "seriatim-close");
        closer.setDaemon(true);
        closer.start();
        try {
            closer.join(END.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        Runtime.getRuntime().halt(exitCode());
    }

    @Override
    public void close() {
        http.close();
        watch.close();
        try {
            open.close();
            closed = true;
        } catch (RuntimeException e) {
            LOG.error("the store could not be closed; unused values are skipped: {}", Causes.of(e));
            LOG.debug("the store could not be closed", e);
        }
    }

    private int exitCode() {
        if (open.sequences().failure().isPresent()) {
            return ExitCode.CORRUPT;
        }
        return closed ? ExitCode.OK : ExitCode.TRY_AGAIN;
    }
}
