package io.seriatim.server;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import picocli.CommandLine;

/**
 * Runs through what a first call needs, so that the classes for it are loaded: docs/adr/0009-class-data-sharing.md.
 * The launcher runs it once after a build and lets Java keep those classes in an archive.
 */
final class ArchiveTraining {

    private ArchiveTraining() {}

    public static void main(String[] arguments) throws IOException {
        Path folder = Files.createTempDirectory("seriatim-training");
        try {
            run(folder);
        } finally {
            delete(folder);
        }
        // What still runs are threads of a client; the archive is written at the end of the process.
        System.exit(ExitCode.OK);
    }

    private static void run(Path folder) throws IOException {
        String data = folder.resolve("data").toString();
        command("define", "training", "--data", data);
        command("next", "training", "--data", data);
        Path file = Files.writeString(folder.resolve("settings.yaml"), "port: 0\n");
        try (Serving serving =
                Serving.start(Settings.of(Map.of(Setting.CONFIG, file.toString(), Setting.DATA, data), Map.of()))) {
            callOften(serving.uri().toString());
        }
    }

    private static void callOften(String server) {
        for (List<String> words : List.of(
                List.of("define", "other"),
                List.of("list"),
                List.of("show", "training"),
                List.of("next", "training"),
                List.of("next", "training", "--json"),
                List.of("next", "missing"),
                List.of("peek", "training"))) {
            command(Stream.concat(words.stream(), Stream.of("--server", server)).toArray(String[]::new));
        }
    }

    private static void command(String... words) {
        CommandLine commandLine = Main.commandLine(Map.of());
        PrintWriter nowhere = new PrintWriter(new StringWriter());
        commandLine.setOut(nowhere).setErr(nowhere).execute(words);
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
