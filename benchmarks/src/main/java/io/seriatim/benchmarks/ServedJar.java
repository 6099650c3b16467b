package io.seriatim.benchmarks;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The server's jar on a folder, in a process of its own that ends with this one. */
final class ServedJar implements AutoCloseable {

    private static final int STOP_SECONDS = 30;

    private final Process process;
    private final URI uri;

    private ServedJar(Process process, URI uri) {
        this.process = process;
        this.uri = uri;
    }

    /** Starts it and waits until it listens. */
    static ServedJar start(Path jar, Path folder) throws IOException {
        Process process = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx1g",
                        "-jar",
                        jar.toString(),
                        "serve",
                        "--port",
                        "0",
                        "--data",
                        folder.toString()))
                .start();
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
        BufferedReader out = process.inputReader(UTF_8);
        String line = out.readLine();
        if (line == null) {
            throw new IllegalStateException("the server has not started");
        }
        return new ServedJar(process, URI.create(line.replaceFirst(".*(http://[0-9.:]+).*", "$1")));
    }

    URI uri() {
        return uri;
    }

    InetSocketAddress address() {
        return new InetSocketAddress(uri.getHost(), uri.getPort());
    }

    /** Kills it, as a power switch does to a process. */
    void kill() {
        await(process.destroyForcibly());
    }

    @Override
    public void close() {
        process.destroy();
        if (!await(process)) {
            kill();
        }
    }

    private static boolean await(Process ending) {
        try {
            return ending.waitFor(STOP_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
