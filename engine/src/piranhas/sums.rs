//! Sums that are kept up to date move by move: what the fish of each team add up to, and how many moves they have.

use super::lines::{BITS, CROSSINGS, ENTRIES, Entry, LINE, LINES, SIZE, STRIDE};

/// How near each square is to the middle, 0 to 4.
pub const CENTRE: [i8; BITS] = {
    let mut centre = [0; BITS];
    let mut i = 0;
    while i < SIZE * SIZE {
        let (x, y) = (i % SIZE, i / SIZE);
        let (dx, dy) = (if x < 5 { x } else { 9 - x }, if y < 5 { y } else { 9 - y });
        centre[y * STRIDE + x] = if dx < dy { dx as i8 } else { dy as i8 };
        i += 1;
    }
    centre
};

/// What fish add up to, each part in bits of its own.
#[derive(Clone, Copy, PartialEq, Default)]
pub struct FishSum(u64);

/// What a fish of no weight adds on each square.
static OF_SQUARE: [u64; BITS] = {
    let mut all = [0; BITS];
    let mut i = 0;
    while i < SIZE * SIZE {
        let (x, y) = ((i % SIZE) as u64, (i / SIZE) as u64);
        let square = i / SIZE * STRIDE + i % SIZE;
        let centre = CENTRE[square] as u64;
        let border = if centre == 0 { 1 } else { 0 };
        all[square] = x | y << 8 | (x * x + y * y) << 16 | centre << 32 | border << 40 | 1 << 48;
        i += 1;
    }
    all
};

impl FishSum {
    /// The sum of the columns.
    #[inline(always)]
    pub const fn x(self) -> u32 {
        (self.0 & 0xFF) as u32
    }
    /// The sum of the rows.
    #[inline(always)]
    pub const fn y(self) -> u32 {
        (self.0 >> 8 & 0xFF) as u32
    }
    /// The sum of the squares of columns and rows.
    #[inline(always)]
    pub const fn squares(self) -> u32 {
        (self.0 >> 16 & 0xFFFF) as u32
    }
    /// The sum of the distances from the border.
    #[inline(always)]
    pub const fn centre(self) -> u32 {
        (self.0 >> 32 & 0xFF) as u32
    }
    /// The number of fish on the border.
    #[inline(always)]
    pub const fn border(self) -> u32 {
        (self.0 >> 40 & 0xFF) as u32
    }
    /// The number of fish.
    #[inline(always)]
    pub const fn number(self) -> u32 {
        (self.0 >> 48 & 0xFF) as u32
    }
    /// Their weight.
    #[inline(always)]
    pub const fn weight(self) -> u32 {
        (self.0 >> 56) as u32
    }
}

/// The sums of a position.
#[derive(Clone, Copy, PartialEq, Default)]
pub struct Sums {
    /// What the fish of each team add up to.
    pub fish: [FishSum; 2],
    /// The number of moves on all lines, krakens left aside: of the second team 32 bits higher.
    pub moves: u64,
    /// The number of moves that eat, in the same way.
    pub captures: u64,
}

impl Sums {
    /// A fish of this `weight` comes to a square.
    #[inline]
    pub fn add_fish(&mut self, team: usize, square: usize, weight: u32) {
        self.fish[team].0 += OF_SQUARE[square] + (u64::from(weight) << 56);
    }

    /// A fish of this `weight` leaves the board.
    #[inline]
    pub fn remove_fish(&mut self, team: usize, square: usize, weight: u32) {
        self.fish[team].0 -= OF_SQUARE[square] + (u64::from(weight) << 56);
    }

    /// A fish moves.
    #[inline]
    pub fn move_fish(&mut self, team: usize, from: usize, to: usize) {
        let sum = &mut self.fish[team].0;
        *sum = sum.wrapping_add(OF_SQUARE[to]).wrapping_sub(OF_SQUARE[from]);
    }

    /// The digit of a square changes by so much, in all four lines through it.
    #[inline]
    pub fn change_lines(&mut self, lines: &mut [u16; LINES], square: usize, by: u16) {
        let entries = &**ENTRIES;
        for crossing in &CROSSINGS[square] {
            let line = crossing.line as usize;
            let (base, content) = (LINE[line].base as usize, &mut lines[line]);
            let before = Entry::counts(entries[base + *content as usize]);
            *content = content.wrapping_add(crossing.digit.wrapping_mul(by));
            let after = Entry::counts(entries[base + *content as usize]);
            self.moves = self.moves.wrapping_add(after.0).wrapping_sub(before.0);
            self.captures = self.captures.wrapping_add(after.1).wrapping_sub(before.1);
        }
    }
}
