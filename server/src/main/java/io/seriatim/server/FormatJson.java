package io.seriatim.server;

import io.seriatim.ErrorCode;
import io.seriatim.numbering.FormatDefinition;
import io.seriatim.numbering.LetterCase;
import io.seriatim.numbering.Reset;
import io.seriatim.numbering.Scope;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;
import tools.jackson.core.JsonGenerator;

/** Formats as JSON: the object {@code format} of a definition. */
final class FormatJson {

    private static final List<String> OPTIONS = List.of(
            "template",
            "reset",
            "zone",
            "fiscalStart",
            "scopes",
            "maxLength",
            "charset",
            "allowRepeats",
            "monotonicPeriod",
            "policy",
            "reservationSeconds");

    private static final List<String> OPTIONS_OF_A_SCOPE = List.of("name", "max", "fixed", "alphabet", "case");

    private static final String USUAL_ZONE = "UTC";

    private FormatJson() {}

    // ---- reading

    /** A new format, which has a template at least. */
    static FormatDefinition read(Fields format) {
        String template = template(format);
        return merged(FormatDefinition.of(template), format);
    }

    /** A format with the options that are given, RFC 7396: null wishes an option back to its default. */
    static FormatDefinition merged(FormatDefinition present, Fields format) {
        format.only(OPTIONS);
        return new FormatDefinition(
                format.has("template") ? template(format) : present.template(),
                given(format, "reset", present.reset(), Reset.NEVER.text(), name -> text(format, name)),
                given(format, "zone", present.zone(), USUAL_ZONE, name -> text(format, name)),
                given(format, "fiscalStart", present.fiscalStart(), Optional.empty(), format::text),
                given(format, "scopes", present.scopes(), List.of(), name -> scopes(format)),
                given(
                        format,
                        "maxLength",
                        present.maxLength(),
                        FormatDefinition.USUAL_MAX_LENGTH,
                        name -> number(format, name)),
                given(format, "charset", present.charset(), Optional.empty(), format::text),
                given(format, "allowRepeats", present.allowRepeats(), false, name -> flag(format, name)),
                given(format, "monotonicPeriod", present.monotonicPeriod(), false, name -> flag(format, name)),
                given(format, "policy", present.policy(), Optional.empty(), format::text),
                given(
                        format,
                        "reservationSeconds",
                        present.reservationSeconds(),
                        OptionalInt.empty(),
                        name -> OptionalInt.of(number(format, name))));
    }

    private static <T> T given(Fields fields, String option, T present, T usual, Function<String, T> read) {
        if (!fields.has(option)) {
            return present;
        }
        return fields.isNull(option) ? usual : read.apply(option);
    }

    /** Characters that print nothing are left to the check of the template, which says where they are. */
    private static String template(Fields format) {
        if (!format.has("template") || format.isNull("template")) {
            throw format.required("template");
        }
        return format.anyText("template").orElseThrow();
    }

    private static String text(Fields fields, String option) {
        return fields.text(option).orElseThrow();
    }

    private static boolean flag(Fields fields, String option) {
        return fields.flag(option).orElseThrow();
    }

    private static int number(Fields fields, String option) {
        return Math.toIntExact(fields.integer(option, 0, Integer.MIN_VALUE, Integer.MAX_VALUE));
    }

    private static List<Scope> scopes(Fields format) {
        List<Scope> scopes = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (Fields fields : format.objects("scopes").orElseThrow()) {
            Scope scope = scope(fields);
            if (!names.add(scope.name())) {
                throw fields.refused("name", "there are two scopes of this name");
            }
            scopes.add(scope);
        }
        return scopes;
    }

    /** A scope's declaration. */
    static Scope scope(Fields fields) {
        fields.only(OPTIONS_OF_A_SCOPE);
        String name = fields.text("name").orElseThrow(() -> fields.required("name"));
        if (!fields.has("max")) {
            throw fields.required("max");
        }
        return new Scope(
                name,
                number(fields, "max"),
                given(fields, "fixed", false, false, option -> flag(fields, option)),
                given(fields, "alphabet", Scope.ANY_ALPHABET, Scope.ANY_ALPHABET, option -> text(fields, option)),
                given(fields, "case", LetterCase.EXACT, LetterCase.EXACT, option -> letterCase(fields)));
    }

    private static LetterCase letterCase(Fields fields) {
        String text = text(fields, "case");
        for (LetterCase letterCase : LetterCase.values()) {
            if (letterCase.text().equals(text)) {
                return letterCase;
            }
        }
        throw new Refusal(Problem.badOption(
                ErrorCode.BAD_OPTION,
                fields.path("case"),
                "case must be \"exact\" or \"upper\": case=" + Integers.shown(text)));
    }

    // ---- writing

    /** Writes a format with every option. */
    static void write(JsonGenerator out, FormatDefinition format) {
        out.writeObjectPropertyStart("format");
        out.writeStringProperty("template", format.template());
        out.writeStringProperty("reset", format.reset());
        out.writeStringProperty("zone", format.zone());
        Json.text(out, "fiscalStart", format.fiscalStart());
        out.writeArrayPropertyStart("scopes");
        for (Scope scope : format.scopes()) {
            out.writeStartObject();
            out.writeStringProperty("name", scope.name());
            out.writeNumberProperty("max", scope.max());
            out.writeBooleanProperty("fixed", scope.fixed());
            out.writeStringProperty("alphabet", scope.alphabet());
            out.writeStringProperty("case", scope.letterCase().text());
            out.writeEndObject();
        }
        out.writeEndArray();
        out.writeNumberProperty("maxLength", format.maxLength());
        Json.text(out, "charset", format.charset());
        out.writeBooleanProperty("allowRepeats", format.allowRepeats());
        out.writeBooleanProperty("monotonicPeriod", format.monotonicPeriod());
        Json.text(out, "policy", format.policy());
        if (format.reservationSeconds().isPresent()) {
            out.writeNumberProperty(
                    "reservationSeconds", format.reservationSeconds().getAsInt());
        } else {
            out.writeNullProperty("reservationSeconds");
        }
        out.writeEndObject();
    }
}
