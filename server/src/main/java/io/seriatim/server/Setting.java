package io.seriatim.server;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What can be set of a server: each as a flag, as a variable of the environment and as a key of a file, of the same
 * name. Those {@link #isOfStore of the store} are taken by every command.
 */
enum Setting {
    CONFIG(null, "FILE", "A YAML file with settings by the names of these flags."),
    STORE("rocksdb", "KIND", "Where the rows are kept: rocksdb, in a folder, or postgresql."),
    DATA("./data", "DIR", "The data folder of rocksdb."),
    URL(null, "JDBC-URL", "The database of postgresql: jdbc:postgresql://host:port/database."),
    USER("seriatim", "ROLE", "The role that connects to the database."),
    PASSWORD(null, "TEXT", "Its password. Others on this machine can read flags: rather take --password-file."),
    PASSWORD_FILE(null, "FILE", "A file whose first line is the password."),

    HOST("127.0.0.1", "ADDRESS", "Address to listen on; beyond loopback, tokens and TLS are required."),
    PORT("7450", "N", "Port to listen on; 0 for any free one."),
    ADVERTISE_URL(null, "URL", "Where other servers on the same database call this one. Default: host and port."),
    LEASE("10", "SECONDS", "How long a server may give no sign of life before others take its partitions."),
    CLUSTER_CA(
            null, "FILE", "Certificates in PEM on which those of other servers rest. Default: those of this system."),
    DEFAULT_DEFINITION("{}", "JSON|FILE", "What next?define=true defines an unknown name with."),
    TRUST_LEVEL("verify-all", "LEVEL", "What writes of event logs look for: verify-all, verify-events or trust-all."),
    TOKENS(null, "FILE", "Who may call: a line for each token, as the command token prints it."),
    TLS_CERT(null, "FILE", "The certificate and those it rests on, in PEM; needs --tls-key."),
    TLS_KEY(null, "FILE", "The certificate's private key, PKCS#8 in PEM; needs --tls-cert."),
    BACKUP_DIR(null, "DIR", "A folder that is there, in which POST /v1/backup makes backups; without it nobody can."),
    LOG_FORMAT("text", "FORMAT", "Lines of the log on stderr: text or json.");

    private final @Nullable String defaultText;
    private final String label;
    private final String description;

    Setting(@Nullable String defaultText, String label, String description) {
        this.defaultText = defaultText;
        this.label = label;
        this.description = description;
    }

    /** The name in a file: {@code default-definition}. */
    String key() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** {@code --default-definition}. */
    String flag() {
        return "--" + key();
    }

    /** {@code SERIATIM_DEFAULT_DEFINITION}. */
    String variable() {
        return "SERIATIM_" + name();
    }

    Optional<String> defaultText() {
        return Optional.ofNullable(defaultText);
    }

    String label() {
        return label;
    }

    /** A sentence for the help, with the default. */
    String description() {
        return defaultText == null ? description : description + " Default: " + defaultText;
    }

    /** Whether it says what store there is rather than how it is served. */
    boolean isOfStore() {
        return compareTo(PASSWORD_FILE) <= 0;
    }

    static Optional<Setting> ofKey(String key) {
        return Arrays.stream(values())
                .filter(setting -> setting.key().equals(key))
                .findFirst();
    }
}
