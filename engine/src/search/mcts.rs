//! Monte-Carlo tree search with priors (PUCT): the tree grows where priors and results are good; leaves are evaluated, after a
//! few random moves if wanted. Proven wins and losses are backed up exactly.

use super::clock::Clock;
use super::{DECIDED, Limits, Line, SearchResult, Searchable, WIN, win_probability};
use crate::game::{Move, Team, Verdict};
use crate::random::Random;
use std::any::Any;
use std::sync::atomic::AtomicBool;

/// The parameters of a tree search.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// How much priors count against results: above 1 more than `Searchable::EXPLORATION` says, below it less.
    pub exploration: f64,
    /// How evenly order scores decide: below 1 more sharply than `Searchable::TEMPERATURE` says, above it less.
    pub temperature: f64,
    /// The same at the root, where self-play looks at more moves than a player would.
    pub root_temperature: f64,
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
        Settings {
            exploration: 1.0,
            temperature: 1.0,
            root_temperature: 1.0,
            pessimism: 0.05,
            width: 64,
            rollout: 0,
            capacity: 3_000_000,
        }
    }
}

#[derive(Clone, Copy)]
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

/// Finds the best line, and how often each move of the root was visited, with a tree that is not kept: see `Tree::search`.
pub fn search<P: Searchable>(
    root: &P,
    limits: &Limits,
    settings: &Settings,
    seed: u64,
    stop: &AtomicBool,
    report: &dyn Fn(&SearchResult),
) -> (SearchResult, Visits) {
    Tree::default().search(root, limits, settings, seed, stop, report)
}

/// The tree of the last search, of whatever game it was.
#[derive(Default)]
pub struct KeptTree(Option<Box<dyn Any + Send>>);

impl KeptTree {
    /// The tree for a game: the one of the last search if that was of the same game.
    pub fn of<P: Searchable>(&mut self) -> &mut Tree<P> {
        if !self.0.as_ref().is_some_and(|tree| tree.is::<Tree<P>>()) {
            self.0 = None; // Two trees at once would need more memory than one is allowed.
        }
        let tree = self.0.get_or_insert_with(|| Box::new(Tree::<P>::default()));
        tree.downcast_mut().expect("trees of other games were dropped")
    }
}

fn leaf(m: Move, prior: f32, team: Team) -> Node {
    Node { m, prior, visits: 0, sum: 0.0, first: 0, children: 0, team, complete: false, proven: None }
}

/// A search tree, which can be kept from move to move of a game.
pub struct Tree<P> {
    /// The root is the first one. The children of a node are side by side, and behind it.
    nodes: Vec<Node>,
    /// The position of the root, where there is one.
    root: Option<P>,
    settings: Settings,
    random: Random,
    scored: Vec<(i32, Move)>,
    keys: Vec<i64>,
    path: Vec<u32>,
}

impl<P> Default for Tree<P> {
    fn default() -> Self {
        Tree {
            nodes: Vec::new(),
            root: None,
            settings: Settings::default(),
            random: Random::new(0),
            scored: Vec::new(),
            keys: Vec::new(),
            path: Vec::new(),
        }
    }
}

fn value_of(verdict: Verdict) -> f64 {
    match verdict {
        Verdict::Win(Team::One) => 1.0,
        Verdict::Win(Team::Two) => 0.0,
        Verdict::Draw => 0.5,
    }
}

impl<P: Searchable> Tree<P> {
    /// Finds the best line, and how often each move of the root was visited: at least once where the game goes on. Returns
    /// no line exactly when the game is over.
    ///
    /// What the last search found out about this position is kept, visits included; an unknown position starts a new tree.
    /// Limits count the simulations of this search. A move that is proven to win has all visits. Calls `report` with the
    /// result so far: first with the likeliest move, and then now and again.
    pub fn search(
        &mut self,
        root: &P,
        limits: &Limits,
        settings: &Settings,
        seed: u64,
        stop: &AtomicBool,
        report: &dyn Fn(&SearchResult),
    ) -> (SearchResult, Visits) {
        let clock = Clock::start(limits, stop);
        self.settings = *settings;
        self.random = Random::new(seed);
        let mut found = SearchResult::default();
        if root.full_verdict().is_some() {
            return (found, Vec::new());
        }
        self.begin_at(root);
        let mut simulations = 0;
        loop {
            if simulations % BETWEEN_REPORTS == 0 {
                found.nodes = simulations;
                found.lines = vec![self.best_line()];
                found.seconds = clock.seconds();
                report(&found);
            }
            simulations += 1;
            if clock.is_over(simulations) || self.nodes[0].proven.is_some() || self.nodes[0].children <= 1 {
                break;
            }
            self.simulate(root, &mut found.depth);
        }
        found.nodes = simulations;
        found.lines = vec![self.best_line()];
        found.seconds = clock.seconds();
        let visits = self.root_visits(found.lines[0].moves[0]);
        (found, visits)
    }

    /// Makes a position the root, with all its moves as children and with what the tree knows of it.
    fn begin_at(&mut self, root: &P) {
        match self.root.and_then(|at| self.find(&at, 0, root)) {
            Some(index) if self.nodes[index].children > 0 => self.keep_only(index),
            _ => {
                self.nodes.clear();
                self.nodes.push(leaf(Move(0), 1.0, root.to_move()));
            }
        }
        self.root = Some(*root);
        if self.nodes[0].complete {
            return;
        }
        // At the root no move is left out. The known ones are the first of all, side by side behind the root.
        let known = self.nodes[0].children as usize;
        let list = self.likeliest(root, usize::MAX, self.settings.root_temperature);
        for (child, &(m, prior)) in self.nodes[1..].iter_mut().zip(&list[..known]) {
            debug_assert_eq!(child.m, m);
            child.prior = prior;
        }
        let added = (list.len() - known) as u32;
        for node in &mut self.nodes[1..] {
            node.first += added;
        }
        self.nodes.splice(1 + known..1 + known, list[known..].iter().map(|&(m, prior)| leaf(m, prior, Team::One)));
        let node = &mut self.nodes[0];
        (node.first, node.children, node.complete) = (1, list.len() as u16, true);
    }

    /// The node with the position `wanted`, at or below the node `index` with the position `at`.
    fn find(&self, at: &P, index: usize, wanted: &P) -> Option<usize> {
        if at == wanted {
            return Some(index);
        }
        if !at.may_lead_to(wanted) {
            return None;
        }
        // Nothing is known of a node that was never visited.
        let visited = |i: &usize| self.nodes[*i].visits > 0;
        self.children_of(index).filter(visited).find_map(|i| self.find(&at.play(self.nodes[i].m), i, wanted))
    }

    #[inline]
    fn children_of(&self, index: usize) -> std::ops::Range<usize> {
        let node = &self.nodes[index];
        node.first as usize..node.first as usize + node.children as usize
    }

    /// Drops all nodes but those at and below `root`, which becomes the root. Needs next to no memory, so that a tree may
    /// fill all that it is allowed.
    fn keep_only(&mut self, root: usize) {
        // The nodes with children, in the order of their children: they move to the front in that order.
        let mut parents = vec![root];
        let mut done = 0;
        while done < parents.len() {
            let children = self.children_of(parents[done]);
            parents.extend(children.filter(|&i| self.nodes[i].children > 0));
            done += 1;
        }
        parents.sort_unstable_by_key(|&parent| self.nodes[parent].first);
        self.nodes[0] = self.nodes[root];
        let mut moved = vec![(root, 0)];
        let mut end = 1;
        for parent in parents {
            // A parent is in front of its children, so it has moved already, and with the nodes beside it.
            let (from, to) = moved[moved.partition_point(|&(from, _)| from <= parent) - 1];
            let parent = to + parent - from;
            let children = self.children_of(parent);
            self.nodes[parent].first = end as u32;
            moved.push((children.start, end));
            end += children.len();
            self.nodes.copy_within(children, moved[moved.len() - 1].1);
        }
        self.nodes.truncate(end);
    }

    /// The likeliest moves, as many as wanted, and their priors; all moves where alpha-beta would leave out none. Leaves all
    /// moves in `scored`.
    fn likeliest(&mut self, position: &P, width: usize, temperature: f64) -> Vec<(Move, f32)> {
        self.scored.clear();
        position.moves_with_scores(&mut self.scored);
        // One number, so that the best come first when sorted: the order score, and the move.
        self.keys.clear();
        self.keys.extend(
            self.scored.iter().map(|&(score, m)| (i64::from(i32::MAX) - i64::from(score)) << 16 | i64::from(m.0)),
        );
        let width = if position.width(i32::MAX) == usize::MAX { usize::MAX } else { width };
        if self.keys.len() > width {
            self.keys.select_nth_unstable(width);
            self.keys.truncate(width);
        }
        self.keys.sort_unstable();
        let temperature = temperature * P::TEMPERATURE;
        let best = self.keys.first().map_or(0, |key| key >> 16);
        let weight = |&key: &i64| (((best - (key >> 16)) as f64 / temperature) as f32).exp();
        let mut list: Vec<(Move, f32)> = self.keys.iter().map(|key| (Move(*key as u16), weight(key))).collect();
        let sum: f32 = list.iter().map(|(_, weight)| weight).sum();
        list.iter_mut().for_each(|(_, weight)| *weight /= sum);
        list
    }

    /// Adds the likeliest moves of a node as its children.
    fn expand(&mut self, index: usize, position: &P) {
        let list = self.likeliest(position, self.settings.width, self.settings.temperature);
        let first = self.nodes.len();
        self.nodes.extend(list.iter().map(|&(m, prior)| leaf(m, prior, Team::One)));
        let node = &mut self.nodes[index];
        node.first = first as u32;
        node.children = list.len() as u16;
        node.complete = list.len() == self.scored.len();
        if list.is_empty() {
            node.proven = Some(position.verdict_without_move());
        }
    }

    /// Walks down to a leaf, evaluates it, and backs the value up. A leaf gets children at its second visit, and then the
    /// walk goes on to one of them.
    fn simulate(&mut self, root: &P, depth: &mut u32) {
        let mut path = std::mem::take(&mut self.path);
        path.clear();
        path.push(0);
        let mut position = *root;
        let mut index = 0;
        while self.nodes[index].proven.is_none() {
            if self.nodes[index].children == 0 {
                if self.nodes[index].visits == 0 || self.nodes.len() >= self.settings.capacity {
                    break;
                }
                self.expand(index, &position);
                if self.nodes[index].proven.is_some() {
                    break;
                }
            }
            index = self.select(index);
            position = position.play(self.nodes[index].m);
            path.push(index as u32);
        }
        *depth = (*depth).max(path.len() as u32 - 1);
        let value = self.evaluate_leaf(index, &position);
        for &i in path.iter().rev() {
            let node = &mut self.nodes[i as usize];
            node.visits += 1;
            node.sum += value;
        }
        if self.nodes[index].proven.is_some() {
            for &i in path.iter().rev().skip(1) {
                if !self.prove(i as usize) {
                    break;
                }
            }
        }
        self.path = path;
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
        for i in self.children_of(index) {
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

    /// The chance of ONE to win at a leaf.
    fn evaluate_leaf(&mut self, index: usize, position: &P) -> f64 {
        if let Some(verdict) = self.nodes[index].proven {
            return value_of(verdict);
        }
        self.nodes[index].team = position.to_move();
        if let Some(verdict) = position.verdict() {
            self.nodes[index].proven = Some(verdict);
            return value_of(verdict);
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
        let children = &self.nodes[self.children_of(index)];
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
        let children = &self.nodes[self.children_of(0)];
        let visited = children.iter().map(|child| (child.m, child.visits.max(u32::from(child.m == best))));
        visited.filter(|&(_, visits)| visits > 0).collect()
    }

    /// The line of the most visited moves, proven wins first and proven losses last.
    fn best_line(&self) -> Line {
        let mut line = Line { moves: Vec::new(), score: 0 };
        let mut index = 0;
        while self.nodes[index].children > 0 {
            let node = &self.nodes[index];
            let range = self.children_of(index);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encoding::Encoded;
    use crate::for_each_game;
    use crate::game::Position;
    use crate::search::Line;

    fn simulations(number: u64) -> Limits {
        Limits { nodes: Some(number), ..Limits::default() }
    }

    fn find<P: Searchable>(tree: &mut Tree<P>, root: &P, number: u64) -> Line {
        let settings = Settings::default();
        tree.search(root, &simulations(number), &settings, 1, &AtomicBool::new(false), &|_| {}).0.lines.remove(0)
    }

    /// Walks through the nodes below `index` and counts them; panics where one contradicts the rules or another one.
    fn check<P: Searchable>(tree: &Tree<P>, index: usize, position: &P) -> usize {
        let node = &tree.nodes[index];
        let children: Vec<&Node> = tree.children_of(index).map(|i| &tree.nodes[i]).collect();
        if children.is_empty() {
            return 1;
        }
        let mut moves = Vec::new();
        position.moves(&mut moves);
        assert!(node.first as usize > index);
        assert!(children.iter().all(|child| moves.contains(&child.m)));
        assert_eq!(node.complete, children.len() == moves.len());
        assert!(node.complete || index != 0, "at the root no move is left out");
        assert_eq!(node.team, position.to_move());
        assert!(children.is_sorted_by(|a, b| a.prior >= b.prior));
        assert!((children.iter().map(|child| child.prior).sum::<f32>() - 1.0).abs() < 1e-3);
        assert!(children.iter().map(|child| child.visits).sum::<u32>() <= node.visits.max(1));
        1 + tree.children_of(index).map(|i| check(tree, i, &position.play(tree.nodes[i].m))).sum::<usize>()
    }

    fn check_kept<P: Searchable>(start: P) {
        let (mut tree, mut position) = (Tree::default(), start);
        let mut random = Random::new(2);
        let mut kept = 0;
        for turn in 0.. {
            if position.full_verdict().is_some() {
                break;
            }
            let line = find(&mut tree, &position, 300);
            assert_eq!(check(&tree, 0, &position), tree.nodes.len(), "nothing else is in memory");
            let expected = tree.nodes[0].children > 1 && tree.nodes[0].proven.is_none();
            position = position.play(line.moves[0]);
            // Sometimes several moves are made between two searches, and sometimes none that was expected.
            for _ in 0..turn % 3 {
                let expected = line.moves.get(1).filter(|_| turn % 5 > 0);
                let Some(m) = expected.copied().or_else(|| position.random_move(&mut random)) else { break };
                let mut moves = Vec::new();
                position.moves(&mut moves);
                if moves.contains(&m) {
                    position = position.play(m);
                }
            }
            let found = tree.root.and_then(|root| tree.find(&root, 0, &position));
            assert!(turn % 3 > 0 || !expected || found.is_some(), "the best move was visited");
            let known = found.filter(|&i| tree.nodes[i].children > 0).map_or(0, |i| tree.nodes[i].visits);
            kept += known;
            if position.full_verdict().is_none() {
                // As text the position comes from outside.
                position = P::parse(&position.format()).unwrap_or(position);
                find(&mut tree, &position, 0);
                assert_eq!(tree.nodes[0].visits, known, "{}", position.format());
            }
        }
        assert!(kept > 0);
    }

    #[test]
    fn a_tree_is_kept_from_move_to_move() {
        for_each_game!(Game, _family => for rules in 0..Game::RULE_SETS.len() as u8 {
            check_kept(Game::draw_start(rules, &mut Random::new(4)));
        });
    }

    #[test]
    fn an_unknown_position_gives_what_a_new_tree_gives() {
        for_each_game!(Game, _family => {
            let mut random = Random::new(5);
            let start = Game::draw_start(0, &mut random);
            let mut tree = Tree::default();
            for _ in 0..3 {
                find(&mut tree, &Game::draw_start(1, &mut random), 500);
                assert_eq!(find(&mut tree, &start, 800), find(&mut Tree::default(), &start, 800));
            }
        });
    }

    /// 1 if ONE wins, -1 if TWO does, by trying everything; `None` if that takes more than `left` positions.
    fn solve<P: Searchable>(position: &P, left: &mut u32) -> Option<i32> {
        if let Some(verdict) = position.full_verdict() {
            return Some((value_of(verdict) * 2.0 - 1.0) as i32);
        }
        *left = left.checked_sub(1)?;
        let mut moves = Vec::new();
        position.moves(&mut moves);
        let values = moves.iter().map(|&m| solve(&position.play(m), left)).collect::<Option<Vec<i32>>>()?;
        if position.to_move() == Team::One { values.into_iter().max() } else { values.into_iter().min() }
    }

    #[test]
    fn what_a_kept_tree_proves_is_true() {
        for_each_game!(Game, family => {
            let mut random = Random::new(8);
            let (mut proven, mut tree) = (0, Tree::default());
            for game in 0..12 {
                let mut positions = vec![Game::draw_start(game % Game::RULE_SETS.len() as u8, &mut random)];
                while let Some(m) = positions[positions.len() - 1].random_move(&mut random) {
                    positions.push(positions[positions.len() - 1].play(m));
                }
                // The last of them is over; those before it can be solved.
                let endgame = positions.len().saturating_sub(9)..positions.len() - 1;
                for position in &positions[endgame] {
                    let score = find(&mut tree, position, 400).score;
                    if tree.nodes[0].proven.is_some()
                        && let Some(value) = solve(position, &mut 20_000)
                    {
                        proven += 1;
                        let value = if position.to_move() == Team::One { value } else { -value };
                        assert_eq!(score.signum(), value, "{}", position.format());
                    }
                }
            }
            assert!(proven > 20, "{family}: {proven}");
        });
    }
}
