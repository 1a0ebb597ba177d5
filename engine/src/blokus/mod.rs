//! Blokus: the rules of all four rule sets.
//!
//! A move is `orientation * 400 + 20 * y + x` with the top left of the piece's box, or `PASS`.
//! R-numbers refer to the RULES.md of the game in the Python package.

pub mod board;
mod bounds;
mod corners;
mod encoding;
pub mod eval;
mod learning;
mod notation;
mod order;
mod playout;
pub mod policy;
pub mod shapes;
pub mod weights;

use crate::game::{Move, Outcome, Position, RuleSet, Team, Verdict, victory_points};
use crate::random::{Random, keys};
use board::{Board, EMPTY, Room, Runs, count, is_empty};
use shapes::{FIRST, ORIENTATION, ORIENTATIONS, SHAPES, SIZE};

/// Not to lay a piece.
pub const PASS: Move = Move(u16::MAX);
/// The colours in the order of their turns; ONE has the first and the third.
pub static COLORS: [&str; 4] = ["BLUE", "YELLOW", "RED", "GREEN"];
const ALL_SHAPES: u32 = (1 << SHAPES) - 1;

/// What the rule sets differ in.
#[derive(Debug)]
pub struct Rules {
    /// The first piece touches the border anywhere, not only in a corner.
    pub starts_on_border: bool,
    /// The turn at which the game ends.
    pub last_turn: u8,
    /// The game ends with the round in which a colour has laid its last piece.
    pub ends_when_finished: bool,
}

/// The four rule sets.
static RULE_SETS: [RuleSet<Rules>; 4] = [
    rules("blokus-2021", false, 100, true),
    rules("blokus-2021-official", false, 100, false),
    rules("blokus-2027", true, 100, true),
    rules("blokus-2027-official", true, 96, false),
];

const fn rules(key: &'static str, starts_on_border: bool, last_turn: u8, ends_when_finished: bool) -> RuleSet<Rules> {
    RuleSet { key, rules: Rules { starts_on_border, last_turn, ends_when_finished } }
}

const CORNERS: Board = {
    let mut board = EMPTY;
    board[0] = 1 | 1 << (SIZE - 1);
    board[SIZE - 1] = board[0];
    board
};
const BORDER: Board = {
    let mut board = [1 | 1 << (SIZE - 1); SIZE];
    board[0] = (1 << SIZE) - 1;
    board[SIZE - 1] = board[0];
    board
};

/// One position.
#[derive(Clone, Copy, PartialEq)]
pub struct Blokus {
    /// The squares of each colour.
    boards: [Board; 4],
    /// The shapes that each colour still has.
    hands: [u32; 4],
    hash: u64,
    turn: u8,
    rules: u8,
    start_shape: u8,
    /// The colours that are out, as bits.
    out: u8,
    /// The colours whose last piece was the monomino, as bits.
    mono_last: u8,
    verdict: Option<Verdict>,
}

static SQUARE_KEYS: [u64; 1600] = keys(21);
static TURN_KEYS: [u64; 256] = keys(22);
static OUT_KEYS: [u64; 16] = keys(23);
static MONO_KEYS: [u64; 16] = keys(24);
static START_KEYS: [u64; 4 * SHAPES] = keys(25);

/// The move that lays an orientation with the top left of its box at a square.
#[inline]
fn coded(index: usize, x: usize, y: usize) -> Move {
    Move((index * 400 + SIZE * y + x) as u16)
}

/// Orientation, x and y of a move that is not a pass.
#[inline]
pub fn placement(m: Move) -> (usize, usize, usize) {
    let (orientation, square) = ((m.0 / 400) as usize, (m.0 % 400) as usize);
    (orientation, square % SIZE, square / SIZE)
}

/// The things that make up a position.
#[derive(Clone, Copy, Debug)]
pub struct Setup {
    /// The index of the rule set in `RULE_SETS`.
    pub rules: u8,
    /// Colours that have had their turn, skipped ones too.
    pub turn: u8,
    /// The shape that every colour lays first.
    pub start_shape: u8,
    /// The squares of each colour.
    pub boards: [Board; 4],
    /// The shapes that each colour still has, as bits.
    pub hands: [u32; 4],
    /// The colours that are out, as bits.
    pub out: u8,
    /// The colours whose last piece was the monomino, as bits.
    pub mono_last: u8,
}

impl Blokus {
    /// The position with these things on the board; it is awaiting the colour whose turn it is.
    pub fn new(setup: &Setup) -> Self {
        let mut position = Blokus {
            boards: setup.boards,
            hands: setup.hands,
            hash: 0,
            turn: setup.turn,
            rules: setup.rules,
            start_shape: setup.start_shape,
            out: setup.out & 15,
            mono_last: setup.mono_last & 15,
            verdict: None,
        };
        for (color, board) in setup.boards.iter().enumerate() {
            for (y, row) in board.iter().enumerate() {
                for x in (0..SIZE).filter(|x| row >> x & 1 == 1) {
                    position.hash ^= SQUARE_KEYS[color * 400 + SIZE * y + x];
                }
            }
        }
        position.hash ^= START_KEYS[setup.rules as usize * SHAPES + setup.start_shape as usize]
            ^ MONO_KEYS[position.mono_last as usize];
        position.settle();
        position
    }

    /// The start position of a rule set.
    pub fn start(rules: u8, start_shape: u8) -> Self {
        let hands = [ALL_SHAPES; 4];
        Blokus::new(&Setup { rules, turn: 0, start_shape, boards: [EMPTY; 4], hands, out: 0, mono_last: 0 })
    }

    #[inline]
    fn rules(&self) -> &'static Rules {
        &RULE_SETS[self.rules as usize].rules
    }

    /// The colour whose turn it is.
    #[inline]
    pub fn color(&self) -> usize {
        (self.turn & 3) as usize
    }

    /// The squares that are taken.
    #[inline(always)]
    pub fn occupied(&self) -> Board {
        std::array::from_fn(|y| self.boards[0][y] | self.boards[1][y] | self.boards[2][y] | self.boards[3][y])
    }

    /// Where a colour may lay squares.
    #[inline(always)]
    pub fn room(&self, color: usize) -> Room {
        let occupied = self.occupied();
        if self.hands[color] == ALL_SHAPES {
            return Room::first(if self.rules().starts_on_border { &BORDER } else { &CORNERS }, &occupied);
        }
        Room::new(&self.boards[color], &occupied)
    }

    /// The shapes that a colour may lay now.
    #[inline]
    fn choice(&self, color: usize) -> u32 {
        if self.hands[color] == ALL_SHAPES { 1 << self.start_shape } else { self.hands[color] }
    }

    fn can_lay(&self, color: usize) -> bool {
        let room = self.room(color);
        let mut shapes = self.choice(color);
        if room.is_closed() || shapes == 0 {
            return false;
        }
        if shapes & 1 == 1 {
            return true; // The monomino fits on any corner.
        }
        let runs = Runs::new(&room);
        while shapes != 0 {
            let shape = shapes.trailing_zeros() as usize;
            shapes &= shapes - 1;
            for orientation in &ORIENTATION[FIRST[shape] as usize..FIRST[shape + 1] as usize] {
                if !is_empty(&runs.anchors(orientation)) {
                    return true;
                }
            }
        }
        false
    }

    /// Moves on to the next colour that can lay a piece; colours that cannot are out for good (R13).
    fn settle(&mut self) {
        while self.out != 15 {
            let bit = 1 << self.color();
            if self.out & bit == 0 {
                if self.can_lay(self.color()) {
                    break;
                }
                self.out |= bit;
                if self.out == 15 {
                    break; // The turn stays where the last colour went out.
                }
            }
            self.turn += 1;
        }
        self.hash ^= TURN_KEYS[self.turn as usize] ^ OUT_KEYS[self.out as usize];
        if self.out == 15 || self.ends_here() {
            self.verdict = Some(self.winner());
        }
    }

    /// Whether the game ends at this turn, whoever can still move (R15, R16).
    #[inline]
    fn ends_here(&self) -> bool {
        self.turn >= self.rules().last_turn || self.is_finished()
    }

    /// Whether a colour has laid its last piece in an earlier round: it has not moved in this one, or it is out.
    #[inline]
    fn is_finished(&self) -> bool {
        let before = |(color, &hand): (usize, &u32)| hand == 0 && (color >= self.color() || self.out >> color & 1 == 1);
        self.rules().ends_when_finished && self.hands.iter().enumerate().any(before)
    }

    fn winner(&self) -> Verdict {
        Verdict::of(self.team_points(0).cmp(&self.team_points(1)))
    }

    /// The points of a colour: squares laid, and the two bonuses.
    pub fn color_points(&self, color: usize) -> i32 {
        let squares = count(&self.boards[color]) as i32;
        let finished = self.hands[color] == 0;
        squares + if finished { 15 } else { 0 } + if finished && self.mono_last >> color & 1 == 1 { 5 } else { 0 }
    }

    /// The points of a team.
    pub fn team_points(&self, team: usize) -> i32 {
        self.color_points(team) + self.color_points(team + 2)
    }

    #[inline]
    fn for_each_move(&self, color: usize, mut visit: impl FnMut(Move)) {
        let room = self.room(color);
        if room.is_closed() {
            return;
        }
        let runs = Runs::new(&room);
        let mut shapes = self.choice(color);
        while shapes != 0 {
            let shape = shapes.trailing_zeros() as usize;
            shapes &= shapes - 1;
            for orientation in FIRST[shape] as usize..FIRST[shape + 1] as usize {
                let anchors = runs.anchors(&ORIENTATION[orientation]);
                if is_empty(&anchors) {
                    continue;
                }
                for (y, &row) in anchors.iter().enumerate() {
                    let mut row = row;
                    while row != 0 {
                        let x = row.trailing_zeros() as usize;
                        row &= row - 1;
                        visit(coded(orientation, x, y));
                    }
                }
            }
        }
    }

    /// Lays the piece of a move without moving on.
    #[inline]
    fn lay(&mut self, m: Move) {
        let color = self.color();
        let (index, x, y) = placement(m);
        let orientation = &ORIENTATION[index.min(ORIENTATIONS - 1)];
        for &(cell_x, cell_y) in &orientation.cells[..orientation.size as usize] {
            let (x, y) = (x + cell_x as usize, y + cell_y as usize);
            self.boards[color][y] |= 1 << x;
            self.hash ^= SQUARE_KEYS[color * 400 + SIZE * y + x];
        }
        self.hands[color] &= !(1 << orientation.shape);
        if self.hands[color] == 0 && orientation.shape == 0 {
            self.hash ^= MONO_KEYS[self.mono_last as usize];
            self.mono_last |= 1 << color;
            self.hash ^= MONO_KEYS[self.mono_last as usize];
        }
    }

    /// The colour that moves after the current one if it can, `None` if nobody else is in.
    fn next_color(&self) -> Option<usize> {
        (1..4).map(|i| (self.color() + i) & 3).find(|color| self.out >> color & 1 == 0)
    }

    /// Whether all pieces here lie on a later board, too.
    fn is_before(&self, later: &Self) -> bool {
        let pairs = self.boards.iter().flatten().zip(later.boards.iter().flatten());
        pairs.fold(0, |missing, (row, later)| missing | row & !later) == 0
    }

    /// Whether a colour may pass: not with its first piece.
    pub fn may_pass(&self) -> bool {
        self.verdict.is_none() && self.hands[self.color()] != ALL_SHAPES
    }
}

impl Position for Blokus {
    const MOVE_BITS: u32 = 16;

    type Rules = Rules;

    const RULE_SETS: &'static [RuleSet<Rules>] = &RULE_SETS;

    fn turn(&self) -> u32 {
        self.turn.into()
    }

    #[inline]
    fn to_move(&self) -> Team {
        Team::from_index(self.color())
    }

    #[inline]
    fn verdict(&self) -> Option<Verdict> {
        self.verdict
    }

    fn verdict_without_move(&self) -> Verdict {
        self.winner()
    }

    fn outcome(&self) -> Option<Outcome> {
        let reason = if self.out == 15 {
            "NO_MOVES"
        } else if self.is_finished() {
            "FINISHED"
        } else {
            "ROUNDS"
        };
        self.verdict().map(|verdict| Outcome { verdict, reason })
    }

    fn points(&self, team: Team) -> Vec<i32> {
        vec![victory_points(self.verdict(), team), self.team_points(team as usize)]
    }

    fn moves(&self, moves: &mut Vec<Move>) {
        if self.verdict.is_none() {
            self.for_each_move(self.color(), |m| moves.push(m));
        }
    }

    fn uncounted_moves(&self, moves: &mut Vec<Move>) {
        if self.may_pass() {
            moves.push(PASS);
        }
    }

    fn count_moves(&self) -> u64 {
        if self.verdict.is_some() {
            return 0;
        }
        let color = self.color();
        let runs = Runs::new(&self.room(color));
        let mut shapes = self.choice(color);
        let mut sum = 0;
        while shapes != 0 {
            let shape = shapes.trailing_zeros() as usize;
            shapes &= shapes - 1;
            for orientation in &ORIENTATION[FIRST[shape] as usize..FIRST[shape + 1] as usize] {
                sum += count(&runs.anchors(orientation));
            }
        }
        sum.into()
    }

    /// The next colour loses exactly those of its placements that the piece just laid overlaps.
    fn count_moves_after_each(&self) -> u64 {
        if self.verdict.is_some() {
            return 0;
        }
        let mut sum = 0;
        let Some(next) = self.next_color() else {
            self.for_each_move(self.color(), |m| sum += self.play(m).count_moves());
            return sum;
        };
        let mut replies = Vec::with_capacity(1024);
        self.for_each_move(next, |m| replies.push(m));
        let words = replies.len().div_ceil(64);
        // For each square the set of replies that cover it.
        let mut covering = vec![0_u64; 400 * words];
        for (i, &reply) in replies.iter().enumerate() {
            for_each_square(reply, |square| covering[square * words + i / 64] |= 1 << (i % 64));
        }
        // Near the end of the game a move may be the last one.
        let late = self.turn + 4 >= self.rules().last_turn
            || self.rules().ends_when_finished && self.hands.iter().any(|hand| hand.count_ones() <= 1);
        let mut lost = vec![0_u64; words];
        self.for_each_move(self.color(), |m| {
            lost.fill(0);
            for_each_square(m, |square| {
                for (word, covers) in lost.iter_mut().zip(&covering[square * words..(square + 1) * words]) {
                    *word |= covers;
                }
            });
            let left = replies.len() as u64 - lost.iter().map(|word| u64::from(word.count_ones())).sum::<u64>();
            // A colour that is left without a reply goes out, and another one moves.
            sum += if left == 0 || late { self.play(m).count_moves() } else { left };
        });
        sum
    }

    #[inline]
    fn play(&self, m: Move) -> Self {
        let mut next = *self;
        if m != PASS {
            next.lay(m);
        }
        next.hash ^= TURN_KEYS[self.turn as usize] ^ OUT_KEYS[self.out as usize];
        next.turn += 1;
        next.settle();
        next
    }

    fn random_move(&self, random: &mut Random) -> Option<Move> {
        if self.verdict.is_none() { self.random_move_of(self.color(), random) } else { None }
    }

    fn playout(&self, random: &mut Random) -> Self {
        self.play_at_random(random)
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

/// The squares that a placement covers, as `20 * y + x`, row by row.
#[inline]
pub fn for_each_square(m: Move, mut visit: impl FnMut(usize)) {
    let (index, x, y) = placement(m);
    let orientation = &ORIENTATION[index.min(ORIENTATIONS - 1)];
    for &(cell_x, cell_y) in &orientation.cells[..orientation.size as usize] {
        visit((y + cell_y as usize) * SIZE + x + cell_x as usize);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blokus_ends_when_the_first_colour_has_laid_all_its_pieces_in_an_earlier_round() {
        let board = "YY2BBB3BBB4RRR/YYBB2B2B8RR/Y1BB2B1BBB9/7B3BB7/7BBB2BB6/BB5B2BB8/2BBBBB4B8/1B9B8/1B2B2B3B8/1BB1BB1BB11/\
                     2B2BB13/3BB3B11/4B1BBBB10/4BB4BB8/3B2B3B9/1BBB2B3BB1B6/2B3B2B2BBB5/1B1B2B6B6/BB1BBB11GG1/BB15GGG";
        let position = Blokus::parse(&format!("blokus-2021 {board} 85 PENTO_P YRG B")).unwrap();
        assert_eq!(position.outcome().map(|outcome| outcome.reason), Some("FINISHED"));
        let goes_on = Blokus::parse(&format!("blokus-2021-official {board} 85 PENTO_P YRG B")).unwrap();
        assert_eq!(goes_on.outcome(), None);
    }
}
