//! `Batch`: many games that write what they show into arrays of the caller, without the interpreter's lock.

use super::position::{Bridge, Position};
use super::{failure, run};
use crate::any::OtherGame;
use crate::batch::{self, AnyGames, Illegal, NO_ACTION, Target, Views};
use crate::shared::Shared;
use pyo3::buffer::{Element, PyBuffer};
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The arrays of the caller; they stay where they are as long as this lives.
struct Arrays {
    observations: PyBuffer<u8>,
    masks: PyBuffer<u8>,
    to_move: PyBuffer<u8>,
    turns: PyBuffer<i32>,
    rewards: PyBuffer<f32>,
    done: PyBuffer<u8>,
    points: PyBuffer<i32>,
}

impl Arrays {
    fn new(arrays: &[Bound<'_, PyAny>; 7], number: usize, shape: (usize, usize), parts: usize) -> PyResult<Self> {
        let [observations, masks, to_move, turns, rewards, done, points] = arrays;
        let arrays = Arrays {
            observations: writable(observations, number * shape.0)?,
            masks: writable(masks, number * shape.1)?,
            to_move: writable(to_move, number)?,
            turns: writable(turns, number)?,
            rewards: writable(rewards, number * 2)?,
            done: writable(done, number)?,
            points: writable(points, number * 2 * parts)?,
        };
        arrays.check_apart()?;
        Ok(arrays)
    }

    /// Refuses arrays that share memory: several threads write to them at once.
    fn check_apart(&self) -> PyResult<()> {
        fn span<T: Element>(buffer: &PyBuffer<T>) -> (usize, usize) {
            let start = buffer.buf_ptr() as usize;
            (start, start + buffer.len_bytes())
        }
        let mut spans = [
            span(&self.observations),
            span(&self.masks),
            span(&self.to_move),
            span(&self.turns),
            span(&self.rewards),
            span(&self.done),
            span(&self.points),
        ];
        spans.sort_unstable();
        if spans.windows(2).any(|pair| pair[0].1 > pair[1].0) {
            return Err(PyValueError::new_err("expected arrays that do not overlap"));
        }
        Ok(())
    }

    fn views(&mut self) -> Views<'_> {
        Views {
            observations: shared(&mut self.observations),
            masks: shared(&mut self.masks),
            to_move: shared(&mut self.to_move),
            turns: shared(&mut self.turns),
            rewards: shared(&mut self.rewards),
            done: shared(&mut self.done),
            points: shared(&mut self.points),
        }
    }
}

/// The memory of an array.
fn shared<T: Element>(buffer: &mut PyBuffer<T>) -> Shared<'_, T> {
    // SAFETY: `writable` has checked type, contiguity and write access, `check_apart` that the arrays share nothing; the
    // buffer keeps the memory alive and in place.
    unsafe { Shared::new(buffer.buf_ptr().cast(), buffer.item_count()) }
}

fn writable<T: Element>(array: &Bound<'_, PyAny>, size: usize) -> PyResult<PyBuffer<T>> {
    let buffer = PyBuffer::<T>::get(array)?;
    if buffer.readonly() || !buffer.is_c_contiguous() || buffer.item_count() != size {
        return Err(PyValueError::new_err(format!("expected a writable, contiguous array of {size} numbers")));
    }
    Ok(buffer)
}

/// Many games of one rule set that step together.
#[pyclass(module = "spielleiter._engine")]
pub struct Batch {
    games: Box<dyn AnyGames>,
    arrays: Arrays,
    number: usize,
}

#[pymethods]
impl Batch {
    /// The arrays are written to by each call; their order is that of `Views`.
    #[new]
    #[pyo3(signature = (key, number, seed, arrays, *, shape, parts, threads = 1, auto_reset = true))]
    #[expect(clippy::too_many_arguments)]
    fn new(
        py: Python<'_>,
        key: &str,
        number: usize,
        seed: u64,
        arrays: [Bound<'_, PyAny>; 7],
        shape: (usize, usize),
        parts: usize,
        threads: usize,
        auto_reset: bool,
    ) -> PyResult<Self> {
        let games = batch::begin(key, number, seed, threads, auto_reset)
            .ok_or_else(|| PyValueError::new_err(format!("expected the key of a rule set, found {key}")))?;
        let mut batch = Batch { games, arrays: Arrays::new(&arrays, number, shape, parts)?, number };
        batch.show(py)?;
        Ok(batch)
    }

    /// The same games, which write to other arrays; what these show is left to the caller.
    #[pyo3(signature = (arrays, *, shape, parts))]
    fn copy(&self, arrays: [Bound<'_, PyAny>; 7], shape: (usize, usize), parts: usize) -> PyResult<Self> {
        let arrays = Arrays::new(&arrays, self.number, shape, parts)?;
        Ok(Batch { games: self.games.copied(), arrays, number: self.number })
    }

    /// For each game what its chance goes on from.
    fn seeds(&self) -> Vec<u64> {
        self.games.seeds()
    }

    /// Lets the chance of each game go on from what `seeds` said.
    fn set_seeds(&mut self, seeds: Vec<u64>) -> PyResult<()> {
        if seeds.len() != self.number {
            return Err(PyValueError::new_err(format!("expected {} seeds, found {}", self.number, seeds.len())));
        }
        self.games.set_seeds(&seeds);
        Ok(())
    }

    /// Begins all games anew.
    fn reset(&mut self, py: Python<'_>, seed: u64) -> PyResult<()> {
        self.games.reset(seed);
        self.show(py)
    }

    /// Shows all games as they are, without a step.
    fn show(&mut self, py: Python<'_>) -> PyResult<()> {
        let Batch { games, arrays, .. } = self;
        detached(py, || games.show(arrays.views()))
    }

    /// Plays one action in each game; the number of the first game whose action is illegal, if any: then none is played.
    fn step(&mut self, py: Python<'_>, actions: &Bound<'_, PyAny>) -> PyResult<Option<usize>> {
        let actions = self.integers(actions)?.to_vec(py)?;
        let Batch { games, arrays, .. } = self;
        let played = detached(py, || games.step(&actions, arrays.views()))?;
        Ok(played.err().map(|Illegal(i)| i))
    }

    /// Writes a random legal action for each game.
    fn random_actions(&mut self, py: Python<'_>, actions: &Bound<'_, PyAny>) -> PyResult<()> {
        let array = writable::<i64>(actions, self.number)?;
        let mut actions = vec![NO_ACTION; self.number];
        detached(py, || self.games.random_actions(&mut actions))?;
        array.copy_from_slice(py, &actions)
    }

    /// What a tree search finds in each game that is wanted: (best actions, chances to win, offsets, actions, visits).
    ///
    /// All five are bytes of i64, f32, i64, i32 and u32; the last two belong to game i from offset i to offset i + 1.
    fn search<'py>(&mut self, py: Python<'py>, nodes: u64, wanted: Vec<bool>) -> PyResult<[Bound<'py, PyBytes>; 5]> {
        if wanted.len() != self.number {
            return Err(PyValueError::new_err(format!("expected {} answers, found {}", self.number, wanted.len())));
        }
        let games = &mut self.games;
        let targets = run(py, move |stop| games.search(nodes, &wanted, stop))?;
        Ok(packed(&targets).map(|bytes| PyBytes::new(py, &bytes)))
    }

    /// The position of one game.
    fn position(&self, index: usize, bridge: Py<Bridge>) -> PyResult<Position> {
        let any = self.games.position(index);
        let any = any.ok_or_else(|| PyIndexError::new_err(format!("there is no game {index}")))?;
        Ok(Position::new(any, bridge, None, None))
    }

    /// Lets one game go on from a position; it is seen after the next `show`.
    fn set_position(&mut self, index: usize, position: &Bound<'_, Position>) -> PyResult<()> {
        if index >= self.number {
            return Err(PyIndexError::new_err(format!("there is no game {index}")));
        }
        let set = self.games.set_position(index, position.get().any());
        set.map_err(|OtherGame| PyValueError::new_err("expected a position of the same game"))
    }
}

impl Batch {
    fn integers(&self, actions: &Bound<'_, PyAny>) -> PyResult<PyBuffer<i64>> {
        let buffer = PyBuffer::<i64>::get(actions)?;
        if buffer.item_count() != self.number {
            return Err(PyValueError::new_err(format!("expected {} actions", self.number)));
        }
        Ok(buffer)
    }
}

/// Runs short work without the interpreter's lock; a panic becomes an error.
fn detached<T: Send>(py: Python<'_>, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    py.detach(|| catch_unwind(AssertUnwindSafe(work))).map_err(|panic| failure(&*panic))
}

fn packed(targets: &[Target]) -> [Vec<u8>; 5] {
    let mut packed: [Vec<u8>; 5] = Default::default();
    let mut offset = 0_i64;
    packed[2].extend(offset.to_ne_bytes());
    for target in targets {
        let chance = if target.best == NO_ACTION { f32::NAN } else { target.win_probability as f32 };
        packed[0].extend(target.best.to_ne_bytes());
        packed[1].extend(chance.to_ne_bytes());
        offset += target.visits.len() as i64;
        packed[2].extend(offset.to_ne_bytes());
        for &(action, visits) in &target.visits {
            packed[3].extend(action.to_ne_bytes());
            packed[4].extend(visits.to_ne_bytes());
        }
    }
    packed
}
