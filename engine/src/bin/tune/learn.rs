//! Trains a network on positions and what came of them, by stochastic gradient descent (Adam).

use spielleiter_engine::network::Network;
use spielleiter_engine::random::Random;

/// What a position looks like, and what came of it.
#[derive(Clone)]
pub struct Sample {
    /// What the network sees: the numbers of figures, and their values.
    pub figures: Vec<(u16, f32)>,
    /// What it should answer.
    pub target: f32,
    /// How much that counts.
    pub weight: f32,
    /// The turn of the position.
    pub turn: u8,
}

/// What the network's answer means.
#[derive(Clone, Copy, PartialEq)]
pub enum Answer {
    /// The logarithm of the odds to win; targets are chances.
    Odds,
    /// The target itself.
    Number,
}

const EPOCHS: usize = 12;
const BATCH: usize = 64;
const RATE: f32 = 0.002;
/// How strongly weights are drawn to nought.
const DECAY: f32 = 1e-5;

/// Trains a network from nothing; the same samples and seed give the same network. Also tells the mean loss.
pub fn learn<const I: usize, const H: usize>(samples: &[Sample], meaning: Answer, seed: u64) -> (Network<I, H>, f64) {
    let scale = Scale::<I>::of(samples);
    let mut student = Student::<I, H>::new(seed);
    let mut order: Vec<u32> = (0..samples.len() as u32).collect();
    let mut random = Random::new(seed ^ 0x5EED);
    let batches = samples.len().div_ceil(BATCH);
    let mut loss = 0.0;
    for epoch in 0..EPOCHS {
        for i in (1..order.len()).rev() {
            order.swap(i, random.below(i as u32 + 1) as usize);
        }
        loss = 0.0;
        for (i, batch) in order.chunks(BATCH).enumerate() {
            for &index in batch {
                loss += student.look(&samples[index as usize], &scale, meaning);
            }
            let left = 1.0 - (epoch * batches + i) as f32 / (EPOCHS * batches) as f32;
            student.step(RATE * left.max(0.01), batch.len());
        }
        loss /= samples.len() as f64;
    }
    (scale.undo(&student.network), loss)
}

/// Brings figures to about the same size; those that every position tells are also centred.
struct Scale<const I: usize> {
    mean: [f32; I],
    /// One by the standard deviation.
    factor: [f32; I],
}

impl<const I: usize> Scale<I> {
    fn of(samples: &[Sample]) -> Self {
        let (mut sum, mut squares, mut number) = ([0.0_f64; I], [0.0_f64; I], [0_usize; I]);
        for &(i, value) in samples.iter().flat_map(|sample| &sample.figures) {
            sum[i as usize] += f64::from(value);
            squares[i as usize] += f64::from(value).powi(2);
            number[i as usize] += 1;
        }
        let n = samples.len() as f64;
        let mean: [f64; I] = std::array::from_fn(|i| if number[i] == samples.len() { sum[i] / n } else { 0.0 });
        Scale {
            mean: mean.map(|mean| mean as f32),
            factor: std::array::from_fn(|i| {
                let variance = squares[i] / n - mean[i].powi(2);
                if variance > 1e-6 { (1.0 / variance.sqrt()) as f32 } else { 0.0 }
            }),
        }
    }

    #[inline]
    fn apply(&self, (i, value): (u16, f32)) -> (usize, f32) {
        (i as usize, (value - self.mean[i as usize]) * self.factor[i as usize])
    }

    /// The network that answers to bare figures as `network` does to scaled ones.
    fn undo<const H: usize>(&self, network: &Network<I, H>) -> Network<I, H> {
        let mut bare = network.clone();
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

/// A network that learns, with the slopes of the batch and their running means (Adam).
struct Student<const I: usize, const H: usize> {
    network: Box<Network<I, H>>,
    slopes: Box<Network<I, H>>,
    means: Box<Network<I, H>>,
    squares: Box<Network<I, H>>,
    steps: i32,
}

impl<const I: usize, const H: usize> Student<I, H> {
    fn new(seed: u64) -> Self {
        let blank = || Box::new(Network::blank());
        let mut network: Box<Network<I, H>> = blank();
        let mut random = Random::new(seed);
        let mut uniform = |most: f32| ((random.next() >> 40) as f32 / (1 << 23) as f32 - 1.0) * most;
        let most = (6.0 / (I + H) as f32).sqrt();
        network.hidden.iter_mut().flatten().for_each(|weight| *weight = uniform(most));
        network.output.iter_mut().for_each(|weight| *weight = uniform(0.3));
        Student { network, slopes: blank(), means: blank(), squares: blank(), steps: 0 }
    }

    /// Adds the slopes of the loss of one sample; returns the loss.
    fn look(&mut self, sample: &Sample, scale: &Scale<I>, meaning: Answer) -> f64 {
        let (network, slopes) = (&*self.network, &mut *self.slopes);
        let mut units = network.bias;
        let mut answer = network.start;
        for (i, value) in sample.figures.iter().map(|&figure| scale.apply(figure)) {
            answer += network.direct[i] * value;
            for h in 0..H {
                units[h] += value * network.hidden[i][h];
            }
        }
        answer += (0..H).map(|h| units[h].max(0.0) * network.output[h]).sum::<f32>();
        let (error, loss) = match meaning {
            Answer::Odds => {
                let (chance, target) = (1.0 / (1.0 + (-answer).exp()), sample.target);
                let surprise = -target * chance.max(1e-6).ln() - (1.0 - target) * (1.0 - chance).max(1e-6).ln();
                (chance - target, surprise)
            }
            Answer::Number => (answer - sample.target, (answer - sample.target).powi(2)),
        };
        let error = error * sample.weight;
        slopes.start += error;
        for h in 0..H {
            let active = if units[h] > 0.0 { error } else { 0.0 };
            slopes.output[h] += active * units[h];
            units[h] = active * network.output[h];
            slopes.bias[h] += units[h];
        }
        for (i, value) in sample.figures.iter().map(|&figure| scale.apply(figure)) {
            slopes.direct[i] += error * value;
            for h in 0..H {
                slopes.hidden[i][h] += value * units[h];
            }
        }
        f64::from(loss * sample.weight)
    }

    /// Goes down the slopes of a batch.
    fn step(&mut self, rate: f32, batch: usize) {
        self.steps += 1;
        let (first, second) = (1.0 - 0.9_f32.powi(self.steps), 1.0 - 0.999_f32.powi(self.steps));
        let all = numbers(&mut self.network)
            .zip(numbers(&mut self.slopes))
            .zip(numbers(&mut self.means).zip(numbers(&mut self.squares)));
        for ((weight, sum), (mean, square)) in all {
            let slope = *sum / batch as f32 + DECAY * *weight;
            *sum = 0.0;
            *mean += 0.1 * (slope - *mean);
            *square += 0.001 * (slope * slope - *square);
            *weight -= rate * (*mean / first) / ((*square / second).sqrt() + 1e-8);
        }
    }
}

/// All weights of a network.
fn numbers<const I: usize, const H: usize>(network: &mut Network<I, H>) -> impl Iterator<Item = &mut f32> {
    let Network { hidden, bias, output, direct, start } = network;
    hidden.as_flattened_mut().iter_mut().chain(bias).chain(output).chain(direct).chain(std::iter::once(start))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether just one of two figures is large: no weighted sum of them tells that.
    fn either_or() -> Vec<Sample> {
        let mut random = Random::new(7);
        let mut figure = || random.below(1000) as f32 / 10.0;
        (0..4000)
            .map(|_| {
                let (a, b) = (figure(), figure());
                let target = f32::from(u8::from((a > 50.0) != (b > 50.0)));
                Sample { figures: vec![(0, a), (1, b)], target, weight: 1.0, turn: 0 }
            })
            .collect()
    }

    #[test]
    fn a_network_learns_what_no_sum_can_tell() {
        let samples = either_or();
        let (network, loss) = learn::<2, 8>(&samples, Answer::Odds, 1);
        assert!(loss < 0.3, "{loss}");
        let right =
            samples.iter().filter(|sample| (network.answer_to(&sample.figures) > 0.0) == (sample.target > 0.5)).count();
        assert!(right > samples.len() * 9 / 10, "{right} of {}", samples.len());
    }

    #[test]
    fn a_number_is_learnt_as_it_is() {
        let mut samples = either_or();
        samples
            .iter_mut()
            .for_each(|sample| sample.target = 0.3 + 0.01 * sample.figures[0].1 - 0.02 * sample.figures[1].1);
        let (network, _) = learn::<2, 8>(&samples, Answer::Number, 1);
        for sample in &samples[..100] {
            assert!((network.answer_to(&sample.figures) - sample.target).abs() < 0.25);
        }
    }

    #[test]
    fn the_same_seed_gives_the_same_network() {
        let samples = either_or();
        let twice = [1, 1, 2].map(|seed| learn::<2, 8>(&samples, Answer::Odds, seed).0);
        assert_eq!(twice[0], twice[1]);
        assert_ne!(twice[0], twice[2]);
    }
}
