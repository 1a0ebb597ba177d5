//! The weights of the evaluation, one set for each rule set; how they came about stands in docs/engine.md.

/// Pairs of (start, end) for: swarms, spread, mobility, centre, fish, largest swarm, fish outside it, side to move.
pub static WEIGHTS: [[i32; 16]; 4] = [PIRANHAS_2019, PIRANHAS_2019, PIRANHAS_2026, PIRANHAS_2026_OFFICIAL];

// The figures that the evaluation in Python was fitted to, in our units. `tune` from here gave no better ones.
const PIRANHAS_2019: [i32; 16] = [4, 4, 19, 19, 6, 6, 0, 0, 50, 50, 0, 43, 0, 0, 27, 27];
// A fish weighs 16/9 on average.
const PIRANHAS_2026: [i32; 16] = [4, 4, 19, 19, 6, 6, 0, 0, 28, 28, 0, 24, 0, 0, 27, 27];
// By `tune`.
const PIRANHAS_2026_OFFICIAL: [i32; 16] = [3, 2, 1, 15, -3, 6, -14, -3, 27, 34, -15, 59, -9, -26, -4, 52];
