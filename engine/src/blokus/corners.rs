//! The squares from which a colour can go on, one by one: moves by trial, for random games and for the last few moves.

use super::board::Room;
use super::shapes::{ORIENTATION, ORIENTATIONS, SHAPES, SIZE};
use crate::game::Move;
use crate::random::Random;

/// How often a random move is sought by trial before all moves are listed.
const TRIES: u32 = 50;

/// For each set of free sides of a square (left 1, right 2, up 4, down 8) the placements over it that need no others,
/// as (orientation, number of the cell on that square).
struct Proposals {
    number: [u16; 16],
    list: [[(u8, u8); 414]; 16],
    /// Where the proposals of each shape begin in each list.
    first: [[u16; SHAPES + 1]; 16],
}

static PROPOSALS: Proposals = {
    let mut proposals = Proposals { number: [0; 16], list: [[(0, 0); 414]; 16], first: [[0; SHAPES + 1]; 16] };
    let mut orientation = 0;
    while orientation < ORIENTATIONS {
        let mut cell = 0;
        while cell < ORIENTATION[orientation].size {
            let needs = ORIENTATION[orientation].sides(cell as usize);
            let mut free = 0;
            while free < 16 {
                if needs & !free == 0 {
                    proposals.list[free as usize][proposals.number[free as usize] as usize] = (orientation as u8, cell);
                    proposals.number[free as usize] += 1;
                    let shape = ORIENTATION[orientation].shape as usize;
                    proposals.first[free as usize][shape + 1] = proposals.number[free as usize];
                }
                free += 1;
            }
            cell += 1;
        }
        orientation += 1;
    }
    let mut i = 0;
    while i < 16 * SHAPES {
        // A shape without proposals ends where the one before it does.
        let (free, shape) = (i / SHAPES, i % SHAPES + 1);
        if proposals.first[free][shape] == 0 {
            proposals.first[free][shape] = proposals.first[free][shape - 1];
        }
        i += 1;
    }
    proposals
};

/// A square that connects, and which of its sides are free (as in `Proposals`).
#[derive(Clone, Copy)]
struct Corner {
    x: u8,
    y: u8,
    sides: u8,
}

/// The squares that connect, one by one, for colours with few moves and for drawing one of many.
pub struct Corners {
    list: [Corner; 400],
    number: usize,
    most_proposals: u16,
    free: [u32; SIZE + 4],
    connecting: [u32; SIZE + 4],
}

impl Corners {
    /// The corners of a room.
    pub fn new(room: &Room) -> Self {
        let mut corners = Corners {
            list: [Corner { x: 0, y: 0, sides: 0 }; 400],
            number: 0,
            most_proposals: 0,
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
                corners.most_proposals = corners.most_proposals.max(PROPOSALS.number[sides as usize]);
                corners.list[corners.number] = Corner { x: x as u8, y: y as u8, sides: sides as u8 };
                corners.number += 1;
            }
        }
        corners
    }

    /// The placement with a certain cell on a corner, if it is legal; how many corners it covers; whether none of them
    /// comes before this one.
    #[inline]
    fn place(&self, corner: Corner, index: u8, cell: u8) -> Option<(Move, u32, bool)> {
        let orientation = &ORIENTATION[index as usize];
        let (cell_x, cell_y) = orientation.cells[cell as usize];
        let (x, y) = (corner.x.wrapping_sub(cell_x) as usize, corner.y.wrapping_sub(cell_y) as usize);
        if x > SIZE - orientation.width as usize || y > SIZE - orientation.height as usize {
            return None;
        }
        // Always five rows, empty ones too: cheaper than a loop whose length cannot be foretold.
        let (mut blocked, mut covered, mut before) = (0, 0, 0);
        for (row, &cells) in orientation.rows.iter().enumerate() {
            let cells = u32::from(cells) << x;
            blocked |= cells & !self.free[y + row];
            let connecting = cells & self.connecting[y + row];
            covered += connecting.count_ones();
            before |= if row < cell_y as usize { connecting } else { 0 };
        }
        before |= u32::from(orientation.rows[cell_y as usize]) << x
            & self.connecting[corner.y as usize]
            & ((1 << corner.x) - 1);
        let m = Move((index as usize * 400 + SIZE * y + x) as u16);
        (blocked == 0).then_some((m, covered, before == 0))
    }

    /// All moves with the shapes of a hand, each once.
    pub fn for_each_move(&self, hand: u32, mut visit: impl FnMut(Move)) {
        for &corner in &self.list[..self.number] {
            let sides = corner.sides as usize;
            let mut shapes = hand;
            while shapes != 0 {
                let shape = shapes.trailing_zeros() as usize;
                shapes &= shapes - 1;
                let range = PROPOSALS.first[sides][shape] as usize..PROPOSALS.first[sides][shape + 1] as usize;
                for &(index, cell) in &PROPOSALS.list[sides][range] {
                    if let Some((m, _, true)) = self.place(corner, index, cell) {
                        visit(m);
                    }
                }
            }
        }
    }

    /// How many squares connect.
    pub fn number(&self) -> usize {
        self.number
    }

    /// A uniformly drawn move with the shapes of a hand, or `None` if some trials found nothing.
    ///
    /// Each trial draws a corner square, an orientation and which of its cells lies there. A placement that covers
    /// several corners is drawn that many times as often, and is then kept with the inverse of that number.
    pub fn draw(&self, hand: u32, random: &mut Random) -> Option<Move> {
        for _ in 0..TRIES {
            let bits = random.next();
            let corner = self.list[(((bits >> 32) * self.number as u64) >> 32) as usize];
            let proposal = (((bits & 0xFFFF_FFFF) * u64::from(self.most_proposals)) >> 32) as usize;
            if proposal >= PROPOSALS.number[corner.sides as usize] as usize {
                continue; // All corners must be drawn in proportion to their number of proposals.
            }
            let (index, cell) = PROPOSALS.list[corner.sides as usize][proposal];
            if hand >> ORIENTATION[index as usize].shape & 1 == 0 {
                continue;
            }
            if let Some((m, covered, _)) = self.place(corner, index, cell)
                && (covered == 1 || random.below(covered) == 0)
            {
                return Some(m);
            }
        }
        None
    }
}
