package io.seriatim.postgresql;

import io.seriatim.store.StoreException.Kind;
import java.net.SocketTimeoutException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/** What an error of the driver or the server says about the statement, and about the database. */
final class Trouble {

    /*
     * Each statement is a transaction of its own. An ERROR of the server is its word that this transaction was
     * rolled back, so nothing was written, whatever the SQLSTATE. Everything else that may come instead of an
     * answer leaves the outcome open, because the commit may have been under way: a connection that breaks or
     * does not answer in time (no message of the server at all), and FATAL or PANIC, after which the server
     * closes the connection.
     *
     *     SQLSTATE                              severity      a write is    the store
     *     57014 statement timeout, cancelled    ERROR         not applied   works on
     *     40001, 40P01 conflict, deadlock       ERROR         not applied   works on
     *     55P03 a lock was not had in time      ERROR         not applied   works on
     *     25006 read only, 42501 no right       ERROR         not applied   works on
     *     53100 disk full, 53200 no memory      ERROR         not applied   works on
     *     XX001, XX002 damaged data, index      ERROR         not applied   stops for good: CORRUPT
     *     58xxx I/O error, file missing         ERROR         not applied   stops for good: FAILED
     *     SE002 moved to another store (ours)   ERROR         not applied   stops for good: MOVED
     *     any other                             ERROR         not applied   works on
     *     57P01, 57P02, 57P03 shutdown, crash   FATAL         unknown       works on
     *     XX001, 58xxx                          FATAL, PANIC  unknown       stops for good, as above
     *     08xxx, none: connection lost          of the driver unknown       works on
     *     01000 a warning with the commit       of the server unknown       works on
     *
     * The last: a commit that waits for a synchronous standby and is cancelled is answered as done, with a
     * warning that only this server has it.
     *
     * The word ERROR is in the server's language (lc_messages). In one where it is another word, what was rolled
     * back counts as unknown too, which costs a read and repeats nothing.
     *
     * Where no connection could be had, nothing was sent and nothing is open: 53300 too many connections,
     * 57P03 starting up, 28xxx not let in, 08001 nobody there.
     */

    private Trouble() {}

    /** Whether the statement was certainly rolled back. */
    static boolean isRolledBack(SQLException e) {
        ServerErrorMessage message = messageOf(e);
        return message != null && "ERROR".equals(message.getSeverity());
    }

    /**
     * Whether the connection was ended while a statement was on its way, or before: by the server, or on the way to it.
     * Not where no connection could be had, nor where an answer does not come in time; the next one would wait as long.
     */
    static boolean isConnectionGone(SQLException e) {
        if (e instanceof SQLTransientConnectionException || e.getCause() instanceof SocketTimeoutException) {
            return false;
        }
        String state = String.valueOf(e.getSQLState());
        return messageOf(e) == null
                ? state.startsWith("08")
                : state.equals("57P01") || state.equals("57P02"); // ended by an operator, by the crash of another one
    }

    /** What the caller of the store may do about it. */
    static Kind kindOf(SQLException e) {
        String state = String.valueOf(e.getSQLState());
        if (messageOf(e) == null) {
            return Kind.UNAVAILABLE;
        }
        if (state.equals("SE002")) {
            return Kind.MOVED;
        }
        if (state.equals("XX001") || state.equals("XX002")) {
            return Kind.CORRUPT;
        }
        return state.startsWith("58") ? Kind.FAILED : Kind.UNAVAILABLE;
    }

    /** The same of a transaction of several statements: whether it may go on, or has to be run again. */
    static Kind kindWithinTransaction(SQLException e) {
        return switch (String.valueOf(e.getSQLState())) {
            case "40001", "40P01" -> Kind.CONFLICT;
            case "55P03" -> Kind.BUSY;
            default -> kindOf(e);
        };
    }

    /** The error as a sentence's end: the innermost one that says more, and its SQLSTATE. */
    static String wordsOf(SQLException e) {
        Throwable innermost = e;
        for (Throwable cause = e.getCause(); cause instanceof SQLException; cause = cause.getCause()) {
            innermost = cause;
        }
        String state = innermost instanceof SQLException sql ? sql.getSQLState() : null;
        return innermost.getMessage() + (state == null ? "" : " (SQLSTATE " + state + ")");
    }

    private static @Nullable ServerErrorMessage messageOf(SQLException e) {
        return e instanceof PSQLException postgres ? postgres.getServerErrorMessage() : null;
    }
}
