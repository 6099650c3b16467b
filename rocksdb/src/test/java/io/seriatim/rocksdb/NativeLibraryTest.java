package io.seriatim.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class NativeLibraryTest {

    @TempDir
    private Path temp;

    private static Path library(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            List<Path> all = files.toList();
            assertThat(all).hasSize(1);
            return all.get(0);
        }
    }

    @Test
    void kept_firstTime_unpacksForTheOwnerOnly() throws IOException {
        Path folder = NativeLibrary.kept(List.of(temp.resolve("cache"))).orElseThrow();
        assertThat(folder).hasParent(temp.resolve("cache"));
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder)))
                .isEqualTo("rwx------");
        assertThat(Files.size(library(folder))).isGreaterThan(5 << 20);
    }

    @Test
    void kept_secondTime_isTheSameFile() throws IOException {
        Path first = library(NativeLibrary.kept(List.of(temp)).orElseThrow());
        Object file = Files.getAttribute(first, "unix:ino");
        Path second = library(NativeLibrary.kept(List.of(temp)).orElseThrow());
        assertThat(Files.getAttribute(second, "unix:ino")).isEqualTo(file);
    }

    /** A disk that was full, or a bit that has flipped: a broken program must not be run. */
    @Test
    void kept_fileDamaged_isReplaced() throws IOException {
        Path library = library(NativeLibrary.kept(List.of(temp)).orElseThrow());
        byte[] good = Files.readAllBytes(library);
        for (byte[] bad : List.of(StoreFiles.flipped(good, 8L * 1_000_000), new byte[0], new byte[good.length])) {
            Files.write(library, bad);
            assertThat(library(NativeLibrary.kept(List.of(temp)).orElseThrow())).isEqualTo(library);
            assertThat(Files.readAllBytes(library)).isEqualTo(good);
        }
    }

    @Test
    void kept_folderThatOthersMayWriteTo_isNotBelieved() throws IOException {
        Path folder = NativeLibrary.kept(List.of(temp)).orElseThrow();
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
        assertThat(NativeLibrary.kept(List.of(temp))).isEmpty();
        Path next = temp.resolve("next");
        assertThat(NativeLibrary.kept(List.of(temp, next)).orElseThrow()).hasParent(next);
    }

    @Test
    void kept_folderThatIsALink_isNotBelieved() throws IOException {
        Path folder = NativeLibrary.kept(List.of(temp)).orElseThrow();
        Path moved = Files.move(folder, temp.resolve("moved"));
        Files.createSymbolicLink(folder, moved);
        assertThat(NativeLibrary.kept(List.of(temp))).isEmpty();
    }

    @Test
    void kept_noFolderToBeHad_empty() throws IOException {
        Path file = Files.createFile(temp.resolve("file"));
        assertThat(NativeLibrary.kept(List.of(file))).isEmpty();
    }
}
