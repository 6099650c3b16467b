package io.seriatim.store;

import java.time.Instant;

/**
 * The answer that a request was given, kept so that its repetition gets the same.
 *
 * @param answer request and answer as text; the engine gives it its meaning
 * @param expires until when the row is kept at least
 * @param mark names the write that made this row
 */
public record IdempotencyRow(IdempotencyKey key, String answer, Instant expires, WriterMark mark) {

    public IdempotencyRow {
        Text.requireWellFormed("answer", answer);
    }
}
