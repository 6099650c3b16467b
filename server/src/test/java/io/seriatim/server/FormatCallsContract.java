package io.seriatim.server;

import static io.seriatim.server.Calls.ok;

import java.util.List;
import tools.jackson.databind.JsonNode;

/** Formats, and what contracts of sequences with a format ask for again and again. */
abstract class FormatCallsContract extends CallsContract {

    static final String YEARLY = "{\"format\": {\"template\": \"INV-{year}-{seq:4}\", \"reset\": \"yearly\"}}";
    static final String BY_STORE = """
            {"format": {"template": "{scope:store}-{date:yyyyMMdd}-{seq:3}", "reset": "daily",
             "scopes": [{"name": "store", "max": 6, "case": "upper"}]}}""";

    static List<String> texts(Reply reply) {
        return ok(reply).path("items").findValuesAsString("text");
    }

    List<String> nextAt(String name, String instant) {
        return texts(calls.post(name + "/next", "{\"at\": \"" + instant + "\"}"));
    }

    List<String> nextOf(String store) {
        return texts(calls.post("a/next", "{\"date\": \"2026-07-09\", \"scope\": {\"store\": \"" + store + "\"}}"));
    }

    JsonNode format(String name) {
        return ok(calls.get(name)).path("format");
    }
}
