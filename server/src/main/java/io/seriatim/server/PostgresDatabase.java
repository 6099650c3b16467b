package io.seriatim.server;

import io.seriatim.Sequences;
import io.seriatim.eventlog.application.TrustLevel;
import io.seriatim.postgresql.PostgresSettings;
import io.seriatim.postgresql.PostgresStore;
import io.seriatim.store.StoreException;
import java.time.Duration;

/** Answers calls out of a PostgreSQL database, which other processes may use at the same time. */
final class PostgresDatabase implements LocalStore {

    private final PostgresSettings settings;

    private final TrustLevel trustLevel;

    private final Duration lease;

    /** @param lease how long others wait for a sign of life of this process */
    PostgresDatabase(PostgresSettings settings, TrustLevel trustLevel, Duration lease) {
        this.settings = settings;
        this.trustLevel = trustLevel;
        this.lease = lease;
    }

    static PostgresDatabase of(Settings settings) {
        if (settings.source(Setting.DATA) == Settings.Source.FLAG) {
            throw settings.bad(Setting.DATA, "and --store postgresql exclude each other");
        }
        String url = settings.find(Setting.URL)
                .orElseThrow(() -> settings.bad(Setting.STORE, "postgresql needs --url jdbc:postgresql://…"));
        int parameters = url.indexOf('?');
        String address = parameters < 0 ? url : url.substring(0, parameters);
        if (!address.startsWith("jdbc:postgresql:") || address.contains("@")) {
            throw settings.bad(
                    Setting.URL,
                    "must be jdbc:postgresql://host:port/database; role and password have their own flags");
        }
        String password = LocalStore.secret(settings, Setting.PASSWORD, Setting.PASSWORD_FILE)
                .orElse("");
        return new PostgresDatabase(
                PostgresSettings.of(url, settings.text(Setting.USER), password),
                settings.trustLevel(),
                settings.lease());
    }

    @Override
    public OpenStore open() {
        try {
            PostgresStore store = PostgresStore.open(settings);
            return OpenStore.sharing(
                    Sequences.on(store),
                    store.eventLog(),
                    LocalStore.applicationSettings(trustLevel),
                    store.cluster(),
                    lease);
        } catch (StoreException e) {
            String said = String.valueOf(e.getMessage());
            throw new Refusal(
                    switch (e.kind()) {
                        case CORRUPT -> Problem.corrupt(said);
                        case MOVED -> Problem.movedAway(said);
                        default -> Problem.unavailable(said);
                    });
        }
    }

    /** Opens it to look at it, also where it must not serve. */
    PostgresStore openToRead() {
        return PostgresStore.openToRead(settings);
    }

    @Override
    public boolean isShared() {
        return true;
    }

    @Override
    public String toString() {
        return "store " + settings;
    }
}
