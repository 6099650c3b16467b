package io.seriatim.numbering;

import io.seriatim.BadFormatException;
import io.seriatim.ErrorCode;
import io.seriatim.NumberRefusedException;
import java.text.Normalizer;
import java.util.regex.Pattern;

/** A scope whose declaration was checked. Every value in its normal form consists of its characters. */
final class ScopeRule {

    private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_-]{0,63}");
    private static final int GREATEST_MAX = 100;
    /** More than any script but those of thousands of signs; each character is looked at. */
    private static final int GREATEST_ALPHABET = 1_000;

    private static final String SCOPES = "scopes";

    private final Scope scope;
    private final CharacterSet characters;

    private ScopeRule(Scope scope, CharacterSet characters) {
        this.scope = scope;
        this.characters = characters;
    }

    static ScopeRule of(Scope scope) {
        if (!NAME.matcher(scope.name()).matches()) {
            throw bad("a scope's name must be a letter, then letters, digits, _ or -: name=" + scope.name());
        }
        if (scope.max() < 1 || scope.max() > GREATEST_MAX) {
            throw bad("a scope's max must be from 1 to " + GREATEST_MAX + ": max=" + scope.max());
        }
        CharacterSet declared = CharacterSet.parse(SCOPES, scope.alphabet());
        if (declared.size() > GREATEST_ALPHABET) {
            throw bad("a scope's alphabet must have at most " + GREATEST_ALPHABET + " characters: size="
                    + declared.size());
        }
        StringBuilder kept = new StringBuilder();
        for (int i = 0; i < declared.size(); i++) {
            int c = declared.at(i);
            requireWhole(c);
            if (isNormal(scope, c)) {
                kept.appendCodePoint(c);
            }
        }
        if (kept.isEmpty()) {
            throw bad("no character of a scope's alphabet is upper case: alphabet=" + scope.alphabet());
        }
        return new ScopeRule(scope, CharacterSet.of(kept.toString()));
    }

    /** Whether the normal form leaves a character as it is; others can be given but never stored. */
    private static boolean isNormal(Scope scope, int c) {
        String text = Character.toString(c);
        return scope.letterCase().applyTo(text).equals(text) && Normalizer.isNormalized(text, Normalizer.Form.NFC);
    }

    /** Refuses what has no look of its own: it would melt into its neighbour, or into nothing. */
    private static void requireWhole(int c) {
        boolean whole = switch (Character.getType(c)) {
            case Character.NON_SPACING_MARK,
                    Character.COMBINING_SPACING_MARK,
                    Character.ENCLOSING_MARK,
                    Character.SPACE_SEPARATOR,
                    Character.UNASSIGNED -> false;
            default -> !TemplateParser.printsNothing(c);
        };
        boolean joinsBefore = c >= 0x1160 && c <= 0x11FF; // the later letters of a Hangul syllable
        if (!whole || joinsBefore) {
            throw bad("a scope's alphabet must not hold marks, spaces or control characters: U+"
                    + String.format("%04X", c));
        }
    }

    private static BadFormatException bad(String message) {
        return BadFormatException.of(ErrorCode.BAD_OPTION, SCOPES, message);
    }

    String name() {
        return scope.name();
    }

    int shortest() {
        return scope.fixed() ? scope.max() : 1;
    }

    int longest() {
        return scope.max();
    }

    CharacterSet characters() {
        return characters;
    }

    /**
     * A value in its normal form.
     *
     * @throws NumberRefusedException SCOPE_VALUE_INVALID
     */
    String normalize(String value) {
        String cased = scope.letterCase().applyTo(Normalizer.normalize(value, Normalizer.Form.NFC));
        String normal = Normalizer.normalize(cased, Normalizer.Form.NFC);
        int length = normal.codePointCount(0, normal.length());
        if (length < shortest() || length > longest()) {
            String rule = scope.fixed() ? "must have " + longest() : "must have from 1 to " + longest();
            throw invalid(rule + " characters: length=" + length);
        }
        if (!normal.codePoints().allMatch(characters::contains)) {
            throw invalid("must consist of " + scope.alphabet());
        }
        return normal;
    }

    private NumberRefusedException invalid(String rule) {
        return new NumberRefusedException(
                ErrorCode.SCOPE_VALUE_INVALID, "the value of scope " + scope.name() + " " + rule);
    }
}
