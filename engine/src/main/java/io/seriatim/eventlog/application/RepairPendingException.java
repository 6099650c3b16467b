package io.seriatim.eventlog.application;

import io.seriatim.ErrorCode;
import io.seriatim.eventlog.EventLogException;

/**
 * The event of a command is durable in the log, and not all that follows from it is written; that comes before the next
 * command. Final: sent again, the command would happen twice.
 */
public final class RepairPendingException extends EventLogException {

    private static final long serialVersionUID = 1;

    private final transient Appended appended;

    RepairPendingException(Appended appended, String why) {
        super(
                ErrorCode.REPAIR_PENDING,
                "the event is in the log at offset " + appended.plogOffset() + ", what follows from it comes later: "
                        + why);
        this.appended = appended;
    }

    /** Where the event is, and which ids it has. */
    public Appended appended() {
        return appended;
    }
}
