//! Ostseeschach as numbers; TWO sees the board turned by half a turn.

use super::Ostseeschach;
use crate::encoding::{Encoded, Field, bits, mark, sort_by_number};
use crate::game::{Move, Position, Team};
use crate::random::Random;

/// The steps (forward, sideways) in the order in which moves are numbered.
const STEPS: [(i8, i8); 16] = [
    (1, -1),
    (1, 0),
    (1, 1),
    (0, -1),
    (0, 1),
    (-1, -1),
    (-1, 0),
    (-1, 1),
    (2, -1),
    (2, 1),
    (1, -2),
    (1, 2),
    (-1, -2),
    (-1, 2),
    (-2, -1),
    (-2, 1),
];

/// The number of a step, by `5 * (forward + 2) + sideways + 2`.
const NUMBERS: [u8; 25] = {
    let mut numbers = [0; 25];
    let mut i = 0;
    while i < STEPS.len() {
        numbers[(5 * (STEPS[i].0 + 2) + STEPS[i].1 + 2) as usize] = i as u8;
        i += 1;
    }
    numbers
};

/// A square as a team sees it.
#[inline]
const fn seen(square: usize, team: usize) -> usize {
    if team == 0 { square } else { 63 - square }
}

/// (forward, sideways) from one square to another, seen alike.
#[inline]
const fn step(from: usize, to: usize) -> (i8, i8) {
    ((to >> 3) as i8 - (from >> 3) as i8, (to & 7) as i8 - (from & 7) as i8)
}

impl Encoded for Ostseeschach {
    const ACTIONS: usize = STEPS.len() * 64;

    fn draw_start(rules: u8, random: &mut Random) -> Self {
        Ostseeschach::start(rules.min(Self::RULE_SETS.len() as u8 - 1), random)
    }

    fn shape(&self) -> [usize; 3] {
        [13, 8, 8]
    }

    fn observe(&self, team: Team, planes: &mut [u8]) {
        let (own, other) = (team as usize, 1 - team as usize);
        planes.fill(0);
        let mut planes = planes.chunks_exact_mut(64);
        let mut show = |board: u64| {
            if let Some(plane) = planes.next() {
                mark(plane, bits(board).map(|square| seen(square, own)));
            }
        };
        for side in [own, other] {
            self.kinds.iter().for_each(|kind| show(self.teams[side] & kind));
        }
        show(self.tall);
        for (plane, number) in planes.zip([self.ambers[own], self.ambers[other], own as u8, self.turn]) {
            plane.fill(number);
        }
    }

    fn action(&self, m: Move) -> usize {
        let (from, to) = Self::squares_of(m);
        let (from, to) = (seen(from, self.mover()), seen(to & 63, self.mover()));
        let (forward, sideways) = step(from, to);
        let number = NUMBERS.get((5 * (forward + 2) + sideways + 2) as usize).copied().unwrap_or(0);
        usize::from(number) * 64 + from
    }

    fn move_of(&self, action: usize) -> Option<Move> {
        let (forward, sideways) = *STEPS.get(action / 64)?;
        let from = action % 64;
        let (x, y) = ((from >> 3) as i8 + forward, (from & 7) as i8 + sideways);
        if !(0..8).contains(&x) || !(0..8).contains(&y) {
            return None;
        }
        let to = (8 * x + y) as usize;
        Some(Move((seen(from, self.mover()) << 6 | seen(to, self.mover())) as u16))
    }

    fn view(&self) -> usize {
        self.mover()
    }

    /// By kind, by square, forward steps first, then from left to right.
    fn legal_moves(&self, moves: &mut Vec<Move>) {
        let first = moves.len();
        self.moves(moves);
        let team = self.mover();
        sort_by_number(&mut moves[first..], |m| {
            let (from, to) = Self::squares_of(m);
            let (line, sideways) = step(from, to);
            let backward = if team == 0 { -line } else { line };
            64 * (64 * self.kind_at(from) + from) + (8 * (backward + 2) + sideways + 2) as usize
        });
    }

    fn fields(&self, _last: Option<Move>) -> Vec<(&'static str, Field)> {
        let squares = |board: u64| Field::Squares(board.to_le_bytes().to_vec());
        let [herzmuscheln, moewen, seesterne, robben] = self.kinds;
        vec![
            ("turn", Field::Number(self.turn.into())),
            ("one", squares(self.teams[0])),
            ("two", squares(self.teams[1])),
            ("herzmuscheln", squares(herzmuscheln)),
            ("moewen", squares(moewen)),
            ("seesterne", squares(seesterne)),
            ("robben", squares(robben)),
            ("towers", squares(self.tall)),
            ("ambers_one", Field::Number(self.ambers[0].into())),
            ("ambers_two", Field::Number(self.ambers[1].into())),
        ]
    }
}
