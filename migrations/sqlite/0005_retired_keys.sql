-- Keys that no deck is sealed under any more. Whoever holds an old key and goes on sealing under it is refused, so that
-- the key can be destroyed for good.

CREATE TABLE retired_keys (
    key_id BLOB    NOT NULL PRIMARY KEY,
    -- When, in microseconds since 1970.
    at     INTEGER NOT NULL DEFAULT (CAST((julianday('now') - 2440587.5) * 86400000000 AS INTEGER))
) STRICT, WITHOUT ROWID;

-- Each hand's latest deck counts: while one rests under the key, the key is needed.
CREATE TRIGGER retired_keys_are_free BEFORE INSERT ON retired_keys
WHEN EXISTS (
    SELECT 1 FROM decks WHERE key_id = NEW.key_id AND NOT EXISTS (
        SELECT 1 FROM decks AS later
        WHERE later.table_id = decks.table_id AND later.hand = decks.hand AND later.n > decks.n
    )
)
BEGIN
    SELECT RAISE(ABORT, 'decks rest under this key');
END;

-- A key that nothing ever rested under is a slip of the pen: the one that was meant may still be needed.
CREATE TRIGGER retired_keys_were_used BEFORE INSERT ON retired_keys
WHEN NOT EXISTS (SELECT 1 FROM decks WHERE key_id = NEW.key_id)
BEGIN
    SELECT RAISE(ABORT, 'no deck ever rested under this key');
END;

CREATE TRIGGER decks_have_serving_keys BEFORE INSERT ON decks
WHEN EXISTS (SELECT 1 FROM retired_keys WHERE key_id = NEW.key_id)
BEGIN
    SELECT RAISE(ABORT, 'the key was retired');
END;

CREATE TRIGGER retired_keys_are_final BEFORE UPDATE ON retired_keys
BEGIN
    SELECT RAISE(ABORT, 'a retired key stays retired');
END;

CREATE TRIGGER retired_keys_stay BEFORE DELETE ON retired_keys
BEGIN
    SELECT RAISE(ABORT, 'a retired key stays retired');
END;

-- REPLACE would fire no DELETE trigger.
CREATE TRIGGER retired_keys_grow BEFORE INSERT ON retired_keys
WHEN EXISTS (SELECT 1 FROM retired_keys WHERE key_id = NEW.key_id)
BEGIN
    SELECT RAISE(ABORT, 'a retired key stays retired');
END;
