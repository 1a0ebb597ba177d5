use crate::Recorded;
use serde_json::Value;
use spielleiter_engine::game::{Move, Position};
use spielleiter_engine::hase_und_igel::{Hare, HaseUndIgel, Last, Track};

const CARDS: [&str; 4] = ["EAT_SALAD", "SWAP_CARROTS", "FALL_BACK", "HURRY_AHEAD"];

impl Recorded for HaseUndIgel {
    fn start(record: &Value, official: bool) -> Self {
        let start = &record["start"];
        let mut track = Track::default();
        for (field, name) in start["track"].as_array().unwrap().iter().enumerate() {
            let letter = match name.as_str().unwrap() {
                "START" | "GOAL" => continue,
                "HEDGEHOG" => b'I',
                "POSITION_1" => b'1',
                "POSITION_2" => b'2',
                name => name.as_bytes()[0],
            };
            assert!(track.set(field as u8, letter), "{name}");
        }
        let hares = [0, 1].map(|team| {
            let hare = &start["hares"][team];
            let number = |name: &str| hare[name].as_u64().unwrap();
            let mut cards = [0; 4];
            for card in hare["cards"].as_array().unwrap() {
                cards[CARDS.iter().position(|name| card == *name).unwrap()] += 1;
            }
            let last = match hare["lastAction"].as_str() {
                Some("EAT_SALAD") => Last::Ate,
                Some("CARD SWAP_CARROTS") => Last::Swapped,
                _ => Last::Other,
            };
            let (position, salads) = (number("position") as u8, number("salads") as u8);
            Hare { position, carrots: number("carrots") as u16, salads, cards, last }
        });
        let turn = start["turn"].as_u64().unwrap_or(0) as u8;
        HaseUndIgel::new(official.into(), track, turn, hares)
    }
    fn canonical(&self, m: Move) -> String {
        let text = self.format_move(m);
        let words: Vec<&str> = text.split(' ').collect();
        match words[0] {
            "salad" => "EAT_SALAD".into(),
            "back" => "FALL_BACK".into(),
            "carrots" => format!("EXCHANGE {}", words[1].trim_start_matches('+')),
            distance => {
                let letters = words.get(1).copied().unwrap_or("").chars();
                let cards = letters.map(|letter| format!(" {}", CARDS["ESFH".find(letter).unwrap()]));
                format!("ADVANCE {}{}", distance.trim_start_matches('+'), cards.collect::<String>())
            }
        }
    }
}
