//! Trains whatever has weights on samples, by stochastic gradient descent (Adam).

use crate::random::Random;

/// What has weights that can be learnt.
pub trait Model: Clone {
    /// What it learns from.
    type Sample;

    /// Its name in reports.
    const NAME: &'static str;
    /// How often each sample is seen.
    const EPOCHS: usize;
    /// How far a step goes at first.
    const RATE: f32;
    /// L2 weight decay.
    const DECAY: f32;

    /// All weights.
    fn rows(&mut self) -> Vec<&mut [f32]>;

    /// Adds the gradients of the loss on a sample. To be inlined always, for the instructions of `train`.
    fn add_gradients(&self, sample: &Self::Sample, gradients: &mut Self);

    /// How wrong the model is about a sample: the cross entropy.
    fn loss(&self, sample: &Self::Sample) -> f64;
}

/// How many samples are learnt at once.
const BATCH: usize = 64;
/// From so many samples on batches are larger, and each sample is seen half as often where it is seen often.
const MANY_SAMPLES: usize = 500_000;
const BATCH_OF_MANY: usize = 256;
const EPOCHS_OF_MANY: usize = 6;
/// One sample in so many is not learnt from, but used to measure: those of the last games.
const HELD_BACK: usize = 20;

/// The samples that are learnt from, and those that are held back.
pub fn split<S>(samples: &[S]) -> (&[S], &[S]) {
    samples.split_at(samples.len() - samples.len() / HELD_BACK)
}

/// Trains a model, and reports its loss on samples that are held back. The same samples and seed give the same weights.
pub fn train<M: Model>(model: &mut M, samples: &[M::Sample], seed: u64) -> String {
    let (learnt, held_back) = split(samples);
    let mean_loss =
        |model: &M| held_back.iter().map(|sample| model.loss(sample)).sum::<f64>() / held_back.len().max(1) as f64;
    let before = mean_loss(model);
    train_on(model, learnt, seed);
    let (name, after) = (M::NAME, mean_loss(model));
    format!("{name}: {} positions, loss {after:.4} on {} others, {before:.4} before", learnt.len(), held_back.len())
}

/// Trains with the vector instructions of this machine where it has them; none of them rounds differently.
fn train_on<M: Model>(model: &mut M, samples: &[M::Sample], seed: u64) {
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "avx2")]
        fn fast<M: Model>(model: &mut M, samples: &[M::Sample], seed: u64) {
            plain_train_on(model, samples, seed);
        }
        if is_x86_feature_detected!("avx2") {
            // SAFETY: the machine has these instructions.
            return unsafe { fast(model, samples, seed) };
        }
    }
    plain_train_on(model, samples, seed);
}

#[inline(always)]
fn plain_train_on<M: Model>(model: &mut M, samples: &[M::Sample], seed: u64) {
    let mut zeros = Box::new(model.clone());
    zeros.rows().into_iter().for_each(|row| row.fill(0.0));
    let (mut gradients, mut means, mut squares) = (zeros.clone(), zeros.clone(), zeros);
    let (epochs, size) = match samples.len() {
        ..MANY_SAMPLES => (M::EPOCHS, BATCH),
        _ => (M::EPOCHS.min(EPOCHS_OF_MANY), BATCH_OF_MANY),
    };
    let mut order: Vec<u32> = (0..samples.len() as u32).collect();
    let mut random = Random::new(seed ^ 0x5EED);
    let steps = epochs * samples.len().div_ceil(size);
    let mut number = 0;
    for _ in 0..epochs {
        for i in (1..order.len()).rev() {
            order.swap(i, random.below(i as u32 + 1) as usize);
        }
        for batch in order.chunks(size) {
            for &i in batch {
                model.add_gradients(&samples[i as usize], &mut gradients);
            }
            let left = 1.0 - number as f32 / steps as f32;
            number += 1;
            let step = Step::new(number, M::RATE * left.max(0.01), batch.len(), M::DECAY);
            let weights = model.rows().into_iter().zip(gradients.rows());
            for ((weights, sums), (means, squares)) in weights.zip(means.rows().into_iter().zip(squares.rows())) {
                step.apply(weights, sums, means, squares);
            }
        }
    }
}

/// One step of Adam.
struct Step {
    rate: f32,
    second: f32,
    /// One by the size of the batch.
    share: f32,
    decay: f32,
}

impl Step {
    /// A step at this rate after a batch; the first step has number 1.
    fn new(number: i32, rate: f32, batch: usize, decay: f32) -> Self {
        let (first, second) = (1.0 - 0.9_f32.powi(number), 1.0 - 0.999_f32.powi(number));
        Step { rate: rate / first, second: 1.0 / second, share: 1.0 / batch as f32, decay }
    }

    /// Changes weights by the sums of their gradients, which become zero, and by running means of the gradients and of
    /// their squares.
    #[inline(always)]
    fn apply(&self, weights: &mut [f32], sums: &mut [f32], means: &mut [f32], squares: &mut [f32]) {
        let all = weights.iter_mut().zip(sums).zip(means.iter_mut().zip(squares));
        for ((weight, sum), (mean, square)) in all {
            let gradient = *sum * self.share + self.decay * *weight;
            *sum = 0.0;
            *mean += 0.1 * (gradient - *mean);
            *square += 0.001 * (gradient * gradient - *square);
            *weight -= self.rate * *mean / ((*square * self.second).sqrt() + 1e-8);
        }
    }
}
