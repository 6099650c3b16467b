package io.seriatim.eventlog.application;

/** What a command does to one record besides its argument: it creates or updates it. */
public sealed interface Cud permits NewRecord, RecordUpdate {

    /** In a command a raw id, or that of a record that has one already; in an event the id. */
    long id();

    Fields fields();
}
