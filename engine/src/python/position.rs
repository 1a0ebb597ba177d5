//! `Position`: a position of any game as an object that fulfils the contract of a state of the Python rules.
//!
//! Moves are the values of the Python rules. Each is made once and then found by its number, and its number by its
//! address: so a list of moves creates nothing, and playing one of them reads none of its attributes. Whatever the
//! contract does not know, and why a move is illegal, is asked of the state of the Python rules, made when first needed.

use super::{guard, parse, winner};
use crate::any::Any;
use crate::encoding::{Encoded, Field};
use crate::game::{Move, Position as _, Team};
use crate::search::{Searchable, win_probability};
use crate::with_position;
use pyo3::exceptions::{PyAttributeError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyByteArray, PyBytes, PyDict, PyTuple};
use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::{Mutex, OnceLock};

/// No game numbers its moves in more ways: at most each of four colours has its own.
const MAX_VIEWS: usize = 4;

/// So many moves fit before their list has to grow.
const USUAL_MOVES: usize = 128;

/// What positions of one rule set need of the Python package.
#[pyclass(frozen, module = "spielleiter._engine")]
pub struct Bridge {
    /// The rule set as the Python rules describe it.
    rules: Py<PyAny>,
    /// The two values of `Team`.
    teams: Py<PyTuple>,
    /// The `Encoding` of the game: moves from numbers, and back.
    encoding: Py<PyAny>,
    /// Makes an `Outcome` of a winner and the name of a reason.
    new_outcome: Py<PyAny>,
    /// Makes a state of the Python rules of its fields and the last move.
    new_state: Py<PyAny>,
    /// Makes a position of its text, the last move and its number: what a pickle calls.
    restore: Py<PyAny>,
    /// The moves by view and number, each made when first asked for.
    moves: Vec<PyOnceLock<Py<PyAny>>>,
    /// The place in `moves` by the first place of a view and the address of a move, which lives as long as `moves` does.
    places: Mutex<HashMap<(usize, usize), usize>>,
}

#[pymethods]
impl Bridge {
    #[new]
    #[pyo3(signature = (*, rules, teams, encoding, actions, new_outcome, new_state, restore))]
    fn new(
        rules: Py<PyAny>,
        teams: Py<PyTuple>,
        encoding: Py<PyAny>,
        actions: usize,
        new_outcome: Py<PyAny>,
        new_state: Py<PyAny>,
        restore: Py<PyAny>,
    ) -> Self {
        let moves = std::iter::repeat_with(PyOnceLock::new).take(MAX_VIEWS * actions).collect();
        Bridge { rules, teams, encoding, new_outcome, new_state, restore, moves, places: Mutex::default() }
    }

    /// The position that `text` describes, after `last_move`, which the engine calls `last`.
    #[pyo3(signature = (text, last_move = None, last = None, /))]
    fn position(slf: Py<Self>, text: &str, last_move: Option<Py<PyAny>>, last: Option<u16>) -> PyResult<Position> {
        guard(|| Ok(Position::new(parse(text)?, slf, last_move, last.map(Move))))
    }

    /// The position that `text` describes, which is the same as `state` of the Python rules.
    #[pyo3(signature = (text, state, /))]
    fn position_of(slf: Py<Self>, py: Python<'_>, text: &str, state: Bound<'_, PyAny>) -> PyResult<Position> {
        let last_move = state.getattr("last_move")?;
        let position = Self::position(slf, text, (!last_move.is_none()).then(|| last_move.unbind()), None)?;
        position.python.get_or_init(py, || state.unbind());
        Ok(position)
    }
}

/// (text, last move, its number).
type Pickled<'py> = (String, Option<Bound<'py, PyAny>>, Option<u16>);

/// One position of one game: immutable.
#[pyclass(frozen, weakref, module = "spielleiter._engine")]
pub struct Position {
    any: Any,
    bridge: Py<Bridge>,
    last_move: Option<Py<PyAny>>,
    /// Where that move came from and its number, if it is yet to be made.
    before: Option<Box<(Any, usize)>>,
    /// The same move as the engine writes it, where known.
    last: Option<Move>,
    /// All legal moves, in any order: that of the rules is only made for who asks for values.
    legal: OnceLock<Vec<Move>>,
    legal_values: PyOnceLock<Py<PyTuple>>,
    python: PyOnceLock<Py<PyAny>>,
}

impl Position {
    pub(super) fn new(any: Any, bridge: Py<Bridge>, last_move: Option<Py<PyAny>>, last: Option<Move>) -> Self {
        let (legal, legal_values, python) = (OnceLock::new(), PyOnceLock::new(), PyOnceLock::new());
        Position { any, bridge, last_move, before: None, last, legal, legal_values, python }
    }

    pub(super) fn any(&self) -> Any {
        self.any
    }

    fn legal(&self) -> &[Move] {
        self.legal.get_or_init(|| {
            let mut moves = Vec::with_capacity(USUAL_MOVES);
            with_position!(&self.any, position => {
                position.moves(&mut moves);
                position.uncounted_moves(&mut moves);
            });
            moves
        })
    }

    /// The place in the bridge's moves of the action 0, and the number of actions.
    fn places(&self) -> (usize, usize) {
        fn places<P: Encoded>(position: &P) -> (usize, usize) {
            (position.view() * P::ACTIONS, P::ACTIONS)
        }
        with_position!(&self.any, position => places(position))
    }

    /// The move with this number as the Python rules write it.
    fn value<'py>(slf: &Bound<'py, Self>, action: usize) -> PyResult<Bound<'py, PyAny>> {
        let (py, bridge) = (slf.py(), slf.get().bridge.get());
        let (first, actions) = slf.get().places();
        let entry = (action < actions).then(|| bridge.moves.get(first + action)).flatten();
        let entry = entry.ok_or_else(|| {
            PyValueError::new_err(format!("expected an action from 0 to {}, found {action}", actions - 1))
        })?;
        if let Some(made) = entry.get(py) {
            return Ok(made.bind(py).clone());
        }
        let new = bridge.encoding.bind(py).call_method1("move", (slf, action))?.unbind();
        let made = entry.get_or_init(py, || new);
        if let Ok(mut places) = bridge.places.lock() {
            places.insert((first, made.as_ptr() as usize), first + action);
        }
        Ok(made.bind(py).clone())
    }

    fn values<'py>(slf: &Bound<'py, Self>, moves: &[Move]) -> PyResult<Bound<'py, PyTuple>> {
        let (py, this) = (slf.py(), slf.get());
        let bridge = this.bridge.get();
        let first = this.places().0;
        let places: Vec<usize> = with_position!(&this.any, position => {
            moves.iter().map(|&m| first + position.action(m)).collect()
        });
        for &place in &places {
            if bridge.moves[place].get(py).is_none() {
                Self::value(slf, place - first)?;
            }
        }
        PyTuple::new(py, places.iter().map(|&place| bridge.moves[place].get(py)))
    }

    /// The number of a move, legal or not; `None` if it is none that could ever be legal.
    fn action_of(slf: &Bound<'_, Self>, value: &Bound<'_, PyAny>) -> PyResult<Option<usize>> {
        let bridge = slf.get().bridge.get();
        let (first, actions) = slf.get().places();
        let key = (first, value.as_ptr() as usize);
        if let Some(place) = bridge.places.lock().ok().and_then(|places| places.get(&key).copied()) {
            return Ok(Some(place - first));
        }
        // Not one of ours. Nonsense has no number, or that of another move.
        let Ok(number) = bridge.encoding.bind(slf.py()).call_method1("action", (slf, value)) else { return Ok(None) };
        match number.extract::<usize>() {
            Ok(number) if number < actions && Self::value(slf, number)?.eq(value)? => Ok(Some(number)),
            _ => Ok(None),
        }
    }

    fn legal_move_of(slf: &Bound<'_, Self>, value: &Bound<'_, PyAny>) -> PyResult<Option<Move>> {
        Ok(Self::action_of(slf, value)?.and_then(|action| slf.get().legal_move(action)))
    }

    fn legal_move(&self, action: usize) -> Option<Move> {
        let found = with_position!(&self.any, position => position.move_of(action));
        found.filter(|m| self.legal().contains(m))
    }

    fn after(&self, py: Python<'_>, m: Move, value: Option<Py<PyAny>>) -> PyResult<Self> {
        let any = guard(|| Ok(with_position!(&self.any, position => Any::from(position.play(m)))))?;
        Ok(Position::new(any, self.bridge.clone_ref(py), value, Some(m)))
    }

    /// Lets the Python rules refuse a move.
    fn refuse(slf: &Bound<'_, Self>, value: &Bound<'_, PyAny>) -> PyErr {
        match Self::to_python(slf).and_then(|state| state.call_method1("play", (value,))) {
            Err(refusal) => refusal,
            Ok(_) => PyRuntimeError::new_err("the engine refuses a move that the rules allow"),
        }
    }
}

#[pymethods]
impl Position {
    /// The rule set that is played.
    #[getter]
    fn rules<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
        self.bridge.get().rules.bind(py).clone()
    }

    /// The turn counter of the rules.
    #[getter]
    fn turn(&self) -> u32 {
        with_position!(&self.any, position => position.turn())
    }

    /// The team whose move is awaited.
    #[getter]
    fn to_move<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let team = with_position!(&self.any, position => position.to_move());
        self.bridge.get().teams.bind(py).get_item(team as usize)
    }

    /// How the game ended, or `None` while it runs.
    #[getter]
    fn outcome<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        // Listing the moves is needed anyway, and remembered.
        if !self.legal().is_empty() {
            return Ok(None);
        }
        let Some(outcome) = with_position!(&self.any, position => position.outcome()) else { return Ok(None) };
        self.bridge.get().new_outcome.bind(py).call1((winner(outcome.verdict), outcome.reason)).map(Some)
    }

    /// The move that led here, where known.
    #[getter]
    fn last_move<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let Some(before) = &self.before else {
            return Ok(self.last_move.as_ref().map(|last_move| last_move.bind(py).clone()));
        };
        let position = Position::new(before.0, self.bridge.clone_ref(py), None, None);
        Self::value(&Bound::new(py, position)?, before.1).map(Some)
    }

    /// The position in the notation of its game.
    #[getter]
    fn text(&self) -> String {
        with_position!(&self.any, position => position.format())
    }

    /// All legal moves, in the order of the rules; empty exactly when the game is over.
    fn legal_moves<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let (py, this) = (slf.py(), slf.get());
        if let Some(values) = this.legal_values.get(py) {
            return Ok(values.bind(py).clone());
        }
        let mut moves = Vec::with_capacity(this.legal().len());
        with_position!(&this.any, position => position.legal_moves(&mut moves));
        let values = Self::values(slf, &moves)?;
        Ok(this.legal_values.get_or_init(py, || values.unbind()).bind(py).clone())
    }

    /// The rule that a move breaks here, or `None` if it is legal.
    fn violation<'py>(slf: &Bound<'py, Self>, r#move: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
        if Self::legal_move_of(slf, r#move)?.is_some() {
            return Ok(None);
        }
        Self::to_python(slf)?.call_method1("violation", (r#move,)).map(Some)
    }

    /// The position after a move. Raises `IllegalMove`.
    fn play(slf: &Bound<'_, Self>, r#move: &Bound<'_, PyAny>) -> PyResult<Self> {
        match Self::legal_move_of(slf, r#move)? {
            Some(found) => slf.get().after(slf.py(), found, Some(r#move.clone().unbind())),
            None => Err(Self::refuse(slf, r#move)),
        }
    }

    /// Like `play` for a move that came from `legal_moves`.
    fn play_unchecked(slf: &Bound<'_, Self>, r#move: &Bound<'_, PyAny>) -> PyResult<Self> {
        let action = Self::action_of(slf, r#move)?;
        match action.and_then(|action| with_position!(&slf.get().any, position => position.move_of(action))) {
            Some(found) => slf.get().after(slf.py(), found, Some(r#move.clone().unbind())),
            None => Err(Self::refuse(slf, r#move)),
        }
    }

    /// The team's score, part by part.
    fn points<'py>(&self, py: Python<'py>, team: usize) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, with_position!(&self.any, position => position.points(Team::from_index(team))))
    }

    /// The number of a legal move, as the team to move sees the board.
    fn action(slf: &Bound<'_, Self>, r#move: &Bound<'_, PyAny>) -> PyResult<usize> {
        Self::action_of(slf, r#move)?.ok_or_else(|| Self::refuse(slf, r#move))
    }

    /// The move with this number, legal or not.
    fn r#move<'py>(slf: &Bound<'py, Self>, action: usize) -> PyResult<Bound<'py, PyAny>> {
        Self::value(slf, action)
    }

    /// The position after the move with this number. Raises `IllegalMove`.
    fn play_action(slf: &Bound<'_, Self>, action: usize) -> PyResult<Self> {
        let (py, this) = (slf.py(), slf.get());
        let (first, actions) = this.places();
        let Some(found) = (action < actions).then(|| this.legal_move(action)).flatten() else {
            return Err(Self::refuse(slf, &Self::value(slf, action)?));
        };
        let made = this.bridge.get().moves[first + action].get(py).map(|value| value.clone_ref(py));
        let mut after = this.after(py, found, made)?;
        if after.last_move.is_none() {
            after.before = Some(Box::new((this.any, action)));
        }
        Ok(after)
    }

    /// The planes that `team` sees, one byte for each square.
    fn observe<'py>(&self, py: Python<'py>, team: usize) -> PyResult<Bound<'py, PyByteArray>> {
        with_position!(&self.any, position => {
            let size = position.shape().iter().product();
            PyByteArray::new_with(py, size, |planes| {
                position.observe(Team::from_index(team), planes);
                Ok(())
            })
        })
    }

    /// A byte for each action: 1 if it is legal now.
    fn mask<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyByteArray>> {
        PyByteArray::new_with(py, self.places().1, |mask| {
            with_position!(&self.any, position => self.legal().iter().for_each(|&m| mask[position.action(m)] = 1));
            Ok(())
        })
    }

    /// The planes that the team to move sees, and the mask: what an agent is shown, in one call.
    fn look<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyByteArray>, Bound<'py, PyByteArray>)> {
        let team = with_position!(&self.any, position => position.to_move());
        Ok((self.observe(py, team as usize)?, self.mask(py)?))
    }

    /// How good a running game looks to the engine for a team, from -1 to 1; nothing is searched.
    fn evaluate(&self, team: usize) -> f64 {
        fn value<P: Searchable>(position: &P, team: Team) -> f64 {
            let own = 2.0 * win_probability::<P>(position.evaluate()) - 1.0;
            if position.to_move() == team { own } else { -own }
        }
        with_position!(&self.any, position => value(position, Team::from_index(team)))
    }

    /// Up to `limit` legal moves, those first that look best to the engine before any search.
    fn promising_moves<'py>(slf: &Bound<'py, Self>, limit: usize) -> PyResult<Bound<'py, PyTuple>> {
        fn sorted<P: Searchable>(position: &P) -> Vec<Move> {
            let mut moves = Vec::new();
            position.moves(&mut moves);
            let context = position.context();
            moves.sort_by_cached_key(|&m| Reverse(position.order_score(&context, m)));
            moves
        }
        let mut moves = with_position!(&slf.get().any, position => sorted(position));
        moves.truncate(limit);
        Self::values(slf, &moves)
    }

    /// The same position as a state of the Python rules.
    fn to_python<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let (py, this) = (slf.py(), slf.get());
        if let Some(state) = this.python.get(py) {
            return Ok(state.bind(py).clone());
        }
        let fields = PyDict::new(py);
        for (name, field) in with_position!(&this.any, position => position.fields(this.last)) {
            fields.set_item(name, this.field(py, &field)?)?;
        }
        let state = this.bridge.get().new_state.bind(py).call1((fields, this.last_move(py)?))?;
        Ok(this.python.get_or_init(py, || state.unbind()).bind(py).clone())
    }

    /// What the contract does not name is asked of the state of the Python rules.
    fn __getattr__<'py>(slf: &Bound<'py, Self>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        // Whoever looks for a protocol that nobody implements need not wait for a state.
        if name.starts_with("__") {
            return Err(PyAttributeError::new_err(format!("'Position' object has no attribute '{name}'")));
        }
        Self::to_python(slf)?.getattr(name)
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| other.get().any == self.any)
    }

    fn __hash__(&self) -> u64 {
        with_position!(&self.any, position => position.hash())
    }

    fn __repr__(&self) -> String {
        format!("<Position {}>", self.text())
    }

    fn __str__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        Ok(Self::to_python(slf)?.str()?.into_any())
    }

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Pickled<'py>)> {
        let restore = self.bridge.get().restore.bind(py).clone();
        Ok((restore, (self.text(), self.last_move(py)?, self.last.map(|m| m.0))))
    }
}

impl Position {
    fn field<'py>(&self, py: Python<'py>, field: &Field) -> PyResult<Bound<'py, PyAny>> {
        match field {
            Field::Number(number) => Ok(number.into_pyobject(py)?.into_any()),
            Field::Squares(bytes) => {
                py.get_type::<pyo3::types::PyInt>().call_method1("from_bytes", (PyBytes::new(py, bytes), "little"))
            }
            Field::Text(text) => Ok(text.into_pyobject(py)?.into_any()),
            Field::Team(None) => Ok(py.None().into_bound(py)),
            Field::Team(Some(team)) => self.bridge.get().teams.bind(py).get_item(*team as usize),
            Field::Tuple(parts) => {
                let parts = parts.iter().map(|field| self.field(py, field)).collect::<PyResult<Vec<_>>>()?;
                Ok(PyTuple::new(py, parts)?.into_any())
            }
        }
    }
}
