package io.seriatim.eventlog.application;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What an application is made of. Immutable; kinds, sequences and types keep the order in which they were given.
 *
 * @param partitions a workspace lies in partition {@code workspace mod partitions}
 * @param kinds of workspaces, by name
 * @param types of records, by name
 */
public record ApplicationDefinition(int partitions, Map<String, Kind> kinds, Map<String, RecordType> types) {

    /** The sequence that the ids of all records are drawn from, unless something else is said. */
    public static final String RECORD_ID = "RecordID";

    /** The sequence that the ids of CDocs and CRecords are drawn from, where the kind has it. */
    public static final String C_RECORD_ID = "CRecordID";

    /** The sequence of a workspace's own offsets, which every kind has without saying so. */
    public static final String WLOG_OFFSET = "WLogOffset";

    /**
     * A kind of workspaces.
     *
     * @param sequences by name; the offsets of a workspace's events need none
     */
    public record Kind(Map<String, Range> sequences) {

        public Kind {
            sequences = copy(sequences);
        }
    }

    /**
     * The numbers of a sequence.
     *
     * @param initial the first one, at least 1
     * @param max the last one
     */
    public record Range(long initial, long max) {

        boolean has(long number) {
            return number >= initial && number <= max;
        }

        boolean meets(Range other) {
            return initial <= other.max && other.initial <= max;
        }
    }

    /**
     * A type of records.
     *
     * @param sequence that its ids are drawn from, if not from that of its kind of record
     * @param singleton whether a workspace has at most one, whose id is the same in all workspaces; only a CDoc
     */
    public record RecordType(RecordKind kind, Optional<String> sequence, boolean singleton) {}

    public ApplicationDefinition {
        kinds = copy(kinds);
        types = copy(types);
    }

    private static <T> Map<String, T> copy(Map<String, T> map) {
        return Collections.unmodifiableMap(new LinkedHashMap<>(map));
    }

    /** One without kinds and types. */
    public static ApplicationDefinition ofPartitions(int partitions) {
        return new ApplicationDefinition(partitions, Map.of(), Map.of());
    }

    /** The same with a sequence of a kind, which is added if it is not there; without another end than that of 64 bits. */
    public ApplicationDefinition kind(String kind, String sequence, long initial) {
        return kind(kind, sequence, initial, Long.MAX_VALUE);
    }

    /** The same with a sequence of a kind that has an end. */
    public ApplicationDefinition kind(String kind, String sequence, long initial, long max) {
        Map<String, Range> sequences =
                new LinkedHashMap<>(kinds.getOrDefault(kind, new Kind(Map.of())).sequences());
        sequences.put(sequence, new Range(initial, max));
        return with(kind, new Kind(sequences));
    }

    /** The same with a kind that has no sequences of its own, so no records. */
    public ApplicationDefinition kind(String kind) {
        return with(kind, new Kind(Map.of()));
    }

    private ApplicationDefinition with(String kind, Kind its) {
        Map<String, Kind> more = new LinkedHashMap<>(kinds);
        more.put(kind, its);
        return new ApplicationDefinition(partitions, more, types);
    }

    /** The same with a type of records. */
    public ApplicationDefinition type(String type, RecordKind kind) {
        return type(type, new RecordType(kind, Optional.empty(), false));
    }

    /** The same with a CDoc of which a workspace has at most one. */
    public ApplicationDefinition singleton(String type) {
        return type(type, new RecordType(RecordKind.CDOC, Optional.empty(), true));
    }

    /** The same with a type of records. */
    public ApplicationDefinition type(String type, RecordType its) {
        Map<String, RecordType> more = new LinkedHashMap<>(types);
        more.put(type, its);
        return new ApplicationDefinition(partitions, kinds, more);
    }
}
