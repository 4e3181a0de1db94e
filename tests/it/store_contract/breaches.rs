//! Statements in plain SQL that the Postgres schema refuses to the role that serves, and to its owner.

/// A statement that moves the table's head by one with its record. `$head` and `$record` are what it sets beyond that,
/// `$more` what else it does; `it` is the table's stream.
macro_rules! step {
    ($head:literal, $record:literal, $more:literal) => {
        concat!(
            "WITH it AS (SELECT stream, seq + 1 AS seq, at, hand FROM heads WHERE kind = 'table'), moved AS (\
             UPDATE heads SET seq = heads.seq + 1, hash = decode(repeat('ab', 32), 'hex')",
            $head,
            " WHERE kind = 'table'), recorded AS (INSERT INTO records (stream, seq, at, hash, bytes, request, opens, \
             transfers) SELECT stream, seq, at, decode(repeat('ab', 32), 'hex'), '\\x00', ",
            $record,
            " FROM it)",
            $more,
            " SELECT 1"
        )
    };
}

pub(super) use step;

/// A statement that moves the table's head by one with a record that says that a hand's deck comes with it.
macro_rules! deals {
    ($hand:literal, $deck:literal) => {
        concat!(
            "WITH it AS (SELECT stream, seq + 1 AS seq, at, hand FROM heads WHERE kind = 'table'), moved AS (\
             UPDATE heads SET seq = heads.seq + 1, hash = decode(repeat('ab', 32), 'hex') WHERE kind = 'table'), \
             recorded AS (INSERT INTO records (stream, seq, at, hash, bytes, transfers, deals) \
             SELECT stream, seq, at, decode(repeat('ab', 32), 'hex'), '\\x00', 0, ",
            $hand,
            " FROM it)",
            $deck,
            " SELECT 1"
        )
    };
}

/// What the role that serves must not be able to do, and how it is refused.
pub(super) const BREACHES: &[(&str, &str)] = &[
    ("UPDATE records SET bytes = '\\x00'", "permission denied"),
    ("DELETE FROM records", "permission denied"),
    ("TRUNCATE records", "permission denied"),
    ("UPDATE transfers SET amount = 1", "permission denied"),
    ("DELETE FROM transfers", "permission denied"),
    ("TRUNCATE transfers", "permission denied"),
    ("UPDATE decks SET sealed = '\\x00'", "permission denied"),
    ("DELETE FROM decks", "permission denied"),
    ("TRUNCATE decks", "permission denied"),
    ("UPDATE accounts SET balance = balance + 1", "permission denied"),
    ("INSERT INTO accounts VALUES ('\\x5762', 5)", "permission denied"),
    ("DELETE FROM accounts", "permission denied"),
    ("TRUNCATE accounts", "permission denied"),
    ("DELETE FROM heads", "permission denied"),
    ("TRUNCATE heads", "permission denied"),
    ("UPDATE heads SET stream = gen_random_uuid()", "permission denied"),
    ("UPDATE heads SET kind = 'wallet'", "permission denied"),
    ("INSERT INTO records_other SELECT * FROM records", "permission denied"),
    ("DROP TABLE decks", "must be owner"),
    ("ALTER TABLE transfers DISABLE TRIGGER ALL", "must be owner"),
    ("CREATE TABLE public.mine (x int)", "permission denied"),
    ("SET session_replication_role = replica", "permission denied"),
    // Heads and records move together, forward, one by one.
    ("UPDATE heads SET seq = seq + 1", "a head moves together with its record"),
    ("UPDATE heads SET seq = seq - 1 WHERE seq = 2", "a head moves forward by one record"),
    ("UPDATE heads SET seq = seq + 2", "a head moves forward by one record"),
    ("UPDATE heads SET hash = hash", "a head moves forward by one record"),
    (step!(", hand = 0", "NULL, NULL, 0", ""), "a head moves forward by one record"),
    (step!(", at = 0", "NULL, NULL, 0", ""), "a head moves forward by one record"),
    (step!(", format = 0", "NULL, NULL, 0", ""), "a head moves forward by one record"),
    (step!("", "NULL, 7, 0", ""), "to which its head has moved"),
    (
        "INSERT INTO heads SELECT gen_random_uuid(), 2, 0, 0, NULL, 1, 'table', hash FROM heads LIMIT 1",
        "with its first record",
    ),
    (
        "INSERT INTO heads SELECT gen_random_uuid(), 1, 0, 0, NULL, 1, 'table', hash FROM heads LIMIT 1",
        "a head moves together with its record",
    ),
    (
        "INSERT INTO records SELECT stream, seq + 1, at, NULL, NULL, 0, hash, '\\x00' FROM heads",
        "to which its head has moved",
    ),
    (
        "INSERT INTO records SELECT stream, seq, at + 40000000000000, NULL, NULL, 0, hash, '\\x00' FROM heads",
        "to which its head has moved",
    ),
    ("INSERT INTO records SELECT stream, seq, at, NULL, NULL, 0, hash, '\\x00' FROM heads", "duplicate key"),
    // A request id counts once in its stream, in another month too.
    (
        step!("", "(SELECT request FROM records JOIN it USING (stream) WHERE opens = 1), NULL, 0", ""),
        "request id already",
    ),
    (
        "WITH it AS (SELECT stream, seq + 1 AS seq, 1796083200000001 AS at FROM heads WHERE kind = 'table'), moved AS (\
         UPDATE heads SET seq = heads.seq + 1, at = 1796083200000001 WHERE kind = 'table' RETURNING hash) \
         INSERT INTO records (stream, seq, at, hash, bytes, request, transfers) SELECT stream, seq, at, \
         (SELECT hash FROM moved), '\\x00', (SELECT request FROM records JOIN it USING (stream) WHERE opens = 1), 0 \
         FROM it",
        "request id already",
    ),
    // Chips move with a record that says so, in one debit and one credit, and within bounds.
    (
        "INSERT INTO transfers SELECT stream, seq, at, 5, 1, '\\x48', '\\x5761' FROM heads WHERE kind = 'table'",
        "with their record",
    ),
    (
        "INSERT INTO transfers SELECT stream, seq + 1, at, 5, 0, '\\x48', '\\x5761' FROM heads WHERE kind = 'table'",
        "with their record",
    ),
    (step!("", "NULL, NULL, 1", ""), "with its transfers"),
    (
        step!(
            "",
            "NULL, NULL, 0",
            ", posted AS (INSERT INTO transfers SELECT stream, seq, at, 5, 0, '\\x48', '\\x5761' \
        FROM it)"
        ),
        "with their record",
    ),
    (
        step!(
            "",
            "NULL, NULL, 1",
            ", posted AS (INSERT INTO transfers SELECT stream, seq, at, 0, 0, '\\x48', '\\x5761' \
        FROM it)"
        ),
        "transfers_amount_check",
    ),
    (
        step!(
            "",
            "NULL, NULL, 1",
            ", posted AS (INSERT INTO transfers SELECT stream, seq, at, -5, 0, '\\x48', '\\x5761' \
        FROM it)"
        ),
        "transfers_amount_check",
    ),
    (
        step!(
            "",
            "NULL, NULL, 1",
            ", posted AS (INSERT INTO transfers SELECT stream, seq, at, 5, 0, '\\x48', '\\x48' \
        FROM it)"
        ),
        "transfers_check",
    ),
    (
        step!(
            "",
            "NULL, NULL, 1",
            ", posted AS (INSERT INTO transfers SELECT stream, seq, at, 5, 0, '\\x5762', '\\x48' \
        FROM it)"
        ),
        "balance_in_bounds",
    ),
    (
        step!(
            "",
            "NULL, NULL, 1",
            ", posted AS (INSERT INTO transfers SELECT stream, seq, at, 5, 0, '\\x48', '\\x58' \
        FROM it)"
        ),
        "credit_is_account",
    ),
    (
        step!(
            "",
            "NULL, NULL, 1",
            ", posted AS (INSERT INTO transfers SELECT stream, seq, at, 5, 0, '\\x48', \
        '\\x52' || uuid_send(gen_random_uuid()) FROM it)"
        ),
        "credit_is_account",
    ),
    // Whoever may put the trigger's function on a table of their own can write any balance.
    (
        "CREATE TEMP TABLE fake (LIKE transfers); CREATE TRIGGER fake AFTER INSERT ON fake REFERENCING NEW TABLE AS \
         entering FOR EACH STATEMENT EXECUTE FUNCTION razz_transfers_move_balances()",
        "permission denied for function razz_transfers_move_balances",
    ),
    // A hand is opened by a record that says so, and by no other; and no record is of any length.
    (step!(", hand = heads.hand + 1", "NULL, NULL, 0", ""), "a record opens a hand if its head"),
    (step!("", "NULL, 1, 0", ""), "a record opens a hand if its head"),
    (
        "WITH it AS (SELECT gen_random_uuid() AS stream, hash FROM heads LIMIT 1), begun AS (INSERT INTO heads \
         SELECT stream, 1, 0, 9, NULL, 1, 'table', hash FROM it) INSERT INTO records (stream, seq, at, hash, bytes, \
         transfers) SELECT stream, 1, 0, hash, '\\x00', 0 FROM it",
        "a record opens a hand if its head",
    ),
    (
        "WITH it AS (SELECT stream, seq + 1 AS seq, at FROM heads WHERE kind = 'table'), moved AS (\
         UPDATE heads SET seq = heads.seq + 1, hash = decode(repeat('ab', 32), 'hex') WHERE kind = 'table') \
         INSERT INTO records (stream, seq, at, hash, bytes, transfers) SELECT stream, seq, at, \
         decode(repeat('ab', 32), 'hex'), decode(repeat('00', 300000), 'hex'), 0 FROM it",
        "bytes_in_bounds",
    ),
    // A transfer is between accounts that have a name.
    (
        step!(
            "",
            "NULL, NULL, 1",
            ", posted AS (INSERT INTO transfers SELECT stream, seq, at, 5, 0, '\\x48', '\\x57ffff' FROM it)"
        ),
        "credit_is_account",
    ),
    (
        step!(
            "",
            "NULL, NULL, 1",
            ", posted AS (INSERT INTO transfers SELECT stream, seq, at, 5, 0, '\\x48', '\\x570a' FROM it)"
        ),
        "credit_is_account",
    ),
    (
        step!(
            "",
            "NULL, NULL, 1",
            ", posted AS (INSERT INTO transfers SELECT stream, seq, at, 5, 0, '\\x48', '\\x57c285' FROM it)"
        ),
        "credit_is_account",
    ),
    (
        step!(
            "",
            "NULL, NULL, 1",
            ", posted AS (INSERT INTO transfers SELECT stream, seq, at, 5, 0, '\\x4800', '\\x5761' FROM it)"
        ),
        "debit_is_account",
    ),
    (
        step!(
            "",
            "NULL, NULL, 1",
            ", posted AS (INSERT INTO transfers SELECT stream, seq, at, 5, 0, '\\x48', '\\x7309' FROM it)"
        ),
        "credit_is_account",
    ),
    (
        step!(
            "",
            "NULL, NULL, 1",
            ", posted AS (INSERT INTO transfers SELECT stream, seq, at, 5, 0, '\\x48', \
             decode('57' || repeat('61', 65), 'hex') FROM it)"
        ),
        "credit_is_account",
    ),
    // A deck enters once, with the record that begins its hand: one that came later would count instead.
    (
        "INSERT INTO decks SELECT stream, hand, at + 1, '\\x01', '\\x02' FROM heads WHERE kind = 'table'",
        "a deck enters with the record",
    ),
    (
        "INSERT INTO decks SELECT stream, hand + 1, at, '\\x01', '\\x02' FROM heads WHERE kind = 'table'",
        "a deck enters with the record",
    ),
    (
        "INSERT INTO decks SELECT stream, 1, at, '\\x01', '\\x02' FROM heads WHERE kind = 'wallet'",
        "a deck enters with the record",
    ),
    (
        deals!(
            "2",
            ", dealt AS (INSERT INTO decks SELECT stream, 2, at, '', decode(repeat('00', 5000), 'hex') FROM it)"
        ),
        "deck_in_bounds",
    ),
    (deals!("2", ""), "a record enters together with its transfers and its deck"),
    (
        deals!("2", ", dealt AS (INSERT INTO decks SELECT stream, 3, at, '\\x01', '\\x02' FROM it)"),
        "a deck enters with the record",
    ),
    (
        deals!("1", ", dealt AS (INSERT INTO decks SELECT stream, 1, at + 1, '\\x01', '\\x02' FROM it)"),
        "a deck enters with the record",
    ),
    (
        step!("", "NULL, NULL, 0", ", dealt AS (INSERT INTO decks SELECT stream, 2, at, '\\x01', '\\x02' FROM it)"),
        "a deck enters with the record",
    ),
    ("INSERT INTO decks SELECT gen_random_uuid(), 1, at, '\\x01', '\\x02' FROM heads", "a deck enters with the record"),
    // A pot account with no open hand is zero.
    (step!(", state = 'idle'", "NULL, NULL, 0", ""), "a pot account with no open hand is zero"),
    (
        step!(
            ", state = 'idle'",
            "NULL, NULL, 1",
            ", posted AS (INSERT INTO transfers SELECT stream, seq, at, 5, 0, \
        'p', '\\x5761' FROM it)"
        ),
        "a pot account with no open hand is zero",
    ),
];

/// What the owner's own mistake must not be able to do.
pub(super) const MISTAKES: &[(&str, &str)] = &[
    ("UPDATE records SET bytes = '\\x00'", "never changed or deleted"),
    ("DELETE FROM records", "never changed or deleted"),
    ("TRUNCATE records", "never truncated"),
    ("TRUNCATE records_other", "never truncated"),
    ("UPDATE transfers SET amount = 1", "never changed or deleted"),
    ("DELETE FROM transfers", "never changed or deleted"),
    ("TRUNCATE transfers", "never truncated"),
    ("TRUNCATE transfers_other", "never truncated"),
    ("UPDATE decks SET sealed = '\\x00'", "never changed or deleted"),
    ("DELETE FROM decks", "never changed or deleted"),
    ("TRUNCATE decks", "never truncated"),
    ("DELETE FROM heads", "never deleted"),
    ("TRUNCATE heads", "never truncated"),
    ("DELETE FROM accounts", "never deleted"),
    ("TRUNCATE accounts", "never truncated"),
];
