//! The weights of the evaluation; made by `tune` (see docs/engine.md).

/// Places of the figures (kind, single or tall, line), then the other terms as `eval` lists them.
pub static WEIGHTS: [i32; 73] = [
    -12, -17, 13, 40, 100, 152, 260, 0, 30, -34, -67, -109, -9, 74, 321, 20, -25, -5, 20, 52, 96, 146, 287, 0, -126,
    -7, -17, 31, 131, 201, 317, 20, 48, 72, 114, 149, 176, 212, 281, 0, 120, 38, 158, 201, 226, 252, 320, 20, 35, 46,
    48, 49, 46, 46, 65, 78, 115, 159, 92, 145, 127, 147, 128, 108, 251, 17, 31, 219, 17, 26, 19, 36, 328,
];
