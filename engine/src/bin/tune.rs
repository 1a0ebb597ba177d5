//! Learns the weights of a game: `tune RULE-SET GAMES NODES ROUNDS SEED > weights.bin`. The name of a game instead of a
//! rule set stands for all of its rule sets.

use spielleiter_engine::any::rule_sets;
use spielleiter_engine::for_each_game;
use spielleiter_engine::game::Position;
use spielleiter_engine::learning::{self, Refusal};
use std::io::Write;

fn tune(words: &[String]) -> Result<Vec<u8>, Refusal> {
    let name = words.first().map_or("", String::as_str);
    let mut games = Vec::new();
    for_each_game!(Game, family => {
        let rules = Game::rule_set(name);
        if rules.is_some() || name == family {
            return learning::tune::<Game>(rules, words);
        }
        games.push(family.to_string());
    });
    let (rule_sets, games) = (rule_sets().join(", "), games.join(", "));
    Err(Refusal::Usage(format!("there is no {name}: give one of {rule_sets}; or for all rule sets of a game {games}")))
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let written = tune(&words)
        .and_then(|file| std::io::stdout().write_all(&file).map_err(|error| Refusal::Failure(error.to_string())));
    if let Err(refusal) = written {
        let (text, status) = match refusal {
            Refusal::Usage(text) => (text, 2),
            Refusal::Failure(text) => (text, 1),
        };
        eprintln!("{text}");
        std::process::exit(status);
    }
}
