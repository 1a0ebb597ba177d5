use crate::Recorded;
use serde_json::Value;
use spielleiter_engine::blokus::{self, Blokus};
use spielleiter_engine::game::{Move, Position};

impl Recorded for Blokus {
    fn start(record: &Value, official: bool) -> Self {
        let border = record["game"].as_str().unwrap().contains("2027");
        let shape = blokus::shapes::NAMES.iter().position(|name| record["start"]["startPiece"] == *name).unwrap();
        Blokus::start(2 * u8::from(border) + u8::from(official), shape as u8)
    }
    fn canonical(&self, m: Move) -> String {
        let (orientation, _, _) = blokus::placement(m);
        let shape = blokus::shapes::ORIENTATION[orientation].shape as usize;
        let mut text = format!("{} {}", blokus::COLORS[self.color()], blokus::shapes::NAMES[shape]);
        blokus::for_each_square(m, |square| text += &format!(" {},{}", square % 20, square / 20));
        text
    }
    fn find(&self, text: &str) -> Move {
        let words: Vec<&str> = text.split(' ').collect();
        assert_eq!(words[0], blokus::COLORS[self.color()]);
        if words[1] == "SKIP" {
            return blokus::PASS;
        }
        let shape = blokus::shapes::NAMES.iter().position(|name| *name == words[1]).unwrap();
        let turns = ["NONE", "RIGHT", "MIRROR", "LEFT"].iter().position(|name| *name == words[2]).unwrap();
        let (x, y) = words[4].split_once(',').unwrap();
        let (x, y): (usize, usize) = (x.parse().unwrap(), y.parse().unwrap());
        let orientation = blokus::shapes::find(shape, turns as u8, words[3] == "true");
        let m = Move((orientation * 400 + 20 * y + x) as u16);
        let mut moves = Vec::new();
        self.moves(&mut moves);
        assert!(moves.contains(&m), "{text} is not legal");
        m
    }
}
