//! How Blokus learns: network and policy together, from games of the tree search.

mod policy;

use super::Blokus;
use super::eval::Network;
use super::policy::{Policy, WEIGHTS, Weights};
use super::weights::CURRENT;
use crate::game::Position;
use crate::learning::self_play::Game;
use crate::learning::{self, Learning, network};
use crate::weights::file_of;

/// The weights of network and policy.
pub struct Learnt {
    network: Network,
    policy: Policy,
    weights: Box<Weights>,
}

impl Learnt {
    fn new(network: Network, weights: Box<Weights>) -> Self {
        Learnt { network, policy: Policy::new(&weights), weights }
    }
}

impl learning::Weights<Blokus> for Learnt {
    fn blank() -> Self {
        Learnt::new(Network::blank(), Box::new([0; WEIGHTS]))
    }

    fn learn(games: impl Iterator<Item = Game<Blokus>>, seed: u64) -> (Self, String) {
        let (mut samples, mut choices) = (Vec::new(), Vec::new());
        for game in games {
            samples.extend(game.samples());
            choices.extend(game.seen.into_iter().filter(|seen| !seen.visits.is_empty()));
        }
        choices.retain(|seen| seen.position.count_moves() > 1);
        let (network, of_network) = network::learn(samples, seed);
        let (policy, of_policy) = policy::learn(&choices, seed);
        (Learnt::new(network, policy), format!("{of_network}; {of_policy}"))
    }

    fn to_file(&self, origin: &str) -> Vec<u8> {
        file_of(&self.network, &*self.weights, origin)
    }
}

impl Learning for Blokus {
    type Weights = Learnt;

    const BY_TREE: bool = true;
    const OPENING: u32 = 6;
    const RESULT_WEIGHT: f32 = 0.75;

    fn use_weights(learnt: &'static Learnt) {
        CURRENT.set((&learnt.network, &learnt.policy));
    }
}
