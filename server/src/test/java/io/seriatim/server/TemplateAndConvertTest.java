package io.seriatim.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.seriatim.Sequences;
import io.seriatim.memory.MemoryCounterStore;
import io.seriatim.server.CommandLineTest.Said;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The commands that need no store: {@code template} and {@code convert}. */
class TemplateAndConvertTest {

    private static final String AT = "2026-07-09T10:11:12Z";

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    private static Said run(String... arguments) {
        return CommandLineTest.run(Map.of(), arguments);
    }

    // ---- template

    @Test
    void template_good_showsPartsAndNumbers() {
        Said said = run("template", "ORDER{date:yyyy-MMdd}-{seq:5!}", "--reset", "daily", "--start=0", "--at", AT);
        assertThat(said.err()).isEmpty();
        assertThat(said.exitCode()).isZero();
        assertThat(said.out().lines().map(String::stripTrailing))
                .containsExactly(
                        "position  part              prints                       longest",
                        "0         ORDER             itself                       5",
                        "5         {date:yyyy-MMdd}  the date                     9",
                        "21        -                 itself                       1",
                        "22        {seq:5!}          the value, exactly 5 digits  5",
                        "",
                        "longest        20 characters",
                        "first          ORDER2026-0709-00000",
                        "999th          ORDER2026-0709-00998",
                        "last           ORDER2026-0709-99999",
                        "in 2026-07-10  ORDER2026-0710-00000",
                        "in 2026-07-10  ORDER2026-0710-00001",
                        "in 2026-07-10  ORDER2026-0710-00002");
    }

    @Test
    void template_asJson_saysTheSame() {
        Said said = run("template", "-{scope:store}/{seq}", "--scope", "store:3", "--max", "500", "--json");
        JsonNode json = JsonMapper.shared().readTree(said.out());
        assertThat(json.path("parts")).hasSize(4);
        assertThat(json.path("parts").path(1).path("position").asInt()).isEqualTo(1);
        assertThat(json.path("parts").path(1).path("text").asString()).isEqualTo("{scope:store}");
        assertThat(json.path("longest").asInt()).isEqualTo(8);
        assertThat(json.path("scope").path("store").asString()).isEqualTo("A");
        assertThat(json.path("number999").isNull()).as("there are 500").isTrue();
        assertThat(json.path("last").path("text").asString()).isEqualTo("-A/500");
        assertThat(json.path("nextPeriod")).as("it never starts again").isEmpty();
    }

    @Test
    void template_bad_pointsAtThePlace() {
        Said said = run("template", "INV-{yaer}-{seq}");
        assertThat(said.exitCode()).isEqualTo(ExitCode.BAD_REQUEST);
        assertThat(said.out()).isEmpty();
        assertThat(said.err()).isEqualTo("""
                        seriatim: UNKNOWN_FIELD: there is no field yaer
                          INV-{yaer}-{seq}
                              ^
                        """);
        JsonNode json = JsonMapper.shared()
                .readTree(run("template", "INV-{yaer}-{seq}", "--json").out());
        assertThat(json.path("code").asString()).isEqualTo("UNKNOWN_FIELD");
        assertThat(json.path("position").asInt()).isEqualTo(4);
    }

    /** A position counts code points, the mark columns: wide characters have two, combining ones none. */
    @ParameterizedTest
    @ValueSource(strings = {"注文", "😀😀", "abcd", "e\u0301a\u0308bc", "ＡＢ", "한글"})
    void template_marks_underTheColumn(String before) {
        assertThat(run("template", before + "{x}").err().lines().toList().get(2))
                .isEqualTo("      ^");
    }

    @Test
    void template_whatHasNoPlace_isNotPointedAt() {
        assertThat(run("template", "{seq}", "--zone", "Nowhere").err())
                .startsWith("seriatim: BAD_ZONE")
                .hasLineCount(1);
        assertThat(run("template", "{seq}", "--at", "now").err()).contains("BAD_REQUEST", "at must be");
        assertThat(run("template", "{seq}\t").err()).contains("CONTROL_CHAR").contains("  {seq}?\n       ^");
        assertThat(run("template").err()).contains("TEXT");
    }

    // ---- convert

    /** What is printed defines a sequence that hands out the numbers which were printed. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "virto|CO{0:yyMMdd}-{1:D5}@Weekly:1:10",
                "virto|-{0:yyyy} 'n {{it}} {1:X4}@Yearly:20",
                "virto|{0}{1}-{2}|--object-type|VirtoCommerce.Order",
                "virto|{2}-{0:yyMMdd}-{1:D5}|--scope|tenant:1:upper:[A-Z_-]",
                "odoo|INV/%(range_year)s/|--padding|5|--suffix|/%(month)s",
                "odoo|INV/%(range_y)s/|--fiscal-start|04-01|--zone|Asia/Kolkata",
                "odoo|INV/2026/07/0001",
                "frappe|.{customer}.-.YYYY.-.####",
                "dolibarr|FA{yy}{mm}-{0000+100@9}"
            })
    void convert_definition_handsOutTheNumbersShown(String words) throws Exception {
        List<String> arguments = new ArrayList<>(List.of("convert"));
        arguments.addAll(List.of(words.split("\\|")));
        arguments.addAll(List.of("--at", AT, "--name", "a"));
        Said said = run(arguments.toArray(String[]::new));
        assertThat(said.exitCode()).as(said.err()).isZero();
        List<String> lines = said.out().lines().toList();
        assertThat(lines).hasSize(11);

        Map<String, String> onFolder =
                Map.of("SERIATIM_DATA", folder.resolve("data").toString());
        Said defined = CommandLineTest.run(onFolder, asShellReads(lines.get(0)));
        assertThat(defined.exitCode()).as(defined.err()).isZero();
        List<String> next = new ArrayList<>(List.of("next", "a", "-n", "10", "--at", AT));
        if (words.contains("{customer}")) {
            next.addAll(List.of("--scope", "customer=A"));
        } else if (words.contains("tenant")) {
            next.addAll(List.of("--scope", "tenant=A"));
        }
        assertThat(CommandLineTest.run(onFolder, next.toArray(String[]::new))
                        .out()
                        .lines())
                .containsExactlyElementsOf(lines.subList(1, 11));

        arguments.add("--json");
        JsonNode json = JsonMapper.shared()
                .readTree(run(arguments.toArray(String[]::new)).out());
        assertThat(json.path("numbers").path(9).path("text").asString()).isEqualTo(lines.get(10));
        assertThat(put(json.path("definition").toString())).isEqualTo(201);
    }

    /** The words behind the command's name, as a shell takes them apart. */
    private static String[] asShellReads(String line) throws IOException, InterruptedException {
        Process shell = new ProcessBuilder("sh", "-c", "seriatim() { printf '%s\\n' \"$@\"; }; " + line).start();
        String words = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(shell.waitFor()).isZero();
        return words.lines().toArray(String[]::new);
    }

    private static int put(String definition) throws IOException, InterruptedException {
        try (Sequences sequences = Sequences.on(new MemoryCounterStore());
                HttpServer server =
                        HttpServer.start(sequences, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
            HttpRequest request = HttpRequest.newBuilder(URI.create(server.uri() + "/v1/sequences/a"))
                    .PUT(HttpRequest.BodyPublishers.ofString(definition))
                    .build();
            return HttpClient.newHttpClient()
                    .send(request, HttpResponse.BodyHandlers.ofString())
                    .statusCode();
        }
    }

    @Test
    void convert_whatCannotBeCarriedOver_isToldPartByPart() {
        Said said = run("convert", "odoo", "№/%(woy)s/%(weekday)s/");
        assertThat(said.exitCode()).isEqualTo(ExitCode.BAD_REQUEST);
        assertThat(said.out()).isEmpty();
        assertThat(said.err().lines().filter(line -> line.startsWith("seriatim")))
                .hasSize(2)
                .allMatch(line -> line.startsWith("seriatim: NOT_PRINTED: %("));
        assertThat(said.err()).contains("  №/%(woy)s/%(weekday)s/\n            ^");

        JsonNode json = JsonMapper.shared()
                .readTree(run("convert", "virto", "PO{1:D5}", "--json").out());
        assertThat(json.path("obstacles").path(0).path("reason").asString()).isEqualTo("REFUSED");
        assertThat(json.path("obstacles").path(0).path("why").asString()).startsWith("PERIOD_NOT_RENDERED: ");
    }

    private static final String SILENT = " > /dev/null";

    /** The walk-through of docs/numbering.md, command by command; where it says so, with what convert has printed. */
    @Test
    void page_walkThrough_printsWhatThePageSays() throws Exception {
        Map<String, String> onFolder =
                Map.of("SERIATIM_DATA", folder.resolve("data").toString());
        String page = Files.readString(Path.of("..", "docs", "numbering.md"));
        String walkThrough = page.substring(page.indexOf("## From the command line"), page.indexOf("## Counters"));
        List<String> printed = new ArrayList<>();
        for (String block : walkThrough.split("```console\n", -1)) {
            for (String example : block.split("```", -1)[0].split("(?m)^\\$ ", -1)) {
                if (!example.startsWith("./seriatim ")) {
                    continue;
                }
                String command = example.lines().findFirst().orElseThrow().replace("./seriatim", "seriatim");
                boolean silent = command.endsWith(SILENT);
                Said said = CommandLineTest.run(onFolder, asShellReads(command.replace(SILENT, "")));
                if (silent) {
                    assertThat(said.exitCode()).as(command).isZero();
                    continue;
                }
                String all = (said.out() + said.err())
                        .lines()
                        .map(String::stripTrailing)
                        .collect(Collectors.joining("\n"));
                assertThat(all)
                        .as(command)
                        .isEqualTo(example.lines()
                                .skip(1)
                                .collect(Collectors.joining("\n"))
                                .strip());
                if (command.startsWith("seriatim convert")) {
                    String define = said.out().lines().findFirst().orElseThrow();
                    assertThat(CommandLineTest.run(onFolder, asShellReads(define))
                                    .exitCode())
                            .isZero();
                }
                printed.add(command);
            }
        }
        assertThat(printed).hasSize(9);
    }

    @Test
    void convert_badUsage_isTold() {
        assertThat(run("convert").exitCode()).isEqualTo(ExitCode.BAD_REQUEST);
        assertThat(run("convert", "virto", "{1}", "--counter-length", "4").err())
                .contains("--object-type");
        assertThat(run("convert", "virto", "{2}", "--scope", "tenant:x").err()).contains("BAD_REQUEST", "max");
        assertThat(run("convert", "odoo", "INV", "--start", "x").err()).contains("BAD_REQUEST", "--start");
        assertThat(run("convert", "odoo", "INV", "--date-ranges", "hourly").err())
                .contains("--date-ranges");
        assertThat(run("convert", "virto", "{0:yyMMdd}{1}", "--zone", "Nowhere").err())
                .contains("REFUSED", "BAD_ZONE");
        for (String command : List.of("template {year:2}-{seq}", "convert virto {0:yyMMdd}-{1}")) {
            Said said = run((command + " --at 2150-01-01T00:00:00Z").split(" "));
            assertThat(said.exitCode()).isEqualTo(ExitCode.BAD_REQUEST);
            assertThat(said.err()).contains("DATE_OUT_OF_RANGE");
        }
    }
}
