package io.seriatim.eventlog.application;

import io.seriatim.ErrorCode;
import io.seriatim.eventlog.EventLogException;
import io.seriatim.eventlog.application.Schema.KindEntry;
import io.seriatim.eventlog.application.Schema.SequenceEntry;
import io.seriatim.eventlog.application.Schema.TypeEntry;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * A command of which everything is right that can be known without the state of its workspace, and what has to be done to
 * carry it out. Made on the caller's thread, before anything is drawn.
 */
final class CheckedCommand {

    private static final int MAX_DEPTH = 16;
    private static final int MOST_RECORDS = 10_000;
    private static final int MOST_KEY_CHARACTERS = 200;

    /**
     * A new record.
     *
     * @param source of its id; none of a singleton
     */
    record Wanted(NewRecord record, TypeEntry type, Optional<SequenceEntry> source) {

        boolean isSingleton() {
            return type.singletonId().isPresent();
        }

        /** The id that it asks for; a raw one where it takes what comes. */
        long wantedId() {
            return type.singletonId().orElse(record.id());
        }

        boolean isFromOutside() {
            return record.id() > Schema.MAX_RAW_ID && !isSingleton();
        }
    }

    private final Schema.Index schema;
    private final Command command;
    private final KindEntry kind;
    private final List<Wanted> created = new ArrayList<>();
    private final List<RecordUpdate> updates = new ArrayList<>();
    private final Set<Long> ids = new HashSet<>();

    private CheckedCommand(Schema.Index schema, Command command) {
        this.schema = schema;
        this.command = command;
        kind = schema.kind(command.kind());
    }

    /**
     * Checks a command.
     *
     * @throws EventLogException BAD_REQUEST, UNKNOWN_TYPE, BAD_RAW_ID, OUT_OF_RANGE: final
     */
    static CheckedCommand of(Command command, Schema.Index schema) {
        CheckedCommand checked = new CheckedCommand(schema, command);
        checked.check();
        return checked;
    }

    Command command() {
        return command;
    }

    KindEntry kind() {
        return kind;
    }

    /** All new records, in the order in which their ids are drawn: the argument depth first, then the CUDs. */
    List<Wanted> created() {
        return created;
    }

    List<RecordUpdate> updates() {
        return updates;
    }

    private void check() {
        require(
                command.argument().isPresent() || !command.cuds().isEmpty(),
                "a command has an argument, or CUDs, or both");
        requireKey(command.key());
        command.argument().ifPresent(root -> argument(root, 1));
        command.cuds().forEach(this::cud);
        command.argument().ifPresent(this::references);
        command.cuds().forEach(cud -> references(cud.fields()));
    }

    private static void requireKey(String key) {
        require(
                key.length() <= MOST_KEY_CHARACTERS && key.chars().allMatch(c -> c > ' ' && c < 0x7f),
                "an idempotency key has from 1 to " + MOST_KEY_CHARACTERS + " visible ASCII characters");
    }

    // ---- records

    private void argument(NewRecord record, int depth) {
        require(depth <= MAX_DEPTH, "children lie at most " + MAX_DEPTH + " deep");
        RecordKind wanted = depth == 1 ? RecordKind.ODOC : RecordKind.ORECORD;
        TypeEntry type = type(record.type());
        require(
                type.type().kind() == wanted,
                (depth == 1 ? "an argument is an ODoc: " : "a child of an argument is an ORecord: ") + record.type()
                        + " is a " + type.type().kind().text());
        create(record, type);
        record.children().values().forEach(records -> records.forEach(child -> argument(child, depth + 1)));
    }

    private void cud(Cud cud) {
        if (cud instanceof NewRecord record) {
            TypeEntry type = type(record.type());
            require(
                    !type.type().kind().isOperation(),
                    "a CUD is of a CDoc, CRecord, WDoc or WRecord: " + record.type() + " is an "
                            + type.type().kind().text());
            require(record.children().isEmpty(), "only the records of an argument have children");
            create(record, type);
        } else if (cud instanceof RecordUpdate update) {
            update(update);
        }
    }

    private void create(NewRecord record, TypeEntry type) {
        require(created.size() < MOST_RECORDS, "a command creates at most " + MOST_RECORDS + " records");
        Optional<SequenceEntry> source = type.singletonId().isPresent() ? Optional.empty() : Optional.of(source(type));
        Wanted wanted = new Wanted(record, type, source);
        if (record.id() > Schema.MAX_RAW_ID) {
            if (wanted.isSingleton()) {
                requireId(
                        record.id() == wanted.wantedId(),
                        "a singleton has a raw id or its own, " + wanted.wantedId() + ": " + record.id());
            } else {
                requireOutside(record.id(), source(type));
            }
        }
        requireOnce(record.id());
        if (wanted.isSingleton()) {
            requireId(
                    created.stream().noneMatch(each -> each.type().id() == type.id()),
                    "a workspace has one " + type.name() + " at most: " + record.id());
        }
        created.add(wanted);
    }

    private SequenceEntry source(TypeEntry type) {
        return type.source(kind)
                .orElseThrow(() -> new EventLogException(
                        ErrorCode.BAD_REQUEST,
                        "workspaces of kind " + kind.name() + " can have no " + type.name()
                                + ": the kind has no sequence " + String.join(" or ", type.sources())
                                + " for its ids; deploy the application with one"));
    }

    /** An id from outside must be one that nothing else in the workspace can ever get. */
    private void requireOutside(long id, SequenceEntry source) {
        requireId(
                id > Schema.MAX_SINGLETON_ID,
                "ids from " + Schema.FIRST_SINGLETON_ID + " to " + Schema.MAX_SINGLETON_ID
                        + " are those of singletons, of types to come too: " + id);
        if (id > source.range().max()) {
            throw new EventLogException(
                    ErrorCode.OUT_OF_RANGE,
                    "the id is above the max of " + source.name() + ", "
                            + source.range().max() + ": " + id);
        }
        kind.feeding(id).filter(other -> other.id() != source.id()).ifPresent(other -> {
            throw new EventLogException(
                    ErrorCode.OUT_OF_RANGE,
                    "the id is one that " + other.name() + " gives, the type's come from " + source.name() + ": " + id);
        });
        if (id >= Schema.FIRST_RECORD_ID && !source.everGiven().has(id)) {
            throw new EventLogException(
                    ErrorCode.OUT_OF_RANGE,
                    "the id is below those of " + source.name() + ", and another sequence may give it later: " + id);
        }
    }

    private void update(RecordUpdate update) {
        requireId(update.id() > Schema.MAX_RAW_ID, "a record is updated by its id, not by a raw one: " + update.id());
        requireOnce(update.id());
        update.type().ifPresent(name -> {
            TypeEntry type = type(name);
            require(!type.type().kind().isOperation(), "what is in an argument never changes: " + name);
        });
        updates.add(update);
    }

    private void requireOnce(long id) {
        requireId(ids.add(id), "an id is there twice: " + id);
    }

    private TypeEntry type(String name) {
        return schema.type(name)
                .orElseThrow(() -> new EventLogException(
                        ErrorCode.UNKNOWN_TYPE, "the application has no type of this name: " + name));
    }

    // ---- references

    private void references(NewRecord record) {
        references(record.fields());
        record.children().values().forEach(records -> records.forEach(this::references));
    }

    private void references(Fields fields) {
        fields.forEachReference(id -> requireId(
                id > Schema.MAX_RAW_ID || ids.contains(id), "a reference is to a raw id that is not there: " + id));
    }

    // ---- what it is told apart by

    /** The same for the same command, whatever its key, and in whatever order a map of the caller had its names. */
    String digest() {
        byte[] content = Json.object(out -> {
            out.writeStringProperty("kind", command.kind());
            EventBody.writeContent(
                    out,
                    command.argument().map(CheckedCommand::sorted),
                    command.cuds().stream().map(CheckedCommand::sorted).toList());
        });
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(content);
            return HexFormat.of().formatHex(digest, 0, 16);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    private static Cud sorted(Cud cud) {
        return cud instanceof NewRecord created
                ? sorted(created)
                : new RecordUpdate(
                        ((RecordUpdate) cud).type(), cud.id(), cud.fields().sorted());
    }

    private static NewRecord sorted(NewRecord record) {
        Map<String, List<NewRecord>> children = new TreeMap<>();
        record.children()
                .forEach((container, records) -> children.put(
                        container, records.stream().map(CheckedCommand::sorted).toList()));
        return new NewRecord(record.type(), record.id(), record.fields().sorted(), children);
    }

    private static void require(boolean holds, String rule) {
        if (!holds) {
            throw new EventLogException(ErrorCode.BAD_REQUEST, rule);
        }
    }

    private static void requireId(boolean holds, String rule) {
        if (!holds) {
            throw new EventLogException(ErrorCode.BAD_RAW_ID, rule);
        }
    }
}
