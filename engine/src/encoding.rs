//! Positions and moves as numbers: the same planes and the same action numbers as `encoding.py` of each game in the
//! Python package, and the legal moves in the order of the rules there.

use crate::game::{Move, Position, Team};
use crate::random::Random;

/// What the state of the Python rules holds under one name.
#[derive(Clone, Debug, PartialEq)]
pub enum Field {
    /// A number.
    Number(u32),
    /// A set of squares as the Python rules number them, lowest bits first.
    Squares(Vec<u8>),
    /// A team, or nobody.
    Team(Option<Team>),
    /// Several in their order.
    Tuple(Vec<Field>),
    /// A text; under the name `text` it is the whole position, for states that are not made of numbers alone.
    Text(String),
}

/// A position that can be seen and played by numbers.
pub trait Encoded: Position + PartialEq {
    /// How many numbers for moves there are; they count from 0.
    const ACTIONS: usize;

    /// A start position of the rule set with this index, all equally likely.
    fn draw_start(rules: u8, random: &mut Random) -> Self;

    /// Planes, rows and columns of an observation.
    fn shape(&self) -> [usize; 3];

    /// Fills `planes` with the position as `team` sees it; it has as many bytes as `shape` says.
    fn observe(&self, team: Team, planes: &mut [u8]);

    /// The number of a move, as the side to move sees the board.
    fn action(&self, m: Move) -> usize;

    /// The move with that number, if it stays on the board; whether it is legal is another question.
    fn move_of(&self, action: usize) -> Option<Move>;

    /// Which numbering of moves is used now: in positions of the same view, a number names the same move of the rules.
    fn view(&self) -> usize;

    /// Appends all legal moves in the order of the Python rules.
    fn legal_moves(&self, moves: &mut Vec<Move>);

    /// All that the state of the Python rules is made of, except the rule set; `last` is the move that led here.
    fn fields(&self, last: Option<Move>) -> Vec<(&'static str, Field)>;
}

/// Sets the bytes of `plane` at the squares that `squares` names.
#[inline]
pub fn mark(plane: &mut [u8], squares: impl Iterator<Item = usize>) {
    for square in squares {
        plane[square] = 1;
    }
}

/// The numbers of the bits that are set, lowest first.
#[inline]
pub fn bits(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (set != 0).then(|| {
            let bit = set.trailing_zeros() as usize;
            set &= set - 1;
            bit
        })
    })
}

/// Sorts moves by a number that `number` gives to each, below 2^16; it is asked once for each move.
pub fn sort_by_number(moves: &mut [Move], number: impl Fn(Move) -> usize) {
    let mut keys: Vec<u32> = moves.iter().map(|&m| (number(m) as u32) << 16 | u32::from(m.0)).collect();
    keys.sort_unstable();
    for (m, key) in moves.iter_mut().zip(keys) {
        *m = Move(key as u16);
    }
}
