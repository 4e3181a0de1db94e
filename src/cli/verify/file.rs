//! Reads a proof file, as `tests/clients/proof-spec.md` lays it down: nothing may be missing, and nothing more may be
//! there, as what is not checked must not look as if it were.

use serde_json::{Map, Value};
use uuid::Uuid;

use crate::engine::Card;
use crate::shuffle::{
    CardProof, HandId, Multiproof, Node, Nonces, OpenedDeck, OpenedFrom, PATH_NODES, ProofError, Revealed, Root,
    SaltsKey, Seed, SeedHash,
};

pub(in crate::cli) const FORMAT: &str = "razz.proof.v1";

/// A text that is no proof file.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("it is no proof file: {0}")]
pub struct Unreadable(String);

/// What a proof file holds.
pub(super) struct ProofFile {
    pub(super) of: HandId,
    pub(super) root: Root,
    pub(super) proof: Proof,
}

pub(super) enum Proof {
    Card(CardProof),
    Hand(Multiproof),
    Deck(OpenedDeck),
}

/// What is wrong while reading: the text, or the proof that it spells.
enum Wrong {
    Unreadable(Unreadable),
    Proof(ProofError),
}

impl From<ProofError> for Wrong {
    fn from(error: ProofError) -> Wrong {
        Wrong::Proof(error)
    }
}

fn expected(what: &str) -> Wrong {
    Wrong::Unreadable(Unreadable(format!("expected {what}")))
}

/// Reads a proof file. A proof whose shape alone refuses it is an inner error.
pub(super) fn read(text: &str) -> Result<Result<ProofFile, ProofError>, Unreadable> {
    match read_file(text) {
        Ok(file) => Ok(Ok(file)),
        Err(Wrong::Proof(error)) => Ok(Err(error)),
        Err(Wrong::Unreadable(error)) => Err(error),
    }
}

fn read_file(text: &str) -> Result<ProofFile, Wrong> {
    let value: Value = serde_json::from_str(text).map_err(|error| Wrong::Unreadable(Unreadable(error.to_string())))?;
    let mut fields = Fields::of(value, "an object")?;
    if fields.text("format")? != FORMAT {
        return Err(expected(&format!("\"format\": \"{FORMAT}\"")));
    }
    let kind = fields.text("kind")?;
    let of =
        HandId { table: fields.table("table_id")?, hand: fields.number("hand_number", 1, i64::MAX.unsigned_abs())? };
    let root = Root(fields.hex("root")?);
    // Whether it can be read comes before whether it holds, so the rest is read before it is judged.
    let proof = match kind.as_str() {
        "card" => card(fields)?,
        "hand" => hand(fields)?,
        "deck" => deck(fields)?,
        _ => return Err(expected("\"kind\": \"card\", \"hand\" or \"deck\"")),
    };
    Ok(ProofFile { of, root, proof })
}

fn card(mut fields: Fields) -> Result<Proof, Wrong> {
    let (revealed, path) = (fields.revealed()?, fields.nodes("path")?);
    fields.end()?;
    let path = <[Node; PATH_NODES]>::try_from(path).map_err(|path| ProofError::PathLength { found: path.len() })?;
    Ok(Proof::Card(CardProof { revealed, path }))
}

fn hand(mut fields: Fields) -> Result<Proof, Wrong> {
    let mut cards = Vec::new();
    for value in fields.list("cards")? {
        let mut inner = Fields::of(value, "each of \"cards\" to be an object")?;
        cards.push(inner.revealed()?);
        inner.end()?;
    }
    let nodes = fields.nodes("nodes")?;
    fields.end()?;
    Ok(Proof::Hand(Multiproof { cards, nodes }))
}

fn deck(mut fields: Fields) -> Result<Proof, Wrong> {
    let order: Result<Vec<Card>, Wrong> = fields.list("order")?.iter().map(a_card).collect();
    let order = order?;
    if fields.has("salts_key") {
        let from = OpenedFrom::Script { salts: SaltsKey::new(fields.hex("salts_key")?) };
        fields.end()?;
        return Ok(Proof::Deck(OpenedDeck { order, from }));
    }
    let seed = Seed::new(fields.hex("seed")?);
    let seed_hash = if fields.has("seed_hash") { Some(SeedHash(fields.hex("seed_hash")?)) } else { None };
    let mut nonces = Vec::new();
    for value in fields.list("nonces")? {
        let mut inner = Fields::of(value, "each of \"nonces\" to be an object")?;
        nonces.push((inner.byte("seat")?, some_bytes(&inner.text("nonce")?).ok_or_else(|| expected_hex("nonce"))?));
        inner.end()?;
    }
    fields.end()?;
    let from = OpenedFrom::Seed { seed, nonces: Nonces::new(nonces)?, seed_hash };
    Ok(Proof::Deck(OpenedDeck { order, from }))
}

fn a_card(value: &Value) -> Result<Card, Wrong> {
    value.as_str().and_then(|text| text.parse().ok()).ok_or_else(|| expected("a card, such as \"Td\""))
}

fn expected_hex(name: &str) -> Wrong {
    expected(&format!("\"{name}\" in lower-case hexadecimal digits, two for each byte"))
}

/// The bytes of lower-case hexadecimal digits.
fn some_bytes(text: &str) -> Option<Vec<u8>> {
    let digit = |letter: &u8| match letter {
        b'0'..=b'9' => Some(letter - b'0'),
        b'a'..=b'f' => Some(letter - b'a' + 10),
        _ => None,
    };
    let (pairs, rest) = text.as_bytes().as_chunks::<2>();
    let bytes = pairs.iter().map(|[high, low]| Some(digit(high)? * 16 + digit(low)?)).collect();
    if rest.is_empty() { bytes } else { None }
}

/// As many bytes as are expected.
pub(super) fn bytes<const N: usize>(text: &str) -> Option<[u8; N]> {
    some_bytes(text)?.try_into().ok()
}

/// An object whose fields are taken one by one, until none is left.
struct Fields(Map<String, Value>);

impl Fields {
    fn of(value: Value, what: &str) -> Result<Fields, Wrong> {
        match value {
            Value::Object(fields) => Ok(Fields(fields)),
            _ => Err(expected(what)),
        }
    }

    fn end(self) -> Result<(), Wrong> {
        match self.0.keys().next() {
            Some(name) => Err(expected(&format!("no field \"{name}\" here"))),
            None => Ok(()),
        }
    }

    fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    fn take(&mut self, name: &str) -> Result<Value, Wrong> {
        self.0.remove(name).ok_or_else(|| expected(&format!("a field \"{name}\"")))
    }

    fn text(&mut self, name: &str) -> Result<String, Wrong> {
        match self.take(name)? {
            Value::String(text) => Ok(text),
            _ => Err(expected(&format!("\"{name}\" to be a string"))),
        }
    }

    fn list(&mut self, name: &str) -> Result<Vec<Value>, Wrong> {
        match self.take(name)? {
            Value::Array(list) => Ok(list),
            _ => Err(expected(&format!("\"{name}\" to be a list"))),
        }
    }

    fn number(&mut self, name: &str, least: u64, most: u64) -> Result<u64, Wrong> {
        let number = self.take(name)?.as_u64().filter(|number| (least..=most).contains(number));
        number.ok_or_else(|| expected(&format!("\"{name}\" to be a whole number from {least} to {most}")))
    }

    fn byte(&mut self, name: &str) -> Result<u8, Wrong> {
        let number = self.number(name, 0, u8::MAX.into())?;
        u8::try_from(number).map_err(|_| expected("a number that fits a byte"))
    }

    fn hex<const N: usize>(&mut self, name: &str) -> Result<[u8; N], Wrong> {
        let text = self.text(name)?;
        bytes(&text).ok_or_else(|| expected(&format!("\"{name}\" to be {} lower-case hexadecimal digits", 2 * N)))
    }

    /// Only as the service itself writes it: lower-case, with dashes.
    fn table(&mut self, name: &str) -> Result<[u8; 16], Wrong> {
        let text = self.text(name)?;
        let id = Uuid::try_parse(&text).ok().filter(|id| id.to_string() == text);
        Ok(id.ok_or_else(|| expected(&format!("\"{name}\" to be a table's id, a UUID")))?.into_bytes())
    }

    fn nodes(&mut self, name: &str) -> Result<Vec<Node>, Wrong> {
        let node = |value: &Value| value.as_str().and_then(bytes);
        let nodes: Option<Vec<Node>> = self.list(name)?.iter().map(node).collect();
        nodes.ok_or_else(|| expected(&format!("each of \"{name}\" to be 64 lower-case hexadecimal digits")))
    }

    fn revealed(&mut self) -> Result<Revealed, Wrong> {
        let (position, card) = (self.byte("position")?, a_card(&self.take("card")?)?);
        Ok(Revealed { position, card, salt: self.hex("salt")? })
    }
}
