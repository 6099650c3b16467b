package io.seriatim.postgresql;

import java.util.List;

/** The statements that read and write whole tables. */
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
            ORDER BY sequence_id, scope, period
            """;

    /** In the order of {@link #COUNTERS}. */
    static final String LEDGERS_OF_COUNTERS = """
            SELECT index, entry, sequence_id, scope, period
            FROM ledger JOIN counter USING (sequence_id, scope, period)
            ORDER BY sequence_id, scope, period, index
            """;

    static final String OTHER_LEDGERS = """
            SELECT index, entry, sequence_id, scope, period
            FROM ledger AS l
            WHERE NOT EXISTS (
                SELECT FROM counter AS c
                WHERE c.sequence_id = l.sequence_id AND c.scope = l.scope AND c.period = l.period)
            ORDER BY sequence_id, scope, period, index
            """;

    static final String IDEMPOTENCY =
            "SELECT answer, expires, writer, write, sequence_id, caller, key FROM idempotency";

    // ---- event logs; the partition stands behind the columns that LogRows knows

    static final String APPLICATIONS = LogSql.APPLICATIONS;

    /** Each of the three tables may lack a row but the first: where that one does, the row is refused. */
    static final String PARTITIONS = """
            SELECT application, partition, p.epoch, a.next_offset, c.next_offset, c.epoch
            FROM log_partition AS p
            FULL JOIN log_applied AS a USING (application, partition)
            FULL JOIN log_checkpoint AS c USING (application, partition)
            """;

    static final String EVENTS = """
            SELECT plog_offset, epoch, workspace, kind, writer, write, sequences, numbers, header_checksum, key, body,
                   checksum, application, partition
            FROM log_event
            ORDER BY application, partition, plog_offset
            """;

    static final String PLACES = "SELECT workspace, wlog_offset, plog_offset, application, partition FROM log_place";

    static final String RECORDS = """
            SELECT workspace, id, type, plog_offset, wlog_offset, body, checksum, application, partition
            FROM log_record
            """;

    static final String REGISTRY = "SELECT workspace, id, type, wlog_offset, application, partition FROM log_registry";

    static final String KEYS = "SELECT workspace, key, plog_offset, application, partition FROM log_key";

    static final String SKIPPED =
            "SELECT plog_offset, projector, who, reason, millis, application, partition FROM log_skipped";

    /** Numbers without a kind have none here, and are refused. */
    static final String NUMBERS = """
            SELECT workspace, w.kind, coalesce(n.sequences, '{}'), coalesce(n.numbers, '{}'), application, partition
            FROM log_workspace AS w
            FULL JOIN (
                SELECT application, partition, workspace,
                       array_agg(sequence ORDER BY sequence) AS sequences, array_agg(last ORDER BY sequence) AS numbers
                FROM log_number
                GROUP BY application, partition, workspace) AS n USING (application, partition, workspace)
            """;

    /** The longest body of a table; their lengths are known without reading those that are stored apart. */
    static final String LONGEST_BODY = "SELECT coalesce(max(octet_length(body)), 0) FROM %s";

    // ---- transactional sequences

    /** An entry of the catalogue without its sequence has no id here, and is refused. */
    static final String TRANSACTIONAL = """
            SELECT s.id, p.version, p.value, c.name,
                   ARRAY(SELECT key FROM jsonb_each_text(c.options) ORDER BY key),
                   ARRAY(SELECT value FROM jsonb_each_text(c.options) ORDER BY key)
            FROM transactional_sequence AS s
            FULL JOIN transactional_catalogue AS c ON c.id = s.id
            LEFT JOIN LATERAL (
                SELECT version, value FROM transactional_put WHERE id = s.id ORDER BY version DESC, transaction LIMIT 1
            ) AS p ON true
            """;

    /** The greatest id that was given out; the view hides it from who may not use the sequence. */
    static final String LAST_ID = """
            SELECT has_sequence_privilege('transactional_id', 'USAGE, SELECT'), coalesce(last_value, 0)
            FROM pg_sequences
            WHERE schemaname = current_schema() AND sequencename = 'transactional_id'
            """;

    static final String RAISE_LAST_ID = "SELECT setval('transactional_id', ?)";

    // ---- writing

    static final String INSERT_APPLICATION = "INSERT INTO log_application VALUES (?, ?, ?, ?, ?, ?, ?)";

    static final String INSERT_PARTITION = "INSERT INTO log_partition VALUES (?, ?, ?)";

    static final String INSERT_APPLIED = "INSERT INTO log_applied VALUES (?, ?, ?)";

    static final String INSERT_CHECKPOINT = "INSERT INTO log_checkpoint VALUES (?, ?, ?, ?)";

    static final String INSERT_EVENT = "INSERT INTO log_event VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";

    static final String INSERT_PLACE = "INSERT INTO log_place VALUES (?, ?, ?, ?, ?)";

    static final String INSERT_RECORD = "INSERT INTO log_record VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)";

    static final String INSERT_REGISTRY = "INSERT INTO log_registry VALUES (?, ?, ?, ?, ?, ?)";

    static final String INSERT_KEY = "INSERT INTO log_key VALUES (?, ?, ?, ?, ?)";

    static final String INSERT_SKIPPED = "INSERT INTO log_skipped VALUES (?, ?, ?, ?, ?, ?, ?)";

    static final String INSERT_WORKSPACE = "INSERT INTO log_workspace VALUES (?, ?, ?, ?)";

    static final String INSERT_NUMBER = "INSERT INTO log_number VALUES (?, ?, ?, ?, ?)";

    static final String INSERT_SEQUENCE = "INSERT INTO transactional_sequence VALUES (?)";

    /** Of no transaction: none has the number 0. */
    static final String INSERT_PUT = "INSERT INTO transactional_put VALUES (?, ?, 0, ?)";

    static final String INSERT_CATALOGUE =
            "INSERT INTO transactional_catalogue VALUES (?, ?, jsonb_object(?::text[], ?::text[]))";

    /** As a restore does: who owned a partition in the other store may live on, and has seen other events by then. */
    static final String RAISE_EPOCHS = "UPDATE log_partition SET epoch = epoch + 1000000, renewal = NULL";

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

    /** Every table that a move takes rows of, but for those that say which processes live. */
    static final List<String> TABLES = List.of(
            "definition",
            "counter",
            "ledger",
            "idempotency",
            "log_application",
            "log_partition",
            "log_event",
            "log_place",
            "log_record",
            "log_registry",
            "log_key",
            "log_skipped",
            "log_applied",
            "log_workspace",
            "log_number",
            "log_checkpoint",
            "transactional_sequence",
            "transactional_put",
            "transactional_catalogue");

    /** Until the transaction ends nobody else writes to them; reading goes on. */
    static final String LOCK = "LOCK TABLE " + String.join(", ", TABLES) + " IN SHARE ROW EXCLUSIVE MODE";

    /** The tables of this schema that are not of this program. */
    static final String OTHER_TABLES = """
            SELECT tablename
            FROM pg_tables
            WHERE schemaname = current_schema() AND tablename <> ALL (?)
              AND tablename NOT IN ('schema_version', 'log_node', 'log_lease')
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
