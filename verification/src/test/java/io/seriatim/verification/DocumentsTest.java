package io.seriatim.verification;

import static org.assertj.core.api.Assertions.assertThat;

import io.seriatim.eventlog.SequencerSettings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The pages say what is so: their Java runs, and the tests they name are there. */
class DocumentsTest {

    private static final Path ROOT = root();
    private static final Pattern JAVA = Pattern.compile("(?ms)^```java\n(.*?)^```$");
    private static final Pattern SQL = Pattern.compile("(?ms)^```sql\n(.*?)^```$");
    private static final Pattern TEST_CLASS = Pattern.compile("`([A-Z]\\w+(?:Test|IT))`");
    private static final Pattern TEST = Pattern.compile("`([A-Z]\\w+)\\.(\\w+)`");
    private static final Pattern SETTING = Pattern.compile("(?m)^\\| (\\w+) \\| ([0-9,]+(?: ms)?) \\| ");
    private static final Pattern PROMISE = Pattern.compile("(?m)^\\*\\*(P\\d+)\\. ");

    @TempDir
    Path folder;

    @Test
    void start_javaExample_printsWhatThePageSays() throws Exception {
        String example = java("docs/start.md");

        assertThat(run(example)).isEqualTo("1, then 2 to 17\n");
        assertThat(run(example)).isEqualTo("18, then 19 to 34\n");
    }

    @Test
    void engineBuilders_javaExample_printsWhatThePageSays() throws Exception {
        String page = read("docs/engine-builders.md");
        String example = java("docs/engine-builders.md");
        String once = run(example);
        assertThat(once).isEqualTo("1 tea\n3 sugar\ncurrent value: 3\n");
        assertThat(page).contains("TinyEngine.java\n" + once).contains("TinyEngine.java\n" + run(example) + "```");
    }

    @Test
    void readme_javaExample_runs() throws Exception {
        run("""
                import io.seriatim.Sequence;
                import io.seriatim.SequenceDefinition;
                import io.seriatim.Sequences;
                import io.seriatim.rocksdb.RocksDbStore;
                import java.nio.file.Path;
                class Start {
                  public static void main(String[] arguments) {
                """ + java("README.md") + "}}");
    }

    @Test
    void eventLog_javaExample_isTheShopThatIsCompiledHere_andRuns() throws Exception {
        String shop = read("verification/src/test/java/io/seriatim/verification/Shop.java");
        String example = java("docs/event-log.md");

        assertThat(shop).isEqualTo("package io.seriatim.verification;\n\n" + example);
        assertThat(example.lines()).hasSizeLessThan(60);
        assertThat(run(example, "data", "3"))
                .containsPattern("^actualized: ReplayProgress\\[events=0, .*\\n")
                .endsWith("done=true]\n16: order 200008\n32: order 200016\n48: order 200024\n");
        assertThat(run(example, "data", "1")).contains("[events=0, ").endsWith("\n64: order 200032\n");
    }

    @Test
    void eventLog_service_isTheOneThatIsCompiledHere_andPrintsWhatThePageSays() throws Exception {
        String source = read("verification/src/test/java/io/seriatim/verification/ShopService.java");
        String page = read("docs/event-log.md");
        String example = JAVA.matcher(page).results().toList().get(1).group(1);

        assertThat(source).isEqualTo("package io.seriatim.verification;\n\n" + example);
        assertThat(page).contains("ShopService.java shop-service\n" + run(example, "shop-service"));
        assertThat(page).contains("ShopService.java shop-service\n" + run(example, "shop-service") + "```");
    }

    @Test
    void eventLog_settings_haveTheDefaultsOfThePage() throws IOException {
        SequencerSettings usual = SequencerSettings.usual();
        Map<String, String> defaults = new LinkedHashMap<>();
        SETTING.matcher(read("docs/event-log.md"))
                .results()
                .forEach(row -> defaults.put(row.group(1), row.group(2).replace(",", "")));
        assertThat(defaults)
                .containsExactly(
                        Map.entry("maxUnflushedValues", Integer.toString(usual.maxUnflushedValues())),
                        Map.entry("maxUnflushedEvents", Integer.toString(usual.maxUnflushedEvents())),
                        Map.entry("flushCount", Integer.toString(usual.flushCount())),
                        Map.entry("maxFlushingInterval", millis(usual.maxFlushingInterval())),
                        Map.entry("lruCacheSize", Integer.toString(usual.lruCacheSize())),
                        Map.entry("batcherDelay", millis(usual.batcherDelay())),
                        Map.entry("retry", millis(usual.retry())),
                        Map.entry("maxWait", millis(usual.maxWait())),
                        Map.entry("closeWait", millis(usual.closeWait())));
    }

    private static String millis(Duration time) {
        return time.toMillis() + " ms";
    }

    @Test
    void promises_eachNamesTestsThatAreThere() throws IOException {
        String[] promises = PROMISE.split(read("docs/promises.md"));
        for (int i = 1; i < promises.length; i++) {
            List<MatchResult> tests =
                    TEST.matcher(promises[i].split("\n#")[0]).results().toList();
            assertThat(tests).as("tests of P" + i).isNotEmpty();
            for (MatchResult test : tests) {
                assertThat(source(test.group(1) + ".java"))
                        .as("P%d names %s", i, test.group())
                        .contains("void " + test.group(2) + "(");
            }
            for (MatchResult test : TEST_CLASS.matcher(promises[i]).results().toList()) {
                assertThat(source(test.group(1) + ".java"))
                        .as("P%d names %s", i, test.group())
                        .isNotEmpty();
            }
        }
    }

    @Test
    void promises_areNumberedFromOne() throws IOException {
        List<String> numbers = PROMISE.matcher(read("docs/promises.md"))
                .results()
                .map(promise -> promise.group(1))
                .toList();
        for (int i = 0; i < numbers.size(); i++) {
            assertThat(numbers.get(i)).isEqualTo("P" + (i + 1));
        }
        assertThat(numbers).isNotEmpty();
    }

    @Test
    void storageFormats_tables_areThoseThatTheJarMakes() throws IOException {
        List<String> tables = SQL.matcher(read("docs/storage-formats.md"))
                .results()
                .flatMap(block -> Arrays.stream(block.group(1).split("\n\n")))
                .toList();
        assertThat(tables).hasSizeGreaterThanOrEqualTo(8);
        String script = read("postgresql/src/main/resources/io/seriatim/postgresql/V1.sql")
                + read("postgresql/src/main/resources/io/seriatim/postgresql/V2.sql");
        for (String table : tables) {
            assertThat(script).contains(table.strip());
        }
    }

    private static String java(String page) throws IOException {
        return JAVA.matcher(read(page))
                .results()
                .map(block -> block.group(1))
                .findFirst()
                .orElseThrow();
    }

    /** Runs a class in the test's folder as {@code java Start.java} does, and returns what it prints. */
    private String run(String source, String... arguments) throws IOException, InterruptedException {
        Files.writeString(folder.resolve("Start.java"), source);
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                "Start.java"));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectError(folder.resolve("errors.txt").toFile()) // newer JVMs warn of native access
                .start();
        try {
            process.getOutputStream().close();
            String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).as(printed).isTrue();
            String errors = Files.readString(folder.resolve("errors.txt"));
            assertThat(process.exitValue()).as(printed + errors).isZero();
            return printed;
        } finally {
            process.destroyForcibly();
        }
    }

    /** The texts of all sources with this file name. */
    private static String source(String fileName) throws IOException {
        List<Path> found = new ArrayList<>();
        try (Stream<Path> modules = Files.list(ROOT)) {
            for (Path module : modules.filter(path -> Files.exists(path.resolve("pom.xml")))
                    .toList()) {
                Path sources = module.resolve("src");
                if (Files.exists(sources)) {
                    try (Stream<Path> files = Files.walk(sources)) {
                        files.filter(file -> file.getFileName().toString().equals(fileName))
                                .forEach(found::add);
                    }
                }
            }
        }
        StringBuilder text = new StringBuilder();
        for (Path file : found) {
            text.append(Files.readString(file));
        }
        return text.toString();
    }

    /** The rights that a role needs to serve from PostgreSQL. */
    static List<String> grants() throws IOException {
        List<String> grants = read("docs/operating.md")
                .lines()
                .filter(line -> line.startsWith("GRANT "))
                .toList();
        assertThat(grants).as("grants of docs/operating.md").isNotEmpty();
        return grants;
    }

    private static String read(String page) throws IOException {
        return Files.readString(ROOT.resolve(page));
    }

    private static Path root() {
        Path folder = Path.of("").toAbsolutePath();
        while (folder != null && !Files.exists(folder.resolve(".mvn"))) {
            folder = folder.getParent();
        }
        if (folder == null) {
            throw new IllegalStateException("the tests must run inside the source tree");
        }
        return folder;
    }
}
