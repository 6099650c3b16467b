package io.seriatim.postgresql;

/** Every statement of event logs; tables and functions are made by V2.sql, and found as those of {@link Sql} are. */
final class LogSql {

    /*
     * A parameter that stands for a number is cast to its column's type, so the driver's type does not matter; rows
     * come as one array for each column. The partition of a write stands in FROM, so that its rows can name it too.
     */

    private LogSql() {}

    /** SQLSTATE of a write that was taken back because a row is in the way. */
    static final String IN_THE_WAY = "SE001";

    // ---- applications

    static final String APPLICATIONS = """
            SELECT id, name, revision, writer, write, body, checksum
            FROM log_application
            ORDER BY id
            """;

    static final String FIND_APPLICATION = """
            SELECT id, name, revision, writer, write, body, checksum
            FROM log_application
            WHERE id = ?::integer OR name = ?
            ORDER BY id
            LIMIT 1
            """;

    static final String INSERT_APPLICATION = """
            INSERT INTO log_application (revision, writer, write, body, checksum, id, name)
            VALUES (?, ?, ?, ?, ?::integer, ?::integer, ?)
            ON CONFLICT DO NOTHING
            """;

    static final String UPDATE_APPLICATION = """
            UPDATE log_application
            SET revision = ?, writer = ?, write = ?, body = ?, checksum = ?::integer
            WHERE id = ?::integer AND name = ? AND revision = ?
            """;

    // ---- ownership

    static final String PARTITIONS = "SELECT application, partition FROM log_partition ORDER BY application, partition";

    static final String EPOCH =
            "SELECT epoch FROM log_partition WHERE application = ?::integer AND partition = ?::integer";

    /** Waits for the writes under way of whoever owns the partition. */
    static final String TAKE = """
            INSERT INTO log_partition AS there (application, partition, epoch) VALUES (?::integer, ?::integer, 1)
            ON CONFLICT (application, partition) DO UPDATE SET epoch = there.epoch + 1, renewal = NULL
            RETURNING epoch
            """;

    static final String RENEW = """
            UPDATE log_partition SET epoch = epoch + 1, renewal = ?
            WHERE application = ?::integer AND partition = ?::integer AND epoch = ?
            """;

    static final String RENEWED_TO = """
            SELECT epoch FROM log_partition
            WHERE application = ?::integer AND partition = ?::integer AND renewal = ?
            """;

    // ---- the log

    static final String APPEND = """
            SELECT log_append(
                p.application, p.partition, ?, ?,
                ARRAY(SELECT ROW(p.application, p.partition, e.plog_offset, e.epoch, e.workspace, e.kind, e.writer,
                                 e.write, e.key, e.sequences::integer[], e.numbers::bigint[], e.header_checksum,
                                 e.body, e.checksum)::log_event
                      FROM unnest(?::bigint[], ?::bigint[], ?::bigint[], ?::integer[], ?::bigint[], ?::bigint[],
                                  ?::text[], ?::text[], ?::text[], ?::integer[], ?::bytea[], ?::integer[])
                          AS e (plog_offset, epoch, workspace, kind, writer, write, key, sequences, numbers,
                                header_checksum, body, checksum)))
            FROM (SELECT ?::integer AS application, ?::integer AS partition) AS p
            """;

    static final String MARKS = """
            SELECT plog_offset, writer, write
            FROM log_event
            WHERE application = ?::integer AND partition = ?::integer AND plog_offset = ANY (?::bigint[])
            ORDER BY plog_offset
            """;

    /** The sum is over the bodies before; their lengths are known without reading those that are stored apart. */
    static final String EVENTS = """
            SELECT plog_offset, epoch, workspace, kind, writer, write, sequences, numbers, header_checksum, key, body,
                   checksum
            FROM (SELECT *, sum(octet_length(body)) OVER (ORDER BY plog_offset) - octet_length(body) AS bytes_before
                  FROM (SELECT * FROM log_event
                        WHERE application = ?::integer AND partition = ?::integer AND plog_offset >= ?
                        ORDER BY plog_offset
                        LIMIT ?) AS page) AS e
            WHERE bytes_before < ?
            ORDER BY plog_offset
            """;

    static final String HEADERS = """
            SELECT plog_offset, epoch, workspace, kind, writer, write, sequences, numbers, header_checksum
            FROM log_event
            WHERE application = ?::integer AND partition = ?::integer AND plog_offset >= ?
            ORDER BY plog_offset
            LIMIT ?
            """;

    static final String LAST_OFFSET =
            "SELECT max(plog_offset) FROM log_event WHERE application = ?::integer AND partition = ?::integer";

    // ---- what follows from events

    static final String DERIVE = """
            SELECT log_derive(
                p.application, p.partition, ?, ?, ?,
                ARRAY(SELECT ROW(p.application, p.partition, r.*)::log_record
                      FROM unnest(?::bigint[], ?::bigint[], ?::integer[], ?::bigint[], ?::bigint[], ?::bytea[],
                                  ?::integer[]) AS r),
                ARRAY(SELECT ROW(p.application, p.partition, r.*)::log_record
                      FROM unnest(?::bigint[], ?::bigint[], ?::integer[], ?::bigint[], ?::bigint[], ?::bytea[],
                                  ?::integer[]) AS r),
                ARRAY(SELECT ROW(p.application, p.partition, r.*)::log_registry
                      FROM unnest(?::bigint[], ?::bigint[], ?::integer[], ?::bigint[]) AS r),
                ARRAY(SELECT ROW(p.application, p.partition, k.*)::log_key
                      FROM unnest(?::bigint[], ?::text[], ?::bigint[]) AS k),
                ARRAY(SELECT ROW(p.application, p.partition, l.*)::log_place
                      FROM unnest(?::bigint[], ?::bigint[], ?::bigint[]) AS l),
                ARRAY(SELECT ROW(p.application, p.partition, s.*)::log_skipped
                      FROM unnest(?::bigint[], ?::text[], ?::text[], ?::text[], ?::bigint[]) AS s),
                ?::bigint)
            FROM (SELECT ?::integer AS application, ?::integer AS partition) AS p
            """;

    static final String APPLIED =
            "SELECT next_offset FROM log_applied WHERE application = ?::integer AND partition = ?::integer";

    static final String PLACES = """
            SELECT workspace, wlog_offset, plog_offset
            FROM log_place
            WHERE application = ?::integer AND partition = ?::integer AND workspace = ? AND wlog_offset >= ?
            ORDER BY wlog_offset
            LIMIT ?
            """;

    static final String RECORD = """
            SELECT workspace, id, type, plog_offset, wlog_offset, body, checksum
            FROM log_record
            WHERE application = ?::integer AND partition = ?::integer AND workspace = ? AND id = ?
            """;

    static final String REGISTERED = """
            SELECT workspace, id, type, wlog_offset
            FROM log_registry
            WHERE application = ?::integer AND partition = ?::integer AND workspace = ? AND id = ?
            """;

    static final String KEYED = """
            SELECT workspace, key, plog_offset
            FROM log_key
            WHERE application = ?::integer AND partition = ?::integer AND workspace = ? AND key = ?
            """;

    static final String SKIPPED = """
            SELECT plog_offset, projector, who, reason, millis
            FROM log_skipped
            WHERE application = ?::integer AND partition = ?::integer AND plog_offset >= ?
            ORDER BY plog_offset, projector
            LIMIT ?
            """;

    // ---- what is in the way of a write, the first of the rows that were to be written

    static final String RECORD_IN_THE_WAY = """
            SELECT r.workspace, r.id, r.type, r.plog_offset, r.wlog_offset, r.body, r.checksum
            FROM log_record AS r
            JOIN unnest(?::bigint[], ?::bigint[]) WITH ORDINALITY AS w (workspace, id, place) USING (workspace, id)
            WHERE r.application = ?::integer AND r.partition = ?::integer
            ORDER BY w.place
            LIMIT 1
            """;

    static final String REGISTERED_IN_THE_WAY = """
            SELECT r.workspace, r.id, r.type, r.wlog_offset
            FROM log_registry AS r
            JOIN unnest(?::bigint[], ?::bigint[]) WITH ORDINALITY AS w (workspace, id, place) USING (workspace, id)
            WHERE r.application = ?::integer AND r.partition = ?::integer
            ORDER BY w.place
            LIMIT 1
            """;

    static final String KEY_IN_THE_WAY = """
            SELECT k.workspace, k.key, k.plog_offset
            FROM log_key AS k
            JOIN unnest(?::bigint[], ?::text[]) WITH ORDINALITY AS w (workspace, key, place) USING (workspace, key)
            WHERE k.application = ?::integer AND k.partition = ?::integer
            ORDER BY w.place
            LIMIT 1
            """;

    static final String PLACE_IN_THE_WAY = """
            SELECT l.workspace, l.wlog_offset, l.plog_offset
            FROM log_place AS l
            JOIN unnest(?::bigint[], ?::bigint[]) WITH ORDINALITY AS w (workspace, wlog_offset, place)
                USING (workspace, wlog_offset)
            WHERE l.application = ?::integer AND l.partition = ?::integer
            ORDER BY w.place
            LIMIT 1
            """;

    // ---- the projection of the numbers

    static final String CHECKPOINT =
            "SELECT next_offset, epoch FROM log_checkpoint WHERE application = ?::integer AND partition = ?::integer";

    static final String NUMBERS = """
            SELECT w.kind, n.sequence, n.last
            FROM log_workspace AS w
            LEFT JOIN log_number AS n USING (application, partition, workspace)
            WHERE w.application = ?::integer AND w.partition = ?::integer AND w.workspace = ?
            """;

    static final String WRITE_NUMBERS = """
            SELECT log_write_numbers(
                p.application, p.partition, ?,
                ARRAY(SELECT ROW(p.application, p.partition, w.*)::log_workspace
                      FROM unnest(?::bigint[], ?::integer[]) AS w),
                ARRAY(SELECT ROW(p.application, p.partition, n.*)::log_number
                      FROM unnest(?::bigint[], ?::integer[], ?::bigint[]) AS n),
                ?)
            FROM (SELECT ?::integer AS application, ?::integer AS partition) AS p
            """;

    static final String RESET_CHECKPOINT = "SELECT log_reset_checkpoint(?::integer, ?::integer, ?)";
}
