package io.seriatim.server;

import io.seriatim.StoreCheck;
import io.seriatim.StoreCheck.Finding;
import io.seriatim.StoreCheck.Report;
import io.seriatim.rocksdb.RocksDbStore;
import io.seriatim.store.StoreException;
import java.nio.file.Path;

/** Reads every row of a data folder and says what is wrong with it. */
final class Check {

    private Check() {}

    /**
     * Checks a folder that no process has open.
     *
     * @throws Refusal if it cannot be opened
     */
    static Report of(Path folder) {
        StoreCheck check = new StoreCheck();
        LocalFolder.requireThere(folder);
        try (RocksDbStore store = LocalFolder.openStore(folder)) {
            store.visit(check);
        } catch (StoreException e) {
            throw new Refusal(Problem.unavailable(String.valueOf(e.getMessage())));
        }
        return check.report();
    }

    /** A report as the command line shows it. */
    static Reply reply(Report report) {
        return Reply.json(200, Json.object(out -> {
            out.writeBooleanProperty("sound", report.isSound());
            out.writeNumberProperty("rows", report.rows());
            out.writeNumberProperty("definitions", report.definitions());
            out.writeNumberProperty("tombstones", report.tombstones());
            out.writeNumberProperty("counters", report.counters());
            out.writeNumberProperty("leftCounters", report.leftCounters());
            out.writeNumberProperty("ledger", report.ledger());
            out.writeNumberProperty("idempotency", report.idempotency());
            out.writeArrayPropertyStart("findings");
            for (Finding finding : report.findings()) {
                out.writeStartObject();
                out.writeStringProperty("code", finding.code());
                out.writeStringProperty("where", finding.where());
                out.writeStringProperty("what", finding.what());
                out.writeEndObject();
            }
            out.writeEndArray();
            out.writeNumberProperty("moreFindings", report.moreFindings());
        }));
    }
}
