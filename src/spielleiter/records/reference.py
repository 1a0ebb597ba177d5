"""Games recorded from the reference servers, replayed by our rules and compared ply by ply.

A file holds one game a line as JSON, plain or gzipped: the start, the moves, for each ply the number and hash of the
legal moves, and the end. Such a game was refereed by an ``-official`` rule set. Replayed by the rule set of the
*document* it must still have the same legal moves everywhere; its end may differ, and ``Comparison`` says how.
"""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import partial
from hashlib import sha1
from pathlib import Path
from typing import Any

from spielleiter import games
from spielleiter.errors import IllegalMove, RecordError, UnknownGame
from spielleiter.game import TEAMS, AnyGame, Text
from spielleiter.text import NO_TEXT, system_error

MAX_LINE_SIZE = 4 << 20
"""No recorded game comes near to this; a longer line is not a game."""


class Comparison(Enum):
    """How a replayed game relates to its recording."""

    SAME = Text("kein Unterschied", "no difference")
    DIFFERENT_RULES = Text("andere erlaubte Züge, Zugnummern oder Stellungen", "other legal moves, turns or boards")
    ENDS_EARLIER = Text("endet früher", "ends earlier")
    ENDS_LATER = Text("endet später", "ends later")
    OTHER_WINNER = Text("ein anderer Sieger", "another winner")
    OTHER_SCORE = Text("gleicher Sieger, andere Wertung", "same winner, another score")


@dataclass(frozen=True, slots=True)
class Replay:
    """The result of one comparison; ``detail`` and ``position`` say where the first difference is."""

    comparison: Comparison
    detail: Text = NO_TEXT
    position: str = ""


@dataclass(frozen=True, slots=True)
class RecordedGame:
    """One game of a file of recordings."""

    path: Path
    line: int
    data: Mapping[str, Any]

    @property
    def place(self) -> str:
        """File and line, for messages."""
        return f"{self.path}:{self.line}"

    def load_game(self, *, by_document: bool = False) -> AnyGame:
        """The rule set that refereed the game, or the one of the season's document."""
        key = self.data.get("game")
        if not isinstance(key, str):
            raise RecordError(
                f'{self.place}: erwartet wird ein aufgezeichnetes Spiel mit dem Schlüssel "game"',
                f'{self.place}: expected a recorded game with a "game" key',
            )
        try:
            return games.load(key.removesuffix("-official") if by_document else key)
        except UnknownGame as unknown:
            raise RecordError(f"{self.place}: {unknown.text.de}", f"{self.place}: {unknown.text.en}") from None


def read_recorded_games(path: Path) -> Iterator[RecordedGame]:
    """The games of a file of recordings, one after the other. Raises ``RecordError`` with file and line."""
    number = 0
    try:
        with gzip.open(path) if _is_gzip(path) else path.open("rb") as file:
            while line := file.readline(MAX_LINE_SIZE):
                number += 1
                if len(line) == MAX_LINE_SIZE:
                    raise RecordError(
                        f"{path}:{number}: die Zeile ist länger als {MAX_LINE_SIZE} Bytes: kein aufgezeichnetes Spiel",
                        f"{path}:{number}: the line is longer than {MAX_LINE_SIZE} bytes: no recorded game",
                    )
                if line.strip():
                    yield RecordedGame(path, number, _parse(path, number, line))
    except (OSError, EOFError, zlib.error) as problem:
        why = system_error(problem)
        raise RecordError(
            f"{path}: lässt sich nach Zeile {number} nicht lesen: {why.de}",
            f"{path}: cannot be read after line {number}: {why.en}",
        ) from None
    if number == 0:
        raise RecordError(
            f"{path}: die Datei ist leer; erwartet wird ein aufgezeichnetes Spiel pro Zeile",
            f"{path}: the file is empty; expected one recorded game a line",
        )


def _is_gzip(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(2) == b"\x1f\x8b"


def _parse(path: Path, number: int, line: bytes) -> Mapping[str, Any]:
    try:
        data = json.loads(line)
    except (ValueError, RecursionError) as problem:
        raise RecordError(
            f"{path}:{number}: beschädigt oder abgeschnitten, kein JSON: {problem}",
            f"{path}:{number}: damaged or cut off, no JSON: {problem}",
        ) from None
    if not isinstance(data, dict):
        found = type(data).__name__
        raise RecordError(
            f"{path}:{number}: erwartet wird ein JSON-Objekt mit einem Spiel, gefunden {found}",
            f"{path}:{number}: expected a JSON object with one game, found {found}",
        )
    return data


def replay(recorded: RecordedGame, game: AnyGame) -> Replay:
    """Replay one recorded game by the rules of ``game`` and compare it with what was recorded."""
    try:
        return _replay(recorded.data, game)
    except (KeyError, ValueError, TypeError, AttributeError, IndexError) as problem:
        raise RecordError(
            f"{recorded.place}: kein aufgezeichnetes Spiel von {game.key}: {problem!r}",
            f"{recorded.place}: not a recorded game of {game.key}: {problem!r}",
        ) from None


def _replay(data: Mapping[str, Any], game: AnyGame) -> Replay:
    state = game.recordings.start(data)
    moves, legal, turns = data["moves"], data["legal"], data.get("turns")
    for ply, (text, expected) in enumerate(zip(moves, legal, strict=False)):
        if state.outcome is not None:
            end = state.outcome.describe()
            return _difference(Comparison.ENDS_EARLIER, ply, game, state, end.de, end.en)
        difference = partial(_difference, Comparison.DIFFERENT_RULES, ply, game, state)
        if turns is not None and turns[ply] != state.turn:
            return difference(f"aufgezeichnet ist Zugnummer {turns[ply]}", f"recorded turn {turns[ply]}")
        if (found := fingerprint(game, state)) != (known := tuple(expected)):
            return difference(f"erlaubte Züge {found}, aufgezeichnet {known}", f"legal moves {found}, recorded {known}")
        try:
            state = state.play(game.recordings.move(state, text))
        except IllegalMove as refused:
            why: Text = refused.reason.value
            return difference(f"{text} abgelehnt: {why.de}", f"{text} refused: {why.en}")
    return _compare_end(data["end"], game, state)


def _difference(comparison: Comparison, ply: int, game: AnyGame, state: Any, de: str, en: str) -> Replay:
    where = f"Zug {ply}, Zugnummer {state.turn}", f"ply {ply}, turn {state.turn}"
    return Replay(comparison, Text(f"{where[0]}: {de}", f"{where[1]}: {en}"), game.notation.format_state(state))


def fingerprint(game: AnyGame, state: Any) -> tuple[int, str]:
    """Number and hash of the legal moves, as the recordings have them."""
    moves = sorted(move.encode() for move in game.recordings.canonical_moves(state))
    return len(moves), sha1(b"\n".join(moves), usedforsecurity=False).hexdigest()[:16]


def _compare_end(end: Mapping[str, Any], game: AnyGame, state: Any) -> Replay:
    position = game.notation.format_state(state)
    if not end["over"] and end["winner"] is not None and state.outcome is not None:
        # The reference stands still where neither side can move, and says who would win; we skip on until the end.
        winner = None if state.outcome.winner is None else state.outcome.winner.name
        same = winner == end["winner"]
        return Replay(Comparison.SAME) if same else Replay(Comparison.OTHER_WINNER, state.outcome.describe(), position)
    values = {"turn": state.turn, **game.recordings.end(state)}
    for name, found in values.items():
        if name in end and end[name] != found:
            detail = Text(
                f"am Ende: {name} ist {found}, aufgezeichnet {end[name]}",
                f"at the end: {name} is {found}, recorded {end[name]}",
            )
            return Replay(Comparison.DIFFERENT_RULES, detail, position)
    outcome = state.outcome
    if outcome is None:
        detail = Text(
            f"Zugnummer {state.turn}: Die Aufzeichnung endet hier", f"turn {state.turn}: the recording ends here"
        )
        return Replay(Comparison.ENDS_LATER, detail, position)
    if not end["over"]:
        # The reference stands still at a side that has no legal move; for us that side has lost.
        stuck = outcome.winner is state.to_move.opponent and not state.legal_moves()
        return Replay(Comparison.SAME) if stuck else Replay(Comparison.OTHER_WINNER, outcome.describe(), position)
    if end.get("reference_crashed"):
        return Replay(Comparison.SAME)  # There is no result to compare with.
    winner = outcome.winner.name if outcome.winner is not None else None
    if winner != end["winner"]:
        own, recorded = outcome.describe(), end["winner"]
        detail = Text(f"{own.de}, aufgezeichneter Sieger {recorded}", f"{own.en}, recorded winner {recorded}")
        return Replay(Comparison.OTHER_WINNER, detail, position)
    for team in TEAMS:
        if list(state.points(team)) != list(end["scores"][team.name]):
            found, score = list(state.points(team)), end["scores"][team.name]
            detail = Text(
                f"Wertung von {team.name} {found}, aufgezeichnet {score}",
                f"score of {team.name} {found}, recorded {score}",
            )
            return Replay(Comparison.OTHER_SCORE, detail, position)
    return Replay(Comparison.SAME)


# --- perft ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PerftCase:
    """A position and the number of move sequences of 1, 2, 3 ... plies that the reference found there."""

    name: str
    game: AnyGame
    state: Any
    counts: tuple[int, ...]


def read_perft_cases(path: Path) -> list[PerftCase]:
    """The perft positions of a file named after its game. Raises ``RecordError``."""
    try:
        entries = json.loads(path.read_bytes())
        game = games.load(f"{path.stem}-official")
        return [_perft_case(f"{path.name}[{number}]", game, entry) for number, entry in enumerate(entries)]
    except (
        OSError,
        RecursionError,
        KeyError,
        ValueError,
        TypeError,
        AttributeError,
        UnknownGame,
        IllegalMove,
    ) as problem:
        raise RecordError(
            f"{path}: keine Datei mit Stellungen für perft: {problem}",
            f"{path}: not a file of perft positions: {problem}",
        ) from None


def _perft_case(name: str, game: AnyGame, entry: Mapping[str, Any]) -> PerftCase:
    state = game.recordings.start(entry if "start" in entry else {"start": entry})
    for text in entry.get("moves", ()):
        state = state.play(game.recordings.move(state, text))
    return PerftCase(name, game, state, tuple(entry["perft"]))
