package io.seriatim.numbering.convert;

import io.seriatim.SequenceDefinition;
import io.seriatim.numbering.FormatDefinition;
import java.util.List;

/** What became of another product's text. */
public sealed interface Conversion {

    /**
     * A definition that prints the same numbers, but for what the remarks say.
     *
     * @param values the options that are not at their default
     */
    record Converted(SequenceDefinition values, FormatDefinition format, List<Remark> remarks) implements Conversion {
        public Converted {
            remarks = List.copyOf(remarks);
        }
    }

    /**
     * There is no definition that prints the same numbers.
     *
     * @param obstacles every part that stands in the way; at least one
     */
    record NotConverted(List<Obstacle> obstacles) implements Conversion {
        public NotConverted {
            obstacles = List.copyOf(obstacles);
            if (obstacles.isEmpty()) {
                throw new IllegalArgumentException("what was not converted must have an obstacle");
            }
        }
    }
}
