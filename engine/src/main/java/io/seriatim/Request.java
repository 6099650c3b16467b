package io.seriatim;

import io.seriatim.store.IdempotencyKey;
import io.seriatim.store.IdempotencyRow;
import io.seriatim.store.WriterMark;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A request with a key, and its answer as the store keeps it.
 *
 * @param expires until when the answer is kept at least
 */
record Request(IdempotencyKey id, Shape shape, long count, Instant expires) {

    /*
     * One line: the request, then the answer. "next" stands for values across wraps, "block" for one run that
     * may be shorter, "run" for one of exact length.
     *
     *     next 3; generation 1; round 0; 17 +1 x2; 1 +1 x1
     */

    private static final String SEPARATOR = "; ";

    /** The row that fixes the answer. */
    IdempotencyRow answered(Draw draw, WriterMark mark) {
        String blocks = draw.blocks().stream()
                .map(block -> block.first() + " " + block.increment() + " x" + block.count())
                .collect(Collectors.joining(SEPARATOR));
        String text =
                String.join(SEPARATOR, asked(), "generation " + draw.generation(), "round " + draw.round(), blocks);
        return new IdempotencyRow(id, text, expires, mark);
    }

    /**
     * The answer that was given to this request.
     *
     * @throws RequestKeyException KEY_REUSED if the row answers another request
     */
    Draw answerIn(IdempotencyRow row) {
        List<String> parts = List.of(row.answer().split(SEPARATOR));
        if (!parts.get(0).equals(asked())) {
            throw new RequestKeyException(
                    ErrorCode.KEY_REUSED, "the key was used for another request: " + parts.get(0));
        }
        try {
            List<Block> blocks = new ArrayList<>();
            for (String part : parts.subList(3, parts.size())) {
                String[] words = part.split(" ");
                blocks.add(new Block(
                        Long.parseLong(words[0]), Long.parseLong(words[1]), Long.parseLong(words[2].substring(1))));
            }
            return new Draw(numberIn(parts.get(1)), numberIn(parts.get(2)), blocks);
        } catch (RuntimeException e) {
            throw new StoreUnavailableException(
                    ErrorCode.STORE_CORRUPT, "the stored answer of key " + id.key() + " is not understood", e);
        }
    }

    private String asked() {
        String call = switch (shape) {
            case ACROSS_WRAPS -> "next";
            case CONTIGUOUS -> "run";
            case CONTIGUOUS_OR_SHORTER -> "block";
        };
        return call + " " + count;
    }

    private static long numberIn(String part) {
        return Long.parseLong(part.substring(part.indexOf(' ') + 1));
    }
}
