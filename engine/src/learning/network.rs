//! Trains a network on positions and their results, by stochastic gradient descent (Adam).

use crate::learning::adam::Step;
use crate::network::Network;
use crate::random::Random;

/// A position to learn from.
#[derive(Clone)]
pub struct Sample {
    /// Its features: index and value.
    pub features: Vec<(u16, f32)>,
    /// The chance to win; the network learns the logarithm of its odds.
    pub chance: f32,
}

/// How often each sample is seen, and how many are learnt at once.
const EPOCHS: usize = 12;
const BATCH: usize = 64;
/// From so many samples on, each is seen less often, and batches are larger.
const MANY_SAMPLES: usize = 500_000;
const EPOCHS_OF_MANY: usize = 6;
const BATCH_OF_MANY: usize = 256;
/// How often each sample is seen by a network that knows something already.
const FURTHER_EPOCHS: usize = 3;
const RATE: f32 = 0.002;
/// L2 weight decay.
const DECAY: f32 = 1e-5;
/// One sample in so many is not learnt from, but used to measure: those of the first games.
const HELD_BACK: usize = 50;

/// Trains a network from nothing or, given one to start from, further. The same samples and seed give the same network.
/// Also returns the mean loss of samples that were not learnt from.
pub fn learn<const I: usize, const H: usize>(
    samples: &[Sample],
    start: Option<&Network<I, H>>,
    seed: u64,
) -> (Box<Network<I, H>>, f64) {
    let (held_back, samples) = held_back(samples);
    let scale = Scale::<I>::of(samples);
    let mut trainer =
        Trainer::<I, H>::new(start.map_or_else(|| random_network(seed), |network| scale.apply_to(network)));
    let mut order: Vec<u32> = (0..samples.len() as u32).collect();
    let mut random = Random::new(seed ^ 0x5EED);
    let (epochs, batch) = match start {
        Some(_) => (FURTHER_EPOCHS, BATCH_OF_MANY),
        None if samples.len() < MANY_SAMPLES => (EPOCHS, BATCH),
        None => (EPOCHS_OF_MANY, BATCH_OF_MANY),
    };
    let batches = samples.len().div_ceil(batch);
    for epoch in 0..epochs {
        for i in (1..order.len()).rev() {
            order.swap(i, random.below(i as u32 + 1) as usize);
        }
        for (i, batch) in order.chunks(batch).enumerate() {
            for &index in batch {
                trainer.add_gradients(&samples[index as usize], &scale);
            }
            let left = 1.0 - (epoch * batches + i) as f32 / (epochs * batches) as f32;
            trainer.step(RATE * left.max(0.01), batch.len());
        }
    }
    let network = scale.undo(&trainer.network);
    let loss = mean_loss(&network, held_back);
    (network, loss)
}

/// The samples that are not learnt from, and the others.
pub fn held_back(samples: &[Sample]) -> (&[Sample], &[Sample]) {
    samples.split_at(samples.len() / HELD_BACK)
}

/// How wrong a network is on average.
pub fn mean_loss<const I: usize, const H: usize>(network: &Network<I, H>, samples: &[Sample]) -> f64 {
    let losses = samples.iter().map(|sample| loss(network.output_for(&sample.features), sample.chance));
    losses.sum::<f64>() / samples.len().max(1) as f64
}

/// How wrong the logarithm of odds is: the cross entropy.
fn loss(output: f32, wanted: f32) -> f64 {
    let chance = 1.0 / (1.0 + (-output).exp());
    f64::from(-wanted * chance.max(1e-6).ln() - (1.0 - wanted) * (1.0 - chance).max(1e-6).ln())
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
        let total = samples.len();
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

    #[inline]
    fn apply(&self, (i, value): (u16, f32)) -> (usize, f32) {
        (i as usize, (value - self.mean[i as usize]) * self.factor[i as usize])
    }

    /// The network that gives for scaled features what `network` gives for unscaled ones.
    fn apply_to<const H: usize>(&self, network: &Network<I, H>) -> Box<Network<I, H>> {
        let mut scaled = Box::new(network.clone());
        for i in 0..I {
            let divisor = if self.factor[i] > 0.0 { self.factor[i] } else { f32::INFINITY };
            scaled.start += scaled.direct[i] * self.mean[i];
            scaled.direct[i] /= divisor;
            for h in 0..H {
                scaled.bias[h] += scaled.hidden[i][h] * self.mean[i];
                scaled.hidden[i][h] /= divisor;
            }
        }
        scaled
    }

    /// The network that gives for unscaled features what `network` gives for scaled ones.
    fn undo<const H: usize>(&self, network: &Network<I, H>) -> Box<Network<I, H>> {
        let mut bare = Box::new(network.clone());
        for i in 0..I {
            bare.direct[i] *= self.factor[i];
            bare.start -= bare.direct[i] * self.mean[i];
            for h in 0..H {
                bare.hidden[i][h] *= self.factor[i];
                bare.bias[h] -= bare.hidden[i][h] * self.mean[i];
            }
        }
        bare
    }
}

/// A network that knows nothing yet.
fn random_network<const I: usize, const H: usize>(seed: u64) -> Box<Network<I, H>> {
    let mut network = Box::new(Network::blank());
    let mut random = Random::new(seed);
    let mut uniform = |max: f32| ((random.next() >> 40) as f32 / (1 << 23) as f32 - 1.0) * max;
    let max = (6.0 / (I + H) as f32).sqrt();
    network.hidden.iter_mut().flatten().for_each(|weight| *weight = uniform(max));
    network.output.iter_mut().for_each(|weight| *weight = uniform(0.3));
    network
}

/// A network in training, with the gradients of the batch and their running moments (Adam).
struct Trainer<const I: usize, const H: usize> {
    network: Box<Network<I, H>>,
    gradients: Box<Network<I, H>>,
    means: Box<Network<I, H>>,
    squares: Box<Network<I, H>>,
    steps: i32,
}

impl<const I: usize, const H: usize> Trainer<I, H> {
    fn new(network: Box<Network<I, H>>) -> Self {
        let blank = || Box::new(Network::blank());
        Trainer { network, gradients: blank(), means: blank(), squares: blank(), steps: 0 }
    }

    /// Adds the gradients of one sample.
    fn add_gradients(&mut self, sample: &Sample, scale: &Scale<I>) {
        #[cfg(target_arch = "x86_64")]
        {
            #[target_feature(enable = "avx2")]
            fn fast<const I: usize, const H: usize>(trainer: &mut Trainer<I, H>, sample: &Sample, scale: &Scale<I>) {
                trainer.plain_add_gradients(sample, scale);
            }
            if is_x86_feature_detected!("avx2") {
                // SAFETY: the machine has these instructions.
                return unsafe { fast(self, sample, scale) };
            }
        }
        self.plain_add_gradients(sample, scale);
    }

    #[inline(always)]
    fn plain_add_gradients(&mut self, sample: &Sample, scale: &Scale<I>) {
        let (network, gradients) = (&*self.network, &mut *self.gradients);
        let mut units = network.bias;
        let mut output = network.start;
        for (i, value) in sample.features.iter().map(|&feature| scale.apply(feature)) {
            output += network.direct[i] * value;
            for h in 0..H {
                units[h] += value * network.hidden[i][h];
            }
        }
        output += (0..H).map(|h| units[h].max(0.0) * network.output[h]).sum::<f32>();
        let error = 1.0 / (1.0 + (-output).exp()) - sample.chance;
        gradients.start += error;
        for h in 0..H {
            let active = if units[h] > 0.0 { error } else { 0.0 };
            gradients.output[h] += active * units[h];
            units[h] = active * network.output[h];
            gradients.bias[h] += units[h];
        }
        for (i, value) in sample.features.iter().map(|&feature| scale.apply(feature)) {
            gradients.direct[i] += error * value;
            for h in 0..H {
                gradients.hidden[i][h] += value * units[h];
            }
        }
    }

    /// Goes down the gradients of a batch.
    fn step(&mut self, rate: f32, batch: usize) {
        self.steps += 1;
        let step = Step::new(self.steps, rate, batch, DECAY);
        let weights = parts(&mut self.network).into_iter().zip(parts(&mut self.gradients));
        let moments = parts(&mut self.means).into_iter().zip(parts(&mut self.squares));
        for ((weights, sums), (means, squares)) in weights.zip(moments) {
            step.apply(weights, sums, means, squares);
        }
    }
}

/// All weights of a network.
fn parts<const I: usize, const H: usize>(network: &mut Network<I, H>) -> [&mut [f32]; 5] {
    let Network { hidden, bias, output, direct, start } = network;
    [hidden.as_flattened_mut(), bias, output, direct, std::slice::from_mut(start)]
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
        let (network, loss) = learn::<2, 8>(&samples, None, 1);
        assert!(loss < 0.3, "{loss}");
        let right = samples
            .iter()
            .filter(|sample| (network.output_for(&sample.features) > 0.0) == (sample.chance > 0.5))
            .count();
        assert!(right > samples.len() * 9 / 10, "{right} of {}", samples.len());
    }

    #[test]
    fn a_network_that_is_trained_further_starts_from_what_it_knows() {
        let samples = either_or();
        let (network, _) = learn::<2, 8>(&samples, None, 1);
        let scale = Scale::<2>::of(&samples);
        let scaled = scale.undo(&scale.apply_to(&network));
        for sample in &samples[..100] {
            let (before, after) = (network.output_for(&sample.features), scaled.output_for(&sample.features));
            assert!((before - after).abs() < 0.01, "{before} {after}");
        }
        // A tenth of the samples would not do to learn it from nothing.
        let (from_nothing, _) = learn::<2, 8>(&samples[..400], None, 1);
        let (further, _) = learn::<2, 8>(&samples[..400], Some(&network), 1);
        let wrong = |network: &Network<2, 8>| -> f64 {
            samples.iter().map(|sample| loss(network.output_for(&sample.features), sample.chance)).sum()
        };
        assert!(wrong(&further) < wrong(&from_nothing));
    }

    #[test]
    fn the_same_seed_gives_the_same_network() {
        let samples = either_or();
        let twice = [1, 1, 2].map(|seed| learn::<2, 8>(&samples, None, seed).0);
        assert_eq!(twice[0], twice[1]);
        assert_ne!(twice[0], twice[2]);
    }
}
