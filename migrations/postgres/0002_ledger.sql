-- Money: chips move as transfers and in no other way, and the database itself keeps the balances (promise 2).
--
-- An account's key: H house; W wallet and the player id; S seat, P pot, R rake, each with the table id, S also with the
-- seat number as one more byte. The accounts of a table are moved by its own stream alone, so a transfer names them
-- without the table id, by a small letter: p, r, or s with the seat number.

CREATE TABLE transfers (
    stream uuid     NOT NULL,
    seq    bigint   NOT NULL,
    -- As its record's, microseconds since 1970; the period.
    at     bigint   NOT NULL,
    -- Minor units. One debit and one credit of one amount: no transfer makes or loses a chip.
    amount bigint   NOT NULL CHECK (amount > 0 AND amount <= 1000000000000000),
    -- Its place in the record, from 0.
    idx    smallint NOT NULL CHECK (idx >= 0),
    debit  bytea    NOT NULL CHECK (get_byte(debit, 0) IN (72, 87, 112, 114, 115)),
    credit bytea    NOT NULL CHECK (debit <> credit AND get_byte(credit, 0) IN (72, 87, 112, 114, 115))
) PARTITION BY RANGE (at);

CREATE TABLE transfers_other PARTITION OF transfers DEFAULT;

-- All transfers of a record share one entry of this index. That none enters twice, the trigger below holds: a record
-- has as many as it says, and it says so once.
CREATE INDEX transfers_by_record ON transfers (stream, seq);
-- That finds the transfers of a table's accounts too; those of the house and of wallets stand in many streams.
CREATE INDEX transfers_by_debit ON transfers (debit, at) WHERE get_byte(debit, 0) IN (72, 87);
CREATE INDEX transfers_by_credit ON transfers (credit, at) WHERE get_byte(credit, 0) IN (72, 87);

-- What each account holds. No role but the owner can write here, and the owner does by trigger only.
CREATE TABLE accounts (
    account bytea  NOT NULL PRIMARY KEY CHECK (get_byte(account, 0) IN (72, 87, 83, 80, 82)),
    balance bigint NOT NULL,
    -- No balance but the house's (72) is below zero, and all chips together fit below the ceiling.
    CONSTRAINT balance_in_bounds CHECK (
        balance BETWEEN -1000000000000000 AND 1000000000000000 AND (balance >= 0 OR account = '\x48')
    )
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);

-- It is there from the start, so that two first deposits do not both make it.
INSERT INTO accounts (account, balance) VALUES ('\x48', 0);

-- The account of a transfer's key.
CREATE FUNCTION razz_account(stream uuid, key bytea) RETURNS bytea LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN get_byte(key, 0) > 96
    THEN set_byte(substring(key FROM 1 FOR 1), 0, get_byte(key, 0) - 32) || uuid_send(stream) || substring(key FROM 2)
    ELSE key END;

-- A record's transfers enter with it, all of them, and the balances follow. The accounts are taken in the order of
-- their keys, so that two sessions never wait for each other.
CREATE FUNCTION razz_transfers_move_balances() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp AS $$
BEGIN
    IF EXISTS (
        SELECT FROM (SELECT DISTINCT stream, seq, at FROM entering) AS touched WHERE NOT EXISTS (
            SELECT FROM records
            WHERE records.stream = touched.stream AND records.seq = touched.seq AND records.at = touched.at
                AND (records.transfers, records.transfers, records.transfers - 1) = (
                    SELECT count(*), count(DISTINCT idx), max(idx) FROM transfers
                    WHERE transfers.stream = touched.stream AND transfers.seq = touched.seq
                        AND transfers.at = touched.at
                )
        )
    ) THEN
        RAISE EXCEPTION USING ERRCODE = 'RZ000', MESSAGE = 'transfers enter with their record, as many as it says';
    END IF;
    WITH change AS MATERIALIZED (
        SELECT account, sum(amount)::bigint AS amount FROM (
            SELECT razz_account(stream, debit) AS account, -amount AS amount FROM entering
            UNION ALL
            SELECT razz_account(stream, credit), amount FROM entering
        ) AS halves GROUP BY account ORDER BY account
    ), known AS (
        UPDATE accounts SET balance = accounts.balance + change.amount
        FROM change WHERE accounts.account = change.account
        RETURNING accounts.account
    )
    INSERT INTO accounts (account, balance)
        SELECT account, amount FROM change WHERE account NOT IN (SELECT account FROM known) ORDER BY account;
    -- A pot account with no open hand is zero. (The state of 0004.)
    IF EXISTS (
        SELECT FROM (SELECT DISTINCT stream FROM entering WHERE debit = 'p' OR credit = 'p') AS pots
        JOIN accounts ON accounts.account = razz_account(pots.stream, 'p') AND accounts.balance <> 0
        WHERE NOT EXISTS (SELECT FROM heads WHERE heads.stream = pots.stream AND heads.state <> 'idle')
    ) THEN
        RAISE EXCEPTION USING ERRCODE = 'RZ000', MESSAGE = 'a pot account with no open hand is zero';
    END IF;
    RETURN NULL;
END
$$;

CREATE TRIGGER transfers_move_balances AFTER INSERT ON transfers REFERENCING NEW TABLE AS entering
FOR EACH STATEMENT EXECUTE FUNCTION razz_transfers_move_balances();

-- A transfer is never written again, and an account never goes.
CREATE TRIGGER transfers_are_final BEFORE UPDATE OR DELETE ON transfers FOR EACH ROW
EXECUTE FUNCTION razz_refuse('a transfer is never changed or deleted');
CREATE TRIGGER transfers_are_kept BEFORE TRUNCATE ON transfers
EXECUTE FUNCTION razz_refuse('transfers are never truncated');
CREATE TRIGGER transfers_are_kept BEFORE TRUNCATE ON transfers_other
EXECUTE FUNCTION razz_refuse('transfers are never truncated');
CREATE TRIGGER accounts_stay BEFORE DELETE ON accounts FOR EACH ROW
EXECUTE FUNCTION razz_refuse('an account is never deleted');
CREATE TRIGGER accounts_are_kept BEFORE TRUNCATE ON accounts
EXECUTE FUNCTION razz_refuse('accounts are never truncated');

GRANT SELECT ON transfers, accounts TO razz_dealer;
GRANT INSERT ON transfers TO razz_dealer;
