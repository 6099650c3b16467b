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

    // ---- making the tables

    static final String SCHEMA_EXISTS = "SELECT to_regnamespace(quote_ident(?)) IS NOT NULL";

    static final String VERSIONED = "SELECT to_regclass('schema_version') IS NOT NULL";

    static final String VERSION = "SELECT coalesce(max(version), 0) FROM schema_version";

    /** Held until the transaction ends; another process that makes the same tables waits. */
    static final String LOCK_MIGRATION = "SELECT pg_advisory_xact_lock(hashtext('seriatim'), hashtext(?))";

    static final String CREATE_SCHEMA = "CREATE SCHEMA \"%s\"";

    static final String ADD_VERSION = "INSERT INTO schema_version (version) VALUES (?)";
}
