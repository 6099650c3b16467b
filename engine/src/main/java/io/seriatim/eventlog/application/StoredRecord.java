package io.seriatim.eventlog.application;

import java.util.OptionalLong;

/**
 * A record as the last applied event left it.
 *
 * @param type name of its type
 * @param plogOffset of the event that wrote it last
 * @param wlogOffset of the same event
 * @param parent id of the record that it is a child of
 */
public record StoredRecord(
        long id, String type, long plogOffset, long wlogOffset, Fields fields, OptionalLong parent) {}
