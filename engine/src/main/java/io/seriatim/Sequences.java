package io.seriatim;

import static java.util.Comparator.comparingLong;

import io.seriatim.store.Change;
import io.seriatim.store.CounterKey;
import io.seriatim.store.CounterRow;
import io.seriatim.store.CounterStore;
import io.seriatim.store.DefinitionRow;
import io.seriatim.store.StoreException;
import io.seriatim.store.WriteOutcome;
import io.seriatim.store.WriterMark;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BinaryOperator;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The sequences of one store: where everything begins.
 *
 * <p>Safe for use by many threads. Open it once for a store in a process; two of it on one store are as safe
 * as two processes.
 */
public final class Sequences implements AutoCloseable {

    /** How long a call waits for the store unless said otherwise. */
    public static final Duration MAX_WAIT = Duration.ofSeconds(5);

    /** Counters kept in memory, give or take; the ones that rest are closed cleanly to make room. */
    private static final int MAX_OPEN = 100_000;

    /** How long a node with a block may go on after the sequence was changed elsewhere, and the store's answer. */
    private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(1);

    /** Answers to keys that a store keeps, some hundred bytes each. */
    private static final long MAX_KEYS = 1_000_000;

    /** Rows that are read at once. */
    private static final int PAGE = 1_000;

    /** Each one more than the first is for a drop by another process that came between. */
    private static final int DEFINE_ATTEMPTS = 10;

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.-]{0,127}");

    private final CountedStore store;
    private final Environment environment;
    private final @Nullable AutoCloseable ownEnvironment;
    private final long maxWaitNanos;
    private final int maxOpen;
    private final WriterMarks marks;
    private final StoreCalls calls;
    private final RequestKeys keys;
    private final Notices notices;
    private final ConcurrentHashMap<CounterName, Supply> supplies = new ConcurrentHashMap<>();
    private final ClockHand hand;
    private final Endings endings = new Endings();
    private volatile boolean closed;

    private final LongAdder skipped = new LongAdder();
    private final LongAdder missedLooks = new LongAdder();

    /** A supply leaves the map, and its count goes into {@code issuedByGone}, in one step under this lock. */
    private final Object leaving = new Object();

    private long issuedByGone;

    private Sequences(
            CounterStore store,
            Environment environment,
            @Nullable AutoCloseable ownEnvironment,
            Duration maxWait,
            int maxOpen,
            long maxKeys) {
        if (maxWait.isNegative() || maxWait.isZero()) {
            throw new IllegalArgumentException("maxWait must be positive: maxWait=" + maxWait);
        }
        this.store = new CountedStore(store);
        this.environment = environment;
        this.ownEnvironment = ownEnvironment;
        this.maxWaitNanos = maxWait.toNanos();
        this.maxOpen = maxOpen;
        this.hand = new ClockHand(supplies, maxOpen);
        this.marks = new WriterMarks(environment.random());
        this.calls = new StoreCalls(environment, maxWait);
        this.keys = new RequestKeys(this.store, environment, calls, maxKeys);
        this.notices = new Notices(this.store, marks);
        if (store.isShared()) {
            environment.after(BETWEEN_LOOKS, this::lookForNotices);
        }
    }

    /** Opens the sequences of a store with the real clocks and threads, waiting {@link #MAX_WAIT} at most. */
    public static Sequences on(CounterStore store) {
        return on(store, MAX_WAIT);
    }

    /**
     * Opens the sequences of a store with the real clocks and threads.
     *
     * @param maxWait how long a call waits for the store at most; positive
     */
    public static Sequences on(CounterStore store, Duration maxWait) {
        SystemEnvironment environment = new SystemEnvironment();
        return new Sequences(store, environment, environment, maxWait, MAX_OPEN, MAX_KEYS);
    }

    /** Opens the sequences of a store with clocks and threads from outside. */
    public static Sequences on(CounterStore store, Environment environment, Duration maxWait) {
        return new Sequences(store, environment, null, maxWait, MAX_OPEN, MAX_KEYS);
    }

    static Sequences on(CounterStore store, Environment environment, Duration maxWait, int maxOpen, long maxKeys) {
        return new Sequences(store, environment, null, maxWait, maxOpen, maxKeys);
    }

    /**
     * Returns the sequence of this name, creating it if there is none; durable on return.
     *
     * @param name {@code [A-Za-z0-9][A-Za-z0-9_.-]{0,127}}, case-sensitive
     * @throws BadDefinitionException if name or definition break a rule; final
     * @throws SequenceConflictException ALREADY_EXISTS if there is one with another definition, NAME_CASE if
     *     there is one whose name differs only by case; final
     */
    public Sequence define(String name, SequenceDefinition definition) {
        return define(name, definition, Author.NOBODY);
    }

    /**
     * The same, signed: if the sequence is created, the audit trail says by whom, and why.
     *
     * @throws BadDefinitionException as {@link #define(String, SequenceDefinition)}
     * @throws SequenceConflictException as {@link #define(String, SequenceDefinition)}
     */
    public Sequence define(String name, SequenceDefinition definition, Author author) {
        Definition wanted = checked(name, definition);
        for (int attempt = 1; ; attempt++) {
            Optional<Sequence> created = tryCreate(name, wanted, author);
            try {
                return created.orElseGet(() -> existing(name, wanted));
            } catch (SequenceNotFoundException e) { // dropped by others since it was found, or since it was opened here
                if (attempt == DEFINE_ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    private Sequence existing(String name, Definition wanted) {
        Sequence existing = get(name);
        if (!existing.state().definition().equals(wanted.asWish())) {
            throw new SequenceConflictException(
                    ErrorCode.ALREADY_EXISTS, "sequence " + name + " exists with another definition");
        }
        return existing;
    }

    /**
     * Creates a sequence; durable on return.
     *
     * @throws BadDefinitionException if name or definition break a rule; final
     * @throws SequenceConflictException ALREADY_EXISTS if there is one, whatever its definition, NAME_CASE if
     *     there is one whose name differs only by case; final
     */
    public Sequence create(String name, SequenceDefinition definition) {
        return create(name, definition, Author.NOBODY);
    }

    /**
     * The same, signed: the audit trail says by whom it was created, and why.
     *
     * @throws BadDefinitionException as {@link #create(String, SequenceDefinition)}
     * @throws SequenceConflictException as {@link #create(String, SequenceDefinition)}
     */
    public Sequence create(String name, SequenceDefinition definition, Author author) {
        return tryCreate(name, checked(name, definition), author)
                .orElseThrow(
                        () -> new SequenceConflictException(ErrorCode.ALREADY_EXISTS, "sequence " + name + " exists"));
    }

    /** Returns the sequence of this name. */
    public Optional<Sequence> find(String name) {
        requireOpen();
        requireName(name);
        CounterName counter = CounterName.of(name);
        Optional<Sequence> live = findOpen(counter);
        return live.isPresent() ? live : load(counter);
    }

    /** A counter of one sequence, and not of another that has its name since it was dropped, or had it before. */
    Optional<Sequence> find(CounterName counter, long sequenceId) {
        Optional<Sequence> live = findOpen(counter).filter(found -> found.sequenceId() == sequenceId);
        return live.isPresent() ? live : load(counter).filter(found -> found.sequenceId() == sequenceId);
    }

    /**
     * Returns the sequence of this name if this process has it in memory; never waits for the store. Empty
     * says nothing of whether there is one.
     */
    public Optional<Sequence> findOpen(String name) {
        requireOpen();
        requireName(name);
        return findOpen(CounterName.of(name));
    }

    Optional<Sequence> findOpen(CounterName counter) {
        Supply live = supplies.get(counter.folded());
        return live != null && !live.isOver() && live.name().equals(counter.sequence())
                ? Optional.of(new Sequence(this, counter, live))
                : Optional.empty();
    }

    /**
     * Returns the sequence of this name.
     *
     * @throws SequenceNotFoundException if there is none; final
     */
    public Sequence get(String name) {
        return find(name).orElseThrow(() -> new SequenceNotFoundException(name));
    }

    /**
     * Returns the states of sequences in order of name, ignoring case.
     *
     * @param prefix what the names begin with; empty for all
     * @param after the name behind which to begin; empty to begin with the first
     * @param limit most to return, at least 1
     * @throws IllegalArgumentException if a text holds U+0000 or half a surrogate pair, which no store keeps
     */
    public List<SequenceState> list(String prefix, String after, int limit) {
        requireOpen();
        DefinitionRow.fold(prefix); // a caller's mistake is thrown here, not on the store's thread
        DefinitionRow.fold(after);
        return calls.read(() -> loadAll(prefix, after, limit)).stream()
                .map(stored -> findOpen(stored.row().name())
                        .filter(open -> open.sequenceId() == stored.row().sequenceId())
                        .flatMap(Sequences::stateUnlessDropped)
                        .orElseGet(() -> stored.state(stored.position())))
                .toList();
    }

    /**
     * Returns who changed the definitions under a name, when and why, in order of the index: from its first definition
     * on, over drops and creating anew, also while there is no sequence of the name. Names that differ only by case have
     * one trail.
     *
     * @param afterIndex the index behind which to begin; 0 to begin with the first
     * @param limit most to return, at least 1
     * @throws SequenceNotFoundException if no sequence ever had this name; final
     * @throws BadDefinitionException if the name breaks a rule; final
     * @throws StoreUnavailableException also STORE_CORRUPT if an entry is not understood
     */
    public List<AuditEntry> audit(String name, long afterIndex, int limit) {
        requireOpen();
        requireName(name);
        if (afterIndex < 0 || limit < 1) {
            throw new IllegalArgumentException(
                    "afterIndex must be at least 0, limit at least 1: afterIndex=" + afterIndex + " limit=" + limit);
        }
        return calls.read(() -> {
            if (store.findDefinition(name).isEmpty()) { // a drop leaves a tombstone
                throw new SequenceNotFoundException(name);
            }
            return afterIndex == Long.MAX_VALUE
                    ? List.of()
                    : store.listLedger(AuditTrail.key(name), afterIndex + 1, limit).stream()
                            .map(AuditTrail::entry)
                            .toList();
        });
    }

    void requireNoReservations(Sequence sequence) {
        if (!sequence.definition().contract().equals(Optional.of(Contract.GAPLESS))) {
            return;
        }
        boolean open = calls.read(() -> {
            Optional<CounterKey> after = Optional.empty();
            List<CounterRow> page = store.listCounters(sequence.sequenceId(), after, PAGE);
            while (!page.isEmpty()) {
                if (page.stream()
                        .anyMatch(row -> !Account.parse(row.account()).open().isEmpty())) {
                    return true;
                }
                after = Optional.of(page.get(page.size() - 1).key());
                page = store.listCounters(sequence.sequenceId(), after, PAGE);
            }
            return false;
        });
        if (open) {
            throw ReservationException.open(sequence.name());
        }
    }

    List<CounterState> counters(Sequence sequence, Optional<CounterState> after, int limit) {
        Optional<CounterKey> behind =
                after.map(state -> new CounterKey(sequence.sequenceId(), state.scope(), state.period()));
        return calls.read(() -> {
            DefinitionRow row = store.findDefinition(sequence.name())
                    .filter(found -> !found.dropped() && found.sequenceId() == sequence.sequenceId())
                    .orElseThrow(() -> new SequenceNotFoundException(sequence.name()));
            return store.listCounters(sequence.sequenceId(), behind, limit).stream()
                    .map(counter -> CounterState.of(Stored.of(row, counter)))
                    .toList();
        });
    }

    private List<Stored> loadAll(String prefix, String after, int limit) {
        List<Stored> all = new ArrayList<>();
        for (DefinitionRow row : store.listDefinitions(prefix, after, limit)) {
            store.findCounter(CounterKey.of(row.sequenceId())).ifPresent(counter -> all.add(Stored.of(row, counter)));
        }
        return all;
    }

    /** A sequence that is dropped while it is listed is shown as it was. */
    private static Optional<SequenceState> stateUnlessDropped(Sequence sequence) {
        try {
            return Optional.of(sequence.state());
        } catch (SequenceNotFoundException dropped) {
            return Optional.empty();
        }
    }

    /** Why the store has stopped for good; empty while it works. Never waits. */
    public Optional<StoreUnavailableException> failure() {
        return store.failure().map(StoreTrouble::of);
    }

    /**
     * Returns what was done since these sequences were opened. Counts nothing while numbers are handed out: it
     * adds up where each open sequence stands, which takes some milliseconds where there are many.
     */
    public Statistics statistics() {
        long issued;
        long openSequences = 0;
        synchronized (leaving) {
            issued = issuedByGone;
            for (Supply supply : supplies.values()) {
                issued += supply.issued();
                openSequences += supply.isOver() ? 0 : 1;
            }
        }
        return store.statistics(openSequences, issued, skipped.sum(), missedLooks.sum());
    }

    /**
     * Returns the sequences of which a counter has no more values left than {@link SequenceDefinition#warnAt} says: one
     * warning a sequence, for the counter with fewest, and those with fewest first. Never waits for the store: it looks
     * at the counters in memory, as this process knows them, which takes some milliseconds where there are many.
     */
    public List<Warning> warnings() {
        return warnings(warning -> true);
    }

    /**
     * The same, without the counters that nobody is to be warned of.
     *
     * @param which says of whom
     */
    public List<Warning> warnings(Predicate<Warning> which) {
        Map<String, Warning> fewest = new HashMap<>();
        for (Supply supply : supplies.values()) {
            supply.warning()
                    .filter(which)
                    .ifPresent(warning -> fewest.merge(
                            warning.sequence(), warning, BinaryOperator.minBy(comparingLong(Warning::remaining))));
        }
        return fewest.values().stream()
                .sorted(comparingLong(Warning::remaining).thenComparing(Warning::sequence))
                .toList();
    }

    /**
     * Refuses new calls, gives unused values back, and closes the store. What cannot be given back within the
     * wait of a call is skipped, as after a crash. May be called twice.
     */
    @Override
    public void close() {
        List<Supply> open;
        synchronized (leaving) { // a supply comes into the map before this, or not at all
            if (closed) {
                return;
            }
            closed = true;
            open = List.copyOf(supplies.values());
        }
        long deadline = environment.nanoTime() + maxWaitNanos;
        open.forEach(Supply::beginClose);
        open.forEach(supply -> supply.closeBy(deadline));
        store.close();
        closeOwnEnvironment();
    }

    private void closeOwnEnvironment() {
        if (ownEnvironment != null) {
            try {
                ownEnvironment.close();
            } catch (Exception e) {
                throw new IllegalStateException("the environment could not be closed", e);
            }
        }
    }

    // ---- creating and opening

    private Definition checked(String name, SequenceDefinition definition) {
        requireOpen();
        requireName(name);
        return Definition.of(definition);
    }

    private static void requireName(String name) {
        if (!NAME.matcher(name).matches()) {
            throw new BadDefinitionException(
                    ErrorCode.BAD_NAME, "name", "a name must be [A-Za-z0-9][A-Za-z0-9_.-]{0,127}");
        }
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException("these sequences are closed");
        }
    }

    /** Empty if there is one of this name. */
    private Optional<Sequence> tryCreate(String name, Definition definition, Author author) {
        long seen = endings.seen(name);
        return calls.write("definition of sequence " + name, () -> createRows(name, definition, author))
                .map(stored -> open(stored, seen).orElseGet(() -> get(name)));
    }

    private Optional<Stored> createRows(String name, Definition definition, Author author) {
        Optional<DefinitionRow> found = store.findDefinition(name);
        for (; ; ) {
            if (found.isPresent() && !found.get().dropped()) {
                requireSameCase(name, found.get());
                return Optional.empty();
            }
            WriterMark mark = marks.next();
            DefinitionRow row = Stored.first(name, newSequenceId(), found, definition, environment.now(), mark);
            CounterRow counter = new CounterRow(
                    CounterKey.of(row.sequenceId()), row.generation(), 0, definition.start(), true, 1, mark);
            WriteOutcome outcome = store.apply(Change.of(counter).with(row).with(AuditTrail.defined(row, author)));
            if (outcome instanceof WriteOutcome.Applied) {
                return Optional.of(new Stored(row, definition, counter));
            }
            if (outcome instanceof WriteOutcome.Refused refused
                    && refused.definition().equals(found)
                    && refused.counter().isEmpty()) {
                throw AuditTrail.inTheWay(row);
            }
            if (outcome instanceof WriteOutcome.Unknown unknown) {
                proveDefined(name, mark, unknown.cause());
                return Optional.of(new Stored(row, definition, counter));
            }
            found = store.findDefinition(name);
        }
    }

    /** Returns if a definition whose answer was lost is in the store; what has kept it from being seen is the cause. */
    private void proveDefined(String name, WriterMark mark, Throwable lost) {
        Throwable cause = lost;
        try {
            if (store.findDefinition(name)
                    .filter(row -> row.mark().equals(mark))
                    .isPresent()) {
                return;
            }
        } catch (StoreException e) {
            cause = e;
        }
        throw new StoreUnavailableException(
                ErrorCode.OUTCOME_UNKNOWN,
                "the definition of sequence " + name + " was sent, but whether it was applied is not known",
                cause);
    }

    /** Not that of the audit trails. */
    private long newSequenceId() {
        long id = environment.random() & Long.MAX_VALUE;
        return id == AuditTrail.SEQUENCE_ID ? 1 : id;
    }

    private Optional<Sequence> load(CounterName counter) {
        for (; ; ) {
            Supply present = supplies.get(counter.folded());
            if (present != null && present.isOver()) {
                present.awaitClosed(environment.nanoTime() + maxWaitNanos);
            }
            long seen = endings.seen(counter.sequence());
            Optional<Stored> stored = calls.read(() -> readRows(counter));
            if (stored.isEmpty()) {
                return Optional.empty();
            }
            Optional<Sequence> opened = open(stored.get(), seen);
            if (opened.isPresent()) {
                return opened;
            }
        }
    }

    /** Reads both rows of a counter of a live sequence. A counter of a scope or period need not have a row yet. */
    private Optional<Stored> readRows(CounterName counter) {
        Optional<DefinitionRow> row = store.findDefinition(counter.sequence()).filter(found -> !found.dropped());
        if (row.isEmpty() || !row.get().name().equals(counter.sequence())) {
            return Optional.empty();
        }
        CounterKey key = counter.key(row.get().sequenceId());
        Optional<CounterRow> found = store.findCounter(key);
        return counter.isOnly()
                ? found.map(present -> Stored.of(row.get(), present))
                : Optional.of(Stored.of(row.get(), key, found));
    }

    private static void requireSameCase(String name, DefinitionRow found) {
        if (!found.name().equals(name)) {
            throw new SequenceConflictException(
                    ErrorCode.NAME_CASE, "sequence " + found.name() + " differs from " + name + " only by case");
        }
    }

    /**
     * One supply a sequence, whoever comes first. Empty if a supply of it has ended since the rows were read: what it
     * gave back is not in them, and a new one would show values as taken that nobody has.
     *
     * @param seen the endings before the rows were read
     */
    private Optional<Sequence> open(Stored stored, long seen) {
        String name = stored.row().name();
        long sequenceId = stored.row().sequenceId();
        CounterName counter = CounterName.of(name, stored.counter().key());
        Supply supply;
        synchronized (leaving) {
            requireOpen();
            supply = supplies.compute(counter.folded(), (key, present) -> {
                boolean isOpen = present != null && present.sequenceId() == sequenceId && !present.isClosed();
                if (isOpen || endings.seen(name) != seen) {
                    return present;
                }
                if (present != null) {
                    present.beginClose(); // of a sequence that another process has dropped
                    issuedByGone += present.issued();
                }
                return supplyOf(stored);
            });
        }
        if (supply == null || supply.sequenceId() != sequenceId || supply.isOver()) {
            return Optional.empty();
        }
        if (supplies.size() > maxOpen) {
            makeRoom(supply);
        }
        return Optional.of(new Sequence(this, counter, supply));
    }

    private Supply supplyOf(Stored stored) {
        String name = stored.row().name();
        CounterWriter writer = new CounterWriter(name, store, environment, marks, notices);
        return Supply.of(stored, writer, environment, maxWaitNanos, new Skipped(skipped), () -> endings.add(name));
    }

    /** Runs on a thread of the environment every second, as long as these sequences are open. */
    private void lookForNotices() {
        if (closed) {
            return;
        }
        try {
            notices.look(this::meetChanges);
        } catch (StoreException | SequenceException e) {
            missedLooks.increment(); // what was to be met stays new for the next look
        } finally {
            environment.after(BETWEEN_LOOKS, this::lookForNotices);
        }
    }

    /** All of them, also behind one that is in trouble: others wait for what each of them has. */
    private void meetChanges() {
        List<SequenceException> troubles = new ArrayList<>();
        for (Supply supply : supplies.values()) {
            try {
                supply.meetChange();
            } catch (SequenceNotFoundException | Supply.Gone e) {
                // It has come to its end, and hands out nothing more.
            } catch (SequenceException e) {
                troubles.add(e);
            }
        }
        if (!troubles.isEmpty()) {
            throw troubles.get(0);
        }
    }

    /** The name of this engine among those that share its store; another one each time a store is opened. */
    public String node() {
        return marks.node();
    }

    /** Draws with transactions of the user; empty where the store has none. */
    Optional<DrawInTransaction> inTransactions() {
        requireOpen();
        return store.inTransactions().map(each -> new DrawInTransaction(each, environment, marks));
    }

    RequestKeys keys() {
        requireOpen();
        return keys;
    }

    /** The supply that has taken the place of a closed one. */
    Supply supplyAfter(Supply gone, CounterName counter, long sequenceId) {
        requireOpen();
        gone.awaitClosed(environment.nanoTime() + maxWaitNanos);
        remove(counter.folded(), gone);
        return load(counter)
                .filter(sequence -> sequence.sequenceId() == sequenceId)
                .orElseThrow(() -> new SequenceNotFoundException(counter.sequence()))
                .supply();
    }

    /**
     * Closes the counters of a sequence but one, for its definition has changed: they are opened anew with the next
     * call. One that is being opened meanwhile from rows read before notices that something has ended.
     */
    void closeOtherCounters(Supply changed) {
        endings.add(changed.name());
        long deadline = environment.nanoTime() + maxWaitNanos;
        for (var entry : supplies.entrySet()) {
            Supply supply = entry.getValue();
            if (supply != changed && supply.sequenceId() == changed.sequenceId()) {
                supply.beginClose();
                if (supply.isClosedBy(deadline)) { // the change is made: one that is late must not make it seem to fail
                    remove(entry.getKey(), supply);
                }
            }
        }
    }

    /** Ends every counter of a sequence that another process has dropped, as a call on one of them has found out. */
    void endDropped(Supply found) {
        found.endDropped();
        for (Supply supply : supplies.values()) {
            if (supply.sequenceId() == found.sequenceId()) {
                supply.endDropped();
            }
        }
    }

    /** The wall clock of the environment: what a number without a date of its own is printed with. */
    public Instant now() {
        return environment.now();
    }

    private void remove(CounterName folded, Supply supply) {
        synchronized (leaving) {
            if (supplies.remove(folded, supply)) {
                issuedByGone += supply.issued();
            }
        }
    }

    /** Counters are opened no faster than others are closed, which may take a write of the store. */
    private void makeRoom(Supply spared) {
        long deadline = environment.nanoTime() + maxWaitNanos;
        for (var closing : hand.closeSome(spared)) {
            if (closing.getValue().isClosedBy(deadline)) {
                remove(closing.getKey(), closing.getValue());
            }
        }
    }
}
