//! The policy learns to make the moves likely that the tree search has visited (softmax).

use crate::blokus::Blokus;
use crate::blokus::policy::{Parts, SLOTS, Squares, UNIT, UNIT_INPUT, UNIT_OUTPUT, UNITS, WEIGHTS, Weights};
use crate::game::Position;
use crate::learning::self_play::Seen;
use crate::learning::trainer::{Model, train};
use crate::random::Random;

/// The weights of a policy in training.
#[derive(Clone)]
struct Policy(Vec<f32>);

/// The unit in which a weight is kept.
fn scale(i: usize) -> f32 {
    if (UNIT_INPUT..UNIT_OUTPUT).contains(&i) { UNIT as f32 } else { 1000.0 }
}

/// Trains a policy from nothing on positions with visits and several moves, and reports how well it does. The same samples
/// and seed give the same policy.
pub fn learn(samples: &[Seen<Blokus>], seed: u64) -> (Box<Weights>, String) {
    let mut policy = Policy(vec![0.0; WEIGHTS]);
    let mut random = Random::new(seed);
    // Hidden units that are all alike would stay so.
    policy.0[UNIT_INPUT..].iter_mut().for_each(|weight| *weight = 0.1 * random.symmetric());
    let report = train(&mut policy, samples, seed);
    let number = |(i, weight): (usize, &f32)| (weight * scale(i)).round().clamp(-32_000.0, 32_000.0) as i16;
    let numbers: Box<[i16]> = policy.0.iter().enumerate().map(number).collect();
    (numbers.try_into().expect("as many weights"), report)
}

impl Model for Policy {
    type Sample = Seen<Blokus>;

    const NAME: &'static str = "policy";
    const EPOCHS: usize = 3;
    const RATE: f32 = 0.005;
    const DECAY: f32 = 1e-6;

    fn rows(&mut self) -> Vec<&mut [f32]> {
        vec![&mut self.0]
    }

    #[inline(always)]
    fn add_gradients(&self, sample: &Seen<Blokus>, gradients: &mut Self) {
        Choice::new(sample, &self.0).add_gradients(&self.0, &mut gradients.0);
    }

    fn loss(&self, sample: &Seen<Blokus>) -> f64 {
        Choice::new(sample, &self.0).loss().into()
    }
}

/// A sample in training.
struct Choice {
    squares: Squares,
    /// The hidden units of each square, zero where they are negative.
    units: Vec<[f32; UNITS]>,
    moves: Vec<Parts>,
    /// How likely each move is, and how likely it should be.
    chances: Vec<(f32, f32)>,
}

impl Choice {
    fn new(sample: &Seen<Blokus>, weights: &[f32]) -> Self {
        let mut moves = Vec::new();
        sample.position.moves(&mut moves);
        let squares = sample.position.policy_squares();
        let (mut covered, mut opened) = ([0.0; SLOTS], [0.0; SLOTS]);
        let mut units = Vec::with_capacity(squares.list.len());
        for &square in &squares.list {
            let mut sums = [0.0; UNITS];
            for at in squares.unit_weights_of(square) {
                let weights = &weights[at..at + UNITS];
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
        for (m, chance) in moves.iter().zip(&mut chances) {
            let of_move = sample.visits.iter().find(|(visited, _)| visited == m);
            chance.1 = of_move.map_or(0.0, |&(_, number)| number as f32 / visits as f32);
        }
        Choice { squares, units, moves: parts, chances }
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
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(random: &mut Random) -> Seen<Blokus> {
        let mut position = Blokus::start(2, 12);
        for _ in 0..18 {
            position = position.play(position.random_move(random).expect("the game goes on"));
        }
        let mut visits = vec![(position.random_move(random).expect("a move"), 30)];
        let other = position.random_move(random).expect("a move");
        visits.extend((other != visits[0].0).then_some((other, 10)));
        Seen { position, score: None, visits }
    }

    #[test]
    fn gradients_are_how_the_loss_changes() {
        let mut random = Random::new(6);
        let sample = sample(&mut random);
        let weights: Vec<f32> = (0..WEIGHTS).map(|_| random.below(1000) as f32 / 5000.0 - 0.1).collect();
        let mut gradients = vec![0.0; WEIGHTS];
        Choice::new(&sample, &weights).add_gradients(&weights, &mut gradients);
        let loss = |weights: &[f32]| f64::from(Choice::new(&sample, weights).loss());
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
        let samples: Vec<Seen<Blokus>> = (0..40).map(|_| sample(&mut random)).collect();
        let loss = |weights: &Weights| -> f64 {
            let policy = Policy((0..WEIGHTS).map(|i| f32::from(weights[i]) / scale(i)).collect());
            samples.iter().map(|sample| policy.loss(sample)).sum()
        };
        let (learnt, _) = learn(&samples, 1);
        assert!(loss(&learnt) < 0.98 * loss(&[0; WEIGHTS]), "{} {}", loss(&learnt), loss(&[0; WEIGHTS]));
        assert_eq!(learnt, learn(&samples, 1).0, "the same samples and seed give the same policy");
    }
}
