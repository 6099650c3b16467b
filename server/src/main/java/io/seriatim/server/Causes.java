package io.seriatim.server;

import org.jspecify.annotations.Nullable;

/** The messages of an error and of what caused it, for a log of one line an event. */
final class Causes {

    private Causes() {}

    /** A message that only repeats what an outer one said is left out; one that says nothing gives way to its type. */
    static String of(Throwable error) {
        StringBuilder line = new StringBuilder();
        for (@Nullable Throwable cause = error; cause != null; cause = cause.getCause()) {
            String message = cause.getMessage();
            String said =
                    message == null || message.isBlank() ? cause.getClass().getSimpleName() : message;
            if (line.indexOf(said) < 0) {
                line.append(line.isEmpty() ? "" : ": ").append(said);
            }
        }
        return line.toString().replaceAll("\\p{Cntrl}", " ");
    }
}
