//! A search for secrets in files, however they may be written down.

use std::collections::HashMap;
use std::path::Path;

use razz_dealer::engine::Card;

use super::compare::Run;
use super::worlds::Worlds;

/// How many cards in a row are a find; of these at least `HIDDEN` must be hidden ones.
const ROW: usize = 8;
const HIDDEN: usize = 6;

/// What must be nowhere, by the first eight bytes.
pub struct Secrets {
    starts: HashMap<u64, Vec<(Vec<u8>, String)>>,
    filter: Vec<bool>,
}

impl Secrets {
    pub fn of(worlds: &Worlds, runs: &[Run]) -> Secrets {
        let mut secrets = Secrets { starts: HashMap::new(), filter: vec![false; 1 << 16] };
        for (number, (decks, hidden)) in worlds.each().enumerate() {
            for deck in decks {
                for start in 0..=Card::COUNT - ROW {
                    let place = start..start + ROW;
                    let hidden = hidden.iter().filter(|position| place.contains(&usize::from(**position))).count();
                    if hidden >= HIDDEN {
                        secrets.add_cards(&deck.order()[place], number + 1);
                    }
                }
            }
        }
        for (name, key) in runs.iter().flat_map(|run| &run.secrets) {
            secrets.add(key[..16].to_vec(), name);
            secrets.add(hex(&key[..16]).into_bytes(), name);
            secrets.add(hex(&key[..16]).to_uppercase().into_bytes(), name);
        }
        secrets
    }

    fn add_cards(&mut self, cards: &[Card], hand: usize) {
        let name = format!("the deck of hand {hand}");
        let raw: Vec<u8> = cards.iter().map(|card| card.index()).collect();
        let texts: Vec<String> = cards.iter().map(Card::to_string).collect();
        let numbers: Vec<String> = raw.iter().map(u8::to_string).collect();
        self.add(hex(&raw).into_bytes(), &name);
        self.add(hex(&raw).to_uppercase().into_bytes(), &name);
        for between in ["", " ", ", ", ",", "\", \"", "\",\""] {
            self.add(texts.join(between).into_bytes(), &name);
            if !between.is_empty() {
                self.add(numbers.join(between).into_bytes(), &name);
            }
        }
        self.add(raw, &name);
    }

    fn add(&mut self, secret: Vec<u8>, name: &str) {
        let start = u64::from_le_bytes(secret[..8].try_into().expect("eight bytes"));
        self.filter[usize::from(short(start))] = true;
        self.starts.entry(start).or_default().push((secret, name.to_owned()));
    }

    /// What is found in a file, or in all files of a folder.
    pub fn search(&self, place: &Path) -> Vec<String> {
        if place.is_dir() {
            let inside = std::fs::read_dir(place).expect("lists").map(|entry| entry.expect("a file").path());
            return inside.flat_map(|path| self.search(&path)).collect();
        }
        // A server may take a file away at any time.
        let Ok(data) = std::fs::read(place) else { return Vec::new() };
        let name = place.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        self.find(&data).into_iter().map(|secret| format!("file {name}: {secret}")).collect()
    }

    fn find(&self, data: &[u8]) -> Vec<String> {
        let mut found = Vec::new();
        for (at, window) in data.windows(8).enumerate() {
            let start = u64::from_le_bytes(window.try_into().expect("eight bytes"));
            if !self.filter[usize::from(short(start))] {
                continue;
            }
            let here = self.starts.get(&start).into_iter().flatten();
            found.extend(here.filter(|(secret, _)| data[at..].starts_with(secret)).map(|(_, name)| name.clone()));
        }
        found.dedup();
        found
    }
}

fn short(start: u64) -> u16 {
    u16::try_from((start.wrapping_mul(0x9e37_79b9_7f4a_7c15)) >> 48).expect("sixteen bits")
}

pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().concat()
}
