package io.seriatim.numbering;

import java.util.Map;
import java.util.TreeMap;

/** Plain values for numbers that are shown as examples. */
final class Samples {

    /** The first of the years that examples are taken from. */
    static final int YEAR = 2026;

    private Samples() {}

    /** One of the values of a scope: of the shortest length, all of one character; different for small indexes. */
    static String scopeValue(ScopeRule scope, int index) {
        CharacterSet preferred = scope.characters().and(CharacterSet.UPPER);
        CharacterSet characters = preferred.size() > index ? preferred : scope.characters();
        boolean enough = characters.size() > index;
        int length = enough ? scope.shortest() : Math.min(scope.longest(), scope.shortest() + index);
        return Character.toString(characters.at(enough ? index : 0)).repeat(length);
    }

    static Map<String, String> scopeValues(Layout layout, int index) {
        Map<String, String> values = new TreeMap<>();
        layout.scopes().forEach((name, scope) -> values.put(name, scopeValue(scope, index)));
        return values;
    }

    /** A value that the layout can print. */
    static long value(Layout layout) {
        return Math.min(Math.max(1, layout.least()), layout.greatest());
    }
}
