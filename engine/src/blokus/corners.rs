//! The squares from which a colour can go on, one by one: moves by trial, for random games and for the last few moves.

use super::board::Room;
use super::shapes::{ORIENTATION, ORIENTATIONS, SHAPES, SIZE};
use crate::game::Move;
use crate::random::Random;

/// How often a random move is sought by trial before all moves are listed.
const TRIES: u32 = 32;

/// Up to so many proposals they are all tried at once.
const MAX_TRIED_AT_ONCE: u32 = 40;

/// Up to so many proposals they are tried one by one; with more, all moves are listed shape by shape.
const MAX_TRIED: u32 = 160;

/// With more connecting squares no moves are tried; that is very rare.
const MAX_CORNERS: usize = 64;

/// For each set of free sides of a square (left 1, right 2, up 4, down 8) the placements over it that need no others,
/// as (orientation, number of the cell on that square).
struct Proposals {
    /// How many there are for each shape and set of free sides.
    number: [[u16; 16]; SHAPES],
    list: [[(u8, u8); 414]; 16],
    /// Where the proposals of each shape begin in each list.
    first: [[u16; SHAPES]; 16],
}

static PROPOSALS: Proposals = {
    let mut proposals = Proposals { number: [[0; 16]; SHAPES], list: [[(0, 0); 414]; 16], first: [[0; SHAPES]; 16] };
    let mut free = 0;
    while free < 16 {
        let (mut orientation, mut listed) = (0, 0);
        while orientation < ORIENTATIONS {
            let shape = ORIENTATION[orientation].shape as usize;
            let mut cell = 0;
            while cell < ORIENTATION[orientation].size {
                if ORIENTATION[orientation].sides(cell as usize) & !free == 0 {
                    if proposals.number[shape][free as usize] == 0 {
                        proposals.first[free as usize][shape] = listed;
                    }
                    proposals.list[free as usize][listed as usize] = (orientation as u8, cell);
                    proposals.number[shape][free as usize] += 1;
                    listed += 1;
                }
                cell += 1;
            }
            orientation += 1;
        }
        free += 1;
    }
    proposals
};

/// A square that connects: x, y, which of its sides are free (as in `Proposals`), and how many placements are proposed.
#[derive(Clone, Copy)]
struct Corner(u32);

impl Corner {
    #[inline]
    fn new(x: u32, y: u32, sides: u32, proposals: u16) -> Self {
        Corner(x | y << 5 | sides << 10 | u32::from(proposals) << 16)
    }

    #[inline]
    fn square(self) -> (usize, usize) {
        (self.0 as usize & 31, self.0 as usize >> 5 & 31)
    }

    #[inline]
    fn sides(self) -> usize {
        self.0 as usize >> 10 & 15
    }

    #[inline]
    fn proposals(self) -> u32 {
        self.0 >> 16
    }
}

/// How many placements of the shapes of a hand are proposed for each set of free sides.
#[derive(Clone, Copy)]
pub struct Hand {
    shapes: u32,
    numbers: [u16; 16],
}

impl Hand {
    /// A hand with these shapes.
    pub fn new(shapes: u32) -> Self {
        let mut numbers = [0; 16];
        for_each_shape(shapes, |shape| {
            for sides in 0..16 {
                numbers[sides] += PROPOSALS.number[shape][sides];
            }
        });
        Hand { shapes, numbers }
    }

    /// Takes one of its shapes out of the hand.
    #[inline]
    pub fn remove(&mut self, shape: usize) {
        self.shapes &= !(1 << shape);
        for sides in 0..16 {
            self.numbers[sides] -= PROPOSALS.number[shape][sides];
        }
    }
}

/// The squares that connect, one by one, and what could be laid over each.
pub struct Corners {
    list: [Corner; MAX_CORNERS],
    number: usize,
    hand: u32,
    /// How many placements with the shapes in hand are proposed for all corners together.
    proposals: u32,
    free: [u32; SIZE + 4],
    connecting: [u32; SIZE + 4],
}

impl Corners {
    /// The corners of a room, for the shapes of a hand.
    #[inline]
    pub fn new(room: &Room, hand: &Hand) -> Self {
        let mut corners = Corners {
            list: [Corner(0); MAX_CORNERS],
            number: 0,
            hand: hand.shapes,
            proposals: 0,
            free: [0; SIZE + 4],
            connecting: [0; SIZE + 4],
        };
        corners.free[..SIZE].copy_from_slice(&room.free);
        corners.connecting[..SIZE].copy_from_slice(&room.corners);
        for y in 0..SIZE {
            let mut row = room.corners[y];
            let (here, down) = (room.free[y], corners.free[y + 1]);
            let up = if y > 0 { room.free[y - 1] } else { 0 };
            while row != 0 {
                let x = row.trailing_zeros();
                row &= row - 1;
                let sides = here << 1 >> x & 1 | (here >> 1 >> x & 1) << 1 | (up >> x & 1) << 2 | (down >> x & 1) << 3;
                let proposals = hand.numbers[sides as usize & 15];
                if proposals > 0 {
                    corners.list[corners.number % MAX_CORNERS] = Corner::new(x, y as u32, sides, proposals);
                    corners.number += 1;
                    corners.proposals += u32::from(proposals);
                }
            }
        }
        corners
    }

    /// The top left of the placement with a certain cell on a corner, if it is legal.
    #[inline]
    fn place(&self, corner: Corner, index: u8, cell: u8) -> Option<(usize, usize)> {
        let orientation = &ORIENTATION[index as usize];
        let (cell_x, cell_y) = orientation.cells[cell as usize];
        let (corner_x, corner_y) = corner.square();
        let (x, y) = (corner_x.wrapping_sub(cell_x as usize), corner_y.wrapping_sub(cell_y as usize));
        if x > SIZE - orientation.width as usize || y > SIZE - orientation.height as usize {
            return None;
        }
        // Always five rows, empty ones too: cheaper than a loop of unpredictable length.
        let mut blocked = 0;
        for (row, &cells) in orientation.rows.iter().enumerate() {
            blocked |= u32::from(cells) << x & !self.free[y + row];
        }
        (blocked == 0).then_some((x, y))
    }

    /// The corners that a placement covers, row by row.
    #[inline]
    fn covered(&self, index: u8, (x, y): (usize, usize)) -> [u32; 5] {
        let rows = &ORIENTATION[index as usize].rows;
        std::array::from_fn(|row| u32::from(rows[row]) << x & self.connecting[y + row])
    }

    /// All moves, each once: with the first of the corners that it covers.
    fn for_each_move(&self, mut visit: impl FnMut(Move)) {
        for &corner in &self.list[..self.number] {
            let sides = corner.sides();
            for_each_shape(self.hand, |shape| {
                let first = PROPOSALS.first[sides][shape] as usize;
                for &(index, cell) in &PROPOSALS.list[sides][first..first + PROPOSALS.number[shape][sides] as usize] {
                    let Some((x, y)) = self.place(corner, index, cell) else { continue };
                    let covered = self.covered(index, (x, y));
                    let row = covered.iter().position(|&row| row != 0).unwrap_or(0);
                    if corner.square() == (covered[row].trailing_zeros() as usize, y + row) {
                        visit(coded(index, (x, y)));
                    }
                }
            });
        }
    }

    /// The proposal with a number below `proposals`.
    fn proposal(&self, mut number: u32) -> (Corner, u8, u8) {
        let mut at = 0;
        while at + 1 < self.number && number >= self.list[at].proposals() {
            number -= self.list[at].proposals();
            at += 1;
        }
        let corner = self.list[at];
        let sides = corner.sides();
        let mut shapes = self.hand;
        loop {
            let shape = shapes.trailing_zeros() as usize % SHAPES;
            let here = u32::from(PROPOSALS.number[shape][sides]);
            if number < here {
                let (index, cell) = PROPOSALS.list[sides][PROPOSALS.first[sides][shape] as usize + number as usize];
                return (corner, index, cell);
            }
            number -= here;
            shapes &= shapes - 1;
        }
    }

    /// A uniformly drawn move, or why there is none.
    ///
    /// Each trial draws a square that connects and what is proposed for it. A placement that covers several such squares
    /// is drawn that many times as often, and is then kept with the inverse of that number. If some trials find nothing,
    /// few or no moves are left, and one is drawn from all of them.
    pub fn draw(&self, random: &mut Random) -> Drawn {
        if self.number > MAX_CORNERS {
            return Drawn::Unknown;
        }
        if self.proposals > MAX_TRIED_AT_ONCE {
            for _ in 0..TRIES {
                let (corner, index, cell) = self.proposal(random.below(self.proposals));
                let Some(at) = self.place(corner, index, cell) else { continue };
                let covered: u32 = self.covered(index, at).iter().map(|row| row.count_ones()).sum();
                if covered == 1 || random.below(covered) == 0 {
                    return Drawn::Move(coded(index, at));
                }
            }
        }
        if self.proposals > MAX_TRIED {
            return Drawn::Unknown;
        }
        let (mut moves, mut number) = ([Move(0); MAX_TRIED as usize], 0);
        self.for_each_move(|m| {
            moves[number] = m;
            number += 1;
        });
        if number == 0 { Drawn::Nothing } else { Drawn::Move(moves[random.below(number as u32) as usize]) }
    }
}

#[inline]
fn coded(index: u8, (x, y): (usize, usize)) -> Move {
    Move((index as usize * 400 + SIZE * y + x) as u16)
}

/// What came of drawing a move.
pub enum Drawn {
    /// This move.
    Move(Move),
    /// There is no move.
    Nothing,
    /// Trials failed, and there is too much to try it all.
    Unknown,
}

#[inline]
fn for_each_shape(hand: u32, mut visit: impl FnMut(usize)) {
    let mut shapes = hand;
    while shapes != 0 {
        visit(shapes.trailing_zeros() as usize % SHAPES);
        shapes &= shapes - 1;
    }
}
