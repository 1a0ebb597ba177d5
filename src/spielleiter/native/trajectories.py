"""Whole games to learn from: by random moves or by the engine's search, as arrays and as files.

A file holds the starts, the actions and what the search thought, not the planes: the engine makes these again faster
than a disk could read them (``Trajectories.observations``).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spielleiter import games
from spielleiter.errors import SettingsError
from spielleiter.native.batch import NO_ACTION, Batch, Targets, whole_number
from spielleiter.native.positions import load as load_game

MAX_GAMES_AT_ONCE = 256


@dataclass(frozen=True, slots=True)
class Trajectories:
    """Games move by move: an entry for each move of each game, game after game."""

    key: str
    """The rule set."""
    starts: NDArray[np.str_]
    """For each game its first position in the notation."""
    results: NDArray[np.float32]
    """Games, teams: +1 won, 0 drawn, -1 lost."""
    points: NDArray[np.int32]
    """Games, teams, parts: the points at the end."""
    games: NDArray[np.int32]
    """For each move the number of its game."""
    actions: NDArray[np.int32]
    """For each move its number."""
    to_move: NDArray[np.uint8]
    """For each move the team that made it."""
    turns: NDArray[np.int32]
    """For each move the turn counter of the rules before it."""
    win_probabilities: NDArray[np.float32]
    """For each move the chance that the search gave the team to move; not a number in random games."""
    offsets: NDArray[np.int64]
    """What the search visited for move ``i`` are the entries from ``offsets[i]`` to ``offsets[i + 1]``."""
    visited: NDArray[np.int32]
    """The actions that were visited, move after move; none in random games."""
    visits: NDArray[np.uint32]
    """How often."""

    def __len__(self) -> int:
        """The number of moves."""
        return len(self.actions)

    @property
    def values(self) -> NDArray[np.float32]:
        """For each move the result of its game for the team that made it: what a value head learns."""
        return self.results[self.games, self.to_move]

    def policies(self, moves: NDArray[np.integer[Any]] | slice) -> NDArray[np.float32]:
        """For these moves the share of the visits of every action, what a policy head learns; one for random moves."""
        chosen = np.arange(len(self))[moves]
        dense = np.zeros((len(chosen), games.load(self.key).encoding.actions), np.float32)
        for row, move in enumerate(chosen):
            span = slice(self.offsets[move], self.offsets[move + 1])
            dense[row, self.visited[span]] = self.visits[span] / max(1, self.visits[span].sum())
            if span.start == span.stop:
                dense[row, self.actions[move]] = 1.0
        return dense

    def observations(self, first: int = 0, last: int | None = None) -> NDArray[np.uint8]:
        """The planes before each move of the games from ``first`` to before ``last``, all games if not given."""
        span = range(len(self.starts))[first:last]
        inside = np.flatnonzero((self.games >= span.start) & (self.games < span.stop))
        game = games.load(self.key)
        planes = np.empty((len(inside), len(game.encoding.planes), *game.encoding.size), np.uint8)
        for rows, observations in self._replay(span, inside):
            planes[rows] = observations
        return planes

    def _replay(self, span: range, inside: NDArray[np.int64]) -> Iterator[tuple[NDArray[np.int64], NDArray[np.uint8]]]:
        """The rows of ``inside`` and what stands there, ply after ply, with all games of ``span`` side by side."""
        if not span:
            return
        batch = Batch(self.key, len(span), auto_reset=False)
        parse = load_game(self.key).notation.parse_state
        for index, number in enumerate(span):
            batch.set_position(index, parse(str(self.starts[number])))
        numbers = self.games[inside]
        begins, ends = (np.searchsorted(numbers, span, side=side) for side in ("left", "right"))
        for ply in range(int((ends - begins).max())):
            rows = begins + ply
            alive = rows < ends
            yield rows[alive], batch.observations[alive]
            actions = np.full(len(span), NO_ACTION)
            actions[alive] = self.actions[inside[rows[alive]]]
            batch.step(actions)

    def save(self, path: Path | str) -> None:
        """Write everything to ``path``, compressed, as numpy's ``.npz``."""
        with Path(path).open("wb") as file:
            arrays: dict[str, Any] = {field.name: np.asarray(getattr(self, field.name)) for field in fields(self)}
            np.savez_compressed(file, **arrays)

    def save_parquet(self, path: Path | str) -> None:
        """Write a row for each move to ``path`` as Parquet; needs pyarrow (the extra ``report``)."""
        try:
            import pyarrow
            import pyarrow.parquet
        except ModuleNotFoundError as missing:
            raise SettingsError(
                "Parquet braucht pyarrow: pip install 'spielleiter[report]'",
                "Parquet needs pyarrow: pip install 'spielleiter[report]'",
            ) from missing
        by_move = {name: getattr(self, name) for name in ("actions", "to_move", "turns", "win_probabilities")}
        table = pyarrow.table(
            {
                "game": self.games,
                "start": self.starts[self.games],
                **by_move,
                "value": self.values,
                "visited": pyarrow.ListArray.from_arrays(self.offsets.astype(np.int32), self.visited),
                "visits": pyarrow.ListArray.from_arrays(self.offsets.astype(np.int32), self.visits),
            },
            metadata={"key": self.key},
        )
        pyarrow.parquet.write_table(table, path)


def read(path: Path | str) -> Trajectories:
    """The trajectories that ``Trajectories.save`` wrote. Raises ``SettingsError`` for any other file."""
    names = [field.name for field in fields(Trajectories)]
    try:
        with np.load(path, allow_pickle=False) as file:
            arrays = {name: file[name] for name in names}
    except (OSError, KeyError, ValueError, EOFError) as error:
        raise SettingsError(
            f"{path} ist keine Datei mit Trajektorien: {error}", f"{path} is not a file of trajectories: {error}"
        ) from error
    return Trajectories(**{**arrays, "key": str(arrays["key"])})


def self_play(
    key: str, number: int, seed: int = 0, *, nodes: int | None = None, explore: int = 12, threads: int = 1
) -> Trajectories:
    """``number`` games from start positions of their own: by random moves, or by a tree search of ``nodes`` nodes.

    With a search, the moves of the first ``explore`` turns are drawn by how often they were visited, so that games
    differ; later ones are the best. The same arguments give the same games.
    """
    number = whole_number(number, "number", 1, None)
    batch = Batch(key, min(number, MAX_GAMES_AT_ONCE), seed, threads=threads)
    recorder = _Recorder(batch, number)
    rng = np.random.default_rng(seed)
    while recorder.playing.any():
        targets = None if nodes is None else batch.search(nodes, recorder.playing)
        actions = batch.random_actions().copy() if targets is None else _drawn(targets, batch, explore, rng)
        actions[~recorder.playing] = NO_ACTION
        recorder.before(actions, targets)
        batch.step(actions)
        recorder.after()
    return recorder.trajectories()


def _drawn(targets: Targets, batch: Batch, explore: int, rng: np.random.Generator) -> NDArray[np.int64]:
    actions = targets.actions.copy()
    for index in np.flatnonzero((batch.turns < explore) & (actions != NO_ACTION)):
        span = slice(targets.offsets[index], targets.offsets[index + 1])
        visits = targets.visits[span].astype(np.float64)
        actions[index] = rng.choice(targets.visited[span], p=visits / visits.sum())
    return actions


class _Recorder:
    """Takes down what the games of a batch do. A game that ends makes room for the next one until all have begun."""

    def __init__(self, batch: Batch, number: int) -> None:
        self._batch = batch
        self._number = number
        self._numbers = np.arange(batch.n)
        """For each place in the batch the number of the game there."""
        self._begun = batch.n
        self.playing = np.ones(batch.n, np.bool_)
        self._starts = {index: batch.position(index).text for index in range(batch.n)}
        parts = batch.points.shape[2]
        self._results = np.zeros((number, 2), np.float32)
        self._points = np.zeros((number, 2, parts), np.int32)
        self._moves: list[tuple[NDArray[Any], ...]] = []
        self._searched: list[tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.uint32]]] = []

    def before(self, actions: NDArray[np.int64], targets: Targets | None) -> None:
        """Note what is about to be played."""
        batch, playing = self._batch, self.playing
        chances = np.full(batch.n, np.nan, np.float32) if targets is None else targets.win_probabilities
        columns = (self._numbers, actions, batch.to_move, batch.turns, chances)
        self._moves.append(tuple(column[playing] for column in columns))
        if targets is not None:
            self._searched.append((np.diff(targets.offsets)[playing], targets.visited, targets.visits))

    def after(self) -> None:
        """Note which games have ended, and begin others in their places."""
        batch = self._batch
        for index in np.flatnonzero(batch.done & self.playing):
            number = self._numbers[index]
            self._results[number], self._points[number] = batch.rewards[index], batch.points[index]
            if self._begun == self._number:
                self.playing[index] = False
                continue
            self._numbers[index] = self._begun
            self._starts[self._begun] = batch.position(int(index)).text
            self._begun += 1

    def trajectories(self) -> Trajectories:
        """Everything, sorted by games."""
        numbers, actions, to_move, turns, chances = (
            np.concatenate(column) for column in zip(*self._moves, strict=True)
        )
        order = np.argsort(numbers, kind="stable")
        offsets, visited, visits = self._visits(order)
        return Trajectories(
            self._batch.game.key,
            np.array([self._starts[number] for number in range(self._number)]),
            self._results,
            self._points,
            numbers[order].astype(np.int32),
            actions[order].astype(np.int32),
            to_move[order],
            turns[order],
            chances[order],
            offsets,
            visited,
            visits,
        )

    def _visits(self, order: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.uint32]]:
        if not self._searched:
            return np.zeros(len(order) + 1, np.int64), np.zeros(0, np.int32), np.zeros(0, np.uint32)
        lengths, visited, visits = (np.concatenate(column) for column in zip(*self._searched, strict=True))
        begins = np.concatenate(([0], np.cumsum(lengths)))[:-1]
        offsets = np.concatenate(([0], np.cumsum(lengths[order])))
        places = np.repeat(begins[order] - offsets[:-1], lengths[order]) + np.arange(offsets[-1])
        return offsets, visited[places], visits[places]
