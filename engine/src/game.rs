//! The contract of a position: what perft, playouts and searches need of a game, and nothing else.
//!
//! A position is a small value that is copied, never undone (copy-make). A move is sixteen bits whose meaning only
//! the game knows. Playing a move that did not come from `moves` may give nonsense, but is never unsafe.

use crate::random::Random;
use std::cmp::Ordering;

/// One of the two sides; `One` moves first.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[repr(u8)]
pub enum Team {
    /// The side that begins.
    One = 0,
    /// The other side.
    Two = 1,
}

impl Team {
    /// The other side.
    #[inline]
    pub const fn opponent(self) -> Team {
        match self {
            Team::One => Team::Two,
            Team::Two => Team::One,
        }
    }

    /// The side with number `index & 1`.
    #[inline]
    pub const fn from_index(index: usize) -> Team {
        if index & 1 == 0 { Team::One } else { Team::Two }
    }
}

/// Who has won a finished game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// That side has won.
    Win(Team),
    /// Nobody has won.
    Draw,
}

impl Verdict {
    /// The side with more has won, where ONE's number compares with TWO's like this.
    #[inline]
    pub const fn of(one_with_two: Ordering) -> Verdict {
        match one_with_two {
            Ordering::Greater => Verdict::Win(Team::One),
            Ordering::Less => Verdict::Win(Team::Two),
            Ordering::Equal => Verdict::Draw,
        }
    }
}

/// How a finished game ended; `reason` is the name that the Python rules give to it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// Who has won.
    pub verdict: Verdict,
    /// The name of the way in which the game ended.
    pub reason: &'static str,
}

/// A rule set of a game.
#[derive(Debug)]
pub struct RuleSet<R> {
    /// Its name, with which the text of a position begins.
    pub key: &'static str,
    /// What the rule sets of the game differ in.
    pub rules: R,
}

/// A move in the coding of its game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Default, PartialOrd, Ord)]
pub struct Move(pub u16);

/// One position of one game.
pub trait Position: Copy + Send + Sync + 'static {
    /// How many bits a move has; tables that are indexed by moves are that large.
    const MOVE_BITS: u32;

    /// What the rule sets of the game differ in.
    type Rules: Sync + 'static;

    /// All rule sets of the game; a position knows its own by the place in this list.
    const RULE_SETS: &'static [RuleSet<Self::Rules>];

    /// The place of the rule set with this key.
    fn rule_set(key: &str) -> Option<u8> {
        Self::RULE_SETS.iter().position(|rule_set| rule_set.key == key).map(|place| place as u8)
    }

    /// The turn counter of the rules.
    fn turn(&self) -> u32;

    /// The side whose move is awaited.
    fn to_move(&self) -> Team;

    /// The verdict where the game is over for another reason than that a side cannot move.
    fn verdict(&self) -> Option<Verdict>;

    /// The verdict when the side to move has no legal move.
    fn verdict_without_move(&self) -> Verdict;

    /// How the game ended, or `None` while it runs.
    fn outcome(&self) -> Option<Outcome>;

    /// The score of a team, part by part.
    fn points(&self, team: Team) -> Vec<i32>;

    /// Appends all legal moves that perft counts to `moves` (none when the game is over).
    fn moves(&self, moves: &mut Vec<Move>);

    /// Appends the legal moves that perft does not count: passing, where it is allowed.
    fn uncounted_moves(&self, _moves: &mut Vec<Move>) {}

    /// How many moves `moves` would give.
    fn count_moves(&self) -> u64;

    /// The sum of `count_moves` over all positions after one move: perft of depth two.
    fn count_moves_after_each(&self) -> u64 {
        let mut moves = Vec::new();
        self.moves(&mut moves);
        moves.iter().map(|&m| self.play(m).count_moves()).sum()
    }

    /// The position after a move that came from `moves`.
    fn play(&self, m: Move) -> Self;

    /// A move drawn uniformly from `moves`, or `None` when there is none.
    fn random_move(&self, random: &mut Random) -> Option<Move>;

    /// The final position of one random game whose moves are drawn uniformly from `moves`.
    fn playout(&self, random: &mut Random) -> Self {
        let mut position = *self;
        while let Some(m) = position.random_move(random) {
            position = position.play(m);
        }
        position
    }

    /// The hash of all that the future depends on.
    fn hash(&self) -> u64;

    /// The position that `text` describes in the game's notation.
    fn parse(text: &str) -> Result<Self, String>;

    /// The position in the game's notation.
    fn format(&self) -> String;

    /// The move as the game's notation writes it.
    fn format_move(&self, m: Move) -> String;

    /// The verdict in all cases: also when a side cannot move.
    fn full_verdict(&self) -> Option<Verdict> {
        self.verdict().or_else(|| (self.count_moves() == 0).then(|| self.verdict_without_move()))
    }
}

/// The contest's points of `team`: 2 for a win, 1 for a draw, 0 for a loss or while nothing is decided.
pub fn victory_points(verdict: Option<Verdict>, team: Team) -> i32 {
    match verdict {
        None => 0,
        Some(Verdict::Draw) => 1,
        Some(Verdict::Win(winner)) => 2 * i32::from(winner == team),
    }
}
