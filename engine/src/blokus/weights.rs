//! The learnt weights: those of the evaluation, and those by which moves are ordered.

use super::eval::Network;
use super::policy::Weights;
use crate::weights::Reader;

const fn read() -> (Network, Weights) {
    let mut reader = Reader::new(include_bytes!("weights.bin"));
    let weights = (reader.network(), reader.integers());
    reader.end();
    weights
}

/// The network that evaluates positions.
pub static NETWORK: Network = read().0;

/// The weights by which moves are ordered.
pub static POLICY_WEIGHTS: Weights = read().1;
