package io.seriatim.eventlog.application;

import io.seriatim.Environment;
import io.seriatim.ErrorCode;
import io.seriatim.eventlog.EventLogException;
import io.seriatim.store.EventLogStore;
import io.seriatim.store.PartitionKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * An application that is deployed: its partitions run, all of them here, or some of them in other processes on the same
 * store. Safe for use by many threads.
 */
public final class Application {

    private final Schema schema;
    private final Schema.Index index;
    private final ApplicationDefinition definition;
    private final EventLogStore store;
    private final ApplicationSettings settings;
    private final Environment environment;
    private final Semaphore rebuilds;
    private final Whereabouts whereabouts;
    private final Projectors projectors;

    /** By number; none where it does not run here. Written by one thread at a time. */
    private final AtomicReferenceArray<@Nullable Partition> partitions;

    private Application(
            Schema schema,
            EventLogStore store,
            ApplicationSettings settings,
            Environment environment,
            Semaphore rebuilds,
            Whereabouts whereabouts) {
        this.schema = schema;
        this.index = new Schema.Index(schema);
        this.definition = schema.definition();
        this.store = store;
        this.settings = settings;
        this.environment = environment;
        this.rebuilds = rebuilds;
        this.whereabouts = whereabouts;
        this.projectors = Projectors.of(schema, settings);
        this.partitions = new AtomicReferenceArray<>(schema.partitions());
    }

    /** @param runsHere which partitions are opened */
    static Application open(
            Schema schema,
            EventLogStore store,
            ApplicationSettings settings,
            Environment environment,
            Semaphore rebuilds,
            Whereabouts whereabouts,
            IntPredicate runsHere) {
        Application application = new Application(schema, store, settings, environment, rebuilds, whereabouts);
        boolean opened = false;
        try {
            for (int i = 0; i < schema.partitions(); i++) {
                if (runsHere.test(i)) {
                    application.open(i);
                }
            }
            opened = true;
        } finally {
            if (!opened) {
                application.close();
            }
        }
        return application;
    }

    public String name() {
        return schema.name();
    }

    /** Stays with the name for ever. */
    public int id() {
        return schema.id();
    }

    public ApplicationDefinition definition() {
        return definition;
    }

    /** The partitions that run here, in order of their numbers from 0 on. */
    public List<Partition> partitions() {
        List<Partition> here = new ArrayList<>();
        for (int i = 0; i < partitions.length(); i++) {
            Partition each = partitions.get(i);
            if (each != null) {
                here.add(each);
            }
        }
        return List.copyOf(here);
    }

    /**
     * One partition.
     *
     * @throws EventLogException NOT_FOUND if there is none of this number
     * @throws ElsewhereException if it does not run here
     */
    public Partition partition(int number) {
        if (number < 0 || number >= partitions.length()) {
            throw new EventLogException(
                    ErrorCode.NOT_FOUND,
                    "application " + name() + " has partitions 0 to " + (partitions.length() - 1) + ", not " + number);
        }
        Partition here = partitions.get(number);
        if (here == null) {
            throw new ElsewhereException(number, whereabouts.owner(key(number)));
        }
        return here;
    }

    /**
     * The partition that a workspace lies in.
     *
     * @throws ElsewhereException if it does not run here
     */
    public Partition partitionOf(long workspace) {
        return partition(schema.partitionOf(workspace));
    }

    /** Lets a command wait for its turn; see {@link Partition#submit}. */
    public CompletableFuture<Appended> submit(Command command) {
        return partitionOf(command.workspace()).submit(command);
    }

    /** Carries out a command; see {@link Partition#append}. */
    public Appended append(Command command, Duration wait) {
        return partitionOf(command.workspace()).append(command, wait);
    }

    Schema schema() {
        return schema;
    }

    private PartitionKey key(int number) {
        return new PartitionKey(schema.id(), number);
    }

    // ---- which of them run here; by one thread at a time

    void open(int number) {
        if (partitions.get(number) == null) {
            partitions.set(
                    number,
                    Partition.open(
                            store.partition(key(number)),
                            index,
                            settings,
                            environment,
                            rebuilds,
                            projectors,
                            whereabouts.isShared()));
        }
    }

    /** Lets a partition run here no more; what it has begun is answered and stored, within a bound. */
    void close(int number) {
        Partition here = partitions.getAndSet(number, null);
        if (here != null) {
            Partition.closeAll(List.of(here), settings.sequencer().closeWait(), environment);
        }
    }

    /** All of them. They stay what they were, so that whoever has one still hears that it is closed. */
    void close() {
        Partition.closeAll(partitions(), settings.sequencer().closeWait(), environment);
    }
}
