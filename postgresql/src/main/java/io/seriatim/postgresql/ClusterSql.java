package io.seriatim.postgresql;

/** The statements of {@link PostgresCluster}. */
final class ClusterSql {

    /**
     * Both tables as they are at one moment; a node has application 0. A silence ends when the statement begins, and begins
     * when the row is written, so it is never too long: rows that come meanwhile are not seen.
     */
    static final String READ = """
            SELECT 0 AS application, 0 AS partition, node, url, beat AS beat_or_epoch,
                   lease_millis AS lease_or_revision,
                   greatest(0, trunc(extract(epoch FROM statement_timestamp() - beaten_at) * 1000))::bigint
                       AS silence_millis
            FROM log_node
            UNION ALL
            SELECT application, partition, owner, '', epoch, revision, 0
            FROM log_lease
            ORDER BY application, partition, node
            """;

    static final String WRITE_NODE = """
            INSERT INTO log_node (node, url, beat, lease_millis, beaten_at) VALUES (?, ?, ?, ?, clock_timestamp())
            ON CONFLICT (node) DO UPDATE
            SET url = excluded.url, beat = excluded.beat, lease_millis = excluded.lease_millis,
                beaten_at = clock_timestamp()
            """;

    static final String REMOVE_NODE = "DELETE FROM log_node WHERE node = ? AND beat = ?";

    static final String INSERT_LEASE = """
            INSERT INTO log_lease (owner, epoch, revision, application, partition) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT DO NOTHING
            """;

    static final String UPDATE_LEASE = """
            UPDATE log_lease SET owner = ?, epoch = ?, revision = ?
            WHERE application = ? AND partition = ? AND revision = ?
            """;

    private ClusterSql() {}
}
