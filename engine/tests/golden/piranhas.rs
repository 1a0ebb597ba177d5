use crate::Recorded;
use serde_json::Value;
use spielleiter_engine::game::{Move, Team};
use spielleiter_engine::piranhas::{self, Piranhas, spread};

impl Recorded for Piranhas {
    fn start(record: &Value, official: bool) -> Self {
        let (mut fish, mut medium, mut large, mut krakens) = ([0_u128; 2], 0, 0, 0);
        for (y, row) in record["start"]["board"].as_array().unwrap().iter().enumerate() {
            for (x, field) in row.as_array().unwrap().iter().enumerate() {
                let bit = 1_u128 << (10 * y + x);
                let name = field.as_str().unwrap();
                match name {
                    "EMPTY" => {}
                    "OBSTRUCTED" | "SQUID" => krakens |= bit,
                    _ => fish[usize::from(name.starts_with("TWO") || name == "BLUE")] |= bit,
                }
                medium |= if name.ends_with("_M") { bit } else { 0 };
                large |= if name.ends_with("_L") { bit } else { 0 };
            }
        }
        let weighted = !record["start"]["board"].to_string().contains("RED");
        let turn = record["turn"].as_u64().or(record["startTurn"].as_u64()).unwrap_or(0);
        let first_union = match record["firstUnion"].as_str() {
            Some("ONE") => Some(Team::One),
            Some(_) => Some(Team::Two),
            None => None,
        };
        Piranhas::new(&piranhas::Setup {
            rules: 2 * u8::from(weighted) + u8::from(official),
            turn: turn as u8,
            fish: fish.map(spread),
            medium: spread(medium),
            large: spread(large),
            krakens: spread(krakens),
            first_union,
        })
    }
    fn canonical(&self, m: Move) -> String {
        const NAMES: [[&str; 3]; 3] =
            [["DOWN_LEFT", "DOWN", "DOWN_RIGHT"], ["LEFT", "", "RIGHT"], ["UP_LEFT", "UP", "UP_RIGHT"]];
        let (from, to) = Piranhas::squares_of(m);
        let side = |from: usize, to: usize| 1 + usize::from(to > from) - usize::from(to < from);
        let ((x, y), (to_x, to_y)) = ((from % 11, from / 11), (to % 11, to / 11));
        format!("{x},{y},{}", NAMES[side(y, to_y)][side(x, to_x)])
    }
}
