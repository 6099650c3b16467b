package io.seriatim.transaction;

import io.seriatim.SequenceDefinition;

/**
 * A sequence with a name.
 *
 * @param id at least 1; stays with this sequence for ever, also when its name goes to another one
 * @param definition with each of its options decided
 */
public record CatalogueEntry(String name, long id, SequenceDefinition definition) {}
