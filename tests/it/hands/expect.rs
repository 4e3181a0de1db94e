//! Statements that say how things stand.

use std::fmt::Debug;

use razz_dealer::engine::{
    Action, Card, Chips, Event, Offer, PlayerId, Seat, Status, Street, TableEvent, Viewer, chips_in_front, low_in_words,
};

use super::ending::mucked;
use super::scene::Scene;
use super::words::{Words, card, quoted};

/// Compares one statement with the table.
pub fn check(scene: &mut Scene, statement: &str) -> Result<(), String> {
    let mut words = Words::of(statement);
    let keyword = words.next().unwrap_or_default();
    let rest = statement.get(keyword.len()..).unwrap_or_default().trim();
    let hand = scene.hand();
    match keyword {
        "legal" => legal(scene, rest),
        "turn" => same(&words.seats()?, &hand.waits_for().into_iter().collect()),
        "street" => same(&rest, &street(hand.street())),
        "board" => board(scene, rest),
        "common-card" if rest == "none" => same(&None, &hand.common()),
        "common-card" => same(&Some(card(rest)?), &hand.common()),
        "dealt" => dealt(scene, words),
        "cards-dealt" => same(&words.number()?, &u64::try_from(scene.dealt()).expect("at most 52")),
        "pots" => pots(scene, rest),
        "anted" => same(
            &words.pairs()?,
            &fresh(scene, |event| match event {
                Event::AntePosted { seat, amount } => Some((*seat, *amount)),
                _ => None,
            }),
        ),
        "returned" => same(
            &words.pairs()?,
            &fresh(scene, |event| match event {
                Event::ExcessReturned { seat, amount } => Some((*seat, *amount)),
                _ => None,
            }),
        ),
        "no-event" => same(&Vec::new(), &scene.fresh),
        "shown" => same(&words.seats()?, &hand.shown().collect()),
        "mucked" => same(&words.seats()?, &mucked(hand)),
        "words" => {
            let low = hand.shown_low(words.seat()?).ok_or("the hand does not lie open")?;
            same(&quoted(rest)?.to_owned(), &low_in_words(low))
        }
        "award" => award(scene, rest),
        "raked" => same(&words.chips()?, &hand.rake_taken()),
        "stacks" => {
            let table = scene.table();
            let found = table.occupants().map(|(seat, _)| (seat, chips_in_front(table, seat))).collect();
            same(&words.pairs()?, &found)
        }
        "plays-at" => plays_at(scene, words),
        "outcome" => outcome(scene, rest),
        "sees" => sees(scene, words),
        "says" => same(&quoted(rest)?.to_owned(), &scene.said),
        _ => Err(format!("`{keyword}` is no statement")),
    }
}

fn same<T: PartialEq + Debug>(said: &T, found: &T) -> Result<(), String> {
    if said == found { Ok(()) } else { Err(format!("the script says {said:?}; it is {found:?}")) }
}

/// What the latest order brought about, of one kind.
fn fresh<T>(scene: &Scene, pick: impl Fn(&Event) -> Option<T>) -> Vec<T> {
    let hand_events = scene.fresh.iter().filter_map(|event| match event {
        TableEvent::Hand(event) => Some(event),
        _ => None,
    });
    hand_events.filter_map(pick).collect()
}

fn street(street: Street) -> &'static str {
    street.words().trim_end_matches(" street")
}

/// `3: fold, call 2, complete 10`, or `none`.
fn legal(scene: &Scene, rest: &str) -> Result<(), String> {
    let found = scene.hand().legal();
    let offers: Vec<Offer> = found.offers().collect();
    let (seat, said) = match rest.split_once(':') {
        Some((seat, said)) => (Some(Words::of(seat).seat()?), said.split(',').map(offer).collect::<Result<_, _>>()?),
        None if rest == "none" => (None, Vec::new()),
        None => return Err("a seat and a colon, or `none`, is missing".to_owned()),
    };
    if (seat, &said) == (found.seat, &offers) {
        return Ok(());
    }
    let whose = found.seat.map_or_else(|| "nobody".to_owned(), |seat| seat.to_string());
    Err(format!("the script says {rest}; it is {whose}: {found}"))
}

fn offer(text: &str) -> Result<Offer, String> {
    let mut words = Words::of(text);
    let word = words.next().unwrap_or_default();
    let action = Action::from_word(word).ok_or_else(|| format!("`{word}` is no action"))?;
    let moves = matches!(action, Action::Call | Action::BringIn | Action::Complete | Action::Bet | Action::Raise);
    let to = if moves { words.chips()? } else { Chips::ZERO };
    let all_in = words.takes("all-in");
    words.end()?;
    Ok(Offer { action, to, all_in })
}

/// `1: 7c 3c`, the door card first.
fn board(scene: &Scene, rest: &str) -> Result<(), String> {
    let (seat, cards) = rest.split_once(':').ok_or("a colon is missing behind the seat")?;
    let player = scene.hand().player(Words::of(seat).seat()?).ok_or("the seat is not dealt in")?;
    let said = cards.split_whitespace().map(card).collect::<Result<Vec<Card>, _>>()?;
    same(&said, &player.board().collect())
}

/// The seats that the latest order dealt cards to, in order; `common` is the common card.
fn dealt(scene: &Scene, mut words: Words<'_>) -> Result<(), String> {
    let mut said = Vec::new();
    while words.peek().is_some() {
        said.push(if words.takes("common") { None } else { Some(words.seat()?) });
    }
    same(
        &said,
        &fresh(scene, |event| match event {
            Event::CardDealt { seat, .. } => Some(Some(*seat)),
            Event::CommonCardDealt { .. } => Some(None),
            _ => None,
        }),
    )
}

/// `48 [1 2 3] 14 [1 3]`, the main pot first, or `none`.
fn pots(scene: &Scene, rest: &str) -> Result<(), String> {
    let mut said = Vec::new();
    for pot in rest.split_terminator(']').filter(|_| rest != "none") {
        let (amount, seats) = pot.split_once('[').ok_or("a pot's seats are missing")?;
        said.push((Words::of(amount).chips()?, Words::of(seats).seats()?));
    }
    let found = scene.hand().pots();
    same(&said, &found.iter().map(|pot| (pot.amount, pot.seats.iter().collect())).collect())
}

/// `main 48 rake 2: 2 gets 24, 3 gets 22`, or `side 1 14: 1 gets 14`: the next award in the order made.
fn award(scene: &mut Scene, rest: &str) -> Result<(), String> {
    let (pot, gets) = rest.split_once(':').ok_or("a colon is missing behind the pot")?;
    let mut words = Words::of(pot);
    let number = match words.next() {
        Some("main") => 0,
        Some("side") => words.number()?,
        _ => return Err("`main`, or `side` and its number, is missing".to_owned()),
    };
    let amount = words.chips()?;
    let rake = if words.takes("rake") { words.chips()? } else { Chips::ZERO };
    words.end()?;
    let mut shares = Vec::new();
    for share in gets.split(',') {
        let mut words = Words::of(share);
        let seat = words.seat()?;
        words.word("gets")?;
        shares.push((seat, words.chips()?));
        words.end()?;
    }
    let awards = scene.hand().awards();
    let found = awards.get(scene.awards_named).ok_or_else(|| format!("there are {} awards", awards.len()))?;
    let found = (u64::from(found.pot), found.amount, found.rake, found.shares.clone());
    scene.awards_named += 1;
    same(&(number, amount, rake, shares), &found)
}

/// `ante 1 bring-in 2 bets 10 20`: the settings of the next hand.
fn plays_at(scene: &Scene, mut words: Words<'_>) -> Result<(), String> {
    let stakes = scene.table().settings().stakes;
    words.word("ante")?;
    same(&words.chips()?, &stakes.ante())?;
    words.word("bring-in")?;
    same(&words.chips()?, &stakes.bring_in())?;
    words.word("bets")?;
    same(&words.chips()?, &stakes.small_bet())?;
    same(&words.chips()?, &stakes.big_bet())?;
    words.end()
}

/// `playing`, `played-out`, `settled` or `voided "reason"`.
fn outcome(scene: &Scene, rest: &str) -> Result<(), String> {
    let found = match scene.view(&Viewer::Public).status {
        Status::Settled => "settled".to_owned(),
        Status::Voided(reason) => format!("voided \"{reason}\""),
        Status::PlayedOut => "played-out".to_owned(),
        Status::Playing => "playing".to_owned(),
    };
    same(&rest.to_owned(), &found)
}

/// `2 of 3: 4h 6h Qh`: the down cards of seat 3 that the player in seat 2 sees. The viewer may also be `public`,
/// `platform` or `stranger`, the cards `nothing`.
fn sees(scene: &Scene, mut words: Words<'_>) -> Result<(), String> {
    let viewer = match words.peek() {
        Some("public") => Viewer::Public,
        Some("platform") => Viewer::Platform,
        Some("stranger") => Viewer::Player(PlayerId::new("stranger").expect("a player id")),
        _ => Viewer::Player(scene.player_at(words.seat()?)),
    };
    if !matches!(&viewer, Viewer::Player(player) if player.as_str() != "stranger") {
        words.next();
    }
    words.word("of")?;
    let owner = words.next().unwrap_or_default().trim_end_matches(':').parse().ok().and_then(Seat::new);
    let owner = owner.ok_or("the seat that is looked at is missing")?;
    let said = if words.takes("nothing") { Vec::new() } else { words.cards()?.into_iter().flatten().collect() };
    words.end()?;
    let view = scene.view(&viewer);
    let seat = view.seats.iter().find(|view| view.seat == owner).ok_or("the seat is not dealt in")?;
    same(&said, &seat.down)
}
