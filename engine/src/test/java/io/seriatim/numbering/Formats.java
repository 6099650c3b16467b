package io.seriatim.numbering;

import io.seriatim.BadFormatException;
import io.seriatim.Contract;
import io.seriatim.ErrorCode;
import java.time.MonthDay;
import java.time.ZoneOffset;
import java.util.List;

/** Formats for tests. */
final class Formats {

    private Formats() {}

    static NumberFormat format(FormatDefinition definition) {
        return NumberFormat.of(definition, ValueRange.ascending(), Contract.ORDERED);
    }

    static NumberFormat format(String template) {
        return format(FormatDefinition.of(template));
    }

    /** The code and place of the error that a definition is refused with. */
    static String refusal(FormatDefinition definition) {
        return refusal(definition, ValueRange.ascending());
    }

    static String refusal(FormatDefinition definition, ValueRange values) {
        try {
            NumberFormat.of(definition, values, Contract.ORDERED);
            return "accepted";
        } catch (BadFormatException e) {
            String where = e.position().isPresent() ? "@" + e.position().getAsInt() : "";
            return e.code() + " " + e.option() + where;
        }
    }

    static String refusal(String template) {
        return refusal(FormatDefinition.of(template));
    }

    static ErrorCode codeOf(Runnable call) {
        try {
            call.run();
        } catch (io.seriatim.SequenceException e) {
            return e.code();
        }
        throw new AssertionError("the call was not refused");
    }

    /** A template's layout, whatever the checks would say. */
    static Layout unchecked(String template, Reset reset, String fiscalStart, Scope... scopes) {
        return new Layout(
                TemplateParser.parse(template),
                List.of(scopes).stream().map(ScopeRule::of).toList(),
                new PeriodRule(reset, MonthDay.parse("--" + fiscalStart)),
                ZoneOffset.UTC,
                ValueRange.ascending());
    }
}
