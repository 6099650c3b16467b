package io.seriatim.server;

import io.seriatim.SequenceException;
import io.seriatim.Sequences;
import io.seriatim.numbering.UsedCheck;
import io.seriatim.numbering.UsedNumbers;
import io.seriatim.server.Terminal.Form;
import io.seriatim.store.StoreException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Compares numbers that were used outside with what the store knows of them. */
@Command(
        name = "verify-used",
        description = "Compare numbers that were used with the store: none may come again, none may be unknown.",
        mixinStandardHelpOptions = true)
final class VerifyUsedCommand implements Callable<Integer> {

    private final Main main;

    @Parameters(
            paramLabel = "FILE|-",
            description = "A line each: the name of a sequence, a blank, the number as it was printed.")
    private String file = "";

    VerifyUsedCommand(Main main) {
        this.main = main;
    }

    @Override
    public Integer call() {
        Terminal terminal = main.terminal();
        try (OpenStore store = opened(main.localStore("verify-used"))) {
            Sequences sequences = store.sequences();
            UsedNumbers used = new UsedNumbers(sequences);
            RestoreCommand.read(main, "FILE", file, used);
            UsedCheck.Report report = new UsedCheck(sequences).run(used);
            return terminal.showFindings(reply(report), sentences(report));
        } catch (SequenceException e) {
            return terminal.show(Problem.of(e).reply(), Form.NOTHING);
        } catch (StoreException e) {
            return terminal.show(Problem.of(e).reply(), Form.NOTHING);
        } catch (Refusal e) {
            return terminal.show(e.problem().reply(), Form.NOTHING);
        }
    }

    private static OpenStore opened(LocalStore store) {
        if (store instanceof LocalFolder folder) {
            LocalFolder.requireStore(folder.path());
        }
        return store.open();
    }

    private static Reply reply(UsedCheck.Report report) {
        return Reply.json(200, Json.object(out -> {
            out.writeBooleanProperty("sound", report.findings().isEmpty());
            out.writeNumberProperty("numbers", report.numbers());
            out.writeNumberProperty("counters", report.counters());
            out.writeArrayPropertyStart("findings");
            for (UsedCheck.Finding finding : report.findings()) {
                out.writeStartObject();
                out.writeStringProperty("code", finding.code());
                out.writeStringProperty("sequence", finding.counter().sequence());
                out.writeStringProperty("scope", finding.counter().scope());
                out.writeStringProperty("period", finding.counter().period());
                out.writeStringProperty("value", Long.toString(finding.value()));
                out.writeStringProperty("what", finding.what());
                out.writeEndObject();
            }
            out.writeEndArray();
            out.writeNumberProperty("moreFindings", report.moreFindings());
        }));
    }

    private static List<String> sentences(UsedCheck.Report report) {
        return report.findings().stream()
                .map(each -> each.code() + ": " + each.counter().sequence()
                        + (each.counter().scope().isEmpty()
                                ? ""
                                : ", scope " + each.counter().scope())
                        + (each.counter().period().isEmpty()
                                ? ""
                                : ", period " + each.counter().period()) + ", value "
                        + each.value() + ": " + each.what())
                .toList();
    }
}
