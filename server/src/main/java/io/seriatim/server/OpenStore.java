package io.seriatim.server;

import io.seriatim.Sequences;
import io.seriatim.SystemEnvironment;
import io.seriatim.eventlog.application.ApplicationSettings;
import io.seriatim.eventlog.application.Applications;
import io.seriatim.eventlog.application.ClusterMember;
import io.seriatim.store.ClusterStore;
import io.seriatim.store.EventLogStore;
import io.seriatim.store.StoreException;
import java.time.Duration;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A store that is open: its sequences, and its event logs where it keeps such.
 *
 * <p>Safe for use by many threads.
 */
final class OpenStore implements AutoCloseable {

    /*
     * Whoever runs the applications of a store takes their partitions and reads their logs. A command that wants a number
     * of a sequence must not do that, so they run from the first call on a log, or from startLogs on.
     */

    /** How long a call on a log waits until the log is read, where nothing has read it before. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private static final Logger LOG = LoggerFactory.getLogger(OpenStore.class);

    private final Sequences sequences;
    private final Optional<EventLogStore> eventLog;
    private final ApplicationSettings settings;
    /** Where other processes on the same store are found; empty where there can be none. */
    private final Optional<ClusterStore> cluster;

    private final Duration lease;
    private Optional<BackupMaker> backups = Optional.empty();

    /** Held while the applications are started and closed. */
    private final Object lock = new Object();
    /** Guarded by {@code lock}. */
    private boolean closed;

    private volatile @Nullable Applications applications;
    private volatile Duration patience;
    private volatile Served served = Served.BY_NOBODY;
    private volatile @Nullable Forwarding forwarding;
    private @Nullable SystemEnvironment environment;

    /**
     * How others reach this process.
     *
     * @param url empty if they do not
     * @param trust what the certificates of others have to rest on; empty: on what this machine trusts
     */
    record Served(String url, Optional<SSLContext> trust) {
        static final Served BY_NOBODY = new Served("", Optional.empty());

        boolean isSecure() {
            return url.startsWith("https:");
        }
    }

    private OpenStore(
            Sequences sequences,
            Optional<EventLogStore> eventLog,
            ApplicationSettings settings,
            @Nullable Applications applications,
            Optional<ClusterStore> cluster,
            Duration lease) {
        this.sequences = sequences;
        this.eventLog = eventLog;
        this.settings = settings;
        this.applications = applications;
        this.cluster = cluster;
        this.lease = lease;
        this.patience = applications == null ? PATIENCE : Duration.ZERO;
    }

    /** One that keeps no event logs. */
    static OpenStore of(Sequences sequences) {
        return new OpenStore(
                sequences, Optional.empty(), ApplicationSettings.usual(), null, Optional.empty(), Duration.ZERO);
    }

    /** One whose applications run already. */
    static OpenStore of(Sequences sequences, Applications applications) {
        return new OpenStore(
                sequences,
                Optional.empty(),
                ApplicationSettings.usual(),
                applications,
                Optional.empty(),
                Duration.ZERO);
    }

    /** One whose applications run as soon as somebody asks for them. */
    static OpenStore of(Sequences sequences, EventLogStore eventLog, ApplicationSettings settings) {
        return new OpenStore(sequences, Optional.of(eventLog), settings, null, Optional.empty(), Duration.ZERO);
    }

    /** The same, whose partitions are shared with other processes. */
    static OpenStore sharing(
            Sequences sequences,
            EventLogStore eventLog,
            ApplicationSettings settings,
            ClusterStore cluster,
            Duration lease) {
        return new OpenStore(sequences, Optional.of(eventLog), settings, null, Optional.of(cluster), lease);
    }

    /** The same, which can be copied while it is in use; before it is given to anybody. */
    OpenStore with(BackupMaker maker) {
        backups = Optional.of(maker);
        return this;
    }

    /** What copies it while it is in use. */
    Optional<BackupMaker> backups() {
        return backups;
    }

    Sequences sequences() {
        return sequences;
    }

    /** The applications that run; empty where none were asked for, or there are no logs. Never waits. */
    Optional<Applications> running() {
        return Optional.ofNullable(applications);
    }

    /** Whether event logs are kept here at all. */
    boolean keepsLogs() {
        return applications != null || eventLog.isPresent();
    }

    /**
     * The rows of event logs, for whoever reads them without running an application.
     *
     * @throws Refusal NOT_FOUND if no event logs are kept here
     */
    EventLogStore logs() {
        return eventLog.orElseThrow(() -> new Refusal(Problem.notFound("this store keeps no event logs")));
    }

    /**
     * The applications, which run from now on.
     *
     * @throws Refusal NOT_FOUND if no event logs are kept here; STORE_CORRUPT, STORE_UNAVAILABLE
     */
    Applications applications() {
        Applications running = applications;
        if (running != null) {
            return running;
        }
        EventLogStore logs = logs();
        synchronized (lock) {
            running = applications;
            if (running == null && closed) {
                throw new Refusal(Problem.busy("the server is stopping"));
            }
            if (running == null) {
                running = start(logs);
                applications = running;
            }
            return running;
        }
    }

    private Applications start(EventLogStore logs) {
        SystemEnvironment its = new SystemEnvironment();
        try {
            Applications started =
                    cluster.isPresent() ? share(logs, cluster.get(), its) : Applications.on(logs, settings, its);
            environment = its;
            return started;
        } catch (StoreException e) {
            its.close();
            String said = String.valueOf(e.getMessage());
            throw new Refusal(
                    e.kind() == StoreException.Kind.CORRUPT ? Problem.corrupt(said) : Problem.unavailable(said));
        } catch (RuntimeException e) {
            its.close();
            throw e;
        }
    }

    private Applications share(EventLogStore logs, ClusterStore others, SystemEnvironment its) {
        String node = sequences.node();
        forwarding = new Forwarding(node, served.isSecure(), served.trust());
        ClusterMember self = new ClusterMember(node, served.url(), lease);
        return served.url().isEmpty() // a command says nothing beside its answer
                ? Applications.sharing(logs, others, self, settings, its)
                : Applications.sharing(logs, others, self, settings, its, new ClusterLog(node));
    }

    /** What hands calls to the nodes that have their partitions; empty where there are no others. */
    Optional<Forwarding> forwarding() {
        return Optional.ofNullable(forwarding);
    }

    /** Where this process is called; empty where it is not. */
    String url() {
        return served.url();
    }

    /** For a server: runs the applications, and no call waits for a log any more. */
    void startLogs(Served by) {
        served = by;
        if (keepsLogs()) {
            applications();
            patience = Duration.ZERO;
        }
    }

    /** How long a call may wait until the log that it is about is read. */
    Duration patience() {
        return patience;
    }

    /** Closes the logs, then the sequences and the store. May be called twice. */
    @Override
    public void close() {
        try {
            closeLogs();
        } finally {
            sequences.close();
        }
    }

    /** What is not closed cleanly is read again from the log; nothing is lost. */
    private void closeLogs() {
        synchronized (lock) {
            closed = true;
            Applications running = applications;
            if (running != null) {
                try {
                    running.close();
                } catch (StoreException e) {
                    LOG.warn(
                            "the event logs could not be closed; more is read again at the next start: {}",
                            Causes.of(e));
                    LOG.debug("the event logs could not be closed", e);
                }
            }
            forwarding().ifPresent(Forwarding::close);
            SystemEnvironment its = environment;
            if (its != null) {
                its.close();
            }
        }
    }
}
