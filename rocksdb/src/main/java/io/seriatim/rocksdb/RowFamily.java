package io.seriatim.rocksdb;

import java.util.regex.Pattern;

/**
 * A family of the user's own rows beside ours in one folder: keys and values of bytes, in order of their keys. Made by
 * {@link RocksDbTransactions#family}.
 */
public final class RowFamily {

    /** Keeps the user's names apart from ours. */
    static final String PREFIX = "rows.";

    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_]{0,62}");

    private final String name;

    RowFamily(String name) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("the name of a family must be " + NAME + ": name=" + name);
        }
        this.name = name;
    }

    public String name() {
        return name;
    }
}
