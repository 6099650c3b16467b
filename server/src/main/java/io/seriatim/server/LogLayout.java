package io.seriatim.server;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.StackTraceElementProxy;
import ch.qos.logback.core.LayoutBase;
import ch.qos.logback.core.OutputStreamAppender;
import ch.qos.logback.core.encoder.LayoutWrappingEncoder;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.KeyValuePair;

/** Lines of the log, as text or as JSON. Public for Logback's configuration only. */
public final class LogLayout extends LayoutBase<ILoggingEvent> {

    /*
     * What a caller sent stands in fields, each a key and a value. Nothing in a message, a value or an exception's
     * text can begin a line of its own or move a terminal's cursor. In JSON an event is one line; in text a stack
     * trace follows it, each line behind a tab. Logback's own JSON encoder was considered: it writes times as
     * numbers, and a nested list for each field.
     */

    enum Format {
        TEXT,
        JSON
    }

    private volatile Format format = Format.TEXT;

    /** Sets the format of what goes to stderr, unless somebody has given Logback a configuration of their own. */
    static void use(Format format) {
        if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context
                && context.getLogger(Logger.ROOT_LOGGER_NAME).getAppender("stderr")
                        instanceof OutputStreamAppender<ILoggingEvent> appender
                && appender.getEncoder() instanceof LayoutWrappingEncoder<ILoggingEvent> encoder
                && encoder.getLayout() instanceof LogLayout layout) {
            layout.setFormat(format);
        }
    }

    void setFormat(Format format) {
        this.format = format;
    }

    @Override
    public String doLayout(ILoggingEvent event) {
        return format == Format.JSON ? json(event) : text(event);
    }

    private static String text(ILoggingEvent event) {
        StringBuilder line = new StringBuilder()
                .append(event.getInstant())
                .append(' ')
                .append(event.getLevel())
                .append(' ')
                .append(event.getLoggerName())
                .append(" - ")
                .append(escape(event.getFormattedMessage()));
        for (KeyValuePair field : fields(event)) {
            line.append(' ').append(escape(field.key)).append("=\"").append(quoted(String.valueOf(field.value)));
            line.append('"');
        }
        return line.append('\n').append(stackTrace(event)).toString();
    }

    private static String json(ILoggingEvent event) {
        return Json.object(out -> {
                    out.writeStringProperty("time", event.getInstant().toString());
                    out.writeStringProperty("level", event.getLevel().toString());
                    out.writeStringProperty("logger", event.getLoggerName());
                    out.writeStringProperty("thread", event.getThreadName());
                    out.writeStringProperty("message", event.getFormattedMessage());
                    if (!fields(event).isEmpty()) {
                        out.writeObjectPropertyStart("fields");
                        fields(event).forEach(field -> out.writeStringProperty(field.key, String.valueOf(field.value)));
                        out.writeEndObject();
                    }
                    if (event.getThrowableProxy() != null) {
                        out.writeStringProperty("error", stackTrace(event));
                    }
                })
                + "\n";
    }

    private static List<KeyValuePair> fields(ILoggingEvent event) {
        @Nullable List<KeyValuePair> fields = event.getKeyValuePairs();
        return fields == null ? List.of() : fields;
    }

    private static String stackTrace(ILoggingEvent event) {
        StringBuilder lines = new StringBuilder();
        for (@Nullable IThrowableProxy error = event.getThrowableProxy(); error != null; error = error.getCause()) {
            lines.append(lines.isEmpty() ? "\t" : "\tcaused by ").append(error.getClassName());
            if (error.getMessage() != null) {
                lines.append(": ").append(escape(error.getMessage()));
            }
            lines.append('\n');
            for (StackTraceElementProxy frame : error.getStackTraceElementProxyArray()) {
                lines.append("\t\t").append(escape(frame.getSTEAsString())).append('\n');
            }
        }
        return lines.toString();
    }

    private static String quoted(String value) {
        return escape(value.replace("\\", "\\\\").replace("\"", "\\\""));
    }

    /** Without what ends a line, moves a cursor or turns the direction of writing. */
    private static String escape(String text) {
        StringBuilder escaped = new StringBuilder(text.length());
        text.codePoints().forEach(c -> {
            if (isHarmless(c)) {
                escaped.appendCodePoint(c);
            } else {
                escaped.append(String.format("\\u%04x", c));
            }
        });
        return escaped.toString();
    }

    private static boolean isHarmless(int c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> false;
            default -> true;
        };
    }
}
