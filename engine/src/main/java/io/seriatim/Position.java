package io.seriatim;

/**
 * Where a counter stands.
 *
 * @param generation of the definition
 * @param round how often the counter has wrapped around
 * @param value the last value taken or, when {@code fresh}, the value that comes next
 * @param fresh nothing was taken since the start or restart
 */
record Position(long generation, long round, long value, boolean fresh) {}
