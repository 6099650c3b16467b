package io.seriatim.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.seriatim.eventlog.application.Command;
import java.nio.charset.StandardCharsets;

/**
 * Any text at all as the body of a command and of a definition. Run as a test it goes through the inputs that are kept in
 * {@code CommandJsonFuzzTestInputs}.
 */
final class CommandJsonFuzzTest {

    /** What is read is shown as an event shows it, and that, sent again, is the same command. */
    @FuzzTest(maxDuration = "5m")
    void command_anyText_isRefusedOrReadBack(byte[] bytes) {
        Command command;
        try {
            command = CommandJson.read(text(bytes), 1);
        } catch (Refusal e) {
            assertThat(e.problem().status()).isEqualTo(400);
            assertThat(e.problem().detail()).isNotEmpty().hasSizeLessThan(1_500);
            return;
        }
        String shown = Json.object(out -> {
            out.writeStringProperty("kind", command.kind());
            LogJson.writeContent(out, command.argument(), command.cuds());
        });
        assertThat(CommandJson.read(shown, 1)).isEqualTo(command);
    }

    @FuzzTest(maxDuration = "5m")
    void definition_anyText_isRefusedOrRead(byte[] bytes) {
        try {
            assertThat(LogJson.definition(text(bytes)).kinds()).isNotNull();
        } catch (Refusal e) {
            assertThat(e.problem().status()).isEqualTo(400);
            assertThat(e.problem().detail()).isNotEmpty().hasSizeLessThan(1_500);
        }
    }

    /** Bytes that are not UTF-8 become halves of surrogate pairs. */
    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8).replace('\ufffd', '\ud83d');
    }
}
