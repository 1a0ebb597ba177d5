//! Learns the evaluation of a game: `tune RULE-SET GAMES NODES ROUNDS SEED > weights.bin`. What else a game can learn, its
//! folder says.

use spielleiter_engine::any::rule_sets;
use spielleiter_engine::for_each_game;
use spielleiter_engine::learning::{Learning, Refusal};
use std::io::Write;

fn tune(words: &[String]) -> Result<Vec<u8>, Refusal> {
    let name = words.first().map_or("", String::as_str);
    for_each_game!(Game, family => {
        if name == family || name.strip_prefix(family).is_some_and(|rest| rest.starts_with('-')) {
            return Game::tune(words);
        }
    });
    Err(Refusal::Usage(format!("there is no {name}: give one of {}", rule_sets().join(", "))))
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match tune(&words) {
        Ok(file) => {
            if let Err(error) = std::io::stdout().write_all(&file) {
                eprintln!("{error}");
                std::process::exit(1);
            }
        }
        Err(refusal) => {
            let (text, status) = match refusal {
                Refusal::Usage(text) => (text, 2),
                Refusal::Failure(text) => (text, 1),
            };
            eprintln!("{text}");
            std::process::exit(status);
        }
    }
}
