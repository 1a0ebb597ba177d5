//! Swarms: fish that hang together by the eight neighbours of a square.

use super::lines::STRIDE;

/// `fish` and all neighbouring squares, some of them beyond the edge.
#[inline]
pub const fn grown(fish: u128) -> u128 {
    let row = fish | fish << 1 | fish >> 1;
    row | row << STRIDE | row >> STRIDE
}

/// All of `fish` that hang together with `seed`.
#[inline]
pub const fn swarm_of(seed: u128, fish: u128) -> u128 {
    let mut swarm = seed;
    loop {
        let next = grown(swarm) & fish;
        if next == swarm {
            return swarm;
        }
        swarm = next;
    }
}

/// The lowest fish alone.
#[inline]
pub const fn lowest(fish: u128) -> u128 {
    fish & fish.wrapping_neg()
}

/// Whether no fish is outside one single swarm; so one fish alone is united, and so is nobody.
#[inline]
pub const fn is_united(fish: u128) -> bool {
    let row = fish << 1 | fish >> 1;
    let around = row | (row | fish) << STRIDE | (row | fish) >> STRIDE;
    if fish & !around != 0 {
        // Most positions end here: a fish without neighbour is a swarm of its own.
        return fish & fish.wrapping_sub(1) == 0;
    }
    swarm_of(lowest(fish), fish) == fish
}

/// The swarms into which fish fall.
pub struct Swarms(pub u128);

impl Iterator for Swarms {
    type Item = u128;

    #[inline]
    fn next(&mut self) -> Option<u128> {
        if self.0 == 0 {
            return None;
        }
        let swarm = swarm_of(lowest(self.0), self.0);
        self.0 ^= swarm;
        Some(swarm)
    }
}
