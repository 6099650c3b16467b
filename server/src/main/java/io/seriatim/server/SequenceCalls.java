package io.seriatim.server;

import io.seriatim.AuditEntry;
import io.seriatim.Author;
import io.seriatim.Block;
import io.seriatim.Draw;
import io.seriatim.ErrorCode;
import io.seriatim.RequestKey;
import io.seriatim.Restart;
import io.seriatim.Sequence;
import io.seriatim.SequenceConflictException;
import io.seriatim.SequenceDefinition;
import io.seriatim.SequenceState;
import io.seriatim.Sequences;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongConsumer;
import tools.jackson.core.JsonGenerator;

/** The calls on sequences, as docs/http.md has them. */
final class SequenceCalls {

    /** One answer of as many numbers is half a megabyte. */
    private static final int MAX_NEXT = 10_000;

    private static final int MAX_BLOCK = 1_000_000;
    private static final int MAX_LIST = 1_000;
    private static final int LIST = 100;

    private static final String REASON = "reason";
    private static final String COUNT = "count";
    private static final List<String> FIELDS_OF_NEXT = List.of(COUNT);
    /** Served with a format. */
    private static final List<String> LATER_FIELDS_OF_NEXT = List.of("at", "date", "scope");

    private final Sequences sequences;
    private final SequenceDefinition defaultDefinition;

    SequenceCalls(Sequences sequences, SequenceDefinition defaultDefinition) {
        this.sequences = sequences;
        this.defaultDefinition = defaultDefinition;
    }

    void addTo(Routes routes) {
        routes.add("GET", "/v1/sequences", (call, names) -> list(call));
        routes.add("PUT", "/v1/sequences/{name}", this::put);
        routes.add("GET", "/v1/sequences/{name}", this::get);
        routes.add("PATCH", "/v1/sequences/{name}", this::patch);
        routes.add("DELETE", "/v1/sequences/{name}", this::delete);
        routes.add("POST", "/v1/sequences/{name}/next", this::next, this::tryNext);
        routes.add("POST", "/v1/sequences/{name}/blocks", this::block);
        routes.add("GET", "/v1/sequences/{name}/peek", this::peek);
        routes.add("POST", "/v1/sequences/{name}/restart", this::restart);
        routes.add("POST", "/v1/sequences/{name}/gone", this::gone);
        routes.add("GET", "/v1/sequences/{name}/audit", this::audit);
    }

    // ---- numbers

    /** @param define whether an unknown name is to be defined */
    private record Wanted(String name, long count, boolean define, Optional<RequestKey> key) {}

    private Reply next(Call call, List<String> names) {
        Wanted wanted = wanted(call, names);
        Sequence sequence = wanted.define() ? findOrDefine(call, wanted.name()) : sequences.get(wanted.name());
        Draw draw = wanted.key()
                .map(key -> sequence.draw(wanted.count(), key))
                .orElseGet(() -> sequence.draw(wanted.count()));
        return answer(call, wanted.name(), draw);
    }

    /** The way of nearly all numbers: the sequence is open and its block holds enough. */
    private Optional<Reply> tryNext(Call call, List<String> names) {
        Wanted wanted = wanted(call, names);
        if (wanted.key().isPresent()) {
            return Optional.empty();
        }
        return sequences
                .findOpen(wanted.name())
                .flatMap(sequence -> sequence.tryDraw(wanted.count()))
                .map(draw -> answer(call, wanted.name(), draw));
    }

    private static Wanted wanted(Call call, List<String> names) {
        boolean define = Query.of(call, "define").flag("define");
        long count = Fields.ofOptional(call.body())
                .only(FIELDS_OF_NEXT, LATER_FIELDS_OF_NEXT)
                .integer(COUNT, 1, 1, MAX_NEXT);
        return new Wanted(names.get(0), count, define, key(call));
    }

    private Sequence findOrDefine(Call call, String name) {
        Optional<Sequence> found = sequences.find(name);
        if (found.isPresent()) {
            return found.get();
        }
        try {
            return sequences.create(name, defaultDefinition, author(call, Optional.empty()));
        } catch (SequenceConflictException e) {
            if (e.code() != ErrorCode.ALREADY_EXISTS) {
                throw e;
            }
            return sequences.get(name); // another call was first
        }
    }

    private static Reply answer(Call call, String name, Draw draw) {
        if (Accept.prefersText(call)) {
            StringBuilder lines = new StringBuilder();
            forEachValue(draw, value -> lines.append(value).append('\n'));
            return Reply.text(lines.toString());
        }
        return Reply.json(200, Json.object(out -> {
            out.writeStringProperty("sequence", name);
            out.writeNumberProperty("generation", draw.generation());
            out.writeArrayPropertyStart("items");
            forEachValue(draw, value -> {
                out.writeStartObject();
                item(out, value);
                out.writeEndObject();
            });
            out.writeEndArray();
        }));
    }

    private static void forEachValue(Draw draw, LongConsumer consumer) {
        for (Block block : draw.blocks()) {
            for (long index = 0; index < block.count(); index++) {
                consumer.accept(block.valueAt(index));
            }
        }
    }

    private static void item(JsonGenerator out, long value) {
        out.writeNumberProperty("value", value);
        out.writeStringProperty("text", Long.toString(value));
        out.writeNullProperty("period");
    }

    private Reply block(Call call, List<String> names) {
        Query.of(call);
        Fields fields = Fields.of(call.body()).only(List.of(COUNT));
        if (!fields.has(COUNT)) {
            throw required(COUNT);
        }
        long count = fields.integer(COUNT, 1, 1, MAX_BLOCK);
        Sequence sequence = sequences.get(names.get(0));
        Block block = key(call).map(key -> sequence.nextBlock(count, key)).orElseGet(() -> sequence.nextBlock(count));
        return Reply.json(200, Json.object(out -> {
            out.writeNumberProperty("first", block.first());
            out.writeNumberProperty("last", block.last());
            out.writeNumberProperty("increment", block.increment());
            out.writeNumberProperty("count", block.count());
            out.writeStringProperty("firstText", Long.toString(block.first()));
            out.writeStringProperty("lastText", Long.toString(block.last()));
        }));
    }

    private Reply peek(Call call, List<String> names) {
        Query.of(call);
        long value = sequences.get(names.get(0)).peek();
        return Accept.prefersText(call)
                ? Reply.text(value + "\n")
                : Reply.json(200, Json.object(out -> item(out, value)));
    }

    private static Optional<RequestKey> key(Call call) {
        return call.header(Call.IDEMPOTENCY_KEY).map(key -> {
            try {
                return new RequestKey(call.caller().name(), key);
            } catch (IllegalArgumentException e) {
                throw new Refusal(Problem.badOption(
                        ErrorCode.BAD_REQUEST,
                        "Idempotency-Key",
                        "Idempotency-Key must be 1 to 200 visible ASCII characters, given once"));
            }
        });
    }

    // ---- sequences

    private Reply list(Call call) {
        Query query = Query.of(call, "prefix", "after", "limit");
        int limit = Math.toIntExact(query.integer("limit", LIST, 1, MAX_LIST));
        String prefix = query.text("prefix").orElse("");
        String after = query.text("after").orElse("");
        List<SequenceState> states = sequences.list(prefix, after, limit + 1);
        List<SequenceState> page = states.subList(0, Math.min(limit, states.size()));
        return Reply.json(200, Json.object(out -> {
            out.writeArrayPropertyStart("items");
            for (SequenceState state : page) {
                out.writeStartObject();
                SequenceJson.write(out, state);
                out.writeEndObject();
            }
            out.writeEndArray();
            if (states.size() > limit) {
                out.writeStringProperty("next", page.get(limit - 1).name());
            } else {
                out.writeNullProperty("next");
            }
        }));
    }

    private Reply put(Call call, List<String> names) {
        Author author = author(call, Query.of(call, REASON).text(REASON));
        String name = names.get(0);
        SequenceDefinition definition = SequenceJson.definition(call.body());
        try {
            return state(201, sequences.create(name, definition, author).state());
        } catch (SequenceConflictException e) {
            if (e.code() != ErrorCode.ALREADY_EXISTS) {
                throw e;
            }
            return state(200, sequences.define(name, definition, author).state());
        }
    }

    private Reply get(Call call, List<String> names) {
        Query.of(call);
        return state(200, sequences.get(names.get(0)).state());
    }

    private Reply patch(Call call, List<String> names) {
        Query.of(call);
        Fields fields = Fields.of(call.body());
        SequenceJson.refuseUnknown(fields, List.of("restart", "allowReuse", REASON));
        SequenceDefinition changes = SequenceJson.options(fields);
        OptionalLong value = fields.isNull("restart") ? OptionalLong.empty() : fields.integer("restart");
        Optional<String> reuseReason = reuseReason(fields);
        Author author = author(call, fields.text(REASON));
        Sequence sequence = sequences.get(names.get(0)).by(author);
        if (!fields.has("restart")) {
            boolean nothing = SequenceDefinition.optionNames().stream().noneMatch(fields::has);
            return state(200, nothing ? sequence.state() : sequence.alter(changes));
        }
        return state(200, sequence.alter(changes, new Restart(value, true, reuseReason)));
    }

    private Reply restart(Call call, List<String> names) {
        Query.of(call);
        Fields fields = Fields.of(call.body())
                .only(List.of("value", "fresh", "allowReuse", REASON), List.of("period", "scope"));
        if (!fields.has("value")) {
            throw required("value");
        }
        Optional<String> reuseReason = reuseReason(fields);
        Author author = author(call, fields.text(REASON));
        Restart restart =
                new Restart(fields.integer("value"), fields.flag("fresh").orElse(false), reuseReason);
        return state(200, sequences.get(names.get(0)).by(author).restart(restart));
    }

    /** An operator's word that a node has ended; docs/adr/0010 says why there is a call for it. */
    private Reply gone(Call call, List<String> names) {
        Query.of(call);
        Fields fields = Fields.of(call.body()).only(List.of("node", REASON));
        Optional<String> reason = fields.text(REASON);
        String node = fields.text("node").orElseThrow(() -> required("node"));
        if (reason.filter(text -> !text.isBlank()).isEmpty()) {
            throw new Refusal(Problem.reasonRequired());
        }
        Sequence sequence = sequences.get(names.get(0)).by(author(call, reason));
        if (node.equals(sequences.node())) {
            throw new Refusal(Problem.badOption(
                    ErrorCode.BAD_REQUEST, "node", "node " + node + " is this server, which has not ended"));
        }
        return state(200, sequence.declareGone(node));
    }

    private static Optional<String> reuseReason(Fields fields) {
        Optional<String> reason = fields.text(REASON);
        if (!fields.flag("allowReuse").orElse(false)) {
            return Optional.empty();
        }
        return Optional.of(
                reason.filter(text -> !text.isBlank()).orElseThrow(() -> new Refusal(Problem.reasonRequired())));
    }

    private Reply delete(Call call, List<String> names) {
        Author author = author(call, Query.of(call, REASON).text(REASON));
        sequences.get(names.get(0)).by(author).drop();
        return Reply.noContent(Map.of());
    }

    /** Who makes a call, with the reason that they give. */
    private static Author author(Call call, Optional<String> reason) {
        Author author = Author.of(call.caller().who());
        try {
            return reason.map(author::because).orElse(author);
        } catch (IllegalArgumentException e) {
            throw new Refusal(Problem.badOption(
                    ErrorCode.BAD_REQUEST,
                    REASON,
                    "reason must be 1 to 1,000 characters, not all of them blank and none a control character"));
        }
    }

    private Reply audit(Call call, List<String> names) {
        Query query = Query.of(call, "after", "limit");
        int limit = Math.toIntExact(query.integer("limit", LIST, 1, MAX_LIST));
        long after = query.integer("after", 0, 0, Long.MAX_VALUE);
        List<AuditEntry> entries = sequences.audit(names.get(0), after, limit + 1);
        List<AuditEntry> page = entries.subList(0, Math.min(limit, entries.size()));
        return Reply.json(200, Json.object(out -> {
            out.writeArrayPropertyStart("items");
            page.forEach(entry -> AuditJson.write(out, entry));
            out.writeEndArray();
            if (entries.size() > limit) {
                out.writeNumberProperty("next", page.get(limit - 1).index());
            } else {
                out.writeNullProperty("next");
            }
        }));
    }

    private static Refusal required(String field) {
        return new Refusal(Problem.badOption(ErrorCode.BAD_REQUEST, field, "field " + field + " is required"));
    }

    private static Reply state(int status, SequenceState state) {
        return Reply.json(status, Json.object(out -> SequenceJson.write(out, state)));
    }
}
