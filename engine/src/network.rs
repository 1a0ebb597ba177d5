//! A small network that evaluates positions: features in, one hidden layer, one number out.

use std::mem::MaybeUninit;

/// Takes the features of a position: lists them for a network, or to learn from.
pub trait Features {
    /// Feature `i` has this `value`; features that are never added are zero.
    fn add(&mut self, i: usize, value: f32);
}

/// A position that has features.
pub trait Featured {
    /// Adds all features, in no more calls than there are features; values of one feature add up.
    /// To be inlined always: `Network::output_of` compiles it twice.
    fn add_features(&self, to: &mut impl Features);
}

impl Features for Vec<(u16, f32)> {
    fn add(&mut self, i: usize, value: f32) {
        self.push((i as u16, value));
    }
}

/// `I` features go straight to the output and through `H` hidden units (ReLU).
#[derive(Clone, Debug, PartialEq)]
#[repr(align(64))]
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

/// Whether this machine has the vector and bit instructions that hot code is compiled for a second time.
#[cfg(target_arch = "x86_64")]
#[inline]
pub fn has_vectors() -> bool {
    is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("popcnt")
}

impl<const I: usize, const H: usize> Network<I, H> {
    /// A network with all weights zero.
    pub const fn blank() -> Self {
        Network { hidden: [[0.0; H]; I], bias: [0.0; H], output: [0.0; H], direct: [0.0; I], start: 0.0 }
    }

    /// The output for a position, with the vector and bit instructions of this machine where it has them: all of it is
    /// compiled twice. None of them rounds differently, so the result is the same everywhere.
    #[inline]
    pub fn output_of<P: Featured>(&self, position: &P) -> f32 {
        #[cfg(target_arch = "x86_64")]
        {
            #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
            fn fast<P: Featured, const I: usize, const H: usize>(network: &Network<I, H>, position: &P) -> f32 {
                network.plain_output_of(position)
            }
            if has_vectors() {
                // SAFETY: the machine has these instructions.
                return unsafe { fast(self, position) };
            }
        }
        self.plain_output_of(position)
    }

    /// The output for a position, with the instructions that every machine has.
    #[inline(always)]
    pub fn plain_output_of<P: Featured>(&self, position: &P) -> f32 {
        let mut list = FeatureList { features: [const { MaybeUninit::uninit() }; I], number: 0 };
        position.add_features(&mut list);
        self.output_for(list.features())
    }

    /// The output for a list of features.
    #[inline(always)]
    pub fn output_for(&self, features: &[(u16, f32)]) -> f32 {
        let (mut units, mut output) = (self.bias, self.start);
        for &(i, value) in features {
            let i = i as usize;
            output += value * self.direct[i];
            // Short arrays of fixed length, so that the sums stay in registers.
            for h in 0..H {
                units[h] += value * self.hidden[i][h];
            }
        }
        let mut passed: [f32; H] = std::array::from_fn(|h| units[h].max(0.0) * self.output[h]);
        // Halves are added until one number is left: always in the same order, and without waiting for each addition.
        let mut length = H;
        while length > 1 && length % 2 == 0 {
            length /= 2;
            for h in 0..length {
                passed[h] += passed[h + length];
            }
        }
        output + passed[..length].iter().sum::<f32>()
    }
}

/// The features of one position, in a buffer without an allocation.
struct FeatureList<const I: usize> {
    features: [MaybeUninit<(u16, f32)>; I],
    number: usize,
}

impl<const I: usize> FeatureList<I> {
    #[inline(always)]
    fn features(&self) -> &[(u16, f32)] {
        let filled = &self.features[..self.number];
        // SAFETY: `add` has written all features before `number`.
        unsafe { &*(std::ptr::from_ref(filled) as *const [(u16, f32)]) }
    }
}

impl<const I: usize> Features for FeatureList<I> {
    #[inline(always)]
    fn add(&mut self, i: usize, value: f32) {
        self.features[self.number].write((i as u16, value));
        self.number += 1;
    }
}
