package io.seriatim.rocksdb;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** The files of a store, handled as a crash or a bad disk would. */
final class StoreFiles {

    private StoreFiles() {}

    /** Copies a folder as it is now: what a power cut would leave of a store that is open and not writing. */
    static Path copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                Path target = to.resolve(from.relativize(file).toString());
                if (Files.isDirectory(file)) {
                    Files.createDirectories(target);
                } else {
                    Files.copy(file, target);
                }
            }
        }
        return to;
    }

    static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    static List<Path> named(Path store, String beginning, String end) throws IOException {
        try (Stream<Path> files = Files.list(store.resolve("rocksdb"))) {
            return files.filter(file -> {
                        String name = String.valueOf(file.getFileName());
                        return name.startsWith(beginning) && name.endsWith(end);
                    })
                    .sorted()
                    .toList();
        }
    }

    static List<Path> logs(Path store) throws IOException {
        return named(store, "", ".log");
    }

    /** The one log of a store that has one. */
    static Path log(Path store) throws IOException {
        List<Path> logs = logs(store);
        if (logs.size() != 1) {
            throw new AssertionError("one log expected: " + logs);
        }
        return logs.get(0);
    }

    static Path manifest(Path store) throws IOException {
        List<Path> manifests = named(store, "MANIFEST-", "");
        if (manifests.size() != 1) {
            throw new AssertionError("one manifest expected: " + manifests);
        }
        return manifests.get(0);
    }

    static byte[] flipped(byte[] bytes, long bit) {
        byte[] flipped = bytes.clone();
        flipped[(int) (bit / 8)] ^= (byte) (1 << bit % 8);
        return flipped;
    }
}
