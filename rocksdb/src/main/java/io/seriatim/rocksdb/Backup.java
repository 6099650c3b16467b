package io.seriatim.rocksdb;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.seriatim.store.StoreException;
import io.seriatim.store.StoreException.Kind;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.DoubleConsumer;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A whole copy of a store as it was at one moment, in a folder of its own. */
public final class Backup {

    /*
     *     <backup>/seriatim.backup    what this is, a line each; written last
     *     <backup>/files/             RocksDB's files
     *
     *     Seriatim backup, format 1
     *     store 3f1c6f0e-…            the id in seriatim.store
     *     incarnation 1
     *     taken 2026-11-29T02:30:00Z
     *     written 48211               how many writes RocksDB had counted
     *     file 000012.sst 91823 9f86d081…          name, bytes, SHA-256; in order of the names
     *     end 1b4f0e98…               SHA-256 over all lines before
     *
     * It is made under the name with .part behind it. Every file is forced, then the list, then the folders; then it is
     * renamed. So what has the name is whole, and what has not is no backup to anybody.
     *
     * The files do not lie in a folder rocksdb/, nor is there a seriatim.store: nothing opens a backup as a store.
     */

    static final String LIST = "seriatim.backup";
    static final String FILES = "files";

    private static final String FIRST_LINE = "Seriatim backup, format ";
    private static final int FORMAT = 1;
    private static final long MAX_LIST_BYTES = 64 << 20;
    private static final Pattern FACTS = Pattern.compile(
            "store ([0-9a-f-]{36})\nincarnation ([1-9][0-9]{0,17})\ntaken (\\S{1,40})\nwritten ([0-9]{1,18})\n");
    private static final Pattern FILE = Pattern.compile("file ([A-Za-z0-9_.-]{1,100}) ([0-9]{1,18}) ([0-9a-f]{64})\n");
    private static final Pattern END = Pattern.compile("end ([0-9a-f]{64})\n");

    /** One file of the copy. */
    record CopiedFile(String name, FileCopy.Content content) {}

    private final Path folder;
    private final UUID storeId;
    private final long incarnation;
    private final Instant taken;
    private final long written;
    private final List<CopiedFile> files;

    Backup(Path folder, UUID storeId, long incarnation, Instant taken, long written, List<CopiedFile> files) {
        this.folder = folder;
        this.storeId = storeId;
        this.incarnation = incarnation;
        this.taken = taken;
        this.written = written;
        this.files = List.copyOf(files);
    }

    public Path folder() {
        return folder;
    }

    /** Which store it is of; the same through every restore. */
    public UUID storeId() {
        return storeId;
    }

    /** How often the store had begun anew, from 1. */
    public long incarnation() {
        return incarnation;
    }

    /** By the clock of whoever made it. */
    public Instant taken() {
        return taken;
    }

    /** How many writes RocksDB had counted: a later backup of the same incarnation has more. */
    public long written() {
        return written;
    }

    public int fileCount() {
        return files.size();
    }

    public long lengthBytes() {
        return files.stream().mapToLong(file -> file.content().lengthBytes()).sum();
    }

    // ---- the list

    private String text() {
        StringBuilder text = new StringBuilder(FIRST_LINE + FORMAT + "\n")
                .append("store ")
                .append(storeId)
                .append("\nincarnation ")
                .append(incarnation)
                .append("\ntaken ")
                .append(taken)
                .append("\nwritten ")
                .append(written)
                .append('\n');
        for (CopiedFile file : files) {
            text.append("file ")
                    .append(file.name())
                    .append(' ')
                    .append(file.content().lengthBytes())
                    .append(' ')
                    .append(file.content().sha256())
                    .append('\n');
        }
        return text.append("end ").append(digest(text.toString())).append('\n').toString();
    }

    private static String digest(String text) {
        return HexFormat.of().formatHex(FileCopy.sha256().digest(text.getBytes(UTF_8)));
    }

    /**
     * Reads what a backup says of itself; its files are not looked at.
     *
     * @throws NoSuchFileException if the folder is no backup, or one that was broken off
     * @throws StoreException CORRUPT if what it says is damaged, or of a newer version
     * @throws IOException if it cannot be read
     */
    public static Backup read(Path folder) throws IOException {
        Path list = folder.resolve(LIST);
        if (!Files.isRegularFile(list)) {
            throw new NoSuchFileException(folder.toString(), null, "no backup, or one that was broken off");
        }
        if (Files.size(list) > MAX_LIST_BYTES) {
            throw corrupt(folder, "has a list of files that is too long");
        }
        String text;
        try {
            text = Files.readString(list, UTF_8);
        } catch (CharacterCodingException e) {
            throw corrupt(folder, "has a damaged list of files");
        }
        int line = text.indexOf('\n');
        String first = line < 0 ? text : text.substring(0, line);
        if (first.startsWith(FIRST_LINE) && !first.equals(FIRST_LINE + FORMAT)) {
            throw corrupt(
                    folder,
                    "is of another version: " + first.substring(FIRST_LINE.length()) + ", this program knows format "
                            + FORMAT);
        }
        return parse(folder, text)
                .filter(read -> read.text().equals(text))
                .orElseThrow(() -> corrupt(folder, "has a damaged list of files"));
    }

    /** What was understood may still be another text; the caller compares. */
    private static Optional<Backup> parse(Path folder, String text) {
        int at = text.indexOf('\n') + 1;
        Matcher facts = FACTS.matcher(text).region(at, text.length());
        if (at == 0 || !facts.lookingAt()) {
            return Optional.empty();
        }
        List<CopiedFile> files = new ArrayList<>();
        Matcher file = FILE.matcher(text).region(facts.end(), text.length());
        int end = facts.end();
        while (file.lookingAt()) {
            files.add(
                    new CopiedFile(file.group(1), new FileCopy.Content(Long.parseLong(file.group(2)), file.group(3))));
            end = file.end();
            file.region(end, text.length());
        }
        if (!END.matcher(text).region(end, text.length()).matches()) {
            return Optional.empty();
        }
        try {
            return Optional.of(new Backup(
                    folder,
                    UUID.fromString(facts.group(1)),
                    Long.parseLong(facts.group(2)),
                    Instant.parse(facts.group(3)),
                    Long.parseLong(facts.group(4)),
                    files));
        } catch (DateTimeException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static StoreException corrupt(Path folder, String what) {
        return new StoreException(Kind.CORRUPT, "the backup in " + folder + " " + what);
    }

    // ---- making one

    /**
     * Copies files that nobody changes any more.
     *
     * @param source RocksDB's files
     * @param told the part that is done, 0 to 1
     */
    static Backup make(Path source, Path target, StoreHeader header, long written, Instant now, DoubleConsumer told)
            throws IOException {
        try (PartFolder part = PartFolder.begin(target)) {
            Path into = part.path().resolve(FILES);
            StoreFolder.createPrivate(into);
            LongConsumer progress = progress(lengthBytes(source), told);
            List<CopiedFile> files = new ArrayList<>();
            for (String name : FileCopy.names(source)) {
                files.add(new CopiedFile(name, FileCopy.copy(source.resolve(name), into.resolve(name), progress)));
            }
            Backup made = new Backup(target, header.storeId(), header.incarnation(), now, written, files);
            StoreFolder.writeForced(part.path().resolve(LIST), made.text());
            StoreFolder.forceFolder(into);
            part.finish();
            return made;
        }
    }

    private static long lengthBytes(Path folder) throws IOException {
        long length = 0;
        for (String name : FileCopy.names(folder)) {
            length += Files.size(folder.resolve(name));
        }
        return length;
    }

    private static LongConsumer progress(long lengthBytes, DoubleConsumer told) {
        long[] done = new long[1];
        return count -> {
            done[0] += count;
            told.accept(lengthBytes == 0 ? 1 : Math.min(1, (double) done[0] / lengthBytes));
        };
    }

    // ---- using one

    /**
     * Reads every file and compares it with the list.
     *
     * @param told the part that is done, 0 to 1
     * @throws StoreException CORRUPT if a file is missing, too many, or not the one that was written
     * @throws IOException if one cannot be read
     */
    public void verify(DoubleConsumer told) throws IOException {
        requireNames();
        LongConsumer progress = progress(lengthBytes(), told);
        for (CopiedFile file : files) {
            requireSame(file, FileCopy.read(folder.resolve(FILES).resolve(file.name()), progress));
        }
    }

    /**
     * Makes a data folder of it that serves nothing yet: it is a new incarnation of the store, the epochs of its logs are
     * raised, and somebody has to say what was handed out since ({@link RocksDbStore#openForRestore}). All or nothing,
     * durable on return.
     *
     * @param target is not there yet
     * @param told the part that is done, 0 to 1
     * @throws StoreException CORRUPT as {@link #verify}
     * @throws IOException if something is at the target already, or files cannot be read or written
     * @throws IllegalArgumentException if the target lies inside a data folder or a backup
     */
    public void restoreTo(Path target, DoubleConsumer told) throws IOException {
        requireNames();
        try (PartFolder part = PartFolder.begin(target)) {
            Path into = part.path().resolve(StoreFolder.DATABASE);
            StoreFolder.createPrivate(into);
            LongConsumer progress = progress(lengthBytes(), told);
            for (CopiedFile file : files) {
                Path from = folder.resolve(FILES).resolve(file.name());
                requireSame(file, FileCopy.copy(from, into.resolve(file.name()), progress));
            }
            StoreFolder.forceFolder(into);
            StoreFolder.writeStoreId(part.path(), storeId);
            try (RocksDbStore store = RocksDbStore.openForRestore(part.path(), Optional.of(taken))) {
                requireIncarnation(store.storage().header());
            }
            part.finish();
        }
    }

    /**
     * Lets somebody look at what {@link #restoreTo} would make, in a folder that is deleted again.
     *
     * @param scratch is not there yet
     * @param told the part that is copied, 0 to 1
     * @throws StoreException as {@link #restoreTo}
     * @throws IOException as {@link #restoreTo}
     */
    public <T> T inScratch(Path scratch, DoubleConsumer told, Function<RocksDbStore, T> look) throws IOException {
        restoreTo(scratch, told);
        try (RocksDbStore store = RocksDbStore.openToRead(scratch)) {
            return look.apply(store);
        } finally {
            FileCopy.delete(scratch);
        }
    }

    private void requireIncarnation(StoreHeader restored) {
        if (restored.incarnation() != incarnation + 1) {
            throw corrupt(folder, "holds another incarnation than it says: " + (restored.incarnation() - 1));
        }
    }

    private void requireNames() throws IOException {
        Path copied = folder.resolve(FILES);
        List<String> found = Files.isDirectory(copied) ? FileCopy.names(copied) : List.of();
        List<String> listed = files.stream().map(CopiedFile::name).toList();
        if (!found.equals(listed)) {
            List<String> missing = new ArrayList<>(listed);
            missing.removeAll(found);
            throw corrupt(
                    folder,
                    missing.isEmpty() ? "has files that are not in its list" : "has lost the file " + missing.get(0));
        }
    }

    private void requireSame(CopiedFile listed, FileCopy.Content found) {
        if (!listed.content().equals(found)) {
            throw corrupt(folder, "has a damaged file: " + listed.name());
        }
    }
}
