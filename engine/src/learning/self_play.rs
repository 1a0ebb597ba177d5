//! Self-play from random openings.

use super::Learning;
use super::game_file::GameFile;
use super::network::Sample;
use crate::game::{Move, Team, Verdict};
use crate::network::Featured;
use crate::random::Random;
use crate::search::alphabeta;
use crate::search::mcts::{Settings, Tree};
use crate::search::table::TranspositionTable;
use crate::search::{DECIDED, Limits, Line, Options, win_probability};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::channel;

/// One move in so many is drawn, so that the games differ.
const DRAWN: u32 = 24;
/// How evenly moves are drawn by order scores.
const DRAW_TEMPERATURE: f64 = 1.5;
/// One tree search in so many is long: a policy learns from these.
const LONG: u32 = 4;
/// How many times fewer simulations the others have.
const SHORTER: u64 = 6;
/// How evenly the moves of the root are looked at in a long search: more than a player would, to find what is unlikely.
/// One that hardly visits what the policy finds unlikely would teach it what it says already.
const ROOT_TEMPERATURE: f64 = 1.6;
/// The most visited moves that are written down.
const VISITED: usize = 8;

/// A position of a game to learn from.
#[derive(Clone)]
pub struct Seen<P> {
    /// The position.
    pub position: P,
    /// What the search thought of it, for the side to move; `None` where it has proven the end or knew nothing.
    pub score: Option<i32>,
    /// How often its most visited moves were visited, the most visited one first; empty after other than long searches.
    pub visits: Vec<(Move, u32)>,
}

/// A finished game.
pub struct Game<P> {
    /// The positions that were searched.
    pub seen: Vec<Seen<P>>,
    /// The last position.
    pub end: P,
}

impl<P: Learning + Featured> Game<P> {
    /// What the settled positions teach a network.
    pub fn samples(&self) -> impl Iterator<Item = Sample> {
        let result = match self.end.full_verdict() {
            Some(Verdict::Win(Team::One)) => 1.0,
            Some(Verdict::Win(Team::Two)) => 0.0,
            _ => 0.5,
        };
        self.seen.iter().filter(|seen| !seen.position.is_unsettled()).map(move |Seen { position, score, .. }| {
            let mut features = Vec::new();
            position.add_features(&mut features);
            let result = if position.to_move() == Team::One { result } else { 1.0 - result };
            let searched = score.map_or(result, |score| win_probability::<P>(score) as f32);
            Sample { features, chance: P::RESULT_WEIGHT * result + (1.0 - P::RESULT_WEIGHT) * searched }
        })
    }
}

/// A round of games.
pub struct Round {
    /// The rule set; `None` means that each game draws one.
    pub rules: Option<u8>,
    /// The number of its first game.
    pub first: usize,
    /// How many games it has.
    pub games: usize,
    /// Nodes or simulations per move.
    pub nodes: u64,
    /// The seed of all random numbers.
    pub seed: u64,
    /// Whether its players know nothing but the rules.
    pub knows_nothing: bool,
}

impl Round {
    /// The number of the first game after it.
    pub fn end(&self) -> usize {
        self.first + self.games
    }

    /// The start of the game with this number, and the random numbers of its moves.
    fn start<P: Learning>(&self, number: usize) -> (P, Random) {
        let number = (number - self.first) as u64;
        let mut random = Random::new(Random::new(self.seed.wrapping_mul(1_000_003) ^ number).next());
        let rules = self.rules.unwrap_or_else(|| random.below(P::RULE_SETS.len() as u32) as u8);
        (P::draw_start(rules, &mut random), random)
    }

    /// The line of a game, which depends on nothing but the round, its number and the weights in use.
    fn play<P: Learning>(&self, number: usize) -> String {
        let (mut position, mut random) = self.start::<P>(number);
        let (mut tree, table) = (Tree::default(), TranspositionTable::new(1).expect("1 MiB"));
        let mut words = Vec::new();
        let mut opening = random.below(2 * P::OPENING + 1);
        let is_weak = P::WEAK_GAMES > 0 && random.below(100) < P::WEAK_GAMES;
        // How many of `DRAWN` moves are drawn.
        let drawn = if is_weak { 1 + random.below(DRAWN) } else { 1 };
        while position.full_verdict().is_none() {
            let m = if opening > 0 {
                opening -= 1;
                let m = draw(&position, &mut random);
                words.push(m.0.to_string());
                m
            } else {
                let (line, visits) = if P::BY_TREE {
                    self.search_tree(&position, &mut tree, &mut random)
                } else {
                    let found = alphabeta::search(&position, &limits(self.nodes), &Options::default(), &table, &NEVER);
                    (found.lines, Vec::new())
                };
                let Line { moves, score } = &line[0];
                let m = if random.below(DRAWN) < drawn { draw(&position, &mut random) } else { moves[0] };
                let is_known = score.abs() < DECIDED && !self.knows_nothing && !is_weak;
                let visits = visits.iter().map(|(m, number)| format!(":{}={number}", m.0)).collect::<String>();
                words.push(format!("{}:{}{visits}", m.0, if is_known { score.to_string() } else { "=".into() }));
                m
            };
            position = position.play(m);
        }
        words.join(" ")
    }

    /// The best line of a tree search, and after a long one how often the most visited moves were visited.
    fn search_tree<P: Learning>(
        &self,
        position: &P,
        tree: &mut Tree<P>,
        random: &mut Random,
    ) -> (Vec<Line>, Vec<(Move, u32)>) {
        let mut settings = Settings::default();
        if self.knows_nothing {
            // Random games to the end tell what neither network nor policy know.
            (settings.rollout, settings.width) = (u32::MAX, usize::MAX);
        }
        let long = random.below(LONG) == 0;
        if long {
            settings.root_temperature = ROOT_TEMPERATURE;
        }
        let limits = limits(if long { self.nodes } else { self.nodes.div_ceil(SHORTER) });
        let (found, mut visits) = tree.search(position, &limits, &settings, random.next(), &NEVER, &|_| {});
        let is_decided = found.lines[0].score.abs() >= DECIDED;
        visits.sort_by_key(|&(m, number)| (std::cmp::Reverse(number), m));
        visits.truncate(if long && !is_decided { VISITED } else { 0 });
        (found.lines, visits)
    }

    /// The game of a line; `None` if it is not a whole one.
    pub fn read<P: Learning>(&self, number: usize, line: &str) -> Option<Game<P>> {
        let mut position = self.start::<P>(number).0;
        let (mut seen, mut moves) = (Vec::new(), Vec::new());
        for word in line.split(' ') {
            moves.clear();
            position.moves(&mut moves);
            let legal = |text: &str| text.parse().ok().map(Move).filter(|m| moves.contains(m));
            let mut parts = word.split(':');
            let m = legal(parts.next()?)?;
            if let Some(score) = parts.next() {
                let score = if score == "=" { None } else { Some(score.parse().ok()?) };
                let visit = |part: &str| part.split_once('=').and_then(|(m, n)| Some((legal(m)?, n.parse().ok()?)));
                seen.push(Seen { position, score, visits: parts.map(visit).collect::<Option<_>>()? });
            }
            position = position.play(m);
        }
        position.full_verdict().map(|_| Game { seen, end: position })
    }

    /// Its games, one after the other.
    pub fn read_all<P: Learning>(&self, file: &GameFile) -> impl Iterator<Item = Game<P>> {
        let numbers = self.first..self.end();
        numbers.map(|number| self.read(number, &file.games()[number]).expect("the games of a file are whole"))
    }
}

/// Nothing stops these searches.
static NEVER: AtomicBool = AtomicBool::new(false);

fn limits(nodes: u64) -> Limits {
    Limits { nodes: Some(nodes), ..Limits::default() }
}

/// A move that is drawn; the game goes on.
fn draw<P: Learning>(position: &P, random: &mut Random) -> Move {
    if !P::BY_TREE {
        return position.random_move(random).expect("a move");
    }
    let mut list = Vec::new();
    position.moves_with_scores(&mut list);
    let best = list.iter().map(|(score, _)| *score).max().expect("a move");
    let chance = |score: i32| (f64::from(score - best) / (P::TEMPERATURE * DRAW_TEMPERATURE)).exp();
    let sum: f64 = list.iter().map(|&(score, _)| chance(score)).sum();
    let mut left = random.symmetric().abs() as f64 * sum;
    let drawn = list.iter().find(|&&(score, _)| {
        left -= chance(score);
        left < 0.0
    });
    drawn.or(list.last()).expect("a move").1
}

/// Plays the games of a round that are not in a file yet, on all cores, and adds them to it in their order.
pub fn play_missing<P: Learning>(
    round: &Round,
    weights: &'static P::Weights,
    file: &mut GameFile,
) -> Result<(), String> {
    let mut next = file.games().len();
    if next >= round.end() {
        return Ok(());
    }
    P::use_weights(weights);
    if next > round.first && round.play::<P>(next - 1) != file.games()[next - 1] {
        return Err(
            file.refusal(round.first, "begins a round of games that this build of the engine plays differently")
        );
    }
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let (sender, receiver) = channel();
    let free = AtomicUsize::new(next);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            let (sender, free) = (sender.clone(), &free);
            scope.spawn(move || {
                P::use_weights(weights);
                loop {
                    let number = free.fetch_add(1, Ordering::Relaxed);
                    // Nobody listens any more where the file cannot be written.
                    if number >= round.end() || sender.send((number, round.play::<P>(number))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let mut early = BTreeMap::new();
        for (number, game) in receiver {
            early.insert(number, game);
            while let Some(game) = early.remove(&next) {
                file.add(game)?;
                next += 1;
                if (next - round.first) % 500 == 0 {
                    eprintln!("{} of {} games", next - round.first, round.games);
                }
            }
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::for_each_game;
    use crate::game::Position;

    #[test]
    fn a_game_is_what_its_line_says() {
        for_each_game!(Game, _family => for knows_nothing in [true, false] {
            let round = Round { rules: None, first: 3, games: 5, nodes: 40, seed: 5, knows_nothing };
            let line = round.play::<Game>(4);
            assert_eq!(line, round.play::<Game>(4));
            let game = round.read::<Game>(4, &line).expect("a whole game");
            assert!(game.end.full_verdict().is_some());
            assert_eq!(game.seen.len(), line.split(' ').filter(|word| word.contains(':')).count());
            assert_eq!(knows_nothing, game.seen.iter().all(|seen| seen.score.is_none()));
            let (rest, _) = line.rsplit_once(' ').expect("several moves");
            for other in [rest, "", "70000", &format!("{line} 1"), &line.replacen(':', ":x", 1)] {
                assert!(round.read::<Game>(4, other).is_none(), "{other}");
            }
        });
    }
}
