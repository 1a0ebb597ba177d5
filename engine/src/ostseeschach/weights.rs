//! The weights of the evaluation; made by `workbench tune` (see docs/engine.md).

/// Places of the figures (kind, single or tall, line), then the other terms as `eval` lists them.
pub static WEIGHTS: [i32; 73] = [
    10, 12, 16, 24, 36, 60, 110, 0, 30, 32, 36, 44, 56, 80, 130, 20, 20, 22, 26, 32, 42, 60, 110, 0, 40, 42, 46, 52,
    62, 80, 130, 20, 22, 25, 30, 38, 50, 75, 120, 0, 42, 45, 50, 58, 70, 95, 140, 20, 40, 44, 48, 50, 50, 48, 46, 40,
    60, 64, 68, 70, 70, 68, 66, 60, 250, 10, 20, 120, 5, 15, 4, 2, 4,
];
