-- What the role that serves could still do although nothing in the house would: write to accounts by a trigger of its
-- own, name accounts that are none, open a hand without saying so, and bring a deck of a hand that nobody deals.

-- Whoever may execute a trigger's function can put it on a table of their own and feed it what they like. Triggers
-- themselves ask for no such right.
REVOKE EXECUTE ON FUNCTION razz_refuse(), razz_records_follow_heads(), razz_transfers_move_balances(),
    razz_pot_is_empty(), razz_key_is_free(), razz_key_serves() FROM PUBLIC;

-- Whether these bytes name an account as a transfer may: see 0002. Whoever writes one that nobody can read keeps the
-- books of all others from being read through. A player id is UTF-8 without control characters, told from its digits,
-- so that the encoding of the database does not matter.
CREATE FUNCTION razz_names_account(key bytea) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN octet_length(key) <= 65 AND encode(key, 'hex') ~ (
    '^(?:48|70|72|730[1-8]|57(?:[2-6].|7[0-9a-e]|c2[ab].|(?:c[3-9a-f]|d.)[89ab].|e0[ab].[89ab].'
    '|e[1-9a-cef](?:[89ab].){2}|ed[89].[89ab].|f0[9ab].(?:[89ab].){2}|f[1-3](?:[89ab].){3}|f48.(?:[89ab].){2})+)$'
);

-- NOT VALID: what stands there already is for `reconcile` to name, and must not keep the schema from being brought up
-- to date. An account comes into being by a transfer only, so that these two hold for accounts too.
ALTER TABLE transfers ADD CONSTRAINT debit_is_account CHECK (razz_names_account(debit)) NOT VALID;
ALTER TABLE transfers ADD CONSTRAINT credit_is_account CHECK (razz_names_account(credit)) NOT VALID;

-- No record is near this long, no sealed deck and no key's id; what is longer keeps everything from being read through.
ALTER TABLE records ADD CONSTRAINT bytes_in_bounds CHECK (octet_length(bytes) <= 262144) NOT VALID;
ALTER TABLE decks ADD CONSTRAINT deck_in_bounds
    CHECK (octet_length(sealed) <= 4096 AND octet_length(key_id) <= 64) NOT VALID;

-- A head moves only together with the record to which it moves, as in 0001, and comes to another hand only with a
-- record that says so: the records of a hand are found by that.
DROP TRIGGER heads_begin_with_records ON heads;
DROP TRIGGER heads_move_with_records ON heads;
DROP FUNCTION razz_heads_have_records();

CREATE FUNCTION razz_heads_move_with_records() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    fault text;
BEGIN
    IF TG_OP = 'INSERT' THEN
        SELECT CASE WHEN records.seq IS NULL THEN 'a head moves together with its record'
                ELSE 'a record opens a hand if its head comes to another one' END INTO fault
        FROM moved LEFT JOIN public.records
            ON records.stream = moved.stream AND records.seq = moved.seq AND records.at = moved.at
        WHERE records.seq IS NULL OR records.opens IS DISTINCT FROM nullif(moved.hand, 0)
        LIMIT 1;
    ELSE
        SELECT CASE WHEN records.seq IS NULL THEN 'a head moves together with its record'
                ELSE 'a record opens a hand if its head comes to another one' END INTO fault
        FROM moved JOIN stood USING (stream) LEFT JOIN public.records
            ON records.stream = moved.stream AND records.seq = moved.seq AND records.at = moved.at
        WHERE records.seq IS NULL
            OR records.opens IS DISTINCT FROM CASE WHEN moved.hand > stood.hand THEN moved.hand END
        LIMIT 1;
    END IF;
    IF fault IS NOT NULL THEN
        RAISE EXCEPTION USING ERRCODE = 'RZ000', MESSAGE = fault;
    END IF;
    RETURN NULL;
END
$$;
REVOKE EXECUTE ON FUNCTION razz_heads_move_with_records() FROM PUBLIC;

CREATE TRIGGER heads_begin_with_records AFTER INSERT ON heads REFERENCING NEW TABLE AS moved
FOR EACH STATEMENT EXECUTE FUNCTION razz_heads_move_with_records();
CREATE TRIGGER heads_move_with_records AFTER UPDATE ON heads REFERENCING OLD TABLE AS stood NEW TABLE AS moved
FOR EACH STATEMENT EXECUTE FUNCTION razz_heads_move_with_records();

-- The hand whose deck enters with this record, which opens or prepares it.
ALTER TABLE records ADD COLUMN deals bigint;
ALTER TABLE records ADD CONSTRAINT deals_a_hand CHECK (deals >= 1) NOT VALID;

-- A deck enters with its record. One more for the same hand is the same deck under another key, which is the owner's
-- affair as keys are: the latest counts, so whoever may add one decides which deck is looked for.
CREATE FUNCTION razz_decks_have_records() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF pg_has_role(current_user, (SELECT relowner FROM pg_class WHERE oid = 'public.decks'::regclass), 'USAGE') THEN
        RETURN NULL;
    END IF;
    IF EXISTS (
        SELECT FROM entering WHERE NOT EXISTS (
            SELECT FROM public.heads JOIN public.records USING (stream, seq, at)
            WHERE stream = entering.table_id AND at = entering.at AND deals = entering.hand
        )
    ) THEN
        RAISE EXCEPTION USING ERRCODE = 'RZ005', MESSAGE = 'a deck enters with the record of its hand';
    END IF;
    RETURN NULL;
END
$$;

REVOKE EXECUTE ON FUNCTION razz_decks_have_records() FROM PUBLIC;

CREATE TRIGGER decks_have_records AFTER INSERT ON decks REFERENCING NEW TABLE AS entering
FOR EACH STATEMENT EXECUTE FUNCTION razz_decks_have_records();

-- As in 0001, and a record that says that a deck comes with it enters with it, so that nobody can bring another later.
CREATE OR REPLACE FUNCTION razz_records_follow_heads() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    fault text;
BEGIN
    SELECT CASE
            WHEN NOT follows.yes THEN 'a record enters once, as the one to which its head has moved'
            WHEN repeats.yes THEN 'the stream has a record of this request id already'
            ELSE 'a record enters together with its transfers and its deck'
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
        OR entering.transfers > 0 AND NOT EXISTS (
            SELECT FROM public.transfers
            WHERE transfers.stream = entering.stream AND transfers.seq = entering.seq AND transfers.at = entering.at
        )
        OR entering.deals IS NOT NULL AND NOT EXISTS (
            SELECT FROM public.decks
            WHERE decks.table_id = entering.stream AND decks.hand = entering.deals AND decks.at = entering.at
        )
    LIMIT 1;
    IF fault IS NOT NULL THEN
        RAISE EXCEPTION USING MESSAGE = fault,
            ERRCODE = CASE WHEN fault LIKE '%request id%' THEN 'RZ001' ELSE 'RZ000' END;
    END IF;
    RETURN NULL;
END
$$;
