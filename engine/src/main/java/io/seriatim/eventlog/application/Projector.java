package io.seriatim.eventlog.application;

/**
 * Makes something of each event of an application before its command is answered. Called by one thread for each
 * partition, in order of offset; at least once for each event, again after a failure or a restart, so it must know from the
 * offset what it has made already.
 */
public interface Projector {

    /** Unique in its application. */
    String name();

    /**
     * Makes its share of an event that is durable in the log.
     *
     * @throws Exception if it could not; the command is answered with REPAIR_PENDING, and the next one begins by calling
     *     this again
     */
    void apply(int partition, Event event) throws Exception;
}
