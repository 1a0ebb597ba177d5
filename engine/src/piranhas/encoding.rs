//! Piranhas as numbers; TWO sees the board mirrored on the diagonal.

use super::lines::{CROSSINGS, ENTRIES, SIZE, STRIDE};
use super::{Piranhas, bit, squares};
use crate::encoding::{Encoded, Field, mark, sort_by_number};
use crate::game::{Move, Position, Team};
use crate::random::Random;

const SQUARES: usize = SIZE * SIZE;

/// The directions (x, y) in which moves are numbered: up, then clockwise.
const DIRECTIONS: [(i8, i8); 8] = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];

/// The axis of each direction in `CROSSINGS`.
const AXES: [usize; 8] = [1, 2, 0, 3, 1, 2, 0, 3];

/// The number of a direction, by `3 * (y + 1) + x + 1`.
const NUMBERS: [u8; 9] = {
    let mut numbers = [0; 9];
    let mut i = 0;
    while i < 8 {
        numbers[(3 * (DIRECTIONS[i].1 + 1) + DIRECTIONS[i].0 + 1) as usize] = i as u8;
        i += 1;
    }
    numbers
};

/// A number of a direction with x and y exchanged.
const MIRRORED: [u8; 8] = [2, 1, 0, 7, 6, 5, 4, 3];

/// Column and row of a square.
#[inline]
const fn place(square: usize) -> (usize, usize) {
    (square % STRIDE, square / STRIDE)
}

/// A square as a team sees it, row by row.
#[inline]
const fn seen(square: usize, team: usize) -> usize {
    let (x, y) = place(square);
    if team == 0 { SIZE * y + x } else { SIZE * x + y }
}

/// The number of the direction of a move, seen from ONE.
#[inline]
fn direction(m: Move) -> usize {
    let (from, to) = Piranhas::squares_of(m);
    let ((x, y), (to_x, to_y)) = (place(from), place(to));
    let (dx, dy) = ((to_x as i32 - x as i32).signum(), (to_y as i32 - y as i32).signum());
    NUMBERS[(3 * (dy + 1) + dx + 1) as usize].into()
}

impl Encoded for Piranhas {
    const ACTIONS: usize = DIRECTIONS.len() * SQUARES;

    fn draw_start(rules: u8, random: &mut Random) -> Self {
        Piranhas::start(rules.min(Self::RULE_SETS.len() as u8 - 1), random)
    }

    fn shape(&self) -> [usize; 3] {
        [if self.rules().weighted { 11 } else { 5 }, SIZE, SIZE]
    }

    fn observe(&self, team: Team, planes: &mut [u8]) {
        let (own, other) = (team as usize, 1 - team as usize);
        let weighted = self.rules().weighted;
        planes.fill(0);
        let mut planes = planes.chunks_exact_mut(SQUARES);
        let mut show = |board: u128| {
            if let Some(plane) = planes.next() {
                mark(plane, squares(board).map(|square| seen(square, own)));
            }
        };
        for side in [own, other] {
            let fish = self.fish[side];
            if weighted {
                show(fish & !(self.medium | self.large));
                show(fish & self.medium);
                show(fish & self.large);
            } else {
                show(fish);
            }
        }
        show(self.krakens);
        let union = |side: usize| u8::from(self.first_union.is_some_and(|first| first as usize == side));
        let numbers = [union(own), union(other), own as u8, self.turn];
        for (plane, &number) in planes.zip(if weighted { &numbers[..] } else { &numbers[2..] }) {
            plane.fill(number);
        }
    }

    fn action(&self, m: Move) -> usize {
        let direction = direction(m);
        let direction = if self.mover() == 0 { direction } else { MIRRORED[direction].into() };
        direction * SQUARES + seen(Self::squares_of(m).0, self.mover())
    }

    fn move_of(&self, action: usize) -> Option<Move> {
        let team = self.mover();
        let direction = Some(action / SQUARES).filter(|&number| number < DIRECTIONS.len())?;
        let direction = if team == 0 { direction } else { MIRRORED[direction].into() };
        let (row, column) = (action % SQUARES / SIZE, action % SIZE);
        let (x, y) = if team == 0 { (column, row) } else { (row, column) };
        let from = STRIDE * y + x;
        let line = CROSSINGS[from][AXES[direction]].line as usize;
        let distance = self.entry(&ENTRIES, line, team).distance() as i8;
        let (dx, dy) = DIRECTIONS[direction];
        let (to_x, to_y) = (x as i8 + distance * dx, y as i8 + distance * dy);
        let on_board = |at: i8| (0..SIZE as i8).contains(&at);
        let to = (STRIDE as i32 * i32::from(to_y) + i32::from(to_x)) as usize;
        (on_board(to_x) && on_board(to_y)).then_some(Move((from << 7 | to) as u16))
    }

    fn view(&self) -> usize {
        self.mover()
    }

    /// By square, then by axis: up and down, the rising diagonal, right and left, the falling diagonal.
    fn legal_moves(&self, moves: &mut Vec<Move>) {
        let first = moves.len();
        self.moves(moves);
        sort_by_number(&mut moves[first..], |m| {
            let direction = direction(m);
            // The squares of a row stand in the order of their bits in either numbering.
            8 * Self::squares_of(m).0 + 2 * (direction & 3) + (direction >> 2)
        });
    }

    fn fields(&self, last: Option<Move>) -> Vec<(&'static str, Field)> {
        let packed =
            |board: u128| (0..SIZE).fold(0, |sum, y| sum | (board >> (STRIDE * y) & 0x3FF) << (SIZE * y)).to_le_bytes();
        let squares = |board: u128| Field::Squares(packed(board).to_vec());
        vec![
            ("turn", Field::Number(self.turn.into())),
            ("one", squares(self.fish[0])),
            ("two", squares(self.fish[1])),
            ("krakens", squares(self.krakens)),
            ("medium", squares(self.medium)),
            ("large", squares(self.large)),
            ("first_union", Field::Team(self.first_union)),
            ("last_target_bit", squares(last.map_or(0, |m| bit(Self::squares_of(m).1)))),
        ]
    }
}
