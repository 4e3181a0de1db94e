//! Changes one thing in a proof file, anywhere but in its format and kind.

use chacha20::ChaCha20Rng;
use chacha20::rand_core::Rng;
use razz_dealer::engine::Card;
use serde_json::Value;

/// A number below `choices`, near enough to uniform.
pub fn below(rng: &mut ChaCha20Rng, choices: usize) -> usize {
    usize::try_from(rng.next_u32()).expect("fits") % choices
}

/// Changes one text, number or list of a proof, and says which.
pub fn tamper(rng: &mut ChaCha20Rng, proof: &mut Value) -> String {
    let mut places = Vec::new();
    collect(proof, "", &mut places);
    places.retain(|place| !["/format", "/kind"].contains(&place.as_str()));
    let place = places[below(rng, places.len())].clone();
    let value = proof.pointer_mut(&place).expect("it is there");
    let before = value.clone();
    while *value == before {
        match value {
            Value::String(text) => *text = other_text(rng, text),
            Value::Number(number) => *value = (number.as_u64().expect("whole") ^ (1 << below(rng, 3))).into(),
            Value::Array(list) => other_list(rng, list),
            other => panic!("{other} is in no proof"),
        }
    }
    place
}

/// Where there is something to change: every text and number, and every list with something in it.
fn collect(value: &Value, place: &str, places: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            fields.iter().for_each(|(name, inner)| collect(inner, &format!("{place}/{name}"), places));
        }
        Value::Array(list) if !list.is_empty() => {
            places.push(place.to_owned());
            list.iter().enumerate().for_each(|(index, inner)| collect(inner, &format!("{place}/{index}"), places));
        }
        Value::Array(_) => {}
        _ => places.push(place.to_owned()),
    }
}

fn other_text(rng: &mut ChaCha20Rng, text: &str) -> String {
    if text.parse::<Card>().is_ok() {
        let index = u8::try_from(below(rng, Card::COUNT)).expect("small");
        return Card::from_index(index).expect("a card").to_string();
    }
    let at = below(rng, text.len());
    let other = char::from(b"0123456789abcdef"[below(rng, 16)]);
    let change = |(index, old)| if index == at && old != '-' { other } else { old };
    text.chars().enumerate().map(change).collect()
}

fn other_list(rng: &mut ChaCha20Rng, list: &mut Vec<Value>) {
    let (one, two) = (below(rng, list.len()), below(rng, list.len()));
    match below(rng, 3) {
        0 => drop(list.remove(one)),
        1 => list.insert(one, list[two].clone()),
        _ => list.swap(one, two),
    }
}
