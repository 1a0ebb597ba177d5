//! The learnt weights: those of the evaluation, and those by which moves are ordered.

use super::eval::Network;
use super::policy::{Policy, Weights};
use crate::weights::Reader;
use std::cell::Cell;

const fn read() -> (Network, Weights) {
    let mut reader = Reader::new(include_bytes!("weights.bin"), "blokus");
    let weights = (reader.network(), reader.integers());
    reader.end();
    weights
}

/// The network that evaluates positions.
pub static NETWORK: Network = read().0;

/// The policy that orders moves.
pub static POLICY: Policy = Policy::new(&read().1);

thread_local! {
    /// What this thread searches with.
    pub static CURRENT: Cell<(&'static Network, &'static Policy)> = const { Cell::new((&NETWORK, &POLICY)) };
}
