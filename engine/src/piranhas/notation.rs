//! Positions and moves as the game's notation in the Python package writes them.

use super::lines::{SIZE, STRIDE};
use super::{LAST_TURN, Piranhas, RULE_SETS, Setup, bit};
use crate::game::{Move, Team};
use crate::text::{Words, empty_squares, number, push_row, rule_set};

/// The position that `text` describes.
pub fn parse(text: &str) -> Result<Piranhas, String> {
    let mut words = Words::new(text);
    let rules = rule_set::<Piranhas>(&mut words)?;
    let weighted = RULE_SETS[rules as usize].rules.weighted;
    let board = words.next("the board")?;
    let turn = number(words.next("the turn")?, LAST_TURN)?;
    let mut setup = Setup { rules, turn, fish: [0; 2], medium: 0, large: 0, krakens: 0, first_union: None };
    if weighted {
        setup.first_union = match words.next("the first union")? {
            "-" => None,
            "ONE" => Some(Team::One),
            "TWO" => Some(Team::Two),
            word => return Err(format!("expected ONE, TWO or -, found {word}")),
        };
    }
    words.end()?;
    let rows: Vec<&str> = board.split('/').collect();
    if rows.len() != SIZE {
        return Err(format!("expected ten rows, found {}", rows.len()));
    }
    for (y, row) in rows.into_iter().rev().enumerate() {
        parse_row(row, y, weighted, &mut setup)?;
    }
    Ok(Piranhas::new(&setup))
}

fn parse_row(row: &str, y: usize, weighted: bool, setup: &mut Setup) -> Result<(), String> {
    let (mut x, mut rest) = (0, row);
    while let Some(letter) = rest.chars().next() {
        if let Some((empty, after)) = empty_squares(rest, SIZE) {
            x += empty;
            rest = after;
            continue;
        }
        if x >= SIZE {
            break;
        }
        let square = bit(STRIDE * y + x);
        match (letter, weighted) {
            ('K', _) => setup.krakens |= square,
            ('R', false) | ('S' | 'M' | 'L', true) => setup.fish[0] |= square,
            ('B', false) | ('s' | 'm' | 'l', true) => setup.fish[1] |= square,
            _ => return Err(format!("{letter} is nothing that can lie on row {y}")),
        }
        setup.medium |= if matches!(letter, 'M' | 'm') { square } else { 0 };
        setup.large |= if matches!(letter, 'L' | 'l') { square } else { 0 };
        x += 1;
        rest = &rest[letter.len_utf8()..];
    }
    if x == SIZE && rest.is_empty() { Ok(()) } else { Err(format!("expected ten squares in row {y}")) }
}

/// The position as one line.
pub fn format(position: &Piranhas) -> String {
    let rules = position.rules();
    let mut text = format!("{} ", RULE_SETS[position.rules as usize].key);
    for y in (0..SIZE).rev() {
        let letters = (0..SIZE).map(|x| letter(position, bit(STRIDE * y + x)));
        push_row(&mut text, letters, y > 0);
    }
    text += &format!(" {}", position.turn);
    if rules.weighted {
        text += match position.first_union {
            None => " -",
            Some(Team::One) => " ONE",
            Some(Team::Two) => " TWO",
        };
    }
    text
}

fn letter(position: &Piranhas, square: u128) -> Option<String> {
    if square & position.krakens != 0 {
        return Some("K".into());
    }
    let team = position.fish.iter().position(|fish| fish & square != 0)?;
    let weight = usize::from(position.medium & square != 0) + 2 * usize::from(position.large & square != 0);
    let letters = if position.rules().weighted { [["S", "M", "L"], ["s", "m", "l"]] } else { [["R"; 3], ["B"; 3]] };
    Some(letters[team][weight.min(2)].into())
}

/// The move as people write it: `A4-C4`, or `A2xC0` if something is eaten.
pub fn format_move(position: &Piranhas, m: Move) -> String {
    let (from, to) = Piranhas::squares_of(m);
    let eats = position.fish[1 - position.mover()] & bit(to) != 0;
    let name = |square: usize| format!("{}{}", (b'A' + (square % STRIDE) as u8) as char, square / STRIDE);
    format!("{}{}{}", name(from), if eats { 'x' } else { '-' }, name(to))
}
