//! The weights of the evaluation; made by `workbench tune` (see docs/engine.md).

/// Pairs of (start, end) for: points, squares reached first, squares reached, squares reached soon, corners, corners of
/// the weaker colour, squares of colours that are out, side to move.
pub static WEIGHTS: [i32; 16] = [10, 14, 4, 5, 2, 2, 2, 1, 2, 2, 2, 2, 3, 3, 4, 4];
