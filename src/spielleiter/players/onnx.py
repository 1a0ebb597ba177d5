"""A player from a network: ``onnx:net.onnx`` plays its policy, ``onnx:net.onnx,nodes=200`` searches a tree with it.

The network has one input, float32, shaped (positions, planes, rows, columns) as ``game.encoding`` says, and two
outputs: ``policy`` (positions, actions), the higher the better, and ``value`` (positions, 1) or (positions,), from -1
to 1 for the team to move. Its metadata may name the rule set that it was trained on as ``spielleiter.game``. Needs the
extra ``onnx``.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import lru_cache, partial
from pathlib import Path
from random import Random
from typing import Any, cast

from spielleiter import games, native
from spielleiter.errors import SettingsError
from spielleiter.game import AnyGame, GameState, Team
from spielleiter.players.builtin import thinking_time
from spielleiter.search import Budget, MonteCarlo
from spielleiter.search.engine import why_not_built

METADATA = "spielleiter.game"
_REMEMBERED = 50_000
"""Positions whose answers are remembered, for a tree comes by many of them again."""
_EXPLORATION, _OPTIMISM = 1.5, -0.2
"""Unlike a search without priors, this one need not try every move once: what the policy dislikes can wait."""


class OnnxPlayer:
    """Plays what a network says, alone or as the judge of a tree search."""

    def __init__(self, path: Path | str, *, nodes: int | None = None, seed: int | None = None) -> None:
        """Load the network at ``path``. Raises ``SettingsError`` if it is none that could play any of our games."""
        self._path = Path(path)
        self._session = _session(self._path)
        self._shape = _input_shape(self._session, self._path)
        self._input = self._session.get_inputs()[0].name
        self._nodes = nodes
        self._rng = Random(seed)
        self._searches: dict[str, MonteCarlo[Any, Any]] = {}
        self._answers = lru_cache(_REMEMBERED)(self._ask)

    def choose(self, state: GameState[Any], seconds: float) -> Any:
        """The move that the network, or the tree search with it, likes best."""
        game = games.game_of(state)
        if game.key not in self._searches:
            self.check(game)
            self._searches[game.key] = MonteCarlo(
                self._evaluate, priors=self._priors, exploration=_EXPLORATION, optimism=_OPTIMISM, rng=self._rng
            )
        if why_not_built(game.key) is None:
            state = native.position(state)
        if self._nodes is None:
            moves = state.legal_moves()
            chances = self._priors(state, moves)
            return moves[max(range(len(moves)), key=chances.__getitem__)]
        budget = Budget(seconds=thinking_time(seconds), nodes=self._nodes)
        return self._searches[game.key].search(state, budget).move

    def check(self, game: AnyGame) -> None:
        """Raise ``SettingsError`` if the network was made for another game or encoding than that of ``game``."""
        encoding = game.encoding
        expected = (len(encoding.planes), *encoding.size)
        actions = next(output.shape[-1] for output in self._session.get_outputs() if output.name == "policy")
        trained_on = self._session.get_modelmeta().custom_metadata_map.get(METADATA, game.key)
        if (self._shape, actions) != (expected, encoding.actions):
            raise SettingsError(
                f"{self._path} passt nicht zu {game.key}: erwartet {expected} und {encoding.actions} Aktionen; "
                f"gefunden {self._shape} und {actions}",
                f"{self._path} does not fit {game.key}: expected {expected} and {encoding.actions} actions, found "
                f"{self._shape} and {actions}",
            )
        if _family(trained_on) != _family(game.key):
            raise SettingsError(
                f"{self._path} wurde für {trained_on} trainiert, nicht für {game.key}",
                f"{self._path} was trained for {trained_on}, not for {game.key}",
            )

    def _ask(self, state: GameState[Any]) -> tuple[Sequence[float], float]:
        """The policy and the value of a position, for the team to move."""
        import numpy as np

        observe = (
            state.observe if hasattr(state, "observe") else partial(games.game_of(state).encoding.plane_bytes, state)
        )
        planes = np.frombuffer(observe(state.to_move), np.uint8).reshape(1, *self._shape).astype(np.float32)
        policy, value = self._session.run(["policy", "value"], {self._input: planes})
        return policy[0], value.item()

    def _evaluate(self, state: GameState[Any], team: Team) -> float:
        value = max(-1.0, min(1.0, self._answers(cast("Hashable", state))[1]))
        return value if state.to_move is team else -value

    def _priors(self, state: GameState[Any], moves: Sequence[Any]) -> list[float]:
        """The chances of ``moves`` by the policy, together 1."""
        import numpy as np

        number = state.action if hasattr(state, "action") else partial(games.game_of(state).encoding.action, state)
        logits = np.asarray(self._answers(cast("Hashable", state))[0])[list(map(number, moves))]
        weights = np.exp(logits - logits.max())
        chances: list[float] = (weights / weights.sum()).tolist()
        return chances


def _family(key: str) -> str:
    """A rule set and its ``-official`` variant are played by the same networks."""
    return key.removesuffix("-official")


def _session(path: Path) -> Any:
    try:
        import onnxruntime
    except ModuleNotFoundError as missing:
        raise SettingsError(
            "ein Spieler aus einem Netz braucht onnxruntime: pip install 'spielleiter[onnx]'",
            "a player from a network needs onnxruntime: pip install 'spielleiter[onnx]'",
        ) from missing
    if not path.is_file():
        raise SettingsError(f"es gibt keine Datei {path}", f"there is no file {path}")
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1  # positions come one by one: more threads would only wait for each other
    try:
        return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except Exception as error:
        reason = str(error).splitlines()[0]
        raise SettingsError(
            f"{path} ist kein ONNX-Netz: {reason}", f"{path} is not an ONNX network: {reason}"
        ) from error


def _input_shape(session: Any, path: Path) -> tuple[int, ...]:
    """Planes, rows and columns that the network sees; refuses what fits none of our games."""
    inputs, outputs = session.get_inputs(), [output.name for output in session.get_outputs()]
    shape = tuple(inputs[0].shape[1:]) if inputs else ()
    known = sorted({(len(game.encoding.planes), *game.encoding.size) for game in games.all_games().values()})
    if len(inputs) != 1 or inputs[0].type != "tensor(float)" or shape not in known:
        found = ", ".join(f"{given.name}: {given.type} {given.shape}" for given in inputs)
        raise SettingsError(
            f"{path}: erwartet ein Eingang float32 (Stellungen, Ebenen, Zeilen, Spalten), die letzten drei eine von "
            f"{known}; gefunden: {found}",
            f"{path}: expected one input float32 (positions, planes, rows, columns), the last three one of {known}, "
            f"found {found}",
        )
    if not {"policy", "value"} <= set(outputs):
        raise SettingsError(
            f"{path}: erwartet die Ausgänge policy und value; gefunden: {', '.join(outputs)}",
            f"{path}: expected the outputs policy and value, found {', '.join(outputs)}",
        )
    return shape
