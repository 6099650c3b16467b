package io.seriatim.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The archive of classes, as the launcher makes and uses it: docs/adr/0009-class-data-sharing.md. */
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ArchiveIT {

    private static final Path JAR = Path.of(System.getProperty("seriatim.jar", "target/seriatim.jar"));

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    private Path archive() {
        return folder.resolve("classes.jsa");
    }

    private record Said(int exitCode, String out, String err) {}

    private Said java(List<String> words) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        if (Runtime.version().feature() >= 22) {
            command.add("--enable-native-access=ALL-UNNAMED");
        }
        command.addAll(words);
        Path err = folder.resolve("err.txt");
        Process process =
                new ProcessBuilder(command).redirectError(err.toFile()).start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Said(process.waitFor(), out, Files.readString(err));
    }

    private Said version(Path jar, String... options) throws Exception {
        List<String> words = new ArrayList<>(List.of(options));
        words.addAll(List.of("-XX:SharedArchiveFile=" + archive(), "-jar", jar.toString(), "--version"));
        return java(words);
    }

    @BeforeEach
    void train() throws Exception {
        Said said = java(List.of(
                "-XX:ArchiveClassesAtExit=" + archive(),
                "-Xlog:disable",
                "-cp",
                JAR.toString(),
                "io.seriatim.server.ArchiveTraining"));
        assertThat(said.exitCode()).as(said.out() + said.err()).isZero();
        assertThat(archive()).isNotEmptyFile();
    }

    /** With -Xshare:on Java refuses to start where the archive does not fit. */
    @Test
    void archive_isTakenAndHoldsOurClasses() throws Exception {
        Path classes = folder.resolve("classes.log");
        Said said = version(JAR, "-Xshare:on", "-Xlog:class+load:file=" + classes);
        assertThat(said.exitCode()).as(said.out() + said.err()).isZero();
        assertThat(Files.readAllLines(classes))
                .anyMatch(line -> line.contains("io.seriatim.server.Main ") && line.contains("shared objects file"));
    }

    @Test
    void archive_ofAnotherJar_isLeftAsideWithoutAWord() throws Exception {
        Path other = Files.copy(JAR, folder.resolve("other.jar"));
        Said said = version(other, "-Xshare:auto", "-Xlog:disable");
        assertThat(said.exitCode()).isZero();
        assertThat(said.out()).startsWith("seriatim ").hasLineCount(1);
        assertThat(said.err()).isEmpty();
    }
}
