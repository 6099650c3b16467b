package io.seriatim.verification;

import io.seriatim.Restart;
import io.seriatim.Sequence;
import io.seriatim.SequenceDefinition;
import io.seriatim.SequenceException;
import io.seriatim.SequenceExhaustedException;
import io.seriatim.Sequences;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** A case under way through the Java API, and what came of it so far. */
final class SequenceCaseRun {

    private static final String LEAVE = "the case goes back";

    private final SequenceCase theCase;
    private final String variant;
    private final List<String> outcomes = new ArrayList<>();

    SequenceCaseRun(SequenceCase theCase, String variant) {
        this.theCase = theCase;
        this.variant = variant;
    }

    String title() {
        return theCase.name() + ", " + theCase.options().getOrDefault("cache", variant);
    }

    List<String> expected() {
        return theCase.expected();
    }

    List<String> outcomes() {
        return List.copyOf(outcomes);
    }

    /** How many steps there are: creating the sequence, and each op. */
    int steps() {
        return 1 + theCase.ops().size();
    }

    void runAll(Sequences sequences) {
        for (int step = 0; step < steps(); step++) {
            runStep(sequences, step);
        }
    }

    void runStep(Sequences sequences, int step) {
        outcomes.add(outcome(() ->
                step == 0 ? create(sequences) : perform(sequences, theCase.ops().get(step - 1))));
    }

    private String perform(Sequences sequences, String op) {
        List<String> words = Arrays.asList(op.split(" "));
        return switch (words.get(0)) {
            case "create" -> create(sequences);
            case "next" -> Long.toString(sequence(sequences).next());
            case "drop" -> {
                sequence(sequences).drop();
                yield "ok";
            }
            case "set" -> {
                long value = Long.parseLong(words.get(1));
                Restart restart = words.contains("fresh") ? Restart.at(value) : Restart.after(value);
                sequence(sequences).restart(restart.allowingReuse(LEAVE));
                yield words.get(1);
            }
            case "alter" -> {
                alter(sequence(sequences), words.subList(1, words.size()));
                yield "ok";
            }
            default -> throw new IllegalArgumentException("no such op: " + op);
        };
    }

    private String create(Sequences sequences) {
        sequences.create(theCase.name(), theCase.definition(variant));
        return "ok";
    }

    private Sequence sequence(Sequences sequences) {
        return sequences.get(theCase.name());
    }

    private static void alter(Sequence sequence, List<String> words) {
        SequenceDefinition changes = SequenceDefinition.changes();
        Optional<Restart> restart = Optional.empty();
        for (String word : words) {
            String[] option = word.split("=", 2);
            if (!option[0].equals("restart")) {
                changes = changes.with(option[0], option[1]);
            } else {
                restart = Optional.of(option.length == 1 ? Restart.atStart() : Restart.at(Long.parseLong(option[1])));
            }
        }
        if (restart.isPresent()) {
            sequence.alter(changes, restart.get().allowingReuse(LEAVE));
        } else {
            sequence.alter(changes);
        }
    }

    /** The result, or the kind of the error in the words of the cases. */
    private static String outcome(Supplier<String> step) {
        try {
            return step.get();
        } catch (SequenceExhaustedException e) {
            return "limit-" + e.limit();
        } catch (SequenceException e) {
            return switch (e.code()) {
                case BAD_OPTION -> "bad-option";
                case OUT_OF_RANGE -> "out-of-range";
                case NOT_FOUND -> "not-found";
                case ALREADY_EXISTS -> "already-exists";
                default -> throw e;
            };
        }
    }
}
