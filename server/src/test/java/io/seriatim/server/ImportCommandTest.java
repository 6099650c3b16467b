package io.seriatim.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.seriatim.server.CommandLineTest.Said;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Numbers that were used before, from a file into a folder. */
class ImportCommandTest {

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    private Said run(String... arguments) {
        return CommandLineTest.run(
                Map.of("SERIATIM_DATA", folder.resolve("data").toString()), arguments);
    }

    private String file(String... lines) throws IOException {
        return Files.write(folder.resolve("old.txt"), List.of(lines)).toString();
    }

    private String next(String date) {
        return run("next", "invoices", "--date", date).out().strip();
    }

    @BeforeEach
    void define() {
        Said said =
                run("define", "invoices", "--contract", "gapless", "--template", "{year}-{seq:3}", "--reset", "yearly");
        assertThat(said.exitCode()).as(said.err()).isZero();
    }

    @Test
    void import_dryRun_saysWhatItFindsAndEntersNothing() throws IOException {
        Said said = run("import", "invoices", file("2025-003", "2024-001", "2025-001", "2025-001"), "--dry-run");
        assertThat(said.exitCode()).isZero();
        assertThat(said.out().lines().map(String::stripTrailing))
                .containsExactly(
                        "period  scope  count  first  last  missing",
                        "2024    -      1      1      1     -",
                        "2025    -      2      1      3     2");
        assertThat(said.err()).contains("line 4 was there before: 2025-001", "nothing was entered");
        assertThat(next("2025-06-01")).isEqualTo("2025-001");
    }

    @Test
    void import_countersGoOnBehind_andOnceMoreDoesNothing() throws IOException {
        String file = file("2025-003", "2024-001", "2025-001");
        for (int i = 0; i < 2; i++) {
            Said said = run("import", "invoices", file, "--reason", "from the old system");
            assertThat(said.exitCode()).as(said.err()).isZero();
            assertThat(said.err())
                    .contains("2 of 2 counters", (i == 0 ? "0" : "3") + " numbers were in the ledger already");
        }
        assertThat(next("2025-06-01")).isEqualTo("2025-004");
        assertThat(next("2024-06-01")).isEqualTo("2024-002");
    }

    /** A file that has grown was refused, and so was one with numbers of an earlier template. */
    @Test
    void import_linesThatAreThereAlready_areCountedAndLeftAsTheyAre() throws IOException {
        assertThat(run("import", "invoices", file("2025-001", "2025-003")).exitCode())
                .isZero();
        run("alter", "invoices", "--template", "R{year}-{seq:4}");
        Said dry = run("import", "invoices", file("2025-003", "R2025-0003", "R2025-0004"), "--dry-run");
        assertThat(dry.err()).contains("2 numbers were in the ledger already", "nothing was entered");
        Said said = run("import", "invoices", file("2025-003", "R2025-0003", "R2025-0004"));
        assertThat(said.exitCode()).as(said.err()).isZero();
        assertThat(said.err()).contains("2 numbers were in the ledger already", "1 of 1 counters");
        assertThat(next("2025-06-01")).isEqualTo("R2025-0005");
        Said late = run("import", "invoices", file("R2025-0002"));
        assertThat(late.exitCode()).isEqualTo(3);
        assertThat(late.err()).contains("import all old numbers of a counter at once");
    }

    @Test
    void import_valuesThatAreOut_areRefused() throws IOException {
        assertThat(next("2025-06-01")).isEqualTo("2025-001");
        Said said = run("import", "invoices", file("2025-001", "2025-002"));
        assertThat(said.exitCode()).isEqualTo(3);
        assertThat(said.err()).contains("BEHIND");
    }

    @Test
    void import_aLineThatIsNoNumber_entersNothing() throws IOException {
        Said said = run("import", "invoices", file("2025-001", "INV-7"));
        assertThat(said.exitCode()).isEqualTo(2);
        assertThat(said.err()).contains("line 2 is no number of this sequence: INV-7");
        assertThat(next("2025-06-01")).isEqualTo("2025-001");
    }

    @Test
    void import_badFilesAndSequences_areToldInPlainWords() throws IOException {
        assertThat(run("import", "invoices", folder.resolve("missing").toString())
                        .exitCode())
                .isEqualTo(2);
        assertThat(run("import", "nothing", file("1")).exitCode()).isEqualTo(3);
        run("define", "plain");
        assertThat(run("import", "plain", file("1")).err()).contains("has no format");
        Path binary = Files.write(folder.resolve("binary"), new byte[] {(byte) 0xff, (byte) 0xfe});
        assertThat(run("import", "invoices", binary.toString()).err()).contains("not UTF-8");
    }
}
