//! The 21 shapes and their 91 orientations, made at compile time.

/// Rows and columns of the board.
pub const SIZE: usize = 20;
/// Shapes of a colour.
pub const SHAPES: usize = 21;
/// Different orientations of all shapes.
pub const ORIENTATIONS: usize = 91;

/// The names of the shapes, smallest first.
pub static NAMES: [&str; SHAPES] = [
    "MONO", "DOMINO", "TRIO_L", "TRIO_I", "TETRO_O", "TETRO_T", "TETRO_I", "TETRO_L", "TETRO_Z", "PENTO_L", "PENTO_T",
    "PENTO_V", "PENTO_S", "PENTO_Z", "PENTO_I", "PENTO_P", "PENTO_W", "PENTO_U", "PENTO_R", "PENTO_X", "PENTO_Y",
];

const CELLS: [&[(i8, i8)]; SHAPES] = [
    &[(0, 0)],
    &[(0, 0), (1, 0)],
    &[(0, 0), (0, 1), (1, 1)],
    &[(0, 0), (0, 1), (0, 2)],
    &[(0, 0), (1, 0), (0, 1), (1, 1)],
    &[(0, 0), (1, 0), (2, 0), (1, 1)],
    &[(0, 0), (0, 1), (0, 2), (0, 3)],
    &[(0, 0), (0, 1), (0, 2), (1, 2)],
    &[(0, 0), (1, 0), (1, 1), (2, 1)],
    &[(0, 0), (0, 1), (0, 2), (0, 3), (1, 3)],
    &[(0, 0), (1, 0), (2, 0), (1, 1), (1, 2)],
    &[(0, 0), (0, 1), (0, 2), (1, 2), (2, 2)],
    &[(1, 0), (2, 0), (3, 0), (0, 1), (1, 1)],
    &[(0, 0), (1, 0), (1, 1), (1, 2), (2, 2)],
    &[(0, 0), (0, 1), (0, 2), (0, 3), (0, 4)],
    &[(0, 0), (1, 0), (0, 1), (1, 1), (0, 2)],
    &[(0, 0), (0, 1), (1, 1), (1, 2), (2, 2)],
    &[(0, 0), (0, 1), (1, 1), (2, 1), (2, 0)],
    &[(0, 1), (1, 1), (1, 2), (2, 1), (2, 0)],
    &[(1, 0), (0, 1), (1, 1), (2, 1), (1, 2)],
    &[(0, 1), (1, 0), (1, 1), (1, 2), (1, 3)],
];

/// Squares of each shape.
pub static SQUARES: [u8; SHAPES] = {
    let mut squares = [0; SHAPES];
    let mut i = 0;
    while i < SHAPES {
        squares[i] = CELLS[i].len() as u8;
        i += 1;
    }
    squares
};

/// Neighbouring squares of one row of an orientation.
#[derive(Clone, Copy)]
pub struct Run {
    /// Row, counted from the top of the box.
    pub row: u8,
    /// First column, counted from the left of the box.
    pub column: u8,
    /// Number of squares, less one.
    pub longer: u8,
}

/// One orientation of a shape in its bounding box.
#[derive(Clone, Copy)]
pub struct Orientation {
    /// The number of the shape.
    pub shape: u8,
    /// Quarter turns to the right.
    pub turns: u8,
    /// Whether it is flipped after turning.
    pub flipped: bool,
    /// Columns of the box.
    pub width: u8,
    /// Rows of the box.
    pub height: u8,
    /// Number of squares.
    pub size: u8,
    /// Number of runs.
    pub run_count: u8,
    /// The squares row by row as bits.
    pub rows: [u8; 5],
    /// The squares as (column, row); only `size` of them.
    pub cells: [(u8, u8); 5],
    /// The squares at its corners and not at its sides, row by row as bits; the box has a frame of one square.
    pub opens: [u8; 7],
    /// The squares at its sides in the same frame.
    pub closes: [u8; 7],
    /// The same squares as runs; only `run_count` of them.
    pub runs: [Run; 5],
}

impl Orientation {
    /// The sides at which a cell has a neighbour of the same piece: left 1, right 2, up 4, down 8.
    pub const fn sides(&self, cell: usize) -> u8 {
        let (x, y) = (self.cells[cell].0 as usize, self.cells[cell].1 as usize);
        let here = self.rows[y];
        let up = if y > 0 { self.rows[y - 1] } else { 0 };
        let down = if y < 4 { self.rows[y + 1] } else { 0 };
        (here << 1 >> x & 1) | (here >> 1 >> x & 1) << 1 | (up >> x & 1) << 2 | (down >> x & 1) << 3
    }
}

const NOTHING: Orientation = Orientation {
    shape: 0,
    turns: 0,
    flipped: false,
    width: 0,
    height: 0,
    size: 0,
    run_count: 0,
    rows: [0; 5],
    cells: [(0, 0); 5],
    opens: [0; 7],
    closes: [0; 7],
    runs: [Run { row: 0, column: 0, longer: 0 }; 5],
};

/// R: first turn, then flip, then align to the top left.
const fn orient(shape: usize, turns: u8, flipped: bool) -> Orientation {
    let cells = CELLS[shape];
    let mut turned = [(0_i8, 0_i8); 5];
    let (mut min_x, mut min_y) = (9, 9);
    let mut i = 0;
    while i < cells.len() {
        let (mut x, mut y) = cells[i];
        let mut k = 0;
        while k < turns {
            (x, y) = (-y, x);
            k += 1;
        }
        x = if flipped { -x } else { x };
        min_x = if x < min_x { x } else { min_x };
        min_y = if y < min_y { y } else { min_y };
        turned[i] = (x, y);
        i += 1;
    }
    let mut made = NOTHING;
    made.shape = shape as u8;
    made.turns = turns;
    made.flipped = flipped;
    made.size = cells.len() as u8;
    i = 0;
    while i < cells.len() {
        made.rows[(turned[i].1 - min_y) as usize] |= 1 << (turned[i].0 - min_x);
        i += 1;
    }
    add_cells_and_runs(made)
}

const fn add_cells_and_runs(mut made: Orientation) -> Orientation {
    let (mut row, mut count) = (0, 0);
    while row < 5 {
        let mut column = 0;
        while column < 5 {
            if made.rows[row] >> column & 1 == 1 {
                made.cells[count] = (column as u8, row as u8);
                count += 1;
                made.height = row as u8 + 1;
                made.width = if column >= made.width as usize { column as u8 + 1 } else { made.width };
                if column > 0 && made.rows[row] >> (column - 1) & 1 == 1 {
                    made.runs[made.run_count as usize - 1].longer += 1;
                } else {
                    made.runs[made.run_count as usize] = Run { row: row as u8, column: column as u8, longer: 0 };
                    made.run_count += 1;
                }
            }
            column += 1;
        }
        row += 1;
    }
    row = 0;
    while row < 7 {
        let above = if row >= 2 { (made.rows[row - 2] as u16) << 1 } else { 0 };
        let here = if row >= 1 && row <= 5 { (made.rows[row - 1] as u16) << 1 } else { 0 };
        let below = if row <= 4 { (made.rows[row] as u16) << 1 } else { 0 };
        let near = above | below | here | here << 1 | here >> 1;
        made.closes[row] = (near & !here) as u8;
        made.opens[row] = (((above | below) << 1 | (above | below) >> 1) & !near) as u8;
        row += 1;
    }
    made
}

const fn same(a: &Orientation, b: &Orientation) -> bool {
    let mut row = 0;
    while row < 5 {
        if a.rows[row] != b.rows[row] {
            return false;
        }
        row += 1;
    }
    true
}

/// All orientations, by shape; each set of squares once, under its first name.
pub static ORIENTATION: [Orientation; ORIENTATIONS] = {
    let mut all = [NOTHING; ORIENTATIONS];
    let (mut count, mut shape) = (0, 0);
    while shape < SHAPES {
        let first = count;
        let mut name = 0;
        while name < 8 {
            let made = orient(shape, name / 2, name % 2 == 1);
            let mut known = false;
            let mut i = first;
            while i < count {
                known = known || same(&all[i], &made);
                i += 1;
            }
            if !known {
                all[count] = made;
                count += 1;
            }
            name += 1;
        }
        shape += 1;
    }
    assert!(count == ORIENTATIONS);
    all
};

/// For each shape the first of its orientations; one more entry closes the list.
pub static FIRST: [u8; SHAPES + 1] = {
    let mut first = [ORIENTATIONS as u8; SHAPES + 1];
    let mut i = ORIENTATIONS;
    while i > 0 {
        i -= 1;
        first[ORIENTATION[i].shape as usize] = i as u8;
    }
    first
};

/// The orientation that a shape has after `turns` quarter turns to the right and a flip, as an index.
pub fn find(shape: usize, turns: u8, flipped: bool) -> usize {
    let made = orient(shape, turns, flipped);
    let range = FIRST[shape] as usize..FIRST[shape + 1] as usize;
    range.into_iter().find(|&i| same(&ORIENTATION[i], &made)).unwrap_or(FIRST[shape] as usize)
}
