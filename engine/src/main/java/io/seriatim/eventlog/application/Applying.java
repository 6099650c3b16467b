package io.seriatim.eventlog.application;

import io.seriatim.eventlog.application.Group.Member;
import io.seriatim.store.DerivedRows;
import io.seriatim.store.KeyRow;
import io.seriatim.store.LogEvent;
import io.seriatim.store.LogOutcome;
import io.seriatim.store.LogRow;
import io.seriatim.store.PartitionStore;
import io.seriatim.store.RecordRow;
import io.seriatim.store.RegistryRow;
import io.seriatim.store.SkippedRow;
import io.seriatim.store.StoreException;
import io.seriatim.store.WorkspaceEvent;
import io.seriatim.store.WriteMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Writes what follows from events that are durable, in order, and moves the applied offset. For one thread at a time. */
final class Applying {

    /*
     * Rows need not be synced: the log brings them back. So they go out in as few writes as there can be: one for a group, or
     * two where projectors have to come between the records and the places in the workspaces. A write names the applied
     * offset that holds once it is there, and a store keeps their order; so after a crash the applied offset is never ahead
     * of the rows, and what is ahead of it is compared (Repair) and not written twice.
     */

    private static final int PAGE = 256;
    /** Then others have the thread, and who closes is not kept waiting. */
    private static final int PAGES_A_TURN = 4;

    private static final int MOST_DIFFERENCES = 100;

    /**
     * What became of a group.
     *
     * @param applied how many of its events are applied, from the first on
     * @param trouble why not all are; empty if they are
     */
    record Result(int applied, String trouble) {}

    /**
     * What became of a recovery.
     *
     * @param mayBeRetried whether trying again by itself may help
     * @param goesOn whether nothing is wrong, and more is to be applied in a turn to come
     */
    record Recovery(Optional<String> trouble, List<Difference> differences, boolean mayBeRetried, boolean goesOn) {

        static final Recovery DONE = new Recovery(Optional.empty(), List.of(), false, false);
        static final Recovery GOES_ON = new Recovery(Optional.empty(), List.of(), false, true);

        static Recovery stuck(String trouble, boolean mayBeRetried) {
            return new Recovery(Optional.of(trouble), List.of(), mayBeRetried, false);
        }

        static Recovery different(List<Difference> differences) {
            List<Difference> first = differences.subList(0, Math.min(MOST_DIFFERENCES, differences.size()));
            return new Recovery(Optional.of(first.get(0).what()), first, false, false);
        }

        boolean isDone() {
            return trouble.isEmpty() && !goesOn;
        }
    }

    /** An event that an operator lets pass without a projector. */
    record Skip(SkippedRow row) {

        boolean isOf(long offset, Projector projector) {
            return row.plogOffset() == offset && row.projector().equals(projector.name());
        }
    }

    /** A row could not be written. */
    private static final class NotWritten extends Exception {

        private static final long serialVersionUID = 1;

        NotWritten(String message) {
            super(message);
        }
    }

    private final int partition;
    private final PartitionStore store;
    private final Schema.Index schema;
    private final WriteMode recordMode;
    private final WriteMode eventMode;
    private final Marks marks;
    private final List<Projector> projectors;
    private final List<String> missingProjectors;
    private final Repair repair;
    private @Nullable Skip skip;
    /** Where a projector has failed last. */
    private @Nullable Failing failing;
    /** Until the epoch is raised: whether a write may still come through, over what later ones say, or another owner has come. */
    private boolean uncertain;

    /** A projector that an event waits for. */
    record Failing(long plogOffset, String projector) {}

    Applying(
            int partition,
            PartitionStore store,
            Schema.Index schema,
            TrustLevel trustLevel,
            Marks marks,
            Projectors projectors) {
        this.partition = partition;
        this.store = store;
        this.schema = schema;
        recordMode = trustLevel.recordMode();
        eventMode = trustLevel.eventMode();
        this.marks = marks;
        this.projectors = projectors.present();
        missingProjectors = projectors.missing();
        repair = new Repair(store, schema);
    }

    // ---- a group that was just written

    /** Applies the events of a group; whatever goes wrong, the recovery that follows begins with the first that is not. */
    Result group(Group group) {
        List<Member> members = group.members();
        int done = 0;
        try {
            Rows rows = new Rows();
            for (Member each : members) {
                rows.add(EventRows.of(each.event(), each.draft().body(), schema), each);
            }
            if (projectors.isEmpty()) {
                write(group.epoch(), rows.all(group.lastOffset() + 1));
                done = members.size();
            } else {
                write(group.epoch(), rows.records());
                Optional<String> failed = Optional.empty();
                while (done < members.size() && failed.isEmpty()) {
                    failed = projectAll(members.get(done));
                    done += failed.isEmpty() ? 1 : 0;
                }
                if (done > 0) {
                    int written = done;
                    done = 0;
                    write(group.epoch(), rows.places(written, group.firstOffset() + written));
                    done = written;
                }
                if (failed.isPresent()) {
                    marks.setApplied(group.firstOffset() + done);
                    return new Result(done, failed.get());
                }
            }
        } catch (NotWritten | StoreException | IllegalArgumentException e) {
            return new Result(done, String.valueOf(e.getMessage()));
        }
        marks.setApplied(group.lastOffset() + 1);
        return new Result(done, "");
    }

    /** Why a projector failed at an event; empty if none did. */
    private Optional<String> projectAll(Member member) {
        Event event = eventOf(member.event(), member.draft().body());
        return projectors.stream()
                .map(each -> project(each, event))
                .flatMap(Optional::stream)
                .findFirst();
    }

    @SuppressWarnings("CatchingUnchecked") // what a projector throws is told, and stops the partition, not the process
    private Optional<String> project(Projector projector, Event event) {
        try {
            projector.apply(partition, event);
            return Optional.empty();
        } catch (Exception | LinkageError | AssertionError | StackOverflowError e) {
            if (e instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            failing = new Failing(event.plogOffset(), projector.name());
            return Optional.of(
                    "projector " + projector.name() + " fails at PLog offset " + event.plogOffset() + ": " + e);
        }
    }

    Event eventOf(LogEvent event, EventBody body) {
        return Events.of(event, body, schema);
    }

    private void write(long epoch, DerivedRows rows) throws NotWritten {
        LogOutcome outcome = store.derive(epoch, rows);
        if (outcome instanceof LogOutcome.Occupied occupied) {
            throw new NotWritten("a row is there that is not of this event: " + nameOf(occupied.present()));
        } else if (outcome instanceof LogOutcome.Fenced fenced) {
            throw new NotWritten(passedOver(fenced.epoch()));
        } else if (outcome instanceof LogOutcome.Unknown unknown) {
            uncertain = true;
            throw new NotWritten("whether the rows are written is unknown: "
                    + unknown.cause().getMessage());
        }
    }

    private static String nameOf(LogRow row) {
        if (row instanceof RecordRow its) {
            return "record " + its.id() + " of workspace " + its.workspace();
        } else if (row instanceof RegistryRow its) {
            return "id " + its.id() + " of workspace " + its.workspace();
        } else if (row instanceof WorkspaceEvent its) {
            return "WLog offset " + its.offset() + " of workspace " + its.workspace();
        } else if (row instanceof KeyRow its) {
            return "a key of workspace " + its.workspace();
        }
        return row.toString();
    }

    /** The rows of the events of a group. */
    private final class Rows {

        private final List<RecordRow> created = new ArrayList<>();
        private final List<RecordRow> updated = new ArrayList<>();
        private final List<RegistryRow> registered = new ArrayList<>();
        private final List<KeyRow> keys = new ArrayList<>();
        private final List<WorkspaceEvent> places = new ArrayList<>();

        void add(EventRows rows, Member member) throws NotWritten {
            created.addAll(rows.created());
            registered.addAll(rows.registered());
            rows.key().ifPresent(keys::add);
            places.add(rows.place());
            for (RecordUpdate update : rows.updates()) {
                RecordRow before = store.record(rows.place().workspace(), update.id())
                        .orElseThrow(() -> new NotWritten("record " + update.id() + " is not there any more"));
                updated.add(EventRows.updated(
                        before, update, member.event(), member.draft().body()));
            }
        }

        DerivedRows all(long appliedOffset) {
            return records().withWorkspaceEvents(eventMode, places).withAppliedOffset(appliedOffset);
        }

        DerivedRows records() {
            return DerivedRows.under(recordMode).withRecords(created, updated, registered, keys);
        }

        /** Of the first so many events. */
        DerivedRows places(int events, long appliedOffset) {
            return DerivedRows.under(eventMode)
                    .withWorkspaceEvents(eventMode, places.subList(0, events))
                    .withAppliedOffset(appliedOffset);
        }
    }

    // ---- what was left

    /** Whether the epoch has to be raised before anything else is written; says so once. */
    boolean needsNewEpoch() {
        boolean needed = uncertain;
        uncertain = false;
        return needed;
    }

    /**
     * Applies every event from the applied offset on, or as many as a turn has time for.
     *
     * @param end the offset behind the last event
     * @param overwriting whether rows that say something else are written over
     */
    Recovery upTo(long end, long epoch, boolean overwriting) {
        try {
            Recovery recovery = applyAll(end, epoch, overwriting);
            return recovery.differences().isEmpty() ? recovery : unlessPassedOver(recovery, epoch);
        } catch (NotWritten | StoreException e) {
            return Recovery.stuck(String.valueOf(e.getMessage()), true);
        }
    }

    /** What differs may be what the next owner has written meanwhile. */
    private Recovery unlessPassedOver(Recovery different, long epoch) {
        long present = store.epoch();
        return present == epoch ? different : Recovery.stuck(passedOver(present), true);
    }

    /** By raising its epoch the sequencer finds out, too. */
    private String passedOver(long present) {
        uncertain = true;
        return "another owner has the partition, with epoch " + present;
    }

    private Recovery applyAll(long end, long epoch, boolean overwriting) throws NotWritten {
        long applied = store.appliedOffset().orElse(1);
        if (applied > end) {
            String what = "events up to offset " + (applied - 1) + " are said to be applied, and the log ends at "
                    + (end - 1);
            return Recovery.different(List.of(new Difference(end, what)));
        }
        marks.setApplied(applied);
        if (!missingProjectors.isEmpty()) {
            return Recovery.stuck(
                    "this process does not have the projectors " + missingProjectors
                            + " of the application, and applies nothing without them",
                    false);
        }
        for (int pages = 0; applied < end; pages++) {
            if (pages == PAGES_A_TURN) {
                return Recovery.GOES_ON;
            }
            List<LogEvent> page = store.events(applied, PAGE);
            if (page.isEmpty()) {
                return missing(applied);
            }
            for (LogEvent event : page) {
                Optional<Recovery> broken = apply(event, applied, epoch, overwriting);
                if (broken.isPresent()) {
                    return broken.get();
                }
                applied = event.offset() + 1;
                marks.setApplied(applied);
            }
        }
        failing = null;
        return Recovery.DONE;
    }

    /** Applies one event; something is returned where that was not possible. */
    private Optional<Recovery> apply(LogEvent event, long expected, long epoch, boolean overwriting) throws NotWritten {
        if (event.offset() != expected) {
            return Optional.of(missing(expected));
        }
        EventBody body;
        Repair.Finding finding;
        Event seen;
        try {
            body = EventBody.decode(event.body());
            finding = overwriting ? repair.overwrite(event, body) : repair.compare(event, body);
            seen = eventOf(event, body);
        } catch (IllegalArgumentException e) {
            return Optional.of(Recovery.different(List.of(new Difference(
                    expected, "the event at offset " + expected + " is not understood: " + e.getMessage()))));
        }
        if (!finding.differences().isEmpty()) {
            return Optional.of(Recovery.different(finding.differences()));
        }
        WriteMode mode = overwriting ? WriteMode.PUT : WriteMode.INSERT_IF_ABSENT;
        if (!finding.isNothing()) {
            write(epoch, finding.records(mode));
        }
        List<SkippedRow> skipped = new ArrayList<>();
        for (Projector projector : projectors) {
            Skip wanted = skip;
            if (wanted != null && wanted.isOf(event.offset(), projector)) {
                skipped.add(wanted.row());
                continue;
            }
            Optional<String> failed = project(projector, seen);
            if (failed.isPresent()) {
                return Optional.of(Recovery.stuck(failed.get(), false));
            }
        }
        write(epoch, finding.end(mode, skipped, event.offset() + 1));
        if (!skipped.isEmpty()) {
            skip = null;
        }
        return Optional.empty();
    }

    private static Recovery missing(long offset) {
        return Recovery.different(List.of(new Difference(offset, "there is no event at offset " + offset)));
    }

    // ---- for an operator

    /** Where a projector keeps an event from being applied. */
    Optional<Failing> failing() {
        return Optional.ofNullable(failing);
    }

    /** Lets an event pass without a projector, once. */
    void skip(SkippedRow row) {
        skip = new Skip(row);
    }

    /** Says that nothing is applied, so that everything is applied again. */
    void forget(long epoch) throws StoreException {
        LogOutcome outcome =
                store.derive(epoch, DerivedRows.under(WriteMode.PUT).withAppliedOffset(1));
        if (!(outcome instanceof LogOutcome.Applied)) {
            throw new StoreException(
                    StoreException.Kind.UNAVAILABLE, "the applied offset could not be set: " + outcome);
        }
        marks.setApplied(1);
    }
}
