//! What a player knows of __TITLE__: what a state says, which moves are legal, and choose_move, yours to improve.
//!
//! It goes to a field with as many fish as possible. To make it better, begin with value.
//! Fields are named as in the moves, by doubled coordinates: x is 0, 2 .. 14 in even rows and 1, 3 .. 15 in odd ones.

use crate::Element;
use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};

const PENGUINS: usize = 4; // of each team
const DIRECTIONS: [(i32, i32); 6] = [(2, 0), (-2, 0), (1, 1), (-1, -1), (1, -1), (-1, 1)];

type Field = (i32, i32); // x, y

/// A penguin comes to a target; `start` is `None` if it is placed.
struct Move {
    start: Option<Field>,
    target: Field,
}

/// What a player has to know of a state.
struct Position {
    team: &'static str,
    fish: HashMap<Field, i32>, // how many; fields without fish are left out
    penguins: HashMap<&'static str, Vec<Field>>,
}

impl Position {
    fn new(state: &Element) -> Position {
        let penguins = HashMap::from([("ONE", Vec::new()), ("TWO", Vec::new())]);
        let (team, other) = if state.number("turn") % 2 == 0 { ("ONE", "TWO") } else { ("TWO", "ONE") };
        let mut position = Position { team, fish: HashMap::new(), penguins };
        for (y, row) in (0..).zip(state.child("board").all("list")) {
            for (index, field) in (0..).zip(row.all("field")) {
                let (content, x) = (field.text.as_str(), 2 * index + y % 2);
                if let Some(own) = position.penguins.get_mut(content) {
                    own.push((x, y));
                } else if content != "0" {
                    position.fish.insert((x, y), content.parse().unwrap_or(1));
                }
            }
        }
        if position.moves().is_empty() {
            position.team = other; // A team that cannot move is passed over: it must be the other one that is asked.
        }
        position
    }

    /// All legal moves.
    fn moves(&self) -> Vec<Move> {
        let own = &self.penguins[self.team];
        let mut found = Vec::new();
        if own.len() < PENGUINS {
            for (&target, &count) in &self.fish {
                if count == 1 {
                    found.push(Move { start: None, target });
                }
            }
        } else {
            for &start in own {
                for target in self.targets(start) {
                    found.push(Move { start: Some(start), target });
                }
            }
        }
        found
    }

    /// All fields to which the penguin on this field can slide.
    fn targets(&self, start: Field) -> Vec<Field> {
        let mut found = Vec::new();
        for (dx, dy) in DIRECTIONS {
            let (mut x, mut y) = (start.0 + dx, start.1 + dy);
            while self.fish.contains_key(&(x, y)) {
                found.push((x, y)); // holes, penguins and the edge are in the way
                (x, y) = (x + dx, y + dy);
            }
        }
        found
    }

    /// How good a move is: the fish that it gets.
    fn value(&self, step: &Move) -> i32 {
        self.fish[&step.target]
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
    let Move { start, target: (to_x, to_y) } = good[chance % good.len()];
    let start = start.map_or(String::new(), |(x, y)| format!(r#"<from x="{x}" y="{y}"/>"#));
    format!(r#"<data class="move">{start}<to x="{to_x}" y="{to_y}"/></data>"#)
}
