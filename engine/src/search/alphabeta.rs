//! Alpha-beta: iterative deepening, principal variation search with aspiration windows, a shared transposition table,
//! killers, history, countermoves and replies, late move reductions and pruning, null move and futility pruning,
//! quiescence search, and helper threads (lazy SMP).
//!
//! Sides need not alternate: a child's score is negated only if the other side moves there. With one thread and
//! a limit of nodes or depth, the result depends on nothing else.

mod root;

use super::clock::Clock;
use super::table::{Bound, TableEntry, TranspositionTable};
use super::{DECIDED, Limits, MAX_PLY, Options, Pruning, SearchResult, Searchable, TACTICAL, WIN, score_of};
use crate::game::{Move, Team};
#[cfg(target_arch = "x86_64")]
use crate::network::has_vectors;
use std::sync::atomic::AtomicBool;

/// A window that every score is inside.
const INFINITE: i32 = WIN + 1;

/// Finds the best lines. Returns no line exactly when the game is over.
pub fn search<P: Searchable>(
    root: &P,
    limits: &Limits,
    options: &Options,
    table: &TranspositionTable,
    stop: &AtomicBool,
) -> SearchResult {
    search_with_progress(root, limits, options, table, stop, &|_| {})
}

/// Like `search`, calling `report` with the result so far: first any move, then the result of each depth.
pub fn search_with_progress<P: Searchable>(
    root: &P,
    limits: &Limits,
    options: &Options,
    table: &TranspositionTable,
    stop: &AtomicBool,
    report: &dyn Fn(&SearchResult),
) -> SearchResult {
    let clock = Clock::start(limits, stop);
    table.new_search();
    let depth = limits.depth.map_or(MAX_PLY - 8, |depth| (depth as usize).clamp(1, MAX_PLY - 8)) as i32;
    let mut main = Worker::new(table, &clock, limits);
    if options.threads <= 1 {
        return main.deepen_iteratively(root, depth, options.lines.max(1), 0, report);
    }
    std::thread::scope(|scope| {
        let helpers: Vec<_> = (1..options.threads)
            .map(|number| {
                let clock = &clock;
                scope.spawn(move || {
                    Worker::new(table, clock, limits).deepen_iteratively(root, depth, 1, number, &|_| {}).nodes
                })
            })
            .collect();
        let mut found = main.deepen_iteratively(root, depth, options.lines.max(1), 0, report);
        clock.end();
        found.nodes += helpers.into_iter().filter_map(|helper| helper.join().ok()).sum::<u64>();
        found
    })
}

/// The search was stopped; its scores are void.
struct Stopped;

struct Worker<'a, P> {
    table: &'a TranspositionTable,
    clock: &'a Clock<'a>,
    nodes: u64,
    killers: [[Move; 2]; MAX_PLY],
    /// For each team and move how often it caused a cutoff, against how often it did not.
    history: [Vec<i16>; 2],
    /// The move that refuted a move (countermove).
    counters: Vec<Move>,
    lines: Vec<Vec<Move>>,
    lists: Vec<Vec<(i32, Move)>>,
    scratch: Vec<Move>,
    /// Evaluations of positions that were seen lately.
    evaluations: Vec<(u64, i32)>,
    pruning: Pruning,
    /// Like `history`, for a move after the one before it; moves share places.
    replies: Vec<i16>,
    game: std::marker::PhantomData<P>,
}

/// How many evaluations are kept.
const EVALUATIONS: usize = 1 << 15;
/// The table of replies has a row for each group of moves before, with a place for each group of moves after them.
const REPLY_ROWS: usize = 128;
const REPLY_COLUMNS: usize = 512;

/// The place of a move after another one in the table of replies: all answers to a move lie side by side.
#[inline]
fn reply(last: Move, m: Move) -> usize {
    let mixed = |m: Move| usize::from(m.0.wrapping_mul(0x9E37) >> 4);
    mixed(last) % REPLY_ROWS * REPLY_COLUMNS + mixed(m) % REPLY_COLUMNS
}

/// The order score of the hash move.
const HASH_MOVE: i32 = i32::MAX;

const NO_MOVE: Move = Move(u16::MAX - 1);

impl<'a, P: Searchable> Worker<'a, P> {
    fn new(table: &'a TranspositionTable, clock: &'a Clock<'a>, limits: &Limits) -> Self {
        Worker {
            table,
            clock,
            nodes: 0,
            killers: [[NO_MOVE; 2]; MAX_PLY],
            history: [vec![0; 1 << P::MOVE_BITS], vec![0; 1 << P::MOVE_BITS]],
            counters: vec![NO_MOVE; 1 << P::MOVE_BITS],
            lines: vec![Vec::new(); MAX_PLY + 1],
            lists: vec![Vec::new(); MAX_PLY + 1],
            scratch: Vec::with_capacity(256),
            evaluations: vec![(0, 0); EVALUATIONS],
            // Whoever limits the depth wants to know what can be seen within it.
            pruning: if limits.depth.is_none() { P::PRUNING } else { Pruning::CAREFUL },
            replies: vec![0; REPLY_ROWS * REPLY_COLUMNS],
            game: std::marker::PhantomData,
        }
    }

    /// The evaluation of a position, from memory if it was seen lately.
    #[inline]
    fn evaluate(&mut self, position: &P) -> i32 {
        let hash = position.hash();
        let slot = &mut self.evaluations[hash as usize % EVALUATIONS];
        if slot.0 != hash {
            *slot = (hash, position.evaluate());
        }
        slot.1
    }

    fn extend_line(&mut self, ply: usize, m: Move) {
        let (above, below) = self.lines.split_at_mut(ply + 1);
        above[ply].clear();
        above[ply].push(m);
        above[ply].extend_from_slice(&below[0]);
    }

    /// The score of a child for the side to move at its parent.
    #[inline]
    #[expect(clippy::too_many_arguments)]
    fn child(
        &mut self,
        child: &P,
        same: bool,
        depth: i32,
        alpha: i32,
        beta: i32,
        ply: usize,
        last: Move,
    ) -> Result<i32, Stopped> {
        if same {
            self.search(child, depth, alpha, beta, ply, last)
        } else {
            Ok(-self.search(child, depth, -beta, -alpha, ply, last)?)
        }
    }

    fn search(
        &mut self,
        position: &P,
        mut depth: i32,
        mut alpha: i32,
        mut beta: i32,
        ply: usize,
        last: Move,
    ) -> Result<i32, Stopped> {
        self.lines[ply].clear();
        self.nodes += 1;
        if self.clock.is_over(self.nodes) {
            return Err(Stopped);
        }
        let team = position.to_move();
        if let Some(verdict) = position.verdict() {
            return Ok(score_of(verdict, team, ply));
        }
        if depth <= 0 && position.is_unsettled() {
            depth = 1;
        }
        if depth <= 0 || ply >= MAX_PLY - 2 {
            return self.quiesce(position, alpha, beta, ply);
        }
        // No line from here can be better than a win in the next move, or worse than a loss at once.
        alpha = alpha.max(ply as i32 - WIN);
        beta = beta.min(WIN - ply as i32 - 1);
        if alpha >= beta {
            return Ok(alpha);
        }
        let is_pv = beta - alpha > 1;
        let prunable = !is_pv && alpha.abs() < DECIDED && beta.abs() < DECIDED && !position.is_unsettled();
        let near = depth <= self.pruning.beta_depth.max(self.pruning.alpha_depth);
        // Before the table is read: meanwhile the entry that was asked for arrives.
        let eval = if prunable && near { self.evaluate(position) } else { 0 };
        let known = self.table.probe(position.hash(), ply);
        if let Some(known) = known
            && known.depth >= depth
            && !is_pv
            && match known.bound {
                Bound::Exact => true,
                Bound::Lower => known.score >= beta,
                Bound::Upper => known.score <= alpha,
            }
        {
            return Ok(known.score);
        }
        let hash_move = known.and_then(|known| known.best);
        let mut futile = false;
        if prunable {
            let margin = P::MARGIN * depth;
            if near {
                if depth <= self.pruning.beta_depth && eval - margin >= beta {
                    return Ok(eval - margin);
                }
                futile = depth <= self.pruning.alpha_depth && eval + margin <= alpha;
            }
            if depth > 3
                && last != NO_MOVE
                && let Some(waiting) = position.without_moving()
                && self.evaluate(position) >= beta
            {
                // Null move: a side that stays above beta although the opponent moves twice in a row needs no deeper search.
                let score = -self.search(&waiting, depth - 3 - depth / 4, -beta, 1 - beta, ply + 1, NO_MOVE)?;
                self.lines[ply].clear();
                if score >= beta && score < DECIDED {
                    return Ok(score);
                }
            }
        }
        // Without a hash move the order is poor: search less deeply, and find one for the next time.
        if hash_move.is_none() && depth >= self.pruning.unordered_depth {
            depth -= 1;
        }
        self.search_moves(position, Node { depth, alpha, beta, ply, last, team, is_pv, hash_move, futile })
    }

    fn search_moves(&mut self, position: &P, node: Node) -> Result<i32, Stopped> {
        let Node { depth, mut alpha, beta, ply, team, .. } = node;
        let mut list = std::mem::take(&mut self.lists[ply]);
        self.order(position, &node, &mut list);
        if list.is_empty() {
            self.lists[ply] = list;
            return Ok(score_of(position.verdict_without_move(), team, ply));
        }
        let (mut best, mut best_move) = (-INFINITE, None);
        let mut result = Ok(());
        let width = position.width(depth);
        for i in 0..list.len() {
            let (order_score, m) = pick(&mut list, i);
            let quiet = order_score < TACTICAL;
            if i > 0 && best > -DECIDED && (i >= width || node.futile && quiet) {
                break;
            }
            if quiet && !node.is_pv && best > -DECIDED && alpha < DECIDED && self.pruning.is_late(depth, i) {
                break;
            }
            let child = position.play(m);
            match self.search_move(&child, &node, alpha, i, quiet, m) {
                Err(Stopped) => {
                    result = Err(Stopped);
                    break;
                }
                Ok(score) if score > best => {
                    best = score;
                    if score > alpha {
                        alpha = score;
                        best_move = Some(m);
                        self.extend_line(ply, m);
                        if score >= beta {
                            // The hash move came first whatever it is; where it is quiet, history shall know of it.
                            let quiet = quiet
                                || order_score == HASH_MOVE && position.order_score(&position.context(), m) < TACTICAL;
                            self.record_cutoff(&node, m, quiet, &list[..i]);
                            break;
                        }
                    }
                }
                Ok(_) => {}
            }
        }
        self.lists[ply] = list;
        result?;
        let bound = match best_move {
            _ if best >= beta => Bound::Lower,
            Some(_) => Bound::Exact,
            None => Bound::Upper,
        };
        self.table.store(position.hash(), ply, TableEntry { best: best_move, score: best, depth, bound });
        Ok(best)
    }

    /// Searches one move: late quiet ones less deeply, all but the first with a null window before a full one.
    #[inline]
    fn search_move(
        &mut self,
        child: &P,
        node: &Node,
        alpha: i32,
        i: usize,
        quiet: bool,
        m: Move,
    ) -> Result<i32, Stopped> {
        let same = child.to_move() == node.team;
        let (depth, ply) = (node.depth - 1, node.ply + 1);
        if depth > 0 {
            self.table.prefetch(child.hash());
        }
        if i == 0 {
            return self.child(child, same, depth, alpha, node.beta, ply, m);
        }
        let mut reduced_by = 0;
        if quiet && i >= 3 && node.depth >= 3 {
            reduced_by = reduction(node.depth, i) - i32::from(node.is_pv);
            let history = self.history[node.team as usize][m.0 as usize];
            reduced_by -= (i32::from(history) + i32::from(self.replies[reply(node.last, m)])) / 8192;
            reduced_by = reduced_by.clamp(0, depth - 1);
        }
        let mut score = self.child(child, same, depth - reduced_by, alpha, alpha + 1, ply, m)?;
        if score > alpha && reduced_by > 0 {
            score = self.child(child, same, depth, alpha, alpha + 1, ply, m)?;
        }
        if score > alpha && score < node.beta {
            score = self.child(child, same, depth, alpha, node.beta, ply, m)?;
        }
        Ok(score)
    }

    /// Lists the moves of a node with their order scores: hash move, tactical moves, killers, countermove, history.
    /// Compiled twice, like `Network::output_of`.
    #[inline]
    fn order(&mut self, position: &P, node: &Node, list: &mut Vec<(i32, Move)>) {
        #[cfg(target_arch = "x86_64")]
        {
            #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
            fn fast<P: Searchable>(worker: &mut Worker<P>, position: &P, node: &Node, list: &mut Vec<(i32, Move)>) {
                worker.plain_order(position, node, list);
            }
            if has_vectors() {
                // SAFETY: the machine has these instructions.
                return unsafe { fast(self, position, node, list) };
            }
        }
        self.plain_order(position, node, list);
    }

    #[inline(always)]
    fn plain_order(&mut self, position: &P, node: &Node, list: &mut Vec<(i32, Move)>) {
        self.scratch.clear();
        position.moves(&mut self.scratch);
        list.clear();
        let context = position.context();
        let killers = self.killers[node.ply];
        let counter = self.counters.get(node.last.0 as usize).copied().unwrap_or(NO_MOVE);
        let history = &self.history[node.team as usize];
        for &m in &self.scratch {
            if Some(m) == node.hash_move {
                list.push((HASH_MOVE, m));
                continue;
            }
            let mut order_score = position.order_score(&context, m);
            if order_score < TACTICAL {
                order_score += i32::from(history[m.0 as usize]) + i32::from(self.replies[reply(node.last, m)]);
                order_score += if m == killers[0] {
                    200_000
                } else if m == killers[1] {
                    150_000
                } else if m == counter {
                    100_000
                } else {
                    0
                };
            }
            list.push((order_score, m));
        }
    }

    /// Records that a move caused a cutoff, and that the moves tried before it did not.
    #[inline]
    fn record_cutoff(&mut self, node: &Node, m: Move, quiet: bool, tried_before: &[(i32, Move)]) {
        if !quiet {
            return;
        }
        let killers = &mut self.killers[node.ply];
        if killers[0] != m {
            *killers = [m, killers[0]];
        }
        if let Some(counter) = self.counters.get_mut(node.last.0 as usize) {
            *counter = m;
        }
        let bonus = (node.depth * node.depth).min(400) * 4;
        let history = &mut self.history[node.team as usize];
        let replies = &mut self.replies;
        let mut change = |m: Move, by: i32| {
            // Towards +-16384, the slower the nearer.
            for value in [&mut history[m.0 as usize], &mut replies[reply(node.last, m)]] {
                *value += (by - i32::from(*value) * by.abs() / 16_384) as i16;
            }
        };
        change(m, bonus);
        for &(order_score, tried) in tried_before {
            if order_score < TACTICAL || order_score == HASH_MOVE {
                change(tried, -bonus);
            }
        }
    }

    /// Quiescence search: plays tactical moves until the evaluation can be trusted.
    fn quiesce(&mut self, position: &P, mut alpha: i32, beta: i32, ply: usize) -> Result<i32, Stopped> {
        let mut best = self.evaluate(position);
        if best >= beta || ply >= MAX_PLY - 2 {
            return Ok(best);
        }
        alpha = alpha.max(best);
        self.scratch.clear();
        position.tactical_moves(&mut self.scratch);
        if self.scratch.is_empty() {
            return Ok(best);
        }
        let mut list = std::mem::take(&mut self.lists[ply]);
        list.clear();
        let context = position.context();
        list.extend(self.scratch.iter().map(|&m| (position.order_score(&context, m), m)));
        let mut result = Ok(());
        for i in 0..list.len() {
            let (order_score, m) = pick(&mut list, i);
            if order_score < TACTICAL {
                // The game lists it, but does not think that it gains anything.
                break;
            }
            let child = position.play(m);
            let same = child.to_move() == position.to_move();
            match self.child(&child, same, 0, alpha, beta, ply + 1, m) {
                Err(Stopped) => {
                    result = Err(Stopped);
                    break;
                }
                Ok(score) => best = best.max(score),
            }
            alpha = alpha.max(best);
            if best >= beta {
                break;
            }
        }
        self.lists[ply] = list;
        result.map(|()| best)
    }
}

/// A node whose moves are about to be searched.
struct Node {
    depth: i32,
    alpha: i32,
    beta: i32,
    ply: usize,
    last: Move,
    team: Team,
    is_pv: bool,
    hash_move: Option<Move>,
    /// Whether quiet moves have no hope to reach alpha.
    futile: bool,
}

/// By how many plies the `i`-th move is searched less deeply.
#[inline]
fn reduction(depth: i32, i: usize) -> i32 {
    const LOG: [i32; 64] = {
        // Natural logarithms times 64, by summing 64 / n: near enough, and made at compile time.
        let mut log = [0; 64];
        let (mut n, mut sum) = (2, 0);
        while n < 64 {
            sum += (64 * 16 + n / 2) / n;
            log[n as usize] = sum / 16 + 8;
            n += 1;
        }
        log
    };
    LOG[depth.clamp(0, 63) as usize] * LOG[i.min(63)] / (64 * 64 * 2) + i32::from(i > 6)
}

/// Swaps the move with the best order score from `i` on to place `i` (selection sort, one step).
#[inline]
fn pick(list: &mut [(i32, Move)], i: usize) -> (i32, Move) {
    let mut best = i;
    for j in i + 1..list.len() {
        if list[j].0 > list[best].0 {
            best = j;
        }
    }
    list.swap(i, best);
    list[i]
}
