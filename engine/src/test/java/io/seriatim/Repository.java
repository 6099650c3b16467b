package io.seriatim;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The source tree that these tests run in. */
public final class Repository {

    /** Folders that hold nothing we wrote, or nothing of this project. */
    private static final Set<String> SKIPPED = Set.of("target", "shared", "node_modules");

    private final Path root;

    private Repository(Path root) {
        this.root = root;
    }

    /** The tree around the working directory, wherever in it the test was started. */
    public static Repository here() {
        Path folder = Path.of("").toAbsolutePath();
        while (folder != null && !Files.exists(folder.resolve(".mvn"))) {
            folder = folder.getParent();
        }
        if (folder == null) {
            throw new IllegalStateException("the tests must run inside the source tree: folder="
                    + Path.of("").toAbsolutePath());
        }
        return new Repository(folder);
    }

    /** The files whose name ends in one of {@code endings}, in order of their paths. */
    public List<Path> files(String... endings) {
        List<Path> files = new ArrayList<>();
        try {
            Files.walkFileTree(root, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                    String name = folder.getFileName().toString();
                    boolean ours = folder.equals(root) || !name.startsWith(".") && !SKIPPED.contains(name);
                    return ours ? FileVisitResult.CONTINUE : FileVisitResult.SKIP_SUBTREE;
                }

                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                    String name = file.getFileName().toString();
                    for (String ending : endings) {
                        if (name.endsWith(ending)) {
                            files.add(file);
                        }
                    }
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        files.sort(null);
        return files;
    }

    public Path file(String path) {
        return root.resolve(path);
    }

    /** A file's path as a reader of a test report wants it. */
    String nameOf(Path file) {
        return root.relativize(file).toString().replace('\\', '/');
    }

    public static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
