//! A complete player for Blokus 2027 in plain Rust, written from docs/protocol/.
//!
//! It lays one of the largest pieces that fit, chosen at random. Options: --host, --port, --reservation as the contest
//! passes them; at home --room ROOM-ID joins that room, and --game TYPE another game type ("any": whatever there is).

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::ExitCode;

// --- XML: the small part of it that the server uses ------------------------------------------------------------------

#[derive(Default)]
struct Element {
    name: String,
    attributes: HashMap<String, String>,
    children: Vec<Element>,
    text: String,
}

impl Element {
    fn attribute(&self, name: &str) -> &str {
        self.attributes.get(name).map_or("", String::as_str)
    }

    fn child(&self, name: &str) -> Option<&Element> {
        self.children.iter().find(|child| child.name == name)
    }

    /// The children of the child of this name, none if there is no such child.
    fn list(&self, name: &str) -> &[Element] {
        self.child(name).map_or(&[], |child| &child.children)
    }

    fn number(&self, name: &str) -> usize {
        self.attribute(name).parse().unwrap_or(0)
    }
}

/// An element from what stands between its brackets.
fn parse_tag(tag: &str) -> Element {
    let tag = tag.trim_end_matches('/');
    let (name, mut rest) = tag.split_once(char::is_whitespace).unwrap_or((tag, ""));
    let mut element = Element { name: name.to_string(), ..Element::default() };
    while let Some((name, quoted)) = rest.split_once('=') {
        let quoted = quoted.trim_start();
        let Some(quote) = quoted.chars().next() else { break };
        let Some((value, after)) = quoted[1..].split_once(quote) else { break };
        element.attributes.insert(name.trim().to_string(), unescaped(value));
        rest = after;
    }
    element
}

fn escaped(text: &str) -> String {
    text.chars()
        .map(|c| if "&<>\"'".contains(c) { format!("&#{};", c as u32) } else { c.to_string() })
        .collect()
}

fn unescaped(text: &str) -> String {
    let mut parts = text.split('&');
    let mut result = parts.next().unwrap_or("").to_string();
    for part in parts {
        let (name, rest) = part.split_once(';').unwrap_or((part, ""));
        let code = match name {
            "amp" => Some('&'),
            "lt" => Some('<'),
            "gt" => Some('>'),
            "quot" => Some('"'),
            "apos" => Some('\''),
            _ => match name.strip_prefix("#x") {
                Some(hex) => u32::from_str_radix(hex, 16).ok(),
                None => name.strip_prefix('#').and_then(|decimal| decimal.parse().ok()),
            }
            .and_then(char::from_u32),
        };
        result.push(code.unwrap_or('\u{fffd}'));
        result.push_str(rest);
    }
    result
}

/// The next message, as soon as its last byte is there; `None` when the document or the connection is over.
fn next_message(reader: &mut impl BufRead) -> io::Result<Option<Element>> {
    let mut open: Vec<Element> = Vec::new(); // the elements that are not closed yet, without <protocol>
    loop {
        // Bytes become text only when a whole token is there, so no character is ever cut.
        let (mut text, mut tag) = (Vec::new(), Vec::new());
        reader.read_until(b'<', &mut text)?;
        reader.read_until(b'>', &mut tag)?;
        if tag.pop() != Some(b'>') {
            return Ok(None);
        }
        text.pop();
        let tag = String::from_utf8_lossy(&tag);
        if let Some(last) = open.last_mut() {
            last.text.push_str(&unescaped(&String::from_utf8_lossy(&text)));
        }
        if tag == "/protocol" {
            return Ok(None);
        }
        if tag == "protocol" || tag.starts_with(['?', '!']) {
            continue;
        }
        if !tag.starts_with('/') {
            open.push(parse_tag(&tag));
            if !tag.ends_with('/') {
                continue;
            }
        }
        let Some(closed) = open.pop() else { return Ok(None) };
        match open.last_mut() {
            Some(parent) => parent.children.push(closed),
            None => return Ok(Some(closed)),
        }
    }
}

// --- the game --------------------------------------------------------------------------------------------------------

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
        let number = state.number("turn") % 4;
        let square = |field: &Element| (field.number("x") as i32, field.number("y") as i32);
        let fields = state.list("board").iter();
        let board: HashMap<_, _> = fields.map(|f| (square(f), f.attribute("content").to_string())).collect();
        let color = COLORS[number];
        let is_first = board.values().all(|content| content != color);
        let pieces = if is_first {
            vec![state.attribute("startPiece").to_string()]
        } else {
            state.list(SHAPE_LISTS[number]).iter().map(|shape| shape.text.trim().to_string()).collect()
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
            return x == 0 || x == SIDE - 1 || y == 0 || y == SIDE - 1;
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
                return format!(
                    r#"<data class="sc.plugin2027.SetMove"><piece color="{color}" kind="{kind}" rotation="{rotation}" "#
                ) + &format!(r#"isFlipped="{flipped}"><position x="{x}" y="{y}"/></piece></data>"#);
            }
        }
        format!(r#"<data class="sc.plugin2027.SkipMove"><color>{color}</color></data>"#)
    }
}

// --- the conversation ------------------------------------------------------------------------------------------------

/// Joins, plays one game and says goodbye; whether the game was played.
fn play(mut connection: TcpStream, join: &str) -> io::Result<bool> {
    let orientations = all_orientations();
    let mut reader = BufReader::new(connection.try_clone()?);
    let mut position = None;
    let mut joined = false;
    connection.write_all(format!("<protocol>{join}").as_bytes())?;
    while let Some(message) = next_message(&mut reader)? {
        let data = message.child("data");
        match data.map_or(message.name.as_str(), |data| data.attribute("class")) {
            "joined" => joined = true,
            "memento" => position = data.and_then(|data| data.child("state")).map(Position::new),
            "moveRequest" => {
                if let Some(position) = &position {
                    let room = escaped(message.attribute("roomId"));
                    let answer = format!(r#"<room roomId="{room}">{}</room>"#, position.choose(&orientations));
                    connection.write_all(answer.as_bytes())?;
                }
            }
            "result" => {
                let winner = data.and_then(|data| data.child("winner"));
                eprintln!("result: {}", winner.map_or("", |winner| winner.attribute("reason")));
            }
            "error" | "errorpacket" => {
                eprintln!("the server complains: {}", data.unwrap_or(&message).attribute("message"));
                if !joined {
                    return Ok(false);
                }
            }
            "left" => {
                connection.write_all(b"</protocol>")?;
                let _ = reader.read_to_end(&mut Vec::new()); // the server says goodbye too, and closes
                return Ok(true);
            }
            _ => {}
        }
    }
    Ok(false)
}

// --- the program -----------------------------------------------------------------------------------------------------

struct Options {
    host: String,
    port: String,
    reservation: String,
    room: String,
    game: String,
}

/// The options in any of the forms --host H, --host=H, -h H; unknown ones are ignored.
fn read_options(mut arguments: impl Iterator<Item = String>) -> Options {
    let mut options = Options {
        host: "localhost".to_string(),
        port: "13050".to_string(),
        reservation: String::new(),
        room: String::new(),
        game: "swc_2027_blokus".to_string(),
    };
    while let Some(argument) = arguments.next() {
        let (name, value) = argument.split_once('=').map_or((argument.as_str(), None), |(n, v)| (n, Some(v)));
        let option = match name {
            "--host" | "-h" => &mut options.host,
            "--port" | "-p" => &mut options.port,
            "--reservation" | "-r" => &mut options.reservation,
            "--room" => &mut options.room,
            "--game" => &mut options.game,
            _ => continue,
        };
        *option = value.map(str::to_string).or_else(|| arguments.next()).unwrap_or_default();
    }
    options
}

fn join_request(options: &Options) -> String {
    if !options.reservation.is_empty() {
        format!(r#"<joinPrepared reservationCode="{}"/>"#, escaped(&options.reservation))
    } else if !options.room.is_empty() {
        format!(r#"<joinRoom roomId="{}"/>"#, escaped(&options.room))
    } else if options.game == "any" {
        "<join/>".to_string()
    } else {
        format!(r#"<join gameType="{}"/>"#, escaped(&options.game))
    }
}

fn main() -> ExitCode {
    let options = read_options(std::env::args().skip(1));
    let address = format!("{}:{}", options.host, options.port);
    let played = TcpStream::connect(&address).and_then(|connection| {
        connection.set_nodelay(true)?;
        play(connection, &join_request(&options))
    });
    match played {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(problem) => {
            eprintln!("cannot play at {address}: {problem}");
            ExitCode::FAILURE
        }
    }
}
