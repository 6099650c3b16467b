package io.seriatim.eventlog.application;

import io.seriatim.Environment;
import io.seriatim.ErrorCode;
import io.seriatim.SystemEnvironment;
import io.seriatim.eventlog.EventLogException;
import io.seriatim.eventlog.LogCheck;
import io.seriatim.store.ApplicationRow;
import io.seriatim.store.EventLogStore;
import io.seriatim.store.LogOutcome;
import io.seriatim.store.PartitionKey;
import io.seriatim.store.PartitionStore;
import io.seriatim.store.StoreException;
import io.seriatim.store.WriterMark;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The applications of a store: deploys them, and runs those that are deployed. Closing it closes the store.
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
    private boolean closed;

    private Applications(
            EventLogStore store, ApplicationSettings settings, Environment environment, Runnable closeEnvironment) {
        if (settings.trustLevel() == TrustLevel.TRUST_ALL && !store.enforcesEpoch()) {
            throw new IllegalArgumentException(
                    "trust level TRUST_ALL writes over whatever is there, and this store does not"
                            + " refuse a writer that has lost its partition: an acknowledged event could be replaced");
        }
        this.store = store;
        this.settings = settings;
        this.environment = environment;
        this.closeEnvironment = closeEnvironment;
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
        return start(new Applications(store, ApplicationSettings.usual(), environment, environment::close));
    }

    /**
     * The same with settings, and with an environment that is not closed.
     *
     * @throws IllegalArgumentException if the trust level is TRUST_ALL and the store does not enforce epochs
     * @throws EventLogException BUSY, STORE_UNAVAILABLE, OUTCOME_UNKNOWN if an application gets a projector, and that could not
     *     be written: may be retried
     */
    public static Applications on(EventLogStore store, ApplicationSettings settings, Environment environment) {
        return start(new Applications(store, settings, environment, () -> {}));
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
        return Application.open(schema, store, settings, environment, rebuilds);
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

    // ---- deploying

    /**
     * Deploys an application, again or for the first time. What was issued stays: kinds, sequences and types may be added,
     * initial values and maxima raised. Its partitions are closed and opened anew, unless nothing has changed.
     *
     * @throws ApplicationException BAD_OPTION, BAD_NAME: final
     * @throws EventLogException ALREADY_EXISTS, WOULD_REPEAT, NAME_CASE, CLOSED: final; BUSY if another process has deployed
     *     it meanwhile, STORE_UNAVAILABLE: may be retried; OUTCOME_UNKNOWN: look, then decide
     */
    public Deployment deploy(String name, ApplicationDefinition definition) {
        deploying.lock();
        try {
            requireOpen();
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
            throw new EventLogException(
                    e.kind() == StoreException.Kind.CORRUPT ? ErrorCode.STORE_CORRUPT : ErrorCode.STORE_UNAVAILABLE,
                    "nothing was deployed: " + e.getMessage(),
                    e);
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

    /** Closes all partitions, together within three times closeWait and some, then the store. May be called twice. */
    @Override
    public void close() {
        deploying.lock();
        try {
            if (closed) {
                return;
            }
            closed = true;
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
