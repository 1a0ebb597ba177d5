//! Goes down gradients step by step (Adam).

/// One step.
pub struct Step {
    rate: f32,
    second: f32,
    /// One by the size of the batch.
    share: f32,
    /// L2 weight decay.
    decay: f32,
}

impl Step {
    /// A step at this rate after a batch; the first step has number 1.
    pub fn new(number: i32, rate: f32, batch: usize, decay: f32) -> Self {
        let (first, second) = (1.0 - 0.9_f32.powi(number), 1.0 - 0.999_f32.powi(number));
        Step { rate: rate / first, second: 1.0 / second, share: 1.0 / batch as f32, decay }
    }

    /// Changes weights by the sums of their gradients, which become zero, and by running means of the gradients and of
    /// their squares.
    pub fn apply(&self, weights: &mut [f32], sums: &mut [f32], means: &mut [f32], squares: &mut [f32]) {
        #[cfg(target_arch = "x86_64")]
        {
            #[target_feature(enable = "avx2")]
            fn fast(step: &Step, weights: &mut [f32], sums: &mut [f32], means: &mut [f32], squares: &mut [f32]) {
                step.plain_apply(weights, sums, means, squares);
            }
            if is_x86_feature_detected!("avx2") {
                // SAFETY: the machine has these instructions.
                return unsafe { fast(self, weights, sums, means, squares) };
            }
        }
        self.plain_apply(weights, sums, means, squares);
    }

    #[inline(always)]
    fn plain_apply(&self, weights: &mut [f32], sums: &mut [f32], means: &mut [f32], squares: &mut [f32]) {
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
