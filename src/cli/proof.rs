//! `razz-dealer proof`: proofs of a hand's cards as files, for `verify` and any other verifier.

use std::fs::OpenOptions;
use std::io::Write;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use anyhow::Context;
use serde_json::{Value, json};
use uuid::Uuid;

use super::verify::FORMAT;
use super::{CLEAN, FINDING, database, in_hex};
use crate::audit::HandCards;
use crate::config::{DatabaseUrl, PostgresConfig};
use crate::engine::Seat;
use crate::grpc::client::Client;
use crate::ledger::TableId;
use crate::pb;
use crate::record::StreamId;
use crate::shuffle::{Multiproof, OpenedDeck, OpenedFrom, Revealed};
use crate::world::World;

/// Options of `proof`.
#[derive(Clone, Debug, clap::Args)]
#[command(group = clap::ArgGroup::new("source").required(true).args(["connect", "database"]))]
pub struct ProofArgs {
    /// The service to ask: for all cards that the viewer may see.
    #[arg(long, value_name = "ADDR")]
    pub connect: Option<SocketAddr>,
    /// The database to read: for the cards that the record shows to everybody, without any key.
    #[arg(long, value_name = "URL", conflicts_with_all = ["player", "deck"])]
    pub database: Option<String>,
    /// How to use a Postgres database.
    #[command(flatten)]
    pub postgres: PostgresConfig,
    /// The table.
    #[arg(long, value_name = "ID")]
    pub table: Uuid,
    /// The hand's number.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=i64::MAX as u64))]
    pub hand: u64,
    /// Who looks: a player's id; else the public.
    #[arg(long, value_name = "ID", conflicts_with = "deck")]
    pub player: Option<String>,
    /// Open the whole deck, for an audit. Who and why is recorded.
    #[arg(long, requires = "auditor", requires = "reason")]
    pub deck: bool,
    /// Who opens it.
    #[arg(long, value_name = "ID", requires = "deck")]
    pub auditor: Option<String>,
    /// Why.
    #[arg(long, value_name = "TEXT", requires = "deck")]
    pub reason: Option<String>,
    /// The folder to write to. A file that is there is left alone.
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
}

/// What all proofs of one hand begin with.
struct Head {
    table: String,
    hand: u64,
    root: Vec<u8>,
}

impl Head {
    fn proof(&self, kind: &str, rest: Value) -> Value {
        let mut proof = json!({
            "format": FORMAT,
            "kind": kind,
            "table_id": self.table,
            "hand_number": self.hand,
            "root": in_hex(&self.root),
        });
        if let (Value::Object(all), Value::Object(rest)) = (&mut proof, rest) {
            all.extend(rest);
        }
        proof
    }
}

/// Writes what proofs there are.
///
/// # Errors
/// Where service or database are not to be had, refuse, or a file cannot be written.
pub async fn run(args: &ProofArgs) -> anyhow::Result<u8> {
    let proofs = match (&args.connect, &args.database) {
        (Some(addr), _) if args.deck => opened(args, *addr).await?,
        (Some(addr), _) => asked(args, *addr).await?,
        (None, Some(url)) => recorded(args, url).await?,
        (None, None) => anyhow::bail!("give --connect or --database"),
    };
    std::fs::create_dir_all(&args.out).with_context(|| format!("folder {}", args.out.display()))?;
    for (name, proof) in &proofs {
        write_new(&args.out.join(name), proof)?;
        say!("{}", args.out.join(name).display());
    }
    if proofs.is_empty() {
        say!("no proof: the play of hand {} is not over, or it was voided without its key", args.hand);
        return Ok(FINDING);
    }
    Ok(CLEAN)
}

type Proofs = Vec<(String, Value)>;

/// What the record alone proves.
async fn recorded(args: &ProofArgs, url: &str) -> anyhow::Result<Proofs> {
    let url = DatabaseUrl::parse(url)?;
    let store = database::open(&url, &args.postgres, false).await?;
    let table = TableId(args.table.into_bytes());
    let records = store.hand_records(StreamId::of_table(table), args.hand).await;
    store.close().await;
    let place = || format!("database {url}");
    let cards = HandCards::of(table, &records.with_context(place)?).with_context(place)?;
    let cards = cards.with_context(|| format!("{}: table {} has no hand {}", place(), args.table, args.hand))?;
    let head = Head { table: args.table.to_string(), hand: args.hand, root: cards.bond.root.to_vec() };
    say!("root {}", in_hex(&head.root));
    let hand = cards.proof().map(|proof| ("hand.json".to_owned(), multiproof(&head, &proof)));
    let deck = cards.opened_deck().map(|deck| ("deck.json".to_owned(), whole_deck(&head, &deck)));
    Ok(hand.into_iter().chain(deck).collect())
}

/// A deck that the record itself opens.
fn whole_deck(head: &Head, deck: &OpenedDeck) -> Value {
    let order: Vec<String> = deck.order.iter().map(ToString::to_string).collect();
    match &deck.from {
        OpenedFrom::Script { salts } => {
            head.proof("deck", json!({ "order": order, "salts_key": in_hex(salts.bytes()) }))
        }
        OpenedFrom::Seed { seed, nonces, seed_hash } => {
            let nonce = |(seat, nonce): (Seat, &[u8])| json!({ "seat": seat.number(), "nonce": in_hex(nonce) });
            let nonces: Vec<Value> = nonces.iter().map(nonce).collect();
            let mut rest = json!({ "order": order, "seed": in_hex(seed.bytes()), "nonces": nonces });
            if let Some(hash) = seed_hash {
                rest["seed_hash"] = json!(hash.to_string());
            }
            head.proof("deck", rest)
        }
    }
}

fn multiproof(head: &Head, proof: &Multiproof) -> Value {
    let card = |shown: &Revealed| {
        let (card, salt) = (shown.card.to_string(), in_hex(&shown.salt));
        json!({ "position": shown.position, "card": card, "salt": salt })
    };
    let nodes: Vec<String> = proof.nodes.iter().map(|node| in_hex(node)).collect();
    head.proof("hand", json!({ "cards": proof.cards.iter().map(card).collect::<Vec<_>>(), "nodes": nodes }))
}

/// What the service proves to a viewer.
async fn asked(args: &ProofArgs, addr: SocketAddr) -> anyhow::Result<Proofs> {
    let viewer = args.player.as_ref().map(|player| {
        let player = pb::viewer::Player { player_id: player.clone() };
        pb::Viewer { who: Some(pb::viewer::Who::Player(player)) }
    });
    let ask = pb::GetCardProofsRequest { table_id: args.table.to_string(), hand_number: args.hand, viewer };
    let mut client = Client::connect(addr).await.with_context(|| format!("address {addr}"))?;
    let told = client.dealer.get_card_proofs(ask).await?.into_inner();
    let head = Head { table: told.table_id, hand: told.hand_number, root: told.deck_root };
    say!("root {}", in_hex(&head.root));
    let mut proofs = Proofs::new();
    if let Some(hand) = &told.hand {
        let card =
            |card: &pb::ProvedCard| json!({ "position": card.position, "card": card.card, "salt": in_hex(&card.salt) });
        let cards: Vec<Value> = hand.cards.iter().map(card).collect();
        proofs
            .push(("hand.json".to_owned(), head.proof("hand", json!({ "cards": cards, "nodes": nodes(&hand.nodes) }))));
    }
    for card in told.cards.iter().filter(|card| !card.card.is_empty()) {
        let rest = json!({
            "position": card.position,
            "card": card.card,
            "salt": in_hex(&card.salt),
            "path": nodes(&card.path),
        });
        proofs.push((format!("card-{}.json", card.position), head.proof("card", rest)));
    }
    Ok(proofs)
}

/// The whole deck, opened for an audit.
async fn opened(args: &ProofArgs, addr: SocketAddr) -> anyhow::Result<Proofs> {
    // Looked at first: what is opened stands in the record for ever.
    let place = args.out.join("deck.json");
    anyhow::ensure!(!place.exists(), "file {}: it is there already, and is left alone", place.display());
    let name: [u8; 16] = World::system().random()?;
    let ask = pb::OpenDeckRequest {
        table_id: args.table.to_string(),
        hand_number: args.hand,
        auditor_id: args.auditor.clone().unwrap_or_default(),
        reason: args.reason.clone().unwrap_or_default(),
        request_id: format!("proof-{}", in_hex(&name)),
    };
    let mut client = Client::connect(addr).await.with_context(|| format!("address {addr}"))?;
    let told = client.audits.open_deck(ask).await?.into_inner();
    let head = Head { table: told.table_id, hand: told.hand_number, root: told.deck_root };
    say!("root {}", in_hex(&head.root));
    let mut rest = json!({ "order": told.order });
    if told.seed.is_empty() {
        rest["salts_key"] = json!(in_hex(&told.salts_key));
    } else {
        rest["seed"] = json!(in_hex(&told.seed));
        let prepared = told.prepared.unwrap_or_default();
        let nonce = |one: &pb::Nonce| json!({ "seat": one.seat, "nonce": in_hex(&one.nonce) });
        rest["nonces"] = json!(prepared.nonces.iter().map(nonce).collect::<Vec<_>>());
        if !prepared.seed_hash.is_empty() {
            rest["seed_hash"] = json!(in_hex(&prepared.seed_hash));
        }
    }
    Ok(vec![("deck.json".to_owned(), head.proof("deck", rest))])
}

fn nodes(nodes: &[Vec<u8>]) -> Vec<String> {
    nodes.iter().map(|node| in_hex(node)).collect()
}

fn write_new(path: &Path, proof: &Value) -> anyhow::Result<()> {
    let place = || format!("file {}", path.display());
    let mut file = OpenOptions::new().write(true).create_new(true).open(path).with_context(place)?;
    file.write_all(format!("{proof:#}\n").as_bytes()).with_context(place)
}
