package io.seriatim.server;

import io.seriatim.ErrorCode;
import io.seriatim.numbering.FormatDefinition;
import io.seriatim.numbering.NumberCounter;
import io.seriatim.numbering.NumberSequence;
import io.seriatim.numbering.Reset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Which counter of a sequence with a format a call is about; empty where the call does not say. */
record WantedCounter(Optional<String> period, Optional<Map<String, String>> scope) {

    static final String PERIOD = "period";

    /** Stands for no period where a key has to stand, as in lists. */
    static final String NO_PERIOD = "-";

    WantedCounter {
        period = period.map(key -> key.equals(NO_PERIOD) ? "" : key);
    }

    static WantedCounter in(Fields fields) {
        return new WantedCounter(
                fields.text(PERIOD), fields.object(AskJson.SCOPE).map(Fields::anyTexts));
    }

    static WantedCounter in(Query query) {
        return new WantedCounter(
                query.text(PERIOD),
                Optional.of(query.behind(AskJson.SCOPE_IN_QUERY)).filter(scope -> !scope.isEmpty()));
    }

    /** A counter to see or to close; also one of a period that an earlier format of the sequence had. */
    NumberCounter of(NumberSequence printing) {
        String key = key(printing);
        if (!printing.hasPeriod(key)) {
            throw noSuchPeriod(key);
        }
        return printing.numberCounter(key, scope.orElse(Map.of()));
    }

    /** A counter that prints numbers by the format as it is now. */
    NumberCounter inUse(NumberSequence printing) {
        String key = key(printing);
        if (printing.format().period(key).isEmpty()) {
            throw noSuchPeriod(key);
        }
        return printing.numberCounter(key, scope.orElse(Map.of()));
    }

    /** Refuses a call that leaves out what the format has counters by, so that none is meant by chance. */
    private String key(NumberSequence printing) {
        FormatDefinition format = printing.format().definition();
        if (!format.reset().equals(Reset.NEVER.text()) && period.isEmpty()) {
            throw required(PERIOD);
        }
        if (!format.scopes().isEmpty() && scope.isEmpty()) {
            throw required(AskJson.SCOPE);
        }
        return period.orElse("");
    }

    private static Refusal noSuchPeriod(String key) {
        return new Refusal(Problem.badOption(
                ErrorCode.DATE_OUT_OF_RANGE, PERIOD, "there is no such period: period=" + Integers.shown(key)));
    }

    private static Refusal required(String name) {
        return new Refusal(Problem.badOption(
                ErrorCode.BAD_REQUEST, name, name + " is required: the format has a counter for each"));
    }

    /** The parameters of a query that says it, and others. */
    static Query query(Call call, String... more) {
        List<String> known = new ArrayList<>(List.of(more));
        known.add(PERIOD);
        return Query.of(call, known, AskJson.SCOPE_IN_QUERY);
    }
}
