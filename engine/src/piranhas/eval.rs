//! What a position of Piranhas is worth: unity, closeness, mobility, swarms, the round limit.

use super::lines::{BITS, CROSSINGS, ENTRIES, LINES, SIZE, STRIDE};
use super::swarms::{Swarms, grown, is_united, lowest};
use super::{LAST_TURN, Piranhas, bit, squares, weights_2019, weights_2026, weights_2026_official};
use crate::game::Move;
use crate::network::{self, Features};
use crate::search::{Searchable, score_of_odds};
use std::cell::Cell;

/// Features of one team.
const OF_TEAM: usize = 18;
/// Features of a position: of the side to move, of the other side, and of both.
pub const FEATURES: usize = 2 * OF_TEAM + 3;
/// Hidden units.
pub const HIDDEN: usize = 16;
/// The network that evaluates a position.
pub type Network = network::Network<FEATURES, HIDDEN>;

thread_local! {
    static NETWORKS: Cell<[&'static Network; 4]> = const { Cell::new(LEARNT) };
}

/// What was learnt for each rule set; those of 2019 hardly differ.
const LEARNT: [&Network; 4] =
    [&weights_2019::NETWORK, &weights_2019::NETWORK, &weights_2026::NETWORK, &weights_2026_official::NETWORK];

/// Makes this thread evaluate positions of all rule sets with `network`.
pub fn use_network(network: &'static Network) {
    NETWORKS.set([network; 4]);
}

/// How near each square is to the middle, 0 to 4.
const CENTRE: [i8; BITS] = {
    let mut centre = [0; BITS];
    let mut i = 0;
    while i < SIZE * SIZE {
        let (x, y) = (i % SIZE, i / SIZE);
        let (dx, dy) = (if x < 5 { x } else { 9 - x }, if y < 5 { y } else { 9 - y });
        centre[y * STRIDE + x] = if dx < dy { dx as i8 } else { dy as i8 };
        i += 1;
    }
    centre
};

/// The squares of each ring, from the border (0) to the middle (4).
const RINGS: [u128; 5] = {
    let mut rings = [0; 5];
    let mut square = 0;
    while square < BITS {
        if square % STRIDE < SIZE {
            rings[CENTRE[square] as usize] |= 1 << square;
        }
        square += 1;
    }
    rings
};

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
    fn add_team_features(&self, team: usize, moves: u32, captures: u32, first: usize, to: &mut impl Features) {
        let fish = self.fish[team];
        let number = fish.count_ones() as f32;
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
        let (x, y) = (PLACES.0.sum(fish) / n, PLACES.1.sum(fish) / n);
        let spread = PLACES.2.sum(fish) / n - x * x - y * y;
        let centre: u32 = (1..5).map(|ring| ring as u32 * (fish & RINGS[ring]).count_ones()).sum();
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
            self.weight(fish) as f32,
            swarms as f32,
            largest as f32,
            outside,
            outside / n,
            far as f32,
            further as f32,
            spread,
            spread.max(0.0).sqrt(),
            (x - 4.5).abs().max((y - 4.5).abs()),
            centre as f32 / n,
            (fish & RINGS[0]).count_ones() as f32,
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

    /// Adds all features of the position.
    #[inline]
    pub fn add_features(&self, to: &mut impl Features) {
        let entries = &**ENTRIES;
        let (mut moves, mut captures) = ([0; 2], [0; 2]);
        for line in 0..LINES {
            for team in 0..2 {
                let entry = self.entry(entries, line, team);
                moves[team] += entry.count();
                captures[team] += entry.captures();
            }
        }
        for square in squares(self.krakens) {
            for crossing in &CROSSINGS[square] {
                for team in 0..2 {
                    let entry = self.entry(entries, crossing.line as usize, team);
                    moves[team] -= Self::onto_kraken(entry, 1 << crossing.at);
                }
            }
        }
        let own = self.mover();
        for (i, team) in [own, 1 - own].into_iter().enumerate() {
            self.add_team_features(team, moves[team], captures[team], i * OF_TEAM, to);
        }
        to.add(2 * OF_TEAM, f32::from(self.turn) / f32::from(LAST_TURN));
        to.add(2 * OF_TEAM + 1, own as f32);
        let first = match self.first_union {
            0 => 0.0,
            first if first as usize == own + 1 => 1.0,
            _ => -1.0,
        };
        to.add(2 * OF_TEAM + 2, first);
    }
}

/// A number on each square, kept as the squares that have each of its binary digits: sums need no loop over squares.
struct Digits([u128; 8]);

impl Digits {
    const fn new(kind: usize) -> Self {
        let mut digits = [0; 8];
        let mut i = 0;
        while i < SIZE * SIZE * 8 {
            let (x, y, digit) = (i % SIZE, i / SIZE % SIZE, i / (SIZE * SIZE));
            let number = match kind {
                0 => x,
                1 => y,
                _ => x * x + y * y,
            };
            digits[digit] |= (number as u128 >> digit & 1) << (y * STRIDE + x);
            i += 1;
        }
        Digits(digits)
    }

    #[inline]
    fn sum(&self, set: u128) -> f32 {
        let sum: u32 = (0..8).map(|digit| (set & self.0[digit]).count_ones() << digit).sum();
        sum as f32
    }
}

/// Column, row, and the sum of their squares.
static PLACES: (Digits, Digits, Digits) = (Digits::new(0), Digits::new(1), Digits::new(2));

impl Searchable for Piranhas {
    const SCALE: f64 = 200.0;
    const MARGIN: i32 = 70;

    type Context = ();

    fn context(&self) {}

    fn evaluate(&self) -> i32 {
        score_of_odds::<Self>(NETWORKS.get()[self.rules as usize].output(|sum| self.add_features(sum)))
    }

    /// In the middle of a round somebody is united: the next move decides.
    fn is_unsettled(&self) -> bool {
        self.turn & 1 == 1 && (is_united(self.fish[0]) || is_united(self.fish[1]))
    }

    fn order_score(&self, (): &(), m: Move) -> i32 {
        let (from, to) = Self::squares_of(m);
        let own = self.fish[self.mover()] ^ bit(from);
        let company = |square: usize| (own & NEIGHBOURS[square]).count_ones() as i32;
        let eats = i32::from(self.fish[1 - self.mover()] >> to & 1 == 1);
        400 * (company(to) - company(from)) + 100 * i32::from(CENTRE[to] - CENTRE[from]) + 600 * eats
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Position;
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
                    assert_eq!(feature(13), position.mobility(team) as f32);
                    let alone = all().filter(|&square| fish & NEIGHBOURS[square] == 0).count();
                    assert_eq!(feature(16), alone as f32);
                    let captures = position.captures_one_by_one(team);
                    assert_eq!(feature(14), captures as f32);
                }
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
