package io.seriatim.store;

/**
 * How far a transactional sequence has come.
 *
 * @param version orders the puts of a sequence; 0: nothing was put
 * @param value the value that was put under it; any long, and not greater than that of a lower version where a sequence
 *     goes downwards or cycles
 */
public record VersionedValue(long version, long value) {

    /** Of a sequence to which nothing was put. */
    public static final VersionedValue NONE = new VersionedValue(0, 0);

    public VersionedValue {
        if (version < 0) {
            throw new IllegalArgumentException("version must be at least 0: version=" + version);
        }
    }

    public boolean isNewerThan(VersionedValue other) {
        return version > other.version;
    }
}
