package io.seriatim;

import java.util.Optional;

/** Something done to a sequence by the only one who has it in hand. Calls the store and waits for it. */
interface ExclusiveOperation<T> {

    /** May throw what the store says if everything is then as it was in {@code held}. */
    Outcome<T> run(Held held);

    /** What to leave behind of a finished operation whose caller is gone. */
    default Outcome<T> undone(Outcome<T> outcome) {
        return outcome;
    }

    /**
     * The end of an operation.
     *
     * @param left the sequence as it is now
     * @param answer for the caller; empty if there is only the failure
     * @param failure for the caller
     * @param dropped the sequence is no more
     */
    record Outcome<T>(Held left, Optional<T> answer, Optional<SequenceException> failure, boolean dropped) {

        static <T> Outcome<T> answered(Held left, T answer) {
            return new Outcome<>(left, Optional.of(answer), Optional.empty(), false);
        }

        static <T> Outcome<T> failed(Held left, SequenceException failure) {
            return new Outcome<>(
                    left, Optional.empty(), Optional.of(failure), failure instanceof SequenceNotFoundException);
        }

        static <T> Outcome<T> dropped(Held left, T answer) {
            return new Outcome<>(left, Optional.of(answer), Optional.empty(), true);
        }

        T answerOrThrow() {
            if (failure.isPresent()) {
                throw failure.get().again();
            }
            return answer.orElseThrow();
        }
    }
}
