//! The track: 65 fields in a line, which of them are fixed and which are drawn (R1 to R3).

use super::bit;
use crate::random::Random;

/// Kinds of fields between start and goal.
pub const KINDS: usize = 7;

/// What a field between start and goal is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Kind {
    /// Carrots can be exchanged.
    Carrots = 0,
    /// A card has to be played.
    Hare = 1,
    /// A salad has to be eaten.
    Salad = 2,
    /// A card has to be bought.
    Market = 3,
    /// Reached by falling back only.
    Hedgehog = 4,
    /// Pays the hare that is ahead.
    Position1 = 5,
    /// Pays the hare that is not ahead.
    Position2 = 6,
}

/// The letters of the kinds in the notation.
const LETTERS: &[u8; KINDS] = b"CHSMI12";

/// Groups of fields and the letters that are drawn for them, each group for itself (R2, R3).
const LAYOUT: [(&[u8], &[u8]); 9] = [
    (&[1, 2, 3, 4, 5, 6, 7, 8, 9], b"CCCHHHM12"),
    (&[12, 13, 14], b"CCH"),
    (&[16, 17, 18], b"M12"),
    (&[20, 21, 23], b"CC2"),
    (&[25, 26, 27, 28, 29], b"CCHM2"),
    (&[31, 32, 33, 34, 35, 36], b"CCHH12"),
    (&[38, 39, 40, 41], b"CCH2"),
    (&[44, 45, 46, 47, 48, 49], b"CCHM12"),
    (&[51, 52, 53, 54, 55], b"CCHM2"),
];
/// What is never drawn (R2).
const FIXED: [(&[u8], u8); 5] = [
    (&[10, 22, 42, 57], b'S'),
    (&[11, 15, 19, 24, 30, 37, 43, 50, 56], b'I'),
    (&[58, 62], b'H'),
    (&[59, 61, 63], b'C'),
    (&[60], b'1'),
];

/// The fields of one game by kind.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Track {
    /// For each kind the set of its fields.
    pub kinds: [u64; KINDS],
}

impl Track {
    /// Whether a field, given as a set, is of a kind.
    #[inline]
    pub const fn has(&self, kind: Kind, field: u64) -> bool {
        self.kinds[kind as usize] & field != 0
    }

    /// The last salad field, from which on carrots are not swapped (R10); 0 without one.
    #[inline]
    pub const fn last_salad(&self) -> u8 {
        (64 - self.kinds[Kind::Salad as usize].leading_zeros()) as u8
    }

    /// The letter of a field between start and goal.
    pub fn letter(&self, field: u8) -> char {
        let kind = self.kinds.iter().position(|set| set & bit(field) != 0);
        kind.map_or('?', |kind| LETTERS[kind] as char)
    }

    /// Makes a field what a letter says; false if there is no such letter.
    pub fn set(&mut self, field: u8, letter: u8) -> bool {
        let kind = LETTERS.iter().position(|&known| known == letter);
        if let Some(kind) = kind {
            self.kinds[kind] |= bit(field);
        }
        kind.is_some()
    }

    /// A track of the season: every order of each group is equally likely (R3).
    pub fn draw(random: &mut Random) -> Self {
        let mut track = Track::default();
        for (fields, letter) in FIXED {
            fields.iter().for_each(|&field| {
                track.set(field, letter);
            });
        }
        for (fields, letters) in LAYOUT {
            let mut letters = letters.to_vec();
            for i in (1..letters.len()).rev() {
                letters.swap(i, random.below(i as u32 + 1) as usize);
            }
            for (&field, letter) in fields.iter().zip(letters) {
                track.set(field, letter);
            }
        }
        track
    }
}
