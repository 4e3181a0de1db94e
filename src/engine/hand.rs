//! The state of one hand, as everybody may know it: no down card is ever in here, so it can be kept, replayed and
//! checked without the deck and without a key. What hangs on down cards has become an event with its outcome.

use std::sync::Arc;

use super::card::{Card, CardSet};
use super::chips::Chips;
use super::event::{Award, PlayerId, Street};
use super::held::Held;
use super::opening::Opening;
use super::player::Player;
use super::pots::{self, Pot};
use super::round::Round;
use super::rules::HouseRules;
use super::seat::{PerSeat, Seat, SeatSet};
use super::stakes::Stakes;

/// One hand of Razz. [`Hand::default`] is a hand that has not been opened.
///
/// It changes by [`Hand::apply`] only. Between two events it waits for exactly one thing, [`Hand::due`].
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Hand {
    pub(super) opening: Option<Arc<Opening>>,
    pub(super) players: PerSeat<Option<Player>>,
    pub(super) stage: Stage,
    pub(super) street: Street,
    pub(super) round: Round,
    /// Who the round begins with, until somebody has acted.
    pub(super) first_to_bet: Option<Seat>,
    /// Who acted last.
    pub(super) last_to_bet: Option<Seat>,
    pub(super) due: Due,
    /// How many cards have been dealt, and so the deck position of the next (R3: no burns).
    pub(super) dealt: u8,
    pub(super) common: Option<Card>,
    /// The deck positions of all cards that lie or lay open, a bit each.
    pub(super) revealed: u64,
    /// Every card that has been seen: none may come twice (R3).
    pub(super) seen: CardSet,
    /// Who opened third street with the bring-in (R29).
    pub(super) opener: Option<Seat>,
    /// How many bets and raises there were so far (R29).
    pub(super) aggressions: u16,
    /// Who has shown, in order.
    pub(super) shown: Held<Seat, 8>,
    pub(super) awards: Vec<Award>,
    pub(super) outcome: Option<Outcome>,
}

/// The parts of a hand, in order.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Stage {
    /// Not opened.
    #[default]
    Unopened,
    /// The antes.
    Antes,
    /// The street's cards.
    Cards,
    /// The street's betting.
    Betting,
    /// What nobody matched goes back.
    Returning,
    /// All live hands are laid open before the cards go on (R41).
    Tabling,
    /// The showdown.
    Showdown,
    /// The pots are awarded.
    Awards,
    /// Played out, settled or voided.
    Closed,
}

/// What a hand waits for. Anything else is refused: as a [`super::Rejection`] when a player asks, as an
/// [`super::Impossible`] when a record claims it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Due {
    /// To be opened.
    #[default]
    Opening,
    /// This seat's ante.
    Ante(Seat),
    /// The excess of this seat.
    Return(Seat, Chips),
    /// The next card, to this seat.
    Card(Seat),
    /// The common card (R27).
    CommonCard,
    /// This player's action.
    Bet(Seat),
    /// This hand must be shown, whatever it holds (R30 all shown, R41).
    Table(Seat),
    /// This hand is shown if it beats or ties, or nobody showed for its pot; else its player is asked (R30).
    Reveal(Seat),
    /// This player's choice to show or muck.
    Choice(Seat),
    /// The award of this pot.
    Award(u8),
    /// Settlement: the hand is played out.
    Settlement,
    /// Nothing: the hand is settled or voided.
    Nothing,
}

impl Due {
    /// Whose hand may be shown now.
    pub(super) const fn shows(self) -> Option<Seat> {
        match self {
            Due::Table(seat) | Due::Reveal(seat) | Due::Choice(seat) => Some(seat),
            _ => None,
        }
    }
}

/// How a hand left the table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// The awards were paid.
    Settled,
    /// Every chip went back.
    Voided(Arc<str>),
}

/// What stands for the opening of a hand that has none: nobody is dealt in.
static UNOPENED: std::sync::LazyLock<Opening> = std::sync::LazyLock::new(|| Opening {
    number: 0,
    rules_revision: super::rules::RULES_REVISION,
    settings: super::opening::Settings {
        stakes: Stakes::LOWEST,
        rules: super::rules::Preset::PokerStars.rules(),
        auto_settle: false,
        act_allowance_ms: 0,
        settle_after_ms: 0,
        nonces: false,
        reveal_deck: false,
    },
    dealt_in: Vec::new(),
    bystanders: Vec::new(),
    bond: super::opening::DeckBond::new(super::opening::DeckOrigin::OsEntropy, [0; 32]),
});

impl Hand {
    /// What was fixed when it opened.
    pub fn opening(&self) -> &Opening {
        self.opening.as_deref().unwrap_or(&UNOPENED)
    }

    /// Its number at the table, from 1; 0 before it is opened.
    pub fn number(&self) -> u64 {
        self.opening().number
    }

    /// The price list it is played at.
    pub fn stakes(&self) -> &Stakes {
        &self.opening().settings.stakes
    }

    /// The house rules it is played by.
    pub fn rules(&self) -> &HouseRules {
        &self.opening().settings.rules
    }

    /// What it waits for.
    pub const fn due(&self) -> Due {
        self.due
    }

    /// The street it has reached.
    pub const fn street(&self) -> Street {
        self.street
    }

    /// The common card of seventh street, where there is one (R27).
    pub const fn common(&self) -> Option<Card> {
        self.common
    }

    /// How it left the table, once it has.
    pub const fn outcome(&self) -> Option<&Outcome> {
        self.outcome.as_ref()
    }

    /// The deck positions of all cards that lie or lay open, ascending.
    pub fn revealed(&self) -> impl Iterator<Item = u8> + '_ {
        (0..64).filter(|position| self.revealed >> position & 1 == 1)
    }

    /// The seats that have shown, in the order in which they did.
    pub fn shown(&self) -> impl Iterator<Item = Seat> + '_ {
        self.shown.iter()
    }

    /// The awards so far, in the order made: the last side pot first (R35).
    pub fn awards(&self) -> &[Award] {
        &self.awards
    }

    /// Whether its chips are in the pot account: opened, and neither settled nor voided.
    pub const fn is_open(&self) -> bool {
        self.opening.is_some() && self.outcome.is_none()
    }

    /// Whether all play is over: only settlement is due, or nothing.
    pub const fn is_played_out(&self) -> bool {
        matches!(self.due, Due::Settlement | Due::Nothing)
    }

    /// The player whose action or choice is awaited.
    pub const fn waits_for(&self) -> Option<Seat> {
        match self.due {
            Due::Bet(seat) | Due::Choice(seat) => Some(seat),
            _ => None,
        }
    }

    /// The player dealt in at this seat.
    pub fn player(&self, seat: Seat) -> Option<&Player> {
        self.players[seat].as_ref()
    }

    /// Every player dealt in, in seat order.
    pub fn players(&self) -> impl DoubleEndedIterator<Item = (Seat, &Player)> + Clone {
        Seat::all().filter_map(|seat| Some((seat, self.players[seat].as_ref()?)))
    }

    /// The id of the player dealt in at this seat.
    pub fn player_id(&self, seat: Seat) -> Option<&PlayerId> {
        self.opening().dealt_in.iter().find(|dealt| dealt.seat == seat).map(|dealt| &dealt.player)
    }

    /// The seat that this player was dealt in at.
    pub fn seat_of(&self, player: &PlayerId) -> Option<Seat> {
        self.opening().dealt_in.iter().find(|dealt| dealt.player == *player).map(|dealt| dealt.seat)
    }

    /// The seats still in.
    pub fn live(&self) -> SeatSet {
        self.players().filter(|(_, player)| !player.folded).map(|(seat, _)| seat).collect()
    }

    /// The seats still in and not all-in: the ones that can act.
    pub fn able(&self) -> SeatSet {
        self.players().filter(|(_, player)| player.is_able()).map(|(seat, _)| seat).collect()
    }

    /// What each seat has in the middle, returned chips not counted.
    pub(super) fn put_in(&self) -> PerSeat<Chips> {
        PerSeat::from_fn(|seat| self.players[seat].map_or(Chips::ZERO, |player| player.put_in))
    }

    /// What each seat wagered in this round.
    pub(super) fn wagers(&self) -> PerSeat<Chips> {
        PerSeat::from_fn(|seat| self.players[seat].map_or(Chips::ZERO, |player| player.wager))
    }

    /// The pots, main pot first, without the wagers of a round that is still open.
    pub fn pots(&self) -> Vec<Pot> {
        let mut put_in = self.put_in();
        if matches!(self.stage, Stage::Antes | Stage::Betting) {
            for (seat, amount) in put_in.iter_mut() {
                *amount -= self.wagers()[seat];
            }
        }
        pots::layers(&put_in, self.live())
    }

    /// Everything in the middle, open wagers included.
    pub fn total_pot(&self) -> Chips {
        self.players().map(|(_, player)| player.put_in).sum()
    }

    /// Whether the hand ended because all but one folded, on third street.
    pub(super) fn ended_on_third(&self) -> bool {
        self.street == Street::Third && self.live().len() == 1
    }

    /// The rake on what is in the middle now; final once the betting is over (R37).
    pub fn rake(&self) -> Chips {
        let rake = self.rules().rake;
        rake.map_or(Chips::ZERO, |rake| rake.on(self.total_pot(), self.opening().dealt_in.len(), self.ended_on_third()))
    }

    /// What each dealt-in seat has with the awards so far, in seat order: after the last award, what it ends with. Of a
    /// voided hand what each brought (R39).
    pub fn stacks(&self) -> Vec<(Seat, Chips)> {
        if matches!(self.outcome, Some(Outcome::Voided(_))) {
            return self.players().map(|(seat, player)| (seat, player.brought)).collect();
        }
        let won = |seat| self.awards.iter().flat_map(|award| &award.shares).filter(move |share| share.0 == seat);
        self.players().map(|(seat, player)| (seat, player.stack + won(seat).map(|share| share.1).sum())).collect()
    }

    /// The rake that the awards have taken so far.
    pub fn rake_taken(&self) -> Chips {
        self.awards.iter().map(|award| award.rake).sum()
    }

    /// All cards of a seat that lie open: board, shown down cards, and the common card.
    pub fn open_cards(&self, seat: Seat) -> CardSet {
        let Some(player) = self.player(seat) else { return CardSet::EMPTY };
        player.up.iter().chain(player.shown.iter()).chain(self.common).collect()
    }

    pub(super) fn player_mut(&mut self, seat: Seat) -> Option<&mut Player> {
        self.players[seat].as_mut()
    }
}
