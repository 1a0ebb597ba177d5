//! Monte-Carlo tree search with priors (PUCT): the tree grows where priors and results are good; leaves are evaluated, after a
//! few random moves if wanted. Proven wins and losses are backed up exactly.

mod memory;
mod points;

use super::clock::Clock;
use super::{DECIDED, Limits, Line, SearchResult, Searchable, win_probability};
use crate::game::{Move, Team, Verdict};
use crate::random::Random;
use memory::{Choice, Memory, Prior, Proven};
use points::Aim;
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
    /// How many bytes the tree may have before it stops growing.
    pub capacity: usize,
    /// How many best moves to find, each with its line.
    pub lines: usize,
    /// Whether the search of a single line goes on for points when the result is proven.
    pub points: bool,
}

impl Settings {
    /// The settings of a tree that needs no more than `mebibytes`.
    pub fn within(mebibytes: usize) -> Self {
        // Nodes and moves have numbers of 32 bits.
        let capacity = mebibytes.saturating_mul(1 << 20).min((u32::MAX as usize).saturating_mul(size_of::<Choice>()));
        Settings { capacity, ..Settings::default() }
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
            capacity: 96 << 20,
            lines: 1,
            points: false,
        }
    }
}

/// What a tree search says of each move of the root: how often it was visited.
pub type Visits = Vec<(Move, u32)>;

/// How many simulations there are between two reports.
const BETWEEN_REPORTS: u64 = 4096;

/// Simulations that tell what a position with a single move is worth.
const ENOUGH_FOR_ONE_MOVE: u64 = 500;

/// Where several lines are wanted, each gets at least one simulation in so many for each line.
const SHARE_OF_A_LINE: u32 = 4;

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

/// A search tree, which can be kept from move to move of a game.
pub struct Tree<P> {
    nodes: Memory,
    /// The position of the root, where there is one.
    root: Option<P>,
    settings: Settings,
    aim: Aim,
    /// The tree that is searched for points where the result is proven.
    for_points: Option<Box<Tree<P>>>,
    random: Random,
    scored: Vec<(i32, Move)>,
    keys: Vec<i64>,
    weights: Vec<f32>,
    path: Vec<u32>,
    /// Positions visited by a tree for points.
    played: u64,
    /// Whether moves of the root are looked at only if nothing is proven of them.
    is_widened: bool,
}

impl<P> Default for Tree<P> {
    fn default() -> Self {
        Tree {
            nodes: Memory::default(),
            root: None,
            settings: Settings::default(),
            aim: Aim::Win,
            for_points: None,
            random: Random::new(0),
            scored: Vec::new(),
            keys: Vec::new(),
            weights: Vec::new(),
            path: Vec::new(),
            played: 0,
            is_widened: false,
        }
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
        if !self.nodes[0].proven.is_known() {
            self.for_points = None;
        }
        let mut simulations = 0;
        loop {
            if simulations % BETWEEN_REPORTS == 0 {
                self.tell(&mut found, simulations, &clock);
                report(&found);
            }
            simulations += 1;
            let is_forced = self.nodes[0].number_of_moves() <= 1 && simulations > ENOUGH_FOR_ONE_MOVE;
            if clock.is_over(simulations) || self.nodes[0].proven.is_known() || is_forced {
                break;
            }
            self.simulate(root, &mut found.depth);
        }
        self.tell(&mut found, simulations, &clock);
        let can_choose = self.nodes[0].number_of_moves() > 1;
        if settings.points && settings.lines <= 1 && can_choose && self.nodes[0].proven.is_known() {
            self.search_for_points(root, &clock, &mut found, report);
        }
        let visits = self.root_visits(found.lines[0].moves[0]);
        (found, visits)
    }

    /// Writes down what is known after so many simulations.
    fn tell(&self, found: &mut SearchResult, simulations: u64, clock: &Clock) {
        found.lines = self.best_lines();
        found.nodes = simulations;
        found.seconds = clock.seconds();
        if self.nodes[0].visits > 0 {
            // A tree that was kept may have seen this far before.
            found.depth = found.depth.max(found.lines[0].moves.len() as u32);
        }
    }

    /// Bytes of what is kept.
    pub fn bytes(&self) -> usize {
        self.nodes.bytes() + self.for_points.as_ref().map_or(0, |tree| tree.bytes())
    }

    /// Makes a position the root, with all its moves and with what the tree knows of it.
    fn begin_at(&mut self, root: &P) {
        match self.root.and_then(|at| self.find(&at, 0, root)) {
            Some(index) if self.nodes[index].is_expanded() => self.nodes.keep_only(index),
            _ => self.nodes.clear(root.to_move()),
        }
        self.root = Some(*root);
        if !self.nodes[0].complete {
            // At the root no move is left out. The known ones are the first of all.
            self.list_moves(0, root, usize::MAX, self.settings.root_temperature);
        }
    }

    /// The node with the position `wanted`, at or below the node `index` with the position `at`.
    fn find(&self, at: &P, index: usize, wanted: &P) -> Option<usize> {
        if at == wanted {
            return Some(index);
        }
        if !at.may_lead_to(wanted) {
            return None;
        }
        self.nodes.children(index).find_map(|i| self.find(&at.play(self.nodes[i].m), i, wanted))
    }

    /// Gives a node its likeliest moves, as many as wanted, and their priors; all moves where alpha-beta would leave out
    /// none. A node without moves is proven.
    fn list_moves(&mut self, index: usize, position: &P, width: usize, temperature: f64) {
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
        self.weights.clear();
        self.weights.extend(self.keys.iter().map(|key| (((best - (key >> 16)) as f64 / temperature) as f32).exp()));
        let sum: f32 = self.weights.iter().sum();
        let list = self.keys.iter().zip(&self.weights);
        let list = list.map(|(&key, weight)| Choice { m: Move(key as u16), prior: Prior::new(weight / sum) });
        self.nodes.set_moves(index, list);
        self.nodes[index].complete = self.keys.len() == self.scored.len();
        if self.keys.is_empty() {
            self.nodes[index].proven = self.aim.result(position, position.verdict_without_move());
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
        let may_grow = self.nodes.bytes() < self.settings.capacity;
        while !self.nodes[index].proven.is_known() {
            if !self.nodes[index].is_expanded() {
                if self.nodes[index].visits == 0 || !may_grow {
                    break;
                }
                self.list_moves(index, &position, self.settings.width, self.settings.temperature);
                if self.nodes[index].proven.is_known() {
                    break;
                }
            }
            index = self.select(index, may_grow);
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
        if self.nodes[index].proven.is_known() {
            for &i in path.iter().rev().skip(1) {
                if !self.prove(i as usize) {
                    break;
                }
            }
        }
        self.path = path;
    }

    /// The child with the best sum of result and prior; it is made if it is not there, as long as the tree may grow.
    fn select(&mut self, index: usize, may_grow: bool) -> usize {
        let node = &self.nodes[index];
        let sign = if node.team == Team::One { 1.0 } else { -1.0 };
        let best_result = self.aim.best(node.team);
        let scale = self.settings.exploration * P::EXPLORATION * f64::from(node.visits.max(1)).sqrt();
        let mean = if node.visits > 0 { node.sum / f64::from(node.visits) } else { 0.5 };
        let unknown = sign * (mean - 0.5) - self.settings.pessimism;
        let enough = if index == 0 { self.enough_visits() } else { u32::MAX };
        let (mut best, mut chosen) = (f64::NEG_INFINITY, None);
        for i in self.nodes.children(index) {
            let child = &self.nodes[i];
            if index == 0 && self.is_widened && child.proven.is_known() {
                continue;
            }
            let result = match child.proven.get() {
                Some(result) if result == best_result => return i,
                Some(result) if result == -best_result => -10.0,
                Some(result) => sign * (self.aim.value(result) - 0.5),
                None => sign * (child.sum / f64::from(child.visits) - 0.5),
            };
            let score = result + scale * f64::from(child.prior.get()) / f64::from(1 + child.visits);
            if score > best && child.visits < enough {
                (best, chosen) = (score, Some(i));
            }
        }
        // The moves are sorted by their priors: of those that were not tried none can be better than the first.
        match (chosen, self.nodes.next_move(index)) {
            (Some(chosen), Some(next)) if !may_grow || unknown + scale * f64::from(next.prior.get()) <= best => chosen,
            (_, Some(_)) => self.nodes.add_child(index),
            (chosen, None) => chosen.unwrap_or(self.nodes.children(index).start),
        }
    }

    /// How many visits of a move of the root are enough for now: where several lines are wanted, each shall have its share.
    fn enough_visits(&self) -> u32 {
        let lines = self.settings.lines.min(self.nodes[0].number_of_moves());
        if lines <= 1 {
            return u32::MAX;
        }
        let share = self.nodes[0].visits / (SHARE_OF_A_LINE * lines as u32);
        let is_known = |&i: &usize| self.nodes[i].proven.is_known() || self.nodes[i].visits >= share;
        if self.nodes.children(0).filter(is_known).count() < lines { share.max(1) } else { u32::MAX }
    }

    /// What a leaf is worth to ONE: its chance to win, from 0 to 1, or its lead.
    fn evaluate_leaf(&mut self, index: usize, position: &P) -> f64 {
        if let Some(result) = self.nodes[index].proven.get() {
            return self.aim.value(result);
        }
        self.nodes[index].team = position.to_move();
        let mut verdict = position.verdict();
        if verdict.is_none() && self.settings.points && self.aim == Aim::Win {
            verdict = position.foregone();
        }
        if let Some(verdict) = verdict {
            self.nodes[index].proven = self.aim.result(position, verdict);
            return self.nodes[index].proven.get().map_or(0.5, |result| self.aim.value(result));
        }
        if self.aim == Aim::Points {
            return self.play_out(position);
        }
        let mut at = *position;
        for _ in 0..self.settings.rollout {
            match at.random_move(&mut self.random) {
                Some(m) => at = at.play(m),
                None => break,
            }
        }
        if let Some(verdict) = at.verdict() {
            return self.aim.result(&at, verdict).get().map_or(0.5, |result| self.aim.value(result));
        }
        let chance = win_probability::<P>(at.evaluate());
        if at.to_move() == Team::One { chance } else { 1.0 - chance }
    }

    /// Whether a node is proven by its children now.
    fn prove(&mut self, index: usize) -> bool {
        let node = &self.nodes[index];
        let sign = if node.team == Team::One { 1 } else { -1 };
        let best_result = self.aim.best(node.team);
        let all_tried = self.nodes.next_move(index).is_none();
        let mut best = Some(-best_result);
        for i in self.nodes.children(index) {
            match self.nodes[i].proven.get() {
                Some(result) if result == best_result => {
                    self.nodes[index].proven = Proven::of(result);
                    return true;
                }
                Some(result) => best = best.map(|best| if sign * result > sign * best { result } else { best }),
                None => best = None,
            }
        }
        if let Some(best) = best
            && all_tried
            && self.nodes[index].complete
        {
            self.nodes[index].proven = Proven::of(best);
            return true;
        }
        false
    }

    /// The moves of the root that were visited, `best` always among them.
    fn root_visits(&self, best: Move) -> Visits {
        let root = &self.nodes[0];
        if root.proven == Proven::of(self.aim.best(root.team)) {
            return vec![(best, root.visits.max(1))];
        }
        let mut visits: Visits = self.nodes.children(0).map(|i| (self.nodes[i].m, self.nodes[i].visits)).collect();
        if visits.iter().all(|&(m, _)| m != best) {
            visits.push((best, 1));
        }
        visits
    }

    /// Whether a child of a node is to be played, among some: proven wins first and proven losses last, in between the
    /// most visited one, or the one with the best result where all are known.
    fn worth(&self, index: usize, child: usize) -> (i16, i16, u32, std::cmp::Reverse<usize>) {
        let (parent, node) = (&self.nodes[index], &self.nodes[child]);
        let best = self.aim.best(parent.team);
        let result = node.proven.get().map_or(0, |result| result * best.signum());
        let end = if result.abs() == best.abs() { result.signum() } else { 0 };
        (end, if parent.proven.is_known() { result } else { 0 }, node.visits, std::cmp::Reverse(child))
    }

    /// The lines of the best moves, best first: at least one.
    fn best_lines(&self) -> Vec<Line> {
        let mut children: Vec<usize> = self.nodes.children(0).collect();
        children.sort_by_key(|&i| std::cmp::Reverse(self.worth(0, i)));
        children.truncate(self.settings.lines.max(1));
        let next = self.nodes.next_move(0).filter(|_| children.first().is_none_or(|&i| self.worth(0, i).0 < 0));
        if let Some(next) = next {
            // A move that was not tried is better than a loss.
            return vec![Line { moves: vec![next.m], score: self.score_of(0, 1) }];
        }
        let mut lines: Vec<Line> = Vec::new();
        for &child in &children {
            let moves = self.line_from(child);
            // One line says what the whole search found; of several each has its own score.
            let score = self.score_of(if children.len() == 1 { 0 } else { child }, moves.len());
            // What was visited more often is preferred, so it must not seem worse.
            let score = lines.last().map_or(score, |before| score.min(before.score));
            lines.push(Line { moves, score });
        }
        lines
    }

    /// The move to a child, and the most visited moves behind it.
    fn line_from(&self, child: usize) -> Vec<Move> {
        let mut moves = vec![self.nodes[child].m];
        let mut index = child;
        while let Some(best) = self.nodes.children(index).max_by_key(|&i| self.worth(index, i)) {
            moves.push(self.nodes[best].m);
            index = best;
        }
        moves
    }

    /// What a node is worth to the side that moves at the root; an end that is proven is that many moves away.
    fn score_of(&self, index: usize, moves: usize) -> i32 {
        let (team, node) = (self.nodes[0].team, &self.nodes[index]);
        match node.proven.get() {
            Some(result) => super::score_of(Verdict::of(result.cmp(&0)), team, moves),
            None => {
                let mean = if node.visits > 0 { node.sum / f64::from(node.visits) } else { 0.5 };
                let chance = if team == Team::One { mean } else { 1.0 - mean }.clamp(1e-6, 1.0 - 1e-6);
                let score = (chance / (1.0 - chance)).ln() * P::SCALE / 3.0_f64.ln();
                score.clamp(f64::from(1 - DECIDED), f64::from(DECIDED - 1)) as i32
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encoding::Encoded;
    use crate::for_each_game;
    use crate::game::Position;
    use memory::Node;

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
        let list: Vec<Choice> = tree.nodes.moves(index).to_vec();
        if list.is_empty() {
            assert!(tree.nodes.children(index).is_empty());
            return 1;
        }
        let mut moves = Vec::new();
        position.moves(&mut moves);
        assert!(list.iter().all(|choice| moves.contains(&choice.m)));
        assert_eq!(node.complete, list.len() == moves.len());
        assert!(node.complete || index != 0, "at the root no move is left out");
        assert_eq!(node.team, position.to_move());
        assert!(list.is_sorted_by(|a, b| a.prior >= b.prior));
        assert!((list.iter().map(|choice| choice.prior.get()).sum::<f32>() - 1.0).abs() < 5e-3);
        let children: Vec<&Node> = tree.nodes.children(index).map(|i| &tree.nodes[i]).collect();
        assert!(children.iter().zip(&list).all(|(child, choice)| child.m == choice.m && child.prior == choice.prior));
        assert!(children.iter().all(|child| child.visits > 0), "children were visited");
        assert!(children.iter().map(|child| child.visits).sum::<u32>() <= node.visits.max(1));
        1 + tree.nodes.children(index).map(|i| check(tree, i, &position.play(tree.nodes[i].m))).sum::<usize>()
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
            let number = check(&tree, 0, &position);
            assert!(number <= 1 + tree.nodes[0].visits as usize, "a simulation makes one node at most");
            let expected = tree.nodes[0].number_of_moves() > 1 && !tree.nodes[0].proven.is_known();
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
            let known = found.filter(|&i| tree.nodes[i].is_expanded()).map_or(0, |i| tree.nodes[i].visits);
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

    #[test]
    fn a_tree_that_is_full_grows_no_more_and_still_searches() {
        for_each_game!(Game, _family => {
            let start = Game::draw_start(0, &mut Random::new(6));
            let (mut tree, settings) = (Tree::default(), Settings { capacity: 40_000, ..Settings::default() });
            let stop = AtomicBool::new(false);
            let mut bytes = 0;
            for _ in 0..2 {
                let (found, visits) = tree.search(&start, &simulations(3000), &settings, 1, &stop, &|_| {});
                assert_eq!(found.nodes, 3000);
                assert!(visits.iter().map(|(_, visits)| visits).sum::<u32>() > 2900);
                check(&tree, 0, &start);
                assert!((40_000..60_000).contains(&tree.nodes.bytes()), "{}", tree.nodes.bytes());
                assert!(bytes == 0 || bytes == tree.nodes.bytes());
                bytes = tree.nodes.bytes();
            }
        });
    }

    #[test]
    fn several_lines_begin_with_different_moves_and_the_best_is_that_of_one_line() {
        for_each_game!(Game, _family => {
            let start = Game::draw_start(0, &mut Random::new(9));
            let stop = AtomicBool::new(false);
            let settings = Settings { lines: 4, ..Settings::default() };
            let mut tree = Tree::default();
            let (found, visits) = tree.search(&start, &simulations(4000), &settings, 1, &stop, &|_| {});
            let mut moves = Vec::new();
            start.moves(&mut moves);
            assert_eq!(found.lines.len(), moves.len().min(4));
            let firsts: std::collections::HashSet<u16> = found.lines.iter().map(|line| line.moves[0].0).collect();
            assert_eq!(firsts.len(), found.lines.len());
            assert!(found.lines.is_sorted_by(|a, b| a.score >= b.score));
            let of = |m: Move| visits.iter().find(|(other, _)| *other == m).map_or(0, |(_, visits)| *visits);
            for line in &found.lines {
                let mut position = start;
                for &m in &line.moves {
                    moves.clear();
                    position.moves(&mut moves);
                    assert!(moves.contains(&m));
                    position = position.play(m);
                }
                assert!(of(line.moves[0]) >= 4000 / 20, "each line is looked at: {}", of(line.moves[0]));
            }
            let most = visits.iter().map(|(_, visits)| *visits).max();
            assert_eq!(most, Some(of(found.lines[0].moves[0])), "what would be played comes first");
        });
    }

    /// 1 if ONE wins, -1 if TWO does, by trying everything; `None` if that takes more than `left` positions.
    fn solve<P: Searchable>(position: &P, left: &mut u32) -> Option<i32> {
        if let Some(verdict) = position.full_verdict() {
            return Aim::Win.result(position, verdict).get().map(i32::from);
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
                    if tree.nodes[0].proven.is_known()
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
