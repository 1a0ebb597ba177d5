//! Learns the weights of an evaluation: `tune RULE-SET GAMES NODES SEED`, or `tune blokus GAMES NODES SEED`.
//!
//! Plays games of the engine against itself from random openings, notes the terms of every position and how the game
//! ended, fits the weights, and writes them. The same arguments give the same weights.

mod logistic;
mod play;
mod squares;

use play::{Plan, self_play};
use spielleiter_engine::blokus::{Blokus, SPREAD};
use spielleiter_engine::game::{Position, Team, Verdict};
use spielleiter_engine::ostseeschach::{self, Ostseeschach};
use spielleiter_engine::piranhas::{self, Piranhas};
use spielleiter_engine::random::Random;
use spielleiter_engine::search::{Searchable, Terms};

fn gather<P: Terms>(position: &P) -> Vec<(u16, f32)> {
    let mut sums = vec![0.0_f32; P::TERMS];
    position.terms(|i, value| sums[i] += value as f32);
    sums.into_iter().enumerate().filter(|(_, sum)| *sum != 0.0).map(|(i, sum)| (i as u16, sum)).collect()
}

/// Fits the weights of a game to who won; `unit` is what a unit of the sum of weighted terms is worth as a score.
fn tune<P: Searchable + Terms>(start: impl Fn(&mut Random) -> P, plan: &Plan, unit: f64, seed: u64) {
    let before: Vec<f64> = start(&mut Random::new(seed)).weights().iter().map(|&weight| f64::from(weight)).collect();
    let mut samples = Vec::new();
    self_play(start, plan, &mut Random::new(seed), |seen, end| {
        let result = match end.full_verdict() {
            Some(Verdict::Win(Team::One)) => 1.0,
            Some(Verdict::Win(Team::Two)) => 0.0,
            _ => 0.5,
        };
        samples.extend(seen.iter().map(|position| logistic::Sample { terms: gather(position), result }));
    });
    let slope = 3.0_f64.ln() / P::SCALE * unit;
    let (weights, loss) = logistic::fit(&samples, &before, slope);
    println!("{} positions, mean squared error {loss:.4}", samples.len());
    let rounded: Vec<String> = weights.iter().map(|weight| format!("{:.0}", weight)).collect();
    println!("[{}]", rounded.join(", "));
}

/// Fits the weights of Blokus to the lead in points, on games that start in the corners and on the border.
fn tune_blokus(plan: &Plan, seed: u64) {
    let mut samples = Vec::new();
    let start = |random: &mut Random| {
        let rules = 2 * random.below(2) as u8;
        Blokus::start(rules, 9 + random.below(12) as u8)
    };
    let lead = |position: &Blokus| (position.team_points(0) - position.team_points(1)) as f32;
    self_play(start, plan, &mut Random::new(seed), |seen, end| {
        samples.extend(seen.iter().map(|position| squares::Sample {
            turn: position.turn() as u8,
            figures: position.figures(),
            gain: lead(end) - lead(position),
        }));
    });
    let (weights, spread) = squares::fit(&samples, &SPREAD);
    let origin = format!("tune blokus {} {} {seed}", plan.games, plan.nodes);
    print!("{}", squares::source(&weights, &spread, &origin));
    eprintln!("{} positions", samples.len());
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let number = |i: usize, default: u64| words.get(i).and_then(|word| word.parse().ok()).unwrap_or(default);
    let (games, nodes, seed) = (number(1, 1000) as u32, number(2, 1000), number(3, 1));
    let key = words.first().map_or("", String::as_str);
    if let Some(rules) = piranhas::RULE_SETS.iter().position(|rules| rules.key == key) {
        let plan = Plan { games, nodes, opening: 10 };
        tune(|random| Piranhas::start(rules as u8, random), &plan, 1.0 / 64.0, seed);
    } else if let Some(rules) = ostseeschach::RULE_SETS.iter().position(|known| *known == key) {
        let plan = Plan { games, nodes, opening: 8 };
        tune(|random| Ostseeschach::start(rules as u8, random), &plan, 1.0 / 16.0, seed);
    } else if key == "blokus" {
        tune_blokus(&Plan { games, nodes, opening: 6 }, seed);
    } else {
        eprintln!("usage: tune RULE-SET GAMES NODES SEED, or: tune blokus GAMES NODES SEED");
    }
}
