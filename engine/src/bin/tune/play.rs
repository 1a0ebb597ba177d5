//! Games of the engine against itself from random openings.

use spielleiter_engine::random::Random;
use spielleiter_engine::search::alphabeta::search;
use spielleiter_engine::search::table::Table;
use spielleiter_engine::search::{DECIDED, Limits, Options, Searchable};
use std::sync::atomic::AtomicBool;

/// How the games are played.
pub struct Plan {
    /// How many.
    pub games: u32,
    /// Nodes for each move.
    pub nodes: u64,
    /// Plies that are played at random first, give or take a half.
    pub opening: u32,
}

/// Plays the games of a plan and tells of each the positions that nothing forces, and the one at its end.
pub fn self_play<P: Searchable>(
    start: impl Fn(&mut Random) -> P,
    plan: &Plan,
    random: &mut Random,
    mut tell: impl FnMut(&[P], &P),
) {
    let table = Table::new(4).expect("4 MiB");
    for _ in 0..plan.games {
        let mut position = start(random);
        for _ in 0..plan.opening / 2 + random.below(plan.opening) {
            match position.random_move(random) {
                Some(m) => position = position.play(m),
                None => break,
            }
        }
        let mut seen = Vec::new();
        while position.full_verdict().is_none() {
            let limits = Limits { nodes: Some(plan.nodes), ..Limits::default() };
            let found = search(&position, &limits, &Options::default(), &table, &AtomicBool::new(false));
            let Some(line) = found.lines.first() else { break };
            if !position.is_unsettled() && line.score.abs() < DECIDED {
                seen.push(position);
            }
            // Now and then another move, so that the games differ.
            let drawn = if random.below(24) == 0 { position.random_move(random) } else { None };
            position = position.play(drawn.unwrap_or(line.moves[0]));
        }
        tell(&seen, &position);
    }
}
