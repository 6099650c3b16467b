package io.seriatim.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.seriatim.store.StoreException;
import java.math.BigInteger;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Counts the rows that it is shown, and keeps of each kind a digest that does not depend on their order. For one thread. */
final class StateTally extends StateRows {

    /*
     * Two stores list their rows in different orders, so the digest of a kind is the sum of the SHA-256 of its rows, modulo
     * 2^256: a row that is missing, there twice, or different by one bit changes it. A row is digested as the line that a
     * file has of it.
     */

    private static final BigInteger MODULUS = BigInteger.ONE.shiftLeft(256);

    /**
     * What there is of one kind of rows.
     *
     * @param digest 64 hexadecimal digits
     */
    record Kind(long count, String digest) {}

    private static final class Sum {
        long count;
        BigInteger digest = BigInteger.ZERO;
    }

    private final Map<String, Sum> kinds = new TreeMap<>();
    private final MessageDigest sha256 = sha256();

    StateTally() {
        StateRow.KINDS.forEach(kind -> kinds.put(kind, new Sum()));
    }

    static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /** By kind. */
    Map<String, Kind> kinds() {
        Map<String, Kind> all = new TreeMap<>();
        kinds.forEach((kind, sum) ->
                all.put(kind, new Kind(sum.count, String.format(Locale.ROOT, "%064x", sum.digest))));
        return all;
    }

    @Override
    void add(StateRow row) {
        Sum sum = kinds.computeIfAbsent(row.kind(), unused -> new Sum());
        sum.count++;
        BigInteger digest = new BigInteger(1, sha256.digest(row.line().getBytes(UTF_8)));
        sum.digest = sum.digest.add(digest).mod(MODULUS);
    }

    @Override
    public void damaged(String where, String what) {
        throw new StoreException(StoreException.Kind.CORRUPT, "a row cannot be read: " + where + ": " + what);
    }
}
