"""A drill: positions with acceptable moves, in a file that lasts; and the history of its runs, beside that file.

``drill.json`` is one object with ``kind``, ``version``, ``game``, ``player``, ``max_loss`` and the ``exercises``.
``drill.history.jsonl`` has a line for each run. An exercise is known by its position, so that a drill that has grown
can still be compared with its earlier runs.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from spielleiter import games
from spielleiter.atomic_files import atomic_write
from spielleiter.coach.study import ACCEPTABLE_LOSS, CostlyMove
from spielleiter.errors import WRITE, NotationError, SettingsError, UnknownGame, refusing
from spielleiter.game import AnyGame, Text
from spielleiter.records.reader import read_bounded
from spielleiter.values import Values, parse_json

KIND = "spielleiter-drill"
VERSION = 1
"""It grows when a reader of the old one would be mistaken about the new one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Exercise:
    """A position in which a player shall find one of the acceptable moves."""

    position: str
    acceptable: tuple[str, ...]
    """Moves in notation, the best first."""
    source: str
    """The record from which it came."""
    ply: int
    played: str
    """What was played there."""
    loss: float
    """What that lost, from 0 to 1."""

    @property
    def id(self) -> str:
        """The same for the same position."""
        return hashlib.sha256(self.position.encode()).hexdigest()[:12]


@dataclass(frozen=True, slots=True, kw_only=True)
class Drill:
    """The exercises of one player in one game."""

    game: str
    player: str
    max_loss: float = ACCEPTABLE_LOSS
    """A move is acceptable that loses less than this against the best one."""
    exercises: tuple[Exercise, ...]

    def load_game(self) -> AnyGame:
        """The rule set of the positions."""
        return games.load(self.game)

    def extended(self, more: Drill) -> Drill:
        """The drill with the new exercises of ``more``; what was learnt once stays in it."""
        known = {exercise.id for exercise in self.exercises}
        return replace(self, exercises=(*self.exercises, *(each for each in more.exercises if each.id not in known)))

    def to_json(self) -> dict[str, Any]:
        """The drill as it stands in the file."""
        return {
            "kind": KIND,
            "version": VERSION,
            "game": self.game,
            "player": self.player,
            "max_loss": self.max_loss,
            "exercises": [
                {
                    "position": each.position,
                    "acceptable": list(each.acceptable),
                    "source": each.source,
                    "ply": each.ply,
                    "played": each.played,
                    "loss": round(each.loss, 4),
                }
                for each in self.exercises
            ],
        }


def make_drill(game: AnyGame, player: str, costly: Iterable[CostlyMove]) -> Drill:
    """The drill of these moves, as far as it is known what would have been acceptable; no position twice."""
    exercises = {
        move.position: Exercise(
            position=move.position,
            acceptable=move.acceptable,
            source=move.game.history.place,
            ply=move.ply,
            played=move.played.text,
            loss=move.loss,
        )
        for move in costly
        if move.acceptable
    }
    return Drill(game=game.key, player=player, exercises=tuple(exercises.values()))


# --- the file ---------------------------------------------------------------------------------------------------------


def read_drill(path: Path, game: str | None = None) -> Drill:
    """The drill in a file, of ``game`` if one is named. Raises ``SettingsError`` or ``RecordError`` with what is wrong.

    Every position and move is checked by the rules.
    """
    try:
        top = parse_json(read_bounded(path), str(path), SettingsError)
    except SettingsError:
        top = Values({}, str(path))
    if top.data.get("kind") != KIND:
        raise SettingsError(
            f"{path}: ist keine Übungsdatei; „spielleiter coach … --drill {path.name}“ schreibt eine.",
            f"{path}: not a drill; 'spielleiter coach ... --drill {path.name}' writes one",
        )
    version = top.data.get("version")
    if version != VERSION:
        raise SettingsError(
            f"{path}: hat die Version {version!r}, gelesen wird {VERSION}: schreibe sie neu mit „spielleiter coach“.",
            f"{path}: has version {version!r}, but {VERSION} is read here: write it anew with 'spielleiter coach'",
        )
    drill = top.read(Drill, besides=("kind", "version"))
    _check(path, drill, game)
    return drill


def _check(path: Path, drill: Drill, wanted: str | None) -> None:
    if wanted is not None and drill.game != wanted:
        raise SettingsError(
            f"{path}: ist eine Übung für {drill.game}, nicht für {wanted}.",
            f"{path}: is a drill for {drill.game}, not for {wanted}",
        )
    try:
        game = drill.load_game()
    except UnknownGame as unknown:
        raise SettingsError(f"{path}: {unknown.text.de}", f"{path}: {unknown.text.en}") from None
    if not drill.exercises:
        raise SettingsError(f"{path}: darin sind keine Stellungen.", f"{path}: there are no positions in it")
    for number, exercise in enumerate(drill.exercises, 1):
        try:
            why = _why_impossible(game, exercise)
        except NotationError as problem:
            why = problem.text
        if why is not None:
            raise SettingsError(f"{path}, Stellung {number}: {why.de}", f"{path}, position {number}: {why.en}")


def _why_impossible(game: AnyGame, exercise: Exercise) -> Text | None:
    """Why this is not an exercise, or ``None`` if it is one. Raises ``NotationError``."""
    state = game.notation.parse_state(exercise.position)
    if state.outcome is not None:
        return Text("das Spiel ist dort schon vorbei.", "the game is over there")
    if not exercise.acceptable:
        return Text("kein Zug gilt als richtig.", "no move is acceptable")
    for text in exercise.acceptable:
        if (violation := state.violation(game.notation.parse_move(state, text))) is not None:
            return Text(f"{text} ist ungültig: {violation.text.de}", f"{text} is illegal: {violation.text.en}")
    return None


def drill_to_extend(path: Path, game: str, player: str) -> Drill | None:
    """The drill of this game and player that is there already, or ``None`` if a new one can be written.

    Raises ``SettingsError`` or ``RecordError`` if neither is so.
    """
    if not path.exists():
        if not path.parent.is_dir():
            raise SettingsError(
                f"{path}: den Ordner {path.parent} gibt es nicht.", f"{path}: there is no folder {path.parent}"
            )
        return None
    there = read_drill(path, game)
    if there.player != player:
        raise SettingsError(
            f"{path}: ist die Übung von {there.player}, nicht von {player}: nimm eine andere Datei.",
            f"{path}: is the drill of {there.player}, not of {player}: take another file",
        )
    return there


def write_drill(path: Path, drill: Drill) -> Drill:
    """Write the drill, or add it to the one that is there; what stands in the file then.

    Raises what ``drill_to_extend`` raises.
    """
    if (there := drill_to_extend(path, drill.game, drill.player)) is not None:
        drill = there.extended(drill)
    _write(path, json.dumps(drill.to_json(), ensure_ascii=False, indent=1) + "\n")
    return drill


def _write(path: Path, text: str) -> None:
    with refusing(SettingsError, path, WRITE), atomic_write(path) as draft:
        draft.write_text(text, encoding="utf-8")


# --- the history ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class DrillRun:
    """Which exercises a player solved at a time, and which not; by their ids."""

    at: datetime
    player: str
    solved: frozenset[str]
    failed: frozenset[str]

    def newly_solved(self, last: DrillRun) -> frozenset[str]:
        """What was not solved the last time."""
        return self.solved & last.failed

    def broken(self, last: DrillRun) -> frozenset[str]:
        """What was solved the last time, and is not any more."""
        return self.failed & last.solved


def history_path(drill: Path) -> Path:
    """Where the runs of a drill are written."""
    return drill.with_name(f"{drill.stem}.history.jsonl")


def last_run(drill: Path, player: str) -> DrillRun | None:
    """The last run of this player. A line that is damaged, as by a full disk, is ignored."""
    path, found = history_path(drill), None
    if not path.is_file():
        return None
    for line in read_bounded(path).splitlines():
        try:
            row = json.loads(line)
            run = DrillRun(
                datetime.fromisoformat(row["at"]), row["player"], frozenset(row["solved"]), frozenset(row["failed"])
            )
        except (ValueError, KeyError, TypeError):
            continue
        if run.player == player:
            found = run
    return found


def add_run(drill: Path, run: DrillRun) -> None:
    """Write one more run into the history. Raises ``SettingsError``."""
    path = history_path(drill)
    row = {
        "at": run.at.isoformat(timespec="seconds"),
        "player": run.player,
        "solved": sorted(run.solved),
        "failed": sorted(run.failed),
    }
    with refusing(SettingsError, path, WRITE), path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(row, ensure_ascii=False) + "\n")
