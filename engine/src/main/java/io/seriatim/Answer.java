package io.seriatim;

import io.seriatim.store.IdempotencyRow;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What was asked with a key and the values given, as the store keeps it.
 *
 * @param shape of the request
 * @param count of the request
 */
record Answer(Shape shape, long count, Draw draw) {

    /*
     * One line: the request, then the answer. "next" stands for values across wraps, "block" for one run that
     * may be shorter, "run" for one of exact length.
     *
     *     next 3; generation 1; round 0; 17 1 x2; 1 1 x1
     *
     * A text is understood only if writing what was read gives the same text again, and the values are as many as
     * were asked for; all else is damage.
     */

    private static final String SEPARATOR = "; ";
    private static final String GENERATION = "generation";
    private static final String ROUND = "round";
    private static final int FIRST_BLOCK = 3;

    Answer {
        boolean oneRun = draw.blocks().size() == 1;
        boolean fits = switch (shape) {
            case ACROSS_WRAPS -> draw.count() == count;
            case CONTIGUOUS -> oneRun && draw.count() == count;
            case CONTIGUOUS_OR_SHORTER -> oneRun && draw.count() <= count;
        };
        if (draw.generation() < 1 || draw.round() < 0 || !fits) {
            throw new IllegalArgumentException(
                    "an answer must fit its request: shape=" + shape + " count=" + count + " draw=" + draw);
        }
    }

    /**
     * The answer in a row.
     *
     * @throws StoreUnavailableException STORE_CORRUPT if it is not understood
     */
    static Answer in(IdempotencyRow row) {
        Answer answer;
        try {
            answer = read(row.answer());
        } catch (RuntimeException e) {
            throw notUnderstood(row, e);
        }
        if (!answer.text().equals(row.answer())) {
            throw notUnderstood(row, new IllegalArgumentException("it would be written in another way"));
        }
        return answer;
    }

    private static StoreUnavailableException notUnderstood(IdempotencyRow row, RuntimeException cause) {
        return new StoreUnavailableException(
                ErrorCode.STORE_CORRUPT, "the stored answer of key " + row.key().key() + " is not understood", cause);
    }

    String text() {
        Stream<String> blocks =
                draw.blocks().stream().map(block -> block.first() + " " + block.increment() + " x" + block.count());
        return Stream.concat(
                        Stream.of(asked(), GENERATION + " " + draw.generation(), ROUND + " " + draw.round()), blocks)
                .collect(Collectors.joining(SEPARATOR));
    }

    /** The request as the text has it. */
    String asked() {
        return word(shape) + " " + count;
    }

    private static String word(Shape shape) {
        return switch (shape) {
            case ACROSS_WRAPS -> "next";
            case CONTIGUOUS -> "run";
            case CONTIGUOUS_OR_SHORTER -> "block";
        };
    }

    private static Answer read(String text) {
        List<String> parts = List.of(text.split(SEPARATOR));
        String asked = parts.get(0);
        List<Block> blocks = new ArrayList<>();
        for (String part : parts.subList(FIRST_BLOCK, parts.size())) {
            String[] words = part.split(" ");
            blocks.add(new Block(
                    Long.parseLong(words[0]), Long.parseLong(words[1]), Long.parseLong(words[2].substring(1))));
        }
        return new Answer(
                shape(asked), numberIn(asked), new Draw(numberIn(parts.get(1)), numberIn(parts.get(2)), blocks));
    }

    private static Shape shape(String asked) {
        for (Shape shape : Shape.values()) {
            if (asked.startsWith(word(shape) + " ")) {
                return shape;
            }
        }
        throw new IllegalArgumentException("no such request: asked=" + asked);
    }

    private static long numberIn(String part) {
        return Long.parseLong(part.substring(part.indexOf(' ') + 1));
    }
}
