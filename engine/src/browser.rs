//! The engine for a page, as WebAssembly: one text comes in, one goes out. There are no threads and little memory there.
//!
//! A request is a line with what is asked, and lines like `name value`. The first line of an answer is `ok`, or else the
//! kind of error: `value` for a request that makes no sense, `memory` where a table does not fit. What follows is what was
//! asked for, or the reason. A search has an end in any case: the page cannot stop it, only end the whole worker.

use crate::any;
use crate::calls::{self, Answer, answer};
use crate::search::clock::Instant;
use crate::search::mcts::{KeptTree, Settings};
use crate::search::table::TranspositionTable;
use crate::search::{Limits, Options, Searchable, alphabeta};
use crate::with_position;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::str::FromStr;
use std::sync::atomic::AtomicBool;

/// The largest table; a larger one that is asked for becomes one of this size, with a tree to match.
const MAX_TABLE_MIB: usize = 64;
/// All tables together.
const MAX_TABLES_MIB: usize = 128;
/// No search takes longer.
const MAX_SECONDS: f64 = 30.0;
/// More lines than a position has moves are never found.
const MAX_LINES: usize = 1_000;

/// Why a request has no answer.
#[derive(Debug, PartialEq)]
enum Refusal {
    Value(String),
    Memory,
}

impl From<String> for Refusal {
    fn from(reason: String) -> Self {
        Refusal::Value(reason)
    }
}

impl From<&str> for Refusal {
    fn from(reason: &str) -> Self {
        Refusal::Value(reason.into())
    }
}

/// What lies between two requests: searchers, by the numbers that the page gives them.
#[derive(Default)]
pub struct Desk(BTreeMap<u32, Searcher>);

struct Searcher {
    table: TranspositionTable,
    tree: KeptTree,
}

impl Desk {
    /// The answer to a request. Whatever it asks, nothing panics that does not panic for everybody.
    pub fn answer(&mut self, request: &[u8]) -> String {
        let found = std::str::from_utf8(request)
            .map_err(|_| Refusal::from("expected a request in UTF-8"))
            .and_then(|request| self.call(request));
        match found {
            Ok(text) => format!("ok\n{text}"),
            Err(Refusal::Value(reason)) => format!("value\n{reason}"),
            Err(Refusal::Memory) => "memory\nthere is no memory left for another searcher".into(),
        }
    }

    fn call(&mut self, request: &str) -> Result<String, Refusal> {
        let (asked, rest) = request.split_once('\n').unwrap_or((request, ""));
        let fields = Fields::read(rest)?;
        match asked {
            "about" => Ok(format!(
                "{}\n{}\n{}",
                env!("CARGO_PKG_VERSION"),
                calls::features().join(" "),
                any::rule_sets().join(" ")
            )),
            "legal_moves" => Ok(calls::legal_moves(fields.text("position")?)?.join("\n")),
            "open" => self.open(fields.needed("searcher")?, fields.needed("table_mib")?).map(|()| String::new()),
            "close" => {
                self.0.remove(&fields.needed("searcher")?);
                Ok(String::new())
            }
            "search" => self.search(&fields),
            _ => Err("expected about, legal_moves, open, close or search".into()),
        }
    }

    fn open(&mut self, number: u32, mebibytes: usize) -> Result<(), Refusal> {
        let mebibytes = mebibytes.clamp(1, MAX_TABLE_MIB);
        self.0.remove(&number);
        let used: usize = self.0.values().map(|searcher| searcher.table.mebibytes()).sum();
        if used + mebibytes > MAX_TABLES_MIB {
            return Err(Refusal::Memory);
        }
        let table = TranspositionTable::new(mebibytes).map_err(|_| Refusal::Memory)?;
        self.0.insert(number, Searcher { table, tree: KeptTree::default() });
        Ok(())
    }

    fn search(&mut self, fields: &Fields) -> Result<String, Refusal> {
        let seconds = fields.number::<f64>("seconds")?.map_or(MAX_SECONDS, |seconds| seconds.min(MAX_SECONDS));
        let limits = calls::limits(Instant::now(), Some(seconds), fields.number("nodes")?, fields.number("depth")?)?;
        let lines = fields.number::<usize>("lines")?.unwrap_or(1).min(MAX_LINES);
        let tree = fields.number::<u8>("tree")?.unwrap_or(0) > 0;
        let points = fields.number::<u8>("points")?.unwrap_or(0) > 0;
        let options = Options { lines, points, ..Options::default() };
        let searcher = self.0.get_mut(&fields.needed("searcher")?).ok_or("expected the number of an open searcher")?;
        let found = with_position!(any::Any::parse(fields.text("position")?)?, position => {
            searcher.find(&position, &limits, &options, tree)
        });
        Ok(written(found))
    }
}

impl Searcher {
    fn find<P: Searchable>(&mut self, root: &P, limits: &Limits, options: &Options, tree: bool) -> Answer {
        let stop = AtomicBool::new(false);
        let found = if tree {
            let Options { lines, points, .. } = *options;
            let settings = Settings { lines, points, ..Settings::within(self.table.mebibytes()) };
            self.tree.of().search(root, limits, &settings, options.seed, &stop, &|_| {}).0
        } else {
            alphabeta::search(root, limits, options, &self.table, &stop)
        };
        answer(root, found)
    }
}

/// Depth, nodes and seconds; then for each line its score, the chance to win, and its moves, with tabs between them.
fn written((lines, depth, nodes, seconds): Answer) -> String {
    let mut text = format!("{depth} {nodes} {seconds}");
    for (moves, score, chance) in lines {
        // Writing into a string does not fail.
        let _ = write!(text, "\n{score}\t{chance}\t{}", moves.join("\t"));
    }
    text
}

/// The lines of a request behind its first one.
struct Fields<'a>(Vec<(&'a str, &'a str)>);

const KNOWN: [&str; 9] = ["searcher", "table_mib", "position", "seconds", "nodes", "depth", "lines", "tree", "points"];

impl<'a> Fields<'a> {
    fn read(text: &'a str) -> Result<Self, Refusal> {
        let mut fields: Vec<(&str, &str)> = Vec::new();
        for line in text.lines() {
            let (name, value) = line.split_once(' ').ok_or("expected lines like: name value")?;
            if !KNOWN.contains(&name) || fields.iter().any(|&(before, _)| before == name) {
                return Err(format!("expected each of these once at most: {}", KNOWN.join(", ")).into());
            }
            fields.push((name, value));
        }
        Ok(Fields(fields))
    }

    fn find(&self, name: &str) -> Option<&'a str> {
        self.0.iter().find(|&&(found, _)| found == name).map(|&(_, value)| value)
    }

    fn text(&self, name: &str) -> Result<&'a str, Refusal> {
        self.find(name).ok_or_else(|| format!("expected a {name}").into())
    }

    fn number<T: FromStr>(&self, name: &str) -> Result<Option<T>, Refusal> {
        let read = |text: &str| text.parse().map_err(|_| Refusal::from(format!("expected a number of {name}")));
        self.find(name).map(read).transpose()
    }

    fn needed<T: FromStr>(&self, name: &str) -> Result<T, Refusal> {
        self.number(name)?.ok_or_else(|| format!("expected a number of {name}").into())
    }
}

/// What the page calls: it asks for room for a request, writes it there, and reads the answer. Where that traps, the page
/// reads what the panic said, and starts with a new instance.
#[cfg(target_arch = "wasm32")]
mod exports {
    use super::Desk;
    use std::cell::RefCell;
    use std::ptr::null_mut;

    /// The longest position is far below.
    const MAX_REQUEST: usize = 1 << 16;

    thread_local! {
        static DESK: RefCell<Desk> = RefCell::default();
        static REQUEST: RefCell<Vec<u8>> = RefCell::default();
        static ANSWER: RefCell<String> = RefCell::default();
    }

    fn show(text: String) -> usize {
        let length = text.len();
        ANSWER.set(text);
        length
    }

    /// Room for a request of so many bytes; null if that is too much.
    #[unsafe(no_mangle)]
    pub extern "C" fn request(length: usize) -> *mut u8 {
        if length > MAX_REQUEST {
            return null_mut();
        }
        REQUEST.with_borrow_mut(|request| {
            request.clear();
            request.resize(length, 0);
            request.as_mut_ptr()
        })
    }

    /// Answers the request; the length of the answer.
    #[unsafe(no_mangle)]
    pub extern "C" fn answer() -> usize {
        std::panic::set_hook(Box::new(|panic| {
            show(panic.to_string());
        }));
        show(DESK.with_borrow_mut(|desk| REQUEST.with_borrow(|request| desk.answer(request))))
    }

    /// Where the answer begins, or what the last panic said.
    #[unsafe(no_mangle)]
    pub extern "C" fn text() -> *const u8 {
        ANSWER.with_borrow(|answer| answer.as_ptr())
    }

    /// The length of what lies there.
    #[unsafe(no_mangle)]
    pub extern "C" fn length() -> usize {
        ANSWER.with_borrow(String::len)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encoding::Encoded;
    use crate::for_each_game;
    use crate::game::Position;
    use crate::random::Random;

    #[test]
    fn every_game_is_searched_in_both_ways() {
        let mut desk = Desk::default();
        assert_eq!(desk.answer(b"open\nsearcher 3\ntable_mib 2000"), "ok\n");
        for_each_game!(Game, _family => {
            let start = Game::draw_start(0, &mut Random::new(1)).format();
            let moves = desk.answer(format!("legal_moves\nposition {start}").as_bytes());
            for tree in 0..2 {
                let request = format!("search\nsearcher 3\nnodes 200\nlines 2\ntree {tree}\nposition {start}");
                let found = desk.answer(request.as_bytes());
                let best = found.lines().nth(2).and_then(|line| line.split('\t').nth(2)).expect("a move");
                assert!(found.starts_with("ok\n") && moves.lines().any(|m| m == best), "{found}");
            }
        });
    }

    #[test]
    fn a_request_without_sense_is_refused_in_words() {
        let mut desk = Desk::default();
        for (request, reason) in [
            (&b""[..], "expected about, legal_moves, open, close or search"),
            (b"\xff\xfe", "expected a request in UTF-8"),
            (b"open\nsearcher -1\ntable_mib 1", "expected a number of searcher"),
            (b"open\nsearcher 1", "expected a number of table_mib"),
            (b"open\nsearcher", "expected lines like: name value"),
            (b"legal_moves\nmemory 1", "expected each of these once at most: "),
            (b"legal_moves\nlines 1\nlines 1", "expected each of these once at most: "),
            (b"legal_moves\nposition chess 8/8", "expected a position that begins with the key of a rule set"),
            (b"legal_moves\nposition blokus-2027 1 2 3", "expected"),
            (b"search\nsearcher 1\nposition x", "expected the number of an open searcher"),
            (b"search\nsearcher 1\nseconds NaN\nposition x", "expected"),
            (b"search\nsearcher 1\nnodes 99999999999999999999", "expected a number of nodes"),
        ] {
            let answer = desk.answer(request);
            assert!(answer.starts_with(&format!("value\n{reason}")), "{answer}");
        }
    }

    #[test]
    fn tables_share_what_memory_a_page_has() {
        let mut desk = Desk::default();
        let mut open = |number: u32| desk.answer(format!("open\nsearcher {number}\ntable_mib 64").as_bytes());
        assert_eq!((open(1).as_str(), open(2).as_str(), open(2).as_str()), ("ok\n", "ok\n", "ok\n"));
        assert!(open(3).starts_with("memory\n"));
        assert_eq!(desk.answer(b"close\nsearcher 1"), "ok\n");
        assert_eq!(desk.answer(b"open\nsearcher 3\ntable_mib 64"), "ok\n");
    }
}
