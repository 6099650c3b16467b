package io.seriatim.server;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The options of a log on the command line: what the body of {@code PUT /v1/logs/{log}} says. */
final class LogDefinitionOptions {

    @Option(names = "--partitions", description = "How many partitions; it stays so.")
    private @Nullable String partitions;

    @Option(
            names = "--kind",
            paramLabel = "KIND",
            description = "A kind of workspaces; needed for one without a --sequence.")
    private @Nullable List<String> kinds;

    @Option(
            names = "--sequence",
            paramLabel = "KIND.NAME=INITIAL[..MAX]",
            converter = ToSequence.class,
            description = "A sequence of a kind, such as shop.RecordID=200001; once for each.")
    private @Nullable List<KindSequence> sequences;

    @Option(
            names = "--type",
            paramLabel = "TYPE=RECORDKIND[:singleton][:SEQUENCE]",
            converter = ToType.class,
            description = "A type of records, such as order=ODoc, of kind CDoc, CRecord, WDoc, WRecord, ODoc or"
                    + " ORecord; once for each.")
    private @Nullable List<RecordType> types;

    boolean isGiven() {
        return partitions != null || kinds != null || sequences != null || types != null;
    }

    private static <T> List<T> each(@Nullable List<T> given) {
        return given == null ? List.of() : given;
    }

    /** What was given; names that are given twice are refused. */
    Body body(Main main) {
        Map<String, Body> sequencesOfKinds = new LinkedHashMap<>();
        each(kinds).forEach(kind -> sequencesOfKinds.put(kind, new Body()));
        for (KindSequence sequence : each(sequences)) {
            Body its = sequencesOfKinds.computeIfAbsent(sequence.kind(), kind -> new Body());
            if (its.has(sequence.name())) {
                throw main.badUsage("--sequence " + sequence.kind() + "." + sequence.name() + " is given twice");
            }
            sequence.addTo(its);
        }
        Body allKinds = new Body();
        sequencesOfKinds.forEach((kind, its) -> allKinds.putAlways(kind, new Body().putAlways("sequences", its)));
        Body allTypes = new Body();
        for (RecordType type : each(types)) {
            if (allTypes.has(type.name())) {
                throw main.badUsage("--type " + type.name() + " is given twice");
            }
            allTypes.putAlways(type.name(), type.body());
        }
        return new Body()
                .put("partitions", partitions)
                .putAlways("kinds", allKinds)
                .putAlways("types", allTypes);
    }

    /** A sequence as its words. */
    record KindSequence(
            String kind,
            String name,
            String initial,
            @Nullable String max) {

        void addTo(Body sequences) {
            if (max == null) {
                sequences.put(name, initial);
            } else {
                sequences.putAlways(name, new Body().put("initial", initial).put("max", max));
            }
        }
    }

    /** A kind may have dots in its name; a sequence that has some needs --file. */
    static final class ToSequence implements ITypeConverter<KindSequence> {
        @Override
        public KindSequence convert(String text) {
            int equals = text.indexOf('=');
            int dot = text.lastIndexOf('.', Math.max(equals, 0));
            if (dot < 1 || dot + 1 >= equals) {
                throw new TypeConversionException("'" + text + "' is not KIND.NAME=INITIAL[..MAX]");
            }
            String range = text.substring(equals + 1);
            int dots = range.indexOf("..");
            return new KindSequence(
                    text.substring(0, dot),
                    text.substring(dot + 1, equals),
                    dots < 0 ? range : range.substring(0, dots),
                    dots < 0 ? null : range.substring(dots + 2));
        }
    }

    /** A type as its words. */
    record RecordType(
            String name,
            String kind,
            boolean singleton,
            @Nullable String sequence) {

        Body body() {
            Body body = new Body().put("kind", kind).put("sequence", sequence);
            return singleton ? body.put("singleton", true) : body;
        }
    }

    static final class ToType implements ITypeConverter<RecordType> {
        @Override
        public RecordType convert(String text) {
            int equals = text.indexOf('=');
            List<String> words = List.of(text.substring(equals + 1).split(":", -1));
            boolean singleton = words.size() > 1 && words.get(1).equals("singleton");
            int behind = singleton ? 2 : 1;
            if (equals < 1 || words.get(0).isEmpty() || words.size() > behind + 1) {
                throw new TypeConversionException("'" + text + "' is not TYPE=RECORDKIND[:singleton][:SEQUENCE]");
            }
            return new RecordType(
                    text.substring(0, equals),
                    words.get(0),
                    singleton,
                    words.size() > behind ? words.get(behind) : null);
        }
    }
}
