//! Self-play from random openings.

use crate::random::Random;
use crate::search::alphabeta::search;
use crate::search::table::TranspositionTable;
use crate::search::{DECIDED, Limits, Options, Searchable};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

/// How the games are played.
#[derive(Clone, Copy)]
pub struct Plan {
    /// Number of games.
    pub games: u32,
    /// Nodes per move.
    pub nodes: u64,
    /// Plies that are played at random first, give or take a half.
    pub opening: u32,
    /// The seed of all random numbers.
    pub seed: u64,
}

/// A finished game.
pub struct Game<P> {
    /// The settled positions, each with the score that the search found for the side to move.
    pub seen: Vec<(P, i32)>,
    /// The last position.
    pub end: P,
}

/// Plays the games of a plan, on all cores; `prepare` is called in each thread. The games depend only on the plan.
pub fn self_play<P: Searchable>(
    start: impl Fn(&mut Random) -> P + Sync,
    plan: &Plan,
    prepare: impl Fn() + Sync,
) -> Vec<Game<P>> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let next = AtomicU32::new(0);
    let work = || {
        prepare();
        let mut games = Vec::new();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= plan.games {
                return games;
            }
            let seed = Random::new(plan.seed.wrapping_mul(1_000_003) ^ u64::from(number)).next();
            games.push((number, play(&start, plan, &mut Random::new(seed))));
        }
    };
    let mut games: Vec<(u32, Game<P>)> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("a worker panicked")).collect()
    });
    games.sort_by_key(|(number, _)| *number);
    games.into_iter().map(|(_, game)| game).collect()
}

fn play<P: Searchable>(start: &impl Fn(&mut Random) -> P, plan: &Plan, random: &mut Random) -> Game<P> {
    let mut position = start(random);
    for _ in 0..plan.opening / 2 + random.below(plan.opening) {
        match position.random_move(random) {
            Some(m) => position = position.play(m),
            None => break,
        }
    }
    let table = TranspositionTable::new(1).expect("1 MiB");
    let limits = Limits { nodes: Some(plan.nodes), ..Limits::default() };
    let mut seen = Vec::new();
    while position.full_verdict().is_none() {
        let found = search(&position, &limits, &Options::default(), &table, &AtomicBool::new(false));
        let Some(line) = found.lines.first() else { break };
        if !position.is_unsettled() && line.score.abs() < DECIDED {
            seen.push((position, line.score));
        }
        // One move in 24 is random, so that the games differ.
        let drawn = if random.below(24) == 0 { position.random_move(random) } else { None };
        position = position.play(drawn.unwrap_or(line.moves[0]));
    }
    Game { seen, end: position }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encoding::Encoded;
    use crate::for_each_game;
    use crate::game::Position;

    #[test]
    fn the_same_plan_gives_the_same_games_whoever_plays_them() {
        let plan = Plan { games: 6, nodes: 60, opening: 4, seed: 5 };
        for_each_game!(Game, _family => {
            let ends = || -> Vec<String> {
                let games = self_play(|random| Game::draw_start(0, random), &plan, || {});
                games.iter().map(|game| game.end.format()).collect()
            };
            assert_eq!(ends(), ends());
        });
    }
}
