//! What a player knows of __TITLE__: what a state says, which moves are legal, and choose_move, yours to improve.

use crate::Element;
use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};

const YEAR: i32 = __YEAR__;
const SIDE: i32 = 20;
const COLORS: [&str; 4] = ["BLUE", "YELLOW", "RED", "GREEN"];
const SHAPE_LISTS: [&str; 4] = ["blueShapes", "yellowShapes", "redShapes", "greenShapes"];
const ROTATIONS: [&str; 4] = ["NONE", "RIGHT", "MIRROR", "LEFT"];
const PIECES: [&str; 21] = [
    "MONO #", "DOMINO ##", "TRIO_L #. ##", "TRIO_I # # #", "TETRO_O ## ##", "TETRO_T ### .#.", "TETRO_I # # # #",
    "TETRO_L #. #. ##", "TETRO_Z ##. .##", "PENTO_L #. #. #. ##", "PENTO_T ### .#. .#.", "PENTO_V #.. #.. ###",
    "PENTO_S .### ##..", "PENTO_Z ##. .#. .##", "PENTO_I # # # # #", "PENTO_P ## ## #.", "PENTO_W #.. ##. .##",
    "PENTO_U #.# ###", "PENTO_R ..# ### .#.", "PENTO_X .#. ### .#.", "PENTO_Y .# ## .# .#",
];

/// One way in which a piece can lie; its bounding box begins at 0,0.
struct Orientation {
    kind: &'static str,
    rotation: &'static str,
    flipped: bool,
    cells: Vec<(i32, i32)>,
}

fn turned(piece: &[(i32, i32)], rotation: &str, flipped: bool) -> Vec<(i32, i32)> {
    let turn = |&(x, y): &(i32, i32)| match rotation {
        "RIGHT" => (-y, x),
        "MIRROR" => (-x, -y),
        "LEFT" => (y, -x),
        _ => (x, y),
    };
    let flip = |(x, y): (i32, i32)| if flipped { (-x, y) } else { (x, y) };
    let mut cells: Vec<_> = piece.iter().map(turn).map(flip).collect();
    let left = cells.iter().map(|cell| cell.0).min().unwrap_or(0);
    let top = cells.iter().map(|cell| cell.1).min().unwrap_or(0);
    for cell in &mut cells {
        *cell = (cell.0 - left, cell.1 - top);
    }
    cells.sort();
    cells
}

/// Every way in which the pieces can lie, each once.
fn all_orientations() -> Vec<Orientation> {
    let mut all: Vec<Orientation> = Vec::new();
    for line in PIECES {
        let (kind, picture) = line.split_once(' ').expect("a name and a picture");
        let mut piece = Vec::new();
        for (y, row) in picture.split(' ').enumerate() {
            for (x, mark) in row.chars().enumerate() {
                if mark == '#' {
                    piece.push((x as i32, y as i32));
                }
            }
        }
        for rotation in ROTATIONS {
            for flipped in [false, true] {
                let cells = turned(&piece, rotation, flipped);
                if all.iter().all(|known| known.kind != kind || known.cells != cells) {
                    all.push(Orientation { kind, rotation, flipped, cells });
                }
            }
        }
    }
    all
}

/// What a player has to know of a state.
struct Position {
    color: &'static str,
    pieces: Vec<String>,
    board: HashMap<(i32, i32), String>,
    is_first: bool,
}

impl Position {
    fn new(state: &Element) -> Position {
        let number = state.number("turn") as usize % 4;
        let square = |field: &Element| (field.number("x"), field.number("y"));
        let fields = state.child("board").all("field");
        let board: HashMap<_, _> = fields.map(|f| (square(f), f.attribute("content").to_string())).collect();
        let color = COLORS[number];
        let is_first = board.values().all(|content| content != color);
        let pieces = if is_first {
            vec![state.attribute("startPiece").to_string()]
        } else {
            state.child(SHAPE_LISTS[number]).all("shape").map(|shape| shape.text.clone()).collect()
        };
        Position { color, pieces, board, is_first }
    }

    fn touches(&self, squares: [(i32, i32); 4]) -> bool {
        squares.iter().any(|square| self.board.get(square).is_some_and(|content| content == self.color))
    }

    /// Whether the colour may cover this square.
    fn is_open(&self, x: i32, y: i32) -> bool {
        (0..SIDE).contains(&x)
            && (0..SIDE).contains(&y)
            && !self.board.contains_key(&(x, y))
            && !self.touches([(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)])
    }

    /// Whether this open square is one of those of which a piece must cover at least one.
    fn is_corner(&self, x: i32, y: i32) -> bool {
        if self.is_first {
            let (side, end) = (x == 0 || x == SIDE - 1, y == 0 || y == SIDE - 1);
            return if YEAR == 2021 { side && end } else { side || end }; // in 2021 it covers a corner of the board
        }
        self.touches([(x - 1, y - 1), (x + 1, y - 1), (x - 1, y + 1), (x + 1, y + 1)])
    }

    /// All placements of pieces of this size; some of them more than once.
    fn moves<'a>(&self, all: &'a [Orientation], size: usize) -> Vec<(&'a Orientation, i32, i32)> {
        let squares = (0..SIDE).flat_map(|x| (0..SIDE).map(move |y| (x, y)));
        let corners: Vec<_> = squares.filter(|&(x, y)| self.is_open(x, y) && self.is_corner(x, y)).collect();
        let mut found = Vec::new();
        for orientation in all.iter().filter(|o| o.cells.len() == size && self.pieces.iter().any(|p| p == o.kind)) {
            for (corner_x, corner_y) in &corners {
                for (cell_x, cell_y) in &orientation.cells {
                    let (left, top) = (corner_x - cell_x, corner_y - cell_y);
                    if orientation.cells.iter().all(|(x, y)| self.is_open(left + x, top + y)) {
                        found.push((orientation, left, top));
                    }
                }
            }
        }
        found
    }

    /// The data of the move to answer with: one of the largest pieces that fit.
    fn choose(&self, all: &[Orientation]) -> String {
        let color = self.color;
        for size in (1..=5).rev() {
            let moves = self.moves(all, size);
            if !moves.is_empty() {
                // The standard library has no random numbers, but hash maps get random keys.
                let chance = RandomState::new().hash_one(size) as usize;
                let (Orientation { kind, rotation, flipped, .. }, x, y) = moves[chance % moves.len()];
                return format!(r#"<data class="sc.plugin{YEAR}.SetMove"><piece color="{color}" kind="{kind}" "#)
                    + &format!(r#"rotation="{rotation}" isFlipped="{flipped}">"#)
                    + &format!(r#"<position x="{x}" y="{y}"/></piece></data>"#);
            }
        }
        format!(r#"<data class="sc.plugin{YEAR}.SkipMove"><color>{color}</color></data>"#)
    }
}

/// The data to answer a request in this state with.
pub fn choose_move(state: &Element) -> String {
    Position::new(state).choose(&all_orientations())
}
