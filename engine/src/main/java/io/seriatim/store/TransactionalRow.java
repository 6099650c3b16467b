package io.seriatim.store;

import java.util.Optional;

/**
 * A transactional sequence and how far it has come.
 *
 * @param id at least 1
 * @param deleted whether it is no more: what is left is that its id must not come again
 * @param entry its name and definition; empty of one without a name
 * @param newest the durable pair of the greatest version; {@link VersionedValue#NONE} if nothing was put
 */
public record TransactionalRow(long id, boolean deleted, Optional<CatalogueRow> entry, VersionedValue newest) {

    public TransactionalRow {
        if (id < 1 || entry.filter(row -> row.sequenceId() != id).isPresent()) {
            throw new IllegalArgumentException(
                    "ids start at 1, and the entry has the same: id=" + id + " entry=" + entry);
        }
        if (deleted && (entry.isPresent() || newest.version() != 0)) {
            throw new IllegalArgumentException("of a deleted sequence there is nothing: id=" + id);
        }
    }

    /** What is left of a deleted sequence. */
    public static TransactionalRow deleted(long id) {
        return new TransactionalRow(id, true, Optional.empty(), VersionedValue.NONE);
    }
}
