package io.seriatim.server;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The files with tokens, certificate and key that a server is started with. */
final class GuardFiles {

    private static final Logger LOG = LoggerFactory.getLogger(GuardFiles.class);

    /** A token that was taken away is good for no longer than this. */
    private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(2);

    private final Optional<ReloadedFiles<Tokens>> tokens;
    private final Optional<ReloadedFiles<SSLContext>> tls;

    private GuardFiles(Optional<ReloadedFiles<Tokens>> tokens, Optional<ReloadedFiles<SSLContext>> tls) {
        this.tokens = tokens;
        this.tls = tls;
    }

    /**
     * Reads the files that are set.
     *
     * @throws Refusal if one cannot be read, or holds something else
     */
    static GuardFiles of(Settings settings) {
        return new GuardFiles(
                settings.path(Setting.TOKENS)
                        .map(file -> new ReloadedFiles<>(
                                "the file of tokens", List.of(file), bytes -> Tokens.read(file, bytes.get(0)))),
                tls(settings));
    }

    private static Optional<ReloadedFiles<SSLContext>> tls(Settings settings) {
        Optional<Path> certificate = settings.path(Setting.TLS_CERT);
        Optional<Path> key = settings.path(Setting.TLS_KEY);
        if (certificate.isPresent() != key.isPresent()) {
            throw settings.bad(
                    certificate.isPresent() ? Setting.TLS_CERT : Setting.TLS_KEY,
                    "needs " + (certificate.isPresent() ? Setting.TLS_KEY : Setting.TLS_CERT).flag() + " too");
        }
        return certificate.map(file -> new ReloadedFiles<>(
                "the certificate",
                List.of(file, key.orElseThrow()),
                bytes -> Certificate.ofServer(file, bytes.get(0), key.orElseThrow(), bytes.get(1))));
    }

    Guard guard() {
        return new Guard(tokens.map(files -> files), tls.map(files -> files));
    }

    /** Looks from now on whether the files change. */
    Watch watch() {
        return new Watch();
    }

    /** Looks at the files now. */
    void look() {
        tokens.ifPresent(ReloadedFiles::look);
        tls.ifPresent(ReloadedFiles::look);
    }

    /** The thread that looks at the files now and then. */
    final class Watch implements AutoCloseable {

        private final CountDownLatch closed = new CountDownLatch(1);

        private Watch() {
            Thread thread = new Thread(this::run, "seriatim-files");
            thread.setDaemon(true);
            thread.start();
        }

        private void run() {
            try {
                while (!closed.await(BETWEEN_LOOKS.toMillis(), TimeUnit.MILLISECONDS)) {
                    lookSafely();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        /** What is thrown here would end all further looks. */
        private void lookSafely() {
            try {
                look();
            } catch (RuntimeException e) {
                LOG.error("files could not be looked at", e);
            }
        }

        /** Ends the thread. May be called twice. */
        @Override
        public void close() {
            closed.countDown();
        }
    }
}
