package io.seriatim.server;

import io.seriatim.AuditEntry;
import java.util.Map;
import tools.jackson.core.JsonGenerator;

/** Entries of audit trails as JSON. */
final class AuditJson {

    private AuditJson() {}

    static void write(JsonGenerator out, AuditEntry entry) {
        out.writeStartObject();
        out.writeNumberProperty("index", entry.index());
        out.writeStringProperty("at", entry.at().toString());
        out.writeStringProperty("who", entry.who());
        out.writeStringProperty("action", entry.action().text());
        entry.why().ifPresentOrElse(why -> out.writeStringProperty("why", why), () -> out.writeNullProperty("why"));
        out.writeNumberProperty("generation", entry.generation());
        writeFacts(out, "was", entry.was());
        writeFacts(out, "now", entry.now());
        out.writeEndObject();
    }

    /** All of them as texts: they are what a store kept, and lose no digit. */
    private static void writeFacts(JsonGenerator out, String name, Map<String, String> facts) {
        out.writeObjectPropertyStart(name);
        facts.forEach(out::writeStringProperty);
        out.writeEndObject();
    }
}
