package io.seriatim;

import io.seriatim.LedgerEntry.Facts;
import io.seriatim.store.Change;
import io.seriatim.store.CounterRow;
import io.seriatim.store.CounterStore;
import io.seriatim.store.DefinitionRow;
import io.seriatim.store.IdempotencyRow;
import io.seriatim.store.LedgerRow;
import io.seriatim.store.StoreException;
import io.seriatim.store.WriteOutcome;
import io.seriatim.store.WriterMark;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Changes one counter by compare-and-set until the outcome is known.
 *
 * <p>Holds no state of the sequence: what is known of it goes in and comes out. Calls the store on the caller's
 * thread and waits for it.
 */
final class CounterWriter {

    /*
     * What makes it safe.
     *
     * A run is handed out only after the write that took it is proved to have landed: APPLIED, or UNKNOWN and
     * then our own mark read back. In every other case its values are left alone for ever: whoever takes the
     * next run does it by a write over the revision then in the store, and that write and the doubtful one
     * exclude each other. If the doubtful one landed, the mark has moved past its values (burnt); if not, and
     * the new one lands, the doubtful one never will. Where the ledger is kept it proves more: an entry of the
     * doubtful write is found there even when others have moved the mark since, and its values are not burnt.
     *
     * REFUSED shows the rows that stand in the way. They are ours to build on if they are newer than what we
     * knew. If they are older, or gone, the store was exchanged for an earlier copy of itself: stop.
     *
     * A change after which values could come again goes in only over a counter row that lists no other node as
     * having values in memory; compare-and-set makes that a condition of the write. While others are listed the
     * change marks the row with a recall and posts a notice: nobody takes values from then on, and whoever hears the
     * notice gives back what it has and takes itself off the list.
     */

    /**
     * Each refusal means that someone else moved on, so somebody always does. Callers stop waiting by the clock;
     * this ends the work for them, should the store refuse for ever.
     */
    private static final int ATTEMPTS = 1_000;

    private static final String NOT_GIVEN_BACK = "not given back";

    private final String name;
    private final CounterStore store;
    private final Environment environment;
    private final WriterMarks marks;
    private final Notices notices;
    private final RecallWatch recalls;

    CounterWriter(String name, CounterStore store, Environment environment, WriterMarks marks, Notices notices) {
        this.name = name;
        this.store = store;
        this.environment = environment;
        this.marks = marks;
        this.notices = notices;
        this.recalls = new RecallWatch(environment);
    }

    /** What a write is to take. Pure: asked again whenever the counter turns out to stand elsewhere. */
    interface Plan<T> {
        /**
         * Empty when nothing can be taken from there because the sequence is exhausted.
         *
         * @param posting what the write says of single numbers
         */
        Optional<Planned<T>> from(Stored stored, Posting posting);

        /** The plan for when the answer that it wanted to keep turned out to be there already. */
        default Plan<T> answered(IdempotencyRow present) {
            throw new IllegalStateException("no answer was to be kept");
        }
    }

    /**
     * @param end where the counter stands when the values are taken
     * @param kept a block that stays in memory for later calls
     * @param answer the answer to keep in the same write, given the mark of that write
     */
    record Planned<T>(
            T values, Position end, Optional<Block> kept, Optional<Function<WriterMark, IdempotencyRow>> answer) {}

    /** Values taken, and the state of the store after it. */
    record Claim<T>(Stored stored, T values) {}

    /** Thrown when the sequence has got another contract: values must be taken in another way from now on. */
    static final class OtherContract extends RuntimeException {
        private static final long serialVersionUID = 1;

        OtherContract() {
            super("the sequence has got another contract", null, false, false);
        }
    }

    /** An edit of a definition, refused by exception. */
    interface Edit {
        /** What the audit trail calls it. */
        AuditEntry.Action action();

        /** What is to be, given the last value returned. */
        Edited edit(Stored current, Position position);
    }

    /**
     * @param waits whether values that some node has in memory must not come out any more once this is in force
     * @param telling what it says of single numbers
     */
    record Edited(Definition definition, Position position, boolean waits, Consumer<Posting> telling) {}

    /** What came of a change that may have to wait for others. */
    sealed interface Changed {}

    /** @param fromLast whether it began at the position that was given; else at the high-water mark, which others moved */
    record Done(Stored stored, boolean fromLast) implements Changed {}

    /** Nothing was changed: these nodes have been asked to give back what they have. */
    record WaitsFor(Stored stored, Holders others) implements Changed {}

    /** @param returned whether the mark was set back; else the values that were in memory are passed over */
    record GivenBack(Stored stored, boolean returned) {}

    /**
     * Takes a run of values, ended by a limit; behind a wrap another while there are too few, all in one write.
     *
     * @param least how many values are wanted; fewer come at a limit
     * @param most how many to take if no limit comes before
     */
    static Plan<List<Run>> runs(long least, long most) {
        return (stored, posting) -> {
            stored.account().requireNotClosed();
            List<Run> runs = stored.definition().progression().runs(stored.position(), least, most);
            if (runs.isEmpty()) {
                return Optional.empty();
            }
            Facts byNode = Facts.ofNode(Holders.nodeOf(posting.mark().writer()));
            runs.forEach(run -> posting.take(LedgerEntry.State.ISSUED, run.block(), byNode));
            return Optional.of(new Planned<>(
                    runs,
                    runs.get(runs.size() - 1).end(),
                    Optional.of(runs.get(0).block()),
                    Optional.empty()));
        };
    }

    /**
     * Takes what the plan says, in one write.
     *
     * @throws SequenceException EXHAUSTED, NOT_FOUND if dropped meanwhile, or what the store says
     * @throws OtherContract if the contract has changed meanwhile
     */
    <T> Claim<T> claim(Stored known, Plan<T> wanted) {
        List<Doubtful<T>> doubtful = new ArrayList<>();
        try {
            return claim(known, wanted, doubtful);
        } catch (StoreUnavailableException e) {
            boolean matters = known.definition().contract() == Contract.GAPLESS;
            throw matters && !doubtful.isEmpty() ? outcomeUnknown(e) : e;
        }
    }

    private <T> Claim<T> claim(Stored known, Plan<T> wanted, List<Doubtful<T>> doubtful) {
        Plan<T> plan = wanted;
        Contract contract = known.definition().contract();
        Stored current = known;
        boolean fromStore = false;
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            if (current.definition().contract() != contract) {
                throw new OtherContract();
            }
            if (recalls.stands(current.holders().recall())) {
                if (fromStore) {
                    throw beingChanged();
                }
                current = reread(current);
                fromStore = true;
                continue;
            }
            Posting posting = new Posting(current, current.counter().generation(), marks.next(), environment.now());
            Optional<Planned<T>> planned = plan.from(current, posting);
            if (planned.isEmpty()) {
                if (fromStore) {
                    throw current.exhausted();
                }
                current = reread(current); // someone may have made room
                fromStore = true;
                continue;
            }
            CounterRow row = current.counterAt(
                    planned.get().end(),
                    posting.mark(),
                    holdersAfter(current, planned.get().kept()),
                    posting.account());
            WriteOutcome outcome = apply(changeOf(planned.get(), row, posting));
            if (outcome instanceof WriteOutcome.Applied) {
                return new Claim<>(
                        current.with(row, posting.account()), planned.get().values());
            }
            if (outcome instanceof WriteOutcome.Unknown) {
                doubtful.add(new Doubtful<>(planned.get().values(), row, posting.rows()));
            }
            Stored found = outcome instanceof WriteOutcome.Refused refused ? shown(current, refused) : reread(current);
            Optional<T> landed = landed(doubtful, found);
            if (landed.isPresent()) {
                return new Claim<>(found, landed.get());
            }
            if (outcome instanceof WriteOutcome.Refused refused) {
                if (refused.idempotency().isPresent()) {
                    plan = plan.answered(refused.idempotency().get());
                } else if (refused.counter().filter(current.counter()::equals).isPresent()) {
                    throw Ledger.inTheWay(name, row.key());
                }
            }
            current = found;
            fromStore = true;
        }
        throw changedByOthers();
    }

    private static <T> Change changeOf(Planned<T> planned, CounterRow row, Posting posting) {
        Change change = Change.of(row).with(posting.rows());
        return planned.answer()
                .map(answer -> change.with(answer.apply(posting.mark())))
                .orElse(change);
    }

    /**
     * A write of which it is not known whether it has landed, or will.
     *
     * @param told what it says of single numbers
     */
    private record Doubtful<T>(T values, CounterRow row, List<LedgerRow> told) {}

    /** What a doubtful write has taken, if it is proved that it has landed: by its mark, or by what it has told. */
    private <T> Optional<T> landed(List<Doubtful<T>> doubtful, Stored found) {
        return doubtful.stream()
                .filter(write -> write.row().mark().equals(found.counter().mark())
                        || (found.counter().revision() > write.row().revision() && isTold(write.told())))
                .findFirst()
                .map(Doubtful::values);
    }

    /** An entry names the write that made it, and stays for good, whoever comes after it. */
    private boolean isTold(List<LedgerRow> told) {
        try {
            return !told.isEmpty()
                    && store.listLedger(told.get(0).counter(), told.get(0).index(), 1)
                            .equals(told.subList(0, 1));
        } catch (StoreException e) {
            throw StoreTrouble.of(e);
        }
    }

    /**
     * Changes definition and position in one write.
     *
     * @param position where the counter stands when nobody else has moved it
     * @throws StoreUnavailableException with OUTCOME_UNKNOWN if the change may or may not be in the store; in
     *     every other case of an exception nothing was changed
     */
    Changed alter(Stored known, Position position, Edit edit, Author author) {
        return change(known, position, (current, at, others) -> {
            Edited edited = edit.edit(current, at);
            if (edited.waits() && !others.isEmpty()) {
                return Optional.empty();
            }
            Posting posting = postingOfNextGeneration(current);
            release(current, at, posting);
            edited.telling().accept(posting);
            Stored wanted = current.altered(edited.definition(), edited.position(), others, posting);
            LedgerRow entry = AuditTrail.altered(current, at, wanted, edit.action(), author);
            boolean heard = !others.isEmpty() || wanted.definition().keepsLedger();
            return Optional.of(new Writing(wanted, entry, posting.rows(), heard));
        });
    }

    /** Leaves a tombstone in place of the definition, and the counter at its mark; the errors are those of alter. */
    Changed drop(Stored known, Position position, Author author) {
        return change(known, position, (current, at, others) -> {
            if (!current.account().open().isEmpty()) {
                throw ReservationException.open(name);
            }
            if (!others.isEmpty()) {
                return Optional.empty();
            }
            Posting posting = postingOfNextGeneration(current);
            release(current, at, posting);
            Stored wanted = current.dropped(at, posting);
            LedgerRow entry = AuditTrail.dropped(current, at, wanted.row(), author);
            boolean heard = current.definition().keepsLedger(); // its other counters may have blocks elsewhere
            return Optional.of(new Writing(wanted, entry, posting.rows(), heard));
        });
    }

    /**
     * Writes what an edit says of single numbers, once nobody has values in memory; the errors are those of alter.
     *
     * @param action what the audit trail calls it
     */
    Changed post(Stored known, Position position, PostingEdit edit, AuditEntry.Action action, Author author) {
        return change(known, position, (current, at, others) -> {
            if (current.definition().contract() == Contract.FAST && !others.isEmpty()) {
                return Optional.empty();
            }
            Posting posting = new Posting(current, current.counter().generation(), marks.next(), environment.now());
            release(current, at, posting);
            Map<String, String> told = edit.tell(current, at, posting);
            Stored wanted = current.posted(at, others, posting);
            LedgerRow entry = AuditTrail.told(wanted, action, author, told);
            return Optional.of(new Writing(wanted, entry, posting.rows(), false));
        });
    }

    private Posting postingOfNextGeneration(Stored current) {
        return new Posting(current, current.row().generation() + 1, marks.next(), environment.now());
    }

    /**
     * What a change writes.
     *
     * @param entry of the audit trail
     * @param told what it says of single numbers
     * @param heard whether other nodes have to hear of it
     */
    private record Writing(Stored wanted, LedgerRow entry, List<LedgerRow> told, boolean heard) {}

    /** One try of a change; asked again whenever the counter turns out to stand elsewhere. */
    private interface Try {
        /**
         * Empty where it must wait for the others; refuses by exception.
         *
         * @param at of the last value returned
         */
        Optional<Writing> over(Stored current, Position at, Holders others);
    }

    /** A refusal counts only over what the store holds: others may have changed since what makes it impossible. */
    private Changed change(Stored known, Position position, Try tried) {
        Stored current = known;
        boolean fromStore = false;
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            boolean fromLast = current.position().equals(known.position());
            Holders others = others(current);
            try {
                Optional<Writing> writing = tried.over(current, fromLast ? position : current.position(), others);
                Optional<Changed> changed =
                        writing.isPresent() ? written(current, writing.get(), fromLast) : waiting(current, others);
                if (changed.isPresent()) {
                    return changed.get();
                }
            } catch (StoreException e) {
                throw StoreTrouble.of(e);
            } catch (StoreUnavailableException e) {
                throw e;
            } catch (SequenceException e) {
                if (fromStore) {
                    throw e;
                }
            }
            current = reread(current);
            fromStore = true;
        }
        throw changedByOthers();
    }

    private Optional<Changed> written(Stored current, Writing writing, boolean fromLast) {
        Optional<Stored> written = write(current, writing.wanted(), writing.entry(), writing.told());
        if (written.isPresent() && writing.heard()) {
            notices.post();
        }
        return written.map(stored -> new Done(stored, fromLast));
    }

    private Optional<Changed> waiting(Stored current, Holders others) {
        return recalled(current).map(stored -> new WaitsFor(stored, others));
    }

    /** An edit of what is known of single numbers, refused by exception. */
    interface PostingEdit {
        /**
         * Returns the facts for the audit trail.
         *
         * @param at where the counter stands after the write: what lies between was in memory, and goes back
         */
        Map<String, String> tell(Stored current, Position at, Posting posting);
    }

    /** The ledger of the counter. */
    Ledger ledger(Stored known) {
        return new Ledger(store, known.counter().key());
    }

    /** The rows as the store has them, with a recall by this node, which is made if need be; empty if they differ. */
    private Optional<Stored> recalled(Stored current) {
        if (isRecalledHere(current)) {
            Stored now = reread(current);
            return Optional.of(now)
                    .filter(same -> isRecalledHere(same) && !others(same).isEmpty());
        }
        WriterMark mark = marks.next();
        CounterRow row =
                current.counterAt(current.position(), mark, holders(current).recalledBy(mark));
        WriteOutcome outcome = apply(Change.of(row));
        if (!(outcome instanceof WriteOutcome.Refused)) {
            notices.post(); // also of one that may have landed: a notice for nothing harms nobody
        }
        return outcome instanceof WriteOutcome.Applied ? Optional.of(current.with(row)) : Optional.empty();
    }

    private boolean isRecalledHere(Stored stored) {
        return stored.holders().isRecalledBy(marks.node());
    }

    /** Takes the recall of this node back: the change is given up. */
    Stored withdrawRecall(Stored known) {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            Stored now = reread(known);
            if (!isRecalledHere(now)) {
                return now;
            }
            CounterRow row =
                    now.counterAt(now.position(), marks.next(), holders(now).withoutRecall());
            if (apply(Change.of(row)) instanceof WriteOutcome.Applied) {
                return now.with(row);
            }
        }
        throw changedByOthers();
    }

    /**
     * Whether what this node has in memory is wanted back, or belongs to a generation that is over.
     *
     * @param known by which the values in memory were taken
     */
    boolean isWantedBack(Stored known) {
        try {
            return !hasDefinition(known)
                    || store.findCounter(known.counter().key())
                            .filter(row -> row.generation() == known.counter().generation()
                                    && Holders.parse(row.openBlocks()).recall().isEmpty())
                            .isEmpty();
        } catch (StoreException e) {
            throw StoreTrouble.of(e);
        }
    }

    /**
     * Whether the sequence still has the definition that is known; true where a change of it is seen by the next write of
     * the counter.
     */
    boolean hasDefinition(Stored known) {
        try {
            return known.definition().format().isEmpty()
                    || store.findDefinition(name)
                            .filter(row -> row.sequenceId() == known.row().sequenceId()
                                    && row.revision() == known.row().revision())
                            .isPresent();
        } catch (StoreException e) {
            throw StoreTrouble.of(e);
        }
    }

    /**
     * Makes the answer of a request durable, unless there is one; says which of the two it is.
     *
     * @throws StoreUnavailableException OUTCOME_UNKNOWN if nobody can say
     */
    IdempotencyRow keep(Request request, Draw draw) {
        IdempotencyRow row = request.answered(draw, marks.next());
        WriteOutcome outcome = apply(Change.of(row));
        if (outcome instanceof WriteOutcome.Refused refused) {
            return refused.idempotency().orElseThrow();
        }
        if (outcome instanceof WriteOutcome.Unknown unknown) {
            try {
                return store.findIdempotency(request.id()).orElseThrow(() -> answerUnknown(request, unknown.cause()));
            } catch (StoreException e) {
                throw answerUnknown(request, e);
            }
        }
        return row;
    }

    private StoreUnavailableException answerUnknown(Request request, Throwable cause) {
        return new StoreUnavailableException(
                ErrorCode.OUTCOME_UNKNOWN,
                "whether the answer to key " + request.id().key()
                        + " was kept is not known; the same request with the same key settles it",
                cause);
    }

    /**
     * Sets the mark back over what is in hand, as far as nobody has taken values behind it; the ledger has the rest as lost.
     * In any case this node is listed no longer as having values in memory.
     *
     * @throws StoreUnavailableException with OUTCOME_UNKNOWN if the mark may have been set back: then the values above
     *     it may come from another node, and must not come from here; with every other code nothing was changed
     */
    GivenBack giveBack(Held held) {
        Stored known = held.stored();
        Position position = held.lowest();
        Set<WriterMark> tried = new HashSet<>();
        Optional<Throwable> doubt = Optional.empty();
        Stored now = known;
        try {
            for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
                boolean untouched = now.position().equals(known.position());
                Posting posting = new Posting(now, now.counter().generation(), marks.next(), environment.now());
                Position back = untouched ? position : now.position();
                release(now, back, posting);
                lose(now, untouched ? held.belowLowest() : held.runs(), posting);
                CounterRow row = unlisted(now, back, posting);
                tried.add(row.mark());
                WriteOutcome outcome = apply(Change.of(row).with(posting.rows()));
                if (outcome instanceof WriteOutcome.Applied) {
                    return new GivenBack(now.with(row), untouched);
                }
                if (outcome instanceof WriteOutcome.Unknown unknown) {
                    doubt = Optional.of(unknown.cause());
                }
                now = reread(now);
                if (tried.contains(now.counter().mark())) {
                    return new GivenBack(now, now.position().equals(position));
                }
                if (!isListed(now)) {
                    return new GivenBack(now, false);
                }
            }
            throw changedByOthers();
        } catch (StoreUnavailableException e) {
            throw doubt.map(this::outcomeUnknown).orElse(e);
        }
    }

    /** Says that the mark goes back over values that this node had in memory. */
    private void release(Stored from, Position back, Posting posting) {
        posting.giveBackBetween(from.definition().progression(), back, from.position(), Facts.ofNode(marks.node()));
    }

    /** Says that nobody will get values that this node had in memory; of another generation, they may come again. */
    private void lose(Stored now, List<Run> runs, Posting posting) {
        Facts facts = Facts.ofNode(marks.node()).why(Optional.of(NOT_GIVEN_BACK));
        runs.stream()
                .filter(run -> run.generation() == now.counter().generation())
                .forEach(run -> posting.lose(run.block(), facts));
    }

    private CounterRow unlisted(Stored known, Position position, Posting posting) {
        return known.counterAt(position, posting.mark(), holders(known).without(marks.node()), posting.account());
    }

    /** Whether the store lists this node as having values of the sequence in memory. */
    boolean isListed(Stored known) {
        return known.holders().lists(marks.node());
    }

    /** Takes nodes off the list that somebody knows to be gone; the errors are those of alter. */
    Stored declareGone(Stored known, String node, Author author) {
        Stored current = known;
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            if (!current.holders().lists(node)) {
                current = reread(current);
                if (!current.holders().lists(node)) {
                    return current;
                }
            }
            Stored wanted = current.withoutHolder(node, environment.now(), marks.next());
            Optional<Stored> written =
                    write(current, wanted, AuditTrail.gone(current, node, wanted.row(), author), List.of());
            if (written.isPresent()) {
                return written.get();
            }
            current = reread(current);
        }
        throw changedByOthers();
    }

    /** Who may have values in memory, without those of whom the store knows that they are dead. */
    private Holders holders(Stored stored) {
        return store.isShared() ? stored.holders() : stored.holders().only(marks.node());
    }

    private Holders holdersAfter(Stored stored, Optional<Block> kept) {
        Holders holders = holders(stored);
        return kept.map(block -> holders.with(marks.node(), block))
                .orElse(holders)
                .withoutRecall();
    }

    private Holders others(Stored stored) {
        return holders(stored).without(marks.node()).withoutRecall();
    }

    /** What to tell a caller whose change has waited in vain. */
    StoreUnavailableException heldBy(Holders others) {
        return new StoreUnavailableException(
                ErrorCode.BUSY,
                "values of sequence " + name + " could come twice or too late: other nodes may have some in memory and"
                        + " have not given them back; stop them, or declare them gone: " + others.text());
    }

    private StoreUnavailableException beingChanged() {
        return new StoreUnavailableException(
                ErrorCode.BUSY, "sequence " + name + " is being changed; nobody takes values until that is done");
    }

    /** Writes both rows, the audit entry of it, and what it says of single numbers. Empty if refused. */
    private Optional<Stored> write(Stored current, Stored wanted, LedgerRow entry, List<LedgerRow> told) {
        WriteOutcome outcome =
                apply(Change.of(wanted.counter()).with(wanted.row()).with(entry).with(told));
        if (outcome instanceof WriteOutcome.Applied) {
            return Optional.of(wanted);
        }
        if (outcome instanceof WriteOutcome.Unknown unknown) {
            Optional<CounterRow> found;
            try {
                found = store.findCounter(current.counter().key());
            } catch (StoreException e) {
                throw outcomeUnknown(e);
            }
            if (found.filter(row -> row.mark().equals(wanted.counter().mark())).isEmpty()) {
                throw outcomeUnknown(unknown.cause());
            }
            return Optional.of(wanted);
        }
        if (outcome instanceof WriteOutcome.Refused refused && shows(current, refused)) {
            throw AuditTrail.inTheWay(wanted.row());
        }
        return Optional.empty();
    }

    /** Whether both rows are still those that a write was to go over: then it was refused for neither of them. */
    private static boolean shows(Stored current, WriteOutcome.Refused refused) {
        return refused.definition().filter(current.row()::equals).isPresent()
                && refused.counter().filter(current.counter()::equals).isPresent();
    }

    /** The row that stood in the way, where only the counter has moved; else both rows as they are now. */
    private Stored shown(Stored known, WriteOutcome.Refused refused) {
        return refused.counter()
                .filter(row -> row.generation() == known.counter().generation() && !known.isNewerThan(row))
                .map(known::with)
                .orElseGet(() -> reread(known));
    }

    /** Reads both rows as they are now; they belong together, for every change of a definition writes both. */
    Stored reread(Stored known) {
        try {
            for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
                Optional<DefinitionRow> row = store.findDefinition(name);
                Optional<CounterRow> counter = store.findCounter(known.counter().key());
                boolean vanished = counter.isEmpty() && known.counter().revision() > 0;
                if (row.isEmpty()
                        || vanished
                        || counter.filter(known::isNewerThan).isPresent()) {
                    throw wentBack();
                }
                if (row.get().sequenceId() != known.row().sequenceId()
                        || row.get().dropped()) {
                    throw new SequenceNotFoundException(name);
                }
                Stored now = Stored.of(row.get(), known.counter().key(), counter);
                if (now.belongTogether()) {
                    return now;
                }
            }
        } catch (StoreException e) {
            throw StoreTrouble.of(e);
        }
        throw new StoreUnavailableException(
                ErrorCode.STORE_CORRUPT, "definition and counter of sequence " + name + " do not belong together");
    }

    private WriteOutcome apply(Change change) {
        try {
            return store.apply(change);
        } catch (StoreException e) {
            throw StoreTrouble.of(e);
        }
    }

    private StoreUnavailableException changedByOthers() {
        return new StoreUnavailableException(
                ErrorCode.BUSY, "sequence " + name + " was changed by others " + ATTEMPTS + " times in a row");
    }

    private StoreUnavailableException wentBack() {
        return new StoreUnavailableException(
                ErrorCode.STORE_WENT_BACK,
                "the store holds an older state of sequence " + name + " than this process has seen");
    }

    private StoreUnavailableException outcomeUnknown(Throwable cause) {
        return new StoreUnavailableException(
                ErrorCode.OUTCOME_UNKNOWN,
                "the change of sequence " + name + " was sent, but whether it was applied is not known",
                cause);
    }
}
