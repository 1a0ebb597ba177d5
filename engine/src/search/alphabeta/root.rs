//! The root of the search: iterative deepening, aspiration windows, several best lines.

use super::{INFINITE, Stopped, Worker, reduction};
use crate::game::Move;
use crate::search::{DECIDED, Line, SearchResult, Searchable, TACTICAL, WIN};

impl<P: Searchable> Worker<'_, P> {
    /// Iterative deepening until a limit is reached. Odd helper threads start one ply deeper, so that they differ.
    pub(super) fn deepen_iteratively(
        &mut self,
        root: &P,
        last_depth: i32,
        lines: usize,
        number: usize,
        report: &dyn Fn(&SearchResult),
    ) -> SearchResult {
        let mut found = SearchResult::default();
        let mut moves = self.root_moves(root);
        if moves.is_empty() {
            found.seconds = self.clock.seconds();
            return found;
        }
        found.lines = moves.iter().take(lines).map(|&(_, m)| Line { moves: vec![m], score: 0 }).collect();
        report(&found);
        let only_move = moves.len() == 1 && lines == 1;
        let first_depth = 1 + (number as i32 & 1);
        for depth in first_depth..=last_depth {
            let mut best: Vec<Line> = Vec::new();
            for line in 0..lines.min(moves.len()) {
                let expected = found.lines.get(line).map_or(0, |line| line.score);
                let result = self.search_aspiration_window(root, &mut moves, line, depth, expected);
                match result {
                    Ok(score) => best.push(Line { moves: self.lines[0].clone(), score }),
                    Err(Stopped) => break,
                }
            }
            let complete = best.len() == lines.min(moves.len());
            if !complete {
                // An unfinished iteration counts as far as it got: its best move is at least as good as the old one.
                if lines == 1 && !self.lines[0].is_empty() && depth > first_depth {
                    found.lines[0].moves.clone_from(&self.lines[0]);
                }
                found.lines.retain(|old| best.iter().all(|new| new.moves[0] != old.moves[0]));
                found.lines.extend(best);
                found.lines.sort_by_key(|line| std::cmp::Reverse(line.score));
                found.lines.truncate(lines);
                break;
            }
            found.lines = best;
            found.depth = depth as u32;
            found.nodes = self.nodes;
            found.seconds = self.clock.seconds();
            report(&found);
            let decided = found.lines.iter().all(|line| line.score.abs() >= DECIDED && WIN - line.score.abs() <= depth);
            if only_move || decided || self.clock.is_stopped() {
                break;
            }
        }
        found.nodes = self.nodes;
        found.seconds = self.clock.seconds();
        found
    }

    /// The moves of the root in their first order.
    fn root_moves(&mut self, root: &P) -> Vec<(i32, Move)> {
        let mut list = Vec::new();
        root.moves(&mut list);
        if list.is_empty() {
            root.uncounted_moves(&mut list);
        }
        let hash_move = self.table.probe(root.hash(), 0).and_then(|known| known.best);
        let context = root.context();
        let mut moves: Vec<(i32, Move)> = list
            .into_iter()
            .map(|m| (if Some(m) == hash_move { i32::MAX } else { root.order_score(&context, m) }, m))
            .collect();
        moves.sort_by_key(|&(order_score, m)| (std::cmp::Reverse(order_score), m));
        moves
    }

    /// Searches the root moves from `line` on with a window around the expected score, and brings the best to `line`.
    fn search_aspiration_window(
        &mut self,
        root: &P,
        moves: &mut [(i32, Move)],
        line: usize,
        depth: i32,
        expected: i32,
    ) -> Result<i32, Stopped> {
        let mut width = P::MARGIN / 2;
        let (mut alpha, mut beta) = (-INFINITE, INFINITE);
        if depth >= 4 && expected.abs() < DECIDED {
            (alpha, beta) = (expected - width, expected + width);
        }
        loop {
            let score = self.search_root(root, moves, line, depth, alpha, beta)?;
            if score <= alpha {
                alpha = (alpha - width).max(-INFINITE);
            } else if score >= beta {
                beta = (beta + width).min(INFINITE);
            } else {
                return Ok(score);
            }
            width *= 2;
            if width > 20 * P::MARGIN {
                (alpha, beta) = (-INFINITE, INFINITE);
            }
        }
    }

    fn search_root(
        &mut self,
        root: &P,
        moves: &mut [(i32, Move)],
        line: usize,
        depth: i32,
        mut alpha: i32,
        beta: i32,
    ) -> Result<i32, Stopped> {
        self.lines[0].clear();
        let mut best = -INFINITE;
        for i in line..moves.len() {
            let m = moves[i].1;
            let child = root.play(m);
            let same = child.to_move() == root.to_move();
            let before = self.nodes;
            let reduction =
                if i >= line + 3 && depth >= 3 && moves[i].0 < TACTICAL { reduction(depth, i - line) } else { 0 };
            let mut score = alpha + 1;
            if i > line {
                score = self.child(&child, same, depth - 1 - reduction, alpha, alpha + 1, 1, m)?;
                if score > alpha && reduction > 0 {
                    score = self.child(&child, same, depth - 1, alpha, alpha + 1, 1, m)?;
                }
            }
            if i == line || score > alpha && score < beta {
                score = self.child(&child, same, depth - 1, alpha, beta, 1, m)?;
            }
            // Moves that took much work are likely to be good: search them early next time.
            moves[i].0 = ((self.nodes - before).min(1 << 19)) as i32;
            if score > best {
                best = score;
                if score > alpha || i == line {
                    alpha = alpha.max(score);
                    self.extend_line(0, m);
                    moves[line..=i].rotate_right(1);
                    moves[line].0 = TACTICAL - 1;
                    if score >= beta {
                        break;
                    }
                }
            }
        }
        let order = line + 1..moves.len();
        moves[order].sort_by_key(|&(work, _)| std::cmp::Reverse(work));
        Ok(best)
    }
}
