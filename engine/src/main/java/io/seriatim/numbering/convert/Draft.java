package io.seriatim.numbering.convert;

import io.seriatim.BadDefinitionException;
import io.seriatim.BadFormatException;
import io.seriatim.ErrorCode;
import io.seriatim.SequenceDefinition;
import io.seriatim.numbering.FormatDefinition;
import io.seriatim.numbering.NumberFormat;
import io.seriatim.numbering.Numbering;
import io.seriatim.numbering.Reset;
import io.seriatim.numbering.Scope;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Map.Entry;
import java.util.NavigableMap;
import java.util.OptionalInt;
import java.util.TreeMap;

/** A definition in the making: each piece remembers which part of the other product's text it comes from. */
final class Draft {

    private static final int GREATEST_WIDTH = 18;

    private final Given given;
    private final Place all;
    private final StringBuilder template = new StringBuilder();
    /** By position in the template. */
    private final NavigableMap<Integer, Place> places = new TreeMap<>();
    /** By the name of the option that a part decides. */
    private final Map<String, Place> decided = new HashMap<>();

    private final Map<String, Scope> scopes = new TreeMap<>();
    private final List<Obstacle> obstacles = new ArrayList<>();
    private final List<Remark> remarks = new ArrayList<>();
    private SequenceDefinition values = SequenceDefinition.ascending();
    private Reset reset = Reset.NEVER;

    /**
     * An empty one.
     *
     * @param all what stands for the whole where no part is meant
     */
    Draft(Given given, Place all) {
        this.given = given;
        this.all = all;
    }

    Given given() {
        return given;
    }

    void literal(String text, Place place) {
        add(text.replace("{", "{{").replace("}", "}}"), place);
    }

    /** Adds a field as it is written in our templates. */
    void field(String field, Place place) {
        add(field, place);
    }

    private void add(String text, Place place) {
        if (!text.isEmpty()) {
            places.put(template.codePointCount(0, template.length()), place);
            template.append(text);
        }
    }

    /** Adds the value with a least width, or an exact one. */
    void counter(int width, String more, Place place) {
        if (width > GREATEST_WIDTH) {
            obstacle(
                    Obstacle.Reason.OUT_OF_RANGE,
                    place,
                    "a value has at most " + GREATEST_WIDTH + " digits of padding: " + width);
        } else if (width <= 1 && more.isEmpty()) {
            field("{seq}", place);
        } else {
            field("{seq:" + Math.max(1, width) + more + "}", place);
        }
    }

    /** Adds a scope, declared as it was given, or else as it is assumed. */
    void scope(Scope assumed, Place place) {
        Scope declared = given.scope(assumed.name()).orElse(assumed);
        if (scopes.put(assumed.name(), declared) == null && declared.equals(assumed)) {
            remark(
                    Remark.Kind.ASSUMED,
                    place,
                    "values of scope " + assumed.name() + " have " + (assumed.fixed() ? "exactly " : "at most ")
                            + assumed.max() + " characters of " + assumed.alphabet()
                            + "; declare the scope to say otherwise");
        }
        field("{scope:" + assumed.name() + "}", place);
    }

    void reset(Reset often, Place place) {
        reset = often;
        decided.put("reset", place);
    }

    /** Sets an option of the values. */
    void value(String option, String text, Place place) {
        decided.put(option, place);
        try {
            values = values.with(option, text);
        } catch (BadDefinitionException e) {
            refused(e.code(), place, String.valueOf(e.getMessage()));
        }
    }

    void obstacle(Obstacle.Reason reason, Place place, String why) {
        obstacles.add(new Obstacle(reason, place, why));
    }

    void remark(Remark.Kind kind, Place place, String what) {
        remarks.add(new Remark(kind, place, what));
    }

    /** The definition, if nothing stands in its way and our own rules accept it. */
    Conversion finish() {
        FormatDefinition format = FormatDefinition.of(template.toString()).reset(reset);
        if (given.zone().isPresent()) {
            format = format.zone(given.zone().get());
        }
        if (given.fiscalStart().isPresent() && usesFiscalYears()) {
            format = format.fiscalStart(given.fiscalStart().get());
        }
        for (Scope scope : scopes.values()) {
            format = format.scope(scope);
        }
        if (obstacles.isEmpty()) {
            checkRules(format);
        }
        return obstacles.isEmpty()
                ? new Conversion.Converted(values, format, remarks)
                : new Conversion.NotConverted(obstacles);
    }

    private boolean usesFiscalYears() {
        return reset == Reset.FISCAL || template.indexOf("{fystart") >= 0 || template.indexOf("{fyend") >= 0;
    }

    private void checkRules(FormatDefinition format) {
        try {
            NumberFormat unused = Numbering.formatOf(values, format);
        } catch (BadFormatException e) {
            refused(e.code(), placeOf(e.option(), e.position()), String.valueOf(e.getMessage()));
        } catch (BadDefinitionException e) {
            refused(e.code(), placeOf(e.option(), OptionalInt.empty()), String.valueOf(e.getMessage()));
        }
    }

    private void refused(ErrorCode code, Place place, String message) {
        obstacle(Obstacle.Reason.REFUSED, place, code + ": " + message);
    }

    /** A rule about the whole template is reported at its beginning; what decides the period is then to blame. */
    private Place placeOf(String option, OptionalInt position) {
        if (option.equals("template") && position.orElse(0) > 0) {
            Entry<Integer, Place> from = places.floorEntry(position.getAsInt());
            return from == null ? all : from.getValue();
        }
        return decided.getOrDefault(option, all);
    }
}
