package io.seriatim.postgresql;

import static java.util.function.Function.identity;
import static java.util.stream.Collectors.toMap;

import io.seriatim.store.Checkpoint;
import io.seriatim.store.DerivedRows;
import io.seriatim.store.EventHeader;
import io.seriatim.store.HeaderVisitor;
import io.seriatim.store.KeyRow;
import io.seriatim.store.LogEvent;
import io.seriatim.store.LogOutcome;
import io.seriatim.store.LogRow;
import io.seriatim.store.NumberRows;
import io.seriatim.store.PartitionCalls;
import io.seriatim.store.PartitionKey;
import io.seriatim.store.PartitionStore;
import io.seriatim.store.RecordRow;
import io.seriatim.store.RegistryRow;
import io.seriatim.store.SkippedRow;
import io.seriatim.store.StoreException;
import io.seriatim.store.WorkspaceEvent;
import io.seriatim.store.WriteMode;
import io.seriatim.store.WriterMark;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The rows of one partition. */
final class PostgresPartition implements PartitionStore {

    /*
     * Nothing is kept here: whoever looks sees what the database has, and any number of processes look. Each write is
     * one call of a function of V2.sql, which says how the epoch is held, and one transaction. Where a row is in the
     * way, a second statement reads it; rows are never deleted, so it is there, or another one in its place.
     *
     * Lists are read in pages, a statement each, so that none takes longer than a statement may. One statement sees
     * an append whole or not at all. A list that was cut at a limit goes on with another look, and what has been
     * appended meanwhile lies behind what was seen.
     */

    private static final int EVENTS_A_STATEMENT = 1_000;
    private static final int HEADERS_A_STATEMENT = 5_000;

    private final PartitionKey key;
    private final PostgresEventLog log;

    PostgresPartition(PartitionKey key, PostgresEventLog log) {
        this.key = key;
        this.log = log;
    }

    @Override
    public PartitionKey key() {
        return key;
    }

    // ---- ownership

    @Override
    public long epoch() {
        return log.first(LogSql.EPOCH, parameters -> parameters.partition(key), row -> row.getLong(1))
                .orElse(0L);
    }

    /** If the answer is lost, the partition may have been taken for nobody; that shuts out its owner and no more. */
    @Override
    public long take() {
        return log.change(LogSql.TAKE, parameters -> parameters.partition(key), row -> row.getLong(1))
                .get(0);
    }

    /** Asked again after an unknown outcome, it finds what it has written itself by its mark, and is applied. */
    @Override
    public LogOutcome renew(long owner) {
        PartitionCalls.requireOwner(owner);
        long mark = log.renewal(key, owner);
        LogOutcome outcome = log.write(connection -> {
                    try (PreparedStatement statement = connection.prepareStatement(LogSql.RENEW)) {
                        new Parameters(statement).number(mark).partition(key).number(owner);
                        return statement.executeUpdate() == 1
                                ? Optional.of(PostgresEventLog.applied(statement))
                                : Optional.empty();
                    }
                })
                .orElseGet(() -> renewedOrFenced(owner, mark));
        if (outcome instanceof LogOutcome.Unknown) {
            log.renewalIsUnknown(key, owner, mark);
        } else {
            log.renewalIsSettled(key);
        }
        return outcome;
    }

    private LogOutcome renewedOrFenced(long owner, long mark) {
        boolean renewed = log.first(
                        LogSql.RENEWED_TO,
                        parameters -> parameters.partition(key).number(mark),
                        row -> row.getLong(1))
                .filter(epoch -> epoch == owner + 1)
                .isPresent();
        return renewed ? LogOutcome.Applied.APPLIED : new LogOutcome.Fenced(epoch());
    }

    /** Calls a function that answers with an epoch; empty if a row is in the way. */
    private Optional<LogOutcome> write(String sql, long owner, PostgresEventLog.Filling filling) {
        return log.write(connection -> {
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
                filling.fill(new Parameters(statement));
                try (ResultSet row = statement.executeQuery()) {
                    row.next();
                    long epoch = row.getLong(1);
                    if (row.wasNull()) {
                        return Optional.empty();
                    }
                    return Optional.of(
                            epoch == owner ? PostgresEventLog.applied(statement) : new LogOutcome.Fenced(epoch));
                }
            }
        });
    }

    /** Nothing was written, and what was in the way is not there any more: somebody has deleted rows. */
    private StoreException vanished() {
        return new StoreException(
                StoreException.Kind.UNAVAILABLE, "a row of " + key + " that was in the way of a write is gone");
    }

    // ---- the log

    @Override
    public LogOutcome append(long owner, WriteMode mode, List<LogEvent> events) {
        PartitionCalls.requireOwner(owner);
        PartitionCalls.requireRising(events);
        List<LogChecksum.OfEvent> sums = events.stream()
                .map(event -> LogChecksum.of(key, event.offset(), event.epoch(), event.header(), event.body()))
                .toList();
        return write(
                        LogSql.APPEND,
                        owner,
                        parameters -> parameters
                                .number(owner)
                                .flag(mode == WriteMode.PUT)
                                .numbers(events, LogEvent::offset)
                                .numbers(events, LogEvent::epoch)
                                .numbers(events, event -> event.header().workspace())
                                .integers(events, event -> event.header().kind())
                                .numbers(events, event -> event.header().mark().writer())
                                .numbers(events, event -> event.header().mark().write())
                                .texts(events, event -> event.header().key())
                                .texts(events, event -> sequences(event.header()))
                                .texts(events, event -> numbers(event.header()))
                                .integers(sums, LogChecksum.OfEvent::header)
                                .bodies(events, LogEvent::body)
                                .integers(sums, LogChecksum.OfEvent::whole)
                                .partition(key))
                .orElseGet(() -> landedOrOccupied(events));
    }

    /** As PostgreSQL writes an array of arrays of different lengths: each as a text. */
    private static String sequences(EventHeader header) {
        return Arrays.stream(header.sequences()).mapToObj(Integer::toString).collect(Collectors.joining(",", "{", "}"));
    }

    private static String numbers(EventHeader header) {
        return Arrays.stream(header.values()).mapToObj(Long::toString).collect(Collectors.joining(",", "{", "}"));
    }

    /** What an insert answers where events are. */
    private LogOutcome landedOrOccupied(List<LogEvent> events) {
        Map<Long, WriterMark> there = log
                .list(
                        LogSql.MARKS,
                        parameters -> parameters.partition(key).numbers(events, LogEvent::offset),
                        row -> Map.entry(row.getLong(1), Rows.mark(row, 2)))
                .stream()
                .collect(toMap(Map.Entry::getKey, Map.Entry::getValue));
        long own = events.stream()
                .filter(event -> event.header().mark().equals(there.get(event.offset())))
                .count();
        if (own == events.size()) {
            return LogOutcome.Applied.APPLIED;
        }
        long present = events.stream()
                .filter(event -> there.containsKey(event.offset()))
                .filter(event -> own == there.size() || !event.header().mark().equals(there.get(event.offset())))
                .mapToLong(LogEvent::offset)
                .findFirst()
                .orElseThrow(this::vanished);
        return events(present, 1).stream()
                .filter(event -> event.offset() == present)
                .findFirst()
                .map(LogOutcome.Occupied::new)
                .orElseThrow(this::vanished);
    }

    @Override
    public List<LogEvent> events(long fromOffset, int limit) {
        PartitionCalls.requireLimit(limit);
        List<LogEvent> found = new ArrayList<>();
        long from = fromOffset;
        long bytes = 0;
        while (found.size() < limit && bytes < PAGE_BYTES) {
            long first = from;
            long room = PAGE_BYTES - bytes;
            int most = Math.min(limit - found.size(), EVENTS_A_STATEMENT);
            List<LogEvent> page = log.list(
                    LogSql.EVENTS,
                    parameters ->
                            parameters.partition(key).number(first).number(most).number(room),
                    row -> LogRows.event(key, row));
            found.addAll(page);
            if (page.size() < most || page.get(most - 1).offset() == Long.MAX_VALUE) {
                break;
            }
            from = page.get(most - 1).offset() + 1;
            bytes += page.stream().mapToLong(event -> event.body().length).sum();
        }
        return List.copyOf(found);
    }

    @Override
    public int replay(long fromOffset, int limit, HeaderVisitor visitor) {
        PartitionCalls.requireLimit(limit);
        int shown = 0;
        long from = fromOffset;
        while (shown < limit) {
            long first = from;
            int most = Math.min(limit - shown, HEADERS_A_STATEMENT);
            List<LogRows.Header> page = log.list(
                    LogSql.HEADERS,
                    parameters -> parameters.partition(key).number(first).number(most),
                    row -> LogRows.header(key, row));
            page.forEach(header -> show(header, visitor));
            shown += page.size();
            if (page.size() < most || page.get(most - 1).offset() == Long.MAX_VALUE) {
                break;
            }
            from = page.get(most - 1).offset() + 1;
        }
        return shown;
    }

    private static void show(LogRows.Header row, HeaderVisitor visitor) {
        EventHeader header = row.header();
        visitor.header(
                row.offset(),
                row.epoch(),
                header.workspace(),
                header.kind(),
                header.mark().writer(),
                header.mark().write(),
                header.sequences().length,
                header.sequences(),
                header.values());
    }

    @Override
    public OptionalLong lastOffset() {
        return log.first(LogSql.LAST_OFFSET, parameters -> parameters.partition(key), row -> {
                    long last = row.getLong(1);
                    return row.wasNull() ? OptionalLong.empty() : OptionalLong.of(last);
                })
                .orElseThrow();
    }

    // ---- what follows from events

    /** Names a row in a workspace. */
    private record Id(long workspace, Object id) {}

    @Override
    public LogOutcome derive(long owner, DerivedRows rows) {
        PartitionCalls.requireOwner(owner);
        if (rows.appliedOffset().isPresent()) {
            PartitionCalls.requireOffset("appliedOffset", rows.appliedOffset().getAsLong());
        }
        Function<RecordRow, Id> recordId = row -> new Id(row.workspace(), row.id());
        Map<Id, RecordRow> created = lastOfEach(rows.created(), recordId);
        Map<Id, RecordRow> updated = lastOfEach(rows.updated(), recordId);
        created.replaceAll((id, row) -> updated.containsKey(id) ? updated.remove(id) : row);
        List<RegistryRow> registered =
                List.copyOf(lastOfEach(rows.registered(), row -> new Id(row.workspace(), row.id()))
                        .values());
        List<KeyRow> keys = List.copyOf(lastOfEach(rows.keys(), row -> new Id(row.workspace(), row.key()))
                .values());
        List<WorkspaceEvent> places =
                List.copyOf(lastOfEach(rows.workspaceEvents(), row -> new Id(row.workspace(), row.offset()))
                        .values());
        List<SkippedRow> skipped =
                List.copyOf(lastOfEach(rows.skipped(), row -> new Id(row.plogOffset(), row.projector()))
                        .values());
        keys.forEach(row -> Rows.requireKey(row.key()));
        skipped.forEach(row -> Rows.requireKey(row.projector()));
        return write(LogSql.DERIVE, owner, parameters -> {
                    parameters
                            .number(owner)
                            .flag(rows.recordMode() == WriteMode.INSERT_IF_ABSENT)
                            .flag(rows.workspaceMode() == WriteMode.INSERT_IF_ABSENT);
                    records(parameters, List.copyOf(created.values()));
                    records(parameters, List.copyOf(updated.values()));
                    parameters
                            .numbers(registered, RegistryRow::workspace)
                            .numbers(registered, RegistryRow::id)
                            .integers(registered, RegistryRow::type)
                            .numbers(registered, RegistryRow::wlogOffset)
                            .numbers(keys, KeyRow::workspace)
                            .texts(keys, KeyRow::key)
                            .numbers(keys, KeyRow::plogOffset)
                            .numbers(places, WorkspaceEvent::workspace)
                            .numbers(places, WorkspaceEvent::offset)
                            .numbers(places, WorkspaceEvent::plogOffset)
                            .numbers(skipped, SkippedRow::plogOffset)
                            .texts(skipped, SkippedRow::projector)
                            .texts(skipped, SkippedRow::who)
                            .texts(skipped, SkippedRow::reason)
                            .numbers(skipped, SkippedRow::epochMillis)
                            .optional(rows.appliedOffset())
                            .partition(key);
                })
                .orElseGet(() -> new LogOutcome.Occupied(inTheWay(rows)));
    }

    /** The last row of each name, as if they were written one after another; a statement writes a row only once. */
    private static <R> Map<Id, R> lastOfEach(List<R> rows, Function<R, Id> id) {
        return rows.stream().collect(toMap(id, identity(), (before, after) -> after, LinkedHashMap::new));
    }

    private void records(Parameters parameters, List<RecordRow> rows) throws SQLException {
        parameters
                .numbers(rows, RecordRow::workspace)
                .numbers(rows, RecordRow::id)
                .integers(rows, RecordRow::type)
                .numbers(rows, RecordRow::plogOffset)
                .numbers(rows, RecordRow::wlogOffset)
                .bodies(rows, RecordRow::body)
                .integers(rows, row -> LogChecksum.of(key, row));
    }

    /** One of the rows that are there and were to be inserted. */
    private LogRow inTheWay(DerivedRows rows) {
        Optional<LogRow> present = Optional.empty();
        if (rows.recordMode() == WriteMode.INSERT_IF_ABSENT) {
            present = log.first(
                    LogSql.RECORD_IN_THE_WAY,
                    parameters -> parameters
                            .numbers(rows.created(), RecordRow::workspace)
                            .numbers(rows.created(), RecordRow::id)
                            .partition(key),
                    row -> LogRows.record(key, row));
            present = present.or(() -> log.first(
                    LogSql.REGISTERED_IN_THE_WAY,
                    parameters -> parameters
                            .numbers(rows.registered(), RegistryRow::workspace)
                            .numbers(rows.registered(), RegistryRow::id)
                            .partition(key),
                    LogRows::registered));
            present = present.or(() -> log.first(
                    LogSql.KEY_IN_THE_WAY,
                    parameters -> parameters
                            .numbers(rows.keys(), KeyRow::workspace)
                            .texts(rows.keys(), KeyRow::key)
                            .partition(key),
                    LogRows::key));
        }
        if (present.isEmpty() && rows.workspaceMode() == WriteMode.INSERT_IF_ABSENT) {
            present = log.first(
                    LogSql.PLACE_IN_THE_WAY,
                    parameters -> parameters
                            .numbers(rows.workspaceEvents(), WorkspaceEvent::workspace)
                            .numbers(rows.workspaceEvents(), WorkspaceEvent::offset)
                            .partition(key),
                    LogRows::place);
        }
        return present.orElseThrow(this::vanished);
    }

    @Override
    public OptionalLong appliedOffset() {
        return log.first(
                        LogSql.APPLIED, parameters -> parameters.partition(key), row -> OptionalLong.of(row.getLong(1)))
                .orElse(OptionalLong.empty());
    }

    @Override
    public List<WorkspaceEvent> workspaceEvents(long workspace, long fromOffset, int limit) {
        PartitionCalls.requireLimit(limit);
        return log.list(
                LogSql.PLACES,
                parameters -> parameters
                        .partition(key)
                        .number(workspace)
                        .number(fromOffset)
                        .number(limit),
                LogRows::place);
    }

    @Override
    public Optional<RecordRow> record(long workspace, long id) {
        return log.first(
                LogSql.RECORD,
                parameters -> parameters.partition(key).number(workspace).number(id),
                row -> LogRows.record(key, row));
    }

    @Override
    public Optional<RegistryRow> registered(long workspace, long id) {
        return log.first(
                LogSql.REGISTERED,
                parameters -> parameters.partition(key).number(workspace).number(id),
                LogRows::registered);
    }

    @Override
    public Optional<KeyRow> keyed(long workspace, String idempotencyKey) {
        boolean possible = idempotencyKey.indexOf('\0') < 0 && Rows.fitsKey(idempotencyKey);
        return log.first(
                        LogSql.KEYED,
                        parameters ->
                                parameters.partition(key).number(workspace).text(possible ? idempotencyKey : ""),
                        LogRows::key)
                .filter(found -> found.key().equals(idempotencyKey)); // a text without UTF-8 form reads as another
    }

    @Override
    public List<SkippedRow> skipped(long fromOffset, int limit) {
        PartitionCalls.requireLimit(limit);
        return log.list(
                LogSql.SKIPPED,
                parameters -> parameters.partition(key).number(fromOffset).number(limit),
                LogRows::skipped);
    }

    // ---- the projection of the numbers

    @Override
    public Optional<Checkpoint> checkpoint() {
        return log.first(LogSql.CHECKPOINT, parameters -> parameters.partition(key), LogRows::checkpoint);
    }

    @Override
    public int readNumbers(long workspace, int[] sequences, long[] values) {
        Map<Integer, Long> numbers = new TreeMap<>();
        Optional<Integer> kind = log.first(
                LogSql.NUMBERS, parameters -> parameters.partition(key).number(workspace), row -> {
                    long last = row.getLong(3);
                    if (!row.wasNull()) {
                        numbers.put(row.getInt(2), last);
                    }
                    return row.getInt(1);
                });
        for (int i = 0; i < sequences.length; i++) {
            values[i] = numbers.getOrDefault(sequences[i], 0L);
        }
        return kind.orElse(0);
    }

    /** The last number of a sequence of a workspace. */
    private record Greatest(long workspace, int sequence, long last) {}

    @Override
    public LogOutcome writeNumbers(long owner, NumberRows rows, long nextOffset) {
        PartitionCalls.requireOwner(owner);
        PartitionCalls.requireOffset("nextOffset", nextOffset);
        Map<Long, Integer> kinds = new TreeMap<>();
        Map<Id, Greatest> greatest = new LinkedHashMap<>();
        for (int i = 0; i < rows.size(); i++) {
            requireNumbers(rows, i);
            kinds.putIfAbsent(rows.workspace(i), rows.kind(i));
            for (int place = 0; place < rows.count(i); place++) {
                Greatest number = new Greatest(rows.workspace(i), rows.sequence(i, place), rows.value(i, place));
                greatest.merge(
                        new Id(number.workspace(), number.sequence()),
                        number,
                        (one, other) -> one.last() >= other.last() ? one : other);
            }
        }
        List<Map.Entry<Long, Integer>> workspaces = List.copyOf(kinds.entrySet());
        List<Greatest> numbers = List.copyOf(greatest.values());
        return write(
                        LogSql.WRITE_NUMBERS,
                        owner,
                        parameters -> parameters
                                .number(owner)
                                .numbers(workspaces, Map.Entry::getKey)
                                .integers(workspaces, Map.Entry::getValue)
                                .numbers(numbers, Greatest::workspace)
                                .integers(numbers, Greatest::sequence)
                                .numbers(numbers, Greatest::last)
                                .number(nextOffset)
                                .partition(key))
                .orElseThrow(this::vanished);
    }

    private static void requireNumbers(NumberRows rows, int row) {
        boolean fit = rows.kind(row) >= 1 && rows.count(row) >= 1;
        for (int place = 0; fit && place < rows.count(row); place++) {
            fit = rows.sequence(row, place) >= 0 && rows.value(row, place) >= 1;
        }
        if (!fit) {
            throw new IllegalArgumentException("kinds, counts and numbers start at 1, sequences at 0: row=" + row
                    + " workspace=" + rows.workspace(row) + " kind=" + rows.kind(row) + " count=" + rows.count(row));
        }
    }

    @Override
    public LogOutcome resetCheckpoint(long owner) {
        PartitionCalls.requireOwner(owner);
        return write(
                        LogSql.RESET_CHECKPOINT,
                        owner,
                        parameters -> parameters.partition(key).number(owner))
                .orElseThrow(this::vanished);
    }
}
