//! What a position of Ostseeschach is worth: ambers, where the figures stand, towers at risk.

use super::weights::WEIGHTS;
use super::{ALL_STEPS, Ostseeschach, ROBBE, START_LINE, shifted};
use crate::game::{Move, Position, Team};
use crate::search::{DECIDED, LOUD, Searchable, Terms};

/// The figures on their lines: 4 kinds, single or tall, 8 lines seen from their own start line.
const PLACES: usize = 64;
const AMBERS: usize = PLACES;
const TO_MOVE: usize = PLACES + 1;
const TALL_ATTACKED: usize = PLACES + 2;
const TALL_ATTACKED_NOW: usize = PLACES + 3;
const ATTACKED: usize = PLACES + 4;
const ATTACKED_NOW: usize = PLACES + 5;
const MOBILITY: usize = PLACES + 6;
const GUARDED: usize = PLACES + 7;
const AMBERS_LATE: usize = PLACES + 8;

impl Ostseeschach {
    /// (squares that the figures of a team attack, number of moves).
    #[inline]
    fn reach(&self, team: usize) -> (u64, i32) {
        let own = self.teams[team];
        let (mut reach, mut moves) = (0, 0);
        for step in &ALL_STEPS[team] {
            let targets = shifted(self.kinds[step.kind as usize] & own & step.from, step.shift);
            reach |= targets;
            moves += (targets & !own).count_ones() as i32;
        }
        (reach, moves)
    }
}

impl Terms for Ostseeschach {
    const TERMS: usize = PLACES + 9;

    fn terms(&self, mut add: impl FnMut(usize, i32)) {
        let reach = [self.reach(0), self.reach(1)];
        for team in 0..2 {
            let sign = 1 - 2 * team as i32;
            let own = self.teams[team];
            let mut figures = own;
            while figures != 0 {
                let square = figures.trailing_zeros() as usize;
                figures &= figures - 1;
                let line = if team == 0 { square / 8 } else { 7 - square / 8 };
                let tall = (self.tall >> square & 1) as usize;
                add(self.kind_at(square) * 16 + tall * 8 + line, 16 * sign);
            }
            let attacked = own & reach[1 - team].0;
            let (all, tall) = (attacked.count_ones() as i32, (attacked & self.tall).count_ones() as i32);
            // It is worse if the opponent moves now.
            let now = usize::from(self.mover() != team);
            add(if now == 1 { ATTACKED_NOW } else { ATTACKED }, -16 * sign * all);
            add(if now == 1 { TALL_ATTACKED_NOW } else { TALL_ATTACKED }, -16 * sign * tall);
            add(MOBILITY, sign * 4 * reach[team].1);
            add(GUARDED, sign * 4 * (own & reach[team].0).count_ones() as i32);
            add(AMBERS, sign * 16 * i32::from(self.ambers[team]));
            add(AMBERS_LATE, sign * i32::from(self.ambers[team]) * i32::from(self.turn) / 4);
        }
        add(TO_MOVE, 16 * (1 - 2 * self.mover() as i32));
    }

    fn weights(&self) -> &'static [i32] {
        &WEIGHTS
    }
}

impl Searchable for Ostseeschach {
    const SCALE: f64 = 200.0;
    const MARGIN: i32 = 100;

    type Context = ();

    fn context(&self) {}

    fn evaluate(&self) -> i32 {
        let mut sum = 0;
        self.terms(|i, value| sum += WEIGHTS[i] * value);
        let score = (sum / 16).clamp(1 - DECIDED, DECIDED - 1);
        if self.to_move() == Team::One { score } else { -score }
    }

    /// In the middle of a round somebody has enough ambers: the next move is the last.
    fn is_unsettled(&self) -> bool {
        self.turn & 1 == 1 && self.has_two_ambers()
    }

    fn promise(&self, (): &(), m: Move) -> i32 {
        let (from, to) = Self::squares_of(m);
        let (own, other) = (self.mover(), 1 - self.mover());
        let light = self.kinds[ROBBE] >> from & 1 == 0;
        let tall = |square: usize| (self.tall >> square & 1) as i32;
        let captures = self.teams[other] >> to & 1 == 1;
        let arrives = light && START_LINE[other] >> to & 1 == 1;
        let ambers = i32::from(arrives) + i32::from(captures && tall(from) + tall(to) > 0);
        if ambers > 0 {
            return LOUD + 1000 * ambers - 10 * tall(from);
        }
        if captures {
            return LOUD;
        }
        let forward = if own == 0 { to as i32 / 8 - from as i32 / 8 } else { from as i32 / 8 - to as i32 / 8 };
        100 * forward
    }

    fn loud_moves(&self, moves: &mut Vec<Move>) {
        if self.verdict != 0 {
            return;
        }
        let (team, other) = (self.mover(), 1 - self.mover());
        let own = self.teams[team];
        for step in &ALL_STEPS[team] {
            let figures = self.kinds[step.kind as usize] & own & step.from;
            let last_line = if step.kind as usize == ROBBE { 0 } else { START_LINE[other] };
            let mut targets = shifted(figures, step.shift) & !own & (self.teams[other] | last_line);
            while targets != 0 {
                let to = targets.trailing_zeros() as i32;
                targets &= targets - 1;
                moves.push(Move(((to - i32::from(step.shift)) << 6 | to) as u16));
            }
        }
    }
}
