package io.seriatim.server;

/** What the command line tells its caller, docs/http.md. */
final class ExitCode {

    static final int OK = 0;
    /** Something that should not happen; not in the agreement's list, because nothing can be done about it. */
    static final int UNEXPECTED = 1;

    static final int BAD_REQUEST = 2;
    static final int CONFLICT = 3;
    static final int EXHAUSTED = 4;
    static final int TRY_AGAIN = 5;
    static final int FENCED = 6;
    static final int CORRUPT = 7;

    private ExitCode() {}

    /**
     * The exit code for an error, by its code and, where that is of no known kind, by its status.
     *
     * @param storeStopped whether trying again cannot help, because the whole store has stopped
     */
    static int of(int status, String code, boolean storeStopped) {
        if (storeStopped) {
            return CORRUPT;
        }
        return switch (code) {
            case "EXHAUSTED" -> EXHAUSTED;
            case "FENCED" -> FENCED;
            // What has to follow from an event that is there could not be written: no reason to append it again.
            case "STORE_CORRUPT", "STORE_WENT_BACK", "RESTORE_PENDING", "MOVED_AWAY", "QUARANTINED", "REPAIR_PENDING" ->
                CORRUPT;
            default ->
                switch (status) {
                    case 404, 409 -> CONFLICT;
                    case 429, 502, 503, 504 -> TRY_AGAIN;
                    default -> status >= 400 && status < 500 ? BAD_REQUEST : UNEXPECTED;
                };
        };
    }
}
