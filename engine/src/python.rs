//! The Python module `spielleiter._engine`: a thin binding. Positions and moves cross as text in the games' notation, or
//! as objects of the Python package (`position`); many games at once write into the caller's arrays (`batch`).
//!
//! Long work runs in a thread of its own without the interpreter's lock, while the calling thread checks for signals, so
//! that Ctrl-C works. A panic in that thread becomes a `RuntimeError`.

mod batch;
mod masks;
mod position;

use crate::any::{self, Any};
use crate::calls::{self, Answer, answer};
use crate::game::{Position, Team, Verdict};
use crate::random::Random;
use crate::search::table::TranspositionTable;
use crate::search::{Limits, Options, SearchResult, Searchable, alphabeta, mcts};
use crate::with_position;
use pyo3::exceptions::{PyMemoryError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// How often the calling thread checks for signals.
const POLL_INTERVAL: Duration = Duration::from_millis(20);
/// How long after its deadline a search may still end by itself.
const GRACE: Duration = Duration::from_millis(3);
/// Deeper trees cannot be counted in a lifetime.
const MAX_PERFT_DEPTH: u32 = 200;

fn parse(text: &str) -> PyResult<Any> {
    Any::parse(text).map_err(PyValueError::new_err)
}

/// Runs `work` in a thread; when Python has a signal to raise, stops the work and raises.
fn run<T: Send>(py: Python<'_>, work: impl FnOnce(&AtomicBool) -> T + Send) -> PyResult<T> {
    let stop = AtomicBool::new(false);
    py.detach(|| {
        std::thread::scope(|scope| {
            let (done, wait) = channel();
            let stop = &stop;
            let worker =
                std::thread::Builder::new().name("spielleiter engine".into()).spawn_scoped(scope, move || {
                    let result = work(stop);
                    // Nobody waits any more when a signal came first.
                    let _ = done.send(());
                    result
                })?;
            let mut raised = None;
            while let Err(RecvTimeoutError::Timeout) = wait.recv_timeout(POLL_INTERVAL) {
                if raised.is_none()
                    && let Err(error) = Python::attach(|py| py.check_signals())
                {
                    raised = Some(error);
                    stop.store(true, Ordering::Relaxed);
                }
            }
            let result = worker.join();
            match (raised, result) {
                (Some(error), _) => Err(error),
                (None, Ok(result)) => Ok(result),
                (None, Err(panic)) => Err(failure(&*panic)),
            }
        })
    })
}

fn failure(panic: &(dyn std::any::Any + Send)) -> PyErr {
    let text = panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref::<&str>().copied());
    PyRuntimeError::new_err(format!("the engine failed: {}", text.unwrap_or("for an unknown reason")))
}

/// Turns a panic of short work into an error, too.
fn guard<T>(work: impl FnOnce() -> PyResult<T>) -> PyResult<T> {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(work)).unwrap_or_else(|panic| Err(failure(&*panic)))
}

fn winner(verdict: Verdict) -> Option<u8> {
    match verdict {
        Verdict::Win(team) => Some(team as u8),
        Verdict::Draw => None,
    }
}

/// (position, turn, team to move, (winner, reason) or None, points of ONE, points of TWO).
type Described = (String, u32, u8, Option<(Option<u8>, &'static str)>, Vec<i32>, Vec<i32>);

/// Turn, team to move, outcome and points of a position, and the position as the engine writes it.
#[pyfunction]
#[pyo3(signature = (position, /))]
fn describe(position: &str) -> PyResult<Described> {
    guard(|| {
        with_position!(parse(position)?, position => {
            let outcome = position.outcome().map(|outcome| (winner(outcome.verdict), outcome.reason));
            let (one, two) = (position.points(Team::One), position.points(Team::Two));
            Ok((position.format(), position.turn(), position.to_move() as u8, outcome, one, two))
        })
    })
}

/// All legal moves of a position; passing comes last, where it is allowed.
#[pyfunction]
#[pyo3(signature = (position, /))]
fn legal_moves(position: &str) -> PyResult<Vec<String>> {
    guard(|| calls::legal_moves(position).map_err(PyValueError::new_err))
}

/// The position after a legal move.
#[pyfunction]
#[pyo3(signature = (position, r#move, /))]
fn play(position: &str, r#move: &str) -> PyResult<String> {
    guard(|| {
        with_position!(parse(position)?, position => {
            let mut moves = Vec::new();
            position.moves(&mut moves);
            position.uncounted_moves(&mut moves);
            let found = moves.into_iter().find(|&m| position.format_move(m) == r#move);
            let found = found.ok_or_else(|| PyValueError::new_err(format!("{} is not a legal move here", r#move)))?;
            Ok(position.play(found).format())
        })
    })
}

/// The number of move sequences of length `depth`; a finished game is not continued.
#[pyfunction]
#[pyo3(signature = (position, depth, /))]
fn perft(py: Python<'_>, position: &str, depth: u32) -> PyResult<u64> {
    if depth > MAX_PERFT_DEPTH {
        return Err(PyValueError::new_err(format!("expected a depth up to {MAX_PERFT_DEPTH}, found {depth}")));
    }
    let any = parse(position)?;
    let leaves = run(
        py,
        |stop| with_position!(any, position => crate::perft::perft(&position, depth, &|| stop.load(Ordering::Relaxed))),
    )?;
    leaves.ok_or_else(|| PyRuntimeError::new_err("perft was interrupted"))
}

/// The winner (0, 1 or None) and the points of both teams after one random game.
#[pyfunction]
#[pyo3(signature = (position, seed, /))]
fn playout(position: &str, seed: u64) -> PyResult<(Option<u8>, Vec<i32>, Vec<i32>)> {
    guard(|| {
        with_position!(parse(position)?, position => {
            let end = position.playout(&mut Random::new(seed));
            let verdict = end.full_verdict().ok_or_else(|| PyRuntimeError::new_err("a random game did not end"))?;
            Ok((winner(verdict), end.points(Team::One), end.points(Team::Two)))
        })
    })
}

/// How many of so many random games ONE has won, nobody has won, TWO has won.
#[pyfunction]
#[pyo3(signature = (position, number, seed, /))]
fn playouts(py: Python<'_>, position: &str, number: u64, seed: u64) -> PyResult<(u64, u64, u64)> {
    let any = parse(position)?;
    run(py, |stop| {
        with_position!(any, position => {
            let mut random = Random::new(seed);
            let (mut one, mut nobody, mut two) = (0, 0, 0);
            for _ in 0..number {
                if stop.load(Ordering::Relaxed) {
                    break;
                }
                match position.playout(&mut random).full_verdict() {
                    Some(Verdict::Win(Team::One)) => one += 1,
                    Some(Verdict::Win(Team::Two)) => two += 1,
                    _ => nobody += 1,
                }
            }
            (one, nobody, two)
        })
    })
}

/// Searches positions of any game; its transposition table and the tree of its last tree search live as long as it does.
#[pyclass(frozen, module = "spielleiter._engine")]
struct Searcher {
    table: Arc<TranspositionTable>,
    tree: Arc<Mutex<mcts::KeptTree>>,
}

#[pymethods]
impl Searcher {
    #[new]
    #[pyo3(signature = (table_mib = 64))]
    fn new(table_mib: usize) -> PyResult<Self> {
        let table = TranspositionTable::new(table_mib).map_err(|_| {
            PyMemoryError::new_err(format!("a transposition table of {table_mib} MiB does not fit into memory"))
        })?;
        Ok(Searcher { table: Arc::new(table), tree: Arc::default() })
    }

    /// The best lines from a position, found within the limits: (lines, depth, nodes, seconds).
    ///
    /// With `tree` by Monte-Carlo tree search, which knows no limit of depth and no threads. It goes on with the tree of
    /// the last search where that has led to this position. With `points` it goes on where the result is proven.
    /// `watch` is called in the calling thread some fifty times a second with what is new since the last call, or
    /// `None`; the search stops when it returns something true.
    #[pyo3(signature = (
        position, /, *, seconds = None, nodes = None, depth = None, threads = 1, lines = 1, tree = false, points = false,
        watch = None
    ))]
    #[expect(clippy::too_many_arguments)]
    fn search(
        &self,
        py: Python<'_>,
        position: &str,
        seconds: Option<f64>,
        nodes: Option<u64>,
        depth: Option<u32>,
        threads: usize,
        lines: usize,
        tree: bool,
        points: bool,
        watch: Option<Py<PyAny>>,
    ) -> PyResult<Answer> {
        let limits = calls::limits(Instant::now(), seconds, nodes, depth).map_err(PyValueError::new_err)?;
        if threads == 0 || threads > 256 {
            return Err(PyValueError::new_err(format!("expected 1 to 256 threads, found {threads}")));
        }
        let options = Options { threads, lines, points, ..Options::default() };
        with_position!(parse(position)?, position => self.find(py, position, limits, options, tree, watch))
    }
}

impl Searcher {
    /// Searches in a thread, and waits for it no longer than until the deadline.
    ///
    /// On a busy machine the scheduler may suspend the searching thread, which uses all its CPU time, just when its time
    /// is up. The calling thread has slept and is woken at once: it then returns the result so far.
    fn find<P: Searchable>(
        &self,
        py: Python<'_>,
        root: P,
        limits: Limits,
        options: Options,
        tree: bool,
        watch: Option<Py<PyAny>>,
    ) -> PyResult<Answer> {
        let stop = Arc::new(AtomicBool::new(false));
        let so_far = Arc::new(Mutex::new(None));
        let (done, wait) = channel();
        let (worker_stop, worker_so_far, table) = (stop.clone(), so_far.clone(), self.table.clone());
        let kept = self.tree.clone();
        let worker = std::thread::Builder::new().name("spielleiter engine".into()).spawn(move || {
            let report = |found: &SearchResult| {
                if let Ok(mut so_far) = worker_so_far.lock() {
                    *so_far = Some(found.clone());
                }
            };
            // Nobody waits any more when a signal or the deadline came first.
            let _ = done.send(if tree {
                let Options { lines, points, .. } = options;
                let settings = mcts::Settings { lines, points, ..mcts::Settings::within(table.mebibytes()) };
                // Taken out, not borrowed: a search that comes late must not make the next one wait for its tree.
                let mut tree = kept.lock().map(|mut kept| std::mem::take(&mut *kept)).unwrap_or_default();
                let found = tree.of().search(&root, &limits, &settings, options.seed, &worker_stop, &report).0;
                if let Ok(mut kept) = kept.lock() {
                    *kept = tree;
                }
                found
            } else {
                alphabeta::search_with_progress(&root, &limits, &options, &table, &worker_stop, &report)
            });
        })?;
        py.detach(move || {
            let mut last_poll = Instant::now();
            let mut shown = (0, 0);
            loop {
                let left = limits.deadline.map_or(POLL_INTERVAL, |deadline| {
                    (deadline + GRACE)
                        .saturating_duration_since(Instant::now())
                        .clamp(Duration::from_millis(1), POLL_INTERVAL)
                });
                match wait.recv_timeout(left) {
                    Ok(found) => return Ok(answer(&root, found)),
                    Err(RecvTimeoutError::Disconnected) => {
                        let panic = worker.join().err();
                        return Err(
                            panic.map_or_else(|| PyRuntimeError::new_err("the engine failed"), |p| failure(&*p))
                        );
                    }
                    Err(RecvTimeoutError::Timeout) => {}
                }
                if limits.deadline.is_some_and(|deadline| Instant::now() >= deadline + GRACE) {
                    stop.store(true, Ordering::Relaxed);
                    if let Some(found) = so_far.lock().ok().and_then(|mut so_far| so_far.take()) {
                        return Ok(answer(&root, found));
                    }
                }
                if last_poll.elapsed() >= POLL_INTERVAL {
                    last_poll = Instant::now();
                    // A tree knows more without looking farther ahead; of alpha-beta only whole depths are told.
                    let known = |found: &SearchResult| (found.depth, if tree { found.nodes } else { 0 });
                    let news = so_far.lock().ok().and_then(|so_far| so_far.clone());
                    let news = news.filter(|found| found.depth > 0 && known(found) > shown);
                    shown = news.as_ref().map_or(shown, known);
                    match Python::attach(|py| poll(py, watch.as_ref(), news.map(|found| answer(&root, found)))) {
                        Ok(false) => {}
                        Ok(true) => stop.store(true, Ordering::Relaxed),
                        Err(error) => {
                            stop.store(true, Ordering::Relaxed);
                            return Err(error);
                        }
                    }
                }
            }
        })
    }
}

/// Whether whoever watches a search wants it to stop; raises what a signal raises.
fn poll(py: Python<'_>, watch: Option<&Py<PyAny>>, news: Option<Answer>) -> PyResult<bool> {
    py.check_signals()?;
    watch.map_or(Ok(false), |watch| watch.call1(py, (news,))?.is_truthy(py))
}

/// Fast rules and search for the games of spielleiter.
#[pymodule]
fn _engine(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("VERSION", env!("CARGO_PKG_VERSION"))?;
    module.add("FEATURES", pyo3::types::PyTuple::new(module.py(), calls::features())?)?;
    module.add("RULE_SETS", pyo3::types::PyTuple::new(module.py(), any::rule_sets())?)?;
    module.add_function(wrap_pyfunction!(describe, module)?)?;
    module.add_function(wrap_pyfunction!(legal_moves, module)?)?;
    module.add_function(wrap_pyfunction!(play, module)?)?;
    module.add_function(wrap_pyfunction!(perft, module)?)?;
    module.add_function(wrap_pyfunction!(playout, module)?)?;
    module.add_function(wrap_pyfunction!(playouts, module)?)?;
    module.add_function(wrap_pyfunction!(masks::draw_legal, module)?)?;
    module.add_class::<Searcher>()?;
    module.add_class::<position::Bridge>()?;
    module.add_class::<position::Position>()?;
    module.add_class::<batch::Batch>()
}
