//! What the notations of all games share: words, numbers, rows with counted empty squares.

use crate::game::Position;

/// The words of a text, one after the other.
pub struct Words<'a>(std::str::SplitAsciiWhitespace<'a>);

impl<'a> Words<'a> {
    /// The words of `text`.
    pub fn new(text: &'a str) -> Self {
        Words(text.split_ascii_whitespace())
    }

    /// The next word; `what` names what is expected.
    pub fn next(&mut self, what: &str) -> Result<&'a str, String> {
        self.0.next().ok_or_else(|| format!("expected {what}, found the end of the text"))
    }

    /// Makes sure that no word is left.
    pub fn end(&mut self) -> Result<(), String> {
        self.0.next().map_or(Ok(()), |word| Err(format!("expected the end of the text, found {word}")))
    }
}

/// The place of the rule set whose key comes next.
pub fn rule_set<P: Position>(words: &mut Words) -> Result<u8, String> {
    let key = words.next("the key of the game")?;
    P::rule_set(key).ok_or_else(|| format!("expected the key of a rule set, found {key}"))
}

/// A number from 0 to `max`.
pub fn number(word: &str, max: u8) -> Result<u8, String> {
    match word.parse() {
        Ok(number) if number <= max && word.bytes().all(|byte| byte.is_ascii_digit()) => Ok(number),
        _ => Err(format!("expected a number from 0 to {max}, found {word}")),
    }
}

/// If `rest` starts with a number of empty squares: that number (at most `size + 1`), and what follows it.
pub fn empty_squares(rest: &str, size: usize) -> Option<(usize, &str)> {
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    if digits == 0 || rest.starts_with('0') {
        return None;
    }
    Some((rest[..digits].parse().map_or(size + 1, |number: usize| number.min(size + 1)), &rest[digits..]))
}

/// Appends a row: what lies on its squares, numbers for empty ones, and a slash if more rows follow.
pub fn push_row(text: &mut String, squares: impl Iterator<Item = Option<String>>, more: bool) {
    let mut empty = 0;
    for square in squares.map(Some).chain([None]) {
        if let Some(None) = square {
            empty += 1;
            continue;
        }
        if empty > 0 {
            *text += &empty.to_string();
            empty = 0;
        }
        if let Some(Some(letters)) = square {
            *text += &letters;
        }
    }
    if more {
        text.push('/');
    }
}
