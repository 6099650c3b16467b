package io.seriatim.store;

/**
 * Names one write, so that its writer knows its own row again after an unknown outcome.
 *
 * @param writer drawn at random by each engine that opens a store
 * @param write counts the writes of that engine
 */
public record WriterMark(long writer, long write) {}
