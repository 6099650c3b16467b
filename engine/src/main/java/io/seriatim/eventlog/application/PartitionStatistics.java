package io.seriatim.eventlog.application;

/**
 * What a partition has done since it was opened here.
 *
 * @param commands taken to wait for their turn
 * @param groups of events that were written with one append each
 * @param events in these groups
 * @param brokenTurns how often something was thrown that nobody expected, after which it began anew
 */
public record PartitionStatistics(long commands, long groups, long events, long brokenTurns) {}
