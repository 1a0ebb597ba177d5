//! Fast rules and search for the games of `spielleiter`: plain Rust with a thin Python binding.

/// THE GAMES: one line for each, its folder and its position. Everything else finds them here: `games!([then] ...)`
/// calls the macro `then` with this list and whatever follows.
#[macro_export]
macro_rules! games {
    ([$($then:tt)+] $($rest:tt)*) => {
        $($then)+! {
            [
                piranhas::Piranhas,
                ostseeschach::Ostseeschach,
                blokus::Blokus,
                pinguine::Pinguine,
                hase_und_igel::HaseUndIgel,
            ]
            $($rest)*
        }
    };
}

macro_rules! declare_modules {
    ([$($folder:ident::$Game:ident,)+]) => {
        $(pub mod $folder;)+
    };
}
games!([declare_modules]);

pub mod any;
pub mod batch;
#[cfg(any(test, target_arch = "wasm32"))]
mod browser;
#[cfg(any(test, target_arch = "wasm32", feature = "python"))]
mod calls;
pub mod encoding;
pub mod game;
pub mod learning;
pub mod network;
pub mod perft;
mod pool;
#[cfg(feature = "python")]
mod python;
pub mod random;
pub mod search;
pub mod shared;
pub mod text;
pub mod weights;
