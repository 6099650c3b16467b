package io.seriatim;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** One word, one thing: the words and names that docs/vocabulary.md and the house style rule out. */
class VocabularyTest {

    private static final String VOCABULARY = "docs/vocabulary.md";

    private static final Pattern ENTRY = Pattern.compile("- ([^:]+)(?:: (.+))?");
    private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9]*");
    private static final Pattern CAMEL_CASE = Pattern.compile("(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])");
    private static final Pattern PHRASE_GOES_ON = Pattern.compile("[\\s*/_>-]*");

    /** Package names of others are no words of ours; their types are, until listed. */
    private static final Pattern OTHERS_PACKAGE =
            Pattern.compile("(?m)(?<=^import (?:static )?)(?!io\\.seriatim)[a-z][\\w.]*(?=\\.[A-Z])");

    private static final Pattern TYPE = Pattern.compile("\\b(?:class|interface|record|enum) ([A-Z]\\w*)");
    private static final Pattern EMPTY_TYPE_NAME =
            Pattern.compile("(?:Default|Abstract|Manager|Helper|Impl|Util|Utils)(?![a-z])|^I(?=[A-Z][a-z])");
    private static final Pattern PACKAGE = Pattern.compile("(?m)^package ([\\w.]+);");
    private static final Set<String> EMPTY_PACKAGE_NAMES =
            Set.of("core", "common", "util", "utils", "impl", "internal", "misc", "helper");

    private final Repository repository = Repository.here();

    @Test
    void sources_sayOneWordForOneThing() {
        String vocabulary = Repository.read(repository.file(VOCABULARY));
        Map<String, String> banned = entries(vocabulary, "Banned words");
        Set<String> othersNames = entries(vocabulary, "Names of others").keySet();
        assertThat(banned).as("banned words in " + VOCABULARY).isNotEmpty();

        List<String> findings = new ArrayList<>();
        for (Path file : repository.files(".java", ".md")) {
            if (!file.equals(repository.file(VOCABULARY))) {
                String text = OTHERS_PACKAGE.matcher(Repository.read(file)).replaceAll("");
                findings.addAll(findings(repository.nameOf(file), text, banned, othersNames));
            }
        }
        assertThat(findings).as("words that " + VOCABULARY + " bans").isEmpty();
    }

    @Test
    void typeNames_sayWhatMakesThemDifferent() {
        List<String> findings = new ArrayList<>();
        for (Path file : repository.files(".java")) {
            Matcher type = TYPE.matcher(Repository.read(file));
            while (type.find()) {
                if (EMPTY_TYPE_NAME.matcher(type.group(1)).find()) {
                    findings.add(repository.nameOf(file) + ": " + type.group(1));
                }
            }
        }
        assertThat(findings)
                .as("type names with Default, Abstract, Manager, Helper, Impl, Util or a leading I")
                .isEmpty();
    }

    @Test
    void packageNames_sayWhatIsInThem() {
        List<String> findings = new ArrayList<>();
        for (Path file : repository.files(".java")) {
            Matcher declaration = PACKAGE.matcher(Repository.read(file));
            while (declaration.find()) {
                for (String part : declaration.group(1).split("\\.")) {
                    if (EMPTY_PACKAGE_NAMES.contains(part)) {
                        findings.add(repository.nameOf(file) + ": " + declaration.group(1));
                    }
                }
            }
        }
        assertThat(findings)
                .as("packages named " + new TreeSet<>(EMPTY_PACKAGE_NAMES))
                .isEmpty();
    }

    @Test
    void search_findsWordsInTextIdentifiersAndOverLineEnds() {
        Map<String, String> banned = Map.of("round thing", "ball", "brick", "stone");
        String source = """
                /** The round
                 * things. */
                long roundThing = ROUND_THING; // round, thing
                long bricks, bricklayer, theirBrick;
                """;

        assertThat(findings("A.java", source, banned, Set.of("theirBrick")))
                .containsExactly(
                        "A.java:1: 'round thing', say: ball",
                        "A.java:3: 'round thing', say: ball",
                        "A.java:3: 'round thing', say: ball",
                        "A.java:4: 'brick', say: stone");
    }

    /** The lines {@code - word: what to say} of a section, in their order. */
    private static Map<String, String> entries(String page, String section) {
        Map<String, String> entries = new LinkedHashMap<>();
        boolean inside = false;
        for (String line : page.split("\n")) {
            if (line.startsWith("#")) {
                inside = line.equals("## " + section);
            }
            Matcher entry = ENTRY.matcher(line.strip());
            if (inside && entry.matches()) {
                entries.put(entry.group(1), entry.group(2) == null ? "" : entry.group(2));
            }
        }
        return entries;
    }

    private static List<String> findings(
            String file, String text, Map<String, String> banned, Set<String> othersNames) {
        List<Word> words = words(text, othersNames);
        List<String> findings = new ArrayList<>();
        for (int at = 0; at < words.size(); at++) {
            for (Map.Entry<String, String> entry : banned.entrySet()) {
                if (startsWith(words.subList(at, words.size()), entry.getKey().split(" "))) {
                    findings.add(
                            file + ":" + words.get(at).line() + ": '" + entry.getKey() + "', say: " + entry.getValue());
                }
            }
        }
        return findings;
    }

    private static boolean startsWith(List<Word> words, String[] phrase) {
        if (words.size() < phrase.length) {
            return false;
        }
        for (int i = 0; i < phrase.length; i++) {
            Word word = words.get(i);
            boolean last = i == phrase.length - 1;
            boolean same = word.text().equals(phrase[i]) || last && word.text().equals(phrase[i] + "s");
            if (!same || i > 0 && !word.goesOn()) {
                return false;
            }
        }
        return true;
    }

    /**
     * A word of a text or of an identifier.
     *
     * @param goesOn whether nothing but space, a line's end or the joints of an identifier lie before it
     */
    private record Word(String text, int line, boolean goesOn) {}

    private static List<Word> words(String text, Set<String> othersNames) {
        List<Word> words = new ArrayList<>();
        Matcher name = NAME.matcher(text);
        int end = 0;
        int line = 1;
        while (name.find()) {
            String between = text.substring(end, name.start());
            line += Math.toIntExact(between.chars().filter(c -> c == '\n').count());
            end = name.end();
            if (othersNames.contains(name.group())) {
                continue;
            }
            boolean goesOn = PHRASE_GOES_ON.matcher(between).matches();
            for (String word : CAMEL_CASE.split(name.group())) {
                words.add(new Word(word.toLowerCase(Locale.ROOT), line, goesOn));
                goesOn = true;
            }
        }
        return words;
    }
}
