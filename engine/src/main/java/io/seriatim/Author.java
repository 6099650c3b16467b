package io.seriatim;

import java.util.Optional;

/**
 * Who changes a definition, and why, as the audit trail keeps it. Nothing is checked of it but its form: whoever makes
 * one says the truth or not.
 *
 * @param who at most 200 characters, none of them a control character; empty where nobody knows
 * @param why 1 to 1,000 characters, not all of them blank, none of them a control character
 */
public record Author(String who, Optional<String> why) {

    /** Of a change that nobody has signed. */
    static final Author NOBODY = new Author("", Optional.empty());

    private static final int MAX_WHO = 200;
    private static final int MAX_WHY = 1_000;

    /** @throws IllegalArgumentException if a text breaks a rule above, or holds half a surrogate pair */
    public Author {
        requirePlain("who", who, MAX_WHO);
        why.ifPresent(Author::requireWhy);
    }

    /** Somebody who gives no reason. */
    public static Author of(String who) {
        return new Author(who, Optional.empty());
    }

    /** The same one, with a reason. */
    public Author because(String reason) {
        return new Author(who, Optional.of(reason));
    }

    /** With the reason that the change itself brings, if it brings one. */
    Author because(Optional<String> reason) {
        return reason.isPresent() ? new Author(who, reason) : this;
    }

    static void requireWhy(String why) {
        if (why.isBlank()) {
            throw new IllegalArgumentException("a reason must not be blank");
        }
        requirePlain("reason", why, MAX_WHY);
    }

    /** One line of a text that every store can keep. */
    static void requirePlain(String what, String text, int most) {
        int characters = text.codePointCount(0, text.length());
        if (characters > most) {
            throw new IllegalArgumentException(
                    what + " must have at most " + most + " characters: characters=" + characters);
        }
        text.codePoints().forEach(character -> {
            if (Character.isISOControl(character)) {
                throw new IllegalArgumentException(what + " must not hold control characters");
            }
            if (Character.getType(character) == Character.SURROGATE) {
                throw new IllegalArgumentException(what + " must not hold half a surrogate pair");
            }
        });
    }
}
