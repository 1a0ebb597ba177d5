//! Piranhas: the rules of all four rule sets.
//!
//! Bit `11 * y + x` of a bitboard is the square in column `x` and row `y`. A move is `from << 7 | to`.
//! R-numbers refer to the RULES.md of the game in the Python package.

mod encoding;
pub mod eval;
mod lines;
mod moves;
mod notation;
mod sums;
mod swarms;

use crate::game::{Move, Outcome, Position, RuleSet, Team, Verdict};
use crate::random::{Random, keys};
use lines::{BITS, CROSSINGS, ENTRIES, LINE, LINES, SIZE, STRIDE};
use sums::Sums;
use swarms::{Swarms, is_united};

/// R10: thirty rounds of two moves each.
const LAST_TURN: u8 = 60;

/// What the rule sets differ in.
#[derive(Debug)]
pub struct Rules {
    /// Fish weigh 1, 2 or 3, and swarms are compared by weight (R3).
    pub weighted: bool,
    /// A team that alone is united wins whatever the swarms weigh (R12).
    pub union_beats_weight: bool,
    /// Equal swarms: the team that was united first wins (R14).
    pub first_union_breaks_ties: bool,
    /// Both united with equal swarms does not end the game (R13).
    pub tied_union_goes_on: bool,
    /// The ranking score is the weight of the heaviest swarm, not its number of fish (R15).
    pub score_is_weight: bool,
}

/// The four rule sets.
static RULE_SETS: [RuleSet<Rules>; 4] = [
    rules("piranhas-2019", false, false),
    rules("piranhas-2019-official", false, true),
    rules("piranhas-2026", true, false),
    rules("piranhas-2026-official", true, true),
];

const fn rules(key: &'static str, weighted: bool, official: bool) -> RuleSet<Rules> {
    let rules = Rules {
        weighted,
        union_beats_weight: !(weighted && official),
        first_union_breaks_ties: weighted && official,
        tied_union_goes_on: !weighted && official,
        score_is_weight: weighted && official,
    };
    RuleSet { key, rules }
}

/// One position.
#[derive(Clone, Copy, PartialEq)]
pub struct Piranhas {
    fish: [u128; 2],
    medium: u128,
    large: u128,
    krakens: u128,
    hash: u64,
    lines: [u16; LINES],
    sums: Sums,
    turn: u8,
    rules: u8,
    first_union: Option<Team>,
    /// The verdict of the round just played.
    verdict: Option<Verdict>,
}

static FISH_KEYS: [u64; 6 * BITS] = keys(1);
static KRAKEN_KEYS: [u64; BITS] = keys(2);
static TURN_KEYS: [u64; 256] = keys(3);
static UNION_KEYS: [u64; 3] = keys(4);
static RULE_KEYS: [u64; 4] = keys(5);

#[inline]
fn union_key(first_union: Option<Team>) -> u64 {
    UNION_KEYS[first_union.map_or(0, |team| team as usize + 1)]
}

#[inline]
const fn bit(square: usize) -> u128 {
    1 << square
}

/// The squares of a set, lowest first.
fn squares(mut set: u128) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (set != 0).then(|| {
            let square = set.trailing_zeros() as usize;
            set &= set - 1;
            square
        })
    })
}

/// A board as the notation and the Python rules number it (bit `10 * y + x`), in our numbering.
pub fn spread(board: u128) -> u128 {
    (0..SIZE).fold(0, |sum, y| sum | (board >> (SIZE * y) & 0x3FF) << (STRIDE * y))
}

/// The things that make up a position, in our numbering of squares.
#[derive(Clone, Copy, Debug)]
pub struct Setup {
    /// The index of the rule set in `RULE_SETS`.
    pub rules: u8,
    /// Moves played so far.
    pub turn: u8,
    /// The fish of both teams.
    pub fish: [u128; 2],
    /// The fish of weight 2, of both teams.
    pub medium: u128,
    /// The fish of weight 3, of both teams.
    pub large: u128,
    /// The krakens.
    pub krakens: u128,
    /// The team that was united first.
    pub first_union: Option<Team>,
}

impl Piranhas {
    /// The position with these things on the board.
    pub fn new(setup: &Setup) -> Self {
        let mut position = Piranhas {
            fish: setup.fish,
            medium: setup.medium,
            large: setup.large,
            krakens: setup.krakens,
            hash: 0,
            lines: [0; LINES],
            sums: Sums::default(),
            turn: setup.turn,
            rules: setup.rules,
            first_union: setup.first_union,
            verdict: None,
        };
        for (team, fish) in position.fish.into_iter().enumerate() {
            for square in squares(fish) {
                position.hash ^= position.fish_key(square, team);
                position.sums.add_fish(team, square, position.weight(bit(square)));
                position.sums.change_lines(&mut position.lines, square, team as u16 + 1);
            }
        }
        for square in squares(position.krakens) {
            position.hash ^= KRAKEN_KEYS[square];
        }
        position.hash ^=
            TURN_KEYS[setup.turn as usize] ^ union_key(position.first_union) ^ RULE_KEYS[setup.rules as usize];
        position.verdict = position.verdict_of_round();
        position
    }

    /// A start position of a rule set (R1 to R3).
    pub fn start(rules: u8, random: &mut Random) -> Self {
        let square = |x: usize, y: usize| bit(STRIDE * y + x);
        let mut fish = [0; 2];
        let (mut medium, mut large) = (0, 0);
        for i in 1..9 {
            for edge in [0, 9] {
                fish[0] |= square(edge, i);
                fish[1] |= square(i, edge);
                let both = square(edge, i) | square(i, edge);
                match random.below(9) {
                    _ if !RULE_SETS[rules as usize].rules.weighted => {}
                    0..4 => {}
                    4..7 => medium |= both,
                    _ => large |= both,
                }
            }
        }
        let mut inner = || (random.below(6) as usize + 2, random.below(6) as usize + 2);
        let (x, y) = inner();
        let (x2, y2) = loop {
            let (x2, y2) = inner();
            if x != x2 && y != y2 && x.abs_diff(x2) != y.abs_diff(y2) {
                break (x2, y2);
            }
        };
        let krakens = square(x, y) | square(x2, y2);
        Piranhas::new(&Setup { rules, turn: 0, fish, medium, large, krakens, first_union: None })
    }

    #[inline]
    fn rules(&self) -> &'static Rules {
        &RULE_SETS[self.rules as usize].rules
    }

    #[inline]
    fn mover(&self) -> usize {
        (self.turn & 1) as usize
    }

    #[inline]
    fn fish_key(&self, square: usize, team: usize) -> u64 {
        let weight = (self.medium >> square & 1) as usize + 2 * (self.large >> square & 1) as usize;
        FISH_KEYS[(weight * 2 + team) * BITS + square]
    }

    #[inline]
    fn weight(&self, fish: u128) -> u32 {
        fish.count_ones() + (fish & self.medium).count_ones() + 2 * (fish & self.large).count_ones()
    }

    /// (weight, number of fish) of the heaviest swarm of a team, more fish first among equally heavy ones (R15).
    fn largest_swarm(&self, team: usize) -> (u32, u32) {
        Swarms(self.fish[team]).map(|swarm| (self.weight(swarm), swarm.count_ones())).max().unwrap_or((0, 0))
    }

    fn winner_by_swarms(&self, somebody_united: bool) -> Outcome {
        let (one, two) = (self.largest_swarm(0).0, self.largest_swarm(1).0);
        let verdict = Verdict::of(one.cmp(&two));
        if verdict != Verdict::Draw {
            return Outcome { verdict, reason: "LARGER_SWARM" };
        }
        match self.first_union {
            Some(team) if somebody_united && self.rules().first_union_breaks_ties => {
                Outcome { verdict: Verdict::Win(team), reason: "FIRST_UNITED" }
            }
            _ => Outcome { verdict, reason: "EQUAL_SWARMS" },
        }
    }

    fn outcome_of_round(&self) -> Option<Outcome> {
        if self.turn & 1 == 1 {
            return None;
        }
        let (one, two) = (is_united(self.fish[0]), is_united(self.fish[1]));
        if !(one || two || self.turn >= LAST_TURN) {
            return None;
        }
        let rules = self.rules();
        if rules.tied_union_goes_on
            && one
            && two
            && self.turn < LAST_TURN
            && self.fish[0].count_ones() == self.fish[1].count_ones()
        {
            return None; // R13
        }
        if one != two && rules.union_beats_weight {
            return Some(Outcome { verdict: Verdict::of(one.cmp(&two)), reason: "UNITED" });
        }
        Some(self.winner_by_swarms(one || two))
    }

    #[inline]
    fn verdict_of_round(&self) -> Option<Verdict> {
        self.outcome_of_round().map(|outcome| outcome.verdict)
    }

    fn outcome_without_move(&self) -> Outcome {
        if !self.rules().union_beats_weight && self.fish.iter().any(|&fish| is_united(fish)) {
            return self.winner_by_swarms(true);
        }
        Outcome { verdict: Verdict::Win(self.to_move().opponent()), reason: "NO_MOVE" } // R11
    }

    /// Starting square, target square.
    #[inline]
    pub fn squares_of(m: Move) -> (usize, usize) {
        ((m.0 >> 7) as usize, (m.0 & 127) as usize)
    }
}

impl Position for Piranhas {
    const MOVE_BITS: u32 = 14;

    type Rules = Rules;

    const RULE_SETS: &'static [RuleSet<Rules>] = &RULE_SETS;

    fn turn(&self) -> u32 {
        self.turn.into()
    }

    #[inline]
    fn to_move(&self) -> Team {
        Team::from_index(self.mover())
    }

    #[inline]
    fn verdict(&self) -> Option<Verdict> {
        self.verdict
    }

    fn verdict_without_move(&self) -> Verdict {
        self.outcome_without_move().verdict
    }

    fn outcome(&self) -> Option<Outcome> {
        self.outcome_of_round().or_else(|| (self.count_moves() == 0).then(|| self.outcome_without_move()))
    }

    fn points(&self, team: Team) -> Vec<i32> {
        let (weight, number) = self.largest_swarm(team as usize);
        let score = if self.rules().score_is_weight { weight } else { number };
        vec![crate::game::victory_points(self.full_verdict(), team), score as i32]
    }

    #[inline(always)]
    fn moves(&self, moves: &mut Vec<Move>) {
        if self.verdict.is_none() {
            self.for_each_move(|m| moves.push(m));
        }
    }

    fn count_moves(&self) -> u64 {
        if self.verdict.is_some() { 0 } else { self.mobility(self.mover()).into() }
    }

    /// Only the seven lines through the two squares of a move change; the others are counted once for all moves.
    fn count_moves_after_each(&self) -> u64 {
        if self.verdict.is_some() {
            return 0;
        }
        let entries = &**ENTRIES;
        let krakens = self.kraken_lines();
        let (own, other) = (self.mover(), 1 - self.mover());
        let on_line = |line: usize, change: i32| -> u32 {
            let content = i32::from(self.lines[line]) + change;
            let entry = entries[(LINE[line].base as i32 + content) as usize][other];
            let blocked = if krakens[line] == 0 { 0 } else { Self::onto_kraken(entry, krakens[line]) };
            entry.count() - blocked
        };
        let before: [u32; LINES] = std::array::from_fn(|line| on_line(line, 0));
        let all: u32 = before.iter().sum();
        let round_ends = self.turn & 1 == 1;
        let other_united = round_ends && is_united(self.fish[other]);
        let mut sum = 0_u64;
        self.for_each_move(|m| {
            let (from, to) = Self::squares_of(m);
            let eats = self.fish[other] & bit(to) != 0;
            if round_ends {
                let other_united = if eats { is_united(self.fish[other] ^ bit(to)) } else { other_united };
                if other_united || self.turn + 1 >= LAST_TURN || is_united(self.fish[own] ^ bit(from) | bit(to)) {
                    sum += self.play(m).count_moves();
                    return;
                }
            }
            let mut count = all;
            for (leaves, enters) in CROSSINGS[from].iter().zip(&CROSSINGS[to]) {
                let (left, entered) = (leaves.line as usize, enters.line as usize);
                let minus = -i32::from(leaves.digit) * (own as i32 + 1);
                let taken = if eats { other as i32 + 1 } else { 0 };
                let plus = i32::from(enters.digit) * (own as i32 + 1 - taken);
                if left == entered {
                    count = count + on_line(left, plus + minus) - before[left];
                } else {
                    count = count + on_line(left, minus) - before[left];
                    count = count + on_line(entered, plus) - before[entered];
                }
            }
            sum += u64::from(count);
        });
        sum
    }

    #[inline]
    fn play(&self, m: Move) -> Self {
        let (from, to) = Self::squares_of(m);
        let (own, other) = (self.mover(), 1 - self.mover());
        let mut next = *self;
        let eats = self.fish[other] & bit(to) != 0;
        next.hash ^= self.fish_key(from, own);
        if eats {
            next.hash ^= self.fish_key(to, other);
            next.fish[other] ^= bit(to);
            next.sums.remove_fish(other, to, self.weight(bit(to)));
        }
        next.fish[own] = self.fish[own] ^ bit(from) | bit(to);
        next.sums.move_fish(own, from, to);
        let eaten = if eats { other as u16 + 1 } else { 0 };
        next.sums.change_lines(&mut next.lines, from, 0_u16.wrapping_sub(own as u16 + 1));
        next.sums.change_lines(&mut next.lines, to, (own as u16 + 1).wrapping_sub(eaten));
        if self.rules().weighted {
            // R7: the fish on the target is gone with its weight, the mover brings its own.
            let gone = !(bit(from) | bit(to));
            next.medium = self.medium & gone | (self.medium >> from & 1) << to;
            next.large = self.large & gone | (self.large >> from & 1) << to;
            if self.first_union.is_none() {
                next.first_union = [Team::One, Team::Two].into_iter().find(|&team| is_united(next.fish[team as usize]));
                next.hash ^= union_key(None) ^ union_key(next.first_union);
            }
        }
        next.turn += 1;
        next.hash ^= next.fish_key(to, own) ^ TURN_KEYS[self.turn as usize] ^ TURN_KEYS[next.turn as usize];
        next.verdict = next.verdict_of_round();
        next
    }

    fn random_move(&self, random: &mut Random) -> Option<Move> {
        if self.verdict.is_some() {
            return None;
        }
        let entries = &**ENTRIES;
        let team = self.mover();
        let counts: [u8; LINES] = std::array::from_fn(|line| self.entry(entries, line, team).count() as u8);
        let total: u32 = counts.iter().map(|&count| u32::from(count)).sum();
        if total == 0 {
            return None;
        }
        for _ in 0..8 {
            let (mut line, mut rest) = (0, random.below(total));
            while rest >= u32::from(counts[line]) {
                rest -= u32::from(counts[line]);
                line += 1;
            }
            let entry = self.entry(entries, line, team);
            let mut movers = entry.movers();
            for _ in 0..rest {
                movers &= movers - 1;
            }
            let at = movers.trailing_zeros() as i32;
            let (start, step) = (LINE[line].start as i32, LINE[line].step as i32);
            let stride = entry.distance() as i32 * step;
            let from = start + (at % 10) * step;
            let to = if at < 10 { from + stride } else { from - stride };
            if self.krakens >> to & 1 == 0 {
                return Some(Move((from << 7 | to) as u16));
            }
        }
        // Rare: nearly all moves end on a kraken. Drawing from the list keeps the draw uniform.
        let mut moves = Vec::new();
        self.moves(&mut moves);
        (!moves.is_empty()).then(|| moves[random.below(moves.len() as u32) as usize])
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
        notation::format_move(self, m)
    }
}
