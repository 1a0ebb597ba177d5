//! Random games: the room of each colour is kept up to date with each piece, not made anew.

use super::board::{Board, EMPTY, ROW, Room, beside, diagonal};
use super::corners::{Corners, Drawn, Hand};
use super::shapes::{ORIENTATION, ORIENTATIONS, SIZE};
use super::{ALL_SHAPES, Blokus, placement};
use crate::game::Move;
use crate::random::Random;

/// What a position's rooms are made of.
struct Rooms {
    taken: Board,
    /// The squares beside those of each colour.
    closed: [Board; 4],
    /// The squares at the corners of those of each colour.
    open: [Board; 4],
    /// What each colour can lay.
    hands: [Hand; 4],
}

impl Rooms {
    fn new(position: &Blokus) -> Self {
        Rooms {
            taken: position.occupied(),
            closed: position.boards.map(|board| beside(&board)),
            open: position.boards.map(|board| diagonal(&board)),
            hands: position.hands.map(Hand::new),
        }
    }

    #[inline]
    fn room(&self, color: usize) -> Room {
        let mut room = Room { free: EMPTY, corners: EMPTY };
        for y in 0..SIZE {
            room.free[y] = !(self.taken[y] | self.closed[color][y]) & ROW;
            room.corners[y] = self.open[color][y] & room.free[y];
        }
        room
    }

    #[inline]
    fn lay(&mut self, color: usize, m: Move) {
        let (index, x, y) = placement(m);
        let orientation = &ORIENTATION[index.min(ORIENTATIONS - 1)];
        self.hands[color].remove(orientation.shape as usize);
        for (row, &cells) in orientation.rows[..orientation.height as usize].iter().enumerate() {
            self.taken[(y + row).min(SIZE - 1)] |= u32::from(cells) << x;
        }
        // With a frame of one square around the box, which may lie off the board.
        for row in 0..orientation.height as usize + 2 {
            if let Some(y) = (y + row).checked_sub(1).filter(|&y| y < SIZE) {
                self.closed[color][y] |= u32::from(orientation.closes[row]) << x >> 1;
                self.open[color][y] |= u32::from(orientation.opens[row]) << x >> 1;
            }
        }
    }
}

impl Blokus {
    /// A uniformly drawn move of a colour, or `None` if it has none.
    pub(super) fn random_move_of(&self, color: usize, random: &mut Random) -> Option<Move> {
        self.draw(color, || self.room(color), &Hand::new(self.hands[color]), random)
    }

    #[inline]
    fn draw(&self, color: usize, room: impl FnOnce() -> Room, hand: &Hand, random: &mut Random) -> Option<Move> {
        if self.hands[color] != ALL_SHAPES {
            match Corners::new(&room(), hand).draw(random) {
                Drawn::Move(m) => return Some(m),
                Drawn::Nothing => return None,
                Drawn::Unknown => {}
            }
        }
        let mut moves = Vec::with_capacity(256);
        self.for_each_move(color, |m| moves.push(m));
        (!moves.is_empty()).then(|| moves[random.below(moves.len() as u32) as usize])
    }

    /// The final position of a random game. Whether a colour can move shows when a move is drawn for it, so nobody needs
    /// to look before.
    pub(super) fn play_at_random(&self, random: &mut Random) -> Self {
        let mut position = *self;
        if position.verdict.is_some() {
            return position;
        }
        let mut rooms = Rooms::new(self);
        loop {
            let color = position.color();
            if position.out >> color & 1 == 0 {
                if position.ends_here() {
                    break;
                }
                match position.draw(color, || rooms.room(color), &rooms.hands[color], random) {
                    Some(m) => {
                        position.lay(m);
                        rooms.lay(color, m);
                    }
                    None => position.out |= 1 << color,
                }
                if position.out == 15 {
                    break;
                }
            }
            position.turn += 1;
        }
        position.verdict = Some(position.winner());
        position
    }
}
