//! How a position of Blokus is searched: which of its hundreds of moves come first, and how many are worth a try.

use super::Blokus;
use super::policy::Context;
use crate::game::{Move, Verdict};
use crate::search::Searchable;

/// From this turn on the search leaves out no move.
const FULL_WIDTH_TURN: u8 = 56;

impl Searchable for Blokus {
    const SCALE: f64 = 200.0;
    const MARGIN: i32 = 150;
    /// The policy's logarithms are in thousandths.
    const TEMPERATURE: f64 = 1000.0;
    const EXPLORATION: f64 = 0.4;
    type Context = Context;

    fn context(&self) -> Context {
        self.policy_context()
    }

    fn evaluate(&self) -> i32 {
        self.expected_score()
    }

    fn order_score(&self, context: &Context, m: Move) -> i32 {
        self.policy_score(context, m)
    }

    fn moves_with_scores(&self, list: &mut Vec<(i32, Move)>) {
        Blokus::moves_with_scores(self, list);
    }

    fn may_lead_to(&self, later: &Self) -> bool {
        self.turn < later.turn && self.is_before(later)
    }

    fn foregone(&self) -> Option<Verdict> {
        self.winner_by_bounds()
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
