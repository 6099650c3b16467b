package io.seriatim.eventlog.application;

import io.seriatim.Environment;
import io.seriatim.ErrorCode;
import io.seriatim.SystemEnvironment;
import io.seriatim.eventlog.EventLogException;
import io.seriatim.eventlog.LogCheck;
import io.seriatim.store.ApplicationRow;
import io.seriatim.store.ClusterStore;
import io.seriatim.store.EventLogStore;
import io.seriatim.store.LogOutcome;
import io.seriatim.store.PartitionKey;
import io.seriatim.store.PartitionStore;
import io.seriatim.store.StoreException;
import io.seriatim.store.WriterMark;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The applications of a store: deploys them, and runs those that are deployed. Closing it closes the store.
 *
 * <p>Several processes can share a store if each says so ({@link #sharing}): then every partition runs in one of them, and
 * what one deploys reaches the others within about a second.
 *
 * <p>Safe for use by many threads.
 */
public final class Applications implements AutoCloseable {

    /**
     * What came of a deployment.
     *
     * @param created whether the application was not deployed before
     */
    public record Deployment(Application application, boolean created) {}

    /** Partitions that are rebuilt at a time. */
    private static final int REBUILDS = 2;

    private final EventLogStore store;
    private final ApplicationSettings settings;
    private final Environment environment;
    private final Runnable closeEnvironment;
    private final long writer;
    private final Semaphore rebuilds = new Semaphore(REBUILDS);

    /** Held while applications come, change and go. */
    private final ReentrantLock deploying = new ReentrantLock();

    private final Map<String, ApplicationRow> rows = new HashMap<>();
    private volatile Map<String, Application> running = Map.of();
    private long writes;
    private volatile boolean closed;

    /** The partitions that are to run here, deployed or not. Written while {@code deploying} is held. */
    private final Set<PartitionKey> held = ConcurrentHashMap.newKeySet();

    /** Whether other processes run partitions too. */
    private final boolean sharing;

    private volatile @Nullable Membership membership;

    private Applications(
            EventLogStore store,
            ApplicationSettings settings,
            Environment environment,
            Runnable closeEnvironment,
            boolean sharing) {
        if (settings.trustLevel() == TrustLevel.TRUST_ALL && !store.enforcesEpoch()) {
            throw new IllegalArgumentException(
                    "trust level TRUST_ALL writes over whatever is there, and this store does not"
                            + " refuse a writer that has lost its partition: an acknowledged event could be replaced");
        }
        this.store = store;
        this.settings = settings;
        this.environment = environment;
        this.closeEnvironment = closeEnvironment;
        this.sharing = sharing;
        writer = environment.random();
    }

    /**
     * Runs the applications that are deployed in a store; their logs are read in the background. If it throws, nothing runs,
     * and the store is left open.
     *
     * @throws StoreException if the store cannot be read
     */
    public static Applications on(EventLogStore store) {
        SystemEnvironment environment = new SystemEnvironment();
        return start(new Applications(store, ApplicationSettings.usual(), environment, environment::close, false));
    }

    /**
     * The same with settings, and with an environment that is not closed.
     *
     * @throws IllegalArgumentException if the trust level is TRUST_ALL and the store does not enforce epochs
     * @throws EventLogException BUSY, STORE_UNAVAILABLE, OUTCOME_UNKNOWN if an application gets a projector, and that could not
     *     be written: may be retried
     */
    public static Applications on(EventLogStore store, ApplicationSettings settings, Environment environment) {
        return start(new Applications(store, settings, environment, () -> {}, false));
    }

    /**
     * Runs some of the applications' partitions, and leaves the rest to the other processes that share the store: each
     * partition has one owner, they are spread evenly over those that live, handed over at once by one that is closed, and
     * taken over from one that has died when its lease is over. The environment is not closed.
     *
     * @param cluster where the processes find each other; of the same database as the store
     * @throws IllegalArgumentException if the trust level is TRUST_ALL and the store does not enforce epochs
     * @throws StoreException if the store cannot be read, or the others cannot be told of this process
     */
    public static Applications sharing(
            EventLogStore store,
            ClusterStore cluster,
            ClusterMember self,
            ApplicationSettings settings,
            Environment environment) {
        return sharing(store, cluster, self, settings, environment, event -> {});
    }

    /**
     * The same, and tells what becomes of the processes and their partitions.
     *
     * @param listener is called by threads of the environment, one event after another but for troubles and pauses, which
     *     come at any time: it must be short and must not throw
     */
    public static Applications sharing(
            EventLogStore store,
            ClusterStore cluster,
            ClusterMember self,
            ApplicationSettings settings,
            Environment environment,
            Consumer<ClusterEvent> listener) {
        Applications applications = start(new Applications(store, settings, environment, () -> {}, true));
        applications.membership = Membership.join(cluster, self, environment, applications.new Here(), listener);
        return applications;
    }

    private static Applications start(Applications applications) {
        boolean started = false;
        try {
            applications.runDeployed();
            started = true;
            return applications;
        } finally {
            if (!started) {
                applications.stop();
                applications.closeEnvironment.run();
            }
        }
    }

    private void runDeployed() {
        List<ApplicationRow> deployed = new ArrayList<>();
        for (ApplicationRow row : store.applications()) {
            rows.put(row.name(), row);
            if (schemaOf(row).deployed()) { // all are understood before one of them begins
                deployed.add(row);
            }
        }
        for (ApplicationRow row : deployed) {
            run(row.name(), open(withProjectors(row)));
        }
    }

    /** The application with the projectors that this process brings; written down before any of them is called. */
    private Schema withProjectors(ApplicationRow row) {
        Schema stored = schemaOf(row);
        Schema schema = stored.withProjectors(brought(row.name()));
        if (!schema.equals(stored)) {
            write(schema, Optional.of(row));
        }
        return schema;
    }

    private List<String> brought(String name) {
        return Projectors.names(settings.projectors().getOrDefault(name, List.of()));
    }

    private static Schema schemaOf(ApplicationRow row) {
        try {
            return SchemaCodec.decode(row.id(), row.name(), row.body());
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw new StoreException(
                    StoreException.Kind.CORRUPT,
                    "application " + row.name() + " is not understood: " + e.getMessage(),
                    e);
        }
    }

    private Application open(Schema schema) {
        return Application.open(
                schema,
                store,
                settings,
                environment,
                rebuilds,
                sharing ? new Others() : Whereabouts.ALONE,
                partition -> !sharing || held.contains(new PartitionKey(schema.id(), partition)));
    }

    /**
     * The check of a partition of a store, deployed or not; nothing is taken and nothing changed. Bodies are compared where
     * the store has an application to read them by.
     *
     * @throws StoreException if the store cannot be read
     */
    public static LogCheck check(EventLogStore store, PartitionKey key, Environment environment) {
        PartitionStore partition = store.partition(key);
        return store.applications().stream()
                .filter(row -> row.id() == key.application())
                .findFirst()
                .map(row -> BodyCheck.of(partition, new Schema.Index(schemaOf(row)), environment))
                .orElseGet(() -> LogCheck.of(partition, environment));
    }

    // ---- what runs

    /** The deployed applications in order of their names. */
    public List<Application> list() {
        return List.copyOf(new TreeMap<>(running).values());
    }

    public Optional<Application> find(String name) {
        return Optional.ofNullable(running.get(name));
    }

    /**
     * A deployed application.
     *
     * @throws EventLogException NOT_FOUND if none of this name is deployed
     */
    public Application get(String name) {
        return find(name)
                .orElseThrow(() ->
                        new EventLogException(ErrorCode.NOT_FOUND, "no application of this name is deployed: " + name));
    }

    public TrustLevel trustLevel() {
        return settings.trustLevel();
    }

    /** What is known of the processes that share the store; empty where this one does not share it. Never waits. */
    public Optional<ClusterState> cluster() {
        return Optional.ofNullable(membership).map(Membership::state);
    }

    /**
     * Looks what other processes have deployed, before somebody is told that an application, kind or type is not known. Is
     * done within a tenth of a second where nothing is in the way, without result; at once where the store is not shared;
     * with a {@link StoreException} if that cannot be read. However many ask, it is read no more than ten times a second.
     */
    public CompletableFuture<Void> lookAgain() {
        Membership present = membership;
        return present == null || closed
                ? CompletableFuture.completedFuture(null)
                : present.nextLook().copy();
    }

    // ---- deploying

    /**
     * Deploys an application, again or for the first time. What was issued stays: kinds, sequences and types may be added,
     * initial values and maxima raised. Its partitions are closed and opened anew, unless nothing has changed.
     *
     * @throws ApplicationException BAD_OPTION, BAD_NAME, NAME_CASE: final
     * @throws EventLogException ALREADY_EXISTS, WOULD_REPEAT, NAME_CASE, CLOSED: final; BUSY if another process has deployed
     *     it meanwhile, STORE_UNAVAILABLE: may be retried; OUTCOME_UNKNOWN: look, then decide
     */
    public Deployment deploy(String name, ApplicationDefinition definition) {
        Deployment deployment = deployHere(name, definition);
        look();
        return deployment;
    }

    /** Partitions that nobody has are taken now rather than with the next look. */
    private void look() {
        Membership present = membership;
        if (present != null) {
            present.look();
        }
    }

    private Deployment deployHere(String name, ApplicationDefinition definition) {
        deploying.lock();
        try {
            requireOpen();
            if (sharing) {
                readRows();
            }
            requireName(name);
            Optional<ApplicationRow> row = Optional.ofNullable(rows.get(name));
            Optional<Schema> before = row.map(Applications::schemaOf);
            Schema schema = (before.isEmpty()
                            ? Deploying.first(newId(), name, definition)
                            : Deploying.next(before.get(), definition))
                    .withProjectors(brought(name));
            Application there = running.get(name);
            if (there != null
                    && before.isPresent()
                    && before.get().equals(schema)
                    && there.schema().equals(schema)) {
                return new Deployment(there, false);
            }
            return new Deployment(replace(schema, row, there), there == null);
        } finally {
            deploying.unlock();
        }
    }

    /**
     * The old partitions stop first: two owners of one would fence each other. Until the new ones are there, callers are told
     * that these are closed, and not that there is no such application.
     */
    private Application replace(Schema schema, Optional<ApplicationRow> row, @Nullable Application there) {
        if (there != null) {
            there.close();
        }
        boolean written = false;
        try {
            write(schema, row);
            written = true;
        } finally {
            if (!written && there != null) {
                run(schema.name(), open(there.schema()));
            }
        }
        Application application = open(schema);
        run(schema.name(), application);
        return application;
    }

    private void run(String name, @Nullable Application application) {
        Map<String, Application> now = new HashMap<>(running);
        if (application == null) {
            now.remove(name);
        } else {
            now.put(name, application);
        }
        running = Map.copyOf(now);
    }

    /**
     * Stops an application's partitions, here and after restarts. What is in its logs stays.
     *
     * @return whether it was deployed
     * @throws EventLogException as {@link #deploy}
     */
    public boolean undeploy(String name) {
        deploying.lock();
        try {
            requireOpen();
            if (sharing) {
                refresh();
            }
            Application there = running.get(name);
            if (there == null) {
                return false;
            }
            Optional<ApplicationRow> row = Optional.ofNullable(rows.get(name));
            Schema stored = row.map(Applications::schemaOf).orElse(there.schema());
            write(stored.withDeployed(false), row);
            run(name, null);
            there.close();
            return true;
        } finally {
            deploying.unlock();
        }
    }

    /**
     * Takes a projector off an application, for good: from now on events are applied without it. For a process that does
     * not have it.
     *
     * @throws EventLogException NOT_FOUND if the application or its projector is not there, BAD_REQUEST if this process has
     *     the projector: final; and as {@link #deploy}
     */
    public void giveUp(String name, String projector) {
        deploying.lock();
        try {
            requireOpen();
            Application there = get(name);
            Optional<ApplicationRow> row = Optional.ofNullable(rows.get(name));
            Schema stored = row.map(Applications::schemaOf).orElse(there.schema());
            if (!stored.projectors().contains(projector)) {
                throw new EventLogException(
                        ErrorCode.NOT_FOUND, "application " + name + " has no projector of this name: " + projector);
            }
            if (brought(name).contains(projector)) {
                throw new EventLogException(
                        ErrorCode.BAD_REQUEST, "this process has the projector, and would bring it back: " + projector);
            }
            Application unused = replace(stored.withoutProjector(projector), row, there);
        } finally {
            deploying.unlock();
        }
    }

    private void requireOpen() {
        if (closed) {
            throw new EventLogException(ErrorCode.CLOSED, "the applications are closed");
        }
    }

    private void requireName(String name) {
        if (!Deploying.isName(name)) {
            throw new ApplicationException(
                    ErrorCode.BAD_NAME,
                    "name",
                    "letters, digits and . _ - after a letter or digit, at most 128: " + name);
        }
        for (String other : rows.keySet()) {
            if (other.equalsIgnoreCase(name) && !other.equals(name)) {
                throw new EventLogException(
                        ErrorCode.NAME_CASE, "there is an application whose name differs only by case: " + other);
            }
        }
    }

    private int newId() {
        return 1 + rows.values().stream().mapToInt(ApplicationRow::id).max().orElse(0);
    }

    private void write(Schema schema, Optional<ApplicationRow> before) {
        ApplicationRow row = new ApplicationRow(
                schema.id(),
                schema.name(),
                1 + before.map(ApplicationRow::revision).orElse(0L),
                new WriterMark(writer, ++writes),
                SchemaCodec.encode(schema));
        LogOutcome outcome;
        try {
            outcome = store.write(row);
        } catch (StoreException e) {
            throw new EventLogException(ErrorCode.of(e.kind()), "nothing was deployed: " + e.getMessage(), e);
        }
        if (outcome instanceof LogOutcome.Applied) {
            rows.put(row.name(), row);
            return;
        }
        EventLogException notOurs = outcome instanceof LogOutcome.Unknown
                ? new EventLogException(ErrorCode.OUTCOME_UNKNOWN, "whether it was deployed is not known")
                : new EventLogException(ErrorCode.BUSY, "another process has deployed it meanwhile");
        try {
            readRows();
        } catch (StoreException e) {
            notOurs.addSuppressed(e);
            throw notOurs;
        }
        if (!row.equals(rows.get(row.name()))) {
            throw notOurs;
        }
    }

    private void readRows() {
        List<ApplicationRow> now = store.applications();
        rows.clear();
        now.forEach(row -> rows.put(row.name(), row));
    }

    // ---- several processes

    /** Runs what is deployed now. Only while {@code deploying} is held. */
    private void refresh() {
        readRows();
        for (ApplicationRow row : rows.values()) {
            Schema schema = schemaOf(row);
            Application there = running.get(schema.name());
            if (there == null ? schema.deployed() : !there.schema().equals(schema)) {
                if (there != null) {
                    there.close();
                }
                run(schema.name(), schema.deployed() ? open(schema) : null);
            }
        }
    }

    private Optional<Application> find(PartitionKey key) {
        return running.values().stream()
                .filter(each -> each.id() == key.application())
                .findFirst();
    }

    /** What this process runs, by the word of {@link Membership}. */
    private final class Here implements Hosting {

        @Override
        public void refresh() {
            deploying.lock();
            try {
                if (!closed) {
                    Applications.this.refresh();
                }
            } finally {
                deploying.unlock();
            }
        }

        @Override
        public List<PartitionKey> partitions() {
            return running.values().stream()
                    .sorted(Comparator.comparingInt(Application::id))
                    .flatMap(each -> IntStream.range(0, each.schema().partitions())
                            .mapToObj(number -> new PartitionKey(each.id(), number)))
                    .toList();
        }

        @Override
        public String name(PartitionKey key) {
            return Applications.this.find(key).map(Application::name).orElseGet(() -> "#" + key.application());
        }

        @Override
        public Set<PartitionKey> running() {
            return Set.copyOf(held);
        }

        @Override
        public void open(PartitionKey key) {
            deploying.lock();
            try {
                if (!closed) {
                    held.add(key);
                    find(key).ifPresent(application -> application.open(key.partition()));
                }
            } finally {
                deploying.unlock();
            }
        }

        @Override
        public void close(PartitionKey key) {
            deploying.lock();
            try {
                held.remove(key);
                find(key).ifPresent(application -> application.close(key.partition()));
            } finally {
                deploying.unlock();
            }
        }

        @Override
        public void closeAll() {
            deploying.lock();
            try {
                stop();
            } finally {
                deploying.unlock();
            }
        }

        @Override
        public Optional<PartitionState> state(PartitionKey key) {
            return find(key)
                    .flatMap(application -> application.partitions().stream()
                            .filter(each -> each.number() == key.partition())
                            .findFirst())
                    .map(Partition::state);
        }
    }

    private final class Others implements Whereabouts {

        @Override
        public boolean isShared() {
            return true;
        }

        @Override
        public Optional<ClusterState.Node> owner(PartitionKey key) {
            return cluster()
                    .flatMap(state ->
                            state.owner(key).filter(owner -> !owner.name().equals(state.node())));
        }
    }

    /**
     * Closes all partitions, together within twice closeWait and some, then the store. Others that share the store can
     * take them as soon as they are closed. May be called twice.
     */
    @Override
    public void close() {
        deploying.lock();
        try {
            if (closed) {
                return;
            }
            closed = true;
        } finally {
            deploying.unlock();
        }
        Membership present = membership;
        if (present != null) {
            present.leave();
        }
        deploying.lock();
        try {
            stop();
        } finally {
            deploying.unlock();
        }
        store.close();
        closeEnvironment.run();
    }

    private void stop() {
        List<Partition> partitions = running.values().stream()
                .flatMap(each -> each.partitions().stream())
                .toList();
        Partition.closeAll(partitions, settings.sequencer().closeWait(), environment);
        running = Map.of();
    }
}
