package io.seriatim.server;

import io.seriatim.server.Access.Role;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Base64;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Who may call a server, by the SHA-256 of their tokens. */
final class Tokens {

    /*
     * A file of lines, each: NAME ROLE[,ROLE] sha256:HEX [PATTERN …]. Empty lines and lines that begin with # do
     * not count. The token itself is nowhere: it has 256 bits of chance, so a plain hash cannot be turned back, and
     * who reads the file can call nobody. A token is compared with all of them, and each comparison takes the same
     * time, so how long it takes tells nothing.
     */

    /** What a caller's header begins with; RFC 6750. */
    private static final String SCHEME = "bearer ";

    private static final int TOKEN_BYTES = 32;
    private static final int MOST = 1_000;

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.-]{0,63}");
    private static final Pattern HASH = Pattern.compile("sha256:([0-9a-fA-F]{64})");
    private static final Pattern SEQUENCES = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.-]{0,127}\\*?|\\*");

    private static final class Entry {
        final byte[] hash;
        final Caller caller;

        Entry(byte[] hash, Caller caller) {
            this.hash = hash;
            this.caller = caller;
        }
    }

    private final List<Entry> entries;

    private Tokens(List<Entry> entries) {
        this.entries = List.copyOf(entries);
    }

    /** Reads a file of tokens; refuses one that has a bad line, and names the line. */
    static Tokens read(Path file, byte[] bytes) {
        String text = Utf8.decode(bytes).orElseThrow(() -> refusal(file, 1, "is not UTF-8"));
        List<Entry> entries = new ArrayList<>();
        Set<String> names = new HashSet<>();
        int number = 0;
        for (String line : text.split("\r?\n", -1)) {
            number++;
            if (line.isBlank() || line.startsWith("#")) {
                continue;
            }
            Entry entry = entry(file, number, line.strip().split("\\s+"));
            require(names.add(entry.caller.name()), file, number, "has a name that another line has");
            require(
                    entries.stream().noneMatch(other -> MessageDigest.isEqual(other.hash, entry.hash)),
                    file,
                    number,
                    "has a token that another line has");
            require(entries.size() < MOST, file, number, "is one too many: there may be " + MOST);
            entries.add(entry);
        }
        return new Tokens(entries);
    }

    private static Entry entry(Path file, int number, String[] words) {
        require(words.length >= 3, file, number, "must be NAME ROLE sha256:HEX, and perhaps names of sequences");
        require(NAME.matcher(words[0]).matches(), file, number, "must begin with a name: " + NAME);
        Set<Role> roles = EnumSet.noneOf(Role.class);
        for (String word : words[1].split(",", -1)) {
            roles.add(role(word)
                    .orElseThrow(
                            () -> refusal(file, number, "has a role that is none of viewer, allocator, operator")));
        }
        Matcher hash = HASH.matcher(words[2]);
        require(hash.matches(), file, number, "must have sha256: and 64 hexadecimal digits as its third word");
        List<String> patterns = List.of(words).subList(3, words.length);
        for (String pattern : patterns) {
            require(
                    SEQUENCES.matcher(pattern).matches(),
                    file,
                    number,
                    "must end with names, or beginnings of names and *");
        }
        require(
                patterns.isEmpty() || roles.contains(Role.ALLOCATOR) && !roles.contains(Role.OPERATOR),
                file,
                number,
                "names sequences, which is for an allocator only");
        return new Entry(HexFormat.of().parseHex(hash.group(1)), new Caller(words[0], roles, patterns));
    }

    private static Optional<Role> role(String word) {
        for (Role role : Role.values()) {
            if (word.equals(role.name().toLowerCase(Locale.ROOT))) {
                return Optional.of(role);
            }
        }
        return Optional.empty();
    }

    private static void require(boolean holds, Path file, int line, String rule) {
        if (!holds) {
            throw refusal(file, line, rule);
        }
    }

    private static Refusal refusal(Path file, int line, String rule) {
        return new Refusal(Problem.badRequest("the file of tokens " + file + ", line " + line + ", " + rule));
    }

    /** Who sends this as {@code Authorization}; empty if nobody known. */
    Optional<Caller> find(@Nullable String authorization) {
        if (authorization == null || !authorization.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
            return Optional.empty();
        }
        byte[] hash = hash(authorization.substring(SCHEME.length()).strip());
        Caller found = null;
        for (Entry entry : entries) {
            if (MessageDigest.isEqual(hash, entry.hash)) {
                found = entry.caller;
            }
        }
        return Optional.ofNullable(found);
    }

    private static byte[] hash(String token) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    /** A new token, and its line for the file. */
    record Fresh(String token, String line) {
        String json() {
            return Json.object(out -> {
                out.writeStringProperty("token", token);
                out.writeStringProperty("line", line);
            });
        }
    }

    /**
     * Makes a token for a caller.
     *
     * @param roles with commas between them
     * @throws Refusal if the line would be refused in a file
     */
    static Fresh fresh(SecureRandom random, String name, String roles, List<String> sequences) {
        byte[] bytes = new byte[TOKEN_BYTES];
        random.nextBytes(bytes);
        String token = "srt_" + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
        List<String> words =
                new ArrayList<>(List.of(name, roles, "sha256:" + HexFormat.of().formatHex(hash(token))));
        words.addAll(sequences);
        entry(Path.of("(new)"), 1, words.toArray(String[]::new));
        return new Fresh(token, String.join(" ", words));
    }
}
