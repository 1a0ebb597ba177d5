//! Blokus as numbers; a team sees the colour that it moves next as the first.

use super::board::Board;
use super::shapes::{ORIENTATION, ORIENTATIONS, SHAPES, SIZE};
use super::{Blokus, PASS, RULE_SETS, placement};
use crate::encoding::{Encoded, Field, bits, mark};
use crate::game::{Move, Position, Team};
use crate::random::Random;

const SQUARES: usize = SIZE * SIZE;
/// The action number of the pass.
const PASS_ACTION: usize = ORIENTATIONS * SQUARES;
/// Squares of a row in the boards of the Python rules.
const PYTHON_STRIDE: usize = SIZE + 1;
/// The shapes of five squares, and the one of them that has no corner to begin in.
const PENTOMINOES: std::ops::Range<u32> = 9..21;
const PENTO_X: u32 = 19;

fn show(plane: &mut [u8], board: &Board) {
    for (row, &squares) in plane.chunks_exact_mut(SIZE).zip(board) {
        mark(row, bits(squares.into()));
    }
}

impl Encoded for Blokus {
    const ACTIONS: usize = PASS_ACTION + 1;

    /// The shape of the first pieces is drawn; in a corner a cross cannot lie (R6).
    fn draw_start(rules: u8, random: &mut Random) -> Self {
        let rules = rules.min(Self::RULE_SETS.len() as u8 - 1);
        loop {
            let shape = PENTOMINOES.start + random.below(PENTOMINOES.len() as u32);
            if shape != PENTO_X || RULE_SETS[rules as usize].rules.starts_on_border {
                return Blokus::start(rules, shape as u8);
            }
        }
    }

    fn shape(&self) -> [usize; 3] {
        [4 + 4 * SHAPES + 4 + 4 + 1 + 4 + 1, SIZE, SIZE]
    }

    fn observe(&self, team: Team, planes: &mut [u8]) {
        let first = (usize::from(self.turn) + usize::from(self.to_move() != team)) & 3;
        let order: [usize; 4] = std::array::from_fn(|place| (first + place) & 3);
        let (boards, rest) = planes.split_at_mut(4 * SQUARES);
        boards.fill(0);
        for (plane, &color) in boards.chunks_exact_mut(SQUARES).zip(&order) {
            show(plane, &self.boards[color]);
        }
        let hands = order.iter().flat_map(|&color| (0..SHAPES).map(move |shape| self.hands[color] >> shape & 1));
        let still_in = order.iter().map(|&color| u32::from(!self.out >> color & 1));
        let mono_last = order.iter().map(|&color| u32::from(self.mono_last >> color & 1));
        let mut planes = rest.chunks_exact_mut(SQUARES);
        for (plane, number) in planes.by_ref().zip(hands.chain(still_in).chain(mono_last)) {
            plane.fill(number as u8);
        }
        self.show_rest(first, &mut rest[(4 * SHAPES + 8) * SQUARES..]);
    }

    fn action(&self, m: Move) -> usize {
        if m == PASS { PASS_ACTION } else { m.0.into() }
    }

    fn move_of(&self, action: usize) -> Option<Move> {
        if action == PASS_ACTION {
            return Some(PASS);
        }
        let m = Move(u16::try_from(action).ok()?);
        let (index, x, y) = placement(m);
        let orientation = ORIENTATION.get(index)?;
        let on_board = x + orientation.width as usize <= SIZE && y + orientation.height as usize <= SIZE;
        on_board.then_some(m)
    }

    fn view(&self) -> usize {
        self.color()
    }

    /// By shape and orientation, from the lower right to the upper left; the pass comes last.
    fn legal_moves(&self, moves: &mut Vec<Move>) {
        let first = moves.len();
        self.moves(moves);
        for same_orientation in moves[first..].chunk_by_mut(|a, b| a.0 / 400 == b.0 / 400) {
            same_orientation.reverse();
        }
        self.uncounted_moves(moves);
    }

    fn fields(&self, _last: Option<Move>) -> Vec<(&'static str, Field)> {
        let numbers = |four: [u32; 4]| Field::Tuple(four.map(Field::Number).into());
        vec![
            ("start", Field::Number(self.start_shape.into())),
            ("boards", Field::Tuple(self.boards.map(|board| Field::Squares(python_board(&board))).into())),
            ("hands", numbers(self.hands)),
            ("turn", Field::Number(self.turn.into())),
            ("still_in", Field::Number((!self.out & 15).into())),
            ("mono", Field::Number(self.mono_last.into())),
        ]
    }
}

impl Blokus {
    /// The planes behind those of the colours: the shape of the first pieces, the place in the round, the turn.
    fn show_rest(&self, first: usize, planes: &mut [u8]) {
        let (shape, rest) = planes.split_at_mut(SQUARES);
        shape.fill(0);
        let drawn = ORIENTATION.iter().find(|orientation| orientation.shape == self.start_shape);
        for (row, &cells) in shape.chunks_exact_mut(SIZE).zip(drawn.iter().flat_map(|shape| &shape.rows)) {
            mark(row, bits(cells.into()));
        }
        for (place, plane) in rest.chunks_exact_mut(SQUARES).enumerate() {
            plane.fill(if place == 4 { self.turn } else { u8::from(place == first) });
        }
    }
}

/// A board as the Python rules number it: one bit more in each row.
fn python_board(board: &Board) -> Vec<u8> {
    let mut bytes = vec![0; (PYTHON_STRIDE * SIZE).div_ceil(8)];
    for (y, &row) in board.iter().enumerate() {
        for x in bits(row.into()) {
            let bit = PYTHON_STRIDE * y + x;
            bytes[bit / 8] |= 1 << (bit % 8);
        }
    }
    bytes
}
