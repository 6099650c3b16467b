package io.seriatim.eventlog;

/** What came of a wish to start an event: its offsets, or why there are none. */
public sealed interface EventStart permits EventOffsets, Refusal {}
