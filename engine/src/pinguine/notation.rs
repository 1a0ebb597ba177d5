//! Positions and moves as the game's notation in the Python package writes them.

use super::{LAST_TURN, PENGUINS, Pinguine, RULE_SETS, Setup};
use crate::game::Move;
use crate::text::{Words, number, rule_set};

const SIZE: usize = 8;
const LETTERS: [u8; 2] = *b"Pp";

/// The position that `text` describes.
pub fn parse(text: &str) -> Result<Pinguine, String> {
    let mut words = Words::new(text);
    let rules = rule_set::<Pinguine>(&mut words)?;
    let board = words.next("the board")?;
    let fish = words.next("the fish")?;
    let turn = number(words.next("the number of moves made")?, LAST_TURN)?;
    words.end()?;
    let (one, two) = fish.split_once('-').ok_or_else(|| format!("expected fish like 12-9, found {fish}"))?;
    let fish = [number(one, u8::MAX)?, number(two, u8::MAX)?];
    let mut setup = Setup { rules, turn, penguins: [0; 2], floes: [0; 4], fish };
    let rows: Vec<&str> = board.split('/').collect();
    if rows.len() != SIZE || rows.iter().any(|row| row.len() != SIZE) {
        return Err("expected eight rows of eight fields".into());
    }
    for (field, sign) in rows.iter().flat_map(|row| row.bytes()).enumerate() {
        match sign {
            b'.' => {}
            b'1'..=b'4' => setup.floes[(sign - b'1') as usize] |= 1 << field,
            _ => {
                let team = LETTERS.iter().position(|&letter| letter == sign);
                let team = team.ok_or_else(|| format!("{} is nothing that can be on a field", sign as char))?;
                setup.penguins[team] |= 1 << field;
            }
        }
    }
    if setup.penguins.iter().any(|penguins| penguins.count_ones() > PENGUINS) {
        return Err("expected at most four penguins of a team".into());
    }
    Ok(Pinguine::new(&setup))
}

/// The position as one line.
pub fn format(position: &Pinguine) -> String {
    let mut text = format!("{} ", RULE_SETS[position.rules as usize].key);
    for field in 0..SIZE * SIZE {
        if field > 0 && field % SIZE == 0 {
            text.push('/');
        }
        let has = |set: &u64| set >> field & 1 == 1;
        text.push(match (position.penguins.iter().position(has), position.floes.iter().position(has)) {
            (Some(team), _) => LETTERS[team] as char,
            (None, Some(fish)) => (b'1' + fish as u8) as char,
            (None, None) => '.',
        });
    }
    let [one, two] = position.fish;
    text + &format!(" {one}-{two} {}", position.turn)
}

/// The move as people write it: `c4` for a placement, `c4-f4` for a slide.
pub fn format_move(m: Move) -> String {
    let (from, to) = Pinguine::fields_of(m);
    let name = |field: usize| format!("{}{}", (b'a' + (field % SIZE) as u8) as char, field / SIZE + 1);
    if from == to { name(to) } else { format!("{}-{}", name(from), name(to)) }
}
