package io.seriatim.server;

import io.seriatim.StoreCheck;
import io.seriatim.SystemEnvironment;
import io.seriatim.eventlog.LogReport;
import io.seriatim.eventlog.application.Applications;
import io.seriatim.postgresql.PostgresStore;
import io.seriatim.rocksdb.RocksDbStore;
import io.seriatim.store.CounterStore;
import io.seriatim.store.EventLogStore;
import io.seriatim.store.PartitionKey;
import io.seriatim.store.RowVisitor;
import io.seriatim.store.StoreException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Supplier;
import tools.jackson.core.JsonGenerator;

/**
 * What was found in a data folder or a database: every row is read, and every partition of an event log from its first event to its last.
 *
 * @param rows what their own checksums and the rows of sequences say
 * @param logs what each partition says, in their order
 * @param names of applications, by their ids
 */
record Check(StoreCheck.Report rows, List<LogReport> logs, Map<Integer, String> names) {

    Check {
        logs = List.copyOf(logs);
        names = Map.copyOf(names);
    }

    /**
     * Checks a folder that no process has open.
     *
     * @throws Refusal if it cannot be opened
     */
    static Check of(Path folder, Progress progress) {
        LocalFolder.requireStore(folder);
        return of(
                () -> LocalFolder.openStore(folder, RocksDbStore::openToRead),
                RocksDbStore::visit,
                RocksDbStore::eventLog,
                progress);
    }

    /**
     * Checks a database, which others may use meanwhile: the rows of sequences are those of one moment.
     *
     * @throws Refusal if it cannot be opened, or a row cannot be read
     */
    static Check of(PostgresDatabase database, Progress progress) {
        return of(database::openToRead, PostgresStore::showSequences, PostgresStore::eventLog, progress);
    }

    private static <S extends CounterStore> Check of(
            Supplier<S> open, BiConsumer<S, RowVisitor> show, Function<S, EventLogStore> eventLog, Progress progress) {
        StoreCheck check = new StoreCheck();
        List<LogReport> logs = new ArrayList<>();
        Map<Integer, String> names = new HashMap<>();
        try (S store = open.get();
                SystemEnvironment environment = new SystemEnvironment()) {
            show.accept(store, check);
            EventLogStore events = eventLog.apply(store);
            try {
                events.applications().forEach(row -> names.put(row.id(), row.name()));
                for (PartitionKey key : events.partitions()) {
                    logs.add(Applications.check(events, key, environment)
                            .telling(progress::show)
                            .run());
                }
            } catch (StoreException e) {
                requireDamage(e);
                check.damaged("event logs", String.valueOf(e.getMessage()));
            }
        } catch (StoreException e) {
            String said = String.valueOf(e.getMessage());
            throw new Refusal(
                    e.kind() == StoreException.Kind.CORRUPT ? Problem.corrupt(said) : Problem.unavailable(said));
        }
        return new Check(check.report(), logs, names);
    }

    private static void requireDamage(StoreException e) {
        if (e.kind() != StoreException.Kind.CORRUPT) {
            throw e;
        }
    }

    boolean isSound() {
        return rows.isSound() && logs.stream().allMatch(LogReport::isSound);
    }

    /** What was found, a sentence each. */
    List<String> sentences() {
        List<String> sentences = new ArrayList<>();
        rows.findings().forEach(each -> sentences.add(each.code() + ": " + each.where() + ": " + each.what()));
        logs.forEach(log -> sentences.addAll(sentences(log)));
        return sentences;
    }

    private List<String> sentences(LogReport log) {
        String where = where(
                log.partition(), Optional.ofNullable(names.get(log.partition().application())));
        return log.findings().stream()
                .map(each -> each.code() + ": " + where + ": " + each.what())
                .toList();
    }

    /** A partition as findings name it. */
    static String where(PartitionKey key, Optional<String> log) {
        return log.map(name -> "log " + name).orElse("application " + key.application()) + ", partition "
                + key.partition();
    }

    // ---- as the command line shows it

    Reply reply() {
        return Reply.json(200, Json.object(out -> {
            out.writeBooleanProperty("sound", isSound());
            out.writeNumberProperty("rows", rows.rows());
            out.writeNumberProperty("definitions", rows.definitions());
            out.writeNumberProperty("tombstones", rows.tombstones());
            out.writeNumberProperty("counters", rows.counters());
            out.writeNumberProperty("leftCounters", rows.leftCounters());
            out.writeNumberProperty("ledger", rows.ledger());
            out.writeNumberProperty("idempotency", rows.idempotency());
            out.writeNumberProperty(
                    "events", logs.stream().mapToLong(LogReport::events).sum());
            out.writeArrayPropertyStart("findings");
            for (StoreCheck.Finding finding : rows.findings()) {
                out.writeStartObject();
                out.writeStringProperty("code", finding.code());
                out.writeStringProperty("where", finding.where());
                out.writeStringProperty("what", finding.what());
                out.writeEndObject();
            }
            out.writeEndArray();
            out.writeNumberProperty("moreFindings", rows.moreFindings());
            out.writeArrayPropertyStart("partitions");
            for (LogReport log : logs) {
                out.writeStartObject();
                write(out, log);
                out.writeEndObject();
            }
            out.writeEndArray();
        }));
    }

    static Reply reply(LogReport log) {
        return Reply.json(200, Json.object(out -> write(out, log)));
    }

    private static void write(JsonGenerator out, LogReport log) {
        out.writeNumberProperty("application", log.partition().application());
        out.writeNumberProperty("partition", log.partition().partition());
        out.writeBooleanProperty("sound", log.isSound());
        out.writeNumberProperty("events", log.events());
        out.writeNumberProperty("bodyBytes", log.bodyBytes());
        out.writeNumberProperty("nextOffset", log.nextOffset());
        out.writeNumberProperty("epoch", log.epoch());
        if (log.checkpoint().isPresent()) {
            out.writeNumberProperty("checkpoint", log.checkpoint().get().nextOffset());
        } else {
            out.writeNullProperty("checkpoint");
        }
        out.writeNumberProperty("tail", log.tail());
        out.writeNumberProperty("millis", log.elapsed().toMillis());
        out.writeArrayPropertyStart("findings");
        for (LogReport.Finding finding : log.findings()) {
            out.writeStartObject();
            out.writeStringProperty("code", finding.code().name());
            out.writeNumberProperty("offset", finding.offset());
            out.writeStringProperty("what", finding.what());
            out.writeEndObject();
        }
        out.writeEndArray();
        out.writeNumberProperty("moreFindings", log.moreFindings());
    }
}
