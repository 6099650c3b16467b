package io.seriatim.eventlog.application;

/** What records of a type are for. */
public enum RecordKind {
    /** A document of configuration; may be a singleton. */
    CDOC("CDoc"),
    /** A part of a CDoc. */
    CRECORD("CRecord"),
    /** A document of the daily work. */
    WDOC("WDoc"),
    /** A part of a WDoc. */
    WRECORD("WRecord"),
    /** The argument of a command: an operation that has happened and never changes. */
    ODOC("ODoc"),
    /** A part of an ODoc. */
    ORECORD("ORecord");

    private final String text;

    RecordKind(String text) {
        this.text = text;
    }

    /** As it is written in definitions. */
    public String text() {
        return text;
    }

    /** Whether such records exist in the argument of their event alone. */
    boolean isOperation() {
        return this == ODOC || this == ORECORD;
    }

    boolean isConfiguration() {
        return this == CDOC || this == CRECORD;
    }
}
