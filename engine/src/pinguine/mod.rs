//! Pinguine: the rules.
//!
//! Bit `8 * y + i` of a bitboard is field `i` of row `y`; odd rows are shifted by half a field to the right. A move is
//! `from << 6 | to`, and a placement has its field twice. R-numbers refer to the RULES.md of the game in the Python package.

mod encoding;
pub mod eval;
mod notation;

use crate::encoding::bits;
use crate::game::{Move, Outcome, Position, RuleSet, Team, Verdict, victory_points};
use crate::random::{Random, keys};
use std::cmp::Ordering;

/// Penguins of each team (R8).
const PENGUINS: u32 = 4;
/// Moves of the longest game: one for each field.
const LAST_TURN: u8 = 64;

/// The rule sets; they do not differ.
static RULE_SETS: [RuleSet<()>; 2] =
    [RuleSet { key: "pinguine-2023", rules: () }, RuleSet { key: "pinguine-2023-official", rules: () }];

/// One position.
#[derive(Clone, Copy, PartialEq)]
pub struct Pinguine {
    penguins: [u64; 2],
    /// The floes with one, two, three and four fish.
    floes: [u64; 4],
    hash: u64,
    /// The fish that each team has caught.
    fish: [u8; 2],
    turn: u8,
    rules: u8,
    team: Team,
    verdict: Option<Verdict>,
}

static PENGUIN_KEYS: [u64; 2 * 64] = keys(31);
static FLOE_KEYS: [u64; 4 * 64] = keys(32);
static FISH_KEYS: [u64; 2 * 256] = keys(33);
static TURN_KEYS: [u64; 256] = keys(34);
static RULE_KEYS: [u64; 2] = keys(35);

const COLUMN_A: u64 = 0x0101_0101_0101_0101;
const COLUMN_H: u64 = COLUMN_A << 7;
/// Rows with an even y.
const EVEN: u64 = 0x00FF_00FF_00FF_00FF;

/// The six directions as R3 lists them, in doubled coordinates.
const DIRECTIONS: [(i32, i32); 6] = [(2, 0), (-2, 0), (1, 1), (-1, -1), (1, -1), (-1, 1)];
/// Whether a direction leads to fields with higher bits.
const UPWARDS: [bool; 6] = [true, false, true, false, false, true];

/// The field so many steps away in a direction, if it is on the board (R2 to R4).
const fn stepped(from: usize, direction: usize, distance: i32) -> Option<usize> {
    let row = (from / 8) as i32;
    let x = 2 * (from % 8) as i32 + row % 2 + distance * DIRECTIONS[direction].0;
    let y = row + distance * DIRECTIONS[direction].1;
    if x < 0 || x >= 16 || y < 0 || y >= 8 { None } else { Some((8 * y + x / 2) as usize) }
}

/// For each field and direction all fields up to the edge.
static RAYS: [[u64; 6]; 64] = {
    let mut rays = [[0; 6]; 64];
    let mut i = 0;
    while i < 6 * 64 {
        let (field, direction) = (i / 6, i % 6);
        let mut distance = 1;
        while let Some(to) = stepped(field, direction, distance) {
            rays[field][direction] |= 1 << to;
            distance += 1;
        }
        i += 1;
    }
    rays
};

/// The fields that touch one of a set.
#[inline(always)]
const fn neighbours(set: u64) -> u64 {
    let left = (set & !COLUMN_A) >> 1;
    let right = (set & !COLUMN_H) << 1;
    // Fields of even rows touch those above and below with the same number and the one before it, others the one behind.
    let beside = set | ((set & EVEN & !COLUMN_A) >> 1) | ((set & !EVEN & !COLUMN_H) << 1);
    left | right | beside << 8 | beside >> 8
}

/// The fields of a ray before the first one that is blocked.
#[inline(always)]
fn open_part(ray: u64, upwards: bool, ice: u64) -> u64 {
    let blocked = ray & !ice;
    if upwards {
        ray & (blocked & blocked.wrapping_neg()).wrapping_sub(1)
    } else {
        ray & !u64::MAX.checked_shr(blocked.leading_zeros()).unwrap_or(0)
    }
}

/// The fields to which a penguin can slide (R9).
#[inline(always)]
fn slides(from: usize, ice: u64) -> u64 {
    let mut targets = 0;
    for direction in 0..6 {
        targets |= open_part(RAYS[from][direction], UPWARDS[direction], ice);
    }
    targets
}

/// The things that make up a position.
#[derive(Clone, Copy, Debug)]
pub struct Setup {
    /// The index of the rule set in `RULE_SETS`.
    pub rules: u8,
    /// Moves made so far.
    pub turn: u8,
    /// The penguins of both teams.
    pub penguins: [u64; 2],
    /// The floes with one, two, three and four fish.
    pub floes: [u64; 4],
    /// The fish that each team has caught.
    pub fish: [u8; 2],
}

impl Pinguine {
    /// The position with these things on the board.
    pub fn new(setup: &Setup) -> Self {
        let &Setup { rules, turn, penguins, floes, fish } = setup;
        let mut position = Pinguine { penguins, floes, hash: 0, fish, turn, rules, team: Team::One, verdict: None };
        for (team, &set) in penguins.iter().enumerate() {
            position.hash ^= bits(set).fold(0, |hash, field| hash ^ PENGUIN_KEYS[64 * team + field]);
            position.hash ^= FISH_KEYS[256 * team + fish[team] as usize];
        }
        for (number, &set) in floes.iter().enumerate() {
            position.hash ^= bits(set).fold(0, |hash, field| hash ^ FLOE_KEYS[64 * number + field]);
        }
        position.hash ^= TURN_KEYS[turn as usize] ^ RULE_KEYS[rules as usize];
        position.settle();
        position
    }

    /// A start position (R6): the upper half is drawn, the lower one is the same after half a turn.
    pub fn start(rules: u8, random: &mut Random) -> Self {
        let (mut left, mut holes) = (64, 5);
        let mut floes = [0_u64; 4];
        for field in 0..32 {
            let drawn = random.below(left);
            if drawn < holes {
                holes -= 1;
                continue;
            }
            let fish = (drawn - holes) / 20 + 1;
            left -= fish;
            floes[fish as usize - 1] |= 1 << field | 1 << (63 - field);
        }
        Pinguine::new(&Setup { rules, turn: 0, penguins: [0; 2], floes, fish: [0; 2] })
    }

    /// All floes with fish.
    #[inline(always)]
    fn ice(&self) -> u64 {
        self.floes[0] | self.floes[1] | self.floes[2] | self.floes[3]
    }

    /// The fish on all fields of a set.
    #[inline(always)]
    fn fish_on(&self, set: u64) -> u32 {
        let [one, two, three, four] = self.floes.map(|floes| (floes & set).count_ones());
        one + 2 * two + 3 * three + 4 * four
    }

    #[inline(always)]
    fn places(&self, team: usize) -> bool {
        self.penguins[team].count_ones() < PENGUINS
    }

    /// Finds out who moves (R13), and whether anybody can (R15).
    #[inline(always)]
    fn settle(&mut self) {
        let by_parity = (self.turn & 1) as usize;
        let ice = self.ice();
        let can_slide = |team: usize| neighbours(self.penguins[team]) & ice != 0;
        // R14: with penguins left to place a team is never stuck.
        let stuck = !self.places(by_parity) && !can_slide(by_parity);
        let team = by_parity ^ usize::from(stuck);
        let can_move = if self.places(team) { self.floes[0] != 0 } else { !stuck || can_slide(team) };
        self.team = Team::from_index(team);
        self.verdict = if can_move { None } else { Some(self.winner()) };
    }

    /// R16: more fish win.
    fn winner(&self) -> Verdict {
        Verdict::of(self.fish[0].cmp(&self.fish[1]))
    }

    /// Starting field, target field; the same for a placement.
    #[inline]
    pub fn fields_of(m: Move) -> (usize, usize) {
        ((m.0 >> 6 & 63) as usize, (m.0 & 63) as usize)
    }
}

impl Position for Pinguine {
    const MOVE_BITS: u32 = 12;

    type Rules = ();

    const RULE_SETS: &'static [RuleSet<()>] = &RULE_SETS;

    fn turn(&self) -> u32 {
        self.turn.into()
    }

    #[inline]
    fn to_move(&self) -> Team {
        self.team
    }

    #[inline]
    fn verdict(&self) -> Option<Verdict> {
        self.verdict
    }

    fn verdict_without_move(&self) -> Verdict {
        self.winner()
    }

    fn outcome(&self) -> Option<Outcome> {
        let reason = if self.fish[0].cmp(&self.fish[1]) == Ordering::Equal { "EQUAL_FISH" } else { "MORE_FISH" };
        self.verdict.map(|verdict| Outcome { verdict, reason })
    }

    fn points(&self, team: Team) -> Vec<i32> {
        vec![victory_points(self.verdict, team), self.fish[team as usize].into()]
    }

    /// In the order of the Python rules: by field, slides also by direction, the nearest target first.
    fn moves(&self, moves: &mut Vec<Move>) {
        if self.verdict.is_some() {
            return;
        }
        let team = self.team as usize;
        if self.places(team) {
            moves.extend(bits(self.floes[0]).map(|to| Move((to << 6 | to) as u16)));
            return;
        }
        let ice = self.ice();
        for from in bits(self.penguins[team]) {
            for direction in 0..6 {
                let mut targets = open_part(RAYS[from][direction], UPWARDS[direction], ice);
                while targets != 0 {
                    let to = if UPWARDS[direction] { targets.trailing_zeros() } else { 63 - targets.leading_zeros() };
                    targets ^= 1 << to;
                    moves.push(Move((from << 6) as u16 | to as u16));
                }
            }
        }
    }

    #[inline]
    fn count_moves(&self) -> u64 {
        if self.verdict.is_some() {
            return 0;
        }
        let team = self.team as usize;
        if self.places(team) {
            return self.floes[0].count_ones().into();
        }
        let ice = self.ice();
        bits(self.penguins[team]).map(|from| u64::from(slides(from, ice).count_ones())).sum()
    }

    #[inline]
    fn play(&self, m: Move) -> Self {
        let (from, to) = Self::fields_of(m);
        let team = self.team as usize;
        let bit = 1_u64 << to;
        let mut next = *self;
        let mut caught = 0;
        for (number, floes) in next.floes.iter_mut().enumerate() {
            if *floes & bit != 0 {
                // R10: the fish of the target are caught on arrival.
                *floes ^= bit;
                caught = number as u8 + 1;
                next.hash ^= FLOE_KEYS[64 * number + to];
            }
        }
        if from != to {
            next.penguins[team] &= !(1 << from);
            next.hash ^= PENGUIN_KEYS[64 * team + from];
        }
        next.penguins[team] |= bit;
        next.fish[team] = self.fish[team].saturating_add(caught);
        next.turn = self.turn.saturating_add(1);
        next.hash ^= PENGUIN_KEYS[64 * team + to]
            ^ FISH_KEYS[256 * team + self.fish[team] as usize]
            ^ FISH_KEYS[256 * team + next.fish[team] as usize]
            ^ TURN_KEYS[self.turn as usize]
            ^ TURN_KEYS[next.turn as usize];
        next.settle();
        next
    }

    fn random_move(&self, random: &mut Random) -> Option<Move> {
        if self.verdict.is_some() {
            return None;
        }
        let team = self.team as usize;
        let nth = |mut set: u64, n: u32| {
            (0..n).for_each(|_| set &= set - 1);
            set.trailing_zeros() as u16
        };
        if self.places(team) {
            let to = nth(self.floes[0], random.below(self.floes[0].count_ones()));
            return Some(Move(to << 6 | to));
        }
        let ice = self.ice();
        let mut sets = [(0, 0); PENGUINS as usize];
        for (set, from) in sets.iter_mut().zip(bits(self.penguins[team])) {
            *set = (from as u16, slides(from, ice));
        }
        let mut rest = random.below(sets.iter().map(|(_, targets)| targets.count_ones()).sum());
        for (from, targets) in sets {
            let count = targets.count_ones();
            if rest < count {
                return Some(Move(from << 6 | nth(targets, rest)));
            }
            rest -= count;
        }
        None
    }

    #[inline]
    fn hash(&self) -> u64 {
        self.hash
    }

    fn parse(text: &str) -> Result<Self, String> {
        notation::parse(text)
    }

    fn format(&self) -> String {
        notation::format(self)
    }

    fn format_move(&self, m: Move) -> String {
        notation::format_move(m)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_team_that_is_stuck_is_passed_over() {
        // R13: ONE is to move by parity, and shut in.
        let text = "pinguine-2023 PPPP..../......../......../......../......../......../......../pppp1111 10-10 20";
        let position = Pinguine::parse(text).unwrap();
        assert_eq!(position.to_move(), Team::Two);
        assert_eq!(position.count_moves(), 4);
        let end = [4, 5, 6, 7].into_iter().fold(position, |at, to| at.play(Move((59 + to - 4) << 6 | (56 + to))));
        assert_eq!(end.outcome(), Some(Outcome { verdict: Verdict::Win(Team::Two), reason: "MORE_FISH" }));
        assert_eq!(end.points(Team::Two), [2, 14]);
    }

    #[test]
    fn neighbours_are_the_first_fields_of_the_rays() {
        for field in 0..64 {
            let first =
                (0..6).filter_map(|direction| stepped(field, direction, 1)).fold(0, |set, to| set | 1_u64 << to);
            assert_eq!(neighbours(1 << field), first, "{field}");
        }
    }
}
