//! What a position of Blokus is worth: the lead in points that is to be expected in the end, from figures of the room
//! that the colours have, and how much such a lead decides at this time of the game.

use super::Blokus;
use super::board::{Board, EMPTY, beside, count};
use super::weights::{SPREAD, WEIGHTS};
use crate::game::{Position, Team};
use crate::search::{DECIDED, Searchable};

/// How many figures of a position there are, as ONE sees them.
pub const FIGURES: usize = 21;

/// The turns that have weights of their own; between them weights change evenly.
pub const KNOTS: [u8; 9] = [6, 14, 22, 30, 38, 46, 54, 62, 72];

/// The figure that is the lead in points; the others add to it what is still to come.
const LEAD: usize = 1;

/// How many steps the reach of a colour is followed: one piece and a bit.
const STEPS: usize = 6;

/// How many of its standard deviations a lead must be to win three games of four.
const THREE_OF_FOUR: f32 = 0.6745;

/// No turn is later.
const TURNS: usize = 112;

/// For each turn what a unit of each figure is worth as a score.
static WORTH: [[f32; FIGURES]; TURNS] = {
    let mut worth = [[0.0; FIGURES]; TURNS];
    let mut turn = 0;
    while turn < TURNS {
        let (knot, share) = knot_of(turn as u8);
        let spread = SPREAD[knot] * (1.0 - share) + SPREAD[knot + 1] * share;
        let unit = Blokus::SCALE as f32 / (THREE_OF_FOUR * spread);
        let mut i = 0;
        while i < FIGURES {
            let weight = WEIGHTS[knot][i] * (1.0 - share) + WEIGHTS[knot + 1][i] * share;
            worth[turn][i] = unit * if i == LEAD { 1.0 + weight } else { weight };
            i += 1;
        }
        turn += 1;
    }
    worth
};

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

/// What each colour reaches from its corners within 0 to `STEPS` steps.
type Reach = [[Board; STEPS + 1]; 4];

impl Blokus {
    /// Whether a colour can still lay something, as far as is known.
    #[inline]
    fn plays(&self, colour: usize) -> bool {
        self.out >> colour & 1 == 0
    }

    fn reach(&self) -> Reach {
        let mut reach = [[EMPTY; STEPS + 1]; 4];
        for (colour, boards) in reach.iter_mut().enumerate() {
            if !self.plays(colour) || self.hands[colour] == 0 {
                continue;
            }
            let room = self.room(colour);
            boards[0] = room.corners;
            for step in 1..=STEPS {
                let next = beside(&boards[step - 1]);
                boards[step] = std::array::from_fn(|y| boards[step - 1][y] | next[y] & room.free[y]);
            }
        }
        reach
    }

    /// The figures of which the evaluation is a weighted sum, as ONE sees them.
    pub fn figures(&self) -> [f32; FIGURES] {
        let reach = self.reach();
        let mut figures = [0.0; FIGURES];
        let mut areas = [0.0_f32; 4];
        figures[0] = sign(self.colour());
        for colour in 0..4 {
            let (sign, boards) = (sign(colour), &reach[colour]);
            figures[LEAD] += sign * self.colour_points(colour) as f32;
            let in_hand = 89.0 - number(&self.boards[colour]);
            if !self.plays(colour) {
                figures[2] += sign * in_hand;
                continue;
            }
            let foes = [&reach[(colour + 1) & 3], &reach[(colour + 3) & 3]];
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
                (number(&boards[0]), number(&boards[2]).sqrt(), number(&boards[4]).sqrt(), number(&boards[STEPS]));
            areas[colour] = area;
            let of_colour = [
                self.hands[colour].count_ones() as f32,
                in_hand,
                (self.hands[colour] & 1) as f32,
                corners,
                corners.sqrt(),
                near,
                room,
                area,
                area.sqrt(),
                area.min(2.0 * in_hand),
                sooner,
                sooner.sqrt(),
                alone,
                alone.sqrt(),
            ];
            for (figure, value) in figures[3..].iter_mut().zip(of_colour) {
                *figure += sign * value;
            }
            // Who moves now, and who moves next, makes more of the room.
            match (colour + 4 - self.colour()) & 3 {
                0 => figures[17] = sign * room,
                1 => figures[18] = sign * room,
                _ => {}
            }
        }
        // The colour with less room is in more danger.
        let (one, two) = (areas[0].min(areas[2]), areas[1].min(areas[3]));
        figures[19] = one - two;
        figures[20] = one.sqrt() - two.sqrt();
        figures
    }

    /// How good the position is for the side to move.
    pub(super) fn judge(&self) -> i32 {
        let worth = &WORTH[(self.turn as usize).min(TURNS - 1)];
        let sum: f32 = self.figures().iter().zip(worth).map(|(figure, worth)| figure * worth).sum();
        let score = (sum as i32).clamp(1 - DECIDED, DECIDED - 1);
        if self.to_move() == Team::One { score } else { -score }
    }
}

#[inline]
fn sign(colour: usize) -> f32 {
    if colour & 1 == 0 { 1.0 } else { -1.0 }
}

#[inline]
fn number(board: &Board) -> f32 {
    count(board) as f32
}
