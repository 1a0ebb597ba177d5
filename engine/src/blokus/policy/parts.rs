//! What the policy adds up for a move, to learn from.

use super::layout::{
    COVERED, COVERED_RING, FREE, FREE_STATES, LOST, OPENED, OPENED_RING, RINGS, SHAPE, STATES, UNIT_PHASE, UNIT_RING,
    UNIT_STATE,
};
use super::{AROUND, OPENS, OUTLINES, SLOTS, STRIDE, UNITS, framed, lost_corners, ring_of};
use crate::blokus::shapes::{ORIENTATION, SHAPES, SIZE};
use crate::blokus::{Blokus, placement};
use crate::game::Move;

/// What the policy knows of a square that a piece of the colour to move can cover or open.
#[derive(Clone, Copy)]
pub struct Square {
    /// Its place in a table of squares.
    pub slot: usize,
    /// Its distance from the middle of the board.
    ring: usize,
}

/// What the policy knows of all squares.
pub struct Squares {
    phase: usize,
    /// The squares that matter.
    pub list: Vec<Square>,
    states: [u16; SLOTS],
}

impl Squares {
    /// The weights that are added for covering a square, and for opening it.
    pub fn weights_of(&self, square: Square) -> [[usize; 2]; 2] {
        let (phase, state) = (self.phase, self.states[square.slot] as usize - FREE);
        [(COVERED, COVERED_RING), (OPENED, OPENED_RING)]
            .map(|(of_state, of_ring)| [of_state + phase * FREE_STATES + state, of_ring + phase * RINGS + square.ring])
    }

    /// Where the weights are that add up to the hidden units of a square.
    pub fn unit_weights_of(&self, square: Square) -> impl Iterator<Item = usize> {
        let steps = AROUND.iter().enumerate().flat_map(|(class, steps)| steps.iter().map(move |&step| (class, step)));
        let around = steps.map(move |(class, step)| {
            let state = self.states[square.slot.wrapping_add_signed(step) % SLOTS] as usize;
            UNIT_STATE + (class * STATES + state) * UNITS
        });
        [UNIT_PHASE + self.phase * UNITS, UNIT_RING + square.ring * UNITS].into_iter().chain(around)
    }
}

/// What the policy adds up for a move: weights, and squares that it covers and opens.
pub struct Parts {
    /// Weights, some of them several times.
    pub weights: Vec<usize>,
    /// The slots of the squares that it covers.
    pub covered: Vec<usize>,
    /// The slots of the squares that it opens.
    pub opened: Vec<usize>,
}

impl Blokus {
    /// What the policy knows of the squares, to learn from.
    pub fn policy_squares(&self) -> Squares {
        let reach = self.reach();
        let near = self.near(&reach);
        let all = (0..SIZE).flat_map(|y| (0..SIZE).map(move |x| (x, y)));
        let list = all
            .filter(|&(x, y)| near[y] >> x & 1 == 1)
            .map(|(x, y)| Square { slot: (y + 1) * STRIDE + x + 1, ring: ring_of(x, y) })
            .collect();
        Squares { phase: self.phase(), list, states: self.states(&reach) }
    }

    /// What the policy adds up for each of `moves`, to learn from.
    pub fn policy_parts(&self, moves: &[Move]) -> Vec<Parts> {
        let phase = self.phase();
        let corners = framed(&self.own_corners());
        let parts = |&m: &Move| {
            let (index, x, y) = placement(m);
            let slots = |from: usize| {
                let squares = OUTLINES[index].squares.iter().map(|&at| at as usize);
                squares.filter(move |at| (from..from + SLOTS).contains(at)).map(move |at| y * STRIDE + x + at - from)
            };
            let lost = lost_corners(&corners, index, x, y) as usize;
            let mut weights = vec![LOST + phase; lost];
            weights.push(SHAPE + phase * SHAPES + ORIENTATION[index].shape as usize);
            Parts { weights, covered: slots(0).collect(), opened: slots(OPENS).collect() }
        };
        moves.iter().map(parts).collect()
    }
}
