-- An account that is none, and a deck of a hand that nobody deals, are not taken.

-- Both sides of a transfer name accounts: see 0002. Whoever writes one that nobody can read keeps the books of all
-- others from being read through. (That a player id is UTF-8 cannot be asked here.)
CREATE TRIGGER transfers_name_accounts BEFORE INSERT ON transfers
WHEN EXISTS (
    SELECT 1 FROM (SELECT NEW.debit AS side UNION ALL SELECT NEW.credit)
    WHERE NOT CASE substr(side, 1, 1)
        WHEN x'48' THEN length(side) = 1
        WHEN x'57' THEN length(side) BETWEEN 2 AND 65
        WHEN x'50' THEN length(side) = 17
        WHEN x'52' THEN length(side) = 17
        WHEN x'53' THEN length(side) = 18 AND substr(side, 18) BETWEEN x'01' AND x'08'
        ELSE 0 END
)
BEGIN
    SELECT RAISE(ABORT, 'a transfer is from an account to an account');
END;

-- A deck enters with the record that opens or prepares its hand, or as a deck of that hand under another key.
CREATE TRIGGER decks_have_records BEFORE INSERT ON decks
WHEN NOT EXISTS (
        SELECT 1 FROM heads
        WHERE stream = NEW.table_id AND kind = 'table' AND NEW.hand IN (hand, hand + 1) AND NEW.hand > 0
    )
    AND NOT EXISTS (SELECT 1 FROM decks WHERE table_id = NEW.table_id AND hand = NEW.hand)
BEGIN
    SELECT RAISE(ABORT, 'a deck enters with the record of its hand');
END;
