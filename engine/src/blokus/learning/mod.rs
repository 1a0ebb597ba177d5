//! How Blokus learns: evaluation and policy for all its rule sets together, from games of the weights in use, which it
//! trains further. `tune blokus-games GAMES SIMULATIONS SEED FILE` plays them, and goes on where it was when it is called
//! again; `tune blokus FILE...` learns.

mod policy;
mod tree_play;

use super::Blokus;
use super::weights::{NETWORK, POLICY_WEIGHTS};
use crate::learning::network::{held_back, learn, mean_loss};
use crate::learning::{Learning, Refusal, positive, result_of, sample_of};
use crate::weights::file_of;
use tree_play::Seen;

/// The weight of the game's result; the rest is the score of the search.
const RESULT_WEIGHT: f32 = 0.75;

impl Learning for Blokus {
    fn tune(words: &[String]) -> Result<Vec<u8>, Refusal> {
        match words.first().map(String::as_str) {
            Some("blokus-games") => {
                let number = |i| positive(words, i);
                let (Some(games), Some(simulations), Some(seed), Some(path)) =
                    (number(1), number(2), number(3), words.get(4))
                else {
                    let usage = "usage: tune blokus-games GAMES SIMULATIONS SEED FILE, all numbers from 1 on";
                    return Err(Refusal::Usage(usage.into()));
                };
                let played = tree_play::play_games(games, simulations.into(), seed.into(), path);
                played.map(|()| Vec::new()).map_err(Refusal::Failure)
            }
            Some("blokus") if words.len() > 1 => learn_from(&words[1..]).map_err(Refusal::Failure),
            _ => {
                let usage = "usage: tune blokus FILE..., files of games that tune blokus-games has played";
                Err(Refusal::Usage(usage.into()))
            }
        }
    }
}

/// Trains evaluation and policy further on the games of some files.
fn learn_from(paths: &[String]) -> Result<Vec<u8>, String> {
    let (games, mut origins) = tree_play::read_games(paths)?;
    let (mut samples, mut choices) = (Vec::new(), Vec::new());
    let number = games.len();
    for game in games {
        let result = result_of(&game.end);
        let sample = |seen: &Seen| sample_of(&seen.position, result, seen.score, RESULT_WEIGHT);
        samples.extend(game.seen.iter().map(sample));
        choices.extend(game.choices);
    }
    eprintln!("{number} games, {} positions, {} of them with visits", samples.len(), choices.len());
    let (network, loss) = learn(&samples, Some(&NETWORK), 1);
    eprintln!("network: loss {loss:.4}, before {:.4}", mean_loss(&NETWORK, held_back(&samples).0));
    let (policy, report) = policy::learn(&POLICY_WEIGHTS, &choices, 1);
    eprintln!("policy: {report}");
    origins.push(format!("tune blokus {}", paths.join(" ")));
    Ok(file_of(&network, &*policy, &origins.join("` and `")))
}
