-- Decks of hands, sealed under keys that are not in this database (promise 3).

CREATE TABLE decks (
    -- A deck wrapped under a new key is one more row; the one with the highest n counts.
    n        INTEGER NOT NULL PRIMARY KEY,
    table_id BLOB    NOT NULL REFERENCES heads (stream),
    hand     INTEGER NOT NULL CHECK (hand >= 1),
    -- The key that opens it.
    key_id   BLOB    NOT NULL,
    -- Nonce and ciphertext.
    sealed   BLOB    NOT NULL
) STRICT;

CREATE INDEX decks_by_hand ON decks (table_id, hand, n);

-- A row enters at the end, so that none takes another's place. (REPLACE would fire no DELETE trigger.)
CREATE TRIGGER decks_grow BEFORE INSERT ON decks
WHEN EXISTS (SELECT 1 FROM decks WHERE n = NEW.n)
BEGIN
    SELECT RAISE(ABORT, 'a sealed deck takes no other''s place');
END;

-- A sealed deck is never written again.
CREATE TRIGGER decks_are_final BEFORE UPDATE ON decks
BEGIN
    SELECT RAISE(ABORT, 'a sealed deck is never changed');
END;

CREATE TRIGGER decks_stay BEFORE DELETE ON decks
BEGIN
    SELECT RAISE(ABORT, 'a sealed deck is never deleted');
END;
