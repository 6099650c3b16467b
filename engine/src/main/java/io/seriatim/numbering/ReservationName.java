package io.seriatim.numbering;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Base64;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Names a reservation within its sequence: what names it within its counter, and the counter.
 *
 * @param inCounter as the counter has it
 */
record ReservationName(String inCounter, String period, String scopeKey) {

    private static final String SEPARATOR = "~";
    private static final int PARTS = 3;

    /** Every key of a period is one. */
    private static final Pattern PERIOD = Pattern.compile("[A-Z0-9-]{0,10}");

    /** {@code 17.4fd1a20c99b1e7d3.12~2026~c3RvcmU9QjJC}: what stands last is the scope, in Base64 for the path of a URL. */
    String text() {
        String scope = Base64.getUrlEncoder().withoutPadding().encodeToString(scopeKey.getBytes(UTF_8));
        return String.join(SEPARATOR, inCounter, period, scope);
    }

    /** Nothing if no reservation is named so. */
    static Optional<ReservationName> parse(String text) {
        String[] parts = text.split(SEPARATOR, -1);
        if (parts.length != PARTS) {
            return Optional.empty();
        }
        try {
            String scopeKey = new String(Base64.getUrlDecoder().decode(parts[2]), UTF_8);
            return Optional.of(new ReservationName(parts[0], parts[1], scopeKey))
                    .filter(name -> name.text().equals(text))
                    .filter(name -> PERIOD.matcher(name.period()).matches())
                    .filter(name -> name.scopeKey().chars().noneMatch(Character::isISOControl));
        } catch (IllegalArgumentException notBase64) {
            return Optional.empty();
        }
    }
}
