//! Ostseeschach: the rules.
//!
//! Bit `8 * x + y` of a bitboard is the square on line `x` and file `y`; ONE starts on line 0 and moves towards
//! line 7. A move is `from << 6 | to`. R-numbers refer to the RULES.md of the game in the Python package.

mod encoding;
pub mod eval;
mod notation;

use crate::game::{Move, Outcome, Position, RuleSet, Team, Verdict, victory_points};
use crate::random::{Random, keys};

const LAST_TURN: u8 = 60;
const AMBERS_TO_END: u8 = 2;

/// The rule sets; they do not differ.
static RULE_SETS: [RuleSet<()>; 2] =
    [RuleSet { key: "ostseeschach-2022", rules: () }, RuleSet { key: "ostseeschach-2022-official", rules: () }];

/// The kinds of pieces, in the order of `Ostseeschach::kinds`.
pub const HERZMUSCHEL: usize = 0;
/// Steps to the four sides.
pub const MOEWE: usize = 1;
/// Steps forward and to the four corners.
pub const SEESTERN: usize = 2;
/// Jumps as a knight; the only heavy piece.
pub const ROBBE: usize = 3;

/// The start line of each team.
const START_LINE: [u64; 2] = [0xFF, 0xFF << 56];

/// One position.
#[derive(Clone, Copy, PartialEq)]
pub struct Ostseeschach {
    teams: [u64; 2],
    kinds: [u64; 4],
    /// Towers of two; higher ones leave the board.
    tall: u64,
    hash: u64,
    ambers: [u8; 2],
    turn: u8,
    rules: u8,
    verdict: Option<Verdict>,
}

static PIECE_KEYS: [u64; 16 * 64] = keys(11);
static TURN_KEYS: [u64; 256] = keys(12);
static AMBER_KEYS: [u64; 512] = keys(13);
static RULE_KEYS: [u64; 2] = keys(14);

const FILE_0: u64 = 0x0101_0101_0101_0101;
const fn not_files(mask: u64) -> u64 {
    !(FILE_0 * mask)
}

/// All steps that a piece of each kind can make as (line, file), seen from ONE; TWO mirrors the line.
const STEPS: [&[(i8, i8)]; 4] = [
    &[(1, -1), (1, 1)],
    &[(1, 0), (-1, 0), (0, 1), (0, -1)],
    &[(1, 0), (1, 1), (1, -1), (-1, 1), (-1, -1)],
    &[(2, 1), (2, -1), (1, 2), (1, -2), (-1, 2), (-1, -2), (-2, 1), (-2, -1)],
];

#[derive(Clone, Copy)]
struct Step {
    kind: u8,
    shift: i8,
    /// The squares from which the step stays on its files.
    from: u64,
}

/// The nineteen steps of each team.
static ALL_STEPS: [[Step; 19]; 2] = {
    let mut all = [[Step { kind: 0, shift: 0, from: 0 }; 19]; 2];
    let mut team = 0;
    while team < 2 {
        let (mut kind, mut i) = (0, 0);
        while kind < 4 {
            let mut k = 0;
            while k < STEPS[kind].len() {
                let (line, file) = STEPS[kind][k];
                let line = if team == 0 { line } else { -line };
                let from = match file {
                    1 => not_files(0x80),
                    2 => not_files(0xC0),
                    -1 => not_files(0x01),
                    -2 => not_files(0x03),
                    _ => !0,
                };
                all[team][i] = Step { kind: kind as u8, shift: 8 * line + file, from };
                i += 1;
                k += 1;
            }
            kind += 1;
        }
        team += 1;
    }
    all
};

#[inline]
const fn shifted(board: u64, by: i8) -> u64 {
    if by >= 0 { board << by } else { board >> -by }
}

/// For each team, kind and square the squares that the piece attacks.
pub static REACH: [[[u64; 64]; 4]; 2] = {
    let mut reach = [[[0; 64]; 4]; 2];
    let mut i = 0;
    while i < 2 * 19 * 64 {
        let (team, step, square) = (i / (19 * 64), ALL_STEPS[i / (19 * 64)][i / 64 % 19], i % 64);
        reach[team][step.kind as usize][square] |= shifted(1 << square & step.from, step.shift);
        i += 1;
    }
    reach
};

/// A piece on its square.
#[derive(Clone, Copy, Debug)]
pub struct Piece {
    /// Line.
    pub x: usize,
    /// File.
    pub y: usize,
    /// Its kind: `HERZMUSCHEL`, `MOEWE`, `SEESTERN` or `ROBBE`.
    pub kind: usize,
    /// Its team.
    pub team: Team,
    /// Whether it stands on another one.
    pub tall: bool,
}

impl Ostseeschach {
    /// The position with these pieces.
    pub fn new(rules: u8, turn: u8, ambers: [u8; 2], pieces: &[Piece]) -> Self {
        let mut position =
            Ostseeschach { teams: [0; 2], kinds: [0; 4], tall: 0, hash: 0, ambers, turn, rules, verdict: None };
        for piece in pieces {
            let square = 8 * piece.x + piece.y;
            position.teams[piece.team as usize] |= 1 << square;
            position.kinds[piece.kind] |= 1 << square;
            position.tall |= u64::from(piece.tall) << square;
            position.hash ^= piece_key(piece.team as usize, piece.kind, piece.tall.into(), square);
        }
        position.hash ^= TURN_KEYS[turn as usize]
            ^ AMBER_KEYS[ambers[0] as usize]
            ^ AMBER_KEYS[256 + ambers[1] as usize]
            ^ RULE_KEYS[rules as usize];
        position.verdict = position.verdict_of_round();
        position
    }

    /// A start position: two pieces of each kind in any order, the other side opposite (R3).
    pub fn start(rules: u8, random: &mut Random) -> Self {
        let mut kinds = [0, 0, 1, 1, 2, 2, 3, 3];
        for i in (1..8).rev() {
            kinds.swap(i, random.below(i as u32 + 1) as usize);
        }
        let pieces: Vec<Piece> = (0..16)
            .map(|i| {
                let (team, y) = (Team::from_index(i / 8), i % 8);
                let (x, file) = if team == Team::One { (0, y) } else { (7, 7 - y) };
                Piece { x, y: file, kind: kinds[y], team, tall: false }
            })
            .collect();
        Ostseeschach::new(rules, 0, [0, 0], &pieces)
    }

    #[inline]
    fn mover(&self) -> usize {
        (self.turn & 1) as usize
    }

    #[inline]
    fn kind_at(&self, square: usize) -> usize {
        let at = |kind: usize| (self.kinds[kind] >> square & 1) as usize;
        at(1) + 2 * at(2) + 3 * at(3)
    }

    fn light(&self, team: usize) -> u64 {
        self.teams[team] & !self.kinds[ROBBE]
    }

    /// How many light pieces of a team stand at each distance from its start line.
    fn distances(&self, team: usize) -> [u32; 8] {
        let light = self.light(team);
        std::array::from_fn(|distance| {
            let line = if team == 0 { distance } else { 7 - distance };
            (light >> (8 * line) & 0xFF).count_ones()
        })
    }

    /// Who has won when the last round is over (R20 to R22), and how it was decided.
    fn winner(&self) -> (Verdict, usize) {
        if self.ambers[0] != self.ambers[1] {
            return (Verdict::of(self.ambers[0].cmp(&self.ambers[1])), 0);
        }
        // The light pieces' distances, farthest first, pair by pair until one list ends.
        let (one, two) = (self.distances(0), self.distances(1));
        let (mut rest_one, mut rest_two) = (one.iter().sum::<u32>(), two.iter().sum::<u32>());
        for distance in (0..8).rev() {
            let common = one[distance].min(two[distance]);
            rest_one -= common;
            rest_two -= common;
            if one[distance] != two[distance] {
                if rest_one == 0 || rest_two == 0 {
                    break;
                }
                return (Verdict::of(one[distance].cmp(&two[distance])), 1);
            }
        }
        (Verdict::Draw, 2)
    }

    fn has_two_ambers(&self) -> bool {
        self.ambers[0].max(self.ambers[1]) >= AMBERS_TO_END
    }

    #[inline]
    fn round_was_last(&self) -> bool {
        self.turn & 1 == 0 && (self.turn >= LAST_TURN || self.has_two_ambers())
    }

    fn verdict_of_round(&self) -> Option<Verdict> {
        self.round_was_last().then(|| self.winner().0)
    }

    /// Starting square, target square.
    #[inline]
    pub fn squares_of(m: Move) -> (usize, usize) {
        ((m.0 >> 6) as usize, (m.0 & 63) as usize)
    }
}

#[inline]
fn piece_key(team: usize, kind: usize, tall: usize, square: usize) -> u64 {
    PIECE_KEYS[(team * 8 + kind * 2 + tall) * 64 + square]
}

impl Position for Ostseeschach {
    const MOVE_BITS: u32 = 12;

    type Rules = ();

    const RULE_SETS: &'static [RuleSet<()>] = &RULE_SETS;

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
        Verdict::Win(self.to_move().opponent())
    }

    fn outcome(&self) -> Option<Outcome> {
        if self.round_was_last() {
            let reasons = if self.has_two_ambers() {
                ["AMBERS_MORE", "AMBERS_FARTHER", "AMBERS_EQUAL"]
            } else {
                ["ROUNDS_MORE", "ROUNDS_FARTHER", "ROUNDS_EQUAL"]
            };
            let (verdict, how) = self.winner();
            return Some(Outcome { verdict, reason: reasons[how] });
        }
        (self.count_moves() == 0).then(|| Outcome { verdict: self.verdict_without_move(), reason: "NO_MOVE" })
    }

    fn points(&self, team: Team) -> Vec<i32> {
        let farthest = self.distances(team as usize).iter().rposition(|&number| number > 0).unwrap_or(0);
        vec![victory_points(self.full_verdict(), team), self.ambers[team as usize].into(), farthest as i32]
    }

    fn moves(&self, moves: &mut Vec<Move>) {
        if self.verdict.is_some() {
            return;
        }
        let team = self.mover();
        let own = self.teams[team];
        let mut pieces = own;
        while pieces != 0 {
            let from = pieces.trailing_zeros() as usize;
            pieces &= pieces - 1;
            let mut targets = REACH[team][self.kind_at(from)][from] & !own;
            while targets != 0 {
                moves.push(Move((from << 6) as u16 | targets.trailing_zeros() as u16));
                targets &= targets - 1;
            }
        }
    }

    #[inline]
    fn count_moves(&self) -> u64 {
        if self.verdict.is_some() {
            return 0;
        }
        let team = self.mover();
        let own = self.teams[team];
        let mut sum = 0;
        for step in &ALL_STEPS[team] {
            sum += (shifted(self.kinds[step.kind as usize] & own & step.from, step.shift) & !own).count_ones();
        }
        sum.into()
    }

    #[inline]
    fn play(&self, m: Move) -> Self {
        let (from, to) = Self::squares_of(m);
        let (own, other) = (self.mover(), 1 - self.mover());
        let (from_bit, to_bit) = (1_u64 << from, 1_u64 << to);
        let kind = self.kind_at(from);
        let tall = (self.tall >> from & 1) as usize;
        let mut next = *self;
        let mut height = 1 + tall;
        next.hash ^= piece_key(own, kind, tall, from);
        if self.teams[other] & to_bit != 0 {
            let below = (self.tall >> to & 1) as usize;
            height += 1 + below;
            let kind_below = self.kind_at(to);
            next.hash ^= piece_key(other, kind_below, below, to);
            next.teams[other] ^= to_bit;
            next.kinds[kind_below] ^= to_bit;
        }
        next.teams[own] ^= from_bit;
        next.kinds[kind] ^= from_bit;
        next.tall &= !(from_bit | to_bit);
        let arrives = kind != ROBBE && START_LINE[other] & to_bit != 0;
        let ambers = u8::from(height >= 3) + u8::from(arrives);
        if ambers > 0 {
            let keys = &AMBER_KEYS[256 * own..];
            next.ambers[own] = self.ambers[own].saturating_add(ambers);
            next.hash ^= keys[self.ambers[own] as usize] ^ keys[next.ambers[own] as usize];
        } else {
            next.teams[own] |= to_bit;
            next.kinds[kind] |= to_bit;
            next.tall |= ((height - 1) as u64) << to;
            next.hash ^= piece_key(own, kind, height - 1, to);
        }
        next.turn += 1;
        next.hash ^= TURN_KEYS[self.turn as usize] ^ TURN_KEYS[next.turn as usize];
        next.verdict = next.verdict_of_round();
        next
    }

    fn random_move(&self, random: &mut Random) -> Option<Move> {
        if self.verdict.is_some() {
            return None;
        }
        let team = self.mover();
        let own = self.teams[team];
        let targets: [u64; 19] = std::array::from_fn(|i| {
            let step = &ALL_STEPS[team][i];
            shifted(self.kinds[step.kind as usize] & own & step.from, step.shift) & !own
        });
        let total = targets.iter().map(|set| set.count_ones()).sum();
        if total == 0 {
            return None;
        }
        let mut rest = random.below(total);
        for (mut set, step) in targets.into_iter().zip(&ALL_STEPS[team]) {
            let count = set.count_ones();
            if rest < count {
                for _ in 0..rest {
                    set &= set - 1;
                }
                let to = set.trailing_zeros() as i32;
                return Some(Move(((to - i32::from(step.shift)) << 6 | to) as u16));
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
        notation::format_move(self, m)
    }
}
