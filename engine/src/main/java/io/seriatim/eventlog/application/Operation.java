package io.seriatim.eventlog.application;

import io.seriatim.eventlog.EventLogException;

/** An act of an operator, done in a turn. The first answer counts. */
interface Operation {

    void run();

    /** It is over, however it went. */
    void done();

    void refuse(EventLogException reason);
}
