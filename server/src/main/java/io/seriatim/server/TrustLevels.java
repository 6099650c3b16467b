package io.seriatim.server;

import io.seriatim.eventlog.application.TrustLevel;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** Trust levels by their words: {@code verify-all}. */
final class TrustLevels {

    static final List<String> WORDS =
            Stream.of(TrustLevel.values()).map(TrustLevels::word).toList();

    private TrustLevels() {}

    static String word(TrustLevel level) {
        return level.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    static TrustLevel of(String word) {
        return Stream.of(TrustLevel.values())
                .filter(level -> word(level).equals(word))
                .findFirst()
                .orElseThrow();
    }
}
