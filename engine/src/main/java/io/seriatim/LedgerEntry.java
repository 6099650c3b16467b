package io.seriatim;

import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What became of one value of a counter, or of a run of values, in one write. It became durable in that write.
 *
 * @param index counts the entries of the counter from 1
 * @param at the wall clock at the write; for display only, it may go back from one entry to the next
 * @param generation of the counter when values were last taken from behind its mark, in this entry or before
 * @param values the values that it speaks of
 * @param facts what else is known
 * @param top the value farthest in the direction of the increment that was taken in this generation
 * @param write names the write that made it, and others in the same write; {@code node.count}
 * @param previous hash of the entry before; empty for the first
 * @param hash of this entry: SHA-256 over its text in the store, which holds the hash before; 64 hexadecimal digits
 */
public record LedgerEntry(
        long index,
        Instant at,
        State state,
        long generation,
        Block values,
        Facts facts,
        long top,
        String write,
        String previous,
        String hash) {

    /** What became of the values. */
    public enum State {
        /**
         * Taken for callers of {@code next}. Under contract fast the values of a block are taken before their callers
         * come: as long as its node has not taken another or given it back, or if it was killed, single values of it
         * are issued or lost.
         */
        ISSUED,
        /** Held by a reservation. */
        RESERVED,
        /** Used, for its holder has said so. */
        CONFIRMED,
        /** Given back unused; may come again. */
        RELEASED,
        /** Not used and never to be used, or no longer valid. */
        VOIDED,
        /** Passed over: nobody has it. */
        LOST,
        /** Used before this sequence was there. */
        IMPORTED;

        /** As HTTP and the store have it: {@code issued}. */
        public String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * What else an entry tells.
     *
     * @param who as {@link Author} has it; empty where nobody has signed
     * @param why the reason
     * @param key the idempotency key of the request, after its caller and a slash
     * @param reservation the reservation that this begins or ends
     * @param node that has taken a block, or given it back
     * @param note what the maker of a reservation wanted to know of it later
     * @param definition the generation of the definition by which the values are printed, where they were taken or taken
     *     again; empty in an entry that takes none, and in those made before this was kept
     */
    public record Facts(
            String who,
            Optional<String> why,
            Optional<String> key,
            Optional<String> reservation,
            Optional<String> node,
            Optional<String> note,
            OptionalLong definition) {

        /** Nothing. */
        public static final Facts NONE = new Facts(
                "",
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                OptionalLong.empty());

        static Facts by(Author author) {
            return NONE.signed(author).why(author.why());
        }

        static Facts because(String reason) {
            return NONE.why(Optional.of(reason));
        }

        static Facts ofNode(String node) {
            return new Facts(
                    NONE.who, NONE.why, NONE.key, NONE.reservation, Optional.of(node), NONE.note, NONE.definition);
        }

        Facts asked(Optional<Request> request) {
            Optional<String> asked = request.map(Request::id).map(id -> id.caller() + "/" + id.key());
            return new Facts(who, why, asked, reservation, node, note, definition);
        }

        Facts of(ReservationId id) {
            return new Facts(who, why, key, Optional.of(id.text()), node, note, definition);
        }

        Facts noting(String text) {
            Optional<String> noted = Optional.of(text).filter(some -> !some.isEmpty());
            return new Facts(who, why, key, reservation, node, noted, definition);
        }

        /** Signed, and nothing else of the author. */
        Facts signed(Author author) {
            return new Facts(author.who(), why, key, reservation, node, note, definition);
        }

        /** With a reason. */
        Facts why(Optional<String> reason) {
            return new Facts(who, reason, key, reservation, node, note, definition);
        }

        /** Of values that are printed by the definition of a generation. */
        Facts printedBy(long generation) {
            return new Facts(who, why, key, reservation, node, note, OptionalLong.of(generation));
        }
    }

    /** Whether it takes its values, for the first time or again, rather than tell of those that were taken. */
    public boolean takesValues() {
        return facts.definition().isPresent()
                || switch (state) {
                    case ISSUED, RESERVED, IMPORTED -> true;
                    case CONFIRMED -> facts.reservation().isEmpty();
                    case RELEASED, VOIDED, LOST -> false;
                };
    }

    /** Whether it speaks of a value. */
    public boolean covers(long value) {
        return values.holds(value);
    }
}
