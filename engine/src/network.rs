//! A small network that evaluates positions: features in, one hidden layer, one number out.

/// Takes the features of a position: sums them up in a network, or lists them to learn from.
pub trait Features {
    /// Feature `i` has this `value`; features that are never added are zero.
    fn add(&mut self, i: usize, value: f32);
}

impl Features for Vec<(u16, f32)> {
    fn add(&mut self, i: usize, value: f32) {
        self.push((i as u16, value));
    }
}

/// `I` features go straight to the output and through `H` hidden units (ReLU).
#[derive(Clone, Debug, PartialEq)]
pub struct Network<const I: usize, const H: usize> {
    /// The weight of each feature in each hidden unit.
    pub hidden: [[f32; H]; I],
    /// The bias of each hidden unit.
    pub bias: [f32; H],
    /// The weight of each hidden unit in the output.
    pub output: [f32; H],
    /// The weight of each feature in the output, past the hidden layer.
    pub direct: [f32; I],
    /// The bias of the output.
    pub start: f32,
}

impl<const I: usize, const H: usize> Network<I, H> {
    /// A network with all weights zero.
    pub const fn blank() -> Self {
        Network { hidden: [[0.0; H]; I], bias: [0.0; H], output: [0.0; H], direct: [0.0; I], start: 0.0 }
    }

    /// The output for the features that `add_features` adds.
    #[inline]
    pub fn output(&self, add_features: impl FnOnce(&mut Sum<I, H>)) -> f32 {
        let mut sum = Sum { network: self, units: self.bias, output: self.start };
        add_features(&mut sum);
        let passed: [f32; H] = std::array::from_fn(|h| sum.units[h].max(0.0) * self.output[h]);
        sum.output + passed.iter().sum::<f32>()
    }

    /// The output for a list of features.
    pub fn output_for(&self, features: &[(u16, f32)]) -> f32 {
        self.output(|sum| features.iter().for_each(|&(i, value)| sum.add(i as usize, value)))
    }
}

/// The partial sums of a network while features are added.
pub struct Sum<'a, const I: usize, const H: usize> {
    network: &'a Network<I, H>,
    units: [f32; H],
    output: f32,
}

impl<const I: usize, const H: usize> Features for Sum<'_, I, H> {
    #[inline]
    fn add(&mut self, i: usize, value: f32) {
        self.output += value * self.network.direct[i];
        for (unit, weight) in self.units.iter_mut().zip(&self.network.hidden[i]) {
            *unit += value * weight;
        }
    }
}
