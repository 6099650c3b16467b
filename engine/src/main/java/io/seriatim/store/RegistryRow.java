package io.seriatim.store;

/**
 * Which type a record id has, and which event gave it out.
 *
 * @param id unique in its workspace
 * @param type the type's id
 * @param wlogOffset of the event that gave it out
 */
public record RegistryRow(long workspace, long id, int type, long wlogOffset) implements LogRow {}
