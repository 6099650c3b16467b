package io.seriatim.server;

import io.seriatim.ErrorCode;
import io.seriatim.eventlog.application.Command;
import io.seriatim.eventlog.application.Cud;
import io.seriatim.eventlog.application.Fields;
import io.seriatim.eventlog.application.NewRecord;
import io.seriatim.eventlog.application.RecordUpdate;
import io.seriatim.eventlog.application.Reference;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.exc.StreamConstraintsException;

/** Reads a command out of the body of a call, in one pass. */
final class CommandJson {

    /*
     * What belongs to the command is as strict as every body: names that are known, each once, integers as they are written
     * everywhere. What stands in the fields of a record is the caller's: any JSON but names twice, its numbers kept digit by
     * digit. An object there whose only name is ref is a reference, always; one that could not be a reference is refused, as
     * whoever wrote it meant one.
     */

    private static final String REF = "ref";
    private static final Set<String> OF_COMMAND = Set.of("kind", "argument", "cuds");
    private static final Set<String> OF_ARGUMENT = Set.of("type", "id", "fields", "children");
    private static final Set<String> OF_CUD = Set.of("type", "id", "fields", "update");

    private final JsonParser parser;

    private CommandJson(JsonParser parser) {
        this.parser = parser;
    }

    /**
     * Reads a command.
     *
     * @throws Refusal BAD_REQUEST, BAD_RAW_ID, OUT_OF_RANGE, each with the way to what is wrong
     */
    static Command read(String body, long workspace) {
        try (JsonParser parser = Json.deepParser(body)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new Refusal(Problem.badRequest("the body must be a JSON object"));
            }
            Command command = new CommandJson(parser).command(workspace);
            if (parser.nextToken() != null) {
                throw new Refusal(Problem.badRequest("the body must be one JSON object and nothing behind it"));
            }
            return command;
        } catch (StreamConstraintsException e) {
            throw new Refusal(
                    Problem.badRequest("the body is nested too deeply, or a name or a number in it is too long"));
        } catch (JacksonException e) {
            throw new Refusal(Problem.badRequest("the body is not JSON" + io.seriatim.server.Fields.where(e)));
        }
    }

    private Command command(long workspace) {
        Parts parts = new Parts();
        object("", OF_COMMAND, name -> {
            switch (name) {
                case "kind" -> parts.kind = text(name);
                case "argument" -> parts.argument = argument(name);
                default -> list(name, way -> parts.cuds.add(cud(way)));
            }
        });
        if (parts.kind == null) {
            throw required("kind");
        }
        return new Command(parts.kind, workspace, Optional.ofNullable(parts.argument), parts.cuds, "");
    }

    /** What a command, or a record, is made of while it is read. */
    private static final class Parts {
        @Nullable
        String kind;

        @Nullable
        NewRecord argument;

        final List<Cud> cuds = new ArrayList<>();

        @Nullable
        String type;

        @Nullable
        Long id;

        boolean update;
        Fields fields = Fields.empty();
        final Map<String, List<NewRecord>> children = new LinkedHashMap<>();
    }

    // ---- records

    private NewRecord argument(String way) {
        return created(way, parts(way, OF_ARGUMENT));
    }

    private Cud cud(String way) {
        Parts parts = parts(way, OF_CUD);
        return parts.update
                ? new RecordUpdate(Optional.ofNullable(parts.type), id(way, parts), parts.fields)
                : created(way, parts);
    }

    private static NewRecord created(String way, Parts parts) {
        if (parts.type == null) {
            throw required(way + ".type");
        }
        return new NewRecord(parts.type, id(way, parts), parts.fields, parts.children);
    }

    private static long id(String way, Parts parts) {
        if (parts.id == null) {
            throw required(way + ".id");
        }
        return parts.id;
    }

    private Parts parts(String way, Set<String> known) {
        Parts parts = new Parts();
        requireToken(JsonToken.START_OBJECT, way, "an object");
        object(way + ".", known, name -> {
            String its = way + "." + name;
            switch (name) {
                case "type" -> parts.type = text(its);
                case "id" -> parts.id = id(its);
                case "fields" -> parts.fields = fields(its);
                case "update" -> parts.update = flag(its);
                default -> children(its, parts.children);
            }
        });
        return parts;
    }

    private void children(String way, Map<String, List<NewRecord>> children) {
        requireToken(JsonToken.START_OBJECT, way, "an object");
        object(way + ".", Set.of(), container -> {
            List<NewRecord> records = new ArrayList<>();
            list(way + "." + container, each -> records.add(argument(each)));
            children.put(container, records);
        });
    }

    // ---- fields: the caller's own

    private Fields fields(String way) {
        requireToken(JsonToken.START_OBJECT, way, "an object");
        try {
            return Fields.of(map(way));
        } catch (IllegalArgumentException e) { // a rule of Fields, in words of ours
            throw refused(way, way + ": " + e.getMessage());
        }
    }

    private Map<String, @Nullable Object> map(String way) {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        object(way + ".", Set.of(), name -> map.put(name, content(way + "." + name)));
        return map;
    }

    private @Nullable Object content(String way) {
        return switch (parser.currentToken()) {
            case VALUE_STRING -> parser.getString();
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> number(way);
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            case VALUE_NULL -> null;
            case START_ARRAY -> {
                List<@Nullable Object> list = new ArrayList<>();
                list(way, each -> list.add(content(each)));
                yield list;
            }
            default -> mapOrReference(way);
        };
    }

    private BigDecimal number(String way) {
        String text = parser.getString();
        try {
            return new BigDecimal(text);
        } catch (NumberFormatException e) { // JSON lets an exponent be of any length
            throw refused(way, way + " is a number with an exponent beyond 32 bits: " + Integers.shown(text));
        }
    }

    private Object mapOrReference(String way) {
        Map<String, @Nullable Object> map = map(way);
        if (map.size() != 1 || !map.containsKey(REF)) {
            return map;
        }
        Object ref = map.get(REF);
        String its = way + "." + REF;
        if (!(ref instanceof BigDecimal) && !(ref instanceof String)) {
            throw Integers.notAnInteger(Integers.shown(its), String.valueOf(ref));
        }
        return new Reference(requireId(its, Integers.parse(Integers.shown(its), ref.toString())));
    }

    // ---- what every body is made of

    private void object(String prefix, Set<String> known, Consumer<String> property) {
        Map<String, Boolean> seen = new LinkedHashMap<>();
        for (String name = parser.nextName(); name != null; name = parser.nextName()) {
            String way = Integers.shown(prefix + name);
            if (seen.put(name, true) != null) {
                throw refused(way, "field " + way + " is given twice");
            }
            if (!known.isEmpty() && !known.contains(name)) {
                throw refused(way, "there is no field " + way + " in this call");
            }
            JsonToken unused = parser.nextToken();
            property.accept(name);
        }
    }

    private void list(String way, Consumer<String> element) {
        requireToken(JsonToken.START_ARRAY, way, "an array");
        for (int i = 0; parser.nextToken() != JsonToken.END_ARRAY; i++) {
            element.accept(way + "[" + i + "]");
        }
    }

    private String text(String way) {
        requireToken(JsonToken.VALUE_STRING, way, "a text");
        String text = parser.getString();
        if (text.length() > io.seriatim.server.Fields.LONGEST_TEXT) {
            throw refused(way, way + " must be at most " + io.seriatim.server.Fields.LONGEST_TEXT + " characters");
        }
        return text;
    }

    private boolean flag(String way) {
        return switch (parser.currentToken()) {
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            default -> throw refused(way, way + " must be true or false");
        };
    }

    private long id(String way) {
        JsonToken token = parser.currentToken();
        if (token != JsonToken.VALUE_NUMBER_INT
                && token != JsonToken.VALUE_NUMBER_FLOAT
                && token != JsonToken.VALUE_STRING) {
            throw refused(way, way + " must be an integer");
        }
        return requireId(way, Integers.parse(Integers.shown(way), parser.getString()));
    }

    private static long requireId(String way, long id) {
        if (id < 1) {
            throw new Refusal(Problem.badOption(
                    ErrorCode.BAD_RAW_ID, Integers.shown(way), Integers.shown(way) + " must be at least 1: " + id));
        }
        return id;
    }

    private void requireToken(JsonToken wanted, String way, String words) {
        if (parser.currentToken() != wanted) {
            throw refused(way, Integers.shown(way) + " must be " + words);
        }
    }

    private static Refusal required(String way) {
        return refused(way, "field " + Integers.shown(way) + " is required");
    }

    private static Refusal refused(String way, String detail) {
        return new Refusal(Problem.badOption(ErrorCode.BAD_REQUEST, Integers.shown(way), detail));
    }
}
