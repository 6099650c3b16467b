package io.seriatim.store;

/**
 * How far stored numbers reach.
 *
 * @param nextOffset the first offset that they do not cover, at least 1
 * @param epoch of the owner that wrote it
 */
public record Checkpoint(long nextOffset, long epoch) {}
