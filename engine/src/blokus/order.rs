//! How a position of Blokus is searched: which of its hundreds of moves come first, and how many are worth a try.

use super::board::{Board, EMPTY};
use super::shapes::{ORIENTATION, ORIENTATIONS, SIZE, SQUARES};
use super::{Blokus, PASS, placement};
use crate::game::Move;
use crate::search::Searchable;

/// The order score of a new connecting square; a square laid is worth 1000.
const OPENED: i32 = 200;

/// From this turn on the search leaves out no move.
const FULL_WIDTH_TURN: u8 = 56;

/// What the order of moves depends on, computed once for each position.
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
        let color = self.color();
        let corners = |color: usize| {
            if self.out >> color & 1 == 1 { EMPTY } else { self.room(color).corners }
        };
        let (left, right) = ((color + 1) & 3, (color + 3) & 3);
        let mut free = [0; SIZE + 6];
        free[1..=SIZE].copy_from_slice(&self.room(color).free);
        Context { theirs: [corners(left), corners(right)], ours: [corners(color), corners((color + 2) & 3)], free }
    }

    fn evaluate(&self) -> i32 {
        self.expected_score()
    }

    /// Large pieces first; then those that take the opponent's corners, and that lie towards the middle.
    fn order_score(&self, context: &Context, m: Move) -> i32 {
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
