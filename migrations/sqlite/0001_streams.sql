-- Streams: one head each, and one chain of records behind it (promise 5).
--
-- What stands in a trigger or a CHECK holds against every connection to this file, not only against the dealer's.
-- SQLite cannot keep anybody who may write the file from dropping a trigger or changing its bytes: that is what the
-- hash chain is for.

-- "Razz": whose file it is, so that another program's database is not taken for one.
PRAGMA application_id = 1382120058;

-- Where each stream stands.
CREATE TABLE heads (
    -- A table's id, or the start of a hash of a player's id.
    stream   BLOB    NOT NULL PRIMARY KEY CHECK (length(stream) = 16),
    kind     TEXT    NOT NULL CHECK (kind IN ('table', 'wallet')),
    -- The last record, and its hash.
    seq      INTEGER NOT NULL CHECK (seq >= 1),
    hash     BLOB    NOT NULL CHECK (length(hash) = 32),
    -- The latest hand, 0 before the first.
    hand     INTEGER NOT NULL CHECK (hand >= 0),
    -- The newest record format in the stream.
    format   INTEGER NOT NULL CHECK (format >= 1),
    -- When the player to act runs out of time, in microseconds since 1970; NULL where nobody does.
    deadline INTEGER
) STRICT, WITHOUT ROWID;

CREATE INDEX heads_by_deadline ON heads (deadline) WHERE deadline IS NOT NULL;
CREATE INDEX heads_of_tables ON heads (stream) WHERE kind = 'table';

-- A stream begins with its first record, and once. (Checked here too because REPLACE would fire no DELETE trigger.)
CREATE TRIGGER heads_begin_once BEFORE INSERT ON heads
WHEN NEW.seq <> 1 OR EXISTS (SELECT 1 FROM heads WHERE stream = NEW.stream)
BEGIN
    SELECT RAISE(ABORT, 'a stream begins once, with its first record');
END;

-- A head moves by one record and never back; neither do its hand number and its format.
CREATE TRIGGER heads_go_forward BEFORE UPDATE ON heads
WHEN NEW.stream <> OLD.stream OR NEW.kind <> OLD.kind OR NEW.seq <> OLD.seq + 1
    OR NEW.hand < OLD.hand OR NEW.format < OLD.format
BEGIN
    SELECT RAISE(ABORT, 'a head moves forward by one record, and stays what it is');
END;

-- A stream never ends.
CREATE TRIGGER heads_stay BEFORE DELETE ON heads
BEGIN
    SELECT RAISE(ABORT, 'a head is never deleted');
END;

-- What each command did. All facts are inside the bytes; the other columns are copies, for the indexes.
CREATE TABLE records (
    stream     BLOB    NOT NULL REFERENCES heads (stream),
    seq        INTEGER NOT NULL CHECK (seq >= 1),
    -- Microseconds since 1970.
    at         INTEGER NOT NULL,
    hand       INTEGER NOT NULL CHECK (hand >= 0),
    -- NULL where nobody asked, as in the wallet's half of a buy-in.
    request_id TEXT    CHECK (request_id <> ''),
    hash       BLOB    NOT NULL CHECK (length(hash) = 32),
    bytes      BLOB    NOT NULL,
    PRIMARY KEY (stream, seq)
) STRICT;

-- A request id counts once in a stream (idempotency).
CREATE UNIQUE INDEX records_by_request ON records (stream, request_id) WHERE request_id IS NOT NULL;
CREATE INDEX records_by_hand ON records (stream, hand, seq);

-- A request id counts once, said in words that the store knows.
CREATE TRIGGER records_answer_once BEFORE INSERT ON records
WHEN EXISTS (SELECT 1 FROM records WHERE stream = NEW.stream AND request_id = NEW.request_id)
BEGIN
    SELECT RAISE(ABORT, 'the stream has a record of this request id already');
END;

-- A record enters as the one to which its head has just moved: no gap, nothing between two records, none twice.
CREATE TRIGGER records_follow_heads BEFORE INSERT ON records
WHEN NOT EXISTS (
        SELECT 1 FROM heads
        WHERE stream = NEW.stream AND seq = NEW.seq AND hash = NEW.hash AND hand = NEW.hand
    )
    OR EXISTS (SELECT 1 FROM records WHERE stream = NEW.stream AND seq = NEW.seq)
BEGIN
    SELECT RAISE(ABORT, 'a record enters once, as the one to which its head has moved');
END;

-- A record is never written again.
CREATE TRIGGER records_are_final BEFORE UPDATE ON records
BEGIN
    SELECT RAISE(ABORT, 'a record is never changed');
END;

CREATE TRIGGER records_stay BEFORE DELETE ON records
BEGIN
    SELECT RAISE(ABORT, 'a record is never deleted');
END;
