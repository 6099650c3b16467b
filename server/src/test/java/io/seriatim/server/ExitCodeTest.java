package io.seriatim.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every status and code of docs/http.md, and what a script hears. */
class ExitCodeTest {

    @ParameterizedTest
    @CsvSource({
        "400, BAD_REQUEST, 2",
        "400, BAD_OPTION, 2",
        "400, OUT_OF_RANGE, 2",
        "400, BAD_NAME, 2",
        "400, REASON_REQUIRED, 2",
        "401, UNAUTHORIZED, 2",
        "403, FORBIDDEN, 2",
        "404, NOT_FOUND, 3",
        "405, BAD_REQUEST, 2",
        "408, BAD_REQUEST, 2",
        "409, ALREADY_EXISTS, 3",
        "409, NAME_CASE, 3",
        "409, EXHAUSTED, 4",
        "409, BEHIND, 3",
        "409, KEY_IN_FLIGHT, 3",
        "409, FENCED, 6",
        "413, BAD_REQUEST, 2",
        "422, KEY_REUSED, 2",
        "429, TOO_MANY, 5",
        "500, INTERNAL, 1",
        "500, REPAIR_PENDING, 7",
        "503, QUARANTINED, 7",
        "503, RECOVERING, 5",
        "503, BACKLOG, 5",
        "409, WRONG_KIND, 3",
        "400, UNKNOWN_TYPE, 2",
        "503, BUSY, 5",
        "503, STORE_UNAVAILABLE, 5",
        "503, STORE_CORRUPT, 7",
        "503, STORE_WENT_BACK, 7",
        "503, OUTCOME_UNKNOWN, 5",
        "503, A_LATER_CODE, 5",
    })
    void of_eachCode_isWhatTheTableSays(int status, String code, int exitCode) {
        assertThat(ExitCode.of(status, code, false)).isEqualTo(exitCode);
    }

    @ParameterizedTest
    @CsvSource({"STORE_UNAVAILABLE", "STORE_CORRUPT"})
    void of_stoppedStore_isNotTryAgain(String code) {
        assertThat(ExitCode.of(503, code, true)).isEqualTo(7);
    }
}
