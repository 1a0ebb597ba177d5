//! Which moves look good before any is searched: a learnt sum over the squares that a piece covers and opens.
//!
//! What a square means depends on its state: who could reach it in how few steps, or whose piece lies there. Its weights
//! are looked up by its own state, and hidden units add what the states of the squares around it say (a convolution of five
//! by five squares, the same in all directions). This is done once for a position, and a move is then the sum of a dozen
//! weights. They are logarithms of odds: the policy gives each move a probability (softmax).

mod layout;
mod parts;
mod units;

pub use layout::{Policy, UNIT, UNIT_INPUT, UNIT_OUTPUT, WEIGHTS, Weights};
pub use parts::{Parts, Square, Squares};
pub use units::UNITS;

use super::board::{Board, EMPTY, Runs, rows_of};
use super::eval::Reach;
use super::shapes::{FIRST, ORIENTATION, ORIENTATIONS, SHAPES, SIZE};
use super::weights::CURRENT;
use super::{Blokus, PASS, coded, placement};
use crate::game::Move;
use layout::{BEGINS, CLASSES, FREE, ROWS, STATES};
use units::{Plain, Units};

/// Columns of a table of squares; it has a frame around the board, and more rows than any piece reaches.
const STRIDE: usize = 32;
/// Squares of a table; a power of two, and steps over its end come back at its beginning, off the board.
pub const SLOTS: usize = 1024;
const _: () = assert!(SLOTS >= STRIDE * (SIZE + 7));

/// The squares around a square, as steps in a table, by class: mirrors and turns of the board keep the class.
const AROUND: [&[isize]; CLASSES] = [
    &[0],
    &[-1, 1, -32, 32],
    &[-33, -31, 31, 33],
    &[-2, 2, -64, 64],
    &[-65, -63, -34, -30, 30, 34, 63, 65],
    &[-66, -62, 62, 66],
];

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
    shapes: &'static [i16; SHAPES],
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

    /// The squares that a piece of the colour to move can cover or open.
    #[inline(always)]
    fn near(&self, reach: &Reach) -> Board {
        let color = self.color();
        // A piece of five squares ends four steps from where it connects, and opens the squares around.
        let (covered, free) = (reach[color][4], self.room(color).free);
        let sideways: Board = std::array::from_fn(|y| covered[y] | covered[y] << 1 | covered[y] >> 1);
        std::array::from_fn(|y| {
            let above = if y > 0 { sideways[y - 1] } else { 0 };
            let below = if y + 1 < SIZE { sideways[y + 1] } else { 0 };
            (above | sideways[y] | below) & free[y]
        })
    }

    /// The state of every square, in a table of squares.
    #[inline(always)]
    fn states(&self, reach: &Reach) -> [u16; SLOTS] {
        let mut states = [0; SLOTS];
        let color = self.color();
        let free = self.room(color).free;
        let [own, next, partner, last] = [0, 1, 2, 3].map(|step| &reach[(color + step) & 3]);
        let pieces = [0, 1, 2, 3].map(|step| &self.boards[(color + step) & 3]);
        // Loops of fixed length over the columns, so that a few instructions do a whole row.
        const COLUMNS: usize = 24;
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
            // The planes of a colour contain one another, so their number is the class of its steps.
            let mut state = [STATES as u32 - 1; COLUMNS];
            for (weight, row) in planes {
                for x in 0..COLUMNS {
                    state[x] -= weight * (row >> x & 1);
                }
            }
            for x in 0..COLUMNS {
                let piece = (pieces[0][y] >> x & 1)
                    + 2 * (pieces[1][y] >> x & 1)
                    + 3 * (pieces[2][y] >> x & 1)
                    + 4 * (pieces[3][y] >> x & 1);
                let beside = 5 + (next[3][y] >> x & 1) + 2 * (last[3][y] >> x & 1) + 4 * (partner[2][y] >> x & 1);
                let other = if piece > 0 { piece } else { beside };
                state[x] = if free[y] >> x & 1 == 1 { state[x] } else { other };
            }
            for x in 0..SIZE {
                states[(y + 1) * STRIDE + x + 1] = state[x] as u16;
            }
        }
        states
    }

    fn own_corners(&self) -> Board {
        if self.verdict.is_none() { self.room(self.color()).corners } else { EMPTY }
    }

    #[inline(always)]
    pub(super) fn policy_context(&self) -> Context {
        let (_, policy) = CURRENT.get();
        #[cfg(target_arch = "x86_64")]
        {
            use crate::network::has_vectors;
            use units::avx2::Vector;
            #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
            fn fast(position: &Blokus, policy: &'static Policy) -> Context {
                position.context_by::<Vector>(policy)
            }
            if has_vectors() {
                // SAFETY: the machine has these instructions.
                return unsafe { fast(self, policy) };
            }
        }
        self.context_by::<Plain>(policy)
    }

    #[inline(always)]
    fn context_by<U: Units>(&self, policy: &'static Policy) -> Context {
        let phase = self.phase();
        let mut context = Context {
            squares: [0; TABLE],
            shapes: &policy.shapes[phase],
            lost: policy.lost[phase].into(),
            corners: framed(&self.own_corners()),
        };
        let reach = self.reach();
        let states = self.states(&reach);
        let near = self.near(&reach);
        for y in 0..SIZE {
            let mut left = near[y];
            while left != 0 {
                let x = left.trailing_zeros() as usize;
                left &= left - 1;
                let (slot, ring) = ((y + 1) * STRIDE + x + 1, ring_of(x, y));
                let mut units = U::new(&policy.unit_phases[phase]).plus(&policy.unit_rings[ring]);
                for (class, steps) in AROUND.iter().enumerate() {
                    for step in steps.iter() {
                        let state = states[slot.wrapping_add_signed(*step) % SLOTS] as usize;
                        units = units.plus(&policy.unit_states[class][state % ROWS]);
                    }
                }
                let outputs = units.products(&policy.outputs);
                let state = (states[slot] as usize).max(FREE) - FREE;
                for kind in 0..2 {
                    let weights = [policy.states[kind][phase][state], policy.rings[kind][phase][ring]];
                    let weight = i32::from(weights[0]) + i32::from(weights[1]) + outputs[kind] / UNIT;
                    context.squares[kind * OPENS + slot] = weight.clamp(-30_000, 30_000) as i16;
                }
            }
        }
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
        let (_, policy) = CURRENT.get();
        #[cfg(target_arch = "x86_64")]
        {
            use crate::network::has_vectors;
            use units::avx2::Vector;
            #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
            fn fast(position: &Blokus, policy: &'static Policy, list: &mut Vec<(i32, Move)>) {
                position.list_moves::<Vector>(policy, list);
            }
            if has_vectors() {
                // SAFETY: the machine has these instructions.
                return unsafe { fast(self, policy, list) };
            }
        }
        self.list_moves::<Plain>(policy, list);
    }

    #[inline(always)]
    fn list_moves<U: Units>(&self, policy: &'static Policy, list: &mut Vec<(i32, Move)>) {
        if self.verdict.is_none() {
            let context = self.context_by::<U>(policy);
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
}

/// The distance of a square from the middle of the board.
#[inline(always)]
fn ring_of(x: usize, y: usize) -> usize {
    (2 * x + 1).abs_diff(SIZE).max((2 * y + 1).abs_diff(SIZE)) / 2
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Position;
    use crate::random::Random;
    use crate::search::Searchable;

    #[test]
    fn a_move_scores_the_sum_of_its_parts() {
        let mut random = Random::new(3);
        let weights: Weights = std::array::from_fn(|_| random.below(400) as i16 - 200);
        let policy: &'static Policy = Box::leak(Box::new(Policy::new(&weights)));
        for rules in 0..4 {
            let mut position = Blokus::start(rules, 12);
            let mut moves = Vec::new();
            loop {
                moves.clear();
                position.moves(&mut moves);
                if moves.is_empty() {
                    break;
                }
                let context = position.context_by::<Plain>(policy);
                let squares = position.policy_squares();
                let (mut covered, mut opened) = ([0; SLOTS], [0; SLOTS]);
                for &square in &squares.list {
                    let mut units = [0_i32; UNITS];
                    for at in squares.unit_weights_of(square) {
                        (0..UNITS).for_each(|k| units[k] += i32::from(weights[at + k]));
                    }
                    let [of_covering, of_opening] = [0, UNITS].map(|first| {
                        let weight = |k: usize| units[k].max(0) * i32::from(weights[UNIT_OUTPUT + first + k]);
                        (0..UNITS).map(weight).sum::<i32>() / UNIT
                    });
                    let weights = squares.weights_of(square).map(|list| list.map(|i| i32::from(weights[i])));
                    covered[square.slot] = of_covering + weights[0].iter().sum::<i32>();
                    opened[square.slot] = of_opening + weights[1].iter().sum::<i32>();
                }
                for (&m, parts) in moves.iter().zip(position.policy_parts(&moves)) {
                    let sum = parts.weights.iter().map(|&i| i32::from(weights[i])).sum::<i32>()
                        + parts.covered.iter().map(|&slot| covered[slot]).sum::<i32>()
                        + parts.opened.iter().map(|&slot| opened[slot]).sum::<i32>();
                    assert_eq!(position.order_score(&context, m), sum, "{}", position.format_move(m));
                }
                let scored = |context: &Context, m: Move| (position.order_score(context, m), m);
                let mut listed = Vec::new();
                position.list_moves::<Plain>(policy, &mut listed);
                assert_eq!(listed, moves.iter().map(|&m| scored(&context, m)).collect::<Vec<_>>());
                // With the instructions of this machine, and with the policy in use.
                listed.clear();
                position.moves_with_scores(&mut listed);
                let context = position.context();
                assert_eq!(listed, moves.iter().map(|&m| scored(&context, m)).collect::<Vec<_>>());
                position = position.play(moves[random.below(moves.len() as u32) as usize]);
            }
        }
    }
}
