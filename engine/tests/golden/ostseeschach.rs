use crate::Recorded;
use serde_json::Value;
use spielleiter_engine::game::{Move, Team};
use spielleiter_engine::ostseeschach::{Ostseeschach, Piece};

impl Recorded for Ostseeschach {
    fn start(record: &Value, official: bool) -> Self {
        let pieces = if record["pieces"].is_array() { &record["pieces"] } else { &record["start"]["pieces"] };
        let placed: Vec<Piece> = pieces
            .as_array()
            .unwrap()
            .iter()
            .map(|piece| Piece {
                x: piece["x"].as_u64().unwrap() as usize,
                y: piece["y"].as_u64().unwrap() as usize,
                kind: ["Herzmuschel", "Moewe", "Seestern", "Robbe"].iter().position(|k| piece["type"] == *k).unwrap(),
                team: if piece["team"] == "ONE" { Team::One } else { Team::Two },
                tall: piece["count"] == 2,
            })
            .collect();
        let turn = record["turn"].as_u64().unwrap_or(0) as u8;
        Ostseeschach::new(u8::from(official), turn, [0, 0], &placed)
    }
    fn canonical(&self, m: Move) -> String {
        let (from, to) = Ostseeschach::squares_of(m);
        format!("{},{}>{},{}", from / 8, from % 8, to / 8, to % 8)
    }
}
