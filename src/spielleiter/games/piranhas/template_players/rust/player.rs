//! What a player knows of __TITLE__: what a state says, which moves are legal, and choose_move, yours to improve.
//!
//! It takes the heaviest fish that it can eat, and otherwise any move. To make it better, begin with value.
//! The file plays both seasons of Piranhas, 2019 and 2026; they differ in the words of states and moves.

use crate::Element;
use std::hash::{BuildHasher, RandomState};

const SIZE: i32 = 10;
const DIRECTIONS: [(&str, i32, i32); 8] = [
    ("UP", 0, 1),
    ("UP_RIGHT", 1, 1),
    ("RIGHT", 1, 0),
    ("DOWN_RIGHT", 1, -1),
    ("DOWN", 0, -1),
    ("DOWN_LEFT", -1, -1),
    ("LEFT", -1, 0),
    ("UP_LEFT", -1, 1),
];

/// What can lie on a square: whose it is, and how heavy.
#[derive(Clone, Copy)]
struct Content {
    owner: &'static str,
    weight: i32,
}

/// The words of both seasons. In 2019 all fish weigh the same.
fn content(word: &str) -> Content {
    let (owner, weight) = match word {
        "RED" | "ONE_S" => ("ONE", 1),
        "ONE_M" => ("ONE", 2),
        "ONE_L" => ("ONE", 3),
        "BLUE" | "TWO_S" => ("TWO", 1),
        "TWO_M" => ("TWO", 2),
        "TWO_L" => ("TWO", 3),
        "OBSTRUCTED" | "SQUID" => ("KRAKEN", 0),
        _ => ("", 0),
    };
    Content { owner, weight }
}

/// The fish on x,y swims in a direction, and so comes to a target.
struct Move {
    x: i32,
    y: i32,
    direction: &'static str,
    target_x: i32,
    target_y: i32,
}

/// What a player has to know of a state.
struct Position {
    is_2019: bool,
    team: &'static str,
    opponent: &'static str,
    board: Vec<Vec<Content>>, // the lines of the state: columns in 2019, rows in 2026
}

impl Position {
    fn new(state: &Element) -> Position {
        let is_2019 = state.attribute("class") == "sc.plugin2019.GameState";
        let (team, opponent) = if state.number("turn") % 2 == 0 { ("ONE", "TWO") } else { ("TWO", "ONE") };
        let word = |field: &Element| if is_2019 { content(field.attribute("state")) } else { content(&field.text) };
        let lines = state.child("board").all(if is_2019 { "fields" } else { "row" });
        let board = lines.map(|line| line.all("field").map(word).collect()).collect();
        Position { is_2019, team, opponent, board }
    }

    fn at(&self, x: i32, y: i32) -> Content {
        let (line, place) = if self.is_2019 { (x, y) } else { (y, x) };
        self.board[line as usize][place as usize]
    }

    /// All legal moves.
    fn moves(&self) -> Vec<Move> {
        let mut found = Vec::new();
        for x in 0..SIZE {
            for y in 0..SIZE {
                if self.at(x, y).owner != self.team {
                    continue;
                }
                for (direction, dx, dy) in DIRECTIONS {
                    let distance = 1 + self.fish_from(x, y, dx, dy) + self.fish_from(x, y, -dx, -dy);
                    if self.can_swim(x, y, dx, dy, distance) {
                        let (target_x, target_y) = (x + distance * dx, y + distance * dy);
                        found.push(Move { x, y, direction, target_x, target_y });
                    }
                }
            }
        }
        found
    }

    /// Whether the own fish on this square may swim so far in this direction.
    fn can_swim(&self, x: i32, y: i32, dx: i32, dy: i32, distance: i32) -> bool {
        let (target_x, target_y) = (x + distance * dx, y + distance * dy);
        if !is_inside(target_x, target_y) {
            return false;
        }
        let there = self.at(target_x, target_y).owner;
        if there == self.team || there == "KRAKEN" {
            return false;
        }
        // Own fish and krakens may be passed, opponents not.
        (1..distance).all(|step| self.at(x + step * dx, y + step * dy).owner != self.opponent)
    }

    /// How many fish lie from this square on in this direction, the square itself not counted.
    fn fish_from(&self, x: i32, y: i32, dx: i32, dy: i32) -> i32 {
        let mut count = 0;
        let (mut x, mut y) = (x + dx, y + dy);
        while is_inside(x, y) {
            if self.at(x, y).weight > 0 {
                count += 1;
            }
            (x, y) = (x + dx, y + dy);
        }
        count
    }

    /// How good a move is: the weight of the fish that it eats, 0 if it eats none.
    fn value(&self, step: &Move) -> i32 {
        self.at(step.target_x, step.target_y).weight
    }
}

fn is_inside(x: i32, y: i32) -> bool {
    (0..SIZE).contains(&x) && (0..SIZE).contains(&y)
}

/// The data of the move to answer with: one of the best, chosen at random.
pub fn choose_move(state: &Element) -> String {
    let position = Position::new(state);
    let moves = position.moves();
    let best = moves.iter().map(|step| position.value(step)).max();
    let good: Vec<&Move> = moves.iter().filter(|step| Some(position.value(step)) == best).collect();
    // The standard library has no random numbers, but hash maps get random keys.
    let chance = RandomState::new().hash_one(good.len()) as usize;
    let Move { x, y, direction, .. } = good[chance % good.len()];
    if position.is_2019 {
        return format!(r#"<data class="move" x="{x}" y="{y}" direction="{direction}"/>"#);
    }
    format!(r#"<data class="move"><from x="{x}" y="{y}"/><direction>{direction}</direction></data>"#)
}
