use crate::Recorded;
use serde_json::Value;
use spielleiter_engine::game::Move;
use spielleiter_engine::pinguine::{Pinguine, Setup};

impl Recorded for Pinguine {
    fn start(record: &Value, official: bool) -> Self {
        let mut floes = [0; 4];
        let rows = record["start"]["board"].as_array().unwrap().iter();
        for (field, fish) in rows.flat_map(|row| row.as_array().unwrap()).enumerate() {
            let fish = fish.as_u64().unwrap() as usize;
            if fish > 0 {
                floes[fish - 1] |= 1 << field;
            }
        }
        Pinguine::new(&Setup { rules: official.into(), turn: 0, penguins: [0; 2], floes, fish: [0; 2] })
    }
    fn canonical(&self, m: Move) -> String {
        let (from, to) = Pinguine::fields_of(m);
        let name = |field: usize| format!("{},{}", 2 * (field % 8) + field / 8 % 2, field / 8);
        if from == to { name(to) } else { format!("{}>{}", name(from), name(to)) }
    }
}
