//! A small network that judges positions: figures, one hidden layer, one number.

/// Where the figures of a position go to: into a sum, or onto a list to learn from.
pub trait Figures {
    /// The figure with number `i` is `value`; figures that nobody tells of are nought.
    fn add(&mut self, i: usize, value: f32);
}

impl Figures for Vec<(u16, f32)> {
    fn add(&mut self, i: usize, value: f32) {
        self.push((i as u16, value));
    }
}

/// `I` figures go straight to the answer, and through `H` units that pass on what is above nought.
#[derive(Clone, Debug, PartialEq)]
pub struct Network<const I: usize, const H: usize> {
    /// What each figure adds to each hidden unit.
    pub hidden: [[f32; H]; I],
    /// What each hidden unit starts with.
    pub bias: [f32; H],
    /// What each hidden unit adds to the answer.
    pub output: [f32; H],
    /// What each figure adds to the answer by itself.
    pub direct: [f32; I],
    /// What the answer starts with.
    pub start: f32,
}

impl<const I: usize, const H: usize> Network<I, H> {
    /// A network that knows nothing: its answer is always nought.
    pub const fn blank() -> Self {
        Network { hidden: [[0.0; H]; I], bias: [0.0; H], output: [0.0; H], direct: [0.0; I], start: 0.0 }
    }

    /// The answer to the figures that `tell` adds.
    #[inline]
    pub fn answer(&self, tell: impl FnOnce(&mut Sum<I, H>)) -> f32 {
        let mut sum = Sum { network: self, units: self.bias, answer: self.start };
        tell(&mut sum);
        let passed: [f32; H] = std::array::from_fn(|h| sum.units[h].max(0.0) * self.output[h]);
        sum.answer + passed.iter().sum::<f32>()
    }

    /// The answer to a list of figures.
    pub fn answer_to(&self, figures: &[(u16, f32)]) -> f32 {
        self.answer(|sum| figures.iter().for_each(|&(i, value)| sum.add(i as usize, value)))
    }
}

/// A network at work: what it has made of the figures so far.
pub struct Sum<'a, const I: usize, const H: usize> {
    network: &'a Network<I, H>,
    units: [f32; H],
    answer: f32,
}

impl<const I: usize, const H: usize> Figures for Sum<'_, I, H> {
    #[inline]
    fn add(&mut self, i: usize, value: f32) {
        self.answer += value * self.network.direct[i];
        for (unit, weight) in self.units.iter_mut().zip(&self.network.hidden[i]) {
            *unit += value * weight;
        }
    }
}
