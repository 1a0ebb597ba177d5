//! The rules against games and perft figures of the reference servers.
//!
//! Some of them lie in `tests/data`. With `SPIELLEITER_GOLDEN` set to a folder of unpacked recordings
//! (`GAME.jsonl`, `perft/GAME.json`), all of those are checked as well.

use serde_json::Value;
use sha1::{Digest, Sha1};
use spielleiter_engine::blokus::{self, Blokus};
use spielleiter_engine::game::{Move, Position, Team, Verdict};
use spielleiter_engine::ostseeschach::{Ostseeschach, Piece};
use spielleiter_engine::perft::perft;
use spielleiter_engine::piranhas::{self, Piranhas, spread};
use std::path::{Path, PathBuf};

/// How the recordings write a game.
trait Recorded: Position {
    fn start(record: &Value, official: bool) -> Self;
    fn canonical(&self, m: Move) -> String {
        self.format_recorded(m)
    }
    fn format_recorded(&self, m: Move) -> String;
    /// Finds the recorded move among the legal ones (and passing).
    fn find(&self, text: &str) -> Move {
        let mut moves = Vec::new();
        self.moves(&mut moves);
        *moves.iter().find(|&&m| self.format_recorded(m) == text).unwrap_or_else(|| panic!("{text} is not legal"))
    }
}

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
    fn format_recorded(&self, m: Move) -> String {
        const NAMES: [[&str; 3]; 3] =
            [["DOWN_LEFT", "DOWN", "DOWN_RIGHT"], ["LEFT", "", "RIGHT"], ["UP_LEFT", "UP", "UP_RIGHT"]];
        let (from, to) = Piranhas::squares_of(m);
        let side = |from: usize, to: usize| 1 + usize::from(to > from) - usize::from(to < from);
        let ((x, y), (to_x, to_y)) = ((from % 11, from / 11), (to % 11, to / 11));
        format!("{x},{y},{}", NAMES[side(y, to_y)][side(x, to_x)])
    }
}

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
    fn format_recorded(&self, m: Move) -> String {
        let (from, to) = Ostseeschach::squares_of(m);
        format!("{},{}>{},{}", from / 8, from % 8, to / 8, to % 8)
    }
}

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
    fn format_recorded(&self, _: Move) -> String {
        unreachable!()
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

fn fingerprint<P: Recorded>(position: &P) -> (u64, String) {
    let mut moves = Vec::new();
    position.moves(&mut moves);
    let mut texts: Vec<String> = moves.iter().map(|&m| position.canonical(m)).collect();
    texts.sort();
    let digest = Sha1::digest(texts.join("\n"));
    (moves.len() as u64, digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect())
}

fn check_game<P: Recorded>(record: &Value) {
    let mut position = P::start(record, true);
    let plies = record["moves"].as_array().unwrap();
    for (ply, text) in plies.iter().enumerate() {
        let (count, hash) = fingerprint(&position);
        assert_eq!(
            (count, hash.as_str()),
            (record["legal"][ply][0].as_u64().unwrap(), record["legal"][ply][1].as_str().unwrap()),
            "ply {ply}"
        );
        assert_eq!(count, position.count_moves());
        assert!(position.outcome().is_none(), "over at ply {ply}");
        if let Some(turns) = record["turns"].as_array() {
            assert_eq!(u64::from(position.turn()), turns[ply].as_u64().unwrap(), "turn at ply {ply}");
        }
        position = position.play(position.find(text.as_str().unwrap()));
    }
    check_end(&position, record);
}

fn check_end<P: Recorded>(position: &P, record: &Value) {
    let end = &record["end"];
    let outcome = position.outcome();
    assert_eq!(u64::from(position.turn()), end["turn"].as_u64().unwrap());
    if end["over"] == false || end["noMoves"] == true {
        assert_eq!(position.count_moves(), 0);
        assert_eq!(outcome.unwrap().verdict, position.verdict_without_move());
        return;
    }
    let winner = match outcome.expect("the game is over").verdict {
        Verdict::Win(Team::One) => Some("ONE"),
        Verdict::Win(Team::Two) => Some("TWO"),
        Verdict::Draw => None,
    };
    if end["reference_crashed"] != true {
        assert_eq!(winner, end["winner"].as_str());
    }
    for (team, name) in [(Team::One, "ONE"), (Team::Two, "TWO")] {
        if let Some(parts) = end["scores"][name].as_array() {
            let parts: Vec<i64> = parts.iter().map(|part| part.as_i64().unwrap()).collect();
            let points: Vec<i64> = position.points(team).into_iter().map(i64::from).collect();
            if end["reference_crashed"] == true {
                assert_eq!(points[1..], parts[1..]);
            } else {
                assert_eq!(points, parts, "points of {name}");
            }
        }
    }
}

fn check_perft<P: Recorded>(record: &Value, deepest: u64) -> u64 {
    let mut leaves = 0;
    for official in [false, true] {
        let mut position = P::start(record, official);
        for text in record["moves"].as_array().unwrap_or(&Vec::new()) {
            position = position.play(position.find(text.as_str().unwrap()));
        }
        for (i, expected) in record["perft"].as_array().unwrap().iter().enumerate() {
            let expected = expected.as_u64().unwrap();
            if expected <= deepest {
                assert_eq!(
                    perft(&position, i as u32 + 1, &|| false),
                    Some(expected),
                    "official {official}, depth {}",
                    i + 1
                );
                leaves += expected;
            }
        }
    }
    leaves
}

fn folders() -> Vec<PathBuf> {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data")];
    folders.extend(std::env::var_os("SPIELLEITER_GOLDEN").map(PathBuf::from));
    folders
}

fn check_all<P: Recorded>(game: &str) {
    for folder in folders() {
        let games = std::fs::read_to_string(folder.join(format!("{game}.jsonl"))).unwrap();
        let mut plies = 0;
        for (number, line) in games.lines().enumerate() {
            let record: Value = serde_json::from_str(line).unwrap();
            plies += record["moves"].as_array().unwrap().len();
            if let Err(panic) = std::panic::catch_unwind(|| check_game::<P>(&record)) {
                eprintln!("{game}: game {number} of {}", folder.display());
                std::panic::resume_unwind(panic);
            }
        }
        let text = std::fs::read_to_string(folder.join(format!("perft/{game}.json"))).unwrap();
        let mut leaves = 0;
        let deepest = if cfg!(debug_assertions) { 300_000 } else { u64::MAX };
        for mut record in serde_json::from_str::<Vec<Value>>(&text).unwrap() {
            record["game"] = game.into();
            leaves += check_perft::<P>(&record, deepest);
        }
        println!("{game}: {} games, {plies} plies, {leaves} perft leaves", games.lines().count());
    }
}

#[test]
fn piranhas_2019_is_refereed_as_recorded() {
    check_all::<Piranhas>("piranhas-2019");
}

#[test]
fn piranhas_2026_is_refereed_as_recorded() {
    check_all::<Piranhas>("piranhas-2026");
}

#[test]
fn ostseeschach_2022_is_refereed_as_recorded() {
    check_all::<Ostseeschach>("ostseeschach-2022");
}

#[test]
fn blokus_2021_is_refereed_as_recorded() {
    check_all::<Blokus>("blokus-2021");
}

#[test]
fn blokus_2027_is_refereed_as_recorded() {
    check_all::<Blokus>("blokus-2027");
}
