-- Money: chips move as transfers and in no other way, and the database itself keeps the balances (promise 2).
--
-- An account's key: H house; W wallet and the player id; S seat, P pot, R rake, each with the table id, S also with the
-- seat number as one more byte.

CREATE TABLE transfers (
    -- The order in which the balances took them in. No cursor: readers go by (at, stream, seq, idx).
    n      INTEGER NOT NULL PRIMARY KEY,
    stream BLOB    NOT NULL,
    seq    INTEGER NOT NULL,
    -- Its place in the record, from 0.
    idx    INTEGER NOT NULL CHECK (idx >= 0),
    -- As its record's, microseconds since 1970.
    at     INTEGER NOT NULL,
    debit  BLOB    NOT NULL,
    credit BLOB    NOT NULL,
    -- Minor units. One debit and one credit of one amount: no transfer makes or loses a chip.
    amount INTEGER NOT NULL CHECK (amount > 0 AND amount <= 1000000000000000),
    UNIQUE (stream, seq, idx),
    CHECK (debit <> credit),
    -- No chip moves without a record that says why.
    FOREIGN KEY (stream, seq) REFERENCES records (stream, seq)
) STRICT;

CREATE INDEX transfers_by_debit ON transfers (debit, at, stream, seq, idx);
CREATE INDEX transfers_by_credit ON transfers (credit, at, stream, seq, idx);

-- What each account holds. That a table's pot is zero while no hand is open is not seen from here: the dealer's and the
-- audit's affair.
CREATE TABLE accounts (
    account BLOB    NOT NULL PRIMARY KEY CHECK (substr(account, 1, 1) IN (x'48', x'57', x'53', x'50', x'52')),
    balance INTEGER NOT NULL,
    -- The last transfer that is in the balance: its n, 0 for none.
    counted INTEGER NOT NULL,
    -- No balance but the house's (x'48') is below zero, and all chips together fit below the ceiling.
    CONSTRAINT balance_in_bounds CHECK (
        balance BETWEEN -1000000000000000 AND 1000000000000000 AND (balance >= 0 OR account = x'48')
    )
) STRICT, WITHOUT ROWID;

-- An account begins empty, and once.
CREATE TRIGGER accounts_begin_empty BEFORE INSERT ON accounts
WHEN NEW.balance <> 0 OR NEW.counted <> 0 OR EXISTS (SELECT 1 FROM accounts WHERE account = NEW.account)
BEGIN
    SELECT RAISE(ABORT, 'an account begins empty, and once');
END;

-- A balance changes by a transfer of the account that it has not counted yet, and by exactly that. As each transfer is
-- counted in the moment when it enters, there is never one left by which anybody could change a balance directly.
CREATE TRIGGER accounts_move_by_transfers BEFORE UPDATE ON accounts
WHEN NEW.account <> OLD.account OR NEW.counted <= OLD.counted OR NOT EXISTS (
    SELECT 1 FROM transfers
    WHERE n = NEW.counted AND (
        (debit = OLD.account AND NEW.balance = OLD.balance - amount)
        OR (credit = OLD.account AND NEW.balance = OLD.balance + amount)
    )
)
BEGIN
    SELECT RAISE(ABORT, 'a balance changes by a transfer only');
END;

CREATE TRIGGER accounts_stay BEFORE DELETE ON accounts
BEGIN
    SELECT RAISE(ABORT, 'an account is never deleted');
END;

-- A transfer enters once. (REPLACE would fire no DELETE trigger.)
CREATE TRIGGER transfers_enter_once BEFORE INSERT ON transfers
WHEN EXISTS (
        SELECT 1 FROM transfers WHERE stream = NEW.stream AND seq = NEW.seq AND idx = NEW.idx
    )
    OR EXISTS (SELECT 1 FROM transfers WHERE n = NEW.n)
BEGIN
    SELECT RAISE(ABORT, 'a transfer enters once');
END;

-- The balances follow the transfers.
CREATE TRIGGER transfers_move_balances AFTER INSERT ON transfers
BEGIN
    INSERT INTO accounts (account, balance, counted)
        SELECT NEW.debit, 0, 0 WHERE NOT EXISTS (SELECT 1 FROM accounts WHERE account = NEW.debit);
    INSERT INTO accounts (account, balance, counted)
        SELECT NEW.credit, 0, 0 WHERE NOT EXISTS (SELECT 1 FROM accounts WHERE account = NEW.credit);
    UPDATE accounts SET balance = balance - NEW.amount, counted = NEW.n WHERE account = NEW.debit;
    UPDATE accounts SET balance = balance + NEW.amount, counted = NEW.n WHERE account = NEW.credit;
END;

-- A transfer is never written again.
CREATE TRIGGER transfers_are_final BEFORE UPDATE ON transfers
BEGIN
    SELECT RAISE(ABORT, 'a transfer is never changed');
END;

CREATE TRIGGER transfers_stay BEFORE DELETE ON transfers
BEGIN
    SELECT RAISE(ABORT, 'a transfer is never deleted');
END;
