-- Streams: one head each, and one chain of records behind it (promise 5).
--
-- The role that runs this owns everything. Who serves connects as a member of razz_dealer, which may read all, add
-- records, transfers, decks and heads, and move heads forward: nothing else. What a trigger or a CHECK refuses is
-- refused to every role. The functions name the schema of each table, so that no other table of the name is taken.

DO $$
BEGIN
    CREATE ROLE razz_dealer NOLOGIN;
EXCEPTION
    -- Roles belong to the cluster: another database of it may have made this one, just now too.
    WHEN duplicate_object OR unique_violation THEN NULL;
END
$$;

-- Refuses what fired it, in the words that the trigger gives.
CREATE FUNCTION razz_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION USING ERRCODE = 'RZ000', MESSAGE = TG_ARGV[0];
END
$$;

-- Where each stream stands.
CREATE TABLE heads (
    -- A table's id, or the start of a hash of a player's id.
    stream   uuid   NOT NULL PRIMARY KEY,
    -- The last record, its moment (microseconds since 1970) and its hash.
    seq      bigint NOT NULL CHECK (seq >= 1),
    at       bigint NOT NULL,
    -- The latest hand, 0 before the first.
    hand     bigint NOT NULL CHECK (hand >= 0),
    -- When the player to act runs out of time, in microseconds since 1970; NULL where nobody does.
    deadline bigint,
    -- The newest record format in the stream.
    format   integer NOT NULL CHECK (format >= 1),
    kind     text   NOT NULL CHECK (kind IN ('table', 'wallet')),
    hash     bytea  NOT NULL CHECK (octet_length(hash) = 32)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);

CREATE INDEX heads_of_tables ON heads (stream) WHERE kind = 'table';

-- What each command did. All facts are inside the bytes; the other columns are copies, for the indexes.
--
-- A period is a month of `at`. A head moves once to each seq, and takes the moment of its record with it, so that a
-- seq stands in one period only although each has an index of its own.
CREATE TABLE records (
    stream    uuid     NOT NULL,
    seq       bigint   NOT NULL CHECK (seq >= 1),
    at        bigint   NOT NULL,
    -- The start of a hash of the request id; NULL where nobody asked, as in the wallet's half of a buy-in.
    request   bigint,
    -- The hand that this record opens. The records of a hand are those from here to the next opening.
    opens     bigint   CHECK (opens >= 1),
    -- How many transfers stand beside it.
    transfers smallint NOT NULL CHECK (transfers >= 0),
    hash      bytea    NOT NULL CHECK (octet_length(hash) = 32),
    bytes     bytea    NOT NULL,
    PRIMARY KEY (stream, seq, at)
) PARTITION BY RANGE (at);

CREATE INDEX records_by_request ON records (stream, request) WHERE request IS NOT NULL;
CREATE INDEX records_by_opening ON records (stream, opens) WHERE opens IS NOT NULL;

-- What no period that was made ahead takes.
CREATE TABLE records_other PARTITION OF records DEFAULT;

-- A stream begins with its first record.
CREATE TRIGGER heads_begin_once BEFORE INSERT ON heads FOR EACH ROW
WHEN (NEW.seq <> 1)
EXECUTE FUNCTION razz_refuse('a stream begins once, with its first record');

-- A head moves by one record and never back; neither do its moment, its hand number and its format.
CREATE TRIGGER heads_go_forward BEFORE UPDATE ON heads FOR EACH ROW
WHEN (
    NEW.stream <> OLD.stream OR NEW.kind <> OLD.kind OR NEW.seq <> OLD.seq + 1
    OR NEW.at < OLD.at OR NEW.hand < OLD.hand OR NEW.format < OLD.format
)
EXECUTE FUNCTION razz_refuse('a head moves forward by one record, and stays what it is');

-- A head moves only together with the record to which it moves.
CREATE FUNCTION razz_heads_have_records() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (
        SELECT FROM moved WHERE NOT EXISTS (
            SELECT FROM public.records
            WHERE records.stream = moved.stream AND records.seq = moved.seq AND records.at = moved.at
        )
    ) THEN
        RAISE EXCEPTION USING ERRCODE = 'RZ000', MESSAGE = 'a head moves together with its record';
    END IF;
    RETURN NULL;
END
$$;

CREATE TRIGGER heads_begin_with_records AFTER INSERT ON heads REFERENCING NEW TABLE AS moved
FOR EACH STATEMENT EXECUTE FUNCTION razz_heads_have_records();
CREATE TRIGGER heads_move_with_records AFTER UPDATE ON heads REFERENCING NEW TABLE AS moved
FOR EACH STATEMENT EXECUTE FUNCTION razz_heads_have_records();

-- A record enters as the one to which its head has just moved: no gap, nothing between two records, none twice; and
-- with its transfers. A request id counts once in a stream (idempotency), in all periods. The head's row is locked by
-- who moved it, so no other session adds to the stream meanwhile.
CREATE FUNCTION razz_records_follow_heads() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    fault text;
BEGIN
    SELECT CASE
            WHEN NOT follows.yes THEN 'a record enters once, as the one to which its head has moved'
            WHEN repeats.yes THEN 'the stream has a record of this request id already'
            ELSE 'a record enters together with its transfers'
        END INTO fault
    FROM entering
    CROSS JOIN LATERAL (SELECT EXISTS (
        SELECT FROM public.heads
        WHERE heads.stream = entering.stream AND heads.seq = entering.seq AND heads.at = entering.at
            AND heads.hash = entering.hash AND (entering.opens IS NULL OR entering.opens = heads.hand)
    ) AS yes) AS follows
    CROSS JOIN LATERAL (SELECT entering.request IS NOT NULL AND EXISTS (
        SELECT FROM public.records
        WHERE records.stream = entering.stream AND records.request = entering.request AND records.seq <> entering.seq
    ) AS yes) AS repeats
    WHERE NOT follows.yes OR repeats.yes
        -- Those of 0002.
        OR entering.transfers > 0 AND NOT EXISTS (
            SELECT FROM public.transfers
            WHERE transfers.stream = entering.stream AND transfers.seq = entering.seq AND transfers.at = entering.at
        )
    LIMIT 1;
    IF fault IS NOT NULL THEN
        RAISE EXCEPTION USING MESSAGE = fault,
            ERRCODE = CASE WHEN fault LIKE '%request id%' THEN 'RZ001' ELSE 'RZ000' END;
    END IF;
    RETURN NULL;
END
$$;

CREATE TRIGGER records_follow_heads AFTER INSERT ON records REFERENCING NEW TABLE AS entering
FOR EACH STATEMENT EXECUTE FUNCTION razz_records_follow_heads();

-- A stream never ends, and a record is never written again.
CREATE TRIGGER heads_stay BEFORE DELETE ON heads FOR EACH ROW
EXECUTE FUNCTION razz_refuse('a head is never deleted');
CREATE TRIGGER heads_are_kept BEFORE TRUNCATE ON heads
EXECUTE FUNCTION razz_refuse('heads are never truncated');
CREATE TRIGGER records_are_final BEFORE UPDATE OR DELETE ON records FOR EACH ROW
EXECUTE FUNCTION razz_refuse('a record is never changed or deleted');
CREATE TRIGGER records_are_kept BEFORE TRUNCATE ON records
EXECUTE FUNCTION razz_refuse('records are never truncated');
CREATE TRIGGER records_are_kept BEFORE TRUNCATE ON records_other
EXECUTE FUNCTION razz_refuse('records are never truncated');

-- Makes the periods of a partitioned table from this month to so many months on, where they are missing. A month of
-- which rows stand in the default partition already keeps them there.
--
-- Whoever serves calls it, as months pass; with the owner's rights, which is why it can do nothing else.
CREATE FUNCTION razz_make_periods(months integer) RETURNS void LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp SET timezone = 'UTC' SET lock_timeout = '2s' AS $$
DECLARE
    parent text;
    part   text;
    first  date;
    bounds bigint[];
    taken  boolean;
BEGIN
    -- One at a time: two services may start at once.
    PERFORM pg_advisory_xact_lock(hashtext('razz_make_periods'));
    FOR number IN 0..least(greatest(months, 0), 24) LOOP
        first := date_trunc('month', now())::date + make_interval(months => number);
        bounds := ARRAY[
            extract(epoch FROM first::timestamptz)::bigint * 1000000,
            extract(epoch FROM (first + interval '1 month')::timestamptz)::bigint * 1000000
        ];
        FOREACH parent IN ARRAY ARRAY['records', 'transfers', 'decks'] LOOP
            part := format('%s_%s', parent, to_char(first, 'YYYY_MM'));
            CONTINUE WHEN to_regclass(parent) IS NULL OR to_regclass(part) IS NOT NULL;
            EXECUTE format('SELECT EXISTS (SELECT FROM %I WHERE at >= $1 AND at < $2)', parent || '_other')
                INTO taken USING bounds[1], bounds[2];
            CONTINUE WHEN taken;
            -- Made apart and then attached: that keeps nobody from reading and writing meanwhile.
            EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING ALL)', part, parent);
            EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%s) TO (%s)',
                parent, part, bounds[1], bounds[2]);
            EXECUTE format('CREATE TRIGGER %I BEFORE TRUNCATE ON %I EXECUTE FUNCTION razz_refuse(%L)',
                parent || '_are_kept', part, parent || ' are never truncated');
        END LOOP;
    END LOOP;
END
$$;
REVOKE EXECUTE ON FUNCTION razz_make_periods(integer) FROM PUBLIC;

GRANT SELECT ON heads, records, _sqlx_migrations TO razz_dealer;
GRANT INSERT ON heads, records TO razz_dealer;
GRANT UPDATE (seq, at, hand, deadline, format, hash) ON heads TO razz_dealer;
GRANT EXECUTE ON FUNCTION razz_make_periods(integer) TO razz_dealer;
