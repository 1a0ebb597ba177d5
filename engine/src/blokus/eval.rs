//! What a position of Blokus is worth: what each colour has in hand and can still lay, and who reaches which squares.

use super::Blokus;
use super::board::{Board, EMPTY, Runs, beside, count, is_empty};
use super::shapes::{FIRST, ORIENTATION, SHAPES, SIZE};
use super::weights::CURRENT;
use crate::network::{self, Featured, Features};
use crate::search::score_of_odds;

/// Features of one colour.
const OF_COLOR: usize = 15;
/// Where the features of the time begin.
const TIME: usize = 4 * OF_COLOR;
/// Where the shapes in hand begin, of each colour. Features from here on are always one.
const HANDS: usize = TIME + 6;
/// Where those of them begin that a colour could lay now.
const PLACEABLE: usize = HANDS + 4 * SHAPES;
/// Where the states of squares begin.
const SQUARES: usize = PLACEABLE + 4 * SHAPES;
/// A square has a class for each colour: how many of these numbers of steps suffice to reach it.
const CLASS_STEPS: [usize; 4] = [0, 2, 4, 6];
/// States of a square: the classes of the colours in the order of turns, as digits.
const STATES: usize = 625;
/// Before this turn every shape is taken to be placeable, since nearly all are.
const PLACEABLE_TURN: u8 = 20;
/// Features of a position: of the colours in the order of their turns, the time, shapes in hand, and squares.
pub const FEATURES: usize = SQUARES + STATES;
/// Hidden units.
pub const HIDDEN: usize = 32;
/// The network that evaluates a position.
pub type Network = network::Network<FEATURES, HIDDEN>;

/// How many steps the reach of a colour is followed: one piece and a bit.
const STEPS: usize = 6;

/// What each colour reaches from its corners within 0 to `STEPS` steps.
pub(super) type Reach = [[Board; STEPS + 1]; 4];

impl Blokus {
    /// Whether a colour can still lay something, as far as is known.
    #[inline]
    fn plays(&self, color: usize) -> bool {
        self.out >> color & 1 == 0
    }

    /// What each colour reaches from its corners. To be inlined always, for the instructions of its callers.
    #[inline(always)]
    pub(super) fn reach(&self) -> Reach {
        let mut reach = [[EMPTY; STEPS + 1]; 4];
        for (color, boards) in reach.iter_mut().enumerate() {
            if !self.plays(color) || self.hands[color] == 0 {
                continue;
            }
            let room = self.room(color);
            boards[0] = room.corners;
            for step in 1..=STEPS {
                let next = beside(&boards[step - 1]);
                boards[step] = std::array::from_fn(|y| boards[step - 1][y] | next[y] & room.free[y]);
            }
        }
        reach
    }

    /// The shapes in hand that a colour could lay if it were its turn; all of them early in the game.
    #[inline(always)]
    fn placeable(&self, color: usize) -> u32 {
        let hand = self.hands[color];
        if self.turn < PLACEABLE_TURN {
            return hand;
        }
        if !self.plays(color) || hand == 0 {
            return 0;
        }
        let room = self.room(color);
        let runs = Runs::new(&room);
        let mut placeable = 0;
        let mut shapes = hand;
        while shapes != 0 {
            let shape = shapes.trailing_zeros() as usize % SHAPES;
            shapes &= shapes - 1;
            for index in FIRST[shape] as usize..FIRST[shape + 1] as usize {
                if !is_empty(&runs.anchors(&ORIENTATION[index])) {
                    placeable |= 1 << shape;
                    break;
                }
            }
        }
        placeable
    }

    /// The lead of the side to move now.
    pub fn lead(&self) -> f32 {
        let team = self.color() & 1;
        (self.team_points(team) - self.team_points(1 - team)) as f32
    }
}

impl Featured for Blokus {
    #[inline(always)]
    fn add_features(&self, to: &mut impl Features) {
        let reach = self.reach();
        for step in 0..4 {
            let color = (self.color() + step) & 3;
            let boards = &reach[color];
            let in_hand = 89.0 - number(&self.boards[color]);
            let first = step * OF_COLOR;
            to.add(first, in_hand);
            if !self.plays(color) {
                to.add(first + 1, 1.0);
                continue;
            }
            let foes = [&reach[(color + 1) & 3], &reach[(color + 3) & 3]];
            let not_theirs = |step: usize| -> Board {
                std::array::from_fn(|y| boards[step][y] & !foes[0][step][y] & !foes[1][step][y])
            };
            // Squares that no opponent reaches in as few steps.
            let mut sooner = EMPTY;
            for step in 0..=STEPS {
                let own = not_theirs(step);
                sooner = std::array::from_fn(|y| sooner[y] | own[y]);
            }
            let (sooner, alone) = (number(&sooner), number(&not_theirs(STEPS)));
            let (corners, near, room, area) =
                (number(&boards[0]), number(&boards[2]), number(&boards[4]), number(&boards[STEPS]));
            let features = [
                self.hands[color].count_ones() as f32,
                (self.hands[color] & 1) as f32,
                corners,
                corners.sqrt(),
                near.sqrt(),
                room.sqrt(),
                area,
                area.sqrt(),
                area.min(2.0 * in_hand),
                sooner,
                sooner.sqrt(),
                alone,
                alone.sqrt(),
            ];
            for (i, feature) in features.into_iter().enumerate() {
                to.add(first + 2 + i, feature);
            }
        }
        let turn = f32::from(self.turn) / 80.0;
        let lead = self.lead();
        let both = [turn, turn * turn, f32::from(self.rules & 1), f32::from(self.rules >> 1), lead, lead * turn * turn];
        for (i, feature) in both.into_iter().enumerate() {
            to.add(TIME + i, feature);
        }
        for step in 0..4 {
            let color = (self.color() + step) & 3;
            for (first, shapes) in [(HANDS, self.hands[color]), (PLACEABLE, self.placeable(color))] {
                let mut left = shapes;
                while left != 0 {
                    to.add(first + step * SHAPES + left.trailing_zeros() as usize, 1.0);
                    left &= left - 1;
                }
            }
        }
        self.add_squares(&reach, to);
    }
}

impl Blokus {
    /// Adds the state of every square that somebody reaches.
    #[inline(always)]
    fn add_squares(&self, reach: &Reach, to: &mut impl Features) {
        // Loops of fixed length over the columns, so that a few instructions do a whole row.
        const COLUMNS: usize = 24;
        let turns = [0, 1, 2, 3].map(|step| &reach[(self.color() + step) & 3]);
        for y in 0..SIZE {
            let mut states = [0_u32; COLUMNS];
            let mut digit = 1;
            for boards in turns {
                for steps in CLASS_STEPS {
                    for x in 0..COLUMNS {
                        states[x] += digit * (boards[steps][y] >> x & 1);
                    }
                }
                digit *= 5;
            }
            let mut left = turns.iter().fold(0, |all, boards| all | boards[STEPS][y]);
            while left != 0 {
                let x = left.trailing_zeros() as usize % COLUMNS;
                left &= left - 1;
                to.add(SQUARES + states[x] as usize, 1.0);
            }
        }
    }
}

impl Blokus {
    /// How good the position is for the side to move.
    pub(super) fn expected_score(&self) -> i32 {
        score_of_odds::<Self>(CURRENT.get().0.output_of(self))
    }
}

#[inline]
fn number(board: &Board) -> f32 {
    count(board) as f32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blokus::placement;
    use crate::blokus::weights::NETWORK;
    use crate::game::Position;
    use crate::random::Random;

    const FAR: usize = 99;

    /// In how many steps a colour reaches each square from its corners, counted in a slow and simple way.
    fn steps(position: &Blokus, color: usize) -> Vec<usize> {
        let mut steps = vec![FAR; SIZE * SIZE];
        if !position.plays(color) || position.hands[color] == 0 {
            return steps;
        }
        let room = position.room(color);
        let is_in = |board: &Board, square: usize| board[square / SIZE] >> (square % SIZE) & 1 == 1;
        for square in (0..SIZE * SIZE).filter(|&square| is_in(&room.corners, square)) {
            steps[square] = 0;
        }
        for step in 0..STEPS {
            for square in (0..SIZE * SIZE).filter(|&square| is_in(&room.free, square)) {
                let (x, y) = (square % SIZE, square / SIZE);
                let near = (0..SIZE * SIZE)
                    .any(|other| steps[other] == step && (other % SIZE).abs_diff(x) + (other / SIZE).abs_diff(y) == 1);
                if near && steps[square] == FAR {
                    steps[square] = step + 1;
                }
            }
        }
        steps
    }

    #[test]
    fn features_are_what_they_say() {
        let mut random = Random::new(5);
        for game in 0..4 {
            let mut position = Blokus::start(game, 12);
            while let Some(m) = position.random_move(&mut random) {
                let mut features = Vec::new();
                position.add_features(&mut features);
                assert_eq!(NETWORK.output_of(&position), NETWORK.plain_output_of(&position));
                let all: Vec<Vec<usize>> = (0..4).map(|color| steps(&position, color)).collect();
                for step in (0..4).filter(|step| position.plays((position.color() + step) & 3)) {
                    let color = (position.color() + step) & 3;
                    let feature = |k: usize| {
                        features
                            .iter()
                            .find(|feature| feature.0 as usize == step * OF_COLOR + k)
                            .map_or(0.0, |feature| feature.1)
                    };
                    let own = &all[color];
                    let foes = |square: usize| all[(color + 1) & 3][square].min(all[(color + 3) & 3][square]);
                    let count = |which: &dyn Fn(usize) -> bool| (0..SIZE * SIZE).filter(|&s| which(s)).count() as f32;
                    assert_eq!(feature(2), position.hands[color].count_ones() as f32);
                    assert_eq!(feature(4), count(&|square| own[square] == 0));
                    assert_eq!(feature(6), count(&|square| own[square] <= 2).sqrt());
                    assert_eq!(feature(8), count(&|square| own[square] <= STEPS));
                    assert_eq!(feature(11), count(&|square| own[square] <= STEPS && own[square] < foes(square)));
                    assert_eq!(feature(13), count(&|square| own[square] <= STEPS && foes(square) > STEPS));
                }
                check_shapes(&position, &features);
                check_squares(&position, &features, &all);
                position = position.play(m);
            }
        }
    }

    fn check_shapes(position: &Blokus, features: &[(u16, f32)]) {
        for step in 0..4 {
            let color = (position.color() + step) & 3;
            let mut moves = Vec::new();
            position.for_each_move(color, |m| moves.push(placement(m).0));
            for shape in 0..SHAPES {
                let has = |first: usize| features.contains(&((first + step * SHAPES + shape) as u16, 1.0));
                assert_eq!(has(HANDS), position.hands[color] >> shape & 1 == 1);
                if position.turn >= PLACEABLE_TURN {
                    let can = position.plays(color) && moves.iter().any(|&m| ORIENTATION[m].shape as usize == shape);
                    assert_eq!(has(PLACEABLE), can);
                }
            }
        }
    }

    fn check_squares(position: &Blokus, features: &[(u16, f32)], steps: &[Vec<usize>]) {
        let mut expected = Vec::new();
        for square in 0..SIZE * SIZE {
            let class = |step: usize| {
                let steps = steps[(position.color() + step) & 3][square];
                CLASS_STEPS.iter().filter(|&&limit| steps <= limit).count()
            };
            if (0..4).any(|step| class(step) > 0) {
                expected.push((SQUARES + class(0) + 5 * class(1) + 25 * class(2) + 125 * class(3)) as u16);
            }
        }
        let squares: Vec<u16> = features.iter().map(|feature| feature.0).filter(|&i| i as usize >= SQUARES).collect();
        assert_eq!(squares, expected);
    }
}
