//! What callers from outside ask with texts and get in texts. Both bindings are made of it: the one for Python, and the one
//! for a browser.

use crate::any::Any;
use crate::game::Position;
use crate::search::clock::Instant;
use crate::search::{Limits, SearchResult, Searchable, win_probability};
use crate::with_position;
use std::time::Duration;

/// All legal moves of a position; passing comes last, where it is allowed.
pub fn legal_moves(position: &str) -> Result<Vec<String>, String> {
    with_position!(Any::parse(position)?, position => {
        let mut moves = Vec::new();
        position.moves(&mut moves);
        position.uncounted_moves(&mut moves);
        Ok(moves.into_iter().map(|m| position.format_move(m)).collect())
    })
}

/// The limits of a search that began at a moment.
pub fn limits(
    begun: Instant,
    seconds: Option<f64>,
    nodes: Option<u64>,
    depth: Option<u32>,
) -> Result<Limits, &'static str> {
    let deadline = match seconds {
        None => None,
        Some(seconds) if seconds.is_nan() => return Err("expected seconds, found NaN"),
        // A limit beyond the range of the clock is no limit.
        Some(seconds) => Duration::try_from_secs_f64(seconds.max(0.0)).ok().and_then(|time| begun.checked_add(time)),
    };
    Ok(Limits { deadline, nodes, depth, ..Limits::default() })
}

/// A line: (moves, score, chance to win), for the side to move.
pub type Scored = (Vec<String>, i32, f64);
/// (lines, depth, nodes, seconds).
pub type Answer = (Vec<Scored>, u32, u64, f64);

/// What a search from `root` has found.
pub fn answer<P: Searchable>(root: &P, found: SearchResult) -> Answer {
    let lines = found.lines.iter().map(|line| {
        let mut position = *root;
        let moves = line.moves.iter().map(|&m| {
            let text = position.format_move(m);
            position = position.play(m);
            text
        });
        (moves.collect(), line.score, win_probability::<P>(line.score))
    });
    (lines.collect(), found.depth, found.nodes, found.seconds)
}

/// What the engine was built for: the architecture and its instruction sets.
pub fn features() -> Vec<&'static str> {
    let mut features = vec![std::env::consts::ARCH];
    for (name, used) in [
        ("popcnt", cfg!(target_feature = "popcnt")),
        ("sse4.2", cfg!(target_feature = "sse4.2")),
        ("avx2", cfg!(target_feature = "avx2")),
        ("neon", cfg!(target_feature = "neon")),
        ("simd128", cfg!(target_feature = "simd128")),
        ("debug", cfg!(debug_assertions)),
    ] {
        if used {
            features.push(name);
        }
    }
    features
}
