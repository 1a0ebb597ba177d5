//! What a position of Pinguine is worth: fish caught, who reaches which floes first, regions of one's own, mobility.

use super::{Pinguine, neighbours, slides};
use crate::encoding::bits;
use crate::game::Move;
use crate::learning::Learning;
use crate::network::{self, Featured, Features};
use crate::search::{Pruning, Searchable, score_of_odds};
use crate::weights::only_network;
use std::cell::Cell;

/// Features of one team.
const OF_TEAM: usize = 13;
/// Features of a position: of the side to move, of the other side, and of both.
pub const FEATURES: usize = 2 * OF_TEAM + 6;
/// Hidden units.
pub const HIDDEN: usize = 16;
/// The network that evaluates a position.
pub type Network = network::Network<FEATURES, HIDDEN>;

/// What was learnt.
static NETWORK: Network = only_network(include_bytes!("weights.bin"), "pinguine");

thread_local! {
    static CURRENT: Cell<&'static Network> = const { Cell::new(&NETWORK) };
}

/// The floes that the penguins of both teams reach.
struct Reach {
    /// Those that a team reaches in fewer steps from floe to floe than the other.
    sooner: [u64; 2],
    /// All that it can reach at all.
    all: [u64; 2],
}

impl Pinguine {
    #[inline(always)]
    fn reach(&self) -> Reach {
        let ice = self.ice();
        let mut all = [0; 2];
        let mut sooner = [0; 2];
        let mut edge = self.penguins;
        while edge[0] | edge[1] != 0 {
            let next: [u64; 2] = std::array::from_fn(|team| neighbours(edge[team]) & ice & !all[team]);
            for team in 0..2 {
                sooner[team] |= next[team] & !next[1 - team] & !all[1 - team];
            }
            all = [all[0] | next[0], all[1] | next[1]];
            edge = next;
        }
        Reach { sooner, all }
    }
}

impl Featured for Pinguine {
    #[inline(always)]
    fn add_features(&self, to: &mut impl Features) {
        let ice = self.ice();
        let reach = self.reach();
        let mover = self.team as usize;
        let mut targets = [0; 2];
        for (i, team) in [mover, 1 - mover].into_iter().enumerate() {
            let (mut moves, mut stuck, mut cramped) = (0, 0, 0);
            for from in bits(self.penguins[team]) {
                let slides = slides(from, ice);
                let number = slides.count_ones();
                targets[team] |= slides;
                moves += number;
                stuck += u32::from(number == 0);
                cramped += u32::from(number <= 3);
            }
            let (sooner, own) = (reach.sooner[team], reach.all[team] & !reach.all[1 - team]);
            let around = neighbours(self.penguins[team]) & ice;
            let counts = [
                u32::from(self.fish[team]),
                self.fish_on(sooner),
                sooner.count_ones(),
                self.fish_on(own),
                own.count_ones(),
                self.fish_on(reach.all[team]),
                moves,
                stuck,
                cramped,
                self.fish_on(targets[team]),
                (targets[team] & (self.floes[2] | self.floes[3])).count_ones(),
                around.count_ones(),
                self.penguins[team].count_ones(),
            ];
            for (k, count) in counts.into_iter().enumerate() {
                to.add(i * OF_TEAM + k, count as f32);
            }
        }
        let lead = f32::from(self.fish[mover]) - f32::from(self.fish[1 - mover]);
        let left = ice.count_ones() as f32;
        let both = targets[0] & targets[1];
        let features =
            [left, mover as f32, lead, lead / (left + 4.0), self.fish_on(both) as f32, self.fish_on(ice) as f32];
        for (k, feature) in features.into_iter().enumerate() {
            to.add(2 * OF_TEAM + k, feature);
        }
    }
}

/// What the order of moves depends on.
#[derive(Debug)]
pub struct Threats {
    ice: u64,
    /// The fields to which the opponent can slide.
    theirs: u64,
}

impl Searchable for Pinguine {
    const SCALE: f64 = 200.0;
    const MARGIN: i32 = 80;
    const PRUNING: Pruning = Pruning::BOLD;

    type Context = Threats;

    fn context(&self) -> Threats {
        let ice = self.ice();
        let theirs = bits(self.penguins[1 - self.team as usize]).fold(0, |all, from| all | slides(from, ice));
        Threats { ice, theirs }
    }

    fn evaluate(&self) -> i32 {
        score_of_odds::<Self>(CURRENT.get().output_of(self))
    }

    /// Many fish first, then floes that the opponent wants, then those from which much can be reached.
    fn order_score(&self, threats: &Threats, m: Move) -> i32 {
        let (_, to) = Self::fields_of(m);
        let bit = 1_u64 << to;
        let exits = (neighbours(bit) & threats.ice).count_ones() as i32;
        let wanted = i32::from(threats.theirs & bit != 0);
        let cuts_off = (neighbours(bit) & self.penguins[1 - self.team as usize]).count_ones() as i32;
        700 * self.fish_on(bit) as i32 + 150 * exits + 300 * wanted + 250 * cuts_off
    }
}

impl Learning for Pinguine {
    type Weights = Network;

    fn use_weights(network: &'static Network) {
        CURRENT.set(network);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Position;
    use crate::random::Random;

    /// Steps from floe to floe to each field, one by one.
    fn steps(position: &Pinguine, team: usize) -> [u32; 64] {
        let mut steps = [u32::MAX; 64];
        let mut queue: Vec<(usize, u32)> = bits(position.penguins[team]).map(|field| (field, 0)).collect();
        let mut i = 0;
        while i < queue.len() {
            let (field, number) = queue[i];
            i += 1;
            for to in bits(neighbours(1 << field) & position.ice()) {
                if steps[to] == u32::MAX {
                    steps[to] = number + 1;
                    queue.push((to, number + 1));
                }
            }
        }
        steps
    }

    #[test]
    fn features_are_what_they_say() {
        let mut random = Random::new(9);
        for _ in 0..40 {
            let mut position = Pinguine::start(0, &mut random);
            while let Some(m) = position.random_move(&mut random) {
                let mut features = Vec::new();
                position.add_features(&mut features);
                assert_eq!(features.len(), FEATURES);
                let mover = position.team as usize;
                let all = [steps(&position, 0), steps(&position, 1)];
                for (i, team) in [mover, 1 - mover].into_iter().enumerate() {
                    let feature = |k: usize| features[i * OF_TEAM + k].1 as usize;
                    let count = |which: &dyn Fn(usize) -> bool| (0..64).filter(|&field| which(field)).count();
                    assert_eq!(feature(2), count(&|field| all[team][field] < all[1 - team][field]));
                    let only = |field: usize| all[team][field] < u32::MAX && all[1 - team][field] == u32::MAX;
                    assert_eq!(feature(4), count(&only));
                    if !position.places(0) && !position.places(1) && team == mover {
                        assert_eq!(feature(6) as u64, position.count_moves());
                    }
                }
                assert_eq!(NETWORK.output_of(&position), NETWORK.plain_output_of(&position));
                position = position.play(m);
            }
        }
    }
}
