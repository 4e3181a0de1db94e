-- Decks of hands, sealed under keys that are not in this database (promise 3).

CREATE TABLE decks (
    table_id uuid    NOT NULL,
    hand     bigint  NOT NULL CHECK (hand >= 1),
    -- When it was sealed, microseconds since 1970; the period. A deck wrapped under a new key is one more row; the
    -- latest counts.
    at       bigint  NOT NULL,
    -- The key that opens it.
    key_id   bytea   NOT NULL,
    -- Nonce and ciphertext.
    sealed   bytea   NOT NULL,
    PRIMARY KEY (table_id, hand, at)
) PARTITION BY RANGE (at);

CREATE TABLE decks_other PARTITION OF decks DEFAULT;

-- A sealed deck is never written again.
CREATE TRIGGER decks_are_final BEFORE UPDATE OR DELETE ON decks FOR EACH ROW
EXECUTE FUNCTION razz_refuse('a sealed deck is never changed or deleted');
CREATE TRIGGER decks_are_kept BEFORE TRUNCATE ON decks
EXECUTE FUNCTION razz_refuse('decks are never truncated');
CREATE TRIGGER decks_are_kept BEFORE TRUNCATE ON decks_other
EXECUTE FUNCTION razz_refuse('decks are never truncated');

GRANT SELECT, INSERT ON decks TO razz_dealer;

-- This month and the next; whoever serves makes more as they come.
SELECT razz_make_periods(1);
