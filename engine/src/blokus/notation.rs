//! Positions and moves as the game's notation in the Python package writes them.

use super::board::{Board, EMPTY};
use super::shapes::{NAMES, ORIENTATION, SHAPES, SIZE, SQUARES};
use super::{ALL_SHAPES, Blokus, PASS, RULE_SETS, Setup, placement};
use crate::game::Move;
use crate::text::{Words, empty_squares, number, push_row, rule_set};

const LETTERS: &str = "BYRG";

/// The position that `text` describes.
pub fn parse(text: &str) -> Result<Blokus, String> {
    let mut words = Words::new(text);
    let rules = rule_set::<Blokus>(&mut words)?;
    let boards = parse_board(words.next("the board")?)?;
    let turn = number(words.next("the turn")?, RULE_SETS[rules as usize].rules.last_turn + 4)?;
    let start = words.next("the shape of the first pieces")?;
    let start_shape = NAMES.iter().position(|name| *name == start).filter(|shape| SQUARES[*shape] == 5);
    let start_shape = start_shape.ok_or_else(|| format!("expected a shape of five squares, found {start}"))? as u8;
    let still_in = parse_colors(words.next("the colours still in")?)?;
    let mono_last = parse_colors(words.next("the colours that laid the monomino last")?)?;
    words.end()?;
    let mut hands = [ALL_SHAPES; 4];
    for (board, hand) in boards.iter().zip(&mut hands) {
        *hand = shapes_left(board)?;
    }
    let out = !still_in & 15;
    Ok(Blokus::new(&Setup { rules, turn, start_shape, boards, hands, out, mono_last }))
}

fn parse_board(text: &str) -> Result<[Board; 4], String> {
    let rows: Vec<&str> = text.split('/').collect();
    if rows.len() != SIZE {
        return Err(format!("expected twenty rows, found {}", rows.len()));
    }
    let mut boards = [EMPTY; 4];
    for (y, mut rest) in rows.into_iter().enumerate() {
        let mut x = 0;
        while let Some(letter) = rest.chars().next() {
            if let Some((empty, after)) = empty_squares(rest, SIZE) {
                x += empty;
                rest = after;
                continue;
            }
            let (Some(color), true) = (LETTERS.find(letter), x < SIZE) else {
                return Err(format!("{letter} is nothing that can lie in row {y}"));
            };
            boards[color][y] |= 1 << x;
            x += 1;
            rest = &rest[1..];
        }
        if x != SIZE {
            return Err(format!("expected twenty squares in row {y}"));
        }
    }
    Ok(boards)
}

fn parse_colors(word: &str) -> Result<u8, String> {
    let letters = if word == "-" { "" } else { word };
    letters.chars().try_fold(0, |set, letter| {
        let color = LETTERS.find(letter).ok_or_else(|| format!("expected colours like BYRG or -, found {word}"))?;
        Ok(set | 1 << color)
    })
}

/// The shapes that a colour still has: pieces of one colour never touch along an edge, so the board shows it.
fn shapes_left(board: &Board) -> Result<u32, String> {
    let mut left = ALL_SHAPES;
    let mut rest = *board;
    while let Some(y) = rest.iter().position(|&row| row != 0) {
        let x = rest[y].trailing_zeros() as usize;
        let piece = take_piece(&mut rest, x, y);
        let shape = shape_of(&piece).ok_or("the squares of one colour that hang together are no piece")?;
        if left >> shape & 1 == 0 {
            return Err(format!("a colour has only one {}", NAMES[shape]));
        }
        left &= !(1 << shape);
    }
    Ok(left)
}

/// Takes all squares that hang together with (x, y) off the board.
fn take_piece(board: &mut Board, x: usize, y: usize) -> Vec<(usize, usize)> {
    let (mut piece, mut next) = (vec![], vec![(x, y)]);
    while let Some((x, y)) = next.pop() {
        if x >= SIZE || y >= SIZE || board[y] >> x & 1 == 0 {
            continue;
        }
        board[y] ^= 1 << x;
        piece.push((x, y));
        next.extend([(x + 1, y), (x.wrapping_sub(1), y), (x, y + 1), (x, y.wrapping_sub(1))]);
    }
    piece
}

fn shape_of(piece: &[(usize, usize)]) -> Option<usize> {
    let left = piece.iter().map(|cell| cell.0).min()?;
    let top = piece.iter().map(|cell| cell.1).min()?;
    let mut rows = [0_u8; 5];
    for &(x, y) in piece {
        if x - left > 4 {
            return None;
        }
        *rows.get_mut(y - top)? |= 1 << (x - left);
    }
    ORIENTATION.iter().find(|orientation| orientation.rows == rows).map(|orientation| orientation.shape as usize)
}

/// The position as one line.
pub fn format(position: &Blokus) -> String {
    let mut text = format!("{} ", RULE_SETS[position.rules as usize].key);
    for y in 0..SIZE {
        let squares = (0..SIZE).map(|x| {
            let color = position.boards.iter().position(|board| board[y] >> x & 1 == 1)?;
            Some(LETTERS[color..=color].to_string())
        });
        push_row(&mut text, squares, y + 1 < SIZE);
    }
    let start = NAMES[position.start_shape as usize % SHAPES];
    let (still_in, mono_last) = (colors(!position.out & 15), colors(position.mono_last));
    text + &format!(" {} {start} {still_in} {mono_last}", position.turn)
}

fn colors(set: u8) -> String {
    let letters: String = LETTERS.chars().enumerate().filter(|(i, _)| set >> i & 1 == 1).map(|(_, l)| l).collect();
    if letters.is_empty() { "-".into() } else { letters }
}

/// The move as people write it: `B PENTO_V RIGHT FLIP 3,4` or `B PASS`.
pub fn format_move(position: &Blokus, m: Move) -> String {
    let color = &LETTERS[position.color()..=position.color()];
    if m == PASS {
        return format!("{color} PASS");
    }
    let (index, x, y) = placement(m);
    let Some(orientation) = ORIENTATION.get(index) else { return format!("{color} ?") };
    let turned = ["", " RIGHT", " MIRROR", " LEFT"][orientation.turns as usize & 3];
    let flipped = if orientation.flipped { " FLIP" } else { "" };
    format!("{color} {}{turned}{flipped} {x},{y}", NAMES[orientation.shape as usize])
}
