//! Positions and moves as the game's notation in the Python package writes them.

use super::{LAST_TURN, Ostseeschach, Piece, ROBBE, RULE_SETS, START_LINE};
use crate::game::{Move, Team};
use crate::text::{Words, empty_squares, number, push_row, rule_set};

const SIZE: usize = 8;
const LETTERS: &str = "HMSR";

/// The position that `text` describes.
pub fn parse(text: &str) -> Result<Ostseeschach, String> {
    let mut words = Words::new(text);
    let rules = rule_set::<Ostseeschach>(&mut words)?;
    let board = words.next("the board")?;
    let ambers = words.next("the ambers")?;
    let turn = number(words.next("the number of moves played")?, LAST_TURN)?;
    words.end()?;
    let (one, two) = ambers.split_once('-').ok_or_else(|| format!("expected ambers like 0-1, found {ambers}"))?;
    let ambers = [number(one, 9)?, number(two, 9)?];
    let lines: Vec<&str> = board.split('/').collect();
    if lines.len() != SIZE {
        return Err(format!("expected eight lines, found {}", lines.len()));
    }
    let mut pieces = Vec::with_capacity(16);
    for (x, line) in lines.into_iter().rev().enumerate() {
        parse_line(line, x, &mut pieces)?;
    }
    for piece in &pieces {
        let last_line = START_LINE[1 - piece.team as usize] >> (SIZE * piece.x) & 1 == 1;
        if piece.kind != ROBBE && last_line {
            return Err("a light piece leaves the board on its last line".into());
        }
    }
    Ok(Ostseeschach::new(rules, turn, ambers, &pieces))
}

fn parse_line(line: &str, x: usize, pieces: &mut Vec<Piece>) -> Result<(), String> {
    let (mut y, mut rest) = (0, line);
    while let Some(letter) = rest.chars().next() {
        if let Some((empty, after)) = empty_squares(rest, SIZE) {
            y += empty;
            rest = after;
            continue;
        }
        let kind = LETTERS.find(letter.to_ascii_uppercase());
        let (Some(kind), true) = (kind, y < SIZE) else {
            return Err(format!("{letter} is nothing that can stand on line {}", x + 1));
        };
        rest = &rest[letter.len_utf8()..];
        let tall = rest.starts_with('+');
        rest = rest.strip_prefix('+').unwrap_or(rest);
        let team = if letter.is_ascii_uppercase() { Team::One } else { Team::Two };
        pieces.push(Piece { x, y, kind, team, tall });
        y += 1;
    }
    if y == SIZE { Ok(()) } else { Err(format!("expected eight squares in line {}", x + 1)) }
}

/// The position as one line.
pub fn format(position: &Ostseeschach) -> String {
    let mut text = format!("{} ", RULE_SETS[position.rules as usize].key);
    for x in (0..SIZE).rev() {
        push_row(&mut text, (0..SIZE).map(|y| piece(position, SIZE * x + y)), x > 0);
    }
    let [one, two] = position.ambers;
    text + &format!(" {one}-{two} {}", position.turn)
}

fn piece(position: &Ostseeschach, square: usize) -> Option<String> {
    let team = position.teams.iter().position(|pieces| pieces >> square & 1 == 1)?;
    let kind = position.kind_at(square);
    let mut letter = LETTERS[kind..=kind].to_string();
    if team == 1 {
        letter.make_ascii_lowercase();
    }
    Some(letter + if position.tall >> square & 1 == 1 { "+" } else { "" })
}

/// The move as people write it: `a1-b2`, or `a1xb2` where it captures.
pub fn format_move(position: &Ostseeschach, m: Move) -> String {
    let (from, to) = Ostseeschach::squares_of(m);
    let captures = position.teams[1 - position.mover()] >> to & 1 == 1;
    let name = |square: usize| format!("{}{}", (b'a' + (square % SIZE) as u8) as char, square / SIZE + 1);
    format!("{}{}{}", name(from), if captures { 'x' } else { '-' }, name(to))
}
