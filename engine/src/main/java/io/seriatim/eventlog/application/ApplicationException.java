package io.seriatim.eventlog.application;

import io.seriatim.ErrorCode;
import io.seriatim.eventlog.EventLogException;

/** An application cannot be deployed as it is defined: final. */
public final class ApplicationException extends EventLogException {

    private static final long serialVersionUID = 1;

    private final String option;

    ApplicationException(ErrorCode code, String option, String rule) {
        super(code, option + ": " + rule);
        this.option = option;
    }

    /** Where in the definition the fault is, such as {@code kinds.shop.sequences.RecordID}. */
    public String option() {
        return option;
    }
}
