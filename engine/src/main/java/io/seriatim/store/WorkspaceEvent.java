package io.seriatim.store;

/**
 * Where an event of a workspace is: a row of its WLog.
 *
 * @param offset WLog offset, from 1 on
 * @param plogOffset of the event in the log of the partition
 */
public record WorkspaceEvent(long workspace, long offset, long plogOffset) implements LogRow {}
