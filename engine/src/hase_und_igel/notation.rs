//! Positions and moves as the game's notation in the Python package writes them.

use super::cards::{self, EAT_SALAD, FALL_BACK, GIVE_CARROTS, TAKE_CARROTS};
use super::{Card, GOAL, Hare, HaseUndIgel, LAST_TURN, Last, RULE_SETS, SALADS_AT_START, Track};
use crate::game::Move;
use crate::text::{Words, number, rule_set};

const CARD_LETTERS: &str = "ESFH";
const LAST_LETTERS: [(&str, Last); 3] = [("-", Last::Other), ("e", Last::Ate), ("s", Last::Swapped)];
const MAX_CARROTS: u16 = 9999;
const MAX_CARDS: usize = 30;

/// The position that `text` describes.
pub fn parse(text: &str) -> Result<HaseUndIgel, String> {
    let mut words = Words::new(text);
    let rules = rule_set::<HaseUndIgel>(&mut words)?;
    let track = parse_track(words.next("the track")?)?;
    let hares = [parse_hare(words.next("the hare of ONE")?)?, parse_hare(words.next("the hare of TWO")?)?];
    let turn = number(words.next("the turn")?, LAST_TURN)?;
    words.end()?;
    if hares[0].position == hares[1].position && (1..GOAL).contains(&hares[0].position) {
        return Err("both hares are on the same field".into());
    }
    if turn & 1 == 1 && hares[1].position == GOAL {
        return Err("TWO is in the goal in the middle of a round".into());
    }
    Ok(HaseUndIgel::new(rules, track, turn, hares))
}

fn parse_track(word: &str) -> Result<Track, String> {
    let letters = word.as_bytes();
    let ends = letters.first() == Some(&b'0') && letters.last() == Some(&b'G');
    if letters.len() != usize::from(GOAL) + 1 || !ends {
        return Err("expected a track of 65 fields from 0 to G".into());
    }
    let mut track = Track::default();
    for field in 1..GOAL {
        if !track.set(field, letters[usize::from(field)]) {
            return Err(format!("{} is no kind of field", letters[usize::from(field)] as char));
        }
    }
    Ok(track)
}

fn parse_hare(word: &str) -> Result<Hare, String> {
    let expected = || format!("expected a hare like 3:62:5:EH:-, found {word}");
    let parts: Vec<&str> = word.split(':').collect();
    let [position, carrots, salads, letters, last] = parts[..] else { return Err(expected()) };
    let digits = carrots.bytes().all(|byte| byte.is_ascii_digit());
    let carrots = carrots.parse().ok().filter(|&carrots| digits && carrots <= MAX_CARROTS).ok_or_else(expected)?;
    let mut cards = [0; 4];
    if letters.is_empty() || letters.len() > MAX_CARDS {
        return Err(expected());
    }
    for letter in letters.chars().filter(|_| letters != "-") {
        cards[CARD_LETTERS.find(letter).ok_or_else(expected)?] += 1;
    }
    let last = LAST_LETTERS.iter().find(|(letter, _)| *letter == last).ok_or_else(expected)?.1;
    Ok(Hare { position: number(position, GOAL)?, carrots, salads: number(salads, SALADS_AT_START)?, cards, last })
}

/// The position as one line.
pub fn format(position: &HaseUndIgel) -> String {
    let track: String = (1..GOAL).map(|field| position.track.letter(field)).collect();
    let [one, two] = position.hares.map(|hare| format_hare(&hare));
    format!("{} 0{track}G {one} {two} {}", RULE_SETS[position.rules as usize].key, position.turn)
}

fn format_hare(hare: &Hare) -> String {
    let letters = CARD_LETTERS.chars().zip(hare.cards);
    let mut cards: String = letters.flat_map(|(letter, number)| std::iter::repeat_n(letter, number.into())).collect();
    if cards.is_empty() {
        cards.push('-');
    }
    let last = LAST_LETTERS[hare.last as usize].0;
    format!("{}:{}:{}:{cards}:{last}", hare.position, hare.carrots, hare.salads)
}

/// The move as people write it: `+5 HE`, `salad`, `back`, `carrots +10`.
pub fn format_move(m: Move) -> String {
    match m {
        EAT_SALAD => "salad".into(),
        FALL_BACK => "back".into(),
        TAKE_CARROTS => "carrots +10".into(),
        GIVE_CARROTS => "carrots -10".into(),
        _ => {
            let (distance, chain) = cards::parts(m);
            let mut text = format!("+{distance}");
            if let Some((before, mut card, last)) = chain {
                text.push(' ');
                let letter = |card: Card| &CARD_LETTERS[card as usize..=card as usize];
                for _ in 0..before {
                    text += letter(card);
                    card = if card == Card::FallBack { Card::HurryAhead } else { Card::FallBack };
                }
                text += letter(last);
            }
            text
        }
    }
}
