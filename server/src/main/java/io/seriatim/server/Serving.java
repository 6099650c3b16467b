package io.seriatim.server;

import ch.qos.logback.classic.Level;
import io.seriatim.BadDefinitionException;
import io.seriatim.SequenceDefinition;
import io.seriatim.Sequences;
import io.seriatim.memory.MemoryCounterStore;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A server process: a data folder served over HTTP until SIGTERM, and its clean end. */
final class Serving {

    /*
     * SIGTERM and SIGINT run the shutdown hook. It refuses new work, answers what is in flight, gives unused
     * values back, and halts with the exit code itself, because the exit code of a process that a signal ends
     * cannot be set otherwise. Nothing comes after it that could be cut short: this hook is the only one.
     */

    /** Whatever the storage does, the process ends within ten seconds. */
    private static final Duration END = Duration.ofSeconds(9);

    private static final Logger LOG = LoggerFactory.getLogger(Serving.class);

    private final Path folder;
    private final Sequences sequences;
    private final HttpServer http;
    private volatile boolean closed;

    private Serving(Path folder, Sequences sequences, HttpServer http) {
        this.folder = folder;
        this.sequences = sequences;
        this.http = http;
    }

    /**
     * Opens the folder and accepts connections.
     *
     * @param defaultDefinition a definition as JSON, or the name of a file with one
     * @throws Refusal if a setting is bad, or folder or port cannot be had
     */
    static Serving start(Path folder, String host, int port, String defaultDefinition) {
        SequenceDefinition definition = definition(defaultDefinition);
        InetSocketAddress address = address(host, port);
        Sequences sequences = LocalFolder.open(folder);
        try {
            HttpServer http = HttpServer.start(new Api(sequences, definition), address, Limits.standard());
            return new Serving(folder, sequences, http);
        } catch (IOException | RuntimeException e) {
            sequences.close();
            throw new Refusal(Problem.busy("cannot listen on " + host + " port " + port + ": " + e.getMessage()));
        }
    }

    private static InetSocketAddress address(String host, int port) {
        if (port < 0 || port > 65_535) {
            throw new Refusal(Problem.badRequest("port must be from 0 to 65535: port=" + port));
        }
        try {
            InetAddress address = InetAddress.getByName(host);
            if (!address.isLoopbackAddress()) {
                throw new Refusal(Problem.badRequest("beyond loopback a token and TLS are required, and this version"
                        + " serves neither: host=" + host));
            }
            return new InetSocketAddress(address, port);
        } catch (UnknownHostException e) {
            throw new Refusal(Problem.badRequest("there is no such address: host=" + host));
        }
    }

    /** Reads a definition and checks it whole, so that a bad one is found now and not by the first caller. */
    private static SequenceDefinition definition(String textOrFile) {
        String text = textOrFile;
        if (!textOrFile.stripLeading().startsWith("{")) {
            try {
                text = Files.readString(Path.of(textOrFile));
            } catch (IOException | InvalidPathException e) {
                throw new Refusal(Problem.badRequest(
                        "the default definition is neither JSON nor a file that can be read: " + textOrFile));
            }
        }
        SequenceDefinition definition = SequenceJson.definition(text);
        try (Sequences trial = Sequences.on(new MemoryCounterStore())) {
            trial.create("trial", definition);
        } catch (BadDefinitionException e) {
            throw new Refusal(Problem.of(e));
        }
        return definition;
    }

    /** Serves until SIGTERM or SIGINT, which end the process; says so once it can be called. */
    void untilSignal(PrintWriter out) throws InterruptedException {
        Runtime.getRuntime().addShutdownHook(new Thread(this::end, "seriatim-shutdown"));
        out.println("seriatim " + Main.Version.text() + " listening on " + http.uri() + ", data " + folder);
        out.flush();
        new CountDownLatch(1).await();
    }

    private void end() {
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

    private void close() {
        // Accepting goes on while the network's threads end, and each task that comes too late is told with a stack.
        ((ch.qos.logback.classic.Logger) LoggerFactory.getLogger("org.xnio.nio")).setLevel(Level.OFF);
        http.close();
        try {
            sequences.close();
            closed = true;
        } catch (RuntimeException e) {
            LOG.error("the store could not be closed; unused values are skipped: {}", Causes.of(e));
            LOG.debug("the store could not be closed", e);
        }
    }

    private int exitCode() {
        if (sequences.failure().isPresent()) {
            return ExitCode.CORRUPT;
        }
        return closed ? ExitCode.OK : ExitCode.TRY_AGAIN;
    }
}
