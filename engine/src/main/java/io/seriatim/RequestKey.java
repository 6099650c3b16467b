package io.seriatim;

import java.util.regex.Pattern;

/**
 * Names one request of one caller, so that its repetition is given the answer of the first and takes nothing.
 *
 * @param caller who asks; the keys of two callers are never the same; empty where callers are not told apart
 * @param key chosen by the caller: 1 to 200 visible ASCII characters
 */
public record RequestKey(String caller, String key) {

    private static final Pattern KEY = Pattern.compile("[!-~]{1,200}");
    private static final Pattern CALLER = Pattern.compile("[!-~]{0,200}");

    public RequestKey {
        if (!KEY.matcher(key).matches()) {
            throw new IllegalArgumentException("a key must be 1 to 200 visible ASCII characters");
        }
        if (!CALLER.matcher(caller).matches()) {
            throw new IllegalArgumentException("a caller must be at most 200 visible ASCII characters");
        }
    }
}
