package io.seriatim.rocksdb;

import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.JarURLConnection;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.zip.CRC32;
import org.rocksdb.RocksDB;
import org.rocksdb.util.Environment;

/** Loads RocksDB's native library from a file that is kept from one start to the next. */
final class NativeLibrary {

    /*
     * RocksDB unpacks its 17 MiB library into a new temporary file at every start, and leaves it there when the
     * process is killed. Here it is unpacked once:
     *
     *     <cache>/seriatim-rocksdb-<size>-<crc>/<the name that RocksDB asks for>
     *
     * where <cache> is $XDG_CACHE_HOME, else ~/.cache, else the folder for temporary files. It is written
     * aside, forced and renamed, and read against size and CRC-32 of the jar before each use. Only a folder
     * that belongs to this user and that nobody else may enter is believed. Wherever any of this does not
     * hold, RocksDB's own way is taken. The folder may be deleted at any time.
     */

    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rwx------");

    /** Linux keeps a process here under its user; where there is no such file, RocksDB's own way is taken. */
    private static final Path SELF = Path.of("/proc/self");

    private static final String USER_ID = "unix:uid";
    private static final int BUFFER_BYTES = 1 << 16;

    private NativeLibrary() {}

    static synchronized void load() {
        Optional<Path> folder = kept(cacheFolders());
        if (folder.isPresent()) {
            try {
                RocksDB.loadLibrary(List.of(folder.get().toString()));
                return;
            } catch (UnsatisfiedLinkError e) {
                // Another class loader has this file, or the folder may not hold programs: RocksDB's own way.
            }
        }
        RocksDB.loadLibrary();
    }

    private static List<Path> cacheFolders() {
        List<Path> folders = new ArrayList<>();
        String xdg = System.getenv("XDG_CACHE_HOME");
        String home = System.getProperty("user.home", "");
        if (xdg != null && new File(xdg).isAbsolute()) {
            folders.add(Path.of(xdg));
        } else if (new File(home).isDirectory()) {
            folders.add(Path.of(home, ".cache"));
        }
        folders.add(Path.of(System.getProperty("java.io.tmpdir", "/tmp")));
        return folders;
    }

    /** The folder that holds the library, unpacked where it was not yet; empty where none may be used. */
    static Optional<Path> kept(List<Path> caches) {
        for (Path cache : caches) {
            Optional<Path> folder = kept(cache);
            if (folder.isPresent()) {
                return folder;
            }
        }
        return Optional.empty();
    }

    private static Optional<Path> kept(Path cache) {
        URL url = RocksDB.class.getResource("/" + Environment.getJniLibraryFileName("rocksdb"));
        if (url == null || !cache.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            return Optional.empty();
        }
        try {
            return url.openConnection() instanceof JarURLConnection jar
                    ? Optional.of(keep(jar, cache))
                    : Optional.empty();
        } catch (IOException e) {
            return Optional.empty(); // the next place, and in the end RocksDB's own way, which says what is wrong
        }
    }

    private static Path keep(JarURLConnection connection, Path cache) throws IOException {
        connection.setUseCaches(false);
        try (JarFile jar = connection.getJarFile()) {
            JarEntry entry = connection.getJarEntry();
            FileAttribute<?> ownerOnly = PosixFilePermissions.asFileAttribute(OWNER_ONLY);
            Path folder = cache.resolve("seriatim-rocksdb-" + entry.getSize() + "-" + Long.toHexString(entry.getCrc()));
            Files.createDirectories(folder, ownerOnly);
            requireOurs(folder);
            Path library = folder.resolve(Environment.getJniLibraryFileName("rocksdbjni"));
            if (!isWhole(library.toFile(), entry)) {
                unpack(jar, entry, library);
            }
            return folder;
        }
    }

    /** A folder that another user made, or may write to, could hold any program. */
    private static void requireOurs(Path folder) throws IOException {
        PosixFileAttributes attributes =
                Files.readAttributes(folder, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        Object ourUserId = Files.getAttribute(SELF, USER_ID);
        boolean ours = attributes.isDirectory()
                && ourUserId.equals(Files.getAttribute(folder, USER_ID, LinkOption.NOFOLLOW_LINKS))
                && attributes.permissions().equals(OWNER_ONLY);
        if (!ours) {
            throw new IOException("not a folder of this user alone: " + folder);
        }
    }

    private static boolean isWhole(File library, JarEntry entry) throws IOException {
        if (library.length() != entry.getSize()) {
            return false;
        }
        CRC32 crc = new CRC32();
        byte[] buffer = new byte[BUFFER_BYTES];
        try (FileInputStream in = new FileInputStream(library)) {
            for (int count = in.read(buffer); count > 0; count = in.read(buffer)) {
                crc.update(buffer, 0, count);
            }
        }
        return crc.getValue() == entry.getCrc();
    }

    private static void unpack(JarFile jar, JarEntry entry, Path library) throws IOException {
        Path aside = Files.createTempFile(library.getParent(), "unpack", ".new");
        try {
            try (InputStream in = jar.getInputStream(entry);
                    FileOutputStream out = new FileOutputStream(aside.toFile())) {
                in.transferTo(out);
                out.getFD().sync();
            }
            if (!isWhole(aside.toFile(), entry)) {
                throw new IOException("not unpacked whole: " + aside);
            }
            Files.move(aside, library, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(aside);
        }
    }
}
