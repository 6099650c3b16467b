package io.seriatim.server;

import io.seriatim.eventlog.SequencerSettings;
import io.seriatim.eventlog.application.ApplicationSettings;
import io.seriatim.eventlog.application.TrustLevel;
import io.seriatim.store.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A store that this process opens itself. Its text names it, without any secret. */
interface LocalStore extends Target {

    /** Partitions are closed one after another, each within twice this. */
    Duration CLOSE_WAIT = Duration.ofSeconds(1);

    /**
     * Opens the sequences and event logs in it.
     *
     * @throws Refusal if that cannot be done, with what the one at the keyboard has to know
     */
    OpenStore open();

    /** Whether other processes may have it open at the same time. */
    boolean isShared();

    @Override
    default Reply send(Call call) {
        try (Session session = session()) {
            return session.send(call);
        }
    }

    @Override
    default Session session() {
        OpenStore store = open();
        Api api = new Api(store, NewSequence.usual());
        return new Session() {
            @Override
            public Reply send(Call call) {
                return api.tryAnswer(call).orElseGet(() -> api.answer(call));
            }

            @Override
            public void close() {
                LocalStore.close(store);
            }
        };
    }

    /** What was answered stands, also where the end is not clean. */
    private static void close(OpenStore store) {
        Logger log = LoggerFactory.getLogger(LocalStore.class);
        try {
            store.close();
        } catch (StoreException e) {
            log.warn("the store could not be closed; unused values are skipped: {}", Causes.of(e));
            log.debug("the store could not be closed", e);
        }
    }

    /** The store that is set. */
    static LocalStore of(Settings settings) {
        String kind = settings.oneOf(Setting.STORE, List.of("rocksdb", "postgresql"));
        if (kind.equals("postgresql")) {
            return PostgresDatabase.of(settings);
        }
        for (Setting setting : List.of(Setting.URL, Setting.USER, Setting.PASSWORD, Setting.PASSWORD_FILE)) {
            if (settings.isGiven(setting)) {
                throw settings.bad(setting, "is of the store postgresql: give --store postgresql too");
            }
        }
        return new LocalFolder(settings.path(Setting.DATA).orElseThrow(), settings.trustLevel());
    }

    /** How logs are run: a server ends within ten seconds, whatever the storage does. */
    static ApplicationSettings applicationSettings(TrustLevel trustLevel) {
        SequencerSettings usual = SequencerSettings.usual();
        return ApplicationSettings.usual()
                .withTrustLevel(trustLevel)
                .withSequencer(usual.withWaits(usual.batcherDelay(), usual.retry(), usual.maxWait(), CLOSE_WAIT));
    }

    /** A value of a setting that may stand in a file instead. */
    static Optional<String> secret(Settings settings, Setting text, Setting file) {
        if (settings.isGiven(text) && settings.isGiven(file)) {
            throw settings.bad(file, "and " + text.flag() + " exclude each other");
        }
        return settings.find(text).or(() -> settings.firstLine(file));
    }
}
