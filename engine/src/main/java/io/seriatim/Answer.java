package io.seriatim;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.seriatim.store.IdempotencyRow;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What was asked with a key and the values given, as the store keeps it.
 *
 * @param shape of the request
 * @param count of the request
 * @param note what the request said beside, and what is kept with the answer
 */
record Answer(Shape shape, long count, RequestNote note, Draw draw) {

    /*
     * One line: the request, then the answer. "next" stands for values across wraps, "block" for one run that
     * may be shorter, "run" for one of exact length, "reserve" for one of a reservation, whose name is made of it and
     * the mark of the row.
     *
     *     next 3; generation 1; round 0; 17 1 x2; 1 1 x1
     *
     * What else the request says stands behind the count, and what is kept with the answer in front of the blocks; both
     * are percent-encoded, so neither has a separator or a blank in it:
     *
     *     next 1 for store%3DB2B; generation 1; round 0; note 3+at+2026-07-09T10%3A11%3A12Z; 17 1 x1
     *
     * A text is understood only if writing what was read gives the same text again, and the values are as many as
     * were asked for; all else is damage.
     */

    private static final String SEPARATOR = "; ";
    private static final String GENERATION = "generation";
    private static final String ROUND = "round";
    private static final String FOR = " for ";
    private static final String NOTE = "note ";
    private static final int NOTE_OR_BLOCK = 3;

    Answer {
        boolean oneRun = draw.blocks().size() == 1;
        boolean fits = switch (shape) {
            case ACROSS_WRAPS -> draw.count() == count;
            case CONTIGUOUS -> oneRun && draw.count() == count;
            case CONTIGUOUS_OR_SHORTER -> oneRun && draw.count() <= count;
            case RESERVED -> count == 1 && draw.count() == 1;
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
        return StrictText.read(
                row.answer(),
                Answer::read,
                Answer::text,
                "the stored answer of key " + row.key().key() + " is not understood");
    }

    String text() {
        Stream<String> head =
                Stream.of(asked(), GENERATION + " " + draw.generation(), ROUND + " " + draw.round(), kept());
        Stream<String> blocks =
                draw.blocks().stream().map(block -> block.first() + " " + block.increment() + " x" + block.count());
        return Stream.concat(head, blocks).filter(part -> !part.isEmpty()).collect(Collectors.joining(SEPARATOR));
    }

    private String kept() {
        return note.kept().isEmpty() ? "" : NOTE + URLEncoder.encode(note.kept(), UTF_8);
    }

    /** The request as the text has it. */
    String asked() {
        return word(shape) + " " + count + (note.asks().isEmpty() ? "" : FOR + URLEncoder.encode(note.asks(), UTF_8));
    }

    private static String word(Shape shape) {
        return switch (shape) {
            case ACROSS_WRAPS -> "next";
            case CONTIGUOUS -> "run";
            case CONTIGUOUS_OR_SHORTER -> "block";
            case RESERVED -> "reserve";
        };
    }

    private static Answer read(String text) {
        List<String> parts = List.of(text.split(SEPARATOR));
        String[] asked = parts.get(0).split(FOR, 2);
        boolean hasNote = parts.get(NOTE_OR_BLOCK).startsWith(NOTE);
        List<Block> blocks = new ArrayList<>();
        for (String part : parts.subList(hasNote ? NOTE_OR_BLOCK + 1 : NOTE_OR_BLOCK, parts.size())) {
            String[] words = part.split(" ");
            blocks.add(new Block(
                    Long.parseLong(words[0]), Long.parseLong(words[1]), Long.parseLong(words[2].substring(1))));
        }
        RequestNote note = new RequestNote(
                asked.length > 1 ? decoded(asked[1]) : "",
                hasNote ? decoded(parts.get(NOTE_OR_BLOCK).substring(NOTE.length())) : "");
        return new Answer(
                shape(asked[0]),
                numberIn(asked[0]),
                note,
                new Draw(numberIn(parts.get(1)), numberIn(parts.get(2)), blocks));
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text, UTF_8);
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
