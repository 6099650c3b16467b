package io.seriatim.verification;

import io.seriatim.verification.HistoryEvent.Answered;
import io.seriatim.verification.HistoryEvent.Change;
import io.seriatim.verification.HistoryEvent.Changed;
import io.seriatim.verification.HistoryEvent.Changing;
import io.seriatim.verification.HistoryEvent.Contract;
import io.seriatim.verification.HistoryEvent.Crashed;
import io.seriatim.verification.HistoryEvent.Defined;
import io.seriatim.verification.HistoryEvent.Failed;
import io.seriatim.verification.HistoryEvent.Invoked;
import io.seriatim.verification.HistoryEvent.Run;
import io.seriatim.verification.HistoryEvent.Started;
import io.seriatim.verification.HistoryEvent.State;
import io.seriatim.verification.HistoryEvent.Stopped;
import io.seriatim.verification.HistoryEvent.Varying;
import io.seriatim.verification.HistoryEvent.Wish;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** A history as text: one JSON object a line, one line an event. */
final class HistoryFormat {

    /*
     * {"t":"define","s":"orders","of":"fast","g":1,"start":1,"min":1,"max":100,"inc":1,"cache":100}   cache null: auto
     * {"t":"start","p":0}                                  p: the process
     * {"t":"inv","c":17,"p":0,"s":"orders","op":"next","n":3,"k":"a"}    op blocks: the answer may be shorter; k: key
     * {"t":"ok","c":17,"g":1,"v":[[4,5],[9,9]]}            runs, first and last inclusive
     * {"t":"fail","c":18,"code":"BUSY"}
     * {"t":"vary","s":"orders"}
     * {"t":"alter","c":19,"p":0,"s":"orders","do":"forward","to":50}     to: with back and forward
     * {"t":"altered","c":19,"g":2,"of":"fast"}             neither g nor of: after drop
     * {"t":"crash","p":0}
     * {"t":"stop","p":0}
     */

    private static final JsonMapper JSON = new JsonMapper();

    private HistoryFormat() {}

    static String line(HistoryEvent event) {
        ObjectNode json = JSON.createObjectNode();
        if (event instanceof Defined it) {
            json.put("t", "define").put("s", it.sequence());
            json.put("of", lower(it.contract())).put("g", it.generation());
            json.put("start", it.start()).put("min", it.min()).put("max", it.max());
            json.put("inc", it.increment());
            json.put("cache", it.cache().isPresent() ? it.cache().getAsLong() : null);
        } else if (event instanceof Invoked it) {
            json.put("t", "inv").put("c", it.call()).put("p", it.process()).put("s", it.sequence());
            json.put("op", it.wish() == Wish.EXACTLY ? "next" : "blocks").put("n", it.count());
            it.key().ifPresent(key -> json.put("k", key));
        } else if (event instanceof Answered it) {
            json.put("t", "ok").put("c", it.call());
            it.generation().ifPresent(generation -> json.put("g", generation));
            ArrayNode runs = json.putArray("v");
            it.runs().forEach(run -> runs.addArray().add(run.first()).add(run.last()));
        } else if (event instanceof Failed it) {
            json.put("t", "fail").put("c", it.call()).put("code", it.code());
        } else if (event instanceof Varying it) {
            json.put("t", "vary").put("s", it.sequence());
        } else if (event instanceof Changing it) {
            json.put("t", "alter").put("c", it.call()).put("p", it.process()).put("s", it.sequence());
            json.put("do", lower(it.change()));
            it.value().ifPresent(value -> json.put("to", value));
        } else if (event instanceof Changed it) {
            json.put("t", "altered").put("c", it.call());
            it.state().ifPresent(state -> json.put("g", state.generation()).put("of", lower(state.contract())));
        } else if (event instanceof Started it) {
            json.put("t", "start").put("p", it.process());
        } else if (event instanceof Crashed it) {
            json.put("t", "crash").put("p", it.process());
        } else if (event instanceof Stopped it) {
            json.put("t", "stop").put("p", it.process());
        }
        return json.toString();
    }

    /** @throws IllegalArgumentException if the line is no event */
    static HistoryEvent parse(String line) {
        try {
            return event(JSON.readTree(line));
        } catch (JacksonException e) {
            throw new IllegalArgumentException("not an event: " + line, e);
        }
    }

    private static HistoryEvent event(JsonNode json) {
        String kind = text(json, "t");
        return switch (kind) {
            case "define" ->
                new Defined(
                        text(json, "s"),
                        contract(json),
                        number(json, "g"),
                        number(json, "start"),
                        number(json, "min"),
                        number(json, "max"),
                        number(json, "inc"),
                        optional(json, "cache"));
            case "start" -> new Started(process(json));
            case "inv" ->
                new Invoked(
                        number(json, "c"),
                        process(json),
                        text(json, "s"),
                        wish(text(json, "op")),
                        number(json, "n"),
                        json.hasNonNull("k") ? Optional.of(text(json, "k")) : Optional.empty());
            case "ok" -> new Answered(number(json, "c"), optional(json, "g"), runs(json.required("v")));
            case "fail" -> new Failed(number(json, "c"), text(json, "code"));
            case "vary" -> new Varying(text(json, "s"));
            case "alter" ->
                new Changing(
                        number(json, "c"),
                        process(json),
                        text(json, "s"),
                        Change.valueOf(text(json, "do").toUpperCase(Locale.ROOT)),
                        optional(json, "to"));
            case "altered" ->
                new Changed(
                        number(json, "c"),
                        json.hasNonNull("g")
                                ? Optional.of(new State(number(json, "g"), contract(json)))
                                : Optional.empty());
            case "crash" -> new Crashed(process(json));
            case "stop" -> new Stopped(process(json));
            default -> throw new IllegalArgumentException("no such event: t=" + kind);
        };
    }

    private static Contract contract(JsonNode json) {
        return Contract.valueOf(text(json, "of").toUpperCase(Locale.ROOT));
    }

    private static String lower(Enum<?> word) {
        return word.name().toLowerCase(Locale.ROOT);
    }

    private static Wish wish(String op) {
        return switch (op) {
            case "next" -> Wish.EXACTLY;
            case "blocks" -> Wish.AT_MOST;
            default -> throw new IllegalArgumentException("no such call: op=" + op);
        };
    }

    private static List<Run> runs(JsonNode json) {
        List<Run> runs = new ArrayList<>();
        json.forEach(run ->
                runs.add(new Run(run.required(0).longValue(), run.required(1).longValue())));
        return runs;
    }

    private static String text(JsonNode json, String name) {
        return json.required(name).stringValue();
    }

    private static long number(JsonNode json, String name) {
        return json.required(name).longValue();
    }

    private static int process(JsonNode json) {
        return json.required("p").intValue();
    }

    private static OptionalLong optional(JsonNode json, String name) {
        return json.hasNonNull(name) ? OptionalLong.of(number(json, name)) : OptionalLong.empty();
    }
}
