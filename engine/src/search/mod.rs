//! Search: what a game provides for it, limits and results.

pub mod alphabeta;
pub mod clock;
#[cfg(target_arch = "wasm32")]
mod instant;
pub mod mcts;
pub mod table;

use crate::game::{Move, Position, Team, Verdict};
use clock::Instant;
use std::time::Duration;

/// The score of a win now; a win in `n` plies is worth `n` less.
pub const WIN: i32 = 30_000;
/// Scores beyond this are wins or losses that the search has seen to the end.
pub const DECIDED: i32 = WIN - 1_000;
/// No search goes deeper.
pub const MAX_PLY: usize = 120;

/// What a game provides for being searched well; the rules themselves are in `Position`.
pub trait Searchable: Position + PartialEq {
    /// A score that wins about three games of four.
    const SCALE: f64;
    /// How much the evaluation may err by what one quiet move changes: the margin of futility pruning for each ply.
    const MARGIN: i32;

    /// The difference of order scores that makes a move about 2.7 times as likely to be the best one.
    const TEMPERATURE: f64 = 700.0;
    /// The weight of priors against results in a tree search.
    const EXPLORATION: f64 = 0.8;
    /// Which nodes and moves near the horizon are not searched.
    const PRUNING: Pruning = Pruning::CAREFUL;

    /// How good the position is for the side to move, inside `-DECIDED..DECIDED`.
    fn evaluate(&self) -> i32;

    /// Whether the position is about to end or change by force, so that evaluating it now would mislead.
    fn is_unsettled(&self) -> bool {
        false
    }

    /// Who wins whatever is played from here on, where that is cheap to see.
    fn foregone(&self) -> Option<Verdict> {
        None
    }

    /// What `order_score` needs to know of the position, computed once for all its moves.
    type Context;

    /// See `Context`.
    fn context(&self) -> Self::Context;

    /// How promising a move looks before it is searched; moves from `TACTICAL` on are never reduced.
    fn order_score(&self, context: &Self::Context, m: Move) -> i32;

    /// Appends all moves with their order scores; to be overridden where it can be done faster at once.
    fn moves_with_scores(&self, list: &mut Vec<(i32, Move)>) {
        let mut moves = Vec::new();
        self.moves(&mut moves);
        let context = self.context();
        list.extend(moves.into_iter().map(|m| (self.order_score(&context, m), m)));
    }

    /// Appends the moves that quiescence tries (captures and the like); none by default.
    fn tactical_moves(&self, _moves: &mut Vec<Move>) {}

    /// The position with the other side to move and nothing else changed, where having the move is an advantage.
    fn without_moving(&self) -> Option<Self> {
        None
    }

    /// Whether moves may lead from here to `later`, as far as a glance shows.
    fn may_lead_to(&self, later: &Self) -> bool {
        self.turn() < later.turn()
    }

    /// How many moves are worth trying at a node `depth` plies above the horizon.
    fn width(&self, _depth: i32) -> usize {
        usize::MAX
    }
}

/// What a search without a limit of depth leaves out, so that it sees farther in its time. Depths are plies above the
/// horizon.
#[derive(Clone, Copy, Debug)]
pub struct Pruning {
    /// Up to this depth a node is cut off whose evaluation exceeds beta by `MARGIN` for each ply.
    pub beta_depth: i32,
    /// Up to this depth quiet moves are left out where the evaluation misses alpha by `MARGIN` for each ply.
    pub alpha_depth: i32,
    /// Up to this depth only the first quiet moves are tried.
    pub late_depth: i32,
    /// How many of them: the first number, and the second times the square of the depth.
    pub late_moves: (i32, i32),
    /// From this depth on a node whose best move cannot be guessed is searched one ply less.
    pub unordered_depth: i32,
}

impl Pruning {
    /// What every game can afford, and every search with a limit of depth.
    pub const CAREFUL: Pruning =
        Pruning { beta_depth: 3, alpha_depth: 2, late_depth: 0, late_moves: (0, 0), unordered_depth: 5 };
    /// What paid in games with dozens of similar moves.
    pub const BOLD: Pruning =
        Pruning { beta_depth: 6, alpha_depth: 3, late_depth: 5, late_moves: (3, 2), unordered_depth: 4 };

    /// Whether the `i`-th move, a quiet one, is too late to be tried.
    #[inline]
    fn is_late(&self, depth: i32, i: usize) -> bool {
        depth <= self.late_depth && i as i32 >= self.late_moves.0 + self.late_moves.1 * depth * depth
    }
}

/// Order scores from here on mark captures and threats.
pub const TACTICAL: i32 = 1 << 20;

/// When to stop. Without any limit a search ends at `MAX_PLY` or when it is stopped.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits {
    /// The moment at which the search must have ended.
    pub deadline: Option<Instant>,
    /// CPU time of the thread that starts the search: for fair duels on a busy machine.
    pub cpu: Option<Duration>,
    /// Positions to visit.
    pub nodes: Option<u64>,
    /// Plies to look ahead.
    pub depth: Option<u32>,
}

/// How to search.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Size of the transposition table in mebibytes.
    pub table_mib: usize,
    /// Threads that search together.
    pub threads: usize,
    /// How many best moves to find, each with its line.
    pub lines: usize,
    /// The seed of the search's random numbers.
    pub seed: u64,
    /// Whether a tree search of a single line goes on for points when the result is proven.
    pub points: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options { table_mib: 64, threads: 1, lines: 1, seed: 1, points: false }
    }
}

/// A move and what the search thinks of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// The moves that both sides are expected to play.
    pub moves: Vec<Move>,
    /// For the side to move.
    pub score: i32,
}

/// What a search has found; `lines` is empty exactly when the game is over.
#[derive(Clone, Debug, Default)]
pub struct SearchResult {
    /// The best lines, best first.
    pub lines: Vec<Line>,
    /// The depth that was searched to the end.
    pub depth: u32,
    /// Positions visited.
    pub nodes: u64,
    /// Wall-clock seconds.
    pub seconds: f64,
}

/// The score of a verdict for the side `team`, `ply` plies below the root.
#[inline]
pub fn score_of(verdict: Verdict, team: Team, ply: usize) -> i32 {
    match verdict {
        Verdict::Draw => 0,
        Verdict::Win(winner) if winner == team => WIN - ply as i32,
        Verdict::Win(_) => ply as i32 - WIN,
    }
}

/// The score that means odds to win of which this is the logarithm.
#[inline]
pub fn score_of_odds<P: Searchable>(logarithm: f32) -> i32 {
    // Three games of four are odds of three to one.
    const LN_3: f32 = 1.098_612_3;
    ((logarithm * P::SCALE as f32 / LN_3) as i32).clamp(1 - DECIDED, DECIDED - 1)
}

/// The chance to win that a score means, from 0 to 1.
pub fn win_probability<P: Searchable>(score: i32) -> f64 {
    if score.abs() >= DECIDED {
        return if score > 0 { 1.0 } else { 0.0 };
    }
    1.0 / (1.0 + (-f64::from(score) * 3.0_f64.ln() / P::SCALE).exp())
}
