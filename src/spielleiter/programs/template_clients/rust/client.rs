//! How a player talks to the game master, in plain Rust, written from docs/protocol/. The moves are player.rs's.
//!
//! Options: --host, --port, --reservation as the contest passes them; at home --room ROOM-ID joins that room, and
//! --game TYPE another game type ("any": whatever there is).

mod player;

use std::collections::HashMap;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::ExitCode;
use std::sync::OnceLock;

// --- XML: the small part of it that the server uses ------------------------------------------------------------------

/// An XML element. What is missing is an empty element, an empty text, or 0.
#[derive(Default)]
#[allow(dead_code)] // not every player needs all of it
pub struct Element {
    pub name: String,
    pub text: String,
    pub attributes: HashMap<String, String>,
    pub children: Vec<Element>,
}

#[allow(dead_code)]
impl Element {
    pub fn attribute(&self, key: &str) -> &str {
        self.attributes.get(key).map_or("", String::as_str)
    }

    /// The attribute as a whole number.
    pub fn number(&self, key: &str) -> i32 {
        self.attribute(key).parse().unwrap_or(0)
    }

    pub fn has(&self, child_name: &str) -> bool {
        self.all(child_name).next().is_some()
    }

    /// The first child of this name.
    pub fn child(&self, child_name: &str) -> &Element {
        static NONE: OnceLock<Element> = OnceLock::new();
        self.all(child_name).next().unwrap_or_else(|| NONE.get_or_init(Element::default))
    }

    /// The children of this name.
    pub fn all<'a>(&'a self, child_name: &str) -> impl Iterator<Item = &'a Element> {
        let child_name = child_name.to_string();
        self.children.iter().filter(move |child| child.name == child_name)
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
        let Some(mut closed) = open.pop() else { return Ok(None) };
        closed.text = closed.text.trim().to_string();
        match open.last_mut() {
            Some(parent) => parent.children.push(closed),
            None => return Ok(Some(closed)),
        }
    }
}

// --- the conversation ------------------------------------------------------------------------------------------------

/// The class of the data without its package: a season may write sc.framework.plugins.protocol.MoveRequest.
fn kind(data: &Element) -> String {
    data.attribute("class").rsplit('.').next().unwrap_or("").to_lowercase()
}

/// Why the game ended: a text for people, which each season has in another place.
fn reason(result: &Element) -> String {
    match result.attribute("reason") {
        "" => result.children.iter().map(reason).find(|found| !found.is_empty()).unwrap_or_default(),
        found => found.to_string(),
    }
}

/// Joins, plays one game and says goodbye; whether the game was played.
fn play(mut connection: TcpStream, join: &str) -> io::Result<bool> {
    let mut reader = BufReader::new(connection.try_clone()?);
    let mut latest: Option<Element> = None; // the last memento
    let mut joined = false;
    connection.write_all(format!("<protocol>{join}").as_bytes())?;
    while let Some(message) = next_message(&mut reader)? {
        let data = message.child("data");
        let name = if message.has("data") { kind(data) } else { message.name.clone() };
        match name.as_str() {
            "joined" => joined = true,
            "memento" => latest = Some(message),
            "moverequest" => {
                if let Some(memento) = latest.as_ref().filter(|memento| memento.child("data").has("state")) {
                    let answer = player::choose_move(memento.child("data").child("state"));
                    let room = escaped(message.attribute("roomId"));
                    connection.write_all(format!(r#"<room roomId="{room}">{answer}</room>"#).as_bytes())?;
                }
            }
            "result" => match reason(data).as_str() {
                "" => eprintln!("result: the game is over"),
                why => eprintln!("result: {why}"),
            },
            "error" | "errorpacket" => {
                let complaint = if message.has("data") { data } else { &message };
                eprintln!("the server complains: {}", complaint.attribute("message"));
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
        game: "__GAME_TYPE__".to_string(),
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
