-- Seriatim on PostgreSQL, version 1. Run once, in one transaction, with the store's schema as search path.

CREATE TABLE schema_version (
    version  integer      PRIMARY KEY,
    applied  timestamptz  NOT NULL DEFAULT now()
);
COMMENT ON TABLE schema_version IS 'One row for each version of these tables that was applied.';

CREATE TABLE definition (
    folded_name  text COLLATE "C"  PRIMARY KEY,
    name         text              NOT NULL,
    sequence_id  bigint            NOT NULL,
    generation   bigint            NOT NULL CHECK (generation >= 1),
    revision     bigint            NOT NULL CHECK (revision >= 1),
    options      jsonb             NOT NULL,
    dropped      boolean           NOT NULL,
    created      text COLLATE "C"  NOT NULL,
    modified     text COLLATE "C"  NOT NULL,
    writer       bigint            NOT NULL,
    write        bigint            NOT NULL
);
COMMENT ON TABLE definition IS 'One row for each name, also of a dropped sequence.';

-- Only columns without an index change, and each page keeps room for their new versions: no index is touched.
CREATE TABLE counter (
    sequence_id      bigint            NOT NULL,
    scope            text COLLATE "C"  NOT NULL,
    period           text COLLATE "C"  NOT NULL,
    generation       bigint            NOT NULL CHECK (generation >= 1),
    round            bigint            NOT NULL CHECK (round >= 0),
    high_water_mark  bigint            NOT NULL,
    fresh            boolean           NOT NULL,
    revision         bigint            NOT NULL CHECK (revision >= 1),
    writer           bigint            NOT NULL,
    write            bigint            NOT NULL,
    open_blocks      text              NOT NULL,
    account          text              NOT NULL,
    PRIMARY KEY (sequence_id, scope, period)
) WITH (fillfactor = 50);
COMMENT ON TABLE counter IS 'The last value durably taken of each counter. Set one back, and its values come again.';

CREATE TABLE ledger (
    sequence_id  bigint            NOT NULL,
    scope        text COLLATE "C"  NOT NULL,
    period       text COLLATE "C"  NOT NULL,
    index        bigint            NOT NULL CHECK (index >= 1),
    entry        text              NOT NULL,
    PRIMARY KEY (sequence_id, scope, period, index)
);
COMMENT ON TABLE ledger IS 'What became of the numbers of a counter.';

CREATE TABLE idempotency (
    sequence_id  bigint            NOT NULL,
    caller       text COLLATE "C"  NOT NULL,
    key          text COLLATE "C"  NOT NULL,
    answer       text              NOT NULL,
    expires      text COLLATE "C"  NOT NULL,
    writer       bigint            NOT NULL,
    write        bigint            NOT NULL,
    PRIMARY KEY (sequence_id, caller, key)
);
COMMENT ON TABLE idempotency IS 'The answer that each request was given.';

-- Writes all rows or none; says which. A parameter that is NULL is a row that the change does not hold.
--
-- Each row is written over the condition and not after a look at it: UPDATE and ON CONFLICT wait for another
-- writer of the same row to commit or roll back, and then decide by what it left. The tables, and the rows of
-- the ledger, come in one order in every change, so that two changes never wait for each other in a circle. The
-- first row that does not go in rolls the inner block back, and with it the rows before.
CREATE FUNCTION apply(
    wanted_definition   definition,
    wanted_counter      counter,
    wanted_ledger       ledger[],
    wanted_idempotency  idempotency
) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
    written bigint;
BEGIN
    IF wanted_definition.folded_name IS NOT NULL THEN
        IF wanted_definition.revision = 1 THEN
            INSERT INTO definition SELECT wanted_definition.* ON CONFLICT DO NOTHING;
        ELSE
            UPDATE definition SET
                name = wanted_definition.name,
                sequence_id = wanted_definition.sequence_id,
                generation = wanted_definition.generation,
                revision = wanted_definition.revision,
                options = wanted_definition.options,
                dropped = wanted_definition.dropped,
                created = wanted_definition.created,
                modified = wanted_definition.modified,
                writer = wanted_definition.writer,
                write = wanted_definition.write
            WHERE folded_name = wanted_definition.folded_name
              AND revision = wanted_definition.revision - 1;
        END IF;
        IF NOT FOUND THEN
            RAISE SQLSTATE 'SE001';
        END IF;
    END IF;

    IF wanted_counter.sequence_id IS NOT NULL THEN
        IF wanted_counter.revision = 1 THEN
            INSERT INTO counter SELECT wanted_counter.* ON CONFLICT DO NOTHING;
        ELSE
            UPDATE counter SET
                generation = wanted_counter.generation,
                round = wanted_counter.round,
                high_water_mark = wanted_counter.high_water_mark,
                fresh = wanted_counter.fresh,
                revision = wanted_counter.revision,
                writer = wanted_counter.writer,
                write = wanted_counter.write,
                open_blocks = wanted_counter.open_blocks,
                account = wanted_counter.account
            WHERE sequence_id = wanted_counter.sequence_id
              AND scope = wanted_counter.scope
              AND period = wanted_counter.period
              AND revision = wanted_counter.revision - 1;
        END IF;
        IF NOT FOUND THEN
            RAISE SQLSTATE 'SE001';
        END IF;
    END IF;

    IF cardinality(wanted_ledger) > 0 THEN
        INSERT INTO ledger
        SELECT l.* FROM unnest(wanted_ledger) AS l
        ORDER BY l.sequence_id, l.scope, l.period, l.index
        ON CONFLICT DO NOTHING;
        GET DIAGNOSTICS written = ROW_COUNT;
        IF written <> cardinality(wanted_ledger) THEN
            RAISE SQLSTATE 'SE001';
        END IF;
    END IF;

    IF wanted_idempotency.sequence_id IS NOT NULL THEN
        INSERT INTO idempotency SELECT wanted_idempotency.* ON CONFLICT DO NOTHING;
        IF NOT FOUND THEN
            RAISE SQLSTATE 'SE001';
        END IF;
    END IF;

    RETURN true;
EXCEPTION
    WHEN SQLSTATE 'SE001' THEN
        RETURN false;
END
$$;
COMMENT ON FUNCTION apply IS 'Writes the rows of one change, all or none; false where one of them did not go in.';
