//! Monte-Carlo tree search with priors (PUCT): the tree grows where priors and results are good; leaves are evaluated, after a
//! few random moves if wanted. Proven wins and losses are backed up exactly.

use super::clock::Clock;
use super::{DECIDED, Limits, Line, SearchResult, Searchable, WIN, win_probability};
use crate::game::{Move, Team, Verdict};
use crate::random::Random;
use std::sync::atomic::AtomicBool;

/// The parameters of a tree search.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// How much priors count against results: above 1 more than `Searchable::EXPLORATION` says, below it less.
    pub exploration: f64,
    /// How evenly order scores decide: below 1 more sharply than `Searchable::TEMPERATURE` says, above it less.
    pub temperature: f64,
    /// How much worse than its parent a child is taken to be before it is tried.
    pub pessimism: f64,
    /// Moves to consider in a position, the ones with the best order scores; all at the root, and where alpha-beta would
    /// leave out none.
    pub width: usize,
    /// Random moves before a leaf is evaluated.
    pub rollout: u32,
    /// How many nodes may be in memory before the tree stops growing.
    pub capacity: usize,
}

impl Settings {
    /// The settings of a tree that needs no more than `mebibytes`.
    pub fn within(mebibytes: usize) -> Self {
        Settings {
            capacity: ((mebibytes << 20) / size_of::<Node>()).clamp(1, u32::MAX as usize),
            ..Settings::default()
        }
    }
}

impl Default for Settings {
    fn default() -> Self {
        Settings { exploration: 1.0, temperature: 1.0, pessimism: 0.05, width: 64, rollout: 0, capacity: 3_000_000 }
    }
}

struct Node {
    m: Move,
    prior: f32,
    visits: u32,
    /// The sum of results for ONE, from 0 to 1 each.
    sum: f64,
    first: u32,
    children: u16,
    team: Team,
    /// Whether all legal moves are among the children, so that a loss can be proven.
    complete: bool,
    proven: Option<Verdict>,
}

/// What a tree search says of each move of the root: how often it was visited.
pub type Visits = Vec<(Move, u32)>;

/// How many simulations there are between two reports.
const BETWEEN_REPORTS: u64 = 4096;

/// Finds the best line, and how often each move of the root was visited: at least once where the game goes on. Returns no
/// line exactly when the game is over.
///
/// A move that is proven to win has all visits. Calls `report` with the result so far: first with the likeliest move, and
/// then now and again.
pub fn search<P: Searchable>(
    root: &P,
    limits: &Limits,
    settings: &Settings,
    seed: u64,
    stop: &AtomicBool,
    report: &dyn Fn(&SearchResult),
) -> (SearchResult, Visits) {
    let clock = Clock::start(limits, stop);
    let mut tree = Tree::<P> {
        nodes: vec![leaf(Move(0), 1.0, root.to_move())],
        settings,
        random: Random::new(seed),
        moves: Vec::new(),
        game: std::marker::PhantomData,
    };
    let mut found = SearchResult::default();
    if root.full_verdict().is_some() {
        return (found, Vec::new());
    }
    tree.expand(0, root, usize::MAX);
    let mut simulations = 0;
    loop {
        if simulations % BETWEEN_REPORTS == 0 {
            found.nodes = simulations;
            found.lines = vec![tree.best_line()];
            found.seconds = clock.seconds();
            report(&found);
        }
        simulations += 1;
        if clock.is_over(simulations) || tree.nodes[0].proven.is_some() || tree.nodes[0].children <= 1 {
            break;
        }
        tree.simulate(root, &mut found.depth);
    }
    found.nodes = simulations;
    found.lines = vec![tree.best_line()];
    found.seconds = clock.seconds();
    let visits = tree.root_visits(found.lines[0].moves[0]);
    (found, visits)
}

fn leaf(m: Move, prior: f32, team: Team) -> Node {
    Node { m, prior, visits: 0, sum: 0.0, first: 0, children: 0, team, complete: false, proven: None }
}

struct Tree<'a, P> {
    nodes: Vec<Node>,
    settings: &'a Settings,
    random: Random,
    moves: Vec<Move>,
    game: std::marker::PhantomData<P>,
}

fn value_of(verdict: Verdict) -> f64 {
    match verdict {
        Verdict::Win(Team::One) => 1.0,
        Verdict::Win(Team::Two) => 0.0,
        Verdict::Draw => 0.5,
    }
}

impl<P: Searchable> Tree<'_, P> {
    /// Adds the moves of a node with the best order scores as its children.
    fn expand(&mut self, index: usize, position: &P, width: usize) {
        self.moves.clear();
        position.moves(&mut self.moves);
        if self.moves.is_empty() {
            self.nodes[index].proven = Some(position.verdict_without_move());
            return;
        }
        let context = position.context();
        let mut list: Vec<(i32, Move)> = self.moves.iter().map(|&m| (position.order_score(&context, m), m)).collect();
        let width = if position.width(i32::MAX) == usize::MAX { usize::MAX } else { width };
        let best_first = |&(order_score, m): &(i32, Move)| (std::cmp::Reverse(order_score), m);
        let complete = list.len() <= width;
        if !complete {
            list.select_nth_unstable_by_key(width, best_first);
            list.truncate(width);
        }
        list.sort_unstable_by_key(best_first);
        let best = f64::from(list[0].0);
        let temperature = self.settings.temperature * P::TEMPERATURE;
        let weights: Vec<f64> =
            list.iter().map(|&(order_score, _)| ((f64::from(order_score) - best) / temperature).exp()).collect();
        let sum: f64 = weights.iter().sum();
        let first = self.nodes.len();
        self.nodes.extend(list.iter().zip(weights).map(|(&(_, m), weight)| leaf(m, (weight / sum) as f32, Team::One)));
        let node = &mut self.nodes[index];
        node.first = first as u32;
        node.children = list.len() as u16;
        node.complete = complete;
    }

    /// Walks down to a leaf, evaluates it, and backs the value up.
    fn simulate(&mut self, root: &P, depth: &mut u32) {
        let mut path = vec![0_usize];
        let mut position = *root;
        let mut index = 0;
        while self.nodes[index].children > 0 && self.nodes[index].proven.is_none() {
            index = self.select(index);
            position = position.play(self.nodes[index].m);
            path.push(index);
        }
        *depth = (*depth).max(path.len() as u32 - 1);
        let value = self.evaluate_leaf(index, &position);
        for &i in path.iter().rev() {
            self.nodes[i].visits += 1;
            self.nodes[i].sum += value;
        }
        for &i in path.iter().rev().skip(1) {
            if !self.prove(i) {
                break;
            }
        }
    }

    /// The child with the best sum of result and prior.
    fn select(&self, index: usize) -> usize {
        let node = &self.nodes[index];
        let sign = if node.team == Team::One { 1.0 } else { -1.0 };
        let wanted = Verdict::Win(node.team);
        let scale = self.settings.exploration * P::EXPLORATION * f64::from(node.visits.max(1)).sqrt();
        let mean = if node.visits > 0 { node.sum / f64::from(node.visits) } else { 0.5 };
        let unknown = sign * (mean - 0.5) - self.settings.pessimism;
        let (mut best, mut chosen) = (f64::NEG_INFINITY, node.first as usize);
        for i in node.first as usize..node.first as usize + node.children as usize {
            let child = &self.nodes[i];
            let result = match child.proven {
                Some(verdict) if verdict == wanted => return i,
                Some(Verdict::Draw) => 0.0,
                Some(_) => -10.0,
                None if child.visits == 0 => unknown,
                None => sign * (child.sum / f64::from(child.visits) - 0.5),
            };
            let score = result + scale * f64::from(child.prior) / f64::from(1 + child.visits);
            if score > best {
                (best, chosen) = (score, i);
            }
            if child.visits == 0 {
                // The children are sorted by their priors: none of those behind can be better.
                break;
            }
        }
        chosen
    }

    /// The chance of ONE to win at a leaf, which gets children at its second visit.
    fn evaluate_leaf(&mut self, index: usize, position: &P) -> f64 {
        if let Some(verdict) = self.nodes[index].proven {
            return value_of(verdict);
        }
        self.nodes[index].team = position.to_move();
        if let Some(verdict) = position.verdict() {
            self.nodes[index].proven = Some(verdict);
            return value_of(verdict);
        }
        if self.nodes[index].visits > 0 && self.nodes.len() < self.settings.capacity {
            self.expand(index, position, self.settings.width);
        }
        let mut at = *position;
        for _ in 0..self.settings.rollout {
            match at.random_move(&mut self.random) {
                Some(m) => at = at.play(m),
                None => break,
            }
        }
        if let Some(verdict) = at.verdict() {
            return value_of(verdict);
        }
        let chance = win_probability::<P>(at.evaluate());
        if at.to_move() == Team::One { chance } else { 1.0 - chance }
    }

    /// Whether a node is proven by its children now.
    fn prove(&mut self, index: usize) -> bool {
        let node = &self.nodes[index];
        let wanted = Verdict::Win(node.team);
        let children = &self.nodes[node.first as usize..node.first as usize + node.children as usize];
        let mut best = Some(Verdict::Win(node.team.opponent()));
        for child in children {
            match child.proven {
                Some(verdict) if verdict == wanted => {
                    self.nodes[index].proven = Some(wanted);
                    return true;
                }
                Some(Verdict::Draw) => best = best.map(|_| Verdict::Draw),
                Some(_) => {}
                None => best = None,
            }
        }
        if best.is_some() && node.complete {
            self.nodes[index].proven = best;
            return true;
        }
        false
    }

    /// The moves of the root that were visited, `best` always among them.
    fn root_visits(&self, best: Move) -> Visits {
        let root = &self.nodes[0];
        if root.proven == Some(Verdict::Win(root.team)) {
            return vec![(best, root.visits.max(1))];
        }
        let children = &self.nodes[root.first as usize..root.first as usize + root.children as usize];
        let visited = children.iter().map(|child| (child.m, child.visits.max(u32::from(child.m == best))));
        visited.filter(|&(_, visits)| visits > 0).collect()
    }

    /// The line of the most visited moves, proven wins first and proven losses last.
    fn best_line(&self) -> Line {
        let mut line = Line { moves: Vec::new(), score: 0 };
        let mut index = 0;
        while self.nodes[index].children > 0 {
            let node = &self.nodes[index];
            let range = node.first as usize..node.first as usize + node.children as usize;
            let worth = |i: &usize| {
                let child = &self.nodes[*i];
                let proven = match child.proven {
                    Some(Verdict::Win(team)) if team == node.team => 2,
                    Some(Verdict::Win(_)) => 0,
                    _ => 1,
                };
                (proven, child.visits, std::cmp::Reverse(*i))
            };
            let Some(best) = range.max_by_key(worth) else { break };
            if index != 0 && self.nodes[best].visits == 0 {
                break;
            }
            line.moves.push(self.nodes[best].m);
            index = best;
        }
        let root = &self.nodes[0];
        let mean = root.sum / f64::from(root.visits.max(1));
        let chance = if root.team == Team::One { mean } else { 1.0 - mean };
        line.score = match root.proven {
            Some(Verdict::Draw) => 0,
            Some(Verdict::Win(team)) if team == root.team => WIN - line.moves.len() as i32,
            Some(_) => line.moves.len() as i32 - WIN,
            None => {
                let chance = chance.clamp(1e-6, 1.0 - 1e-6);
                let score = (chance / (1.0 - chance)).ln() * P::SCALE / 3.0_f64.ln();
                score.clamp(f64::from(1 - DECIDED), f64::from(DECIDED - 1)) as i32
            }
        };
        line
    }
}
