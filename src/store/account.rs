//! An account as a key in SQL, and back.

use crate::engine::{PlayerId, Seat};
use crate::ledger::{Account, TableId};
use crate::record::StreamId;
use crate::store::{Listed, StoreError};

const HOUSE: u8 = b'H';
const WALLET: u8 = b'W';
const SEAT: u8 = b'S';
const POT: u8 = b'P';
const RAKE: u8 = b'R';

/// A letter for the kind, then the player id or the table id, then the seat's number: at most 65 bytes.
pub(in crate::store) fn key(account: &Account) -> Vec<u8> {
    match account {
        Account::House => vec![HOUSE],
        Account::Wallet(player) => [&[WALLET], player.as_str().as_bytes()].concat(),
        Account::Seat(table, seat) => [&[SEAT], &table.0[..], &[seat.number()]].concat(),
        Account::Pot(table) => [&[POT], &table.0[..]].concat(),
        Account::Rake(table) => [&[RAKE], &table.0[..]].concat(),
    }
}

/// The key in a transfer of this stream, where that is kept apart from the transfer: the accounts of its own table are
/// named without the table's id, by a small letter.
pub(in crate::store) fn short_key(stream: StreamId, account: &Account) -> Vec<u8> {
    let key = key(account);
    match key.split_first() {
        Some((&letter, rest)) if [SEAT, POT, RAKE].contains(&letter) && rest.starts_with(&stream.0) => {
            [&[letter.to_ascii_lowercase()], &rest[stream.0.len()..]].concat()
        }
        _ => key,
    }
}

/// The account of a [`short_key`].
pub(in crate::store) fn of_short_key(stream: StreamId, key: &[u8]) -> Option<Account> {
    match key.split_first()? {
        (letter, rest) if letter.is_ascii_lowercase() => {
            account(&[&[letter.to_ascii_uppercase()], &stream.0[..], rest].concat())
        }
        _ => account(key),
    }
}

/// The account of a key; `None` for bytes that are no key.
pub(in crate::store) fn account(key: &[u8]) -> Option<Account> {
    let table = |id: &[u8]| id.try_into().ok().map(TableId);
    match key.split_first()? {
        (&HOUSE, []) => Some(Account::House),
        (&WALLET, id) => PlayerId::new(std::str::from_utf8(id).ok()?).map(Account::Wallet),
        (&SEAT, [id @ .., seat]) => Some(Account::Seat(table(id)?, Seat::new(*seat)?)),
        (&POT, id) => table(id).map(Account::Pot),
        (&RAKE, id) => table(id).map(Account::Rake),
        _ => None,
    }
}

/// A row of the balances.
pub(in crate::store) fn listed(key: Vec<u8>, balance: i64) -> Listed<(Account, i64)> {
    let row = match account(&key) {
        Some(account) => Ok((account, balance)),
        None => Err(StoreError::Corrupt(format!("it is no account, and holds {balance}"))),
    };
    Listed { key, row }
}

#[cfg(test)]
mod tests {
    use super::{account, key, of_short_key, short_key};
    use crate::engine::{PlayerId, Seat};
    use crate::ledger::{Account, TableId};
    use crate::record::StreamId;

    #[test]
    fn every_account_comes_back_from_its_key() {
        let table = TableId([0x57; 16]);
        let player = |text: &str| PlayerId::new(text).expect("a player id");
        let seats = Seat::all().map(|seat| Account::Seat(table, seat));
        let mut all: Vec<Account> = seats.collect();
        all.extend([Account::House, Account::Pot(table), Account::Rake(table)]);
        all.extend(["p", "H", "Żółw", &"x".repeat(64)].map(|text| Account::Wallet(player(text))));
        let mut keys: Vec<Vec<u8>> = all.iter().map(key).collect();
        for (one, key) in all.iter().zip(&keys) {
            assert_eq!(account(key).as_ref(), Some(one));
            for stream in [StreamId::of_table(table), StreamId([0x57; 16]), StreamId([1; 16])] {
                assert_eq!(of_short_key(stream, &short_key(stream, one)).as_ref(), Some(one));
            }
        }
        assert_eq!(short_key(StreamId::of_table(table), &Account::Pot(table)), b"p");
        keys.sort();
        keys.dedup();
        assert_eq!(keys.len(), all.len(), "two accounts share a key");
    }

    #[test]
    fn other_bytes_are_no_key() {
        let seat_nine = [&b"S"[..], &[1; 16], &[9]].concat();
        for bytes in [&b""[..], b"Hx", b"W", b"W\xff", b"Pshort", b"S", b"X", &seat_nine] {
            assert_eq!(account(bytes), None, "{bytes:?}");
        }
    }
}
