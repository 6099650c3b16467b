package io.seriatim.server;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import org.junit.jupiter.api.Test;
import org.slf4j.event.KeyValuePair;
import tools.jackson.databind.JsonNode;

class LogLayoutTest {

    private static final String EVIL = "x\n2026-01-01T00:00:00Z ERROR forged\r\u001b[2J\u2028\u0085 {} \"q\" \\";

    private final LogLayout layout = new LogLayout();

    private static LoggingEvent event() {
        Exception error = new IllegalStateException(EVIL, new java.io.IOException(EVIL));
        LoggingEvent event = new LoggingEvent(
                LogLayoutTest.class.getName(),
                new LoggerContext().getLogger("io.seriatim.Some"),
                Level.WARN,
                "a call failed: {}",
                error,
                new Object[] {EVIL});
        event.addKeyValuePair(new KeyValuePair("path", EVIL));
        return event;
    }

    @Test
    void text_keepsWhatACallerSentOnItsLine() {
        String text = layout.doLayout(event());
        assertThat(text).matches("(?s)\\S+Z WARN io\\.seriatim\\.Some - a call failed: x\\\\u000a.*");
        String[] lines = text.split("\n");
        assertThat(lines[0]).contains("path=\"x\\u000a").endsWith("\\\"q\\\" \\\\\"");
        assertThat(lines[1]).startsWith("\tjava.lang.IllegalStateException: x\\u000a");
        assertThat(lines).filteredOn(line -> !line.startsWith("\t")).hasSize(1);
        assertThat(lines).anyMatch(line -> line.startsWith("\tcaused by java.io.IOException: x\\u000a"));
        assertThat(text.replaceAll("[\n\t]", "")).doesNotContainPattern("[\\p{Cntrl}\u0085\u2028]");
    }

    @Test
    void json_isOneLineAnEvent() {
        layout.setFormat(LogLayout.Format.JSON);
        String line = layout.doLayout(event());
        assertThat(line).endsWith("}\n");
        assertThat(line.strip()).doesNotContain("\n");
        JsonNode read = Calls.json(line);
        assertThat(read.path("time").asString()).matches("\\d{4}-\\d\\d-\\d\\dT.*Z");
        assertThat(read.path("level").asString()).isEqualTo("WARN");
        assertThat(read.path("logger").asString()).isEqualTo("io.seriatim.Some");
        assertThat(read.path("message").asString()).isEqualTo("a call failed: " + EVIL);
        assertThat(read.path("fields").path("path").asString()).isEqualTo(EVIL);
        assertThat(read.path("error").asString()).contains("IllegalStateException", "caused by java.io.IOException");
    }

    @Test
    void eventWithoutFieldsOrError_isShort() {
        LoggingEvent event = new LoggingEvent("x", new LoggerContext().getLogger("a"), Level.INFO, "said", null, null);
        assertThat(layout.doLayout(event)).matches("\\S+ INFO a - said\n");
        layout.setFormat(LogLayout.Format.JSON);
        assertThat(Calls.json(layout.doLayout(event)).has("fields")).isFalse();
    }
}
