//! Hase und Igel as numbers; both teams see the track alike. A move is its number.

use super::cards::ACTIONS;
use super::{GOAL, Hare, HaseUndIgel, KINDS, Last};
use crate::encoding::{Encoded, Field, bits, mark};
use crate::game::{Move, Position, Team};
use crate::random::Random;

const LENGTH: usize = GOAL as usize + 1;

impl Encoded for HaseUndIgel {
    const ACTIONS: usize = ACTIONS;

    fn draw_start(rules: u8, random: &mut Random) -> Self {
        HaseUndIgel::start(rules.min(Self::RULE_SETS.len() as u8 - 1), random)
    }

    fn shape(&self) -> [usize; 3] {
        [KINDS + 2 * 10 + 2, 1, LENGTH]
    }

    fn observe(&self, team: Team, planes: &mut [u8]) {
        planes.fill(0);
        let mut planes = planes.chunks_exact_mut(LENGTH);
        for (set, plane) in self.track.kinds.into_iter().zip(planes.by_ref()) {
            mark(plane, bits(set).map(|bit| bit + 1));
        }
        for side in [team, team.opponent()] {
            let Hare { position, carrots, salads, cards: [a, b, c, d], last } = self.hares[side as usize];
            if let Some(plane) = planes.next() {
                plane[usize::from(position)] = 1;
            }
            let (ate, swapped) = (u8::from(last == Last::Ate), u8::from(last == Last::Swapped));
            let numbers = [(carrots / 100) as u8, (carrots % 100) as u8, salads, a, b, c, d, ate, swapped];
            for (number, plane) in numbers.into_iter().zip(planes.by_ref()) {
                plane.fill(number);
            }
        }
        for (number, plane) in [team as u8, self.turn].into_iter().zip(planes) {
            plane.fill(number);
        }
    }

    fn action(&self, m: Move) -> usize {
        usize::from(m.0)
    }

    fn move_of(&self, action: usize) -> Option<Move> {
        (action < ACTIONS).then_some(Move(action as u16))
    }

    fn view(&self) -> usize {
        0
    }

    fn legal_moves(&self, moves: &mut Vec<Move>) {
        self.moves(moves);
    }

    fn fields(&self, _last: Option<Move>) -> Vec<(&'static str, Field)> {
        vec![("text", Field::Text(self.format()))]
    }
}
