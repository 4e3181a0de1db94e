-- Keys that no deck is sealed under any more. Whoever holds an old key and goes on sealing under it is refused, so that
-- the key can be destroyed for good.

CREATE TABLE retired_keys (
    key_id bytea  NOT NULL PRIMARY KEY,
    -- When, in microseconds since 1970.
    at     bigint NOT NULL DEFAULT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint
);

-- Each hand's latest deck counts: while one rests under the key, the key is needed. The lock waits for those who are
-- about to add a deck, and lets nobody begin: what they add is seen here, or refused below.
CREATE FUNCTION razz_key_is_free() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    LOCK TABLE public.decks IN SHARE ROW EXCLUSIVE MODE;
    -- A key that nothing ever rested under is a slip of the pen: the one that was meant may still be needed.
    IF NOT EXISTS (SELECT FROM public.decks WHERE key_id = NEW.key_id) THEN
        RAISE EXCEPTION USING ERRCODE = 'RZ004', MESSAGE = 'no deck ever rested under this key';
    END IF;
    IF EXISTS (
        SELECT FROM public.decks WHERE key_id = NEW.key_id AND NOT EXISTS (
            SELECT FROM public.decks AS later
            WHERE later.table_id = decks.table_id AND later.hand = decks.hand AND later.at > decks.at
        )
    ) THEN
        RAISE EXCEPTION USING ERRCODE = 'RZ003', MESSAGE = 'decks rest under this key';
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER retired_keys_are_free BEFORE INSERT ON retired_keys FOR EACH ROW EXECUTE FUNCTION razz_key_is_free();

-- A transaction that keeps an old picture of the database would not see what was retired since.
CREATE FUNCTION razz_key_serves() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF current_setting('transaction_isolation') <> 'read committed' THEN
        RAISE EXCEPTION USING ERRCODE = 'RZ000', MESSAGE = 'decks are added in read committed transactions';
    END IF;
    IF EXISTS (SELECT FROM public.retired_keys WHERE key_id = NEW.key_id) THEN
        RAISE EXCEPTION USING ERRCODE = 'RZ002', MESSAGE = 'the key was retired';
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER decks_have_serving_keys BEFORE INSERT ON decks FOR EACH ROW EXECUTE FUNCTION razz_key_serves();

CREATE TRIGGER retired_keys_stay BEFORE UPDATE OR DELETE ON retired_keys FOR EACH ROW
EXECUTE FUNCTION razz_refuse('a retired key stays retired');
CREATE TRIGGER retired_keys_are_kept BEFORE TRUNCATE ON retired_keys
EXECUTE FUNCTION razz_refuse('retired keys are never truncated');

-- To retire a key is the owner's; those who serve only look.
GRANT SELECT ON retired_keys TO razz_dealer;
