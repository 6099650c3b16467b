package io.seriatim.verification;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file system in memory that can be filled up. Mounting one takes root. */
final class SmallDisk implements AutoCloseable {

    private static final int CHUNK = 4_096;

    private final Path folder;

    private SmallDisk(Path folder) {
        this.folder = folder;
    }

    /**
     * Mounts one.
     *
     * @throws IllegalStateException if that is not allowed here
     */
    static SmallDisk mount(Path folder, int megabytes) throws IOException {
        Files.createDirectories(folder);
        run("mount", "-t", "tmpfs", "-o", "size=" + megabytes + "m", "tmpfs", folder.toString());
        return new SmallDisk(folder);
    }

    Path folder() {
        return folder;
    }

    /** Leaves no byte free. */
    void fill() throws IOException {
        byte[] chunk = new byte[CHUNK];
        try (OutputStream out = Files.newOutputStream(filler())) {
            while (true) {
                out.write(chunk);
            }
        } catch (IOException e) {
            if (!String.valueOf(e.getMessage()).contains("No space left")) {
                throw e;
            }
        }
    }

    /** Takes back what {@link #fill} used up. */
    void free() throws IOException {
        Files.delete(filler());
    }

    private Path filler() {
        return folder.resolve("filler");
    }

    @Override
    public void close() throws IOException {
        run("umount", folder.toString());
    }

    private static void run(String... command) throws IOException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), UTF_8); // to its end
        if (process.onExit().join().exitValue() != 0) {
            throw new IllegalStateException("this test needs root to mount a file system: " + said);
        }
    }
}
