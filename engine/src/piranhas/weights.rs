//! The weights of the evaluation, one set for each rule set; made by `tune` (see docs/engine.md).

/// Pairs of (start, end) for: swarms, spread, mobility, centre, fish, largest swarm, fish outside it, side to move.
pub static WEIGHTS: [[i32; 16]; 4] = [FIRST_GUESS, FIRST_GUESS, FIRST_GUESS, PIRANHAS_2026_OFFICIAL];

// Tuned weights of the other rule sets did not pass the sequential test yet.
const FIRST_GUESS: [i32; 16] = [20, 20, 4, 4, 2, 2, 1, 1, 4, 8, 4, 24, 10, 10, 8, 8];
const PIRANHAS_2026_OFFICIAL: [i32; 16] = [3, 2, 1, 15, -3, 6, -14, -3, 27, 34, -15, 59, -9, -26, -4, 52];
