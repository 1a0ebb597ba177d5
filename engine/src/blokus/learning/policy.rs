//! Trains the policy of Blokus: the moves that the tree search has visited shall become likely (softmax, Adam).
//!
//! The search that is learnt from looks at more moves than a player would (see `tree_play.rs`): one that hardly visits what
//! the policy finds unlikely would teach it what it says already.

use crate::blokus::Blokus;
use crate::blokus::policy::{Parts, SLOTS, Squares, UNIT, UNIT_INPUT, UNIT_OUTPUT, UNITS, WEIGHTS, Weights};
use crate::game::{Move, Position};
use crate::learning::adam::Step;
use crate::random::Random;

/// A position, and how often its most visited moves were visited.
#[derive(Clone)]
pub struct Sample {
    /// The position.
    pub position: Blokus,
    /// Moves and visits, the most visited move first.
    pub visits: Vec<(Move, u32)>,
}

const EPOCHS: usize = 3;
const BATCH: usize = 64;
const RATE: f32 = 0.005;
/// L2 weight decay.
const DECAY: f32 = 1e-6;
/// One sample in so many is not learnt from, but used to measure: those of the last games.
const HELD_BACK: usize = 20;

/// The unit in which a weight is kept.
fn scale(i: usize) -> f32 {
    if (UNIT_INPUT..UNIT_OUTPUT).contains(&i) { UNIT as f32 } else { 1000.0 }
}

/// Trains a policy further; also says how well it does on samples that it has not seen. The same samples and seed give the
/// same policy.
pub fn learn(policy: &Weights, samples: &[Sample], seed: u64) -> (Box<Weights>, String) {
    let (samples, held_back) = samples.split_at(samples.len() - samples.len() / HELD_BACK);
    let mut random = Random::new(seed ^ 0x5EED);
    let mut weights: Vec<f32> = (0..WEIGHTS).map(|i| f32::from(policy[i]) / scale(i)).collect();
    let before = weights.clone();
    if weights[UNIT_INPUT..].iter().all(|&weight| weight == 0.0) {
        // Hidden units that are all alike would stay so.
        let uniform = |weight: &mut f32| *weight = (random.next() >> 40) as f32 / (1 << 23) as f32 * 0.1 - 0.1;
        weights[UNIT_INPUT..].iter_mut().for_each(uniform);
    }
    let mut trainer = Trainer::new();
    let mut order: Vec<u32> = (0..samples.len() as u32).collect();
    let steps = order.len().div_ceil(BATCH) * EPOCHS;
    for _ in 0..EPOCHS {
        for i in (1..order.len()).rev() {
            order.swap(i, random.below(i as u32 + 1) as usize);
        }
        for batch in order.chunks(BATCH) {
            for &i in batch {
                if let Some(choice) = Choice::new(&samples[i as usize], &weights) {
                    choice.add_gradients(&weights, &mut trainer.gradients);
                }
            }
            let left = 1.0 - trainer.steps as f32 / steps as f32;
            trainer.step(&mut weights, RATE * left.max(0.01), batch.len());
        }
    }
    let report = format!("{}; before: {}", report(held_back, &weights), report(held_back, &before));
    let numbers =
        weights.iter().enumerate().map(|(i, weight)| (weight * scale(i)).round().clamp(-32_000.0, 32_000.0) as i16);
    (numbers.collect::<Box<[i16]>>().try_into().expect("as many weights"), report)
}

/// Gradients of a batch and their running moments (Adam).
struct Trainer {
    gradients: Vec<f32>,
    means: Vec<f32>,
    squares: Vec<f32>,
    steps: i32,
}

impl Trainer {
    fn new() -> Self {
        Trainer { gradients: vec![0.0; WEIGHTS], means: vec![0.0; WEIGHTS], squares: vec![0.0; WEIGHTS], steps: 0 }
    }

    /// Goes down the gradients of a batch.
    fn step(&mut self, weights: &mut [f32], rate: f32, batch: usize) {
        self.steps += 1;
        let step = Step::new(self.steps, rate, batch, DECAY);
        step.apply(weights, &mut self.gradients, &mut self.means, &mut self.squares);
    }
}

/// How well the policy foresees the search.
fn report(samples: &[Sample], weights: &[f32]) -> String {
    let choices: Vec<Choice> = samples.iter().filter_map(|sample| Choice::new(sample, weights)).collect();
    let number = choices.len().max(1) as f32;
    let share = |rank: usize| choices.iter().filter(|choice| choice.rank() < rank).count() as f32 / number;
    format!(
        "loss {:.4}, the best move is first in {:.3}, in the first 4, 16, 32: {:.3}, {:.3}, {:.3}",
        choices.iter().map(Choice::loss).sum::<f32>() / number,
        share(1),
        share(4),
        share(16),
        share(32)
    )
}

/// A sample in training.
struct Choice {
    squares: Squares,
    /// The hidden units of each square, zero where they are negative.
    units: Vec<[f32; UNITS]>,
    moves: Vec<Parts>,
    /// How likely each move is, and how likely it should be.
    chances: Vec<(f32, f32)>,
    best: usize,
}

impl Choice {
    /// `None` where there is nothing to choose.
    fn new(sample: &Sample, weights: &[f32]) -> Option<Self> {
        let mut moves = Vec::new();
        sample.position.moves(&mut moves);
        let best = moves.iter().position(|m| *m == sample.visits[0].0).filter(|_| moves.len() > 1)?;
        let squares = sample.position.policy_squares();
        let (mut covered, mut opened) = ([0.0; SLOTS], [0.0; SLOTS]);
        let mut units = Vec::with_capacity(squares.list.len());
        for &square in &squares.list {
            let mut sums = [0.0; UNITS];
            for at in squares.unit_weights_of(square) {
                let weights: &[f32; UNITS] = weights[at..].first_chunk()?;
                for k in 0..UNITS {
                    sums[k] += weights[k];
                }
            }
            let sums = sums.map(|sum: f32| sum.max(0.0));
            let [of_covering, of_opening] = squares.weights_of(square);
            let total = |list: [usize; 2], first: usize| {
                let output: f32 = (0..UNITS).map(|k| sums[k] * weights[UNIT_OUTPUT + first + k]).sum();
                output + list.iter().map(|&i| weights[i]).sum::<f32>()
            };
            covered[square.slot] = total(of_covering, 0);
            opened[square.slot] = total(of_opening, UNITS);
            units.push(sums);
        }
        let parts = sample.position.policy_parts(&moves);
        let logarithm = |parts: &Parts| {
            parts.weights.iter().map(|&i| weights[i]).sum::<f32>()
                + parts.covered.iter().map(|&slot| covered[slot]).sum::<f32>()
                + parts.opened.iter().map(|&slot| opened[slot]).sum::<f32>()
        };
        let mut chances: Vec<(f32, f32)> = parts.iter().map(|parts| (logarithm(parts), 0.0)).collect();
        let highest = chances.iter().map(|chance| chance.0).fold(f32::MIN, f32::max);
        chances.iter_mut().for_each(|chance| chance.0 = (chance.0 - highest).exp());
        let sum: f32 = chances.iter().map(|chance| chance.0).sum();
        chances.iter_mut().for_each(|chance| chance.0 /= sum);
        let visits: u32 = sample.visits.iter().map(|(_, visits)| visits).sum();
        for &(m, number) in &sample.visits {
            let i = moves.iter().position(|other| *other == m)?;
            chances[i].1 = number as f32 / visits as f32;
        }
        Some(Choice { squares, units, moves: parts, chances, best })
    }

    fn add_gradients(&self, weights: &[f32], gradients: &mut [f32]) {
        let (mut covered, mut opened) = ([0.0; SLOTS], [0.0; SLOTS]);
        for (parts, (chance, wanted)) in self.moves.iter().zip(&self.chances) {
            let error = chance - wanted;
            parts.weights.iter().for_each(|&i| gradients[i] += error);
            parts.covered.iter().for_each(|&slot| covered[slot] += error);
            parts.opened.iter().for_each(|&slot| opened[slot] += error);
        }
        for (&square, units) in self.squares.list.iter().zip(&self.units) {
            let errors = [covered[square.slot], opened[square.slot]];
            let mut back = [0.0; UNITS];
            for (i, (error, list)) in errors.into_iter().zip(self.squares.weights_of(square)).enumerate() {
                list.into_iter().for_each(|i| gradients[i] += error);
                for k in (0..UNITS).filter(|&k| units[k] > 0.0) {
                    let output = UNIT_OUTPUT + i * UNITS + k;
                    gradients[output] += error * units[k];
                    back[k] += error * weights[output];
                }
            }
            for at in self.squares.unit_weights_of(square) {
                for k in 0..UNITS {
                    gradients[at + k] += back[k];
                }
            }
        }
    }

    /// The cross entropy.
    fn loss(&self) -> f32 {
        self.chances.iter().map(|(chance, wanted)| -wanted * chance.max(1e-9).ln()).sum()
    }

    /// How many moves are likelier than the most visited one.
    fn rank(&self) -> usize {
        self.chances.iter().filter(|chance| chance.0 > self.chances[self.best].0).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(random: &mut Random) -> Sample {
        let mut position = Blokus::start(2, 12);
        for _ in 0..18 {
            position = position.play(position.random_move(random).expect("the game goes on"));
        }
        let mut visits = vec![(position.random_move(random).expect("a move"), 30)];
        let other = position.random_move(random).expect("a move");
        visits.extend((other != visits[0].0).then_some((other, 10)));
        Sample { position, visits }
    }

    #[test]
    fn gradients_are_how_the_loss_changes() {
        let mut random = Random::new(6);
        let sample = sample(&mut random);
        let weights: Vec<f32> = (0..WEIGHTS).map(|_| random.below(1000) as f32 / 5000.0 - 0.1).collect();
        let mut gradients = vec![0.0; WEIGHTS];
        Choice::new(&sample, &weights).expect("a choice").add_gradients(&weights, &mut gradients);
        let loss = |weights: &[f32]| f64::from(Choice::new(&sample, weights).expect("a choice").loss());
        let largest = |from: usize, to: usize| {
            (from..to).max_by(|&a, &b| gradients[a].abs().total_cmp(&gradients[b].abs())).expect("weights")
        };
        // Of each kind of weights the one that matters most.
        for i in [largest(0, UNIT_INPUT), largest(UNIT_INPUT, UNIT_OUTPUT), largest(UNIT_OUTPUT, WEIGHTS)] {
            let changed = |by: f32| {
                let mut weights = weights.clone();
                weights[i] += by;
                loss(&weights)
            };
            let slope = (changed(1e-3) - changed(-1e-3)) / 2e-3;
            let gradient = f64::from(gradients[i]);
            assert!(
                gradient.abs() > 1e-3 && (slope - gradient).abs() < 0.05 * gradient.abs(),
                "{i}: {slope} {gradient}"
            );
        }
    }

    #[test]
    fn what_was_visited_becomes_likely() {
        let mut random = Random::new(7);
        let samples: Vec<Sample> = (0..40).map(|_| sample(&mut random)).collect();
        let blank: Box<Weights> = vec![0; WEIGHTS].into_boxed_slice().try_into().expect("as many");
        let loss = |weights: &Weights| -> f32 {
            let weights: Vec<f32> = (0..WEIGHTS).map(|i| f32::from(weights[i]) / scale(i)).collect();
            samples.iter().filter_map(|sample| Choice::new(sample, &weights)).map(|choice| choice.loss()).sum()
        };
        let (learnt, _) = learn(&blank, &samples, 1);
        assert!(loss(&learnt) < 0.98 * loss(&blank), "{} {}", loss(&learnt), loss(&blank));
        assert_eq!(learnt, learn(&blank, &samples, 1).0, "the same samples and seed give the same policy");
    }
}
