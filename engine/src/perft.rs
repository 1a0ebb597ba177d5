//! Counting move sequences.

use crate::game::{Move, Position};

/// The number of move sequences of length `depth`; a finished game is not continued. `None` when `stop` returns true.
///
/// The last two plies are counted in bulk, as the game can.
pub fn perft<P: Position>(position: &P, depth: u32, stop: &dyn Fn() -> bool) -> Option<u64> {
    let mut buffers = vec![Vec::<Move>::with_capacity(256); depth as usize];
    count(position, depth, &mut buffers, stop)
}

fn count<P: Position>(position: &P, depth: u32, buffers: &mut [Vec<Move>], stop: &dyn Fn() -> bool) -> Option<u64> {
    match depth {
        0 => return Some(1),
        1 => return Some(position.count_moves()),
        2 => return Some(position.count_moves_after_each()),
        _ => {}
    }
    if stop() {
        return None;
    }
    let (moves, rest) = buffers.split_first_mut()?;
    moves.clear();
    position.moves(moves);
    let mut sum = 0;
    for &m in moves.iter() {
        sum += count(&position.play(m), depth - 1, rest, stop)?;
    }
    Some(sum)
}
