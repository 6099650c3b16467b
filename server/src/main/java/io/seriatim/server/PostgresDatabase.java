package io.seriatim.server;

import io.seriatim.Sequences;
import io.seriatim.eventlog.application.TrustLevel;
import io.seriatim.postgresql.PostgresSettings;
import io.seriatim.postgresql.PostgresStore;
import io.seriatim.store.StoreException;

/** Answers calls out of a PostgreSQL database, which other processes may use at the same time. */
final class PostgresDatabase implements LocalStore {

    private final PostgresSettings settings;

    private final TrustLevel trustLevel;

    PostgresDatabase(PostgresSettings settings, TrustLevel trustLevel) {
        this.settings = settings;
        this.trustLevel = trustLevel;
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
                PostgresSettings.of(url, settings.text(Setting.USER), password), settings.trustLevel());
    }

    @Override
    public OpenStore open() {
        try {
            PostgresStore store = PostgresStore.open(settings);
            return OpenStore.of(Sequences.on(store), store.eventLog(), LocalStore.applicationSettings(trustLevel));
        } catch (StoreException e) {
            String said = String.valueOf(e.getMessage());
            throw new Refusal(
                    e.kind() == StoreException.Kind.CORRUPT ? Problem.corrupt(said) : Problem.unavailable(said));
        }
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
