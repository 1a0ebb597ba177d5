//! Trains the policy of Blokus: the moves that alpha-beta has found shall become likely (softmax, Adam).
//!
//! Alpha-beta looks at every move of a position. Learning from the visits of a tree search was much worse: it hardly
//! visits what the policy finds unlikely, so the policy learns what it says already.

use spielleiter_engine::blokus::Blokus;
use spielleiter_engine::blokus::policy::{Policy, WEIGHTS};
use spielleiter_engine::game::{Move, Position};
use spielleiter_engine::random::Random;

/// A position and its best move.
type Sample = (Blokus, Move);

const EPOCHS: usize = 6;
const BATCH: usize = 32;
const RATE: f32 = 0.03;
/// L2 weight decay.
const DECAY: f32 = 2e-5;
/// One sample in so many is not learnt from, but used to measure.
const HELD_BACK: usize = 16;

/// The policy that makes the best moves likely; also says how well it does on samples that it has not seen.
pub fn learn(samples: &[Sample], seed: u64) -> (Policy, String) {
    let mut weights = vec![0.0_f32; WEIGHTS];
    let (mut gradients, mut means, mut squares) = (weights.clone(), weights.clone(), weights.clone());
    let mut order: Vec<usize> = (0..samples.len()).filter(|i| i % HELD_BACK != 0).collect();
    let mut random = Random::new(seed ^ 0x5EED);
    let (batches, mut step) = (order.len().div_ceil(BATCH) * EPOCHS, 0);
    for _ in 0..EPOCHS {
        for i in (1..order.len()).rev() {
            order.swap(i, random.below(i as u32 + 1) as usize);
        }
        for batch in order.chunks(BATCH) {
            for &index in batch {
                if let Some(sample) = Choice::new(&samples[index], &weights) {
                    sample.add_gradients(&mut gradients);
                }
            }
            step += 1;
            let rate = RATE * (1.0 - step as f32 / batches as f32).max(0.01);
            let (first, second) = (1.0 - 0.9_f32.powi(step), 1.0 - 0.999_f32.powi(step));
            for i in 0..WEIGHTS {
                let gradient = gradients[i] / batch.len() as f32 + DECAY * weights[i];
                gradients[i] = 0.0;
                means[i] += 0.1 * (gradient - means[i]);
                squares[i] += 0.001 * (gradient * gradient - squares[i]);
                weights[i] -= rate * (means[i] / first) / ((squares[i] / second).sqrt() + 1e-8);
            }
        }
    }
    let held_back: Vec<Choice> =
        samples.iter().step_by(HELD_BACK).filter_map(|sample| Choice::new(sample, &weights)).collect();
    let share = |rank: usize| {
        held_back.iter().filter(|choice| choice.rank() < rank).count() as f32 / held_back.len().max(1) as f32
    };
    let loss: f32 = held_back.iter().map(Choice::loss).sum();
    let report = format!(
        "loss {:.3}, the best move is first in {:.3}, in the first 4, 16, 32: {:.3}, {:.3}, {:.3}",
        loss / held_back.len().max(1) as f32,
        share(1),
        share(4),
        share(16),
        share(32)
    );
    (std::array::from_fn(|i| (weights[i] * 1000.0).round().clamp(-32_000.0, 32_000.0) as i16), report)
}

/// A sample in training: of each move the features and how likely it is, and which one was chosen.
struct Choice {
    features: Vec<Vec<u16>>,
    chances: Vec<f32>,
    chosen: usize,
}

impl Choice {
    /// `None` where there is nothing to choose.
    fn new((position, best): &Sample, weights: &[f32]) -> Option<Self> {
        let mut moves = Vec::new();
        position.moves(&mut moves);
        let chosen = moves.iter().position(|m| m == best).filter(|_| moves.len() > 1)?;
        let features = position.policy_features(&moves);
        let mut chances: Vec<f32> =
            features.iter().map(|list| list.iter().map(|&i| weights[i as usize]).sum()).collect();
        let highest = chances.iter().copied().fold(f32::MIN, f32::max);
        chances.iter_mut().for_each(|chance| *chance = (*chance - highest).exp());
        let sum: f32 = chances.iter().sum();
        chances.iter_mut().for_each(|chance| *chance /= sum);
        Some(Choice { features, chances, chosen })
    }

    fn add_gradients(&self, gradients: &mut [f32]) {
        for (i, (list, chance)) in self.features.iter().zip(&self.chances).enumerate() {
            let error = chance - f32::from(u8::from(i == self.chosen));
            list.iter().for_each(|&feature| gradients[feature as usize] += error);
        }
    }

    /// The cross entropy.
    fn loss(&self) -> f32 {
        -self.chances[self.chosen].max(1e-9).ln()
    }

    /// How many moves are likelier than the chosen one.
    fn rank(&self) -> usize {
        self.chances.iter().filter(|&&chance| chance > self.chances[self.chosen]).count()
    }
}
