//! Boards of twenty rows, and where the orientations of the shapes fit on them.
//!
//! A row is a `u32`, so that a whole board is five vectors of four rows: a step to the side is one shift of all rows,
//! a step up or down is a load from another row. Runs of free squares are prepared once and serve all orientations.

use super::shapes::{Orientation, SIZE};

/// A set of squares: bit `x` of row `y`.
pub type Board = [u32; SIZE];
/// No squares.
pub const EMPTY: Board = [0; SIZE];
/// All squares of a row.
pub const ROW: u32 = (1 << SIZE) - 1;
/// Rows below the board are needed by shapes that hang over the edge; nothing is free there.
const PADDED: usize = SIZE + 4;

/// The squares at the sides of those of a board.
#[inline(always)]
pub fn beside(board: &Board) -> Board {
    std::array::from_fn(|y| {
        let above = if y > 0 { board[y - 1] } else { 0 };
        let below = if y + 1 < SIZE { board[y + 1] } else { 0 };
        above | below | board[y] << 1 | board[y] >> 1
    })
}

/// The squares at the corners of those of a board.
#[inline(always)]
pub fn diagonal(board: &Board) -> Board {
    std::array::from_fn(|y| {
        let above = if y > 0 { board[y - 1] } else { 0 };
        let below = if y + 1 < SIZE { board[y + 1] } else { 0 };
        (above | below) << 1 | (above | below) >> 1
    })
}

/// Where a colour may lay squares, and which of these squares connect.
#[derive(Clone, Copy)]
pub struct Room {
    /// Squares that are empty and not beside an own one.
    pub free: Board,
    /// Those of them of which a piece must cover at least one.
    pub corners: Board,
}

impl Room {
    /// The room of a colour that has laid `own` among `occupied`.
    #[inline(always)]
    pub fn new(own: &Board, occupied: &Board) -> Self {
        let (sides, corners) = (beside(own), diagonal(own));
        let free: Board = std::array::from_fn(|y| !(occupied[y] | sides[y]) & ROW);
        Room { free, corners: std::array::from_fn(|y| corners[y] & free[y]) }
    }

    /// The room of a colour that lays its first piece on one of the squares `at`.
    pub fn first(at: &Board, occupied: &Board) -> Self {
        Room {
            free: std::array::from_fn(|y| !occupied[y] & ROW),
            corners: std::array::from_fn(|y| at[y] & !occupied[y]),
        }
    }

    /// Whether no square connects, so that nothing can be laid.
    #[inline(always)]
    pub fn is_closed(&self) -> bool {
        self.corners.iter().fold(0, |all, row| all | row) == 0
    }
}

/// A room prepared for many orientations: where runs of one to five free squares begin, and which runs connect.
pub struct Runs {
    fits: [[u32; PADDED]; 5],
    connects: [[u32; PADDED]; 5],
}

impl Runs {
    /// The runs of a room.
    #[inline(always)]
    pub fn new(room: &Room) -> Self {
        let mut runs = Runs { fits: [[0; PADDED]; 5], connects: [[0; PADDED]; 5] };
        runs.fits[0][..SIZE].copy_from_slice(&room.free);
        runs.connects[0][..SIZE].copy_from_slice(&room.corners);
        for longer in 1..5 {
            for y in 0..SIZE {
                runs.fits[longer][y] = runs.fits[longer - 1][y] & room.free[y] >> longer;
                runs.connects[longer][y] = runs.connects[longer - 1][y] | room.corners[y] >> longer;
            }
        }
        runs
    }

    /// The squares at which the top left of the box may lie for a legal placement.
    #[inline(always)]
    pub fn anchors(&self, orientation: &Orientation) -> Board {
        match orientation.run_count {
            1 => self.anchors_of::<1>(orientation),
            2 => self.anchors_of::<2>(orientation),
            3 => self.anchors_of::<3>(orientation),
            4 => self.anchors_of::<4>(orientation),
            _ => self.anchors_of::<5>(orientation),
        }
    }

    #[inline(always)]
    fn anchors_of<const N: usize>(&self, orientation: &Orientation) -> Board {
        let (mut fits, mut connects) = ([!0; SIZE], EMPTY);
        for run in &orientation.runs[..N] {
            let (row, column, longer) = (run.row as usize & 7, run.column & 7, run.longer as usize);
            let from = row.min(4);
            let fitting: &Board = self.fits[longer][from..from + SIZE].try_into().unwrap_or(&EMPTY);
            let connecting: &Board = self.connects[longer][from..from + SIZE].try_into().unwrap_or(&EMPTY);
            for y in 0..SIZE {
                fits[y] &= fitting[y] >> column;
                connects[y] |= connecting[y] >> column;
            }
        }
        std::array::from_fn(|y| fits[y] & connects[y])
    }
}

/// The number of squares in a set.
#[inline(always)]
pub fn count(board: &Board) -> u32 {
    let pairs: [u64; SIZE / 2] = std::array::from_fn(|i| u64::from(board[2 * i]) | u64::from(board[2 * i + 1]) << 32);
    pairs.iter().map(|pair| pair.count_ones()).sum()
}

/// Whether a set has no square.
#[inline(always)]
pub fn is_empty(board: &Board) -> bool {
    board.iter().fold(0, |all, row| all | row) == 0
}

/// The rows that have a square, as bits: faster than a look at each, since most are empty.
#[inline(always)]
pub fn rows_of(board: &Board) -> u32 {
    let mut rows = 0;
    for (y, &row) in board.iter().enumerate() {
        rows |= u32::from(row != 0) << y;
    }
    rows
}
