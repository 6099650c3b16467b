package io.seriatim.eventlog.application;

import java.time.Duration;
import java.util.Optional;

/** Something that an operator may want to know of the processes that share a store, as one of them has seen it. */
public sealed interface ClusterEvent {

    /**
     * Another node lives.
     *
     * @param url where its server is reached; empty of a process that serves nobody
     */
    record Joined(String node, String url) implements ClusterEvent {}

    /** Another node has ended cleanly. */
    record Left(String node, String url) implements ClusterEvent {}

    /** Another node has given no sign of life for its lease: others take its partitions. */
    record Died(String node, String url, Duration lease) implements ClusterEvent {}

    /** Another living node says that it is reached where this one is: one of them is never called. */
    record SameUrl(String node, String url) implements ClusterEvent {}

    /**
     * A partition runs here, under a new epoch.
     *
     * @param deadOwner the node it was taken from, if that had died
     */
    record Opened(String application, int partition, long epoch, Optional<String> deadOwner) implements ClusterEvent {}

    /**
     * A partition that ran here was handed to who is to have it.
     *
     * @param epoch the last one here
     */
    record HandedOver(String application, int partition, long epoch, String to) implements ClusterEvent {}

    /**
     * A partition that ran here was taken by another one; what was written here since was refused.
     *
     * @param epoch the last one here
     * @param to empty where somebody took it without a lease
     */
    record Lost(String application, int partition, long epoch, String to) implements ClusterEvent {}

    /**
     * This node was late with its sign of life, because it stood still or the store did: others may have taken it for dead.
     *
     * @param silence how long there was none
     */
    record Paused(Duration silence, Duration lease) implements ClusterEvent {}

    /** Signs of life cannot be given, or the others not be looked at; tried again all the time. */
    record Troubled(String what) implements ClusterEvent {}

    /** That is over. */
    record Recovered() implements ClusterEvent {}
}
