package io.seriatim.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import io.seriatim.store.StoreException.Kind;
import java.net.SocketTimeoutException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.postgresql.util.PSQLException;
import org.postgresql.util.PSQLState;
import org.postgresql.util.ServerErrorMessage;

/** What each kind of error says about the write and about the store. */
final class TroubleTest {

    /** An error as it comes from the server: fields with a letter each, ended by zeros. */
    private static PSQLException ofServer(String severity, String state) {
        return new PSQLException(new ServerErrorMessage("S" + severity + "\0C" + state + "\0Mwhat happened\0"));
    }

    @ParameterizedTest
    @CsvSource({
        "ERROR, 57014, true, UNAVAILABLE",
        "ERROR, 40001, true, UNAVAILABLE",
        "ERROR, 40P01, true, UNAVAILABLE",
        "ERROR, 25006, true, UNAVAILABLE",
        "ERROR, 42501, true, UNAVAILABLE",
        "ERROR, 42P01, true, UNAVAILABLE",
        "ERROR, 53100, true, UNAVAILABLE",
        "ERROR, 53200, true, UNAVAILABLE",
        "ERROR, XX000, true, UNAVAILABLE",
        "ERROR, XX001, true, CORRUPT",
        "ERROR, XX002, true, CORRUPT",
        "ERROR, 58030, true, FAILED",
        "ERROR, 58P01, true, FAILED",
        "FATAL, 57P01, false, UNAVAILABLE",
        "FATAL, 57P02, false, UNAVAILABLE",
        "FATAL, 53300, false, UNAVAILABLE",
        "FATAL, XX001, false, CORRUPT",
        "PANIC, 58030, false, FAILED",
        "PANIC, 53100, false, UNAVAILABLE",
        "FEHLER, 57014, false, UNAVAILABLE",
    })
    void errorOfTheServer_saysWhatIsKnown(String severity, String state, boolean rolledBack, Kind kind) {
        assertThat(Trouble.isRolledBack(ofServer(severity, state))).isEqualTo(rolledBack);
        assertThat(Trouble.kindOf(ofServer(severity, state))).isEqualTo(kind);
    }

    @Test
    void errorOfTheDriver_leavesTheOutcomeOpen() {
        for (PSQLState state : PSQLState.values()) {
            PSQLException e = new PSQLException("lost", state, new SocketTimeoutException());
            assertThat(Trouble.isRolledBack(e)).as(state.getState()).isFalse();
            assertThat(Trouble.kindOf(e)).as(state.getState()).isEqualTo(Kind.UNAVAILABLE);
        }
        assertThat(Trouble.isRolledBack(new SQLException("no state"))).isFalse();
    }

    @Test
    void wordsOf_errorOfThePool_areThoseOfItsCause() {
        SQLException pool =
                new SQLTransientConnectionException("request timed out", "08001", ofServer("FATAL", "28000"));
        assertThat(Trouble.wordsOf(pool)).contains("what happened").endsWith("(SQLSTATE 28000)");
        assertThat(Trouble.wordsOf(new SQLException("alone"))).isEqualTo("alone");
    }
}
