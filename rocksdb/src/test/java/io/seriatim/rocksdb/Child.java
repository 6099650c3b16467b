package io.seriatim.rocksdb;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A second Java process with the class path of the tests; killed at the latest when it is closed. */
final class Child implements AutoCloseable {

    private static final long PATIENCE_SECONDS = 120;

    private final Process process;
    private final BufferedReader lines;

    private Child(Process process) {
        this.process = process;
        this.lines = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8));
    }

    static Child start(Class<?> main, Object... arguments) throws IOException {
        return start(List.of(), main, arguments);
    }

    /**
     * Starts it behind other words of a command line.
     *
     * @param before a program that starts another one, with its options
     */
    static Child start(List<String> before, Class<?> main, Object... arguments) throws IOException {
        List<String> command = new ArrayList<>(before);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-Xmx256m");
        command.add("-XX:TieredStopAtLevel=1");
        command.add("-cp");
        command.add(System.getProperty("java.class.path"));
        command.add(main.getName());
        for (Object argument : arguments) {
            command.add(argument.toString());
        }
        return new Child(new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
    }

    /** The next line that it writes; null at its end. */
    @Nullable
    String readLine() throws IOException {
        return lines.readLine();
    }

    void expect(String line) throws IOException {
        assertThat(readLine()).isEqualTo(line);
    }

    /** Ends it as a power cut does, as far as this process is concerned; returns the lines not read yet. */
    List<String> kill() throws IOException, InterruptedException {
        process.toHandle().destroyForcibly(); // the process itself would close its streams with it
        List<String> rest = lines.lines().toList();
        waitFor();
        return rest;
    }

    int waitFor() throws InterruptedException {
        assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        return process.exitValue();
    }

    @Override
    public void close() throws IOException {
        process.destroyForcibly();
        lines.close();
    }
}
