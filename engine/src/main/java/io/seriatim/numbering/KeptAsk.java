package io.seriatim.numbering;

import java.time.Instant;
import java.time.LocalDate;

/**
 * What decided the numbers of a request with a key: kept with the answer, so that a repetition prints them alike.
 *
 * @param ask with an instant or a business date
 * @param generation of the definition whose format printed them
 */
record KeptAsk(Ask ask, long generation) {

    static KeptAsk of(Ask ask, Instant now, long generation) {
        boolean decided = ask.at().isPresent() || ask.date().isPresent();
        return new KeptAsk(decided ? ask : ask.at(now), generation);
    }

    /** What makes a request the same one: not the instant, for a repetition comes later. */
    String request(Occasion occasion) {
        return occasion.scopeKey() + ask.date().map(date -> " on " + date).orElse("");
    }

    /** {@code 3 at 2026-07-09T10:11:12Z} or {@code 3 on 2026-07-09}. */
    String text() {
        return generation
                + ask.at()
                        .map(at -> " at " + at)
                        .or(() -> ask.date().map(date -> " on " + date))
                        .orElseThrow();
    }

    /** @param repeated of the repetition, whose scopes are those of the first */
    static KeptAsk parse(String text, Ask repeated) {
        String[] words = text.split(" ");
        Ask ask = words[1].equals("at") ? repeated.at(Instant.parse(words[2])) : repeated.on(LocalDate.parse(words[2]));
        return new KeptAsk(ask, Long.parseLong(words[0]));
    }
}
