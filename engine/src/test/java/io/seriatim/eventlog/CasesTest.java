package io.seriatim.eventlog;

import static org.assertj.core.api.Assertions.assertThat;

import io.seriatim.Repository;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The scenarios of sequencer.md, and where docs/testing.md says that each of them is run. */
final class CasesTest {

    private static final Pattern NUMBER = Pattern.compile("\\bS(\\d+)\\b");
    private static final Pattern NUMBERS = Pattern.compile("\\bS(\\d+)(?: to S(\\d+))?\\b");
    private static final Pattern ROW = Pattern.compile("(?m)^\\| (S\\d[^|]*)\\|([^|]*)\\|([^|]*)\\|$");
    private static final Pattern TEST = Pattern.compile("`(\\w+)`");

    private final Repository repository = Repository.here();

    private static Set<Integer> numbersOf(String list) {
        Set<Integer> numbers = new TreeSet<>();
        for (Matcher found = NUMBERS.matcher(list); found.find(); ) {
            int first = Integer.parseInt(found.group(1));
            int last = found.group(2) == null ? first : Integer.parseInt(found.group(2));
            for (int number = first; number <= last; number++) {
                numbers.add(number);
            }
        }
        return numbers;
    }

    private String source(String type) {
        return repository.files(type + ".java").stream()
                .filter(file -> file.endsWith(type + ".java"))
                .map(Repository::read)
                .findFirst()
                .orElseThrow();
    }

    private static boolean isIn(String source, int number) {
        return Pattern.compile("void s" + number + "[a-c]?_|\\bS" + number + "\\b")
                .matcher(source)
                .find();
    }

    @Test
    void cases_eachIsInTheTableOfThePage_andInEveryTestThatItsRowNames() {
        String cases = Repository.read(repository.file("engine/src/test/resources/io/seriatim/eventlog/sequencer.md"));
        Set<Integer> all = new TreeSet<>();
        NUMBER.matcher(cases).results().forEach(found -> all.add(Integer.parseInt(found.group(1))));
        Map<Integer, String> tests = new TreeMap<>();
        for (MatchResult row : ROW.matcher(Repository.read(repository.file("docs/testing.md")))
                .results()
                .toList()) {
            for (int number : numbersOf(row.group(1))) {
                if (all.contains(number)) {
                    tests.merge(number, row.group(2), String::concat);
                }
            }
        }
        assertThat(tests.keySet()).isEqualTo(all);
        tests.forEach((number, named) -> assertThat(TEST.matcher(named).results())
                .isNotEmpty()
                .allSatisfy(test -> assertThat(isIn(source(test.group(1)), number))
                        .as("S%d in %s", number, test.group(1))
                        .isTrue()));
    }
}
