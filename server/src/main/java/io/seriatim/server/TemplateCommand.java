package io.seriatim.server;

import io.seriatim.BadFormatException;
import io.seriatim.SequenceException;
import io.seriatim.numbering.Ask;
import io.seriatim.numbering.NumberFormat;
import io.seriatim.numbering.Numbering;
import io.seriatim.server.Terminal.Form;
import java.time.Clock;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** Explains a template, or says where it is wrong; needs no store. */
@Command(
        name = "template",
        description = "Explain a template: what each part prints, and which numbers come. Needs no store.",
        mixinStandardHelpOptions = true)
final class TemplateCommand implements Callable<Integer> {

    @ParentCommand
    @SuppressWarnings("NullAway.Init") // picocli sets it before the command runs
    private Main main;

    @Parameters(paramLabel = "TEXT", description = "The template, such as INV-{year}-{seq:5}.")
    private String text = "";

    @Mixin
    private ValueOptions values = new ValueOptions();

    @Mixin
    private NumberOptions numbers = new NumberOptions();

    @Option(names = "--at", paramLabel = "INSTANT", description = "The instant whose numbers are shown; default: now.")
    private @Nullable String at;

    @Override
    public Integer call() {
        Terminal terminal = main.terminal();
        try {
            Explanation explanation = explanation();
            if (terminal.isJson()) {
                return terminal.show(Reply.json(200, explanation.json()), Form.NOTHING);
            }
            explanation.show(terminal);
            return ExitCode.OK;
        } catch (BadFormatException e) {
            int exitCode = terminal.show(Problem.of(e).reply(), Form.NOTHING);
            if (e.option().equals("template")) {
                e.position().ifPresent(position -> terminal.pointAt(text, position));
            }
            return exitCode;
        } catch (SequenceException e) {
            return terminal.show(Problem.of(e).reply(), Form.NOTHING);
        } catch (Refusal e) {
            return terminal.show(e.problem().reply(), Form.NOTHING);
        }
    }

    private Explanation explanation() {
        Body body = values.body().put("format", numbers.addTo(new Body().put("template", text)));
        NewSequence wanted = SequenceJson.definition(body.text());
        NumberFormat format =
                Numbering.formatOf(wanted.definition(), wanted.format().orElseThrow());
        return new Explanation(format, format.preview(instant(at)));
    }

    /** An instant as calls take it; now if none is given. */
    static Instant instant(@Nullable String at) {
        Optional<Ask> ask = at == null
                ? Optional.empty()
                : AskJson.in(Fields.of(new Body().put(AskJson.AT, at).text()));
        return ask.flatMap(Ask::at).orElseGet(() -> Clock.systemUTC().instant());
    }
}
