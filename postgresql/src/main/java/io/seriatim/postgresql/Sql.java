package io.seriatim.postgresql;

/**
 * Every statement that runs on the tables; the tables are made by the files {@code V*.sql} beside this class.
 * Names are found through the search path, which each connection sets to the store's schema.
 */
final class Sql {

    private Sql() {}

    /**
     * Sets up a session, in one round trip: schema, statement timeout. Answers with what the server must be like.
     * A commit is on the disk before it is answered, whatever the defaults of server, database and role; a row
     * that another writer holds is waited for and then seen as he left it (READ COMMITTED).
     */
    static final String BEGIN_SESSION = """
            SELECT set_config('search_path', quote_ident(?), false),
                   set_config('statement_timeout', ?, false),
                   set_config('synchronous_commit', 'on', false),
                   set_config('default_transaction_isolation', 'read committed', false),
                   current_setting('fsync') AS fsync,
                   current_setting('full_page_writes') AS full_page_writes,
                   current_setting('server_encoding') AS server_encoding,
                   pg_is_in_recovery() AS standby
            """;

    /** One row: the present definition, counter and answer; nulls for a key that is null or has no row. */
    static final String FIND = """
            SELECT d.name, d.sequence_id, d.generation, d.revision, d.dropped, d.created, d.modified, d.writer, d.write,
                   ARRAY(SELECT key FROM jsonb_each_text(d.options) ORDER BY key),
                   ARRAY(SELECT value FROM jsonb_each_text(d.options) ORDER BY key),
                   c.generation, c.round, c.high_water_mark, c.fresh, c.revision, c.writer, c.write, c.open_blocks,
                   c.account,
                   i.answer, i.expires, i.writer, i.write
            FROM (SELECT) AS one
            LEFT JOIN definition AS d ON d.folded_name = ?
            LEFT JOIN counter AS c ON c.sequence_id = ? AND c.scope = ? AND c.period = ?
            LEFT JOIN idempotency AS i ON i.sequence_id = ? AND i.caller = ? AND i.key = ?
            """;

    static final String LIST_DEFINITIONS = """
            SELECT d.name, d.sequence_id, d.generation, d.revision, d.dropped, d.created, d.modified, d.writer, d.write,
                   ARRAY(SELECT key FROM jsonb_each_text(d.options) ORDER BY key),
                   ARRAY(SELECT value FROM jsonb_each_text(d.options) ORDER BY key)
            FROM definition AS d
            WHERE d.folded_name >= ? AND d.folded_name > ? AND starts_with(d.folded_name, ?)
              AND NOT d.dropped AND starts_with(d.name, ?)
            ORDER BY d.folded_name
            LIMIT ?
            """;

    /** The counter of empty scope and period is the first, and nothing lies before it. */
    static final String LIST_COUNTERS = """
            SELECT scope, period, generation, round, high_water_mark, fresh, revision, writer, write, open_blocks,
                   account
            FROM counter
            WHERE sequence_id = ? AND (scope, period) >= (?, ?) AND (? OR (scope, period) <> (?, ?))
            ORDER BY scope, period
            LIMIT ?
            """;

    static final String LIST_LEDGER = """
            SELECT index, entry
            FROM ledger
            WHERE sequence_id = ? AND scope = ? AND period = ? AND index >= ?
            ORDER BY index
            LIMIT ?
            """;

    static final String INSERT_COUNTER = """
            INSERT INTO counter
                (generation, round, high_water_mark, fresh, revision, writer, write, open_blocks, account,
                 sequence_id, scope, period)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT DO NOTHING
            """;

    static final String UPDATE_COUNTER = """
            UPDATE counter
            SET generation = ?, round = ?, high_water_mark = ?, fresh = ?, revision = ?, writer = ?, write = ?,
                open_blocks = ?, account = ?
            WHERE sequence_id = ? AND scope = ? AND period = ? AND revision = ?
            """;

    /** A change with other rows than one counter. */
    static final String APPLY = """
            SELECT apply(
                ROW(?, ?, ?, ?, ?, jsonb_object(?::text[], ?::text[]), ?, ?, ?, ?, ?)::definition,
                ROW(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)::counter,
                ARRAY(SELECT ROW(l.sequence_id, l.scope, l.period, l.index, l.entry)::ledger
                      FROM unnest(?::bigint[], ?::text[], ?::text[], ?::bigint[], ?::text[])
                          AS l (sequence_id, scope, period, index, entry)),
                ROW(?, ?, ?, ?, ?, ?, ?)::idempotency)
            """;

    /**
     * Removes what has expired and counts what is left. The order of the texts is that of time within the years 0 to
     * 9999, see {@link Instants}; what lies outside is kept.
     */
    static final String SWEEP_IDEMPOTENCY = """
            WITH gone AS (DELETE FROM idempotency WHERE expires >= '0' AND expires < ? RETURNING 1)
            SELECT (SELECT count(*) FROM idempotency) - (SELECT count(*) FROM gone)
            """;

    // ---- transactions; those on a caller's connection name the schema, for it has a search path of its own

    /** Which database, and which tables of it, a connection finds. */
    static final String WHERE_PUTS_GO = """
            SELECT (SELECT system_identifier FROM pg_control_system()),
                   (SELECT oid FROM pg_database WHERE datname = current_database()),
                   to_regclass(?)::oid,
                   (SELECT pid || ' ' || extract(epoch FROM backend_start)
                    FROM pg_stat_activity
                    WHERE pid = pg_backend_pid())
            """;

    static final String CREATE_SEQUENCE = """
            INSERT INTO transactional_sequence (id) VALUES (nextval('transactional_id')) RETURNING id
            """;

    static final String RESERVE_SEQUENCE = "SELECT nextval('transactional_id')";

    static final String CATALOGUED = "SELECT name FROM transactional_catalogue WHERE id = ?";

    static final String DELETE_SEQUENCE = """
            WITH puts AS (DELETE FROM transactional_put WHERE id = ?)
            DELETE FROM transactional_sequence WHERE id = ?
            """;

    /** Of rows with one version, which only a mistake makes, the first transaction's. */
    static final String NEWEST_PUT = """
            SELECT p.version, p.value
            FROM transactional_sequence AS s
            LEFT JOIN LATERAL (
                SELECT version, value FROM transactional_put WHERE id = s.id ORDER BY version DESC, transaction LIMIT 1
            ) AS p ON true
            WHERE s.id = ?
            """;

    /**
     * The server's processes that hold the lock of puts to a sequence, or to one that shares it, as {@link #WHERE_PUTS_GO}
     * names them: by number and start, as numbers come again. Null for one that cannot be looked at.
     */
    static final String HOLDERS_OF_PUTS = """
            SELECT pid || ' ' || extract(epoch FROM backend_start)
            FROM pg_locks
            LEFT JOIN pg_stat_activity USING (pid)
            WHERE locktype = 'advisory'
              AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
              AND classid::bigint = hashtext('seriatim ' || ?)::bigint & 4294967295
              AND objid::bigint = ? % 256
              AND objsubid = 2
              AND granted
            """;

    /** Writes nothing where a commit would not be durable. Asks for nothing that a serializable transaction would track. */
    static final String PUT = """
            INSERT INTO "%s".transactional_put (id, version, transaction, value)
            SELECT ?, ?, txid_current(), ?
            FROM (SELECT pg_advisory_xact_lock_shared(hashtext('seriatim ' || ?), (? %% 256)::integer)) AS lock
            WHERE current_setting('synchronous_commit') IN ('on', 'remote_apply')
            ON CONFLICT DO NOTHING
            """;

    /** Whether this very transaction has put that or something newer. */
    static final String HAS_PUT = """
            SELECT EXISTS (
                SELECT FROM "%s".transactional_put WHERE id = ? AND version >= ? AND transaction = txid_current())
            """;

    static final String SYNCHRONOUS_COMMIT = "SELECT current_setting('synchronous_commit')";

    static final String DEFINE_SEQUENCE = """
            WITH named AS (
                INSERT INTO "%1$s".transactional_catalogue (name, id, options)
                VALUES (?, ?, jsonb_object(?::text[], ?::text[]))
                ON CONFLICT (name) DO NOTHING
                RETURNING id)
            INSERT INTO "%1$s".transactional_sequence (id) SELECT id FROM named
            """;

    static final String DROP_SEQUENCE = """
            WITH named AS (
                DELETE FROM "%1$s".transactional_catalogue WHERE name = ? AND id = ? RETURNING id),
            puts AS (
                DELETE FROM "%1$s".transactional_put WHERE id IN (SELECT id FROM named))
            DELETE FROM "%1$s".transactional_sequence WHERE id IN (SELECT id FROM named)
            """;

    private static final String ENTRY = """
            SELECT name, id,
                   ARRAY(SELECT key FROM jsonb_each_text(options) ORDER BY key),
                   ARRAY(SELECT value FROM jsonb_each_text(options) ORDER BY key)
            FROM "%s".transactional_catalogue
            """;

    static final String FIND_NAMED_SEQUENCE = ENTRY + "WHERE name = ?";

    static final String FIND_NUMBERED_SEQUENCE = ENTRY + "WHERE id = ?";

    static final String LIST_NAMED_SEQUENCES = ENTRY + "WHERE name > ? ORDER BY name LIMIT ?";

    /**
     * The rows of {@link #FIND} but the answer, locked: the definition against a change, the counter against everybody; in
     * the order in which {@link #APPLY} writes them.
     */
    static final String FIND_FOR_UPDATE = """
            WITH d AS (SELECT * FROM "%1$s".definition WHERE folded_name = ? FOR SHARE),
            c AS (
                SELECT * FROM "%1$s".counter
                WHERE sequence_id = ? AND scope = ? AND period = ? AND (SELECT count(*) FROM d) >= 0
                FOR UPDATE)
            SELECT d.name, d.sequence_id, d.generation, d.revision, d.dropped, d.created, d.modified, d.writer, d.write,
                   ARRAY(SELECT key FROM jsonb_each_text(d.options) ORDER BY key),
                   ARRAY(SELECT value FROM jsonb_each_text(d.options) ORDER BY key),
                   c.generation, c.round, c.high_water_mark, c.fresh, c.revision, c.writer, c.write, c.open_blocks,
                   c.account
            FROM (SELECT) AS one
            LEFT JOIN d ON true
            LEFT JOIN c ON true
            """;

    private static final String AND_LEDGER = """
            INSERT INTO "%1$s".ledger (sequence_id, scope, period, index, entry)
            SELECT l.* FROM unnest(?::bigint[], ?::text[], ?::text[], ?::bigint[], ?::text[]) AS l
            WHERE EXISTS (SELECT FROM written)
            """;

    static final String INSERT_COUNTER_AND_LEDGER = """
            WITH written AS (
                INSERT INTO "%1$s".counter
                    (generation, round, high_water_mark, fresh, revision, writer, write, open_blocks, account,
                     sequence_id, scope, period)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT DO NOTHING
                RETURNING 1)
            """ + AND_LEDGER;

    static final String UPDATE_COUNTER_AND_LEDGER = """
            WITH written AS (
                UPDATE "%1$s".counter
                SET generation = ?, round = ?, high_water_mark = ?, fresh = ?, revision = ?, writer = ?, write = ?,
                    open_blocks = ?, account = ?
                WHERE sequence_id = ? AND scope = ? AND period = ? AND revision = ?
                RETURNING 1)
            """ + AND_LEDGER;

    /** Removes rows that a newer one has superseded. Waits for nobody; what another process is removing, it removes. */
    static final String DELETE_SUPERSEDED = """
            DELETE FROM transactional_put WHERE ctid = ANY (ARRAY(
                SELECT older.ctid FROM transactional_put AS older
                WHERE older.id = ANY (?) AND older.version < (
                    SELECT max(newest.version) FROM transactional_put AS newest WHERE newest.id = older.id)
                LIMIT ?
                FOR UPDATE SKIP LOCKED))
            """;

    /** Bounds how long a row that others hold is waited for; ends at the latest with the transaction. */
    static final String BEGIN_WAIT = "SAVEPOINT seriatim_wait";

    static final String BOUND_WAIT = """
            SELECT current_setting('lock_timeout'), set_config('lock_timeout', ?, true)
            """;

    /** The same, and then waits for whoever is in front at a counter. */
    static final String BOUND_WAIT_AND_QUEUE = """
            SELECT current_setting('lock_timeout'), set_config('lock_timeout', ?, true),
                   pg_advisory_xact_lock(hashtext('seriatim counter ' || ?), hashtext(?))
            """;

    static final String END_WAIT = "SELECT set_config('lock_timeout', ?, true)";

    static final String RELEASE_WAIT = "RELEASE SAVEPOINT seriatim_wait";

    static final String GIVE_UP_WAIT = "ROLLBACK TO SAVEPOINT seriatim_wait; RELEASE SAVEPOINT seriatim_wait";

    // ---- making the tables

    static final String SCHEMA_EXISTS = "SELECT to_regnamespace(quote_ident(?)) IS NOT NULL";

    static final String VERSIONED = "SELECT to_regclass('schema_version') IS NOT NULL";

    static final String VERSION = "SELECT coalesce(max(version), 0) FROM schema_version";

    /** Held until the transaction ends; another process that makes the same tables waits. */
    static final String LOCK_MIGRATION = "SELECT pg_advisory_xact_lock(hashtext('seriatim'), hashtext(?))";

    static final String CREATE_SCHEMA = "CREATE SCHEMA \"%s\"";

    static final String ADD_VERSION = "INSERT INTO schema_version (version) VALUES (?)";
}
