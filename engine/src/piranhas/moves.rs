//! Moves line by line: one table entry holds the movers of a line.

use super::lines::{CROSSINGS, ENTRIES, Entry, LINE, LINES};
use super::{Piranhas, squares};
use crate::game::Move;

impl Piranhas {
    #[inline]
    pub(super) fn entry(&self, entries: &[[Entry; 2]], line: usize, team: usize) -> Entry {
        entries[LINE[line].base as usize + self.lines[line] as usize][team]
    }

    /// The moves of a team on a line that end on a square with a kraken.
    #[inline]
    pub(super) fn onto_kraken(entry: Entry, krakens: u16) -> u32 {
        let (distance, krakens) = (entry.distance(), u32::from(krakens));
        (entry.forward() << distance & krakens).count_ones() + (entry.backward() >> distance & krakens).count_ones()
    }

    /// For each line the places of krakens on it.
    pub(super) fn kraken_lines(&self) -> [u16; LINES] {
        let mut lines = [0; LINES];
        for square in squares(self.krakens) {
            for crossing in &CROSSINGS[square] {
                lines[crossing.line as usize] |= 1 << crossing.at;
            }
        }
        lines
    }

    /// The numbers of moves and of captures of each team if it were to move now.
    #[inline(always)]
    pub(super) fn moves_and_captures(&self) -> ([u32; 2], [u32; 2]) {
        let entries = &**ENTRIES;
        let mut moves = self.sums.moves;
        for square in squares(self.krakens) {
            for crossing in &CROSSINGS[square] {
                for team in 0..2 {
                    let entry = self.entry(entries, crossing.line as usize, team);
                    moves -= u64::from(Self::onto_kraken(entry, 1 << crossing.at)) << (32 * team);
                }
            }
        }
        let of_teams = |sum: u64| [sum as u32, (sum >> 32) as u32];
        (of_teams(moves), of_teams(self.sums.captures))
    }

    /// The number of moves of a team if it were to move now.
    pub fn mobility(&self, team: usize) -> u32 {
        self.moves_and_captures().0[team]
    }

    /// Lists the movers of all lines first and then takes them one by one: one loop with a predictable end.
    #[inline(always)]
    pub(super) fn for_each_move(&self, mut visit: impl FnMut(Move)) {
        let entries = &**ENTRIES;
        let team = self.mover();
        let mut lines = [(0_u32, 0_i32, 0_i32, 0_i32); LINES + 1];
        let (mut number, mut total) = (0, 0);
        for line in 0..LINES {
            let entry = self.entry(entries, line, team);
            let (start, step) = (LINE[line].start as i32, LINE[line].step as i32);
            lines[number] = (entry.movers(), start, step, entry.distance() as i32 * step);
            number += usize::from(entry.count() > 0);
            total += entry.count();
        }
        let krakens = [self.krakens as u64, (self.krakens >> 64) as u64];
        let mut line = 0;
        for _ in 0..total {
            let (movers, start, step, stride) = lines[line];
            let at = movers.trailing_zeros() as i32;
            let rest = movers & movers.wrapping_sub(1);
            lines[line].0 = rest;
            line += usize::from(rest == 0);
            let back = i32::from(at >= 10);
            let from = start + (at - 10 * back) * step;
            let to = from + stride - 2 * back * stride;
            if krakens[to as usize >> 6 & 1] >> (to & 63) & 1 == 0 {
                visit(Move((from << 7 | to) as u16));
            }
        }
    }
}
