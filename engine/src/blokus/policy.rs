//! Which moves look good before any is searched: a learnt sum over the squares that a piece covers and opens.
//!
//! What a square means depends on who could reach it in how few steps; these are one number, its state. The weights of
//! a position's squares are looked up once, and a move is then the sum of a dozen of them. They are logarithms of odds:
//! the policy gives each move a probability (softmax).

use super::board::{Board, EMPTY, Runs, rows_of};
use super::policy_weights::POLICY;
use super::shapes::{FIRST, ORIENTATION, ORIENTATIONS, SHAPES, SIZE};
use super::{Blokus, PASS, coded, placement};
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
const SLOTS: usize = 1024;
const _: () = assert!(SLOTS >= STRIDE * (SIZE + 7));
/// Where the weights of the squares that a piece opens begin in a context, behind those of the squares that it covers.
const OPENS: usize = SLOTS;
/// Where nothing but zeros are.
const NOTHING: usize = 2 * SLOTS;
/// Power of two, so that no index needs a check.
const TABLE: usize = 4 * SLOTS;

/// Where in a table the squares of an orientation lie, counted from its top left, one row and column off the box.
struct Outline {
    /// The squares that it covers (the first five) and those that it opens; `NOTHING` fills the rest.
    squares: [u16; 15],
    /// The squares beside the piece: seven rows, two in each number.
    closes: [u64; 4],
}

static OUTLINES: [Outline; ORIENTATIONS] = {
    let mut all = [const { Outline { squares: [NOTHING as u16; 15], closes: [0; 4] } }; ORIENTATIONS];
    let mut i = 0;
    while i < ORIENTATIONS {
        let mut cell = 0;
        while cell < ORIENTATION[i].size as usize {
            let (x, y) = ORIENTATION[i].cells[cell];
            all[i].squares[cell] = ((y as usize + 1) * STRIDE + x as usize + 1) as u16;
            cell += 1;
        }
        let (mut square, mut opened) = (0, 5);
        while square < 49 {
            if ORIENTATION[i].opens[square / 7] >> (square % 7) & 1 == 1 {
                all[i].squares[opened] = (OPENS + square / 7 * STRIDE + square % 7) as u16;
                opened += 1;
            }
            square += 1;
        }
        let mut row = 0;
        while row < 7 {
            all[i].closes[row / 2] |= (ORIENTATION[i].closes[row] as u64) << (row % 2 * 32);
            row += 1;
        }
        i += 1;
    }
    all
};

/// What the policy needs to know of a position, computed once for all its moves.
pub struct Context {
    /// The weight of each square if it is covered; from `OPENS` on, if it is opened.
    squares: [i16; TABLE],
    shapes: &'static [i16],
    lost: i32,
    corners: Framed,
}

impl Context {
    #[inline(always)]
    fn score_of(&self, index: usize, x: usize, y: usize) -> i32 {
        let (outline, base) = (&OUTLINES[index], y * STRIDE + x);
        let mut sum = self.lost * lost_corners(&self.corners, index, x, y) as i32;
        for at in outline.squares {
            sum += i32::from(self.squares[(base + at as usize) % TABLE]);
        }
        sum
    }
}

/// The connecting squares of a colour with a frame around the board: each row together with the one below it.
type Framed = [u64; SIZE + 6];

/// The connecting squares that a colour gives up because they are beside the piece.
#[inline(always)]
fn lost_corners(corners: &Framed, index: usize, x: usize, y: usize) -> u32 {
    let closes = &OUTLINES[index].closes;
    (0..4).map(|pair| (corners[y + 2 * pair] >> x & closes[pair]).count_ones()).sum()
}

#[inline(always)]
fn framed(board: &Board) -> Framed {
    let mut framed = [0; SIZE + 6];
    for y in 0..SIZE {
        framed[y] |= u64::from(board[y]) << 33;
        framed[y + 1] |= u64::from(board[y]) << 1;
    }
    framed
}

impl Blokus {
    fn phase(&self) -> usize {
        BEGINS.iter().filter(|&&turn| self.turn >= turn).count()
    }

    /// Visits the squares that a piece of the colour to move can cover or open: place in a table, state, distance from the
    /// middle of the board.
    #[inline(always)]
    fn for_each_state(&self, mut visit: impl FnMut(usize, usize, usize)) {
        let reach = self.reach();
        let color = self.color();
        let free = self.room(color).free;
        let [own, next, partner, last] = [0, 1, 2, 3].map(|step| &reach[(color + step) & 3]);
        // A piece of five squares ends four steps from where it connects, and opens the squares around.
        let covered = own[4];
        let sideways: Board = std::array::from_fn(|y| covered[y] | covered[y] << 1 | covered[y] >> 1);
        let near: Board = std::array::from_fn(|y| {
            let above = if y > 0 { sideways[y - 1] } else { 0 };
            let below = if y + 1 < SIZE { sideways[y + 1] } else { 0 };
            (above | sideways[y] | below) & free[y]
        });
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
            let mut left = near[y];
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

    #[inline(always)]
    pub(super) fn policy_context(&self) -> Context {
        let policy = CURRENT.get();
        let phase = self.phase();
        let mut context = Context {
            squares: [0; TABLE],
            shapes: &policy[SHAPE + phase * SHAPES..SHAPE + (phase + 1) * SHAPES],
            lost: policy[LOST + phase].into(),
            corners: framed(&self.own_corners()),
        };
        self.for_each_state(|slot, state, ring| {
            context.squares[slot] =
                policy[COVERED + phase * STATES + state].saturating_add(policy[COVERED_RING + phase * RINGS + ring]);
            context.squares[OPENS + slot] =
                policy[OPENED + phase * STATES + state].saturating_add(policy[OPENED_RING + phase * RINGS + ring]);
        });
        context
    }

    /// The logarithm of the odds that a move is the best one, in thousandths; only differences count.
    #[inline(always)]
    pub(super) fn policy_score(&self, context: &Context, m: Move) -> i32 {
        if m == PASS {
            return -100_000;
        }
        let (index, x, y) = placement(m);
        // Nonsense stays inside of the tables.
        let index = index.min(ORIENTATIONS - 1);
        i32::from(context.shapes[ORIENTATION[index].shape as usize]) + context.score_of(index, x, y)
    }

    /// Appends all moves with their scores, with the vector and bit instructions of this machine where it has them.
    pub(super) fn moves_with_scores(&self, list: &mut Vec<(i32, Move)>) {
        #[cfg(target_arch = "x86_64")]
        {
            #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
            fn fast(position: &Blokus, list: &mut Vec<(i32, Move)>) {
                position.plain_moves_with_scores(list);
            }
            if is_x86_feature_detected!("avx2")
                && is_x86_feature_detected!("bmi1")
                && is_x86_feature_detected!("bmi2")
                && is_x86_feature_detected!("popcnt")
            {
                // SAFETY: the machine has these instructions.
                return unsafe { fast(self, list) };
            }
        }
        self.plain_moves_with_scores(list);
    }

    #[inline(always)]
    fn plain_moves_with_scores(&self, list: &mut Vec<(i32, Move)>) {
        if self.verdict == 0 {
            let context = self.policy_context();
            let (room, mut shapes) = (self.room(self.color()), self.choice(self.color()));
            let runs = Runs::new(&room);
            // Loops and no closures: the compiler would not use the instructions of the caller in these.
            while shapes != 0 {
                let shape = shapes.trailing_zeros() as usize % SHAPES;
                shapes &= shapes - 1;
                let of_shape = i32::from(context.shapes[shape]);
                for index in FIRST[shape] as usize..FIRST[shape + 1] as usize {
                    let anchors = runs.anchors(&ORIENTATION[index]);
                    let mut rows = rows_of(&anchors);
                    while rows != 0 {
                        let y = rows.trailing_zeros() as usize % SIZE;
                        rows &= rows - 1;
                        let mut row = anchors[y];
                        while row != 0 {
                            let x = row.trailing_zeros() as usize;
                            row &= row - 1;
                            list.push((of_shape + context.score_of(index, x, y), coded(index, x, y)));
                        }
                    }
                }
            }
        }
    }

    /// For each of `moves` the numbers of the weights that `policy_score` adds up, to learn from.
    pub fn policy_features(&self, moves: &[Move]) -> Vec<Vec<u16>> {
        let phase = self.phase();
        let (mut states, mut rings) = ([usize::MAX; SLOTS], [0; SLOTS]);
        self.for_each_state(|slot, state, ring| (states[slot], rings[slot]) = (state, ring));
        let corners = framed(&self.own_corners());
        let features = |&m: &Move| {
            let (index, x, y) = placement(m);
            let mut list = vec![(SHAPE + phase * SHAPES + ORIENTATION[index].shape as usize) as u16];
            for at in OUTLINES[index].squares.map(usize::from).into_iter().filter(|&at| at < NOTHING) {
                let slot = y * STRIDE + x + at % SLOTS;
                let (of_state, of_ring) = if at < OPENS { (COVERED, COVERED_RING) } else { (OPENED, OPENED_RING) };
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
                let scored = |m| (position.order_score(&context, m), m);
                for list in [Blokus::moves_with_scores, Blokus::plain_moves_with_scores] {
                    let mut listed = Vec::new();
                    list(&position, &mut listed);
                    assert_eq!(listed, moves.iter().copied().map(scored).collect::<Vec<_>>());
                }
                position = position.play(moves[random.below(moves.len() as u32) as usize]);
            }
        }
    }
}
