package io.seriatim.eventlog.application;

import io.seriatim.ErrorCode;
import io.seriatim.eventlog.EventLogException;
import io.seriatim.eventlog.KindSequence;
import io.seriatim.eventlog.WorkspaceKind;
import io.seriatim.eventlog.application.ApplicationDefinition.Kind;
import io.seriatim.eventlog.application.ApplicationDefinition.Range;
import io.seriatim.eventlog.application.ApplicationDefinition.RecordType;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A definition with the ids that its kinds, sequences and types have for ever. Immutable; {@link Deploying} makes it.
 *
 * @param id of the application
 * @param deployed whether its partitions are to run
 * @param projectors the names of those without which no event is applied
 */
record Schema(
        int id,
        String name,
        boolean deployed,
        int partitions,
        List<KindEntry> kinds,
        List<TypeEntry> types,
        List<String> projectors) {

    /** Greatest raw id; they stand for records within one command. */
    static final long MAX_RAW_ID = 65_535;
    /** Ids of singletons, one for each such type. */
    static final long FIRST_SINGLETON_ID = 65_536;

    static final int MOST_SINGLETONS = 512;
    /** Greatest id that a singleton can have: those up to here are kept for types to come. */
    static final long MAX_SINGLETON_ID = FIRST_SINGLETON_ID + MOST_SINGLETONS - 1;
    /** From here on ids are drawn; those between belong to nobody. */
    static final long FIRST_RECORD_ID = 200_001;

    record KindEntry(int id, String name, List<SequenceEntry> sequences) {

        Optional<SequenceEntry> sequence(String wanted) {
            return sequences.stream().filter(each -> each.name().equals(wanted)).findFirst();
        }

        /** The sequence that could give this id to a record, or could have at any time. */
        Optional<SequenceEntry> feeding(long id) {
            return sequences.stream()
                    .filter(each -> each.feedsRecords() && each.everGiven().has(id))
                    .findFirst();
        }
    }

    /**
     * A sequence of a kind.
     *
     * @param lowest the lowest initial number that it ever had: from there on its numbers are its own
     * @param feedsRecords whether record ids have ever been drawn from it
     */
    record SequenceEntry(int id, String name, Range range, long lowest, boolean feedsRecords) {

        Range everGiven() {
            return new Range(lowest, range.max());
        }
    }

    /**
     * A type of records.
     *
     * @param singletonId of the one record of a workspace, if there is at most one
     */
    record TypeEntry(int id, String name, RecordType type, OptionalLong singletonId) {

        /** The names of the sequences that its ids can come from; the first that a kind has counts. */
        List<String> sources() {
            if (type.sequence().isPresent()) {
                return List.of(type.sequence().get());
            }
            return type.kind().isConfiguration()
                    ? List.of(ApplicationDefinition.C_RECORD_ID, ApplicationDefinition.RECORD_ID)
                    : List.of(ApplicationDefinition.RECORD_ID);
        }

        Optional<SequenceEntry> source(KindEntry kind) {
            return sources().stream()
                    .flatMap(name -> kind.sequence(name).stream())
                    .findFirst();
        }
    }

    Schema {
        kinds = List.copyOf(kinds);
        types = List.copyOf(types);
        projectors = List.copyOf(projectors);
    }

    Schema withDeployed(boolean yes) {
        return new Schema(id, name, yes, partitions, kinds, types, projectors);
    }

    /** With those projectors too that it does not have. */
    Schema withProjectors(List<String> names) {
        Set<String> all = new LinkedHashSet<>(projectors);
        all.addAll(names);
        return new Schema(id, name, deployed, partitions, kinds, types, List.copyOf(all));
    }

    Schema withoutProjector(String gone) {
        List<String> left =
                projectors.stream().filter(each -> !each.equals(gone)).toList();
        return new Schema(id, name, deployed, partitions, kinds, types, left);
    }

    /** As it was defined. */
    ApplicationDefinition definition() {
        Map<String, Kind> kindsByName = new LinkedHashMap<>();
        for (KindEntry kind : kinds) {
            Map<String, Range> sequences = new LinkedHashMap<>();
            kind.sequences().forEach(each -> sequences.put(each.name(), each.range()));
            kindsByName.put(kind.name(), new Kind(sequences));
        }
        Map<String, RecordType> typesByName = new LinkedHashMap<>();
        types.forEach(each -> typesByName.put(each.name(), each.type()));
        return new ApplicationDefinition(partitions, kindsByName, typesByName);
    }

    /** The kinds as a sequencer wants them. */
    List<WorkspaceKind> workspaceKinds() {
        return kinds.stream()
                .map(kind -> {
                    WorkspaceKind its = WorkspaceKind.of(kind.id());
                    for (SequenceEntry each : kind.sequences()) {
                        its = its.with(new KindSequence(
                                each.id(), each.range().initial(), each.range().max()));
                    }
                    return its;
                })
                .toList();
    }

    int partitionOf(long workspace) {
        return (int) Math.floorMod(workspace, (long) partitions);
    }

    // ---- looked up

    /** Finds kinds and types by name or id; made once for a schema. */
    static final class Index {

        private final Schema schema;
        private final Map<String, KindEntry> kindsByName;
        private final Map<Integer, KindEntry> kindsById;
        private final Map<String, TypeEntry> typesByName;
        private final Map<Integer, TypeEntry> typesById;

        Index(Schema schema) {
            this.schema = schema;
            kindsByName = by(schema.kinds, KindEntry::name);
            kindsById = by(schema.kinds, KindEntry::id);
            typesByName = by(schema.types, TypeEntry::name);
            typesById = by(schema.types, TypeEntry::id);
        }

        private static <K, E> Map<K, E> by(List<E> entries, Function<E, K> key) {
            return entries.stream().collect(Collectors.toUnmodifiableMap(key, Function.identity()));
        }

        Schema schema() {
            return schema;
        }

        KindEntry kind(String name) {
            KindEntry kind = kindsByName.get(name);
            if (kind == null) {
                throw new EventLogException(ErrorCode.BAD_REQUEST, "the application has no kind of this name: " + name);
            }
            return kind;
        }

        Optional<KindEntry> kind(int id) {
            return Optional.ofNullable(kindsById.get(id));
        }

        Optional<TypeEntry> type(String name) {
            return Optional.ofNullable(typesByName.get(name));
        }

        Optional<TypeEntry> type(int id) {
            return Optional.ofNullable(typesById.get(id));
        }
    }
}
