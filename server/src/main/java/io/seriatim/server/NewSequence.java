package io.seriatim.server;

import io.seriatim.Author;
import io.seriatim.Sequence;
import io.seriatim.SequenceDefinition;
import io.seriatim.Sequences;
import io.seriatim.numbering.FormatDefinition;
import io.seriatim.numbering.Numbering;
import java.util.Optional;

/** What a sequence should be, as a call or a setting says it. */
record NewSequence(SequenceDefinition definition, Optional<FormatDefinition> format) {

    /** Every option has its default. */
    static NewSequence usual() {
        return new NewSequence(SequenceDefinition.ascending(), Optional.empty());
    }

    /** Creates the sequence if there is none of this name; one that differs is refused. */
    Sequence define(String name, Sequences sequences, Numbering numbering, Author author) {
        return format.map(printed ->
                        numbering.define(name, definition, printed, author).sequence())
                .orElseGet(() -> sequences.define(name, definition, author));
    }
}
