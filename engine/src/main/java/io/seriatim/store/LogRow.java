package io.seriatim.store;

/** A row that a write can find in its way. */
public sealed interface LogRow
        permits ApplicationRow, KeyRow, LogEvent, RecordRow, RegistryRow, SkippedRow, WorkspaceEvent {}
