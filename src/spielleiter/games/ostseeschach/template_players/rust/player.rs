//! What a player knows of __TITLE__: what a state says, which moves are legal, and choose_move, yours to improve.
//!
//! It takes the move that wins most ambers, then one that lands on an opponent. To make it better, begin with value.

use crate::Element;
use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};

const SIZE: i32 = 8;

/// Where a piece goes, as steps (forward, to the side).
fn steps(kind: &str) -> &'static [(i32, i32)] {
    match kind {
        "Herzmuschel" => &[(1, -1), (1, 1)],
        "Moewe" => &[(1, 0), (-1, 0), (0, 1), (0, -1)],
        "Seestern" => &[(1, 0), (1, 1), (1, -1), (-1, 1), (-1, -1)],
        "Robbe" => &[(2, 1), (2, -1), (1, 2), (1, -2), (-1, 2), (-1, -2), (-2, 1), (-2, -1)],
        _ => &[],
    }
}

/// A piece or a stack of pieces; a stack moves as its uppermost piece.
struct Piece {
    kind: String,
    team: String,
    height: i32,
}

/// The piece on x,y goes to a target.
struct Move {
    x: i32,
    y: i32,
    target_x: i32,
    target_y: i32,
}

/// What a player has to know of a state.
struct Position {
    team: &'static str,
    pieces: HashMap<(i32, i32), Piece>, // by square (x, y); x counts the lines from the start line of ONE
}

impl Position {
    fn new(state: &Element) -> Position {
        let team = if state.number("turn") % 2 == 0 { "ONE" } else { "TWO" };
        let mut pieces = HashMap::new();
        for entry in state.child("board").child("pieces").all("entry") {
            let (square, piece) = (entry.child("coordinates"), entry.child("piece"));
            let kind = piece.attribute("type").to_string();
            let team = piece.attribute("team").to_string();
            let height = piece.number("count");
            pieces.insert((square.number("x"), square.number("y")), Piece { kind, team, height });
        }
        Position { team, pieces }
    }

    /// All legal moves.
    fn moves(&self) -> Vec<Move> {
        let forward = if self.team == "ONE" { 1 } else { -1 };
        let mut found = Vec::new();
        for (&(x, y), piece) in &self.pieces {
            if piece.team != self.team {
                continue;
            }
            for (ahead, aside) in steps(&piece.kind) {
                let (target_x, target_y) = (x + forward * ahead, y + aside);
                if self.is_open(target_x, target_y) {
                    found.push(Move { x, y, target_x, target_y });
                }
            }
        }
        found
    }

    /// Whether a piece may end its move here: on the board, and not on an own piece.
    fn is_open(&self, x: i32, y: i32) -> bool {
        let is_inside = (0..SIZE).contains(&x) && (0..SIZE).contains(&y);
        is_inside && self.pieces.get(&(x, y)).map_or(true, |piece| piece.team != self.team)
    }

    /// How many ambers this move wins.
    fn ambers(&self, step: &Move) -> i32 {
        let piece = &self.pieces[&(step.x, step.y)];
        let height_below = self.pieces.get(&(step.target_x, step.target_y)).map_or(0, |below| below.height);
        let last_line = if self.team == "ONE" { SIZE - 1 } else { 0 };
        let mut count = 0;
        if piece.height + height_below >= 3 {
            count += 1;
        }
        if step.target_x == last_line && piece.kind != "Robbe" {
            count += 1;
        }
        count
    }

    /// How good a move is: two for each amber, one for landing on an opponent.
    fn value(&self, step: &Move) -> i32 {
        let lands_on_opponent = self.pieces.contains_key(&(step.target_x, step.target_y));
        2 * self.ambers(step) + if lands_on_opponent { 1 } else { 0 }
    }
}

/// The data of the move to answer with: one of the best, chosen at random.
pub fn choose_move(state: &Element) -> String {
    let position = Position::new(state);
    let moves = position.moves();
    let best = moves.iter().map(|step| position.value(step)).max();
    let good: Vec<&Move> = moves.iter().filter(|step| Some(position.value(step)) == best).collect();
    // The standard library has no random numbers, but hash maps get random keys.
    let chance = RandomState::new().hash_one(good.len()) as usize;
    let Move { x, y, target_x, target_y } = good[chance % good.len()];
    format!(r#"<data class="move"><from x="{x}" y="{y}"/><to x="{target_x}" y="{target_y}"/></data>"#)
}
