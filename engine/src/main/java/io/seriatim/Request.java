package io.seriatim;

import io.seriatim.store.IdempotencyKey;
import io.seriatim.store.IdempotencyRow;
import io.seriatim.store.WriterMark;
import java.time.Instant;

/**
 * A request with a key, and its answer as the store keeps it.
 *
 * @param expires until when the answer is kept at least
 */
record Request(IdempotencyKey id, Shape shape, long count, RequestNote note, Instant expires) {

    /** The row that fixes the answer. */
    IdempotencyRow answered(Draw draw, WriterMark mark) {
        return new IdempotencyRow(id, new Answer(shape, count, note, draw).text(), expires, mark);
    }

    /**
     * The answer that was given to this request.
     *
     * @throws RequestKeyException KEY_REUSED if the row answers another request
     * @throws StoreUnavailableException STORE_CORRUPT if it is not understood
     */
    Draw answerIn(IdempotencyRow row) {
        Answer answer = Answer.in(row);
        boolean same = answer.shape() == shape
                && answer.count() == count
                && answer.note().asks().equals(note.asks());
        if (!same) {
            throw new RequestKeyException(
                    ErrorCode.KEY_REUSED, "the key was used for another request: " + answer.asked());
        }
        return answer.draw();
    }
}
