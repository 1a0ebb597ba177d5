//! Fast rules and search for the games of `spielleiter`: plain Rust with a thin Python binding.

pub mod any;
pub mod batch;
pub mod blokus;
pub mod encoding;
pub mod game;
pub mod network;
pub mod ostseeschach;
pub mod perft;
pub mod piranhas;
mod pool;
#[cfg(feature = "python")]
mod python;
pub mod random;
pub mod search;
pub mod text;
