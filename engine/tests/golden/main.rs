//! The rules against games and perft figures of the reference servers.
//!
//! Some of them lie in `tests/data`. With `SPIELLEITER_GOLDEN` set to a folder of unpacked recordings
//! (`GAME.jsonl`, `perft/GAME.json`), all of those are checked as well. How a game is written there says the module with
//! the name of its folder.

use serde_json::Value;
use sha1::{Digest, Sha1};
use spielleiter_engine::game::{Move, Position, Team, Verdict};
use spielleiter_engine::perft::perft;
use spielleiter_engine::{for_each_game, games};
use std::path::{Path, PathBuf};

macro_rules! declare_modules {
    ([$($folder:ident::$Game:ident,)+]) => {
        $(mod $folder;)+
    };
}
games!([declare_modules]);

/// How the recordings write a game.
trait Recorded: Position {
    fn start(record: &Value, official: bool) -> Self;
    /// A move as the lists of legal moves write it.
    fn canonical(&self, m: Move) -> String;
    /// Finds the recorded move among the legal ones (and passing).
    fn find(&self, text: &str) -> Move {
        let mut moves = Vec::new();
        self.moves(&mut moves);
        *moves.iter().find(|&&m| self.canonical(m) == text).unwrap_or_else(|| panic!("{text} is not legal"))
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
    if end["reason"] == "STANDSTILL" {
        // Neither side can move: the server asks on for ever, we skip on to the last turn.
        assert!(outcome.is_some());
        return;
    }
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

/// The names of the games that are recorded in a folder.
fn recorded_games(folder: &Path) -> impl Iterator<Item = String> {
    let files = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap());
    files.filter_map(|name| name.strip_suffix(".jsonl").map(str::to_string))
}

fn check_all<P: Recorded>(folder: &Path, game: &str) {
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

#[test]
fn every_game_is_refereed_as_recorded() {
    for folder in folders() {
        for_each_game!(Game, family => {
            let names: Vec<String> =
                recorded_games(&folder).filter(|name| name.starts_with(&format!("{family}-"))).collect();
            assert!(!names.is_empty(), "{family} is not recorded in {}", folder.display());
            names.iter().for_each(|name| check_all::<Game>(&folder, name));
        });
    }
}
