//! The weights of the evaluation: those of `tune` for the end, set by hand for the start (see docs/engine.md).

/// Pairs of (start, end) for: points, squares reached first, squares reached, squares reached soon, corners, corners of
/// the weaker colour, squares of colours that are out, side to move, squares reached by each colour, those of the weaker
/// one, corners out of the opponent's reach.
pub static WEIGHTS: [i32; 22] =
    [300, 910, 120, 60, 60, 190, 30, 150, 60, 0, 200, -100, 100, 100, 500, 1600, 30, 20, 60, 30, 80, 40];
