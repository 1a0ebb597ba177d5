//! The weights of the policy: where each kind stands in one row of numbers, and their places for looking them up.

use super::units::{Row, UNITS};
use crate::blokus::shapes::{SHAPES, SIZE};

/// Times of the game that have weights of their own.
pub(super) const PHASES: usize = 5;
/// The turn at which each phase but the first begins.
pub(super) const BEGINS: [u8; PHASES - 1] = [12, 24, 36, 52];
/// States of a free square: steps of the own colour (4 classes), of the next (5) and the last one (5), and of the
/// partner (3).
pub(super) const FREE_STATES: usize = 4 * 5 * 5 * 3;
/// The first state of a free square. Before it are: off the board; pieces of the four colours in the order of turns, from
/// the own one on; squares beside an own piece, by who of the others is near (8).
pub(super) const FREE: usize = 1 + 4 + 8;
/// Classes of the squares around a square: mirrors and turns of the board keep the class.
pub(super) const CLASSES: usize = 6;
/// States of a square.
pub(super) const STATES: usize = FREE + FREE_STATES;
/// Distances from the middle of the board.
pub(super) const RINGS: usize = SIZE / 2;
// Where the weights of a kind begin: of shapes, of covering a square by its state and its distance from the middle, of
// opening it, and of giving up a connecting square.
pub(super) const SHAPE: usize = 0;
pub(super) const COVERED: usize = SHAPE + PHASES * SHAPES;
pub(super) const OPENED: usize = COVERED + PHASES * FREE_STATES;
pub(super) const COVERED_RING: usize = OPENED + PHASES * FREE_STATES;
pub(super) const OPENED_RING: usize = COVERED_RING + PHASES * RINGS;
pub(super) const LOST: usize = OPENED_RING + PHASES * RINGS;
// What makes up the hidden units: the phase, the distance from the middle, and the states of the squares around by class.
pub(super) const UNIT_PHASE: usize = LOST + PHASES;
pub(super) const UNIT_RING: usize = UNIT_PHASE + PHASES * UNITS;
pub(super) const UNIT_STATE: usize = UNIT_RING + RINGS * UNITS;
/// The weights of the hidden units begin here: of covering a square, and of opening it.
pub const UNIT_OUTPUT: usize = UNIT_STATE + CLASSES * STATES * UNITS;
/// The weights that add up to hidden units begin here.
pub const UNIT_INPUT: usize = UNIT_PHASE;
/// Number of weights.
pub const WEIGHTS: usize = UNIT_OUTPUT + 2 * UNITS;

/// The weights, in one row to learn them: in thousandths; what adds up to hidden units, in parts of `UNIT`.
pub type Weights = [i16; WEIGHTS];

/// A hidden unit of one.
pub const UNIT: i32 = 128;

/// Rows of the states of a class of squares; a power of two, so that no index needs a check.
pub(super) const ROWS: usize = STATES.next_power_of_two();

/// The weights, each kind in its place.
pub struct Policy {
    pub(super) shapes: [[i16; SHAPES]; PHASES],
    pub(super) lost: [i16; PHASES],
    /// Of covering a square, and of opening it.
    pub(super) states: [[[i16; FREE_STATES]; PHASES]; 2],
    pub(super) rings: [[[i16; RINGS]; PHASES]; 2],
    pub(super) outputs: [Row; 2],
    pub(super) unit_phases: [Row; PHASES],
    pub(super) unit_rings: [Row; RINGS],
    pub(super) unit_states: [[Row; ROWS]; CLASSES],
}

impl Policy {
    /// The policy with these weights.
    pub const fn new(weights: &Weights) -> Self {
        let blank = Row([0; UNITS]);
        let mut policy = Policy {
            shapes: [[0; SHAPES]; PHASES],
            lost: [0; PHASES],
            states: [[[0; FREE_STATES]; PHASES]; 2],
            rings: [[[0; RINGS]; PHASES]; 2],
            outputs: [blank; 2],
            unit_phases: [blank; PHASES],
            unit_rings: [blank; RINGS],
            unit_states: [[blank; ROWS]; CLASSES],
        };
        fill_phases(&mut policy.shapes, weights, SHAPE);
        fill(&mut policy.lost, weights, LOST);
        fill_phases(&mut policy.states[0], weights, COVERED);
        fill_phases(&mut policy.states[1], weights, OPENED);
        fill_phases(&mut policy.rings[0], weights, COVERED_RING);
        fill_phases(&mut policy.rings[1], weights, OPENED_RING);
        fill_rows(&mut policy.outputs, weights, UNIT_OUTPUT);
        fill_rows(&mut policy.unit_phases, weights, UNIT_PHASE);
        fill_rows(&mut policy.unit_rings, weights, UNIT_RING);
        let mut class = 0;
        while class < CLASSES {
            let (rows, _) = policy.unit_states[class].split_at_mut(STATES);
            fill_rows(rows, weights, UNIT_STATE + class * STATES * UNITS);
            class += 1;
        }
        policy
    }
}

/// Copies weights from a place on, all at once: number by number is slow for the compiler.
const fn fill(to: &mut [i16], weights: &Weights, from: usize) {
    assert!(from + to.len() <= weights.len());
    // SAFETY: so many weights are there, and they are not those of `to`.
    unsafe { std::ptr::copy_nonoverlapping(weights.as_ptr().add(from), to.as_mut_ptr(), to.len()) };
}

const fn fill_phases<const N: usize>(to: &mut [[i16; N]; PHASES], weights: &Weights, from: usize) {
    let mut phase = 0;
    while phase < PHASES {
        fill(&mut to[phase], weights, from + phase * N);
        phase += 1;
    }
}

const fn fill_rows(rows: &mut [Row], weights: &Weights, from: usize) {
    let mut i = 0;
    while i < rows.len() {
        fill(&mut rows[i].0, weights, from + i * UNITS);
        i += 1;
    }
}
