//! Learns the weights of an evaluation: `tune RULE-SET GAMES NODES SEED [ROUNDS]`.
//!
//! Plays games of the engine against itself from random openings, notes the terms of every position and how the game
//! ended, fits the weights by logistic regression, and writes them. The same arguments give the same weights.

use spielleiter_engine::blokus::{self, Blokus};
use spielleiter_engine::game::{Team, Verdict};
use spielleiter_engine::ostseeschach::{self, Ostseeschach};
use spielleiter_engine::piranhas::{self, Piranhas};
use spielleiter_engine::random::Random;
use spielleiter_engine::search::alphabeta::search;
use spielleiter_engine::search::table::Table;
use spielleiter_engine::search::{DECIDED, Limits, Options, Searchable, Terms};
use std::sync::atomic::AtomicBool;

/// The terms of a position that are not nought, and the result for ONE: 1, 0.5 or 0.
struct Sample {
    terms: Vec<(u16, f32)>,
    result: f32,
}

struct Plan {
    games: u32,
    nodes: u64,
    /// Plies that are played at random first.
    opening: u32,
    /// What a unit of the sum of weighted terms is worth as a score.
    unit: f64,
    /// Where a lead in points says more than who won: the lead that stands for winning three games of four.
    margin: Option<f64>,
}

fn self_play<P: Searchable + Terms>(start: impl Fn(&mut Random) -> P, plan: &Plan, random: &mut Random) -> Vec<Sample> {
    let table = Table::new(4).expect("4 MiB");
    let mut samples = Vec::new();
    for _ in 0..plan.games {
        let mut position = start(random);
        for _ in 0..plan.opening / 2 + random.below(plan.opening) {
            match position.random_move(random) {
                Some(m) => position = position.play(m),
                None => break,
            }
        }
        let first = samples.len();
        while position.full_verdict().is_none() {
            let limits = Limits { nodes: Some(plan.nodes), ..Limits::default() };
            let found = search(&position, &limits, &Options::default(), &table, &AtomicBool::new(false));
            let Some(line) = found.lines.first() else { break };
            if !position.is_unsettled() && line.score.abs() < DECIDED {
                samples.push(Sample { terms: gather(&position), result: 0.5 });
            }
            // Now and then another move, so that the games differ.
            let drawn = if random.below(24) == 0 { position.random_move(random) } else { None };
            position = position.play(drawn.unwrap_or(line.moves[0]));
        }
        let mut result = match position.full_verdict() {
            Some(Verdict::Win(Team::One)) => 1.0,
            Some(Verdict::Win(Team::Two)) => 0.0,
            _ => 0.5,
        };
        if let Some(margin) = plan.margin {
            let lead = f64::from(position.points(Team::One)[1] - position.points(Team::Two)[1]);
            result = (1.0 / (1.0 + (-lead * 3.0_f64.ln() / margin).exp())) as f32;
        }
        samples[first..].iter_mut().for_each(|sample| sample.result = result);
    }
    samples
}

fn gather<P: Terms>(position: &P) -> Vec<(u16, f32)> {
    let mut sums = vec![0.0_f32; P::TERMS];
    position.terms(|i, value| sums[i] += value as f32);
    sums.into_iter().enumerate().filter(|(_, sum)| *sum != 0.0).map(|(i, sum)| (i as u16, sum)).collect()
}

/// Adam on the mean logistic loss, pulled a little towards the weights before.
fn fit(samples: &[Sample], before: &[f64], slope: f64) -> (Vec<f64>, f64) {
    let scales: Vec<f64> = (0..before.len())
        .map(|i| {
            let sum: f64 = samples
                .iter()
                .flat_map(|sample| sample.terms.iter().filter(|term| term.0 as usize == i))
                .map(|term| f64::from(term.1).powi(2))
                .sum();
            (sum / samples.len() as f64).sqrt().max(1e-3)
        })
        .collect();
    let mut weights: Vec<f64> = before.iter().zip(&scales).map(|(weight, scale)| weight * scale).collect();
    let anchor = weights.clone();
    let (mut first, mut second) = (vec![0.0; weights.len()], vec![0.0; weights.len()]);
    let mut loss = 0.0;
    for step in 1..=400 {
        let mut gradient = vec![0.0; weights.len()];
        loss = 0.0;
        for sample in samples {
            let sum: f64 = sample
                .terms
                .iter()
                .map(|&(i, value)| weights[i as usize] * f64::from(value) / scales[i as usize])
                .sum();
            let chance = 1.0 / (1.0 + (-slope * sum).exp());
            let error = chance - f64::from(sample.result);
            loss += error * error;
            for &(i, value) in &sample.terms {
                gradient[i as usize] += slope * error * f64::from(value) / scales[i as usize];
            }
        }
        loss /= samples.len() as f64;
        let rate = 2.0 / slope / 200.0 / (1.0 + f64::from(step) / 100.0);
        for i in 0..weights.len() {
            let g = gradient[i] / samples.len() as f64 / slope + 1e-7 * (weights[i] - anchor[i]) * slope;
            first[i] = 0.9 * first[i] + 0.1 * g;
            second[i] = 0.999 * second[i] + 0.001 * g * g;
            let (m, v) = (first[i] / (1.0 - 0.9_f64.powi(step)), second[i] / (1.0 - 0.999_f64.powi(step)));
            weights[i] -= rate * m / (v.sqrt() + 1e-9);
        }
    }
    (weights.iter().zip(&scales).map(|(weight, scale)| weight / scale).collect(), loss)
}

fn tune<P: Searchable + Terms>(start: impl Fn(&mut Random) -> P, plan: &Plan, seed: u64) {
    let mut random = Random::new(seed);
    let before: Vec<f64> = start(&mut Random::new(seed)).weights().iter().map(|&weight| f64::from(weight)).collect();
    let samples = self_play(start, plan, &mut random);
    let slope = 3.0_f64.ln() / P::SCALE * plan.unit;
    let (weights, loss) = fit(&samples, &before, slope);
    println!("{} positions, mean squared error {loss:.4}", samples.len());
    let rounded: Vec<String> = weights.iter().map(|weight| format!("{:.0}", weight)).collect();
    println!("[{}]", rounded.join(", "));
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let number = |i: usize, default: u64| words.get(i).and_then(|word| word.parse().ok()).unwrap_or(default);
    let (games, nodes, seed) = (number(1, 1000) as u32, number(2, 1000), number(3, 1));
    let key = words.first().map_or("", String::as_str);
    if let Some(rules) = piranhas::RULE_SETS.iter().position(|rules| rules.key == key) {
        let plan = Plan { games, nodes, opening: 10, unit: 1.0 / 64.0, margin: None };
        tune(|random| Piranhas::start(rules as u8, random), &plan, seed);
    } else if let Some(rules) = ostseeschach::RULE_SETS.iter().position(|known| *known == key) {
        let plan = Plan { games, nodes, opening: 8, unit: 1.0 / 16.0, margin: None };
        tune(|random| Ostseeschach::start(rules as u8, random), &plan, seed);
    } else if let Some(rules) = blokus::RULE_SETS.iter().position(|rules| rules.key == key) {
        let plan = Plan { games, nodes, opening: 6, unit: 1.0 / 1024.0, margin: Some(16.0) };
        tune(|random| Blokus::start(rules as u8, 9 + random.below(12) as u8), &plan, seed);
    } else {
        eprintln!("usage: tune RULE-SET GAMES NODES SEED");
    }
}
