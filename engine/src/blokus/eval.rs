//! What a position of Blokus is worth: points, room that a team reaches before the other, corners, blocked corners.

use super::board::{Board, EMPTY, beside, count};
use super::shapes::{ORIENTATION, ORIENTATIONS, SIZE, SQUARES};
use super::weights::WEIGHTS;
use super::{Blokus, PASS, placement};
use crate::game::{Move, Position, Team};
use crate::search::{DECIDED, Searchable, Terms};

/// How many steps the reach of a colour is followed: one piece and a bit.
const STEPS: usize = 6;

/// From this turn on the weights of the end count alone.
const LATE_TURN: u8 = 64;

/// What a square that connects is worth in the order of moves, against 1000 for a square laid.
const OPENED: i32 = 200;

/// From this turn on the search leaves out no move.
const FULL_WIDTH_TURN: u8 = 56;

/// What each team reaches within one to `STEPS` steps from its corners, and the corners of each colour.
struct Reach {
    teams: [[Board; STEPS]; 2],
    corners: [Board; 4],
    /// How many squares each colour reaches.
    area: [i32; 4],
}

impl Blokus {
    fn reach(&self) -> Reach {
        let mut reach = Reach { teams: [[EMPTY; STEPS]; 2], corners: [EMPTY; 4], area: [0; 4] };
        for colour in 0..4 {
            if self.out >> colour & 1 == 1 || self.hands[colour] == 0 {
                continue;
            }
            let room = self.room(colour);
            reach.corners[colour] = room.corners;
            let mut reached = room.corners;
            for step in 0..STEPS {
                let boards = &mut reach.teams[colour & 1][step];
                for y in 0..SIZE {
                    boards[y] |= reached[y];
                }
                let next = beside(&reached);
                for y in 0..SIZE {
                    reached[y] |= next[y] & room.free[y];
                }
            }
            reach.area[colour] = count(&reached) as i32;
        }
        reach
    }

    /// The squares that a colour has not laid yet.
    fn squares_in_hand(&self, colour: usize) -> i32 {
        89 - count(&self.boards[colour]) as i32
    }
}

fn union(a: &Board, b: &Board) -> Board {
    std::array::from_fn(|y| a[y] | b[y])
}

fn without(a: &Board, b: &Board) -> Board {
    std::array::from_fn(|y| a[y] & !b[y])
}

impl Terms for Blokus {
    const TERMS: usize = 22;

    fn terms(&self, mut add: impl FnMut(usize, i32)) {
        let played = i32::from(self.turn.min(LATE_TURN));
        let mut both = |i: usize, difference: i32| {
            add(2 * i, difference * (i32::from(LATE_TURN) - played));
            add(2 * i + 1, difference * played);
        };
        let reach = self.reach();
        let (one, two) = (&reach.teams[0], &reach.teams[1]);
        // Squares that one team reaches in fewer steps than the other.
        let (mut first_one, mut first_two) = (EMPTY, EMPTY);
        for step in 0..STEPS {
            let (new_one, new_two) = (without(&one[step], &two[step]), without(&two[step], &one[step]));
            first_one = union(&first_one, &new_one);
            first_two = union(&first_two, &new_two);
        }
        let sum = |boards: &Board| count(boards) as i32;
        let corners = |colour: usize| sum(&reach.corners[colour]);
        both(0, self.team_points(0) - self.team_points(1));
        both(1, sum(&first_one) - sum(&first_two));
        both(2, sum(&one[STEPS - 1]) - sum(&two[STEPS - 1]));
        both(3, sum(&one[2]) - sum(&two[2]));
        both(4, corners(0) + corners(2) - corners(1) - corners(3));
        // The colour with fewer corners is in more danger.
        both(5, corners(0).min(corners(2)) - corners(1).min(corners(3)));
        let left = |colour: usize| if self.out >> colour & 1 == 1 { self.squares_in_hand(colour) } else { 0 };
        both(6, left(1) + left(3) - left(0) - left(2));
        both(7, 1 - 2 * (self.turn & 1) as i32);
        both(8, reach.area[0] + reach.area[2] - reach.area[1] - reach.area[3]);
        both(9, reach.area[0].min(reach.area[2]) - reach.area[1].min(reach.area[3]));
        // Corners that the opponent cannot take with the next piece of a few squares.
        let safe = |colour: usize| sum(&without(&reach.corners[colour], &reach.teams[1 - (colour & 1)][3]));
        both(10, safe(0) + safe(2) - safe(1) - safe(3));
    }

    fn weights(&self) -> &'static [i32] {
        &WEIGHTS
    }
}

/// What the order of moves looks at, made once for each position.
pub struct Context {
    /// The squares from which the opponent can go on, each colour for itself.
    theirs: [Board; 2],
    /// The squares from which the own colours can go on.
    ours: [Board; 2],
    /// Where the own colour may lay squares, with a row above and rows below the board.
    free: [u32; SIZE + 6],
}

impl Searchable for Blokus {
    const SCALE: f64 = 200.0;
    const MARGIN: i32 = 150;
    type Context = Context;

    fn context(&self) -> Context {
        let colour = self.colour();
        let corners = |colour: usize| {
            if self.out >> colour & 1 == 1 { EMPTY } else { self.room(colour).corners }
        };
        let (left, right) = ((colour + 1) & 3, (colour + 3) & 3);
        let mut free = [0; SIZE + 6];
        free[1..=SIZE].copy_from_slice(&self.room(colour).free);
        Context { theirs: [corners(left), corners(right)], ours: [corners(colour), corners((colour + 2) & 3)], free }
    }

    fn evaluate(&self) -> i32 {
        let mut sum = 0;
        self.terms(|i, value| sum += WEIGHTS[i] * value);
        let score = (sum / 1024).clamp(1 - DECIDED, DECIDED - 1);
        if self.to_move() == Team::One { score } else { -score }
    }

    /// Large pieces first; then those that take the opponent's corners, and that lie towards the middle.
    fn promise(&self, context: &Context, m: Move) -> i32 {
        if m == PASS {
            return -100_000;
        }
        let (index, x, y) = placement(m);
        let orientation = &ORIENTATION[index.min(ORIENTATIONS - 1)];
        let (mut blocked, mut used, mut helped) = (0, 0, 0);
        for (row, &cells) in orientation.rows[..orientation.height as usize].iter().enumerate() {
            let (cells, y) = (u32::from(cells) << x, (y + row).min(SIZE - 1));
            blocked += (cells & context.theirs[0][y]).count_ones() + (cells & context.theirs[1][y]).count_ones();
            used += (cells & context.ours[0][y]).count_ones();
            helped += (cells & context.ours[1][y]).count_ones();
        }
        let opened: u32 = (0..7)
            .map(|row| {
                let free = u64::from(context.free[(y + row).min(SIZE + 5)]) << 1;
                (u64::from(orientation.opens[row]) << x & free).count_ones()
            })
            .sum();
        let off_middle = (2 * x as i32 + i32::from(orientation.width) - 20).abs()
            + (2 * y as i32 + i32::from(orientation.height) - 20).abs();
        let early = (40 - i32::from(self.turn)).max(0);
        1000 * i32::from(SQUARES[orientation.shape as usize]) + 700 * blocked as i32
            - 300 * used as i32
            - 500 * helped as i32
            + OPENED * opened as i32
            - off_middle * early * 2
    }

    /// Late in the game all moves are tried, so that the end is played exactly.
    fn width(&self, depth: i32) -> usize {
        if self.turn >= FULL_WIDTH_TURN {
            return usize::MAX;
        }
        match depth {
            0..=1 => 16,
            2 => 24,
            3 => 40,
            _ => 60,
        }
    }
}
