//! Learns the evaluation of a game from nothing: `tune RULE-SET GAMES NODES ROUNDS SEED > weights.rs`.
//!
//! In each round the engine plays games against itself from random openings, with NODES nodes per move: GAMES in the last
//! round, half as many in the one before, and so on down to a sixteenth. Then a new network is trained on the positions of
//! the last rounds: on the results of the games, and after the first round also on the scores of the search. The first round
//! knows only the rules. The same arguments give the same network.
//!
//! Blokus learns evaluation and policy for all its rule sets together, from games of the weights in use, which it trains
//! further: `tune blokus-games GAMES SIMULATIONS SEED FILE` plays them, and goes on where it was when it is called again;
//! `tune blokus FILE... > weights.rs` learns.

mod adam;
mod learn;
mod play;
mod policy;
mod source;
mod tree_play;

use learn::{Sample, held_back, learn, mean_loss};
use play::{Game, Plan, self_play};
use spielleiter_engine::blokus::weights::{NETWORK, POLICY_WEIGHTS};
use spielleiter_engine::game::{Team, Verdict};
use spielleiter_engine::network::{Featured, Network};
use spielleiter_engine::ostseeschach::{self, Ostseeschach};
use spielleiter_engine::piranhas::{self, Piranhas};
use spielleiter_engine::random::Random;
use spielleiter_engine::search::{Searchable, win_probability};
use tree_play::Seen;

/// How many of the last rounds a network is trained on.
const TRAINING_ROUNDS: usize = 3;

/// How many rounds at the end have more games than the ones before: each twice as many, up to GAMES in the last round.
const GROWING_ROUNDS: u32 = 4;

/// The weight of the game's result in the target of a position; the rest is the score of the search.
const RESULT_WEIGHT: f32 = 0.5;

struct Task {
    plan: Plan,
    rounds: u32,
}

impl Task {
    /// Plays and learns, round by round. `apply` makes a thread use a network.
    fn run<P: Searchable + Featured, const I: usize, const H: usize>(
        &self,
        start: impl Fn(&mut Random) -> P + Sync,
        apply: impl Fn(&'static Network<I, H>) + Sync,
    ) -> &'static Network<I, H> {
        let mut network: &'static Network<I, H> = Box::leak(Box::new(Network::blank()));
        let mut rounds: Vec<Vec<Sample>> = Vec::new();
        for round in 0..self.rounds {
            let nodes = if round == 0 { self.plan.nodes / 2 } else { self.plan.nodes };
            // Games of players that know little have little to teach.
            let games = (self.plan.games >> (self.rounds - 1 - round).min(GROWING_ROUNDS)).max(1);
            let plan = Plan { games, nodes, seed: 100 * self.plan.seed + u64::from(round), ..self.plan };
            let games = self_play(&start, &plan, || apply(network));
            // Games that were played without any knowledge are not worth training on.
            if round == 1 || rounds.len() == TRAINING_ROUNDS {
                rounds.remove(0);
            }
            let result_weight = if round == 0 { 1.0 } else { RESULT_WEIGHT };
            rounds.push(games.iter().flat_map(|game| samples_of(game, result_weight)).collect());
            let samples = rounds.concat();
            let (learnt, loss) = learn::<I, H>(&samples, None, self.plan.seed);
            eprintln!("round {}: {} positions, loss {loss:.4}", round + 1, samples.len());
            network = Box::leak(learnt);
        }
        network
    }
}

/// What ONE has won: 1, a half or nothing.
fn result_of<P: Searchable>(end: &P) -> f32 {
    match end.full_verdict() {
        Some(Verdict::Win(Team::One)) => 1.0,
        Some(Verdict::Win(Team::Two)) => 0.0,
        _ => 0.5,
    }
}

/// A sample that learns the result for ONE with this weight, and for the rest the score of the search, if there is one.
fn sample_of<P: Searchable + Featured>(position: &P, result: f32, score: Option<i32>, weight: f32) -> Sample {
    let mut features = Vec::new();
    position.add_features(&mut features);
    let result = if position.to_move() == Team::One { result } else { 1.0 - result };
    let searched = score.map_or(result, |score| win_probability::<P>(score) as f32);
    Sample { features, chance: weight * result + (1.0 - weight) * searched }
}

fn samples_of<P: Searchable + Featured>(game: &Game<P>, weight: f32) -> Vec<Sample> {
    let result = result_of(&game.end);
    game.seen.iter().map(|(position, score)| sample_of(position, result, Some(*score), weight)).collect()
}

/// The weight of the game's result in Blokus.
const BLOKUS_RESULT_WEIGHT: f32 = 0.75;

/// Trains evaluation and policy of Blokus further on the games of some files.
fn tune_blokus(paths: &[String]) -> Result<String, String> {
    let (games, mut origins) = tree_play::read_games(paths)?;
    let (mut samples, mut choices) = (Vec::new(), Vec::new());
    let number = games.len();
    for game in games {
        let result = result_of(&game.end);
        let sample = |seen: &Seen| sample_of(&seen.position, result, seen.score, BLOKUS_RESULT_WEIGHT);
        samples.extend(game.seen.iter().map(sample));
        choices.extend(game.choices);
    }
    eprintln!("{number} games, {} positions, {} of them with visits", samples.len(), choices.len());
    let (network, loss) = learn(&samples, Some(&NETWORK), 1);
    eprintln!("network: loss {loss:.4}, before {:.4}", mean_loss(&NETWORK, held_back(&samples).0));
    let (policy, report) = policy::learn(&POLICY_WEIGHTS, &choices, 1);
    eprintln!("policy: {report}");
    origins.push(format!("tune blokus {}", paths.join(" ")));
    let origin = origins.join("` and `");
    let more = "use super::eval::Network;\nuse super::policy::Weights;\n\n";
    Ok(source::module(&network, &origin, more) + &source::policy(&policy))
}

fn exit_on_error(result: Result<(), String>) {
    if let Err(problem) = result {
        eprintln!("{problem}");
        std::process::exit(1);
    }
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let number = |i: usize| words.get(i).and_then(|word| word.parse::<u32>().ok()).filter(|&number| number > 0);
    let key = words.first().map_or("", String::as_str);
    if key == "blokus-games" {
        let (Some(games), Some(simulations), Some(seed), Some(path)) = (number(1), number(2), number(3), words.get(4))
        else {
            eprintln!("usage: tune blokus-games GAMES SIMULATIONS SEED FILE, all numbers from 1 on");
            std::process::exit(2);
        };
        return exit_on_error(tree_play::play_games(games, simulations.into(), seed.into(), path));
    }
    if key == "blokus" {
        if words.len() < 2 {
            eprintln!("usage: tune blokus FILE..., files of games that tune blokus-games has played");
            std::process::exit(2);
        }
        return exit_on_error(tune_blokus(&words[1..]).map(|text| print!("{text}")));
    }
    let (Some(games), Some(nodes), Some(rounds), Some(seed)) = (number(1), number(2), number(3), number(4)) else {
        eprintln!("usage: tune RULE-SET GAMES NODES ROUNDS SEED, all numbers from 1 on");
        std::process::exit(2);
    };
    let task = |opening: u32| Task { plan: Plan { games, nodes: nodes.into(), opening, seed: seed.into() }, rounds };
    let origin = format!("tune {key} {games} {nodes} {rounds} {seed}");
    let text = if let Some(rules) = piranhas::RULE_SETS.iter().position(|rules| rules.key == key) {
        let start = |random: &mut Random| Piranhas::start(rules as u8, random);
        let network = task(10).run(start, piranhas::eval::use_network);
        source::module(network, &origin, "use super::eval::Network;\n\n")
    } else if let Some(rules) = ostseeschach::RULE_SETS.iter().position(|known| *known == key) {
        let start = |random: &mut Random| Ostseeschach::start(rules as u8, random);
        let network = task(8).run(start, ostseeschach::eval::use_network);
        source::module(network, &origin, "use super::eval::Network;\n\n")
    } else {
        eprintln!("there is no {key}: give a rule set of Piranhas or Ostseeschach, blokus-games or blokus");
        std::process::exit(2);
    };
    print!("{text}");
}
