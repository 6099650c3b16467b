package io.seriatim.eventlog.application;

/**
 * What is stored, and is not what the log says.
 *
 * @param plogOffset of the event that says it
 * @param what a sentence
 */
public record Difference(long plogOffset, String what) {}
