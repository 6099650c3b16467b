package io.seriatim.store;

/**
 * Names one partition of an application.
 *
 * @param application at least 1
 * @param partition from 0 on
 */
public record PartitionKey(int application, int partition) {

    public PartitionKey {
        if (application < 1 || partition < 0) {
            throw new IllegalArgumentException(
                    "application starts at 1, partition at 0: application=" + application + " partition=" + partition);
        }
    }
}
