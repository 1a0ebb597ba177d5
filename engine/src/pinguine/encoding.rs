//! Pinguine as numbers; both teams see the board as it is.

use super::{DIRECTIONS, Pinguine, stepped};
use crate::encoding::{Encoded, Field, bits, mark};
use crate::game::{Move, Position, Team};
use crate::random::Random;

/// The longest slide.
const DISTANCES: usize = 7;

/// Direction and distance from one field to another on its lines.
fn step(from: usize, to: usize) -> (usize, usize) {
    let place = |field: usize| ((2 * (field % 8) + field / 8 % 2) as i32, (field / 8) as i32);
    let ((x, y), (to_x, to_y)) = (place(from), place(to));
    let (x, y) = (to_x - x, to_y - y);
    let direction = DIRECTIONS.iter().position(|step| step.0.signum() == x.signum() && step.1 == y.signum());
    (direction.unwrap_or(0), if y == 0 { x.abs() / 2 } else { y.abs() } as usize)
}

impl Encoded for Pinguine {
    const ACTIONS: usize = (1 + DIRECTIONS.len() * DISTANCES) * 64;

    fn draw_start(rules: u8, random: &mut Random) -> Self {
        Pinguine::start(rules.min(Self::RULE_SETS.len() as u8 - 1), random)
    }

    fn shape(&self) -> [usize; 3] {
        [10, 8, 8]
    }

    fn observe(&self, team: Team, planes: &mut [u8]) {
        let (own, other) = (team as usize, 1 - team as usize);
        planes.fill(0);
        let mut planes = planes.chunks_exact_mut(64);
        let boards = [self.penguins[own], self.penguins[other]].into_iter().chain(self.floes);
        for (board, plane) in boards.zip(planes.by_ref()) {
            mark(plane, bits(board));
        }
        for (number, plane) in [self.fish[own], self.fish[other], own as u8, self.turn].into_iter().zip(planes) {
            plane.fill(number);
        }
    }

    fn action(&self, m: Move) -> usize {
        let (from, to) = Self::fields_of(m);
        if from == to {
            return to;
        }
        let (direction, distance) = step(from, to);
        (direction * DISTANCES + distance.max(1)) * 64 + from
    }

    fn move_of(&self, action: usize) -> Option<Move> {
        let (number, from) = (action / 64, action % 64);
        let to = match number.checked_sub(1) {
            None => from,
            Some(number) if number < DIRECTIONS.len() * DISTANCES => {
                stepped(from, number / DISTANCES, (number % DISTANCES + 1) as i32)?
            }
            Some(_) => return None,
        };
        Some(Move((from << 6 | to) as u16))
    }

    fn view(&self) -> usize {
        0
    }

    fn legal_moves(&self, moves: &mut Vec<Move>) {
        self.moves(moves);
    }

    fn fields(&self, _last: Option<Move>) -> Vec<(&'static str, Field)> {
        let squares = |board: &u64| Field::Squares(board.to_le_bytes().to_vec());
        vec![
            ("turn", Field::Number(self.turn.into())),
            ("to_move", Field::Team(Some(self.team))),
            ("penguins", Field::Tuple(self.penguins.iter().map(squares).collect())),
            ("floes", Field::Tuple(self.floes.iter().map(squares).collect())),
            ("fish", Field::Tuple(self.fish.iter().map(|&fish| Field::Number(fish.into())).collect())),
        ]
    }
}
