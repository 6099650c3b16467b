-- Seriatim on PostgreSQL, version 2. Run once, in one transaction, with the store's schema as search path.

-- ================================================================================================ event log

CREATE TABLE log_application (
    id        integer           PRIMARY KEY CHECK (id >= 1),
    name      text COLLATE "C"  NOT NULL UNIQUE,
    revision  bigint            NOT NULL CHECK (revision >= 1),
    writer    bigint            NOT NULL,
    write     bigint            NOT NULL,
    body      bytea             NOT NULL,
    checksum  integer           NOT NULL
);
COMMENT ON TABLE log_application IS 'One row for each application that was ever deployed.';

-- Every write of an owner locks its row here, so nothing else may be written to it: see log_append.
CREATE TABLE log_partition (
    application  integer  NOT NULL CHECK (application >= 1),
    partition    integer  NOT NULL CHECK (partition >= 0),
    epoch        bigint   NOT NULL CHECK (epoch >= 1),
    renewal      bigint,
    PRIMARY KEY (application, partition)
);
COMMENT ON TABLE log_partition IS 'Who may write to a partition: the owner with this epoch, and nobody else.';
COMMENT ON COLUMN log_partition.renewal IS 'By which an owner knows that it has raised the epoch itself; null if it was taken.';

CREATE TABLE log_event (
    application      integer    NOT NULL,
    partition        integer    NOT NULL,
    plog_offset      bigint     NOT NULL CHECK (plog_offset >= 1),
    epoch            bigint     NOT NULL CHECK (epoch >= 1),
    workspace        bigint     NOT NULL,
    kind             integer    NOT NULL CHECK (kind >= 1),
    writer           bigint     NOT NULL,
    write            bigint     NOT NULL,
    key              text       NOT NULL,
    sequences        integer[]  NOT NULL,
    numbers          bigint[]   NOT NULL,
    header_checksum  integer    NOT NULL,
    body             bytea      NOT NULL,
    checksum         integer    NOT NULL,
    PRIMARY KEY (application, partition, plog_offset)
);
COMMENT ON TABLE log_event IS 'The logs: what was done, in order. All else of an event log follows from it.';
COMMENT ON COLUMN log_event.epoch IS 'Of the owner that wrote the event.';
COMMENT ON COLUMN log_event.key IS 'The idempotency key that it was written under, empty for none.';
COMMENT ON COLUMN log_event.sequences IS 'The sequences that the event drew from, by their ids.';
COMMENT ON COLUMN log_event.numbers IS 'The greatest number that it has of each.';

CREATE TABLE log_place (
    application  integer  NOT NULL,
    partition    integer  NOT NULL,
    workspace    bigint   NOT NULL,
    wlog_offset  bigint   NOT NULL,
    plog_offset  bigint   NOT NULL,
    PRIMARY KEY (application, partition, workspace, wlog_offset)
);
COMMENT ON TABLE log_place IS 'Where the events of each workspace are in the log of its partition.';

CREATE TABLE log_record (
    application  integer  NOT NULL,
    partition    integer  NOT NULL,
    workspace    bigint   NOT NULL,
    id           bigint   NOT NULL,
    type         integer  NOT NULL,
    plog_offset  bigint   NOT NULL,
    wlog_offset  bigint   NOT NULL,
    body         bytea    NOT NULL,
    checksum     integer  NOT NULL,
    PRIMARY KEY (application, partition, workspace, id)
);
COMMENT ON TABLE log_record IS 'Records, each as its last event left it.';

CREATE TABLE log_registry (
    application  integer  NOT NULL,
    partition    integer  NOT NULL,
    workspace    bigint   NOT NULL,
    id           bigint   NOT NULL,
    type         integer  NOT NULL,
    wlog_offset  bigint   NOT NULL,
    PRIMARY KEY (application, partition, workspace, id)
);
COMMENT ON TABLE log_registry IS 'Which type each record id has, and which event gave it out.';

CREATE TABLE log_key (
    application  integer           NOT NULL,
    partition    integer           NOT NULL,
    workspace    bigint            NOT NULL,
    key          text COLLATE "C"  NOT NULL,
    plog_offset  bigint            NOT NULL CHECK (plog_offset >= 1),
    PRIMARY KEY (application, partition, workspace, key)
);
COMMENT ON TABLE log_key IS 'Which event was written under an idempotency key.';

CREATE TABLE log_skipped (
    application  integer           NOT NULL,
    partition    integer           NOT NULL,
    plog_offset  bigint            NOT NULL CHECK (plog_offset >= 1),
    projector    text COLLATE "C"  NOT NULL,
    who          text              NOT NULL,
    reason       text              NOT NULL,
    millis       bigint            NOT NULL,
    PRIMARY KEY (application, partition, plog_offset, projector)
);
COMMENT ON TABLE log_skipped IS 'Events that an operator has let pass without one of their projectors.';
COMMENT ON COLUMN log_skipped.millis IS 'When, in milliseconds since 1970.';

CREATE TABLE log_applied (
    application  integer  NOT NULL,
    partition    integer  NOT NULL,
    next_offset  bigint   NOT NULL CHECK (next_offset >= 1),
    PRIMARY KEY (application, partition)
) WITH (fillfactor = 50);
COMMENT ON TABLE log_applied IS 'The first event whose records, registry, keys and places are not all written.';

CREATE TABLE log_workspace (
    application  integer  NOT NULL,
    partition    integer  NOT NULL,
    workspace    bigint   NOT NULL,
    kind         integer  NOT NULL CHECK (kind >= 1),
    PRIMARY KEY (application, partition, workspace)
);
COMMENT ON TABLE log_workspace IS 'The kind that each workspace is bound to.';

-- As in counter, only a column without an index changes, and each page keeps room for new versions.
CREATE TABLE log_number (
    application  integer  NOT NULL,
    partition    integer  NOT NULL,
    workspace    bigint   NOT NULL,
    sequence     integer  NOT NULL CHECK (sequence >= 0),
    last         bigint   NOT NULL CHECK (last >= 1),
    PRIMARY KEY (application, partition, workspace, sequence)
) WITH (fillfactor = 70);
COMMENT ON TABLE log_number IS 'The last number of each sequence of each workspace, as far as log_checkpoint says.';

CREATE TABLE log_checkpoint (
    application  integer  NOT NULL,
    partition    integer  NOT NULL,
    next_offset  bigint   NOT NULL CHECK (next_offset >= 1),
    epoch        bigint   NOT NULL CHECK (epoch >= 1),
    PRIMARY KEY (application, partition)
) WITH (fillfactor = 50);
COMMENT ON TABLE log_checkpoint IS 'The first event that log_number does not cover, and the epoch that wrote it.';

CREATE VIEW log_event_text AS
SELECT a.name AS application, e.partition, e.plog_offset, e.epoch, e.workspace, e.kind, e.key, e.sequences, e.numbers,
       convert_from(e.body, 'UTF8') AS body
FROM log_event AS e
LEFT JOIN log_application AS a ON a.id = e.application;
COMMENT ON VIEW log_event_text IS 'Events with their bodies as text.';

CREATE VIEW log_record_text AS
SELECT a.name AS application, r.workspace, r.id, r.type, r.plog_offset, r.wlog_offset,
       convert_from(r.body, 'UTF8') AS body
FROM log_record AS r
LEFT JOIN log_application AS a ON a.id = r.application;
COMMENT ON VIEW log_record_text IS 'Records with their bodies as text.';

CREATE VIEW log_progress AS
SELECT a.name AS application, p.partition, p.epoch,
       (SELECT coalesce(max(e.plog_offset), 0) + 1
        FROM log_event AS e
        WHERE e.application = p.application AND e.partition = p.partition) AS next_offset,
       d.next_offset AS applied, c.next_offset AS checkpoint
FROM log_partition AS p
LEFT JOIN log_application AS a ON a.id = p.application
LEFT JOIN log_applied AS d ON d.application = p.application AND d.partition = p.partition
LEFT JOIN log_checkpoint AS c ON c.application = p.application AND c.partition = p.partition;
COMMENT ON VIEW log_progress IS 'How far each partition is: its log, what follows from the log, and its numbers.';

-- The writes of an owner. Each is one call, one statement and one transaction, and begins by locking the row of the
-- partition FOR SHARE: owners' writes do not wait for one another, and who takes the partition, which changes that
-- row, waits for those under way. A write that comes later waits for the taker's commit, finds another epoch and
-- writes nothing. (A look at the epoch without the lock lets a write through that was under way: it can land behind
-- the new owner's reading of the log, and replace what that one has acknowledged.)
--
-- Each answers with the epoch of the partition: the owner's own, and all is written; another one (0 of a partition
-- that nobody took), and nothing is. NULL, or SQLSTATE SE001 where something was written before and is taken back,
-- says that a row is in the way.
--
-- Tables, and the rows of each, come in one order in every write, so that two writes of one owner never wait for each
-- other in a circle.

CREATE FUNCTION log_append(
    of_application  integer,
    of_partition    integer,
    owner           bigint,
    overwrite       boolean,
    wanted          log_event[]
) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    present bigint;
    written bigint;
BEGIN
    SELECT p.epoch INTO present FROM log_partition AS p
    WHERE p.application = of_application AND p.partition = of_partition FOR SHARE;
    IF present IS DISTINCT FROM owner THEN
        RETURN coalesce(present, 0);
    END IF;

    IF overwrite THEN
        INSERT INTO log_event SELECT e.* FROM unnest(wanted) AS e ORDER BY e.plog_offset
        ON CONFLICT (application, partition, plog_offset) DO UPDATE SET
            epoch = excluded.epoch,
            workspace = excluded.workspace,
            kind = excluded.kind,
            writer = excluded.writer,
            write = excluded.write,
            key = excluded.key,
            sequences = excluded.sequences,
            numbers = excluded.numbers,
            header_checksum = excluded.header_checksum,
            body = excluded.body,
            checksum = excluded.checksum;
        RETURN present;
    END IF;

    INSERT INTO log_event SELECT e.* FROM unnest(wanted) AS e ORDER BY e.plog_offset
    ON CONFLICT DO NOTHING;
    GET DIAGNOSTICS written = ROW_COUNT;
    IF written = cardinality(wanted) THEN
        RETURN present;
    END IF;
    IF written > 0 THEN
        RAISE SQLSTATE 'SE001' USING MESSAGE = 'events are in the way';
    END IF;
    RETURN NULL;
END
$$;
COMMENT ON FUNCTION log_append IS 'Writes events, all or none, if the epoch is the owner''s.';

-- What follows from events is waited for at the disk as they are. The log would bring it back, but only when an owner starts,
-- and a server that falls alone leaves its owners alive.
CREATE FUNCTION log_derive(
    of_application  integer,
    of_partition    integer,
    owner           bigint,
    insert_records  boolean,
    insert_places   boolean,
    created         log_record[],
    updated         log_record[],
    registered      log_registry[],
    keys            log_key[],
    places          log_place[],
    skipped         log_skipped[],
    applied         bigint
) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    present bigint;
    written bigint;
BEGIN
    SELECT p.epoch INTO present FROM log_partition AS p
    WHERE p.application = of_application AND p.partition = of_partition FOR SHARE;
    IF present IS DISTINCT FROM owner THEN
        RETURN coalesce(present, 0);
    END IF;

    IF insert_records THEN
        INSERT INTO log_record SELECT r.* FROM unnest(created) AS r ORDER BY r.workspace, r.id
        ON CONFLICT DO NOTHING;
        GET DIAGNOSTICS written = ROW_COUNT;
        IF written <> cardinality(created) THEN
            RAISE SQLSTATE 'SE001' USING MESSAGE = 'records are in the way';
        END IF;
    ELSE
        updated := updated || created;
    END IF;
    IF cardinality(updated) > 0 THEN
        INSERT INTO log_record SELECT r.* FROM unnest(updated) AS r ORDER BY r.workspace, r.id
        ON CONFLICT (application, partition, workspace, id) DO UPDATE SET
            type = excluded.type,
            plog_offset = excluded.plog_offset,
            wlog_offset = excluded.wlog_offset,
            body = excluded.body,
            checksum = excluded.checksum;
    END IF;

    IF insert_records THEN
        INSERT INTO log_registry SELECT r.* FROM unnest(registered) AS r ORDER BY r.workspace, r.id
        ON CONFLICT DO NOTHING;
        GET DIAGNOSTICS written = ROW_COUNT;
        IF written <> cardinality(registered) THEN
            RAISE SQLSTATE 'SE001' USING MESSAGE = 'record ids are in the way';
        END IF;
        INSERT INTO log_key SELECT k.* FROM unnest(keys) AS k ORDER BY k.workspace, k.key
        ON CONFLICT DO NOTHING;
        GET DIAGNOSTICS written = ROW_COUNT;
        IF written <> cardinality(keys) THEN
            RAISE SQLSTATE 'SE001' USING MESSAGE = 'idempotency keys are in the way';
        END IF;
    ELSE
        INSERT INTO log_registry SELECT r.* FROM unnest(registered) AS r ORDER BY r.workspace, r.id
        ON CONFLICT (application, partition, workspace, id) DO UPDATE SET
            type = excluded.type,
            wlog_offset = excluded.wlog_offset;
        INSERT INTO log_key SELECT k.* FROM unnest(keys) AS k ORDER BY k.workspace, k.key
        ON CONFLICT (application, partition, workspace, key) DO UPDATE SET
            plog_offset = excluded.plog_offset;
    END IF;

    IF insert_places THEN
        INSERT INTO log_place SELECT l.* FROM unnest(places) AS l ORDER BY l.workspace, l.wlog_offset
        ON CONFLICT DO NOTHING;
        GET DIAGNOSTICS written = ROW_COUNT;
        IF written <> cardinality(places) THEN
            RAISE SQLSTATE 'SE001' USING MESSAGE = 'places of events are in the way';
        END IF;
    ELSE
        INSERT INTO log_place SELECT l.* FROM unnest(places) AS l ORDER BY l.workspace, l.wlog_offset
        ON CONFLICT (application, partition, workspace, wlog_offset) DO UPDATE SET
            plog_offset = excluded.plog_offset;
    END IF;

    IF cardinality(skipped) > 0 THEN
        INSERT INTO log_skipped SELECT s.* FROM unnest(skipped) AS s ORDER BY s.plog_offset, s.projector
        ON CONFLICT (application, partition, plog_offset, projector) DO UPDATE SET
            who = excluded.who,
            reason = excluded.reason,
            millis = excluded.millis;
    END IF;

    IF applied IS NOT NULL THEN
        INSERT INTO log_applied VALUES (of_application, of_partition, applied)
        ON CONFLICT (application, partition) DO UPDATE SET
            next_offset = excluded.next_offset;
    END IF;
    RETURN present;
END
$$;
COMMENT ON FUNCTION log_derive IS 'Writes what follows from events, all or none, if the epoch is the owner''s.';

CREATE FUNCTION log_write_numbers(
    of_application  integer,
    of_partition    integer,
    owner           bigint,
    workspaces      log_workspace[],
    numbers         log_number[],
    covered         bigint
) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    present bigint;
BEGIN
    SELECT p.epoch INTO present FROM log_partition AS p
    WHERE p.application = of_application AND p.partition = of_partition FOR SHARE;
    IF present IS DISTINCT FROM owner THEN
        RETURN coalesce(present, 0);
    END IF;

    INSERT INTO log_workspace SELECT w.* FROM unnest(workspaces) AS w ORDER BY w.workspace
    ON CONFLICT DO NOTHING;
    INSERT INTO log_number AS there SELECT n.* FROM unnest(numbers) AS n ORDER BY n.workspace, n.sequence
    ON CONFLICT (application, partition, workspace, sequence) DO UPDATE SET
        last = excluded.last
    WHERE there.last < excluded.last;
    INSERT INTO log_checkpoint AS there VALUES (of_application, of_partition, covered, owner)
    ON CONFLICT (application, partition) DO UPDATE SET
        next_offset = excluded.next_offset,
        epoch = excluded.epoch
    WHERE there.next_offset <= excluded.next_offset;
    RETURN present;
END
$$;
COMMENT ON FUNCTION log_write_numbers IS 'Raises numbers and checkpoint, if the epoch is the owner''s.';

CREATE FUNCTION log_reset_checkpoint(
    of_application  integer,
    of_partition    integer,
    owner           bigint
) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    present bigint;
BEGIN
    SELECT p.epoch INTO present FROM log_partition AS p
    WHERE p.application = of_application AND p.partition = of_partition FOR SHARE;
    IF present IS DISTINCT FROM owner THEN
        RETURN coalesce(present, 0);
    END IF;

    INSERT INTO log_checkpoint VALUES (of_application, of_partition, 1, owner)
    ON CONFLICT (application, partition) DO UPDATE SET
        next_offset = excluded.next_offset,
        epoch = excluded.epoch;
    RETURN present;
END
$$;
COMMENT ON FUNCTION log_reset_checkpoint IS 'Lets the log be replayed whole, if the epoch is the owner''s.';

-- =================================================================================================== cluster

-- Written once a second by each node, so each page keeps room for new versions of its rows.
CREATE TABLE log_node (
    node          text COLLATE "C"  PRIMARY KEY CHECK (node <> ''),
    url           text              NOT NULL,
    beat          bigint            NOT NULL CHECK (beat >= 1),
    lease_millis  bigint            NOT NULL CHECK (lease_millis >= 1),
    beaten_at     timestamptz       NOT NULL
) WITH (fillfactor = 50);
COMMENT ON TABLE log_node IS 'The processes that run partitions of event logs, each with a number that rises while it lives.';
COMMENT ON COLUMN log_node.url IS 'Where its server is called by the others, empty for none.';
COMMENT ON COLUMN log_node.beaten_at IS 'When the number last rose, by the clock of the database.';

CREATE TABLE log_lease (
    application  integer           NOT NULL CHECK (application >= 1),
    partition    integer           NOT NULL CHECK (partition >= 0),
    owner        text COLLATE "C"  NOT NULL,
    epoch        bigint            NOT NULL CHECK (epoch >= 0),
    revision     bigint            NOT NULL CHECK (revision >= 1),
    PRIMARY KEY (application, partition)
) WITH (fillfactor = 50);
COMMENT ON TABLE log_lease IS 'Which node is to have a partition, empty for none. Who may write is decided in log_partition alone.';

-- ================================================================================================ transactions

CREATE SEQUENCE transactional_id AS bigint;
COMMENT ON SEQUENCE transactional_id IS 'Ids of transactional sequences; never set it back.';

CREATE TABLE transactional_sequence (
    id  bigint  PRIMARY KEY
);
COMMENT ON TABLE transactional_sequence IS 'One row for each transactional sequence that is there.';

-- Written by the transactions of the user, each in rows of its own: nobody waits for anybody.
CREATE TABLE transactional_put (
    id           bigint  NOT NULL,
    version      bigint  NOT NULL CHECK (version >= 1),
    transaction  bigint  NOT NULL,
    value        bigint  NOT NULL,
    PRIMARY KEY (id, version, transaction)
);
COMMENT ON TABLE transactional_put IS
    'What a sequence has come to: its row of the greatest version. Delete that, and values come again.';

CREATE TABLE transactional_catalogue (
    name     text COLLATE "C"  PRIMARY KEY,
    id       bigint            NOT NULL UNIQUE,
    options  jsonb             NOT NULL
);
COMMENT ON TABLE transactional_catalogue IS 'Transactional sequences with names.';
