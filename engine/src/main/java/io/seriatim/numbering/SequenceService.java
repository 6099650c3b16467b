package io.seriatim.numbering;

import io.seriatim.SequenceConflictException;
import io.seriatim.SequenceDefinition;
import io.seriatim.Sequences;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * Numbers by key, as Virto Commerce's service of this name hands them out: a key that is not known yet is defined when
 * its first number is asked for, and keys that differ by the case of letters only are one.
 *
 * <p>Safe for use by many threads, and by many processes on one store.
 */
public final class SequenceService {

    /** Spellings are asked for again when so many are known. */
    private static final int MAX_SPELLINGS = 100_000;

    private final Sequences sequences;
    private final Numbering numbering;
    private final SequenceDefinition values;
    private final Function<String, FormatDefinition> format;
    /** How a sequence is spelled, by its name in small letters: a name is found by its own spelling alone. */
    private final ConcurrentHashMap<String, String> spellings = new ConcurrentHashMap<>();

    private SequenceService(Sequences sequences, SequenceDefinition values, Function<String, FormatDefinition> format) {
        this.sequences = sequences;
        this.numbering = Numbering.on(sequences);
        this.values = values;
        this.format = format;
    }

    /**
     * A service on the sequences of a store.
     *
     * @param values of a key that is not known yet
     * @param format of a key that is not known yet; called with the key as it is spelled there. Two keys should not be
     *     given one text: their numbers would be equal
     */
    public static SequenceService on(
            Sequences sequences, SequenceDefinition values, Function<String, FormatDefinition> format) {
        return new SequenceService(sequences, values, format);
    }

    /**
     * Returns the next number of a key, as it is printed now.
     *
     * @param key as a sequence's name, whatever the case of its letters
     * @throws io.seriatim.BadDefinitionException BAD_NAME if the key cannot be a name; final
     * @throws io.seriatim.BadFormatException if the key is new, and the definition given for it breaks a rule; final
     * @throws io.seriatim.SequenceExhaustedException at the end of the counter; nothing was consumed; final
     * @throws io.seriatim.StoreUnavailableException when the store does not do its part in time
     * @throws IllegalStateException if there is a sequence of this name that has no format
     */
    public String getNext(String key) {
        return sequence(key).next().text();
    }

    private NumberSequence sequence(String key) {
        String spelling = spellings.getOrDefault(folded(key), key);
        return numbering.find(spelling).or(() -> findAnySpelling(key)).orElseGet(() -> define(key));
    }

    private Optional<NumberSequence> findAnySpelling(String key) {
        return sequences.list("", justBefore(folded(key)), 1).stream()
                .map(state -> state.name())
                .filter(name -> folded(name).equals(folded(key)))
                .map(this::remembered)
                .findFirst();
    }

    private NumberSequence remembered(String name) {
        if (spellings.size() >= MAX_SPELLINGS) {
            spellings.clear();
        }
        spellings.put(folded(name), name);
        return numbering.get(name);
    }

    private NumberSequence define(String key) {
        try {
            return numbering.define(key, values, format.apply(key));
        } catch (SequenceConflictException e) { // somebody was first, with another definition or spelling
            return findAnySpelling(key).orElseThrow(() -> e);
        }
    }

    /**
     * A text behind every name that comes before this one, and before this one: lists are in order of small letters,
     * and no character of a name is as great as a tilde.
     */
    private static String justBefore(String name) {
        int last = name.length() - 1;
        return name.substring(0, last) + (char) (name.charAt(last) - 1) + "~";
    }

    private static String folded(String name) {
        return name.toLowerCase(Locale.ROOT);
    }
}
