package io.seriatim.eventlog.application;

import io.seriatim.ErrorCode;
import io.seriatim.eventlog.EventLogException;
import io.seriatim.eventlog.SequencingTransaction;
import io.seriatim.eventlog.WorkspaceKind;
import io.seriatim.eventlog.application.CheckedCommand.Wanted;
import io.seriatim.eventlog.application.EventBody.Request;
import io.seriatim.eventlog.application.Schema.SequenceEntry;
import io.seriatim.store.LogEvent;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A command as an event that is not in the log yet, with all its numbers.
 *
 * @param ids the record id of each raw id
 */
record Draft(LogEvent event, EventBody body, Map<Long, Long> ids) {

    /** The greatest body, in bytes. */
    static final int MAX_BODY_BYTES = 1 << 20;

    /** When the commands of a group are carried out, also as text. */
    record Time(Instant instant, String text) {

        static Time of(Instant instant) {
            return new Time(instant, instant.toString());
        }
    }

    /**
     * Draws the numbers of a command. Ids from outside come first: one that is just ahead of the counter must not be drawn
     * for another record of the same command.
     *
     * @param updates the updates of the command, each with the type of its record
     * @throws EventLogException as {@link SequencingTransaction#next} and {@link SequencingTransaction#raise}; OUT_OF_RANGE
     *     if the event becomes too long. The transaction stays open, and is to be discarded
     */
    static Draft of(
            CheckedCommand checked,
            Map<Long, RecordUpdate> updates,
            SequencingTransaction transaction,
            Time time,
            long maxJump) {
        long wlogOffset = transaction.next(WorkspaceKind.WLOG_OFFSET);
        Set<Long> fromOutside = new HashSet<>();
        for (Wanted wanted : checked.created()) {
            if (wanted.isFromOutside()) {
                transaction.raise(
                        wanted.source().orElseThrow().id(), wanted.record().id(), maxJump);
                fromOutside.add(wanted.record().id());
            }
        }
        Map<Long, Long> ids = new LinkedHashMap<>();
        for (Wanted wanted : checked.created()) {
            if (!wanted.isFromOutside()) {
                ids.put(
                        wanted.record().id(),
                        wanted.isSingleton()
                                ? wanted.wantedId()
                                : next(wanted.source().orElseThrow(), checked, transaction));
            }
        }
        Command command = checked.command();
        EventBody body = new EventBody(
                time.instant(),
                wlogOffset,
                command.argument().map(root -> resolved(root, ids)),
                command.cuds().stream().map(cud -> resolved(cud, ids, updates)).toList(),
                fromOutside,
                command.key().isEmpty() ? Optional.empty() : Optional.of(new Request(checked.digest(), ids)));
        byte[] bytes = body.encode(time.text());
        if (bytes.length > MAX_BODY_BYTES) {
            throw new EventLogException(
                    ErrorCode.OUT_OF_RANGE,
                    "an event has at most " + MAX_BODY_BYTES + " bytes, this one would have " + bytes.length);
        }
        return new Draft(transaction.event(command.key(), bytes), body, ids);
    }

    private static long next(SequenceEntry source, CheckedCommand checked, SequencingTransaction transaction) {
        try {
            return transaction.next(source.id());
        } catch (EventLogException e) {
            if (e.code() != ErrorCode.EXHAUSTED) {
                throw e;
            }
            throw new EventLogException(
                    ErrorCode.EXHAUSTED,
                    "sequence " + source.name() + " of workspace "
                            + checked.command().workspace() + " has reached its last number, "
                            + source.range().max(),
                    e);
        }
    }

    private static Cud resolved(Cud cud, Map<Long, Long> ids, Map<Long, RecordUpdate> updates) {
        if (cud instanceof NewRecord created) {
            return resolved(created, ids);
        }
        RecordUpdate update = updates.getOrDefault(cud.id(), (RecordUpdate) cud);
        return new RecordUpdate(update.type(), update.id(), resolved(update.fields(), ids));
    }

    private static NewRecord resolved(NewRecord record, Map<Long, Long> ids) {
        Map<String, List<NewRecord>> children = new LinkedHashMap<>();
        record.children().forEach((container, records) -> {
            List<NewRecord> its = new ArrayList<>(records.size());
            records.forEach(child -> its.add(resolved(child, ids)));
            children.put(container, its);
        });
        return new NewRecord(record.type(), id(record.id(), ids), resolved(record.fields(), ids), children);
    }

    private static Fields resolved(Fields fields, Map<Long, Long> ids) {
        return fields.resolved(id -> id(id, ids));
    }

    /** A singleton, too, may be named by its raw id or its own. */
    private static long id(long id, Map<Long, Long> ids) {
        return ids.getOrDefault(id, id);
    }
}
