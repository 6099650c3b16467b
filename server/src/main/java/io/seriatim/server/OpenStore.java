package io.seriatim.server;

import io.seriatim.Sequences;
import io.seriatim.SystemEnvironment;
import io.seriatim.eventlog.application.ApplicationSettings;
import io.seriatim.eventlog.application.Applications;
import io.seriatim.store.EventLogStore;
import io.seriatim.store.StoreException;
import java.time.Duration;
import java.util.Optional;
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

    /** Held while the applications are started and closed. */
    private final Object lock = new Object();
    /** Guarded by {@code lock}. */
    private boolean closed;

    private volatile @Nullable Applications applications;
    private volatile Duration patience;
    private @Nullable SystemEnvironment environment;

    private OpenStore(
            Sequences sequences,
            Optional<EventLogStore> eventLog,
            ApplicationSettings settings,
            @Nullable Applications applications) {
        this.sequences = sequences;
        this.eventLog = eventLog;
        this.settings = settings;
        this.applications = applications;
        this.patience = applications == null ? PATIENCE : Duration.ZERO;
    }

    /** One that keeps no event logs. */
    static OpenStore of(Sequences sequences) {
        return new OpenStore(sequences, Optional.empty(), ApplicationSettings.usual(), null);
    }

    /** One whose applications run already. */
    static OpenStore of(Sequences sequences, Applications applications) {
        return new OpenStore(sequences, Optional.empty(), ApplicationSettings.usual(), applications);
    }

    /** One whose applications run as soon as somebody asks for them. */
    static OpenStore of(Sequences sequences, EventLogStore eventLog, ApplicationSettings settings) {
        return new OpenStore(sequences, Optional.of(eventLog), settings, null);
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
     * The applications, which run from now on.
     *
     * @throws Refusal NOT_FOUND if no event logs are kept here; STORE_CORRUPT, STORE_UNAVAILABLE
     */
    Applications applications() {
        Applications running = applications;
        if (running != null) {
            return running;
        }
        EventLogStore logs =
                eventLog.orElseThrow(() -> new Refusal(Problem.notFound("this store keeps no event logs")));
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
            Applications started = Applications.on(logs, settings, its);
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

    /** For a server: runs the applications, and no call waits for a log any more. */
    void startLogs() {
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
            SystemEnvironment its = environment;
            if (its != null) {
                its.close();
            }
        }
    }
}
