//! Games of Blokus that the tree search plays against itself, written to a file to learn from.
//!
//! The first line says how the games were played: `blokus-games SIMULATIONS SEED`. Every other line is a game: its number,
//! rule set and start shape, and then the moves. A move that was searched has the score for
//! the side to move behind it (`=` where the end was proven), and after a long search the moves that were visited most:
//! `7 2 14 30117 32520:31 29677:-4:29677=269:36083=171`.

use super::policy;
use crate::blokus::Blokus;
use crate::game::{Move, Position};
use crate::random::Random;
use crate::search::mcts::{Settings, Tree};
use crate::search::{DECIDED, Limits};
use std::collections::HashSet;
use std::fmt::Write as _;
use std::fs::File;
use std::io::{BufRead, BufReader, Write as _};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

/// Up to so many moves of a game are drawn by the policy at first.
const OPENING: u32 = 12;
/// One search in so many is long; the policy learns from these.
const LONG: u32 = 4;
/// How many times fewer simulations the others have.
const SHORTER: u64 = 6;
/// How evenly the moves of the root are looked at in a long search: more than a player would, to find what is unlikely.
const ROOT_TEMPERATURE: f64 = 1.6;
/// One move in so many is drawn by the policy, so that the games differ.
const DRAWN: u32 = 30;
/// The most visited moves that are written down.
const VISITED: usize = 8;

/// A position of a game to learn from.
pub struct Seen {
    /// The position.
    pub position: Blokus,
    /// What the search thought of it; `None` where it has proven the end.
    pub score: Option<i32>,
}

/// A game that was read.
pub struct Game {
    number: u32,
    /// The positions that were searched.
    pub seen: Vec<Seen>,
    /// Those of them that were searched for long.
    pub choices: Vec<policy::Sample>,
    /// The last position.
    pub end: Blokus,
}

/// Plays the games that are not in a file yet, on all cores, and adds them to it.
pub fn play_games(games: u32, simulations: u64, seed: u64, path: &str) -> Result<(), String> {
    let failed = |error: std::io::Error| format!("{path}: {error}");
    let first_line = format!("blokus-games {simulations} {seed}");
    let mut file = File::options().create(true).append(true).open(path).map_err(failed)?;
    let mut known = HashSet::new();
    if file.metadata().map_err(failed)?.len() == 0 {
        writeln!(file, "{first_line}").map_err(failed)?;
    } else {
        let (found, games) = read_file(path)?;
        if found != first_line {
            return Err(format!("{path} has games of `{found}`, not of `{first_line}`: give another file"));
        }
        known.extend(games.iter().map(|game| game.number));
    }
    let file = Mutex::new(file);
    let next = AtomicU32::new(0);
    let work = || -> Result<(), String> {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= games {
                return Ok(());
            }
            if known.contains(&number) {
                continue;
            }
            let text = play(number, simulations, seed);
            file.lock().expect("nobody panicked").write_all(text.as_bytes()).map_err(failed)?;
            if (number + 1) % 500 == 0 {
                eprintln!("{} of {games} games", number + 1);
            }
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers.into_iter().try_for_each(|worker| worker.join().expect("a worker panicked"))
    })
}

/// The line of a game, which depends on nothing but these numbers and the weights in use.
fn play(number: u32, simulations: u64, seed: u64) -> String {
    let mut random = Random::new(Random::new(seed.wrapping_mul(1_000_003) ^ u64::from(number)).next());
    let (rules, shape) = (random.below(Blokus::RULE_SETS.len() as u32) as u8, 9 + random.below(12) as u8);
    let mut position = Blokus::start(rules, shape);
    let mut text = format!("{number} {rules} {shape}");
    let mut opening = random.below(OPENING + 1);
    let mut tree = Tree::default();
    while position.verdict().is_none() {
        let m = if opening > 0 {
            opening -= 1;
            let Some(m) = draw(&position, 1.5, &mut random) else { break };
            let _ = write!(text, " {}", m.0);
            m
        } else {
            let long = random.below(LONG) == 0;
            let settings =
                Settings { root_temperature: if long { ROOT_TEMPERATURE } else { 1.0 }, ..Settings::default() };
            let nodes = if long { simulations } else { simulations / SHORTER };
            let limits = Limits { nodes: Some(nodes), ..Limits::default() };
            let (found, mut visits) = tree.search(&position, &limits, &settings, 1, &AtomicBool::new(false), &|_| {});
            let Some(line) = found.lines.first() else { break };
            let drawn = if random.below(DRAWN) == 0 { draw(&position, 2.0, &mut random) } else { None };
            let m = drawn.unwrap_or(line.moves[0]);
            let _ = match line.score {
                score if score.abs() >= DECIDED => write!(text, " {}:=", m.0),
                score => write!(text, " {}:{score}", m.0),
            };
            if long && line.score.abs() < DECIDED {
                visits.sort_by_key(|&(m, number)| (std::cmp::Reverse(number), m));
                for (m, number) in visits.iter().take(VISITED) {
                    let _ = write!(text, ":{}={number}", m.0);
                }
            }
            m
        };
        position = position.play(m);
    }
    text.push('\n');
    text
}

/// A move drawn by the policy, the more evenly the higher the temperature is.
fn draw(position: &Blokus, temperature: f32, random: &mut Random) -> Option<Move> {
    let mut list = Vec::new();
    position.moves_with_scores(&mut list);
    let best = list.iter().map(|(score, _)| *score).max()?;
    let chances: Vec<f32> =
        list.iter().map(|(score, _)| ((score - best) as f32 / 1000.0 / temperature).exp()).collect();
    let mut left = (random.next() >> 40) as f32 / (1 << 24) as f32 * chances.iter().sum::<f32>();
    for (chance, &(_, m)) in chances.iter().zip(&list) {
        left -= chance;
        if left <= 0.0 {
            return Some(m);
        }
    }
    list.last().map(|&(_, m)| m)
}

/// The games of some files, in the order of the files and of their numbers, and how they were played.
pub fn read_games(paths: &[String]) -> Result<(Vec<Game>, Vec<String>), String> {
    let (mut all, mut origins) = (Vec::new(), Vec::new());
    for path in paths {
        let (first_line, games) = read_file(path)?;
        let (word, rest) = first_line.split_once(' ').unwrap_or((&first_line, ""));
        origins.push(format!("tune {word} {} {rest} {path}", games.len()));
        all.extend(games);
    }
    Ok((all, origins))
}

/// The first line of a file, and its games in the order of their numbers.
fn read_file(path: &str) -> Result<(String, Vec<Game>), String> {
    let file = File::open(path).map_err(|error| format!("{path}: {error}"))?;
    let mut lines = BufReader::new(file).lines();
    let first_line = lines.next().transpose().map_err(|error| format!("{path}: {error}"))?;
    let Some(first_line) = first_line.filter(|line| line.starts_with("blokus-games ")) else {
        return Err(format!("{path}: this is not a file that tune blokus-games has written"));
    };
    let mut games = Vec::new();
    for (i, line) in lines.enumerate() {
        let line = line.map_err(|error| format!("{path}: {error}"))?;
        games.push(
            read(&line).ok_or_else(|| format!("{path}, line {}: this is not a whole game; remove the line", i + 2))?,
        );
    }
    games.sort_by_key(|game| game.number);
    Ok((first_line, games))
}

/// The game of a line; `None` if it is not a whole one.
fn read(line: &str) -> Option<Game> {
    let mut words = line.split(' ');
    let number = words.next()?.parse().ok()?;
    let rules = words.next()?.parse().ok().filter(|&rules: &u8| usize::from(rules) < Blokus::RULE_SETS.len())?;
    let shape = words.next()?.parse().ok().filter(|shape| (9..21).contains(shape))?;
    let mut position = Blokus::start(rules, shape);
    let (mut seen, mut choices) = (Vec::new(), Vec::new());
    let mut moves = Vec::new();
    for word in words {
        let mut parts = word.split(':');
        let m = Move(parts.next()?.parse().ok()?);
        if let Some(score) = parts.next() {
            let score = if score == "=" { None } else { Some(score.parse().ok()?) };
            seen.push(Seen { position, score });
        }
        let visit = |part: &str| part.split_once('=').and_then(|(m, n)| Some((Move(m.parse().ok()?), n.parse().ok()?)));
        let visits = parts.map(visit).collect::<Option<Vec<(Move, u32)>>>()?;
        if !visits.is_empty() {
            choices.push(policy::Sample { position, visits });
        }
        moves.clear();
        position.moves(&mut moves);
        if !moves.contains(&m) {
            return None;
        }
        position = position.play(m);
    }
    position.verdict().map(|_| Game { number, seen, choices, end: position })
}
