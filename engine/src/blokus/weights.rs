//! The weights of the evaluation; made by `tune` (see docs/engine.md).

/// Pairs of (start, end) for: points, squares reached first, squares reached, squares reached soon, corners, corners of
/// the weaker colour, squares of colours that are out, side to move.
pub static WEIGHTS: [i32; 16] = [-2, 58, -1, 3, 0, 12, -1, 13, -5, -7, 9, -13, -7, -6, 41, 78];
