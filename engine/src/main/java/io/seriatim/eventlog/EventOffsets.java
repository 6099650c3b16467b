package io.seriatim.eventlog;

/**
 * Where a started event goes.
 *
 * @param plogOffset in the log of the partition
 * @param wlogOffset in the log of its workspace
 */
public record EventOffsets(long plogOffset, long wlogOffset) implements EventStart {}
