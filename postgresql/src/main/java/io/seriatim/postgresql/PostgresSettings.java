package io.seriatim.postgresql;

import java.time.Duration;
import java.util.regex.Pattern;

/**
 * Where the database is and how long to wait for it. {@link #of} gives everything but the first three a value
 * that fits a caller who waits five seconds.
 *
 * @param url a JDBC URL, {@code jdbc:postgresql://host:port/database}; its parameters go to the driver, such as
 *     {@code sslmode} or, with several hosts, {@code targetServerType=primary}
 * @param user the role that connects
 * @param password its password, empty where the server asks for none
 * @param schema where the tables are: lower-case ASCII letters, digits and {@code _}; one store for each
 * @param connections most connections at a time, at least 1
 * @param connectTimeout most to wait for a connection, new or from the pool; at least 250 ms
 * @param statementTimeout after which the server breaks a statement off, certainly without effect
 * @param socketTimeout after which a connection that does not answer is given up; greater than
 *     {@code statementTimeout}, so that the certain answer comes first
 */
public record PostgresSettings(
        String url,
        String user,
        String password,
        String schema,
        int connections,
        Duration connectTimeout,
        Duration statementTimeout,
        Duration socketTimeout) {

    private static final Pattern SCHEMA = Pattern.compile("(?!pg_)[a-z_][a-z0-9_]{0,62}");
    private static final Duration LEAST_CONNECT = Duration.ofMillis(250);
    private static final Duration MOST = Duration.ofHours(1);

    public PostgresSettings {
        if (!url.startsWith("jdbc:postgresql:")) {
            throw new IllegalArgumentException("url must begin with jdbc:postgresql:");
        }
        if (!SCHEMA.matcher(schema).matches()) {
            throw new IllegalArgumentException("schema must be " + SCHEMA + ": schema=" + schema);
        }
        if (connections < 1) {
            throw new IllegalArgumentException("connections must be at least 1: connections=" + connections);
        }
        require("connectTimeout", connectTimeout, LEAST_CONNECT);
        require("statementTimeout", statementTimeout, Duration.ofMillis(1));
        require("socketTimeout", socketTimeout, statementTimeout.plusMillis(1));
    }

    private static void require(String name, Duration timeout, Duration least) {
        if (timeout.compareTo(least) < 0 || timeout.compareTo(MOST) > 0) {
            throw new IllegalArgumentException(
                    name + " must be from " + least + " to " + MOST + ": " + name + "=" + timeout);
        }
    }

    /** Schema {@code seriatim}, 8 connections, waits of 2, 3 and 4 seconds. */
    public static PostgresSettings of(String url, String user, String password) {
        return new PostgresSettings(
                url,
                user,
                password,
                "seriatim",
                8,
                Duration.ofSeconds(2),
                Duration.ofSeconds(3),
                Duration.ofSeconds(4));
    }

    public PostgresSettings withSchema(String other) {
        return new PostgresSettings(
                url, user, password, other, connections, connectTimeout, statementTimeout, socketTimeout);
    }

    public PostgresSettings withConnections(int other) {
        return new PostgresSettings(
                url, user, password, schema, other, connectTimeout, statementTimeout, socketTimeout);
    }

    public PostgresSettings withTimeouts(Duration connect, Duration statement, Duration socket) {
        return new PostgresSettings(url, user, password, schema, connections, connect, statement, socket);
    }

    /** Without the password, and without the URL's parameters, among which one may be. */
    @Override
    public String toString() {
        return place() + " as " + user;
    }

    /** The database and the schema, as an error message names them. */
    String place() {
        String address = url.substring("jdbc:".length());
        int parameters = address.indexOf('?');
        return (parameters < 0 ? address : address.substring(0, parameters)) + ", schema " + schema;
    }
}
