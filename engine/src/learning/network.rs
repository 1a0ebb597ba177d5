//! Networks learn the logarithm of the odds to win.

use super::self_play::Game;
use super::trainer::{Model, split, train};
use super::{Learning, Weights};
use crate::network::{Featured, Network};
use crate::random::Random;
use crate::weights::file_of;

/// A position to learn from.
#[derive(Clone)]
pub struct Sample {
    /// Its features: index and value.
    pub features: Vec<(u16, f32)>,
    /// The chance to win.
    pub chance: f32,
}

impl<P: Learning + Featured, const I: usize, const H: usize> Weights<P> for Network<I, H> {
    fn blank() -> Self {
        Network::blank()
    }

    fn learn(games: impl Iterator<Item = Game<P>>, seed: u64) -> (Self, String) {
        learn(games.flat_map(|game| game.samples().collect::<Vec<_>>()).collect(), seed)
    }

    fn to_file(&self, origin: &str) -> Vec<u8> {
        file_of(self, &[], origin)
    }
}

/// Trains a network from nothing, and reports how well it does. The same samples and seed give the same network.
pub fn learn<const I: usize, const H: usize>(mut samples: Vec<Sample>, seed: u64) -> (Network<I, H>, String) {
    let scale = Scale::of(split(&samples).0);
    scale.apply_to(&mut samples);
    let mut network = random_network(seed);
    let report = train(&mut network, &samples, seed);
    scale.undo(&mut network);
    (network, report)
}

impl<const I: usize, const H: usize> Model for Network<I, H> {
    type Sample = Sample;

    const NAME: &'static str = "network";
    const EPOCHS: usize = 12;
    const RATE: f32 = 0.002;
    const DECAY: f32 = 1e-5;

    fn rows(&mut self) -> Vec<&mut [f32]> {
        let Network { hidden, bias, output, direct, start } = self;
        vec![hidden.as_flattened_mut(), bias, output, direct, std::slice::from_mut(start)]
    }

    #[inline(always)]
    fn add_gradients(&self, sample: &Sample, gradients: &mut Self) {
        let mut units = self.bias;
        let mut output = self.start;
        for &(i, value) in &sample.features {
            let i = i as usize;
            output += self.direct[i] * value;
            for h in 0..H {
                units[h] += value * self.hidden[i][h];
            }
        }
        output += (0..H).map(|h| units[h].max(0.0) * self.output[h]).sum::<f32>();
        let error = 1.0 / (1.0 + (-output).exp()) - sample.chance;
        gradients.start += error;
        for h in 0..H {
            let active = if units[h] > 0.0 { error } else { 0.0 };
            gradients.output[h] += active * units[h];
            units[h] = active * self.output[h];
            gradients.bias[h] += units[h];
        }
        for &(i, value) in &sample.features {
            let i = i as usize;
            gradients.direct[i] += error * value;
            for h in 0..H {
                gradients.hidden[i][h] += value * units[h];
            }
        }
    }

    fn loss(&self, sample: &Sample) -> f64 {
        let chance = 1.0 / (1.0 + (-self.output_for(&sample.features)).exp());
        let wanted = sample.chance;
        f64::from(-wanted * chance.max(1e-6).ln() - (1.0 - wanted) * (1.0 - chance).max(1e-6).ln())
    }
}

/// The largest factor of a feature that not every position has.
const MAX_FACTOR: f64 = 4.0;

/// Standardises features; those that every position has are also centred.
struct Scale<const I: usize> {
    mean: [f32; I],
    /// One by the standard deviation.
    factor: [f32; I],
}

impl<const I: usize> Scale<I> {
    fn of(samples: &[Sample]) -> Self {
        let (mut sum, mut squares, mut number) = ([0.0_f64; I], [0.0_f64; I], [0_usize; I]);
        for &(i, value) in samples.iter().flat_map(|sample| &sample.features) {
            sum[i as usize] += f64::from(value);
            squares[i as usize] += f64::from(value).powi(2);
            number[i as usize] += 1;
        }
        let total = samples.len().max(1);
        let n = total as f64;
        let mean: [f64; I] = std::array::from_fn(|i| if number[i] == total { sum[i] / n } else { 0.0 });
        Scale {
            mean: mean.map(|mean| mean as f32),
            factor: std::array::from_fn(|i| {
                let variance = squares[i] / n - mean[i].powi(2);
                // What is rarely seen must not weigh the more for it.
                let max = if number[i] == total { f64::INFINITY } else { MAX_FACTOR };
                if variance > 1e-6 { (1.0 / variance.sqrt()).min(max) as f32 } else { 0.0 }
            }),
        }
    }

    fn apply_to(&self, samples: &mut [Sample]) {
        for (i, value) in samples.iter_mut().flat_map(|sample| &mut sample.features) {
            *value = (*value - self.mean[*i as usize]) * self.factor[*i as usize];
        }
    }

    /// Makes a network say for unscaled features what it says for scaled ones.
    fn undo<const H: usize>(&self, network: &mut Network<I, H>) {
        for i in 0..I {
            network.direct[i] *= self.factor[i];
            network.start -= network.direct[i] * self.mean[i];
            for h in 0..H {
                network.hidden[i][h] *= self.factor[i];
                network.bias[h] -= network.hidden[i][h] * self.mean[i];
            }
        }
    }
}

/// A network that knows nothing yet.
fn random_network<const I: usize, const H: usize>(seed: u64) -> Network<I, H> {
    let mut network = Network::blank();
    let mut random = Random::new(seed);
    let mut uniform = |max: f32| random.symmetric() * max;
    let max = (6.0 / (I + H) as f32).sqrt();
    network.hidden.iter_mut().flatten().for_each(|weight| *weight = uniform(max));
    network.output.iter_mut().for_each(|weight| *weight = uniform(0.3));
    network
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether just one of two features is large (XOR): no weighted sum of them can say that.
    fn either_or() -> Vec<Sample> {
        let mut random = Random::new(7);
        let mut feature = || random.below(1000) as f32 / 10.0;
        (0..4000)
            .map(|_| {
                let (a, b) = (feature(), feature());
                let chance = f32::from(u8::from((a > 50.0) != (b > 50.0)));
                Sample { features: vec![(0, a), (1, b)], chance }
            })
            .collect()
    }

    #[test]
    fn a_network_learns_what_no_weighted_sum_can() {
        let samples = either_or();
        let (network, report) = learn::<2, 8>(samples.clone(), 1);
        assert!(report.starts_with("network: 3800 positions, loss 0."), "{report}");
        let loss: f64 = samples.iter().map(|sample| network.loss(sample)).sum();
        assert!(loss < 0.35 * samples.len() as f64, "{loss}");
        let right = samples
            .iter()
            .filter(|sample| (network.output_for(&sample.features) > 0.0) == (sample.chance > 0.5))
            .count();
        assert!(right > samples.len() * 9 / 10, "{right} of {}", samples.len());
    }

    #[test]
    fn gradients_are_how_the_loss_changes() {
        let network = random_network::<2, 8>(3);
        for mut sample in either_or().into_iter().take(20) {
            sample.features.iter_mut().for_each(|(_, value)| *value /= 100.0);
            let sample = &sample;
            let mut gradients = Network::blank();
            network.add_gradients(sample, &mut gradients);
            let changed = |by: f32| {
                let mut network = network.clone();
                network.direct[1] += by;
                network.loss(sample)
            };
            let slope = (changed(1e-3) - changed(-1e-3)) / 2e-3;
            let gradient = f64::from(gradients.direct[1]);
            assert!((slope - gradient).abs() < 0.02 + 0.05 * gradient.abs(), "{slope} {gradient}");
        }
    }

    #[test]
    fn the_same_seed_gives_the_same_network() {
        let samples = either_or();
        let twice = [1, 1, 2].map(|seed| learn::<2, 8>(samples.clone(), seed).0);
        assert_eq!(twice[0], twice[1]);
        assert_ne!(twice[0], twice[2]);
    }

    #[test]
    fn no_samples_give_a_network_of_numbers() {
        let (network, _) = learn::<2, 8>(Vec::new(), 1);
        assert!(network.output_for(&[(0, 1.0), (1, 1.0)]).is_finite());
    }
}
