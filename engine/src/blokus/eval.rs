//! What a position of Blokus is worth: the expected final lead in points, and how much such a lead decides at this
//! time of the game.

use super::Blokus;
use super::board::{Board, EMPTY, beside, count};
use super::weights::{NETWORK, SPREAD};
use crate::network::{self, Featured, Features};
use crate::search::{DECIDED, Searchable};
use std::cell::Cell;

/// Features of one colour.
const OF_COLOR: usize = 15;
/// Features of a position: of the colours in the order of their turns, and the time.
pub const FEATURES: usize = 4 * OF_COLOR + 4;
/// Hidden units.
pub const HIDDEN: usize = 32;
/// The network that evaluates a position.
pub type Network = network::Network<FEATURES, HIDDEN>;

thread_local! {
    static CURRENT: Cell<&'static Network> = const { Cell::new(&NETWORK) };
    static SPREADS: Cell<&'static Spread> = const { Cell::new(&SPREAD) };
}

/// Makes this thread evaluate positions with `network`.
pub fn use_network(network: &'static Network, spread: &'static Spread) {
    CURRENT.set(network);
    SPREADS.set(spread);
}

/// The turns that have a spread of their own; between them it changes evenly.
pub const KNOTS: [u8; 9] = [6, 14, 22, 30, 38, 46, 54, 62, 72];

/// By how many points the lead at the end differs from what is expected (standard deviation), at each of the `KNOTS`.
pub type Spread = [f32; KNOTS.len()];

/// How many steps the reach of a colour is followed: one piece and a bit.
const STEPS: usize = 6;

/// How many of its standard deviations a lead must be to win three games of four.
const THREE_OF_FOUR: f32 = 0.6745;

/// The last knot but one at or before a turn, and how far the turn is on the way to the next one, from 0 to 1.
pub const fn knot_of(turn: u8) -> (usize, f32) {
    let mut knot = 0;
    while knot + 2 < KNOTS.len() && turn >= KNOTS[knot + 1] {
        knot += 1;
    }
    let (from, to) = (KNOTS[knot], KNOTS[knot + 1]);
    let turn = if turn < from { from } else { turn };
    let turn = if turn > to { to } else { turn };
    (knot, (turn - from) as f32 / (to - from) as f32)
}

/// By how many points the lead at the end differs from what is expected at a turn.
pub fn spread_at(spread: &Spread, turn: u8) -> f32 {
    let (knot, share) = knot_of(turn);
    spread[knot] * (1.0 - share) + spread[knot + 1] * share
}

/// The score of a lead of one point, where leads spread so much.
pub fn unit(spread: f32) -> f32 {
    Blokus::SCALE as f32 / (THREE_OF_FOUR * spread)
}

/// The standard deviation of errors, each given with its turn.
pub fn deviations(errors: impl Iterator<Item = (u8, f32)>) -> Spread {
    let (mut sums, mut numbers) = ([0.0; KNOTS.len()], [1e-9; KNOTS.len()]);
    for (turn, error) in errors {
        let (knot, share) = knot_of(turn);
        let nearest = knot + usize::from(share > 0.5);
        sums[nearest] += f64::from(error).powi(2);
        numbers[nearest] += 1.0;
    }
    std::array::from_fn(|i| (sums[i] / numbers[i]).sqrt() as f32)
}

/// What each colour reaches from its corners within 0 to `STEPS` steps.
pub(super) type Reach = [[Board; STEPS + 1]; 4];

impl Blokus {
    /// Whether a colour can still lay something, as far as is known.
    #[inline]
    fn plays(&self, color: usize) -> bool {
        self.out >> color & 1 == 0
    }

    /// What each colour reaches from its corners. To be inlined always, for the instructions of its callers.
    #[inline(always)]
    pub(super) fn reach(&self) -> Reach {
        let mut reach = [[EMPTY; STEPS + 1]; 4];
        for (color, boards) in reach.iter_mut().enumerate() {
            if !self.plays(color) || self.hands[color] == 0 {
                continue;
            }
            let room = self.room(color);
            boards[0] = room.corners;
            for step in 1..=STEPS {
                let next = beside(&boards[step - 1]);
                boards[step] = std::array::from_fn(|y| boards[step - 1][y] | next[y] & room.free[y]);
            }
        }
        reach
    }

    /// The lead of the side to move now.
    pub fn lead(&self) -> f32 {
        let team = self.color() & 1;
        (self.team_points(team) - self.team_points(1 - team)) as f32
    }
}

impl Featured for Blokus {
    #[inline(always)]
    fn add_features(&self, to: &mut impl Features) {
        let reach = self.reach();
        for step in 0..4 {
            let color = (self.color() + step) & 3;
            let boards = &reach[color];
            let in_hand = 89.0 - number(&self.boards[color]);
            let first = step * OF_COLOR;
            to.add(first, in_hand);
            if !self.plays(color) {
                to.add(first + 1, 1.0);
                continue;
            }
            let foes = [&reach[(color + 1) & 3], &reach[(color + 3) & 3]];
            let not_theirs = |step: usize| -> Board {
                std::array::from_fn(|y| boards[step][y] & !foes[0][step][y] & !foes[1][step][y])
            };
            // Squares that no opponent reaches in as few steps.
            let mut sooner = EMPTY;
            for step in 0..=STEPS {
                let own = not_theirs(step);
                sooner = std::array::from_fn(|y| sooner[y] | own[y]);
            }
            let (sooner, alone) = (number(&sooner), number(&not_theirs(STEPS)));
            let (corners, near, room, area) =
                (number(&boards[0]), number(&boards[2]), number(&boards[4]), number(&boards[STEPS]));
            let features = [
                self.hands[color].count_ones() as f32,
                (self.hands[color] & 1) as f32,
                corners,
                corners.sqrt(),
                near.sqrt(),
                room.sqrt(),
                area,
                area.sqrt(),
                area.min(2.0 * in_hand),
                sooner,
                sooner.sqrt(),
                alone,
                alone.sqrt(),
            ];
            for (i, feature) in features.into_iter().enumerate() {
                to.add(first + 2 + i, feature);
            }
        }
        let turn = f32::from(self.turn) / 80.0;
        let both = [turn, turn * turn, f32::from(self.rules & 1), f32::from(self.rules >> 1)];
        for (i, feature) in both.into_iter().enumerate() {
            to.add(4 * OF_COLOR + i, feature);
        }
    }
}

impl Blokus {
    /// How good the position is for the side to move.
    pub(super) fn expected_score(&self) -> i32 {
        let expected = self.lead() + CURRENT.get().output_of(self);
        ((expected * unit(spread_at(SPREADS.get(), self.turn))) as i32).clamp(1 - DECIDED, DECIDED - 1)
    }
}

#[inline]
fn number(board: &Board) -> f32 {
    count(board) as f32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blokus::shapes::SIZE;
    use crate::game::Position;
    use crate::random::Random;

    const FAR: usize = 99;

    /// In how many steps a colour reaches each square from its corners, counted in a slow and simple way.
    fn steps(position: &Blokus, color: usize) -> Vec<usize> {
        let mut steps = vec![FAR; SIZE * SIZE];
        if !position.plays(color) || position.hands[color] == 0 {
            return steps;
        }
        let room = position.room(color);
        let is_in = |board: &Board, square: usize| board[square / SIZE] >> (square % SIZE) & 1 == 1;
        for square in (0..SIZE * SIZE).filter(|&square| is_in(&room.corners, square)) {
            steps[square] = 0;
        }
        for step in 0..STEPS {
            for square in (0..SIZE * SIZE).filter(|&square| is_in(&room.free, square)) {
                let (x, y) = (square % SIZE, square / SIZE);
                let near = (0..SIZE * SIZE)
                    .any(|other| steps[other] == step && (other % SIZE).abs_diff(x) + (other / SIZE).abs_diff(y) == 1);
                if near && steps[square] == FAR {
                    steps[square] = step + 1;
                }
            }
        }
        steps
    }

    #[test]
    fn features_are_what_they_say() {
        let mut random = Random::new(5);
        for game in 0..4 {
            let mut position = Blokus::start(game, 12);
            while let Some(m) = position.random_move(&mut random) {
                let mut features = Vec::new();
                position.add_features(&mut features);
                let all: Vec<Vec<usize>> = (0..4).map(|color| steps(&position, color)).collect();
                for step in (0..4).filter(|step| position.plays((position.color() + step) & 3)) {
                    let color = (position.color() + step) & 3;
                    let feature = |k: usize| {
                        features
                            .iter()
                            .find(|feature| feature.0 as usize == step * OF_COLOR + k)
                            .map_or(0.0, |feature| feature.1)
                    };
                    let own = &all[color];
                    let foes = |square: usize| all[(color + 1) & 3][square].min(all[(color + 3) & 3][square]);
                    let count = |which: &dyn Fn(usize) -> bool| (0..SIZE * SIZE).filter(|&s| which(s)).count() as f32;
                    assert_eq!(feature(2), position.hands[color].count_ones() as f32);
                    assert_eq!(feature(4), count(&|square| own[square] == 0));
                    assert_eq!(feature(6), count(&|square| own[square] <= 2).sqrt());
                    assert_eq!(feature(8), count(&|square| own[square] <= STEPS));
                    assert_eq!(feature(11), count(&|square| own[square] <= STEPS && own[square] < foes(square)));
                    assert_eq!(feature(13), count(&|square| own[square] <= STEPS && foes(square) > STEPS));
                }
                position = position.play(m);
            }
        }
    }
}
