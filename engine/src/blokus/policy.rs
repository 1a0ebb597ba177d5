//! Which moves look good before any is searched: a learnt sum over the squares that a piece covers and opens.
//!
//! What a square means depends on who could reach it in how few steps; these are one number, its state. The weights of
//! a position's squares are looked up once, and a move is then the sum of a dozen of them. They are logarithms of odds:
//! the policy gives each move a probability (softmax).

use super::board::{Board, EMPTY};
use super::policy_weights::POLICY;
use super::shapes::{ORIENTATION, ORIENTATIONS, SHAPES, SIZE};
use super::{Blokus, PASS, placement};
use crate::game::Move;
use std::cell::Cell;

/// Times of the game that have weights of their own.
const PHASES: usize = 5;
/// The turn at which each phase but the first begins.
const BEGINS: [u8; PHASES - 1] = [12, 24, 36, 52];
/// States of a square: steps of the own colour (4 classes), of the next (5) and the last one (5), and of the partner (3).
const STATES: usize = 4 * 5 * 5 * 3;
/// Distances from the middle of the board.
const RINGS: usize = SIZE / 2;

const SHAPE: usize = 0;
const COVERED: usize = SHAPE + PHASES * SHAPES;
const OPENED: usize = COVERED + PHASES * STATES;
const COVERED_RING: usize = OPENED + PHASES * STATES;
const OPENED_RING: usize = COVERED_RING + PHASES * RINGS;
const LOST: usize = OPENED_RING + PHASES * RINGS;
/// Number of weights.
pub const WEIGHTS: usize = LOST + PHASES;

/// The weights, in thousandths.
pub type Policy = [i16; WEIGHTS];

thread_local! {
    static CURRENT: Cell<&'static Policy> = const { Cell::new(&POLICY) };
}

/// Makes this thread judge moves by `policy`.
pub fn use_policy(policy: &'static Policy) {
    CURRENT.set(policy);
}

/// The policy that knows nothing but to lay large pieces first.
pub fn blank() -> Policy {
    let mut policy = [0; WEIGHTS];
    for i in 0..PHASES * SHAPES {
        policy[SHAPE + i] = 1000 * i16::from(super::shapes::SQUARES[i % SHAPES]);
    }
    policy
}

/// Columns of a table of squares; it has a frame around the board, and more rows than any piece reaches.
const STRIDE: usize = 32;
const SLOTS: usize = STRIDE * (SIZE + 7);

/// Where in a table the squares of an orientation lie, counted from its top left, one row and column off the box.
struct Outline {
    covers: [u16; 5],
    opens: [u16; 10],
    opened: u8,
}

static OUTLINES: [Outline; ORIENTATIONS] = {
    let mut all = [const { Outline { covers: [0; 5], opens: [0; 10], opened: 0 } }; ORIENTATIONS];
    let mut i = 0;
    while i < ORIENTATIONS {
        let mut cell = 0;
        while cell < ORIENTATION[i].size as usize {
            let (x, y) = ORIENTATION[i].cells[cell];
            all[i].covers[cell] = ((y as usize + 1) * STRIDE + x as usize + 1) as u16;
            cell += 1;
        }
        let mut square = 0;
        while square < 49 {
            if ORIENTATION[i].opens[square / 7] >> (square % 7) & 1 == 1 {
                all[i].opens[all[i].opened as usize] = (square / 7 * STRIDE + square % 7) as u16;
                all[i].opened += 1;
            }
            square += 1;
        }
        i += 1;
    }
    all
};

/// What the policy needs to know of a position, computed once for all its moves.
pub struct Context {
    covered: [i16; SLOTS],
    opened: [i16; SLOTS],
    shapes: &'static [i16],
    lost: i32,
    /// The connecting squares of the colour to move, with a row above and rows below the board.
    corners: [u32; SIZE + 6],
}

/// The connecting squares that a colour gives up because they are beside the piece.
#[inline]
fn lost_corners(corners: &[u32; SIZE + 6], index: usize, x: usize, y: usize) -> u32 {
    let closes = &ORIENTATION[index].closes;
    (0..7).map(|row| (u64::from(closes[row]) << x & u64::from(corners[y + row]) << 1).count_ones()).sum()
}

#[inline]
fn framed(board: &Board) -> [u32; SIZE + 6] {
    let mut framed = [0; SIZE + 6];
    framed[1..=SIZE].copy_from_slice(board);
    framed
}

/// Where a placement begins in a table of squares, and its orientation; nonsense stays inside of the table.
#[inline]
fn outline(m: Move) -> (usize, usize, usize, usize) {
    let (index, x, y) = placement(m);
    (index.min(ORIENTATIONS - 1), x, y, y * STRIDE + x)
}

impl Blokus {
    fn phase(&self) -> usize {
        BEGINS.iter().filter(|&&turn| self.turn >= turn).count()
    }

    /// Visits the squares where the colour to move may lay: place in a table, state, distance from the middle.
    #[inline]
    fn for_each_state(&self, mut visit: impl FnMut(usize, usize, usize)) {
        let reach = self.reach();
        let color = self.color();
        let free = self.room(color).free;
        let [own, next, partner, last] = [0, 1, 2, 3].map(|step| &reach[(color + step) & 3]);
        for y in 0..SIZE {
            let planes = [
                (75, own[0][y]),
                (75, own[2][y]),
                (75, own[6][y]),
                (15, next[0][y]),
                (15, next[1][y]),
                (15, next[3][y]),
                (15, next[6][y]),
                (3, last[0][y]),
                (3, last[1][y]),
                (3, last[3][y]),
                (3, last[6][y]),
                (1, partner[0][y]),
                (1, partner[2][y]),
            ];
            let mut left = free[y];
            while left != 0 {
                let x = left.trailing_zeros() as usize;
                left &= left - 1;
                // The planes of a colour contain one another, so their number is the class of its steps.
                let reached: u32 = planes.iter().map(|&(weight, row)| weight * (row >> x & 1)).sum();
                let ring = (2 * x + 1).abs_diff(SIZE).max((2 * y + 1).abs_diff(SIZE)) / 2;
                visit((y + 1) * STRIDE + x + 1, STATES - 1 - reached as usize, ring);
            }
        }
    }

    fn own_corners(&self) -> Board {
        if self.verdict == 0 { self.room(self.color()).corners } else { EMPTY }
    }

    pub(super) fn policy_context(&self) -> Context {
        let policy = CURRENT.get();
        let phase = self.phase();
        let mut context = Context {
            covered: [0; SLOTS],
            opened: [0; SLOTS],
            shapes: &policy[SHAPE + phase * SHAPES..SHAPE + (phase + 1) * SHAPES],
            lost: policy[LOST + phase].into(),
            corners: framed(&self.own_corners()),
        };
        self.for_each_state(|slot, state, ring| {
            context.covered[slot] =
                policy[COVERED + phase * STATES + state].saturating_add(policy[COVERED_RING + phase * RINGS + ring]);
            context.opened[slot] =
                policy[OPENED + phase * STATES + state].saturating_add(policy[OPENED_RING + phase * RINGS + ring]);
        });
        context
    }

    /// The logarithm of the odds that a move is the best one, in thousandths; only differences count.
    #[inline]
    pub(super) fn policy_score(&self, context: &Context, m: Move) -> i32 {
        if m == PASS {
            return -100_000;
        }
        let (index, x, y, base) = outline(m);
        let shape = ORIENTATION[index].shape as usize;
        let outline = &OUTLINES[index];
        let mut sum = i32::from(context.shapes[shape]);
        for &at in &outline.covers[..ORIENTATION[index].size as usize] {
            sum += i32::from(context.covered[base + at as usize]);
        }
        for &at in &outline.opens[..outline.opened as usize] {
            sum += i32::from(context.opened[base + at as usize]);
        }
        sum + context.lost * lost_corners(&context.corners, index, x, y) as i32
    }

    /// For each of `moves` the numbers of the weights that `policy_score` adds up, to learn from.
    pub fn policy_features(&self, moves: &[Move]) -> Vec<Vec<u16>> {
        let phase = self.phase();
        let (mut states, mut rings) = ([usize::MAX; SLOTS], [0; SLOTS]);
        self.for_each_state(|slot, state, ring| (states[slot], rings[slot]) = (state, ring));
        let corners = framed(&self.own_corners());
        let features = |&m: &Move| {
            let (index, x, y, base) = outline(m);
            let outline = &OUTLINES[index];
            let mut list = vec![(SHAPE + phase * SHAPES + ORIENTATION[index].shape as usize) as u16];
            let covers =
                outline.covers[..ORIENTATION[index].size as usize].iter().map(|at| (at, COVERED, COVERED_RING));
            let opens = outline.opens[..outline.opened as usize].iter().map(|at| (at, OPENED, OPENED_RING));
            for (at, of_state, of_ring) in covers.chain(opens) {
                let slot = base + *at as usize;
                if states[slot] != usize::MAX {
                    list.push((of_state + phase * STATES + states[slot]) as u16);
                    list.push((of_ring + phase * RINGS + rings[slot]) as u16);
                }
            }
            list.extend((0..lost_corners(&corners, index, x, y)).map(|_| (LOST + phase) as u16));
            list
        };
        moves.iter().map(features).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Position;
    use crate::random::Random;
    use crate::search::Searchable;

    #[test]
    fn a_move_scores_the_sum_of_its_features() {
        let mut random = Random::new(3);
        let weights: &'static Policy = Box::leak(Box::new(std::array::from_fn(|_| random.below(2000) as i16 - 1000)));
        use_policy(weights);
        for rules in 0..4 {
            let mut position = Blokus::start(rules, 12);
            let mut moves = Vec::new();
            loop {
                moves.clear();
                position.moves(&mut moves);
                if moves.is_empty() {
                    break;
                }
                let context = position.context();
                for (&m, features) in moves.iter().zip(position.policy_features(&moves)) {
                    let sum: i32 = features.iter().map(|&i| i32::from(weights[i as usize])).sum();
                    assert_eq!(position.order_score(&context, m), sum, "{}", position.format_move(m));
                }
                position = position.play(moves[random.below(moves.len() as u32) as usize]);
            }
        }
    }
}
