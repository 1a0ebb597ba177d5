//! What a tree is searched for: who wins, or, where that is proven, by how many points.
//!
//! Tables of the contest rank by wins, then by the average of the game's own points. So where the result of the root is
//! proven, a second tree looks for the largest lead among the moves that keep the result, while the first one looks for
//! more such moves. Both get half of what is left.

use super::memory::Proven;
use super::{BETWEEN_REPORTS, Clock, Settings, Tree};
use crate::game::{Move, Position, Team, Verdict};
use crate::search::{Line, SearchResult, Searchable, score_of};

/// What a tree is searched for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Aim {
    /// To win: results are 1, 0 and -1.
    Win,
    /// To lead by many points: results are leads.
    Points,
}

/// What a point of the lead is worth, where a win is worth 1.
const POINT: f64 = 0.01;

impl Aim {
    /// How a game has ended for ONE.
    pub fn result<P: Position>(self, end: &P, verdict: Verdict) -> Proven {
        Proven::of(match (self, verdict) {
            (Aim::Points, _) => lead(end),
            (Aim::Win, Verdict::Win(winner)) => self.best(winner),
            (Aim::Win, Verdict::Draw) => 0,
        })
    }

    /// The result for ONE that nothing can beat for `team`; nothing is worse than the opposite.
    #[inline]
    pub fn best(self, team: Team) -> i16 {
        let best = if self == Aim::Win { 1 } else { i16::MAX };
        if team == Team::One { best } else { -best }
    }

    /// What a result is worth to ONE.
    #[inline]
    pub fn value(self, result: i16) -> f64 {
        0.5 + f64::from(result) * if self == Aim::Win { 0.5 } else { POINT }
    }
}

/// By how many points ONE leads, of those that count after the wins.
fn lead<P: Position>(position: &P) -> i16 {
    let points = |team| position.points(team).get(1).copied().unwrap_or(0);
    (points(Team::One) - points(Team::Two)) as i16
}

impl<P: Searchable> Tree<P> {
    /// Goes on where the result of the root is proven, until a limit is reached or the best lead is known, too.
    pub(super) fn search_for_points(
        &mut self,
        root: &P,
        clock: &Clock,
        found: &mut SearchResult,
        report: &dyn Fn(&SearchResult),
    ) {
        let result = self.nodes[0].proven;
        while self.nodes.next_move(0).is_some() && !clock.is_stopped() {
            let child = self.nodes.add_child(0);
            self.visit_child(child, root);
        }
        let mut tree = self.for_points.take().unwrap_or_default();
        tree.aim = Aim::Points;
        // They share the memory.
        let capacity = self.settings.capacity;
        self.settings.capacity = self.nodes.bytes().max(capacity / 2);
        tree.settings = Settings { capacity: capacity.saturating_sub(self.settings.capacity), ..self.settings };
        tree.begin_at(root);
        let mut kept = self.moves_that_keep(result);
        tree.allow_only(&kept, root);
        let mut next_report = found.nodes;
        loop {
            if found.nodes >= next_report {
                tree.tell_line(found, &kept, result, clock);
                report(found);
                next_report += BETWEEN_REPORTS;
            }
            let is_open = self.nodes.children(0).any(|i| !self.nodes[i].proven.is_known());
            let is_known = tree.nodes[0].proven.is_known();
            if is_known && !is_open || clock.is_over_at(found.nodes) {
                break;
            }
            let before = tree.played;
            if !is_known {
                tree.skip_others(&kept);
                tree.played += 1;
                tree.simulate(root, &mut 0);
            }
            let spent = tree.played - before;
            found.nodes += spent;
            if is_open {
                for _ in 0..spent.max(1) {
                    self.look_for_another(root, result);
                    found.nodes += 1;
                }
                let now = self.moves_that_keep(result);
                if now.len() > kept.len() {
                    kept = now;
                    tree.allow_only(&kept, root);
                }
            }
        }
        tree.tell_line(found, &kept, result, clock);
        self.for_points = Some(tree);
    }

    /// Writes down the best line of a tree for points, as soon as it can have seen all these moves.
    fn tell_line(&self, found: &mut SearchResult, kept: &[Move], result: Proven, clock: &Clock) {
        found.seconds = clock.seconds();
        if !self.nodes[0].proven.is_known() && (self.nodes[0].visits as usize) < kept.len() {
            return;
        }
        let moves = self.best_lines().remove(0).moves;
        let verdict = Verdict::of(result.get().cmp(&Some(0)));
        found.depth = found.depth.max(moves.len() as u32);
        found.lines = vec![Line { score: score_of(verdict, self.nodes[0].team, moves.len()), moves }];
    }

    /// One simulation of a move of the root of which nothing is proven.
    fn look_for_another(&mut self, root: &P, result: Proven) {
        self.nodes[0].proven = Proven::UNKNOWN;
        self.is_widened = true;
        self.simulate(root, &mut 0);
        self.is_widened = false;
        self.nodes[0].proven = result;
    }

    /// The moves of the root of which it is proven that they keep its result.
    fn moves_that_keep(&self, result: Proven) -> Vec<Move> {
        self.nodes.children(0).filter(|&i| self.nodes[i].proven == result).map(|i| self.nodes[i].m).collect()
    }

    /// Visits a child of the root for the first time.
    fn visit_child(&mut self, child: usize, root: &P) {
        let value = self.evaluate_leaf(child, &root.play(self.nodes[child].m));
        (self.nodes[child].visits, self.nodes[child].sum) = (1, value);
    }

    /// Takes all moves of the root but these for the worst there are.
    fn allow_only(&mut self, kept: &[Move], root: &P) {
        self.skip_others(kept);
        let worst = Proven::of(-self.aim.best(root.to_move()));
        for i in self.nodes.children(0) {
            if !kept.contains(&self.nodes[i].m) {
                self.nodes[i].proven = worst;
            } else if self.nodes[i].proven == worst {
                self.nodes[i].proven = Proven::UNKNOWN;
                if self.nodes[i].visits == 0 {
                    self.visit_child(i, root);
                }
            }
        }
        self.nodes[0].proven = Proven::UNKNOWN;
        self.prove(0);
    }

    /// Makes sure that the next move of the root to be tried is one of these.
    fn skip_others(&mut self, kept: &[Move]) {
        while self.nodes.next_move(0).is_some_and(|next| !kept.contains(&next.m)) {
            let child = self.nodes.add_child(0);
            self.nodes[child].proven = Proven::of(-self.aim.best(self.nodes[0].team));
        }
    }

    /// What the end is worth to ONE if both sides play the moves with the best order scores.
    pub(super) fn play_out(&mut self, position: &P) -> f64 {
        let mut at = *position;
        while at.verdict().is_none() {
            self.scored.clear();
            at.moves_with_scores(&mut self.scored);
            let best = self.scored.iter().max_by_key(|&&(score, m)| (score, std::cmp::Reverse(m)));
            let Some(&(_, m)) = best else { break };
            at = at.play(m);
            self.played += 1;
        }
        self.aim.value(lead(&at))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encoding::Encoded;
    use crate::for_each_game;
    use crate::random::Random;
    use crate::search::{DECIDED, Limits};
    use std::sync::atomic::AtomicBool;

    const NODES: u64 = 3000;

    fn find<P: Searchable>(tree: &mut Tree<P>, root: &P, nodes: u64, capacity: usize) -> SearchResult {
        let settings = Settings { points: true, capacity, ..Settings::default() };
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        tree.search(root, &limits, &settings, 1, &AtomicBool::new(false), &|_| {}).0
    }

    /// The result for ONE, and the lead, each if both sides care for nothing else; `None` if that takes too many positions.
    fn solve<P: Searchable>(position: &P, left: &mut u32) -> Option<[i16; 2]> {
        if let Some(verdict) = position.full_verdict() {
            let known = [Aim::Win, Aim::Points].map(|aim| aim.result(position, verdict).get());
            return Some(known.map(|result| result.expect("the game is over")));
        }
        *left = left.checked_sub(1)?;
        let mut moves = Vec::new();
        position.moves(&mut moves);
        let ends = moves.iter().map(|&m| solve(&position.play(m), left)).collect::<Option<Vec<_>>>()?;
        let best = |which: usize| {
            let values = ends.iter().map(|end| end[which]);
            if position.to_move() == Team::One { values.max() } else { values.min() }
        };
        Some([best(0)?, best(1)?])
    }

    #[test]
    fn a_proven_result_is_kept_with_the_largest_lead_that_there_is() {
        for_each_game!(Game, family => {
            let mut random = Random::new(8);
            let (mut kept, mut known, mut tree) = (0, 0, Tree::default());
            for game in 0..8 {
                let mut positions = vec![Game::draw_start(game % Game::RULE_SETS.len() as u8, &mut random)];
                while let Some(m) = positions[positions.len() - 1].random_move(&mut random) {
                    positions.push(positions[positions.len() - 1].play(m));
                }
                for position in &positions[positions.len().saturating_sub(6)..positions.len() - 1] {
                    let found = find(&mut tree, position, NODES, 1 << 20);
                    let Some(value) = solve(position, &mut 5_000) else { continue };
                    if found.lines[0].score.abs() < DECIDED && found.lines[0].score != 0 {
                        continue;
                    }
                    let mut moves = Vec::new();
                    position.moves(&mut moves);
                    let ends: Vec<_> = moves.iter().filter_map(|&m| solve(&position.play(m), &mut 5_000)).collect();
                    let Some(i) = moves.iter().position(|&m| m == found.lines[0].moves[0]) else { panic!("illegal") };
                    if tree.nodes[0].proven.is_known() {
                        assert_eq!(ends[i][0], value[0], "the result is kept: {}", position.format());
                        kept += 1;
                        if found.nodes < NODES {
                            let leads = ends.iter().filter(|end| end[0] == value[0]).map(|end| end[1]);
                            let best = if position.to_move() == Team::One { leads.max() } else { leads.min() };
                            assert_eq!(Some(ends[i][1]), best, "the lead is the best: {}", position.format());
                            known += 1;
                        }
                    }
                }
            }
            assert!(kept > 5 && known > 2, "{family}: {kept}, {known}");
        });
    }

    #[test]
    fn a_search_for_points_repeats_itself_and_keeps_to_its_limits() {
        for_each_game!(Game, _family => {
            let mut random = Random::new(9);
            let play = |start: Game, capacity: usize| {
                let (mut position, mut tree, mut text) = (start, Tree::default(), String::new());
                while position.full_verdict().is_none() {
                    let found = find(&mut tree, &position, 400, capacity);
                    // The last simulation may go on to the end of the game.
                    assert!(found.nodes < 400 + 300, "{}", found.nodes);
                    assert!(tree.bytes() < capacity + 100_000, "{}", tree.bytes());
                    text += &position.format_move(found.lines[0].moves[0]);
                    position = position.play(found.lines[0].moves[0]);
                }
                text
            };
            let start = Game::draw_start(0, &mut random);
            assert_eq!(play(start, 1 << 20), play(start, 1 << 20));
            play(start, 60_000);
        });
    }
}
