//! Moves as numbers: four without a distance, then for each chain of cards all distances.
//!
//! All cards of a legal chain but the last one alternate between falling back and hurrying ahead (R8, R11, R12): a chain is
//! how many come before the last one, with which of the two they begin, and the last one.

use super::{CARDS, Card};
use crate::game::Move;

/// Eats a salad on a salad field.
pub const EAT_SALAD: Move = Move(0);
/// Goes back to the nearest hedgehog.
pub const FALL_BACK: Move = Move(1);
/// Takes ten carrots.
pub const TAKE_CARROTS: Move = Move(2);
/// Gives ten carrots back.
pub const GIVE_CARROTS: Move = Move(3);
/// Moves without a distance.
const SIMPLE: u16 = 4;
const DISTANCES: u16 = 64;
/// Cards before the last one at most.
const MAX_BEFORE: u16 = 30;
const CHAINS: u16 = 1 + 4 + MAX_BEFORE * 2 * 4;
/// Numbers for moves.
pub const ACTIONS: usize = (SIMPLE + DISTANCES * CHAINS) as usize;

/// How many cards come before the last one, the first of them (the last one itself if there are none), and the last one.
pub type Chain = (u8, Card, Card);

/// The move that runs so far and plays or buys these cards.
#[inline]
pub fn advance(distance: u8, chain: Option<Chain>) -> Move {
    let number = match chain {
        None => 0,
        Some((0, _, last)) => 1 + last as u16,
        Some((before, first, last)) => {
            5 + ((u16::from(before).min(MAX_BEFORE) - 1) * 2 + u16::from(first == Card::HurryAhead)) * 4 + last as u16
        }
    };
    Move(SIMPLE + DISTANCES * number + u16::from(distance) - 1)
}

/// Distance and cards of a move that `advance` made.
#[inline]
pub fn parts(m: Move) -> (u8, Option<Chain>) {
    let number = m.0.saturating_sub(SIMPLE);
    let (chain, distance) = (number / DISTANCES, (number % DISTANCES) as u8 + 1);
    let chain = match chain {
        0 => None,
        1..5 => Some((0, CARDS[chain as usize - 1], CARDS[chain as usize - 1])),
        _ => {
            let chain = chain - 5;
            let first = if chain / 4 % 2 == 1 { Card::HurryAhead } else { Card::FallBack };
            Some(((chain / 8) as u8 + 1, first, CARDS[chain as usize % 4]))
        }
    };
    (distance, chain)
}
