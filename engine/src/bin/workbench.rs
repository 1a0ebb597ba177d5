//! Measures the engine and plays with it, without Python.
//!
//! - `workbench speed`: perft, random games and lists of moves, in CPU time of one thread
//! - `workbench search [SECONDS]`: nodes or simulations per second and depth for some positions of each game
//! - `workbench serve [hash=MIB] [mcts ...]`: reads lines `NODES POSITION` or `SECONDS POSITION`, writes the best move and
//!   the position after it

use spielleiter_engine::any::Any;
use spielleiter_engine::encoding::Encoded;
use spielleiter_engine::for_each_game;
use spielleiter_engine::game::Position;
use spielleiter_engine::perft::perft;
use spielleiter_engine::random::Random;
use spielleiter_engine::search::alphabeta::search;
use spielleiter_engine::search::clock::thread_cpu_time;
use spielleiter_engine::search::mcts;
use spielleiter_engine::search::table::TranspositionTable;
use spielleiter_engine::search::{Limits, Options, Searchable};
use spielleiter_engine::with_position;
use std::io::{BufRead, Write};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// CPU time of this thread in seconds.
fn cpu_seconds() -> f64 {
    thread_cpu_time().as_secs_f64()
}

fn measure<P: Position>(name: &str, starts: &[P], depth: u32, games: u32) {
    let begun = cpu_seconds();
    let (mut leaves, mut seconds) = (0_u64, 0.0);
    while seconds < 0.3 {
        leaves += starts.iter().filter_map(|start| perft(start, depth, &|| false)).sum::<u64>();
        seconds = cpu_seconds() - begun;
    }
    println!("{name}: perft {depth}: {leaves} leaves, {:.1} M/s", leaves as f64 / seconds / 1e6);
    let begun = cpu_seconds();
    let mut random = Random::new(1);
    let mut turns = 0_u64;
    for i in 0..games {
        turns += u64::from(starts[i as usize % starts.len()].playout(&mut random).turn());
    }
    let seconds = cpu_seconds() - begun;
    println!(
        "{name}: {:.0} random games/s, {:.1} turns each",
        f64::from(games) / seconds,
        turns as f64 / f64::from(games)
    );
    let begun = cpu_seconds();
    let mut nodes = 0_u64;
    let mut moves = Vec::new();
    for i in 0..games / 20 {
        let mut position = starts[i as usize % starts.len()];
        loop {
            moves.clear();
            position.moves(&mut moves);
            if moves.is_empty() {
                break;
            }
            nodes += 1;
            position = position.play(moves[random.below(moves.len() as u32) as usize]);
        }
    }
    let seconds = cpu_seconds() - begun;
    println!("{name}: {:.0} ns for a list of moves and a move played", seconds / nodes as f64 * 1e9);
}

/// Positions of a random game, some plies after the start.
fn later<P: Position>(start: P, plies: u32, random: &mut Random) -> P {
    let mut position = start;
    for _ in 0..plies {
        match position.random_move(random) {
            Some(m) => position = position.play(m),
            None => return start,
        }
    }
    position
}

/// The least depth at which perft of these positions has a million leaves.
fn worthwhile_depth<P: Position>(starts: &[P]) -> u32 {
    let leaves = |depth: u32| starts.iter().filter_map(|start| perft(start, depth, &|| false)).sum::<u64>();
    (2..8).find(|&depth| leaves(depth) >= 1_000_000).unwrap_or(8)
}

fn measure_all() {
    let mut random = Random::new(7);
    for_each_game!(Game, _family => for (rules, rule_set) in Game::RULE_SETS.iter().enumerate() {
        let starts: Vec<Game> = (0..10).map(|_| Game::draw_start(rules as u8, &mut random)).collect();
        measure(rule_set.key, &starts, worthwhile_depth(&starts), 20_000);
        let middle: Vec<Game> = starts.iter().map(|start| later(*start, 20, &mut random)).collect();
        measure(&format!("{} middle", rule_set.key), &middle, worthwhile_depth(&middle), 20_000);
    });
}

fn measure_search<P: Searchable>(name: &str, position: &P, seconds: f64) {
    let Ok(table) = TranspositionTable::new(64) else { return };
    let begun = cpu_seconds();
    let limits = Limits { deadline: Some(Instant::now() + Duration::from_secs_f64(seconds)), ..Limits::default() };
    let found = search(position, &limits, &Options::default(), &table, &AtomicBool::new(false));
    let cpu = cpu_seconds() - begun;
    let line = found.lines.first().map_or(String::new(), |line| {
        let mut at = *position;
        let moves: Vec<String> = line
            .moves
            .iter()
            .map(|&m| {
                let text = at.format_move(m);
                at = at.play(m);
                text
            })
            .collect();
        format!("{:6} {}", line.score, moves.join(", "))
    });
    println!(
        "{name}: depth {:2}, {:.2} M nodes/s, {:.3} s: {line}",
        found.depth,
        found.nodes as f64 / cpu / 1e6,
        found.seconds
    );
}

fn measure_tree<P: Searchable>(name: &str, position: &P, seconds: f64) {
    let begun = cpu_seconds();
    let limits = Limits { deadline: Some(Instant::now() + Duration::from_secs_f64(seconds)), ..Limits::default() };
    let (mut tree, settings) = (mcts::Tree::default(), mcts::Settings::default());
    let found = tree.search(position, &limits, &settings, 1, &AtomicBool::new(false), &|_| {}).0;
    let simulations = found.nodes as f64 / (cpu_seconds() - begun);
    println!(
        "{name}: depth {:2}, {simulations:.0} simulations/s, {:.0} bytes each, {:.3} s",
        found.depth,
        tree.bytes() as f64 / found.nodes as f64,
        found.seconds
    );
}

fn search_all(seconds: f64) {
    let mut random = Random::new(11);
    for_each_game!(Game, family => for i in 0..10 {
        let start = Game::draw_start(i % Game::RULE_SETS.len() as u8, &mut random);
        let position = later(start, u32::from(i) * 5, &mut random);
        measure_search(family, &position, seconds);
        measure_tree(&format!("{family}, tree"), &position, seconds);
    });
}

/// How `serve` searches: by alpha-beta, or with the word `mcts` by a tree, whose settings may follow as `name=number`.
fn settings(words: &[String]) -> Option<mcts::Settings> {
    if words.first().map(String::as_str) != Some("mcts") {
        return None;
    }
    let mut settings = mcts::Settings::default();
    for (name, number) in words[1..].iter().filter_map(|word| word.split_once('=')) {
        let Ok(number) = number.parse::<f64>() else { continue };
        match name {
            "exploration" => settings.exploration = number,
            "temperature" => settings.temperature = number,
            "root" => settings.root_temperature = number,
            "pessimism" => settings.pessimism = number,
            "width" => settings.width = number as usize,
            "rollout" => settings.rollout = number as u32,
            "points" => settings.points = number > 0.0,
            _ => {}
        }
    }
    Some(settings)
}

/// Nodes, or seconds with a point (`0.05`), or seconds of CPU time with a point and `cpu` behind (`0.05cpu`).
fn limits(text: &str) -> Option<Limits> {
    if let Ok(nodes) = text.parse() {
        return Some(Limits { nodes: Some(nodes), ..Limits::default() });
    }
    let seconds = |text: &str| text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    if let Some(text) = text.strip_suffix("cpu") {
        return Some(Limits { cpu: Some(seconds(text)?), ..Limits::default() });
    }
    Some(Limits { deadline: Some(Instant::now() + seconds(text)?), ..Limits::default() })
}

fn serve(words: &[String]) {
    let hash = words.first().and_then(|word| word.strip_prefix("hash="));
    let settings = settings(&words[usize::from(hash.is_some())..]);
    let mebibytes = hash.map_or(16, |number| number.parse().expect("hash=MIB"));
    let table = TranspositionTable::new(mebibytes).expect("memory for the table");
    let mut tree = mcts::KeptTree::default();
    let mut output = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        let Some((limit, text)) = line.split_once(' ') else { break };
        let Some(limits) = limits(limit) else { break };
        let answer = match Any::parse(text) {
            Err(problem) => format!("? {problem}"),
            Ok(any) => with_position!(any, position => {
                let found = match &settings {
                    None => search(&position, &limits, &Options::default(), &table, &AtomicBool::new(false)),
                    Some(settings) => {
                        tree.of().search(&position, &limits, settings, 1, &AtomicBool::new(false), &|_| {}).0
                    }
                };
                match found.lines.first() {
                    None => "over".to_string(),
                    Some(line) => {
                        let next = position.play(line.moves[0]);
                        let verdict = next.full_verdict().map_or("-".into(), |verdict| format!("{verdict:?}"));
                        let team = next.to_move() as u8;
                        format!("{}\t{}\t{verdict}\t{team}", position.format_move(line.moves[0]), next.format())
                    }
                }
            }),
        };
        if writeln!(output, "{answer}").and_then(|()| output.flush()).is_err() {
            break;
        }
    }
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match words.first().map(String::as_str) {
        Some("search") => search_all(words.get(1).and_then(|word| word.parse().ok()).unwrap_or(2.0)),
        Some("serve") => serve(&words[1..]),
        _ => measure_all(),
    }
}
