-- Two things that the role that serves could still add although nothing in the house would: an account that is none,
-- and a deck of a hand that nobody deals.

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

-- The hand whose deck enters with this record, which opens or prepares it.
ALTER TABLE records ADD COLUMN deals bigint;
ALTER TABLE records ADD CONSTRAINT deals_a_hand CHECK (deals >= 1) NOT VALID;

-- A deck enters once, with its record. One more for the same hand is the same deck under another key, which is the
-- owner's affair as keys are: the latest counts, so whoever may add one decides which deck is looked for.
CREATE FUNCTION razz_decks_have_records() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF pg_has_role(current_user, (SELECT relowner FROM pg_class WHERE oid = 'public.decks'::regclass), 'USAGE') THEN
        RETURN NULL;
    END IF;
    IF EXISTS (
        SELECT FROM entering WHERE NOT EXISTS (
            SELECT FROM public.heads JOIN public.records USING (stream, seq, at)
            WHERE stream = entering.table_id AND at = entering.at AND deals = entering.hand
        ) OR EXISTS (
            SELECT FROM public.decks
            WHERE decks.table_id = entering.table_id AND decks.hand = entering.hand AND decks.at <> entering.at
        )
    ) THEN
        RAISE EXCEPTION USING ERRCODE = '42501',
            MESSAGE = 'a deck enters once, with the record of its hand; under another key by the owner of the schema';
    END IF;
    RETURN NULL;
END
$$;

CREATE TRIGGER decks_have_records AFTER INSERT ON decks REFERENCING NEW TABLE AS entering
FOR EACH STATEMENT EXECUTE FUNCTION razz_decks_have_records();

-- And a record that says so enters with its deck, so that nobody can bring another one later.
CREATE FUNCTION razz_records_have_decks() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (
        SELECT FROM entering WHERE deals IS NOT NULL AND NOT EXISTS (
            SELECT FROM public.decks
            WHERE decks.table_id = entering.stream AND decks.hand = entering.deals AND decks.at = entering.at
        )
    ) THEN
        RAISE EXCEPTION USING ERRCODE = 'RZ000', MESSAGE = 'a record enters together with its deck';
    END IF;
    RETURN NULL;
END
$$;

CREATE TRIGGER records_have_decks AFTER INSERT ON records REFERENCING NEW TABLE AS entering
FOR EACH STATEMENT EXECUTE FUNCTION razz_records_have_decks();
