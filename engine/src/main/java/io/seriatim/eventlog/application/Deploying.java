package io.seriatim.eventlog.application;

import io.seriatim.ErrorCode;
import io.seriatim.eventlog.EventLogException;
import io.seriatim.eventlog.application.ApplicationDefinition.Kind;
import io.seriatim.eventlog.application.ApplicationDefinition.Range;
import io.seriatim.eventlog.application.ApplicationDefinition.RecordType;
import io.seriatim.eventlog.application.Schema.KindEntry;
import io.seriatim.eventlog.application.Schema.SequenceEntry;
import io.seriatim.eventlog.application.Schema.TypeEntry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.ToIntFunction;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Makes a schema out of a definition, and out of a definition and the schema before it; or says why that cannot be. */
final class Deploying {

    /*
     * What is in a log is in it for ever: an event names kinds and sequences by their ids, a record its type. So nothing is
     * taken away, no id changes, and no number comes again. A sequence keeps the lowest initial number that it ever had,
     * for what it gave out above that is in use; its max does not fall, and what once fed records goes on to count as
     * feeding. Then it is enough that these ranges are disjoint.
     */

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.-]{0,127}");
    private static final int MOST_PARTITIONS = 256;
    private static final int MOST_KINDS = 250;
    private static final int MOST_SEQUENCES = 63;
    private static final int MOST_TYPES = 10_000;

    private Deploying() {}

    static boolean isName(String name) {
        return NAME.matcher(name).matches();
    }

    /** The schema of an application that was never there. */
    static Schema first(int id, String name, ApplicationDefinition definition) {
        return schema(new Schema(id, name, true, definition.partitions(), List.of(), List.of(), List.of()), definition);
    }

    /**
     * The schema after a further deployment.
     *
     * @throws ApplicationException BAD_OPTION if the definition cannot be
     * @throws EventLogException ALREADY_EXISTS if something is missing or is something else than before, WOULD_REPEAT if a
     *     number would be lowered or come again
     */
    static Schema next(Schema before, ApplicationDefinition definition) {
        if (definition.partitions() != before.partitions()) {
            throw new EventLogException(
                    ErrorCode.ALREADY_EXISTS,
                    "an application keeps its partitions: there are " + before.partitions() + ", wanted are "
                            + definition.partitions());
        }
        requireNothingMissing(before, definition);
        return schema(before.withDeployed(true), definition);
    }

    private static void requireNothingMissing(Schema before, ApplicationDefinition definition) {
        for (KindEntry kind : before.kinds()) {
            Kind now = definition.kinds().get(kind.name());
            if (now == null) {
                throw missing("kinds." + kind.name());
            }
            for (SequenceEntry sequence : kind.sequences()) {
                if (!now.sequences().containsKey(sequence.name())) {
                    throw missing(path(kind.name(), sequence.name()));
                }
            }
        }
        for (TypeEntry type : before.types()) {
            RecordType now = definition.types().get(type.name());
            if (now == null) {
                throw missing("types." + type.name());
            }
            if (now.kind() != type.type().kind()
                    || now.singleton() != type.type().singleton()) {
                throw new EventLogException(
                        ErrorCode.ALREADY_EXISTS,
                        "types." + type.name() + ": a type stays what it is; it is a "
                                + type.type().kind().text() + (type.type().singleton() ? ", a singleton" : ""));
            }
        }
    }

    private static EventLogException missing(String what) {
        return new EventLogException(
                ErrorCode.ALREADY_EXISTS, what + " is missing: what was deployed once stays, as the log names it");
    }

    private static Schema schema(Schema before, ApplicationDefinition definition) {
        require(
                definition.partitions() >= 1 && definition.partitions() <= MOST_PARTITIONS,
                "partitions",
                "from 1 to " + MOST_PARTITIONS);
        require(!definition.kinds().isEmpty(), "kinds", "an application has at least one");
        require(definition.kinds().size() <= MOST_KINDS, "kinds", "at most " + MOST_KINDS);
        require(definition.types().size() <= MOST_TYPES, "types", "at most " + MOST_TYPES);
        List<TypeEntry> types = types(before, definition.types());
        List<KindEntry> kinds = new ArrayList<>(before.kinds());
        definition.kinds().forEach((name, kind) -> {
            KindEntry there = kinds.stream()
                    .filter(each -> each.name().equals(name))
                    .findFirst()
                    .orElseGet(() -> new KindEntry(kinds.size() + 1, name, List.of()));
            put(kinds, KindEntry::id, kind(there, kind, types));
        });
        for (TypeEntry type : types) {
            require(
                    type.type().sequence().isEmpty()
                            || kinds.stream().anyMatch(kind -> type.source(kind).isPresent()),
                    "types." + type.name() + ".sequence",
                    "no kind has a sequence of this name");
        }
        kinds.forEach(Deploying::requireDisjoint);
        requireNamesApart("kinds", kinds.stream().map(KindEntry::name));
        requireNamesApart("types", types.stream().map(TypeEntry::name));
        kinds.forEach(kind -> requireNamesApart(
                "kinds." + kind.name() + ".sequences",
                Stream.concat(
                        Stream.of(ApplicationDefinition.WLOG_OFFSET),
                        kind.sequences().stream().map(SequenceEntry::name))));
        return new Schema(
                before.id(),
                before.name(),
                before.deployed(),
                definition.partitions(),
                kinds,
                types,
                before.projectors());
    }

    // ---- types

    private static List<TypeEntry> types(Schema before, Map<String, RecordType> wanted) {
        List<TypeEntry> types = new ArrayList<>(before.types());
        wanted.forEach((name, type) -> {
            require(isName(name), "types." + name, "not a name");
            require(
                    !type.singleton() || type.kind() == RecordKind.CDOC,
                    "types." + name + ".singleton",
                    "only a CDoc can be a singleton");
            Optional<TypeEntry> old =
                    types.stream().filter(each -> each.name().equals(name)).findFirst();
            put(
                    types,
                    TypeEntry::id,
                    new TypeEntry(
                            old.map(TypeEntry::id).orElse(types.size() + 1),
                            name,
                            type,
                            old.map(TypeEntry::singletonId).orElseGet(() -> singletonId(type, types))));
        });
        return types;
    }

    private static OptionalLong singletonId(RecordType type, List<TypeEntry> types) {
        if (!type.singleton()) {
            return OptionalLong.empty();
        }
        long there =
                types.stream().filter(each -> each.singletonId().isPresent()).count();
        require(there < Schema.MOST_SINGLETONS, "types", "at most " + Schema.MOST_SINGLETONS + " singletons");
        return OptionalLong.of(Schema.FIRST_SINGLETON_ID + there);
    }

    // ---- kinds

    private static KindEntry kind(KindEntry there, Kind wanted, List<TypeEntry> types) {
        String name = there.name();
        require(isName(name), "kinds." + name, "not a name");
        require(
                wanted.sequences().size() <= MOST_SEQUENCES,
                "kinds." + name + ".sequences",
                "at most " + MOST_SEQUENCES);
        List<SequenceEntry> sequences = new ArrayList<>(there.sequences());
        wanted.sequences().forEach((sequence, range) -> {
            String path = path(name, sequence);
            require(isName(sequence), path, "not a name");
            require(
                    !sequence.equals(ApplicationDefinition.WLOG_OFFSET),
                    path,
                    "every kind has this sequence already, from 1 on");
            require(
                    range.initial() >= 1 && range.max() >= range.initial(),
                    path,
                    "initial is at least 1, max at least initial");
            Optional<SequenceEntry> its = sequences.stream()
                    .filter(each -> each.name().equals(sequence))
                    .findFirst();
            its.ifPresent(each -> requireNotLowered(path, each.range(), range));
            put(
                    sequences,
                    SequenceEntry::id,
                    new SequenceEntry(
                            its.map(SequenceEntry::id).orElse(sequences.size() + 1),
                            sequence,
                            range,
                            its.map(SequenceEntry::lowest).orElse(range.initial()),
                            its.map(SequenceEntry::feedsRecords).orElse(false)));
        });
        return feeding(new KindEntry(there.id(), name, sequences), types);
    }

    private static void requireNotLowered(String path, Range before, Range now) {
        if (now.initial() < before.initial() || now.max() < before.max()) {
            throw new EventLogException(
                    ErrorCode.WOULD_REPEAT,
                    path + ": initial and max are not lowered, numbers would come again; they are " + before.initial()
                            + " and " + before.max());
        }
    }

    /** Marks the sequences that a type draws ids from. */
    private static KindEntry feeding(KindEntry kind, List<TypeEntry> types) {
        Set<Integer> feeding = new HashSet<>();
        types.forEach(type -> type.source(kind).ifPresent(each -> feeding.add(each.id())));
        return new KindEntry(
                kind.id(),
                kind.name(),
                kind.sequences().stream()
                        .map(each -> new SequenceEntry(
                                each.id(),
                                each.name(),
                                each.range(),
                                each.lowest(),
                                each.feedsRecords()
                                        || feeding.contains(each.id())
                                        || each.name().equals(ApplicationDefinition.RECORD_ID)
                                        || each.name().equals(ApplicationDefinition.C_RECORD_ID)))
                        .toList());
    }

    private static void requireDisjoint(KindEntry kind) {
        List<SequenceEntry> feeding =
                kind.sequences().stream().filter(SequenceEntry::feedsRecords).toList();
        for (int i = 0; i < feeding.size(); i++) {
            String path = path(kind.name(), feeding.get(i).name());
            require(
                    feeding.get(i).lowest() >= Schema.FIRST_RECORD_ID,
                    path,
                    "record ids start at " + Schema.FIRST_RECORD_ID);
            for (int j = 0; j < i; j++) {
                require(
                        !feeding.get(i).everGiven().meets(feeding.get(j).everGiven()),
                        path,
                        "its numbers are also those of " + feeding.get(j).name()
                                + ", and both are ids of records: give the lower one a max");
            }
        }
    }

    // ---- small things

    /** Names are told apart by case, so two that differ by nothing else would be taken for each other. */
    private static void requireNamesApart(String path, Stream<String> names) {
        Map<String, String> folded = new HashMap<>();
        names.forEach(name -> {
            String other = folded.putIfAbsent(name.toLowerCase(Locale.ROOT), name);
            if (other != null) {
                throw new ApplicationException(
                        ErrorCode.NAME_CASE,
                        path + "." + name,
                        "there is one whose name differs only by case: " + other);
            }
        });
    }

    private static <E> void put(List<E> entries, ToIntFunction<E> id, E entry) {
        for (int i = 0; i < entries.size(); i++) {
            if (id.applyAsInt(entries.get(i)) == id.applyAsInt(entry)) {
                entries.set(i, entry);
                return;
            }
        }
        entries.add(entry);
    }

    private static String path(String kind, String sequence) {
        return "kinds." + kind + ".sequences." + sequence;
    }

    private static void require(boolean holds, String option, String rule) {
        if (!holds) {
            throw new ApplicationException(ErrorCode.BAD_OPTION, option, rule);
        }
    }
}
