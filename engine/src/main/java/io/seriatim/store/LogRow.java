package io.seriatim.store;

/** A row of a partition that a write can find in its way. */
public sealed interface LogRow permits LogEvent, WorkspaceEvent, RecordRow, RegistryRow {}
