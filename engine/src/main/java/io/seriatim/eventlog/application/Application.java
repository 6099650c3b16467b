package io.seriatim.eventlog.application;

import io.seriatim.Environment;
import io.seriatim.ErrorCode;
import io.seriatim.eventlog.EventLogException;
import io.seriatim.store.EventLogStore;
import io.seriatim.store.PartitionKey;
import io.seriatim.store.PartitionStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;

/** An application that is deployed here: its partitions run. Safe for use by many threads. */
public final class Application {

    private final Schema schema;
    private final List<Partition> partitions;
    private final ApplicationSettings settings;
    private final Environment environment;

    private Application(
            Schema schema, List<Partition> partitions, ApplicationSettings settings, Environment environment) {
        this.schema = schema;
        this.partitions = List.copyOf(partitions);
        this.settings = settings;
        this.environment = environment;
    }

    static Application open(
            Schema schema,
            EventLogStore store,
            ApplicationSettings settings,
            Environment environment,
            Semaphore rebuilds) {
        Schema.Index index = new Schema.Index(schema);
        Projectors projectors = Projectors.of(schema, settings);
        List<Partition> partitions = new ArrayList<>();
        boolean opened = false;
        try {
            for (int i = 0; i < schema.partitions(); i++) {
                PartitionStore rows = store.partition(new PartitionKey(schema.id(), i));
                partitions.add(Partition.open(rows, index, settings, environment, rebuilds, projectors));
            }
            opened = true;
        } finally {
            if (!opened) {
                Partition.closeAll(partitions, settings.sequencer().closeWait(), environment);
            }
        }
        return new Application(schema, partitions, settings, environment);
    }

    public String name() {
        return schema.name();
    }

    /** Stays with the name for ever. */
    public int id() {
        return schema.id();
    }

    public ApplicationDefinition definition() {
        return schema.definition();
    }

    /** All partitions, in order of their numbers from 0 on. */
    public List<Partition> partitions() {
        return partitions;
    }

    /**
     * One partition.
     *
     * @throws EventLogException NOT_FOUND if there is none of this number
     */
    public Partition partition(int number) {
        if (number < 0 || number >= partitions.size()) {
            throw new EventLogException(
                    ErrorCode.NOT_FOUND,
                    "application " + name() + " has partitions 0 to " + (partitions.size() - 1) + ", not " + number);
        }
        return partitions.get(number);
    }

    /** The partition that a workspace lies in. */
    public Partition partitionOf(long workspace) {
        return partitions.get(schema.partitionOf(workspace));
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

    void close() {
        Partition.closeAll(partitions, settings.sequencer().closeWait(), environment);
    }
}
