//! The weights of the evaluation, one set for each rule set; made by `workbench tune` (see docs/engine.md).

/// Pairs of (start, end) for: swarms, spread, mobility, centre, fish, largest swarm, fish outside it, side to move.
pub static WEIGHTS: [[i32; 16]; 4] = [FIRST_GUESS; 4];

const FIRST_GUESS: [i32; 16] = [20, 20, 4, 4, 2, 2, 1, 1, 4, 8, 4, 24, 10, 10, 8, 8];
