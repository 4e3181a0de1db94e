//! Heads, records and decks.

use razz_dealer::ledger::Account;
use razz_dealer::record::{FORMAT, Micros, Seq};
use razz_dealer::store::{Commit, DeckRow, HandState, Head, StoreError, StreamKind};

use super::{Shared, Tip, both, ends_at, one, stands_at, table, transfer, wallet};

pub(super) async fn an_empty_store_has_nothing(store: Shared) {
    let stream = Tip::of_table(1).stream;
    assert_eq!(store.head(stream).await, Ok(None));
    assert_eq!(store.hand_records(stream, 0).await, Ok(vec![]));
    assert_eq!(store.records(stream, Seq(0), 10).await, Ok(vec![]));
    assert_eq!(store.find_request(stream, "r").await, Ok(None));
    assert_eq!(store.balance(&Account::House).await, Ok(0));
    assert_eq!(store.transfers(&Account::House, None, 10).await, Ok(vec![]));
    assert_eq!(store.tables(None, 10).await, Ok(vec![]));
    assert_eq!(store.deck(table(1), 1).await, Ok(None));
}

pub(super) async fn every_read_finds_what_was_committed(store: Shared) {
    let start = Tip::of_table(1);
    let made = start.step("make", vec![]);
    let mut opened = start.after(&made).step("deal", vec![]);
    (opened.hand, opened.state, opened.deadline) = (1, HandState::Betting, Some(Micros(77)));
    let mut acted = start.after(&opened).step("act", vec![]);
    (acted.hand, acted.deadline) = (1, None);
    let mut again = start.after(&acted).step("", vec![]);
    again.hand = 2;
    let deck = DeckRow { table: table(1), hand: 1, key_id: vec![1], sealed: vec![0, 255, 3] };

    store.commit(one(made.clone())).await.expect("made");
    store.commit(Commit { moves: vec![opened.clone()], deck: Some(deck.clone()) }).await.expect("opened");
    let head = Head {
        stream: start.stream,
        kind: StreamKind::Table,
        seq: Seq(2),
        hash: opened.sealed.hash,
        hand: 1,
        format: FORMAT,
        state: HandState::Betting,
        deadline: Some(Micros(77)),
    };
    assert_eq!(store.head(start.stream).await, Ok(Some(head.clone())));
    assert_eq!(store.tables(None, 10).await, Ok(vec![head]));
    store.commit(one(acted.clone())).await.expect("acted");
    store.commit(one(again.clone())).await.expect("dealt again");
    let head = store.head(start.stream).await.expect("a head").expect("the table's");
    assert_eq!((head.seq, head.hand, head.deadline), (Seq(4), 2, None));

    let (made, opened, acted, again) = (made.sealed, opened.sealed, acted.sealed, again.sealed);
    let all = [made.clone(), opened.clone(), acted.clone(), again.clone()];
    assert_eq!(store.hand_records(start.stream, 0).await, Ok(vec![made]));
    assert_eq!(store.hand_records(start.stream, 1).await, Ok(vec![opened.clone(), acted.clone()]));
    for none in [3, i64::MAX as u64 - 1, i64::MAX as u64, u64::MAX] {
        assert_eq!(store.hand_records(start.stream, none).await, Ok(vec![]), "hand {none}");
    }
    assert_eq!(store.records(start.stream, Seq(0), 10).await, Ok(all.to_vec()));
    assert_eq!(store.records(start.stream, Seq(1), 2).await, Ok(vec![opened, acted.clone()]));
    assert_eq!(store.records(start.stream, Seq(u64::MAX), 2).await, Ok(vec![]));
    assert_eq!(store.find_request(start.stream, "act").await, Ok(Some(acted)));
    assert_eq!(store.find_request(start.stream, "never").await, Ok(None));
    assert_eq!(store.find_request(start.stream, "").await, Ok(None));
    assert_eq!(store.find_request(Tip::of_table(2).stream, "act").await, Ok(None));
    assert_eq!(store.deck(table(1), 1).await, Ok(Some(deck)));
    assert_eq!(store.deck(table(1), 2).await, Ok(None));
    assert_eq!(store.deck(table(2), 1).await, Ok(None));
}

pub(super) async fn a_moved_head_is_a_conflict(store: Shared) {
    let start = Tip::of_table(1);
    let mut tip = start.clone();
    let no_stream = start.after(&start.step("a", vec![])).step("b", vec![]);
    assert_eq!(store.commit(one(no_stream)).await, Err(StoreError::Conflict), "a stream begins with its first record");
    tip.write(&*store, "a", vec![]).await.expect("first");
    let stale = tip.clone();
    tip.write(&*store, "b", vec![]).await.expect("second");

    assert_eq!(start.clone().write(&*store, "c", vec![]).await, Err(StoreError::Conflict), "it has begun already");
    assert_eq!(stale.clone().write(&*store, "c", vec![]).await, Err(StoreError::Conflict), "behind the head");
    let gap = tip.after(&tip.step("c", vec![])).step("d", vec![]);
    assert_eq!(store.commit(one(gap)).await, Err(StoreError::Conflict), "beyond the head");
    ends_at(&*store, &tip).await;
    tip.write(&*store, "c", vec![]).await.expect("what lost may come again");
    ends_at(&*store, &tip).await;
}

pub(super) async fn a_request_id_counts_once_in_its_stream(store: Shared) {
    let (start, mut tip, mut other) = (Tip::of_table(1), Tip::of_table(1), Tip::of_table(2));
    tip.write(&*store, "a", vec![]).await.expect("first");
    let stale = tip.clone();
    tip.write(&*store, "b", vec![]).await.expect("second");
    let repeats = [(&start, "a"), (&start, "b"), (&stale, "a"), (&stale, "b"), (&tip, "a"), (&tip, "b")];
    for (from, id) in repeats {
        let repeat = from.clone().write(&*store, id, vec![]).await;
        assert_eq!(repeat, Err(StoreError::DuplicateRequest), "{id} after {:?}", from.seq);
    }
    ends_at(&*store, &tip).await;
    other.write(&*store, "a", vec![]).await.expect("another stream, another request");
    for _ in 0..2 {
        tip.write(&*store, "", vec![]).await.expect("no id is no id twice");
    }
    assert_eq!(stale.clone().write(&*store, "", vec![]).await, Err(StoreError::Conflict));
    ends_at(&*store, &tip).await;
    ends_at(&*store, &other).await;
}

pub(super) async fn two_streams_move_together_or_not_at_all(store: Shared) {
    let (mut seats, mut purse) = (Tip::of_table(1), Tip::of_wallet("ann"));
    purse.write(&*store, "in", vec![transfer(&Account::House, &wallet("ann"), 50)]).await.expect("deposit");
    let (old_seats, old_purse) = (seats.clone(), purse.clone());
    let (take, pay) =
        (seats.step("sit", vec![transfer(&wallet("ann"), &super::seat(1, 3), 20)]), purse.step("", vec![]));
    store.commit(both(take.clone(), pay.clone())).await.expect("both stand where expected");
    (seats, purse) = (seats.after(&take), purse.after(&pay));

    let fresh = seats.step("add", vec![transfer(&wallet("ann"), &super::seat(1, 3), 10)]);
    assert_eq!(store.commit(both(fresh.clone(), old_purse.step("", vec![]))).await, Err(StoreError::Conflict));
    assert_eq!(
        store.commit(both(old_seats.step("x", vec![]), purse.step("", vec![]))).await,
        Err(StoreError::Conflict)
    );
    assert_eq!(
        store.commit(both(purse.step("", vec![]), old_seats.step("x", vec![]))).await,
        Err(StoreError::Conflict)
    );
    let repeat = both(old_seats.step("sit", vec![]), purse.step("", vec![]));
    assert_eq!(store.commit(repeat).await, Err(StoreError::DuplicateRequest));
    let new_table = Tip::of_table(2);
    assert_eq!(
        store.commit(both(new_table.step("new", vec![]), old_purse.step("", vec![]))).await,
        Err(StoreError::Conflict)
    );
    let too_much = seats.step("much", vec![transfer(&wallet("ann"), &super::seat(1, 3), 31)]);
    assert_eq!(store.commit(both(too_much, purse.step("", vec![]))).await, Err(StoreError::BalanceOutOfBounds));

    assert_eq!(stands_at(&*store, &new_table).await, None, "a stream that one half would have begun");
    ends_at(&*store, &seats).await;
    ends_at(&*store, &purse).await;
    assert_eq!(store.balance(&wallet("ann")).await, Ok(30));
    store.commit(both(fresh, purse.step("", vec![]))).await.expect("the same halves, both fresh");
}

pub(super) async fn tables_are_listed_by_id(store: Shared) {
    for number in [5, 1, 300, 2] {
        Tip::of_table(number).write(&*store, "make", vec![]).await.expect("made");
        Tip::of_wallet(&format!("p{number}")).write(&*store, "in", vec![]).await.expect("a wallet is no table");
    }
    let ids = async |after, limit| {
        let heads = store.tables(after, limit).await.expect("tables");
        heads.into_iter().map(|head| head.stream).collect::<Vec<_>>()
    };
    let tables = |numbers: &[u16]| numbers.iter().map(|&number| Tip::of_table(number).stream).collect::<Vec<_>>();
    assert_eq!(ids(None, 10).await, tables(&[1, 2, 5, 300]));
    assert_eq!(ids(None, 3).await, tables(&[1, 2, 5]));
    assert_eq!(ids(Some(table(2)), 1).await, tables(&[5]));
    assert_eq!(ids(Some(table(4)), 9).await, tables(&[5, 300]), "the one gone on from need not exist");
    assert_eq!(ids(Some(table(300)), 10).await, tables(&[]));
}

pub(super) async fn open_and_due_hands_are_found(store: Shared) {
    use HandState::{Betting, Idle, PlayedOut};
    let due = [(1, PlayedOut, Some(30)), (2, Betting, Some(10)), (3, PlayedOut, Some(20)), (4, PlayedOut, None)];
    for (number, state, deadline) in
        due.into_iter().chain([(5, Idle, None), (7, PlayedOut, Some(31)), (6, PlayedOut, Some(31))])
    {
        let mut step = Tip::of_table(number).step("deal", vec![]);
        (step.hand, step.state, step.deadline) = (1, state, deadline.map(Micros));
        store.commit(one(step)).await.expect("dealt");
    }
    let numbers = |heads: Vec<Head>| heads.iter().map(|head| head.stream.0[1]).collect::<Vec<_>>();
    let found = async |state, until, limit| {
        let (mut found, mut after) = (Vec::new(), None);
        loop {
            let page = store.due(state, Micros(until), after, limit).await.expect("heads");
            let Some(last) = page.last() else { return numbers(found) };
            assert!(page.len() <= usize::try_from(limit).expect("small"));
            after = last.deadline.map(|deadline| (deadline, last.stream));
            found.extend(page);
        }
    };
    assert_eq!(found(PlayedOut, 30, 10).await, [3, 1], "the longest due first");
    assert_eq!(found(PlayedOut, 30, 1).await, [3, 1]);
    assert_eq!(found(PlayedOut, 31, 2).await, [3, 1, 6, 7], "of one moment: by id");
    assert_eq!(found(PlayedOut, 19, 10).await, [0; 0]);
    assert_eq!(found(Betting, 30, 10).await, [2]);
    let open = async |after, limit| numbers(store.open_hands(after, limit).await.expect("heads"));
    assert_eq!(open(None, 10).await, [1, 2, 3, 4, 6, 7]);
    assert_eq!(open(Some(table(2)), 2).await, [3, 4]);
}

pub(super) async fn a_deck_enters_with_the_record_of_its_hand(store: Shared) {
    let deck = |hand, key| DeckRow { table: table(1), hand, key_id: vec![key], sealed: vec![key; 100] };
    // Prepared first, and opened later with the same deck.
    let prepare = Tip::of_table(1).step("prepare", vec![]);
    let commit = Commit { moves: vec![prepare.clone()], deck: Some(deck(1, 1)) };
    store.commit(commit).await.expect("prepared");
    assert_eq!(store.deck(table(1), 1).await, Ok(Some(deck(1, 1))));
    let tip = Tip::of_table(1).after(&prepare);
    let lost = Commit { moves: vec![Tip::of_table(1).step("stale", vec![])], deck: Some(deck(1, 2)) };
    assert_eq!(store.commit(lost).await, Err(StoreError::Conflict));
    let mut open = tip.step("deal", vec![]);
    (open.hand, open.state) = (1, HandState::Betting);
    for hand in [0, 3, 9] {
        let commit = Commit { moves: vec![open.clone()], deck: Some(deck(hand, 3)) };
        let refused = store.commit(commit).await;
        assert!(refused.is_err(), "a deck of hand {hand} enters with hand 1");
    }
    store.commit(one(open.clone())).await.expect("opened");
    let mut over = tip.after(&open).step("over", vec![]);
    over.hand = 1;
    let next = Tip::of_table(1).after(&prepare).after(&open).after(&over);
    store.commit(one(over)).await.expect("settled");
    let mut open = next.step("deal again", vec![]);
    (open.hand, open.state) = (2, HandState::Betting);
    store.commit(Commit { moves: vec![open], deck: Some(deck(2, 4)) }).await.expect("dealt at once");
    assert_eq!(store.deck(table(1), 1).await, Ok(Some(deck(1, 1))), "no other has come to count");
    assert_eq!(store.hands_with_decks(table(1), 0, 9).await, Ok(vec![1, 2]));
    assert_eq!(store.hands_with_decks(table(1), 0, 1).await, Ok(vec![1]));
    assert_eq!(store.hands_with_decks(table(1), 1, 9).await, Ok(vec![2]));
    assert_eq!(store.hands_with_decks(table(2), 0, 9).await, Ok(vec![]));
}

pub(super) async fn a_command_moves_something_and_nothing_twice(store: Shared) {
    let is_refused = |outcome| assert!(matches!(outcome, Err(StoreError::Corrupt(_))), "{outcome:?}");
    let tip = Tip::of_table(1);
    let first = tip.step("a", vec![]);
    let second = tip.after(&first).step("b", vec![]);
    is_refused(store.commit(Commit { moves: vec![], deck: None }).await);
    is_refused(store.commit(both(first.clone(), second)).await);
    let mut huge = first.clone();
    huge.hand = u64::MAX;
    is_refused(store.commit(one(huge)).await);
    ends_at(&*store, &tip).await;
    store.commit(one(first)).await.expect("the store goes on");
}
