"""What a match is: all that decides which games are played and how. It stands in ``match.json`` beside the results."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from spielleiter import __version__, games
from spielleiter.errors import SettingsError, UnknownGame
from spielleiter.game import AnyGame, Limits
from spielleiter.matches.openings import Openings
from spielleiter.matches.pairings import Arrangement, Format
from spielleiter.programs.entrants import Entrant

FORMAT = 1
PLAN, RESULTS = "match.json", "results.jsonl"


@dataclass(frozen=True, slots=True)
class SprtPlan:
    """The test that ends a duel: whether the difference is rather ``elo0`` or rather ``elo1``."""

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchPlan:
    """Everything that decides which games are played, and how."""

    game: str
    entrants: tuple[Entrant, ...]
    format: Format = Format.DUEL
    games: int | None = 100
    """For each encounter, an even number; ``None``: until the test ends."""
    sprt: SprtPlan | None = None
    starts: Openings = field(default_factory=Openings)
    seconds: float | None = None
    """For a move; ``None``: those of the game."""
    rounds: int | None = None
    in_process: bool = False
    """Built-in players without processes and network: quick, but not as in the contest."""

    def __post_init__(self) -> None:
        if self.games is not None and (self.games < 2 or self.games % 2):
            raise SettingsError(f"games come in pairs with sides changed: an even number, not {self.games}")
        if self.games is None and self.sprt is None:
            raise SettingsError("give a number of games, or --sprt to play until the difference is clear")
        if self.sprt is not None and self.format is not Format.DUEL:
            raise SettingsError(f"--sprt compares two players; it does not fit the format {self.format}")
        if self.seconds is not None and not 0.01 <= self.seconds <= 3600:
            raise SettingsError(f"the time of a move must lie between 0.01 and 3600 seconds, not {self.seconds:g}")
        names = [entrant.name for entrant in self.entrants]
        if len(set(names)) != len(names):
            raise SettingsError(f"two players have the same name: {', '.join(names)}")
        self.arrangement()

    def load_game(self) -> AnyGame:
        """The rule set that is played."""
        return games.load(self.game)

    def arrangement(self) -> Arrangement:
        """Who plays whom."""
        pairs = None if self.games is None else self.games // 2
        return Arrangement(self.format, len(self.entrants), pairs, self.rounds)

    def limits(self) -> Limits:
        """The time of a move; silence is given up after the same multiple as in the contest."""
        usual = self.load_game().limits
        return usual if self.seconds is None else Limits(self.seconds, self.seconds * usual.hard / usual.soft)

    def to_json(self) -> dict[str, Any]:
        """The plan as it stands in the file."""
        sprt, starts = self.sprt, self.starts
        return {
            "format_version": FORMAT,
            "spielleiter": __version__,
            "game": self.game,
            "players": [
                {"name": entrant.name, "player": entrant.text, "digest": entrant.digest} for entrant in self.entrants
            ],
            "format": self.format.value,
            "games": self.games,
            "sprt": None if sprt is None else [sprt.elo0, sprt.elo1, sprt.alpha, sprt.beta],
            "seed": starts.seed,
            "positions": list(starts.positions),
            "opening": starts.opening,
            "seconds": self.seconds,
            "rounds": self.rounds,
            "in_process": self.in_process,
        }


def read_plan(folder: Path) -> dict[str, Any]:
    """What ``match.json`` of a folder tells. Raises ``SettingsError`` if it is no folder of a match."""
    path = folder / PLAN
    try:
        told = json.loads(path.read_text(encoding="utf-8"))
        if told["format_version"] != FORMAT:
            raise SettingsError(f"{path}: was written by another version of spielleiter ({told['spielleiter']})")
        games.load(told["game"])
        return dict(told)
    except FileNotFoundError:
        raise SettingsError(f"{folder}: is no folder of a match, {PLAN} is missing") from None
    except OSError as problem:
        raise SettingsError(f"{path}: cannot be read: {problem.strerror}") from None
    except UnknownGame as problem:
        raise SettingsError(f"{path}: {problem}") from None
    except (ValueError, KeyError, TypeError) as problem:
        raise SettingsError(f"{path}: is no plan of a match: {problem!r}") from None


def plan_from_json(told: dict[str, Any], entrants: Sequence[Entrant]) -> MatchPlan:
    """The plan that a file tells, with its players as they are now. Raises ``SettingsError``."""
    try:
        return MatchPlan(
            game=told["game"],
            entrants=tuple(entrants),
            format=Format(told["format"]),
            games=told["games"],
            sprt=None if told["sprt"] is None else SprtPlan(*told["sprt"]),
            starts=Openings(seed=told["seed"], positions=tuple(told["positions"]), opening=told["opening"]),
            seconds=told["seconds"],
            rounds=told["rounds"],
            in_process=told["in_process"],
        )
    except (KeyError, TypeError, ValueError) as problem:
        raise SettingsError(f"{PLAN}: is no plan of a match: {problem!r}") from None


def claim_folder(folder: Path, plan: MatchPlan, *, resume: bool) -> None:
    """Make ``folder`` the one of this match, or check that it is. Raises ``SettingsError`` if it is another's."""
    path = folder / PLAN
    if path.exists():
        _compare(folder, read_plan(folder), plan.to_json())
        if not resume:
            raise SettingsError(f"{folder}: has games of this match already: go on with --resume {folder}")
        return
    if resume:
        raise SettingsError(f"{folder}: is no folder of a match, {PLAN} is missing")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if (folder / RESULTS).exists():
            raise SettingsError(f"{folder}: has results, but no {PLAN} that says of what")
        # In one step: a plan that is there is whole.
        draft = path.with_suffix(".tmp")
        with draft.open("w", encoding="utf-8") as file:
            json.dump(plan.to_json(), file, ensure_ascii=False, indent=1)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    except OSError as problem:
        raise SettingsError(f"{folder}: no match can be kept here: {problem.strerror}") from None


def _compare(folder: Path, was: dict[str, Any], now: dict[str, Any]) -> None:
    for before, after in zip(was["players"], now["players"], strict=False):
        if before["name"] == after["name"] and before["digest"] != after["digest"]:
            raise SettingsError(
                f"{folder}: {after['name']} has changed since these games were played: start a new match elsewhere"
            )
    different = [key for key, value in now.items() if key != "spielleiter" and was.get(key) != value]
    if different:
        raise SettingsError(f"{folder}: belongs to another match, which differs in: {', '.join(different)}")
