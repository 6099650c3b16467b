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
import io.seriatim.numbering.Ask;
import io.seriatim.numbering.NumberSequence;
import io.seriatim.numbering.Numbering;
import io.seriatim.numbering.PrintedNumber;
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
    private static final String RESTART = "restart";
    private static final List<String> FIELDS_OF_NEXT = List.of(COUNT, AskJson.AT, AskJson.DATE, AskJson.SCOPE);
    private static final List<String> FIELDS_OF_RESTART =
            List.of("value", "fresh", "allowReuse", REASON, WantedCounter.PERIOD, AskJson.SCOPE);

    private final Sequences sequences;
    private final Numbering numbering;
    private final NewSequence defaultDefinition;

    SequenceCalls(Sequences sequences, Numbering numbering, NewSequence defaultDefinition) {
        this.sequences = sequences;
        this.numbering = numbering;
        this.defaultDefinition = defaultDefinition;
    }

    void addTo(Routes routes) {
        routes.add("GET", "/v1/sequences", (call, names) -> list(call));
        routes.add("PUT", "/v1/sequences/{name}", ByName.found(this::put));
        routes.add("GET", "/v1/sequences/{name}", ByName.found(this::get));
        routes.add("PATCH", "/v1/sequences/{name}", ByName.found(this::patch));
        routes.add("DELETE", "/v1/sequences/{name}", ByName.found(this::delete));
        routes.add("POST", "/v1/sequences/{name}/next", ByName.found(this::next), this::tryNext);
        routes.add("POST", "/v1/sequences/{name}/blocks", ByName.found(this::block));
        routes.add("GET", "/v1/sequences/{name}/peek", ByName.found(this::peek));
        routes.add("POST", "/v1/sequences/{name}/restart", ByName.found(this::restart));
        routes.add("POST", "/v1/sequences/{name}/gone", ByName.found(this::gone));
        routes.add("GET", "/v1/sequences/{name}/audit", ByName.said(this::audit));
    }

    // ---- numbers

    /**
     * @param define whether an unknown name is to be defined
     * @param ask for sequences with a format; empty if the call says nothing of it
     */
    private record Wanted(String name, int count, boolean define, Optional<RequestKey> key, Optional<Ask> ask) {

        void requireNoAsk() {
            ask.ifPresent(given -> {
                throw AskJson.needsFormat(given);
            });
        }
    }

    private Reply next(Call call, List<String> names) {
        Wanted wanted = wanted(call, names);
        Sequence sequence = wanted.define() ? findOrDefine(call, wanted) : sequences.get(wanted.name());
        if (sequence.hasFormat()) {
            return nextNumbers(call, wanted);
        }
        wanted.requireNoAsk();
        Draw draw = wanted.key()
                .map(key -> sequence.draw(wanted.count(), key))
                .orElseGet(() -> sequence.draw(wanted.count()));
        return answer(call, wanted.name(), draw);
    }

    private Reply nextNumbers(Call call, Wanted wanted) {
        NumberSequence printing = numbering.get(wanted.name());
        Ask ask = wanted.ask().orElse(Ask.NOW);
        List<PrintedNumber> printed = wanted.key()
                .map(key -> printing.next(ask, wanted.count(), key))
                .orElseGet(() -> printing.next(ask, wanted.count()));
        return answer(call, wanted.name(), printing.sequence().generation(), new Items() {
            @Override
            public void addTo(StringBuilder lines) {
                printed.forEach(number -> lines.append(number.text()).append('\n'));
            }

            @Override
            public void write(JsonGenerator out) {
                printed.forEach(number -> {
                    out.writeStartObject();
                    item(out, number);
                    out.writeEndObject();
                });
            }
        });
    }

    /** The way of nearly all values: the sequence is open and its block holds enough. */
    private Optional<Reply> tryNext(Call call, List<String> names) {
        Wanted wanted = wanted(call, names);
        if (wanted.key().isPresent() || wanted.ask().isPresent()) {
            return Optional.empty();
        }
        return sequences
                .findOpen(wanted.name())
                .filter(sequence -> !sequence.hasFormat())
                .flatMap(sequence -> sequence.tryDraw(wanted.count()))
                .map(draw -> answer(call, wanted.name(), draw));
    }

    private static Wanted wanted(Call call, List<String> names) {
        boolean define = Query.of(call, "define").flag("define");
        Fields fields = Fields.ofOptional(call.body()).only(FIELDS_OF_NEXT);
        int count = Math.toIntExact(fields.integer(COUNT, 1, 1, MAX_NEXT));
        return new Wanted(names.get(0), count, define, call.key(), AskJson.in(fields));
    }

    private Sequence findOrDefine(Call call, Wanted wanted) {
        String name = wanted.name();
        Optional<Sequence> found = sequences.find(name);
        if (found.isPresent()) {
            return found.get();
        }
        if (defaultDefinition.format().isEmpty()) {
            wanted.requireNoAsk();
        }
        try {
            return defaultDefinition.define(name, sequences, numbering, call.author(Optional.empty()));
        } catch (SequenceConflictException e) {
            if (e.code() != ErrorCode.ALREADY_EXISTS) {
                throw e;
            }
            return sequences.get(name); // another call was first
        }
    }

    /** What was handed out, in either form of an answer. */
    private interface Items {
        void addTo(StringBuilder lines);

        void write(JsonGenerator out);
    }

    private static Reply answer(Call call, String name, Draw draw) {
        return answer(call, name, draw.generation(), new Items() {
            @Override
            public void addTo(StringBuilder lines) {
                forEachValue(draw, value -> lines.append(value).append('\n'));
            }

            @Override
            public void write(JsonGenerator out) {
                forEachValue(draw, value -> {
                    out.writeStartObject();
                    item(out, value);
                    out.writeEndObject();
                });
            }
        });
    }

    private static Reply answer(Call call, String name, long generation, Items items) {
        if (Accept.prefersText(call)) {
            StringBuilder lines = new StringBuilder();
            items.addTo(lines);
            return Reply.text(lines.toString());
        }
        return Reply.json(200, Json.object(out -> {
            out.writeStringProperty("sequence", name);
            out.writeNumberProperty("generation", generation);
            out.writeArrayPropertyStart("items");
            items.write(out);
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

    static void item(JsonGenerator out, PrintedNumber number) {
        out.writeNumberProperty("value", number.value());
        out.writeStringProperty("text", number.text());
        Json.text(out, "period", Optional.of(number.period().key()).filter(key -> !key.isEmpty()));
    }

    private Reply block(Call call, List<String> names) {
        Query.of(call);
        Fields fields = Fields.of(call.body()).only(List.of(COUNT));
        if (!fields.has(COUNT)) {
            throw fields.required(COUNT);
        }
        long count = fields.integer(COUNT, 1, 1, MAX_BLOCK);
        Sequence sequence = sequences.get(names.get(0));
        if (sequence.hasFormat()) {
            throw new Refusal(Problem.badRequest("a block is of values; with a format, next hands out the numbers"));
        }
        Block block = call.key().map(key -> sequence.nextBlock(count, key)).orElseGet(() -> sequence.nextBlock(count));
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
        Optional<Ask> ask = AskJson.in(call);
        Sequence sequence = sequences.get(names.get(0));
        if (sequence.hasFormat()) {
            PrintedNumber number = numbering.get(names.get(0)).peek(ask.orElse(Ask.NOW));
            return Accept.prefersText(call)
                    ? Reply.text(number.text() + "\n")
                    : Reply.json(200, Json.object(out -> item(out, number)));
        }
        ask.ifPresent(given -> {
            throw AskJson.needsFormat(given);
        });
        long value = sequence.peek();
        return Accept.prefersText(call)
                ? Reply.text(value + "\n")
                : Reply.json(200, Json.object(out -> item(out, value)));
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
        Author author = call.author(Query.of(call, REASON).text(REASON));
        String name = names.get(0);
        NewSequence wanted = SequenceJson.definition(call.body());
        if (wanted.format().isPresent()) {
            int status = sequences.find(name).isPresent() ? 200 : 201;
            return state(
                    status, wanted.define(name, sequences, numbering, author).state());
        }
        try {
            return state(
                    201, sequences.create(name, wanted.definition(), author).state());
        } catch (SequenceConflictException e) {
            if (e.code() != ErrorCode.ALREADY_EXISTS) {
                throw e;
            }
            return state(
                    200, sequences.define(name, wanted.definition(), author).state());
        }
    }

    private Reply get(Call call, List<String> names) {
        Optional<Ask> ask = AskJson.in(call);
        Sequence sequence = sequences.get(names.get(0));
        if (ask.isEmpty()) {
            return state(200, sequence.state());
        }
        if (!sequence.hasFormat()) {
            throw AskJson.needsFormat(ask.get());
        }
        return state(200, numbering.get(sequence.name()).state(ask.get()));
    }

    private Reply patch(Call call, List<String> names) {
        Query.of(call);
        Fields fields = Fields.of(call.body());
        SequenceJson.refuseUnknown(fields, List.of(RESTART, "allowReuse", REASON));
        SequenceDefinition changes = SequenceJson.options(fields);
        Optional<Fields> format = SequenceJson.format(fields);
        OptionalLong value = fields.isNull(RESTART) ? OptionalLong.empty() : fields.integer(RESTART);
        Optional<String> reuseReason = reuseReason(fields);
        Author author = call.author(fields.text(REASON));
        Sequence sequence = sequences.get(names.get(0)).by(author);
        boolean nothing =
                format.isEmpty() && SequenceDefinition.optionNames().stream().noneMatch(fields::has);
        if (sequence.hasFormat()) {
            requireServed(fields);
            return state(200, nothing ? sequence.state() : alter(sequence.name(), author, changes, format));
        }
        if (format.isPresent()) {
            throw badFormat("a format is given when a sequence is defined, and this one was defined without");
        }
        if (!fields.has(RESTART)) {
            return state(200, nothing ? sequence.state() : sequence.alter(changes));
        }
        return state(200, sequence.alter(changes, new Restart(value, true, reuseReason)));
    }

    /** What a sequence with a format cannot be asked for in a PATCH. */
    private static void requireServed(Fields fields) {
        if (fields.isNull(SequenceJson.FORMAT)) {
            throw badFormat("a format cannot be taken off a sequence that has one");
        }
        if (fields.has(RESTART)) {
            throw fields.refused(RESTART, "with a format, POST to restart, which is of one counter");
        }
    }

    private static Refusal badFormat(String detail) {
        return new Refusal(Problem.badOption(ErrorCode.BAD_OPTION, SequenceJson.FORMAT, detail));
    }

    private SequenceState alter(String name, Author author, SequenceDefinition changes, Optional<Fields> format) {
        NumberSequence printing = numbering.get(name).by(author);
        return format.map(fields -> printing.alter(
                        changes, FormatJson.merged(printing.format().definition(), fields)))
                .orElseGet(() -> printing.alter(changes));
    }

    private Reply restart(Call call, List<String> names) {
        Query.of(call);
        Fields fields = Fields.of(call.body()).only(FIELDS_OF_RESTART);
        if (!fields.has("value")) {
            throw fields.required("value");
        }
        Optional<String> reuseReason = reuseReason(fields);
        Author author = call.author(fields.text(REASON));
        Restart restart =
                new Restart(fields.integer("value"), fields.flag("fresh").orElse(false), reuseReason);
        Sequence sequence = sequences.get(names.get(0)).by(author);
        return state(200, counter(sequence, author, fields).restart(restart));
    }

    /** The counter that a restart is of. */
    private Sequence counter(Sequence sequence, Author author, Fields fields) {
        WantedCounter wanted = WantedCounter.in(fields);
        if (sequence.hasFormat()) {
            return wanted.inUse(numbering.get(sequence.name()).by(author)).values();
        }
        for (String field : List.of(WantedCounter.PERIOD, AskJson.SCOPE)) {
            if (fields.has(field)) {
                throw AskJson.needsFormat(field);
            }
        }
        return sequence;
    }

    /** An operator's word that a node has ended; docs/adr/0010 says why there is a call for it. */
    private Reply gone(Call call, List<String> names) {
        Query.of(call);
        Fields fields = Fields.of(call.body()).only(List.of("node", REASON));
        Optional<String> reason = fields.text(REASON);
        String node = fields.text("node").orElseThrow(() -> fields.required("node"));
        if (reason.filter(text -> !text.isBlank()).isEmpty()) {
            throw new Refusal(Problem.reasonRequired());
        }
        Sequence sequence = sequences.get(names.get(0)).by(call.author(reason));
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
        Author author = call.author(Query.of(call, REASON).text(REASON));
        sequences.get(names.get(0)).by(author).drop();
        return Reply.noContent(Map.of());
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

    private static Reply state(int status, SequenceState state) {
        return Reply.json(status, Json.object(out -> SequenceJson.write(out, state)));
    }
}
