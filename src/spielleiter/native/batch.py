"""Many games at once: they step together and show themselves in numpy arrays, without the interpreter's lock.

Laws: the same seed gives the same games, whatever the number of threads; what an array shows of a game is what
``game.encoding`` says of its position, seen by the team to move; if one action is illegal, none is played.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from spielleiter import games
from spielleiter.backports import add_note
from spielleiter.errors import SettingsError
from spielleiter.native.positions import bridge_of, position, require_engine

if TYPE_CHECKING:
    from spielleiter._engine import Position
    from spielleiter.game import GameState

NO_ACTION = -1
"""The action that leaves a game as it is."""

MAX_THREADS = 256
_SEEDS = 1 << 64


class Batch:
    """``n`` games of the rule set ``key``; each call writes into the same arrays, which are never replaced.

    The start positions are drawn by the engine: as likely as those of ``game.new_state``, but not the same ones.
    """

    observations: NDArray[np.uint8]
    """Games, planes, rows, columns: each game as the team to move sees it."""
    masks: NDArray[np.bool_]
    """Games, actions: which are legal; none where a game is over."""
    to_move: NDArray[np.uint8]
    """For each game the team to move, 0 or 1."""
    turns: NDArray[np.int32]
    """For each game the turn counter of its rules."""
    rewards: NDArray[np.float32]
    """Games, teams: +1 for the winner and -1 for the loser of a game that the last step ended; else 0."""
    done: NDArray[np.bool_]
    """Whether the last step ended the game. With ``auto_reset`` everything else already shows the next one."""
    points: NDArray[np.int32]
    """Games, teams, parts: ``state.points`` of a game that the last step ended; else 0."""

    def __init__(self, key: str, n: int, seed: int = 0, *, threads: int = 1, auto_reset: bool = True) -> None:
        """Begin ``n`` games. Without ``auto_reset`` a game that has ended stays as it is until ``reset``."""
        self._allocate(key, n, threads, auto_reset)
        self._begin(whole_number(seed, "seed", 0, None))

    def _allocate(self, key: str, n: int, threads: int, auto_reset: bool) -> None:
        """Make everything but the games."""
        require_engine(key)
        self.game = games.load(key)
        self.n = whole_number(n, "n", 1, None)
        self.threads = whole_number(threads, "threads", 1, MAX_THREADS)
        self.auto_reset = auto_reset
        encoding, parts = self.game.encoding, len(self.game.scores)
        shape = (len(encoding.planes), *encoding.size)
        _check_memory(n, int(np.prod(shape)) + encoding.actions + 2 * 4 * (parts + 2))
        self.observations = np.zeros((n, *shape), np.uint8)
        self.masks = np.zeros((n, encoding.actions), np.bool_)
        self.to_move = np.zeros(n, np.uint8)
        self.turns = np.zeros(n, np.int32)
        self.rewards = np.zeros((n, 2), np.float32)
        self.done = np.zeros(n, np.bool_)
        self.points = np.zeros((n, 2, parts), np.int32)
        self._actions = np.zeros(n, np.int64)

    def _arrays(self) -> tuple[NDArray[Any], ...]:
        """All that the engine writes to."""
        return (
            self.observations,
            self.masks.view(np.uint8),
            self.to_move,
            self.turns,
            self.rewards,
            self.done.view(np.uint8),
            self.points,
        )

    def _begin(self, seed: int) -> None:
        from spielleiter import _engine

        self._batch = _engine.Batch(
            self.game.key,
            self.n,
            seed % _SEEDS,
            self._arrays(),
            shape=(self.observations[0].size, self.masks.shape[1]),
            parts=self.points.shape[2],
            threads=self.threads,
            auto_reset=self.auto_reset,
        )

    # --- copies -------------------------------------------------------------------------------------------------------

    def clone(self) -> Batch:
        """The same games in arrays of their own, with the same chance: both go on alike."""
        twin = object.__new__(type(self))
        twin._allocate(self.game.key, self.n, self.threads, self.auto_reset)
        for own, other in zip(self._arrays(), twin._arrays(), strict=True):
            other[:] = own
        shape = (self.observations[0].size, self.masks.shape[1])
        twin._batch = self._batch.copy(twin._arrays(), shape=shape, parts=self.points.shape[2])
        return twin

    def __copy__(self) -> Batch:
        return self.clone()

    def __deepcopy__(self, memo: object) -> Batch:
        return self.clone()

    def __getstate__(self) -> dict[str, Any]:
        return {
            "made": (self.game.key, self.n, self.threads, self.auto_reset),
            "positions": [self.position(index).text for index in range(self.n)],
            "seeds": self._batch.seeds(),
            "ended": (self.rewards, self.done, self.points),
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        self._allocate(*state["made"])
        self._begin(0)
        bridge = bridge_of(self.game.key)
        for index, text in enumerate(state["positions"]):
            self._batch.set_position(index, bridge.position(text))
        self._batch.set_seeds(state["seeds"])
        self._batch.show()
        for own, stored in zip((self.rewards, self.done, self.points), state["ended"], strict=True):
            own[:] = stored

    def reset(self, seed: int = 0) -> None:
        """Begin all games anew."""
        self._batch.reset(whole_number(seed, "seed", 0, None) % _SEEDS)

    def step(self, actions: NDArray[np.integer[Any]]) -> None:
        """Play one action in each game; ``NO_ACTION`` leaves a game as it is.

        Raises ``SettingsError`` for anything but an array of ``n`` action numbers, and ``IllegalMove`` for an illegal
        action, with a note that names the game: then no game has changed.
        """
        illegal = self._batch.step(self._checked(actions))
        if illegal is not None:
            self._refuse(illegal, int(actions[illegal]))

    def _checked(self, actions: NDArray[np.integer[Any]]) -> NDArray[np.int64]:
        found = np.asarray(actions)
        if found.shape != (self.n,) or found.dtype.kind not in "iu":
            raise SettingsError(
                f"erwartet: {self.n} ganze Zahlen, eine Aktion für jedes Spiel; gefunden: ein Feld der Form "
                f"{found.shape} vom Typ {found.dtype}",
                f"expected {self.n} whole numbers, an action for each game, found an array of shape {found.shape} "
                f"and type {found.dtype}",
            )
        return np.ascontiguousarray(found, np.int64)

    def _refuse(self, index: int, action: int) -> None:
        actions = self.masks.shape[1]
        if not 0 <= action < actions:
            raise SettingsError(
                f"erwartet für Spiel {index}: eine Aktion von 0 bis {actions - 1} oder {NO_ACTION}; gefunden: {action}",
                f"expected an action from 0 to {actions - 1} or {NO_ACTION} for game {index}, found {action}",
            )
        try:
            self.position(index).play_action(action)
        except Exception as error:
            add_note(error, f"action {action} in game {index} of the batch; no game has changed")
            raise

    def random_actions(self) -> NDArray[np.int64]:
        """A legal action for each game, all equally likely; ``NO_ACTION`` where a game is over.

        Drawn from the batch's own seed. The array is the same one in each call.
        """
        self._batch.random_actions(self._actions)
        return self._actions

    def search(self, nodes: int, where: NDArray[np.bool_] | None = None) -> Targets:
        """What the engine's tree search finds in each game with ``nodes`` nodes, or only in the games ``where``.

        No game changes. Ctrl-C ends it.
        """
        nodes = whole_number(nodes, "nodes", 1, None)
        wanted = np.ones(self.n, np.bool_) if where is None else np.asarray(where)
        if wanted.shape != (self.n,) or wanted.dtype != np.bool_:
            raise SettingsError(
                f"erwartet für where: {self.n} Wahrheitswerte; gefunden: ein Feld der Form {wanted.shape} vom Typ "
                f"{wanted.dtype}",
                f"expected where to be {self.n} truth values, found an array of shape {wanted.shape} and type "
                f"{wanted.dtype}",
            )
        best, chances, offsets, actions, visits = self._batch.search(nodes, wanted.tolist())
        return Targets(
            np.frombuffer(best, np.int64),
            np.frombuffer(chances, np.float32),
            np.frombuffer(offsets, np.int64),
            np.frombuffer(actions, np.int32),
            np.frombuffer(visits, np.uint32),
        )

    def position(self, index: int) -> Position:
        """The position of one game."""
        found: Position = self._batch.position(index, bridge_of(self.game.key))
        return found

    def set_position(self, index: int, state: GameState[Any]) -> None:
        """Let game ``index`` go on from ``state``, native or not; rewards and ``done`` of all games are cleared."""
        if state.rules.key != self.game.key:
            raise SettingsError(
                f"erwartet: eine Stellung von {self.game.key}; gefunden: eine von {state.rules.key}",
                f"expected a position of {self.game.key}, found one of {state.rules.key}",
            )
        from spielleiter._engine import Position

        self._batch.set_position(index, state if isinstance(state, Position) else position(state))
        self._batch.show()


@dataclass(frozen=True, slots=True)
class Targets:
    """What a search found in each game of a batch: what to play, and what to learn from."""

    actions: NDArray[np.int64]
    """The best action of each game; ``NO_ACTION`` where the game is over or was not searched."""
    win_probabilities: NDArray[np.float32]
    """The chance of the team to move to win, from 0 to 1; not a number where ``actions`` has ``NO_ACTION``."""
    offsets: NDArray[np.int64]
    """The visits of game ``i`` are those from ``offsets[i]`` to ``offsets[i + 1]``."""
    visited: NDArray[np.int32]
    """The actions that were visited, game after game."""
    visits: NDArray[np.uint32]
    """How often each of them was visited."""

    def policies(self, actions: int) -> NDArray[np.float32]:
        """Games, ``actions``: the share of the visits that each action got."""
        dense = np.zeros((len(self.actions), actions), np.float32)
        rows = np.repeat(np.arange(len(self.actions)), np.diff(self.offsets))
        dense[rows, self.visited] = self.visits
        dense /= np.maximum(dense.sum(axis=1, keepdims=True), 1)
        return dense


def whole_number(value: object, name: str, lowest: int, highest: int | None) -> int:
    """``value`` if it is a whole number within the bounds. Raises ``SettingsError`` with the ``name``."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or not lowest <= value <= (highest or value):
        de = f"von {lowest} bis {highest}" if highest else f"ab {lowest}"
        en = f"from {lowest} to {highest}" if highest else f"from {lowest} on"
        raise SettingsError(
            f"erwartet für {name}: eine ganze Zahl {de}; gefunden: {value!r}",
            f"expected {name} to be a whole number {en}, found {value!r}",
        )
    return int(value)


def _check_memory(n: int, each: int) -> None:
    """Refuse a batch that does not fit: the system would promise the memory, and end this process when it is used."""
    free = _free_memory()
    if free is not None and n * each > free:
        raise SettingsError(
            f"{n} Spiele brauchen {n * each / 2**30:.1f} GiB Speicher, frei sind {free / 2**30:.1f}: höchstens "
            f"{free // each} Spiele",
            f"{n} games need {n * each / 2**30:.1f} GiB of memory, {free / 2**30:.1f} are free: at most "
            f"{free // each} games",
        )


def _free_memory() -> int | None:
    """Bytes that can be had without swapping, where the system says it."""
    try:
        with open("/proc/meminfo", encoding="ascii") as file:
            sizes = dict(line.split(":", 1) for line in file)
        return int(sizes["MemAvailable"].split()[0]) * 1024
    except (OSError, KeyError, ValueError):
        return None
