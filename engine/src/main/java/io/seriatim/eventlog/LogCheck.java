package io.seriatim.eventlog;

import io.seriatim.Environment;
import io.seriatim.eventlog.LogReport.Code;
import io.seriatim.eventlog.LogReport.Finding;
import io.seriatim.store.Checkpoint;
import io.seriatim.store.EventHeader;
import io.seriatim.store.LogEvent;
import io.seriatim.store.PartitionStore;
import io.seriatim.store.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Reads a partition from its first event to its last, and says what does not belong together. Changes nothing, and keeps
 * a page of events in memory. Events that are written meanwhile may be looked at or not.
 */
public final class LogCheck {

    /*
     * A restart trusts three things: that offsets have no hole behind the checkpoint, that what a replay is shown of an
     * event is what stands at the event, and that the stored numbers are not below any event before the checkpoint. Here
     * all three are looked at for the whole log. The last one needs no table of all workspaces: the stored numbers are
     * the table, and each event before the checkpoint is held against it.
     */

    /** Findings of one code that are kept word for word; the rest are counted. */
    private static final int MOST_OF_A_CODE = 100;

    private static final int PAGE = 256;

    private final PartitionStore partition;
    private final Environment environment;
    private final Optional<BodyNumbers> bodies;
    private final RowFaults rows;
    private final Consumer<ReplayProgress> listener;

    private LogCheck(
            PartitionStore partition,
            Environment environment,
            Optional<BodyNumbers> bodies,
            RowFaults rows,
            Consumer<ReplayProgress> listener) {
        this.partition = partition;
        this.environment = environment;
        this.bodies = bodies;
        this.rows = rows;
        this.listener = listener;
    }

    public static LogCheck of(PartitionStore partition, Environment environment) {
        return new LogCheck(partition, environment, Optional.empty(), (event, applied) -> List.of(), progress -> {});
    }

    /** The same, which also compares each event's header with its body. */
    public LogCheck comparing(BodyNumbers numbers) {
        return new LogCheck(partition, environment, Optional.of(numbers), rows, listener);
    }

    /**
     * The same, which also looks at what follows from each event.
     *
     * @param faults says what is wrong with the rows of an event
     */
    public LogCheck comparingRows(RowFaults faults) {
        return new LogCheck(partition, environment, bodies, faults, listener);
    }

    /** The same, which tells how far it is, after each page, on the thread that runs it. */
    public LogCheck telling(Consumer<ReplayProgress> progress) {
        return new LogCheck(partition, environment, bodies, rows, progress);
    }

    /**
     * Reads the partition.
     *
     * @throws StoreException if the store cannot be reached; a damaged row is a finding
     */
    public LogReport run() {
        return new Run().run();
    }

    /** One reading. */
    private final class Run {

        private final long beganNanos = environment.nanoTime();
        private final Map<Code, Integer> counts = new EnumMap<>(Code.class);
        private final List<Finding> findings = new ArrayList<>();
        private long moreFindings;
        private long epoch;
        private Optional<Checkpoint> checkpoint = Optional.empty();
        private long covered = 1;
        private long applied = 1;
        private long nextOffset = 1;
        private long lastEpoch;
        private long events;
        private long bodyBytes;
        private long total;

        LogReport run() {
            try {
                epoch = partition.epoch();
                checkpoint = partition.checkpoint();
                covered = checkpoint.map(Checkpoint::nextOffset).orElse(1L);
                applied = partition.appliedOffset().orElse(1);
                total = partition.lastOffset().orElse(0);
                tell(false);
                readAll();
                compareEnd();
            } catch (StoreException e) {
                if (e.kind() != StoreException.Kind.CORRUPT) {
                    throw e;
                }
                add(Code.DAMAGED, nextOffset, String.valueOf(e.getMessage()));
            }
            tell(true);
            return new LogReport(
                    partition.key(),
                    events,
                    bodyBytes,
                    nextOffset,
                    epoch,
                    checkpoint,
                    Math.max(0, nextOffset - covered),
                    elapsed(),
                    findings,
                    moreFindings);
        }

        private Duration elapsed() {
            return Duration.ofNanos(environment.nanoTime() - beganNanos);
        }

        private void tell(boolean done) {
            listener.accept(new ReplayProgress(events, total, elapsed(), done));
        }

        // ---- events

        private void readAll() {
            List<LogEvent> page = partition.events(1, PAGE);
            while (!page.isEmpty()) {
                long from = nextOffset;
                compareHeaders(page);
                page.forEach(this::look);
                tell(false);
                if (nextOffset <= from) {
                    return; // a store that shows old events only, which are findings, would do so for ever
                }
                page = partition.events(nextOffset, PAGE);
            }
        }

        private void look(LogEvent event) {
            long offset = event.offset();
            if (offset < nextOffset) {
                add(Code.TWICE, offset, "an event at offset " + offset + " stands behind one at " + (nextOffset - 1));
            } else if (offset > nextOffset) {
                add(Code.HOLE, nextOffset, "there is no event from offset " + nextOffset + " to " + (offset - 1));
            }
            nextOffset = Math.max(nextOffset, offset + 1);
            lookAtEpoch(event);
            bodies.ifPresent(numbers -> compareBody(event, numbers));
            if (offset < covered) {
                compareNumbers(event);
            }
            rows.of(event, offset < applied).forEach(fault -> add(Code.ROW, offset, fault));
            events++;
            bodyBytes += event.body().length;
        }

        private void lookAtEpoch(LogEvent event) {
            if (event.epoch() < lastEpoch) {
                add(Code.EPOCH, event.offset(), "epoch " + event.epoch() + " stands behind epoch " + lastEpoch);
            } else if (event.epoch() > epoch && event.epoch() > presentEpoch()) {
                add(
                        Code.EPOCH,
                        event.offset(),
                        "the event is of epoch " + event.epoch() + ", and the partition at " + epoch);
            }
            lastEpoch = Math.max(lastEpoch, event.epoch());
        }

        /** Read again, as somebody may have taken the partition meanwhile. */
        private long presentEpoch() {
            epoch = partition.epoch();
            return epoch;
        }

        /** Holds what a replay is shown against the events of a page. */
        private void compareHeaders(List<LogEvent> page) {
            Map<Long, Shown> shown = new TreeMap<>();
            int unused = partition.replay(
                    page.get(0).offset(),
                    page.size(),
                    (offset, writtenEpoch, workspace, kind, writer, write, count, sequences, values) -> shown.put(
                            offset,
                            new Shown(
                                    writtenEpoch, workspace, kind, writer, write, numbers(count, sequences, values))));
            for (LogEvent event : page) {
                Shown its = shown.get(event.offset());
                if (its == null) {
                    add(Code.HEADER, event.offset(), "a replay is not shown the event");
                } else if (!its.equals(Shown.of(event))) {
                    add(
                            Code.HEADER,
                            event.offset(),
                            "a replay is shown " + its + ", the event says " + Shown.of(event));
                }
            }
        }

        private void compareBody(LogEvent event, BodyNumbers numbers) {
            EventHeader header = event.header();
            Map<Integer, Long> said = numbers(header.sequences().length, header.sequences(), header.values());
            try {
                Map<Integer, Long> used = numbers.of(event);
                if (!said.equals(used)) {
                    add(Code.BODY, event.offset(), "the body uses " + used + ", the header says " + said);
                }
            } catch (IllegalArgumentException e) {
                add(Code.BODY, event.offset(), "the body is not understood: " + e.getMessage());
            }
        }

        /** The stored numbers must not be below those of an event that they cover. */
        private void compareNumbers(LogEvent event) {
            EventHeader header = event.header();
            if (header.sequences().length == 0) {
                return;
            }
            long[] stored = new long[header.sequences().length];
            int kind = partition.readNumbers(header.workspace(), header.sequences(), stored);
            for (int i = 0; i < stored.length; i++) {
                if (stored[i] < header.values()[i]) {
                    add(
                            Code.NUMBER,
                            event.offset(),
                            "sequence " + header.sequences()[i] + " of workspace " + header.workspace()
                                    + " is stored as " + stored[i] + ", and the event has " + header.values()[i]);
                }
            }
            if (kind != 0 && kind != header.kind()) {
                add(
                        Code.KIND,
                        event.offset(),
                        "workspace " + header.workspace() + " is bound to kind " + kind + ", and the event is of "
                                + header.kind());
            }
        }

        // ---- what is said of the whole

        private void compareEnd() {
            if (covered > nextOffset) {
                add(
                        Code.CHECKPOINT,
                        covered,
                        "the stored numbers reach the event at offset " + (covered - 1) + ", and the last event is at "
                                + (nextOffset - 1));
            }
            checkpoint
                    .filter(its -> its.epoch() > epoch && its.epoch() > presentEpoch())
                    .ifPresent(its -> add(
                            Code.CHECKPOINT,
                            its.nextOffset(),
                            "the stored numbers are of epoch " + its.epoch() + ", and the partition at " + epoch));
            if (applied > nextOffset) {
                add(
                        Code.APPLIED,
                        applied,
                        "the event at offset " + (applied - 1) + " is said to be applied, and the last one is at "
                                + (nextOffset - 1));
            }
        }

        private void add(Code code, long offset, String what) {
            if (counts.merge(code, 1, Integer::sum) <= MOST_OF_A_CODE) {
                findings.add(new Finding(code, offset, what));
            } else {
                moreFindings++;
            }
        }
    }

    private static Map<Integer, Long> numbers(int count, int[] sequences, long[] values) {
        Map<Integer, Long> numbers = new TreeMap<>();
        for (int i = 0; i < count; i++) {
            numbers.put(sequences[i], values[i]);
        }
        return numbers;
    }

    /** What a replay is shown of one event. */
    private record Shown(long epoch, long workspace, int kind, long writer, long write, Map<Integer, Long> numbers) {

        static Shown of(LogEvent event) {
            EventHeader header = event.header();
            return new Shown(
                    event.epoch(),
                    header.workspace(),
                    header.kind(),
                    header.mark().writer(),
                    header.mark().write(),
                    LogCheck.numbers(header.sequences().length, header.sequences(), header.values()));
        }
    }
}
