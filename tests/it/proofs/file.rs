//! Writes proof files, as `tests/clients/proof-spec.md` lays them down.

use razz_dealer::engine::{Deck, Seat};
use razz_dealer::shuffle::{
    CardProof, Commitment, HandId, Multiproof, Nonces, Revealed, SaltsKey, Seed, SeedHash, order_with_nonces,
};
use serde_json::{Value, json};
use uuid::Uuid;

pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().concat()
}

pub fn bytes(text: &str) -> Vec<u8> {
    let digits: Vec<u32> = text.chars().map(|digit| digit.to_digit(16).expect("a digit")).collect();
    digits.chunks(2).map(|pair| u8::try_from(pair[0] * 16 + pair[1]).expect("a byte")).collect()
}

pub fn exactly<const N: usize>(text: &str) -> [u8; N] {
    bytes(text).try_into().expect("as many bytes")
}

/// A hand whose deck is bound.
pub struct Bound {
    pub of: HandId,
    pub deck: Deck,
    pub key: SaltsKey,
    pub from: Option<(Seed, Nonces)>,
    pub commitment: Commitment,
}

impl Bound {
    pub fn drawn(of: HandId, seed: Seed, nonces: Nonces) -> Bound {
        let (deck, key) = (order_with_nonces(&seed, &nonces), SaltsKey::of(&seed));
        let commitment = Commitment::new(of, &deck, &key);
        Bound { of, deck, key, from: Some((seed, nonces)), commitment }
    }

    pub fn scripted(of: HandId, deck: Deck, key: SaltsKey) -> Bound {
        let commitment = Commitment::new(of, &deck, &key);
        Bound { of, deck, key, from: None, commitment }
    }

    fn file(&self, kind: &str, rest: &Value) -> Value {
        let mut file = json!({
            "format": "razz.proof.v1",
            "kind": kind,
            "table_id": Uuid::from_bytes(self.of.table).to_string(),
            "hand_number": self.of.hand,
            "root": self.commitment.root().to_string(),
        });
        let fields = file.as_object_mut().expect("an object");
        fields.extend(rest.as_object().expect("an object").clone());
        file
    }

    pub fn card(&self, position: u8) -> Value {
        let CardProof { revealed, path } = self.commitment.card_proof(position).expect("a position");
        let mut rest = shown(&revealed);
        rest["path"] = path.iter().map(|node| hex(node)).collect();
        self.file("card", &rest)
    }

    pub fn hand(&self, positions: &[u8]) -> Value {
        let Multiproof { cards, nodes } = self.commitment.multiproof(positions).expect("positions");
        let cards: Value = cards.iter().map(shown).collect();
        let nodes: Value = nodes.iter().map(|node| hex(node)).collect();
        self.file("hand", &json!({ "cards": cards, "nodes": nodes }))
    }

    pub fn opened(&self) -> Value {
        let mut rest = json!({ "order": self.deck.order().map(|card| card.to_string()).to_vec() });
        if let Some((seed, nonces)) = &self.from {
            let nonce = |(seat, nonce): (Seat, &[u8])| json!({ "seat": seat.number(), "nonce": hex(nonce) });
            rest["seed"] = hex(seed.bytes()).into();
            rest["seed_hash"] = SeedHash::of(seed).to_string().into();
            rest["nonces"] = nonces.iter().map(nonce).collect();
        } else {
            rest["salts_key"] = hex(self.key.bytes()).into();
        }
        self.file("deck", &rest)
    }
}

fn shown(revealed: &Revealed) -> Value {
    json!({
        "position": revealed.position,
        "card": revealed.card.to_string(),
        "salt": hex(&revealed.salt),
    })
}
