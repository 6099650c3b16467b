package io.seriatim.postgresql;

/** The statements that read and write whole tables of sequences. */
final class StateSql {

    private StateSql() {}

    /** Large tables take longer than a call of the engine may. */
    static final String NO_TIMEOUT = "SET LOCAL statement_timeout = 0";

    static final String DEFINITIONS = """
            SELECT d.name, d.sequence_id, d.generation, d.revision, d.dropped, d.created, d.modified, d.writer, d.write,
                   ARRAY(SELECT key FROM jsonb_each_text(d.options) ORDER BY key),
                   ARRAY(SELECT value FROM jsonb_each_text(d.options) ORDER BY key)
            FROM definition AS d
            """;

    static final String COUNTERS = """
            SELECT scope, period, generation, round, high_water_mark, fresh, revision, writer, write, open_blocks,
                   account, sequence_id
            FROM counter
            """;

    static final String LEDGER = "SELECT index, entry, sequence_id, scope, period FROM ledger";

    static final String IDEMPOTENCY =
            "SELECT answer, expires, writer, write, sequence_id, caller, key FROM idempotency";

    static final String INSERT_DEFINITION =
            "INSERT INTO definition VALUES (?, ?, ?, ?, ?, jsonb_object(?::text[], ?::text[]), ?, ?, ?, ?, ?)";

    static final String INSERT_COUNTER = """
            INSERT INTO counter
                (sequence_id, scope, period, generation, round, high_water_mark, fresh, revision, writer, write,
                 open_blocks, account)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """;

    static final String INSERT_LEDGER = "INSERT INTO ledger VALUES (?, ?, ?, ?, ?)";

    static final String INSERT_IDEMPOTENCY = "INSERT INTO idempotency VALUES (?, ?, ?, ?, ?, ?, ?)";

    /** Until the transaction ends nobody else writes to them; reading goes on. */
    static final String LOCK = "LOCK TABLE definition, counter, ledger, idempotency IN SHARE ROW EXCLUSIVE MODE";

    /** The tables of this schema but for those of sequences, and those that say which processes live. */
    static final String OTHER_TABLES = """
            SELECT tablename
            FROM pg_tables
            WHERE schemaname = current_schema()
              AND tablename NOT IN
                  ('schema_version', 'definition', 'counter', 'ledger', 'idempotency', 'log_node', 'log_lease')
            ORDER BY tablename
            """;

    static final String HAS_ROWS = "SELECT EXISTS (SELECT FROM \"%s\")";

    /** Who owns tables of this schema, of the roles that this one cannot act as. */
    static final String OTHER_OWNERS = """
            SELECT DISTINCT tableowner
            FROM pg_tables
            WHERE schemaname = current_schema() AND NOT pg_has_role(tableowner, 'USAGE')
            ORDER BY tableowner
            """;

    /** Whether {@link #MOVE} has been done. */
    static final String IS_MOVED =
            "SELECT EXISTS (SELECT FROM pg_trigger WHERE tgrelid = to_regclass('counter') AND tgname = 'moved')";

    /**
     * Lets nobody write any more, whoever it is and whatever version it has: a trigger waits for writes under way, and
     * refuses every one that comes after it.
     */
    static final String MOVE = """
            CREATE FUNCTION refuse_moved() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN
                RAISE SQLSTATE 'SE002' USING MESSAGE = 'everything was moved to another store, for good';
            END
            $$;
            DO $$
            DECLARE
                moved text;
            BEGIN
                FOR moved IN SELECT tablename FROM pg_tables WHERE schemaname = current_schema() ORDER BY tablename LOOP
                    EXECUTE format(
                        'CREATE TRIGGER moved BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON %I'
                        || ' FOR EACH STATEMENT EXECUTE FUNCTION refuse_moved()',
                        moved);
                END LOOP;
            END
            $$
            """;
}
