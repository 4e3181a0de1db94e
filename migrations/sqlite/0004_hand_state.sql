-- What the table's latest hand waits for, so that hands which only wait to be paid are found without reading records.

ALTER TABLE heads ADD COLUMN state TEXT NOT NULL DEFAULT 'idle' CHECK (state IN ('idle', 'betting', 'played_out'));

-- Hands that were open before this: their chips are in the pot account. Which of them are played out, their next record
-- says. (A head moves with a record only, so the trigger that holds to that stands aside for this one statement.)
DROP TRIGGER heads_go_forward;

UPDATE heads SET state = 'betting'
WHERE kind = 'table' AND EXISTS (SELECT 1 FROM accounts WHERE account = CAST(x'50' || stream AS BLOB) AND balance > 0);

CREATE TRIGGER heads_go_forward BEFORE UPDATE ON heads
WHEN NEW.stream <> OLD.stream OR NEW.kind <> OLD.kind OR NEW.seq <> OLD.seq + 1
    OR NEW.hand < OLD.hand OR NEW.format < OLD.format
BEGIN
    SELECT RAISE(ABORT, 'a head moves forward by one record, and stays what it is');
END;

-- The moment when something is due: by state, what.
DROP INDEX heads_by_deadline;
CREATE INDEX heads_by_deadline ON heads (state, deadline) WHERE deadline IS NOT NULL;
CREATE INDEX heads_with_hands ON heads (stream) WHERE state <> 'idle';

-- A pot account with no open hand is zero. That the last of a hand's chips has left it cannot be seen while they leave
-- one by one: so it is looked at when the next hand opens.
CREATE TRIGGER heads_open_on_empty_pots BEFORE UPDATE ON heads
WHEN OLD.state = 'idle' AND NEW.state <> 'idle'
    AND EXISTS (SELECT 1 FROM accounts WHERE account = CAST(x'50' || NEW.stream AS BLOB) AND balance <> 0)
BEGIN
    SELECT RAISE(ABORT, 'a pot account with no open hand is zero');
END;

CREATE TRIGGER transfers_respect_pots BEFORE INSERT ON transfers
WHEN substr(NEW.credit, 1, 1) = x'50'
    AND NOT EXISTS (SELECT 1 FROM heads WHERE stream = substr(NEW.credit, 2) AND state <> 'idle')
BEGIN
    SELECT RAISE(ABORT, 'a pot account with no open hand is zero');
END;

-- The accounts of a table are moved by its own stream alone.
CREATE TRIGGER transfers_stay_at_their_table BEFORE INSERT ON transfers
WHEN (substr(NEW.debit, 1, 1) IN (x'53', x'50', x'52') AND substr(NEW.debit, 2, 16) <> NEW.stream)
    OR (substr(NEW.credit, 1, 1) IN (x'53', x'50', x'52') AND substr(NEW.credit, 2, 16) <> NEW.stream)
BEGIN
    SELECT RAISE(ABORT, 'the accounts of a table are moved by its own stream alone');
END;
