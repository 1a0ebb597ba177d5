//! How many points a team can still get at most, and so who has won before the last piece is laid.

use super::Blokus;
use super::board::{Board, beside, count, diagonal};
use super::shapes::{FIRST, ORIENTATION, SHAPES};
use crate::game::{Team, Verdict};

/// Before this turn nobody has so few squares left that a lead is safe.
const FROM_TURN: u8 = 24;

/// The squares of each shape.
const SIZES: [u8; SHAPES] = {
    let mut sizes = [0; SHAPES];
    let mut shape = 0;
    while shape < SHAPES {
        sizes[shape] = ORIENTATION[FIRST[shape] as usize].size;
        shape += 1;
    }
    sizes
};

impl Blokus {
    /// Who wins whatever both sides lay: points are never lost, and the other team cannot get as many.
    pub(super) fn winner_by_bounds(&self) -> Option<Verdict> {
        if self.turn < FROM_TURN {
            return None;
        }
        let lead = self.team_points(0) - self.team_points(1);
        let (behind, lead) = (usize::from(lead > 0), lead.abs());
        let gains = || [behind, behind + 2].into_iter();
        // The squares in hand are counted at once, those within reach are not.
        if gains().map(|color| self.gain_by_hand(color)).sum::<i32>() < lead
            || gains().map(|color| self.gain_by_room(color)).sum::<i32>() < lead
        {
            return Some(Verdict::Win(Team::from_index(1 - behind)));
        }
        None
    }

    /// How many points a colour can still get at most, for all the pieces in its hand.
    fn gain_by_hand(&self, color: usize) -> i32 {
        let hand = self.hands[color];
        if self.out >> color & 1 == 1 || hand == 0 {
            return 0;
        }
        self.squares_in_hand(color) + 15 + if hand & 1 == 1 { 5 } else { 0 }
    }

    /// How many points a colour can still get at most, for all squares to which its pieces may lead.
    fn gain_by_room(&self, color: usize) -> i32 {
        let by_hand = self.gain_by_hand(color);
        if by_hand == 0 {
            return 0;
        }
        let room = self.room(color);
        // A piece covers free squares side by side, and the next one begins at a corner of it.
        let mut reached = room.corners;
        loop {
            let (sides, corners) = (beside(&reached), diagonal(&reached));
            let next: Board = std::array::from_fn(|y| reached[y] | (sides[y] | corners[y]) & room.free[y]);
            if next == reached {
                break;
            }
            reached = next;
        }
        let squares = count(&reached) as i32;
        if squares < self.squares_in_hand(color) { squares } else { by_hand }
    }

    fn squares_in_hand(&self, color: usize) -> i32 {
        (0..SHAPES).filter(|shape| self.hands[color] >> shape & 1 == 1).map(|shape| i32::from(SIZES[shape])).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Position;
    use crate::random::Random;

    #[test]
    fn a_winner_by_bounds_wins_every_random_game_from_there() {
        let mut random = Random::new(3);
        let mut seen = 0;
        for game in 0..60 {
            let mut position = Blokus::start(game % 4, 12);
            while position.verdict().is_none() {
                let Some(m) = position.random_move(&mut random) else { break };
                position = position.play(m);
                let Some(winner) = position.winner_by_bounds() else { continue };
                seen += 1;
                for _ in 0..20 {
                    assert_eq!(position.playout(&mut random).verdict(), Some(winner), "{}", position.format());
                }
            }
        }
        assert!(seen > 100, "{seen}");
    }

    #[test]
    fn a_colour_never_gets_more_than_its_bounds() {
        let mut random = Random::new(4);
        for game in 0..40 {
            let mut bounds: Vec<[i32; 4]> = Vec::new();
            let mut position = Blokus::start(game % 4, 12);
            while let Some(m) = position.random_move(&mut random) {
                position = position.play(m);
                let most = |color| position.color_points(color) + position.gain_by_room(color);
                bounds.push(std::array::from_fn(most));
            }
            for color in 0..4 {
                let points = position.color_points(color);
                assert!(bounds.iter().all(|bounds| points <= bounds[color]));
            }
        }
    }
}
