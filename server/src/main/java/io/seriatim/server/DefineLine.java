package io.seriatim.server;

import io.seriatim.SequenceDefinition;
import io.seriatim.numbering.FormatDefinition;
import io.seriatim.numbering.LetterCase;
import io.seriatim.numbering.Reset;
import io.seriatim.numbering.Scope;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** A definition as the words of the command {@code define}, and as the body of PUT: what is not at its default. */
record DefineLine(String name, SequenceDefinition values, FormatDefinition format) {

    private static final Pattern PLAIN_WORD = Pattern.compile("[A-Za-z0-9_.,:/=@%+-]+");

    /** The words behind {@code seriatim}. */
    List<String> words() {
        List<String> words = new ArrayList<>(List.of("define", name));
        Map<String, String> options = values.options();
        for (String option : SequenceDefinition.optionNames()) {
            if (options.containsKey(option)) {
                words.addAll(List.of("--" + option, options.get(option)));
            }
        }
        boolean likeAFlag = format.template().startsWith("-");
        words.addAll(likeAFlag ? List.of("--template=" + format.template()) : List.of("--template", format.template()));
        add(words, "--reset", format.reset(), Reset.NEVER.text());
        add(words, "--zone", format.zone(), "UTC");
        format.fiscalStart().ifPresent(day -> words.addAll(List.of("--fiscal-start", day)));
        for (Scope scope : format.scopes()) {
            words.addAll(List.of("--scope", word(scope)));
        }
        return words;
    }

    private static void add(List<String> words, String flag, String value, String usual) {
        if (!value.equals(usual)) {
            words.addAll(List.of(flag, value));
        }
    }

    private static String word(Scope scope) {
        return scope.name() + ":" + scope.max() + (scope.fixed() ? ":fixed" : "")
                + (scope.letterCase() == LetterCase.UPPER ? ":upper" : "")
                + (scope.alphabet().equals(Scope.ANY_ALPHABET) ? "" : ":" + scope.alphabet());
    }

    /** The words as a shell takes them. */
    String text() {
        StringBuilder line = new StringBuilder("seriatim");
        for (String word : words()) {
            line.append(' ').append(PLAIN_WORD.matcher(word).matches() ? word : quoted(word));
        }
        return line.toString();
    }

    private static String quoted(String word) {
        return "'" + word.replace("'", "'\\''") + "'";
    }

    /** The body of PUT. */
    Body body() {
        Body body = new Body();
        Map<String, String> options = values.options();
        for (String option : SequenceDefinition.optionNames()) {
            body.put(option, options.get(option));
        }
        return body.put("format", formatBody());
    }

    private Body formatBody() {
        Body body = new Body().put("template", format.template());
        if (!format.reset().equals(Reset.NEVER.text())) {
            body.put("reset", format.reset());
        }
        if (!format.zone().equals("UTC")) {
            body.put("zone", format.zone());
        }
        format.fiscalStart().ifPresent(day -> body.put("fiscalStart", day));
        return format.scopes().isEmpty()
                ? body
                : body.put(
                        "scopes", format.scopes().stream().map(DefineLine::body).toList());
    }

    private static Body body(Scope scope) {
        Body body = new Body().put("name", scope.name()).put("max", Integer.toString(scope.max()));
        if (scope.fixed()) {
            body.put("fixed", true);
        }
        if (!scope.alphabet().equals(Scope.ANY_ALPHABET)) {
            body.put("alphabet", scope.alphabet());
        }
        return scope.letterCase() == LetterCase.EXACT
                ? body
                : body.put("case", scope.letterCase().text());
    }
}
