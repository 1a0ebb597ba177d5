//! The 58 lines of the board: what can move on a line depends only on what lies on it.
//!
//! The content of a line is a number to the base three (0 empty, 1 a fish of ONE, 2 a fish of TWO), kept up to
//! date move by move. One table entry for each content holds both teams' movers in both directions.

use std::sync::LazyLock;

/// Squares of a row in the bitboards; the eleventh stays empty, so that shifts do not run round the edge.
pub const STRIDE: usize = 11;
/// Rows and columns.
pub const SIZE: usize = 10;
/// Bits that a bitboard uses.
pub const BITS: usize = STRIDE * SIZE;
/// Rows, columns, rising and falling diagonals.
pub const LINES: usize = 58;

/// One line of the board.
#[derive(Clone, Copy)]
pub struct Line {
    /// Where the entries for lines of this length begin.
    pub base: u32,
    /// The first square.
    pub start: u8,
    /// From one square to the next.
    pub step: i8,
}

/// A line through a square.
#[derive(Clone, Copy)]
pub struct Crossing {
    /// The number of the line.
    pub line: u8,
    /// Where on the line the square lies.
    pub at: u8,
    /// The value of the digit there.
    pub digit: u16,
}

const POWERS: [u32; 11] = {
    let mut powers = [1; 11];
    let mut i = 1;
    while i < 11 {
        powers[i] = powers[i - 1] * 3;
        i += 1;
    }
    powers
};

const fn base(length: usize) -> u32 {
    let (mut sum, mut l) = (0, 1);
    while l < length {
        sum += POWERS[l];
        l += 1;
    }
    sum
}

/// (line, place on it, length, first x, first y, step) of the line through (x, y) on an axis.
const fn locate(x: usize, y: usize, axis: usize) -> (usize, usize, usize, usize, usize, i8) {
    match axis {
        0 => (y, x, 10, 0, y, 1),
        1 => (10 + x, y, 10, x, 0, STRIDE as i8),
        2 => {
            let at = if x < y { x } else { y };
            let length = if x > y { 10 - (x - y) } else { 10 - (y - x) };
            (20 + 9 + x - y, at, length, x - at, y - at, STRIDE as i8 + 1)
        }
        _ => {
            let at = if x + y > 9 { 9 - y } else { x };
            let length = if x + y > 9 { 19 - x - y } else { x + y + 1 };
            (39 + x + y, at, length, x - at, y + at, 1 - STRIDE as i8)
        }
    }
}

/// All lines, by number.
pub static LINE: [Line; LINES] = {
    let mut lines = [Line { base: 0, start: 0, step: 0 }; LINES];
    let mut i = 0;
    while i < 400 {
        let (line, _, length, x, y, step) = locate(i % 10, i / 10 % 10, i / 100);
        lines[line] = Line { base: base(length), start: (y * STRIDE + x) as u8, step };
        i += 1;
    }
    lines
};

/// The four lines through each square: its row, its column, its rising and its falling diagonal.
pub static CROSSINGS: [[Crossing; 4]; BITS] = {
    let mut all = [[Crossing { line: 0, at: 0, digit: 0 }; 4]; BITS];
    let mut i = 0;
    while i < 400 {
        let (x, y, axis) = (i % 10, i / 10 % 10, i / 100);
        let (line, at, _, _, _, _) = locate(x, y, axis);
        all[y * STRIDE + x][axis] = Crossing { line: line as u8, at: at as u8, digit: POWERS[at] as u16 };
        i += 1;
    }
    all
};

/// What one team can do on a line with a certain content, krakens left aside.
#[derive(Clone, Copy, Default)]
pub struct Entry(u32);

impl Entry {
    /// The places of the fish that can move towards higher places.
    #[inline]
    pub const fn forward(self) -> u32 {
        self.0 & 0x3FF
    }
    /// The places of the fish that can move towards lower places.
    #[inline]
    pub const fn backward(self) -> u32 {
        self.0 >> 10 & 0x3FF
    }
    /// Both sets of movers, the backward ones shifted by ten.
    #[inline]
    pub const fn movers(self) -> u32 {
        self.0 & 0xF_FFFF
    }
    /// The number of moves.
    #[inline]
    pub const fn count(self) -> u32 {
        self.0 >> 20 & 0x1F
    }
    /// The numbers of moves and of captures of both teams, those of the second 32 bits higher.
    #[inline(always)]
    pub const fn counts([one, two]: [Entry; 2]) -> (u64, u64) {
        let both = one.0 as u64 | (two.0 as u64) << 32;
        (both >> 20 & 0x1F_0000_001F, both >> 25 & 0x7_0000_0007)
    }
    /// How far a fish moves: the number of fish on the line.
    #[inline]
    pub const fn distance(self) -> u32 {
        self.0 >> 28
    }
}

/// For each length and content of a line the entries of both teams.
pub static ENTRIES: LazyLock<Vec<[Entry; 2]>> = LazyLock::new(|| {
    let mut entries = Vec::with_capacity(base(11) as usize);
    for length in 1..=SIZE {
        for content in 0..POWERS[length] {
            let digit = |at: usize| content / POWERS[at] % 3;
            entries.push([1, 2].map(|own| entry(length, own, digit)));
        }
    }
    entries
});

fn entry(length: usize, own: u32, digit: impl Fn(usize) -> u32) -> Entry {
    let distance = (0..length).filter(|&at| digit(at) != 0).count();
    let other = 3 - own;
    let (mut forward, mut backward, mut captures) = (0_u32, 0_u32, 0_u32);
    for at in (0..length).filter(|&at| digit(at) == own) {
        let free = |from: usize, to: usize| (from + 1..to).all(|between| digit(between) != other);
        if at + distance < length && digit(at + distance) != own && free(at, at + distance) {
            forward |= 1 << at;
            captures += u32::from(digit(at + distance) == other);
        }
        if at >= distance && digit(at - distance) != own && free(at - distance, at) {
            backward |= 1 << at;
            captures += u32::from(digit(at - distance) == other);
        }
    }
    let count = forward.count_ones() + backward.count_ones();
    Entry(forward | backward << 10 | count << 20 | captures.min(7) << 25 | (distance as u32) << 28)
}
