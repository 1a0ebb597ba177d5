//! What a position of Piranhas is worth: unity, closeness, mobility, swarms, the round limit.

use super::lines::{BITS, STRIDE};
use super::sums::CENTRE;
use super::swarms::{Swarms, grown, is_united, lowest};
use super::{LAST_TURN, Piranhas, bit};
use crate::game::Move;
use crate::learning::Learning;
use crate::network::{self, Featured, Features};
use crate::search::{Pruning, Searchable, score_of_odds};
use crate::weights::only_network;
use std::cell::Cell;

/// Features of one team.
const OF_TEAM: usize = 18;
/// Features of a position: of the side to move, of the other side, and of both.
pub const FEATURES: usize = 2 * OF_TEAM + 5;
/// Hidden units.
pub const HIDDEN: usize = 64;
/// The network that evaluates a position.
pub type Network = network::Network<FEATURES, HIDDEN>;

thread_local! {
    static NETWORK: Cell<&'static Network> = const { Cell::new(&LEARNT) };
}

/// What was learnt for all rule sets.
static LEARNT: Network = only_network(include_bytes!("weights.bin"), "piranhas");

/// The eight neighbours of each square.
static NEIGHBOURS: [u128; BITS] = {
    let mut all = [0; BITS];
    let mut square = 0;
    while square < BITS {
        all[square] = grown(bit(square)) & !bit(square);
        square += 1;
    }
    all
};

impl Piranhas {
    #[inline(always)]
    fn add_team_features(&self, team: usize, moves: u32, captures: u32, first: usize, to: &mut impl Features) {
        let (fish, sum) = (self.fish[team], self.sums.fish[team]);
        let number = sum.number() as f32;
        let row = fish << 1 | fish >> 1;
        let around = row | (row | fish) << STRIDE | (row | fish) >> STRIDE;
        // Fish without neighbour are swarms of their own; the others have to be gathered.
        let lonely = fish & !around;
        let heavy = [lonely & self.large, lonely & self.medium, lonely].into_iter().find(|&set| set != 0);
        let mut heaviest = lowest(heavy.unwrap_or(0));
        let (mut swarms, mut largest) = (lonely.count_ones(), self.weight(heaviest));
        for swarm in Swarms(fish & around) {
            swarms += 1;
            let weight = self.weight(swarm);
            if weight > largest {
                (largest, heaviest) = (weight, swarm);
            }
        }
        let near = grown(grown(heaviest));
        let (far, further) = ((fish & !near).count_ones(), (fish & !grown(near)).count_ones());
        let n = number.max(1.0);
        let (x, y) = (sum.x() as f32 / n, sum.y() as f32 / n);
        let spread = sum.squares() as f32 / n - x * x - y * y;
        // Pairs of neighbours, each once.
        let links = (fish & fish << 1).count_ones()
            + (fish & fish << STRIDE).count_ones()
            + (fish & fish << (STRIDE + 1)).count_ones()
            + (fish & fish << (STRIDE - 1)).count_ones();
        // Euler's number by squares of two by two: those with one fish, less those with three, less twice the diagonals.
        let (a, b, c, d) = (fish, fish << 1, fish << STRIDE, fish << (STRIDE + 1));
        let odd = a ^ b ^ c ^ d;
        let three = odd & ((a & b) | (c & d));
        let diagonals = (a & d & !b & !c) | (b & c & !a & !d);
        let euler =
            (odd.count_ones() as f32 - 2.0 * three.count_ones() as f32) / 4.0 - diagonals.count_ones() as f32 / 2.0;
        let outside = number - heaviest.count_ones() as f32;
        let features: [f32; OF_TEAM] = [
            number,
            sum.weight() as f32,
            swarms as f32,
            largest as f32,
            outside,
            outside / n,
            far as f32,
            further as f32,
            spread,
            spread.max(0.0).sqrt(),
            (x - 4.5).abs().max((y - 4.5).abs()),
            sum.centre() as f32 / n,
            sum.border() as f32,
            moves as f32,
            captures as f32,
            links as f32 / n,
            lonely.count_ones() as f32,
            euler,
        ];
        for (i, feature) in features.into_iter().enumerate() {
            to.add(first + i, feature);
        }
    }
}

impl Featured for Piranhas {
    #[inline(always)]
    fn add_features(&self, to: &mut impl Features) {
        let (moves, captures) = self.moves_and_captures();
        let own = self.mover();
        for (i, team) in [own, 1 - own].into_iter().enumerate() {
            self.add_team_features(team, moves[team], captures[team], i * OF_TEAM, to);
        }
        to.add(2 * OF_TEAM, f32::from(self.turn) / f32::from(LAST_TURN));
        to.add(2 * OF_TEAM + 1, own as f32);
        let first = match self.first_union {
            None => 0.0,
            Some(first) if first as usize == own => 1.0,
            Some(_) => -1.0,
        };
        to.add(2 * OF_TEAM + 2, first);
        let rules = self.rules();
        to.add(2 * OF_TEAM + 3, f32::from(u8::from(rules.weighted)));
        to.add(2 * OF_TEAM + 4, f32::from(u8::from(rules.union_beats_weight)));
    }
}

/// Whether a set has a square, without shifting 128 bits.
#[inline]
fn has(set: u128, square: usize) -> bool {
    let half = if square < 64 { set as u64 } else { (set >> 64) as u64 };
    half >> (square & 63) & 1 == 1
}

impl Searchable for Piranhas {
    const SCALE: f64 = 200.0;
    const MARGIN: i32 = 70;
    const PRUNING: Pruning = Pruning::BOLD;

    type Context = ();

    fn context(&self) {}

    fn evaluate(&self) -> i32 {
        score_of_odds::<Self>(NETWORK.get().output_of(self))
    }

    /// In the middle of a round somebody is united: the next move decides.
    fn is_unsettled(&self) -> bool {
        self.turn & 1 == 1 && (is_united(self.fish[0]) || is_united(self.fish[1]))
    }

    #[inline(always)]
    fn order_score(&self, (): &(), m: Move) -> i32 {
        let (from, to) = Self::squares_of(m);
        let (own, other) = (self.fish[self.mover()], self.fish[1 - self.mover()]);
        let company = |square: usize| (own & NEIGHBOURS[square]).count_ones() as i32;
        // The fish itself is no company on its new square.
        let company_gained = company(to) - i32::from(has(NEIGHBOURS[to], from)) - company(from);
        let eats = i32::from(has(other, to));
        400 * company_gained + 100 * i32::from(CENTRE[to] - CENTRE[from]) + 600 * eats
    }
}

impl Learning for Piranhas {
    type Weights = Network;

    fn use_weights(network: &'static Network) {
        NETWORK.set(network);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Position;
    use crate::piranhas::squares;
    use crate::random::Random;

    /// The features of a team, counted in a slow and simple way where there is one.
    #[test]
    fn features_are_what_they_say() {
        let mut random = Random::new(3);
        for game in 0..40 {
            let mut position = Piranhas::start(game % 4, &mut random);
            while let Some(m) = position.random_move(&mut random) {
                let mut features = Vec::new();
                position.add_features(&mut features);
                assert_eq!(features.len(), FEATURES);
                for (i, team) in [position.mover(), 1 - position.mover()].into_iter().enumerate() {
                    let feature = |k: usize| features[i * OF_TEAM + k].1;
                    let fish = position.fish[team];
                    assert_eq!(feature(0), fish.count_ones() as f32);
                    assert_eq!(feature(1), position.weight(fish) as f32);
                    assert_eq!(feature(2), Swarms(fish).count() as f32);
                    assert_eq!(feature(3), position.largest_swarm(team).0 as f32);
                    let (n, all) = (fish.count_ones() as f32, || squares(fish));
                    let x = all().map(|square| (square % STRIDE) as f32).sum::<f32>() / n;
                    let y = all().map(|square| (square / STRIDE) as f32).sum::<f32>() / n;
                    let spread = |s: usize| ((s % STRIDE) as f32 - x).powi(2) + ((s / STRIDE) as f32 - y).powi(2);
                    assert!((feature(8) - all().map(spread).sum::<f32>() / n).abs() < 1e-3);
                    let centre: f32 = all().map(|square| f32::from(CENTRE[square])).sum();
                    assert!((feature(11) - centre / n).abs() < 1e-3);
                    assert_eq!(feature(12), all().filter(|&square| CENTRE[square] == 0).count() as f32);
                    assert_eq!(feature(13), position.mobility(team) as f32);
                    let alone = all().filter(|&square| fish & NEIGHBOURS[square] == 0).count();
                    assert_eq!(feature(16), alone as f32);
                    let captures = position.captures_one_by_one(team);
                    assert_eq!(feature(14), captures as f32);
                }
                assert_eq!(LEARNT.output_of(&position), LEARNT.plain_output_of(&position));
                position = position.play(m);
            }
        }
    }

    impl Piranhas {
        fn captures_one_by_one(&self, team: usize) -> usize {
            let mut as_mover = *self;
            as_mover.turn = team as u8;
            let mut number = 0;
            as_mover.for_each_move(|m| number += usize::from(self.fish[1 - team] >> Self::squares_of(m).1 & 1 == 1));
            number
        }
    }
}
