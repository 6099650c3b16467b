package io.seriatim.numbering;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Scope values as one text, which names a counter together with the period's key: {@code name=value,…} in the order of
 * names; a comma or backslash of a value has a backslash before it.
 */
final class ScopeKey {

    private ScopeKey() {}

    static String of(SortedMap<String, String> scopes) {
        StringBuilder key = new StringBuilder();
        scopes.forEach((name, value) -> key.append(key.isEmpty() ? "" : ",")
                .append(name)
                .append('=')
                .append(value.replace("\\", "\\\\").replace(",", "\\,")));
        return key.toString();
    }

    /** The scope values in a text that {@link #of} has made. */
    static Map<String, String> parse(String key) {
        Map<String, String> scopes = new TreeMap<>();
        int at = 0;
        while (at < key.length()) {
            int equals = key.indexOf('=', at);
            StringBuilder value = new StringBuilder();
            int next = equals + 1;
            for (; next < key.length() && key.charAt(next) != ','; next++) {
                if (key.charAt(next) == '\\') {
                    next++;
                }
                value.append(key.charAt(next));
            }
            scopes.put(key.substring(at, equals), value.toString());
            at = next + 1;
        }
        return scopes;
    }
}
