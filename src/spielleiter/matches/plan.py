"""What a match is: all that decides which games are played and how. It stands in ``match.json`` beside the results."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, astuple, dataclass, field, replace
from pathlib import Path
from typing import Any, Protocol

from spielleiter import __version__, games
from spielleiter.analysis.adjudication import Adjudication
from spielleiter.atomic_files import atomic_write
from spielleiter.errors import READ, WRITE, SettingsError, UnknownGame, refusing
from spielleiter.game import AnyGame, Limits
from spielleiter.matches.openings import Openings
from spielleiter.matches.pairings import Arrangement, Format
from spielleiter.programs.entrants import Entrant, resolve_all, with_python
from spielleiter.rating.sprt import Sprt

FORMAT = 1
PLAN, RESULTS = "match.json", "results.jsonl"
FEED = "live.json"
"""Where the games can be followed, while the match is played with spectators."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchPlan:
    """Everything that decides which games are played, and how."""

    game: str
    entrants: tuple[Entrant, ...]
    format: Format = Format.DUEL
    games: int | None = 100
    """For each encounter, an even number; ``None``: until the test ends."""
    sprt: Sprt | None = None
    """The test that ends a duel."""
    openings: Openings = field(default_factory=Openings)
    seconds: float | None = None
    """Seconds per move; ``None``: the game's own limit."""
    clock: tuple[float, float] | None = None
    """Instead: seconds of each side for the whole game, and what each move adds."""
    rounds: int | None = None
    challengers: int | None = None
    """How many of the first players run a gauntlet."""
    player_seed: int | None = None
    """Decides the chance of built-in players, in each game otherwise; ``None``: it is drawn anew."""
    ponder: bool = True
    """Whether a player may think while its opponent does."""
    in_process: bool = False
    """Built-in players without processes and network: quick, but not as in the contest."""
    adjudication: Adjudication | None = None
    """When games are ended early; ``None``: never, as in the contest."""

    def __post_init__(self) -> None:
        if self.games is not None and (self.games < 2 or self.games % 2):
            raise SettingsError(
                f"Spiele werden paarweise mit getauschten Seiten gespielt: eine gerade Zahl, nicht {self.games}.",
                f"games come in pairs with sides swapped: an even number, not {self.games}",
            )
        if self.games is None and self.sprt is None:
            raise SettingsError(
                "Gib eine Anzahl von Spielen an, oder --sprt, um bis zur Entscheidung zu spielen.",
                "give a number of games, or --sprt to play until the difference is clear",
            )
        if self.sprt is not None and self.format is not Format.DUEL:
            raise SettingsError(
                f"--sprt vergleicht zwei Spieler und passt nicht zum Format {self.format}.",
                f"--sprt compares two players; it does not fit the format {self.format}",
            )
        if self.seconds is not None and not 0.01 <= self.seconds <= 3600:
            raise SettingsError(
                f"Die Zeit für einen Zug liegt zwischen 0,01 und 3600 Sekunden, nicht bei {self.seconds:g}.",
                f"the time of a move must lie between 0.01 and 3600 seconds, not {self.seconds:g}",
            )
        if self.clock is not None:
            self._check_clock(*self.clock)
        if self.adjudication is not None:
            self.adjudication.check(self.load_game())
        names = [entrant.name for entrant in self.entrants]
        if len(set(names)) != len(names):
            raise SettingsError(
                f"Zwei Spieler heißen gleich: {', '.join(names)}.",
                f"two players have the same name: {', '.join(names)}",
            )
        self.arrangement()

    def _check_clock(self, seconds: float, increment: float) -> None:
        if self.seconds is not None:
            raise SettingsError(
                "Die Zeit gilt für einen Zug oder für ein Spiel: lass --seconds oder --clock weg.",
                "the time is for a move or for a game: leave out --seconds or --clock",
            )
        if not (0.1 <= seconds <= 86400 and 0 <= increment <= 3600):
            raise SettingsError(
                f"--clock erwartet 0,1 bis 86400 Sekunden für ein Spiel und 0 bis 3600 für jeden Zug dazu, nicht "
                f"{seconds:g}+{increment:g}.",
                f"--clock takes 0.1 to 86400 seconds for a game and 0 to 3600 more for each move, not "
                f"{seconds:g}+{increment:g}",
            )

    def load_game(self) -> AnyGame:
        """The rule set that is played."""
        return games.load(self.game)

    def arrangement(self) -> Arrangement:
        """Who plays whom."""
        pairs = None if self.games is None else self.games // 2
        return Arrangement(self.format, len(self.entrants), pairs, self.rounds, self.challengers)

    def limits(self) -> Limits:
        """The time of a move, after which a silent player forfeits as in the contest, or of a whole game."""
        if self.clock is not None:
            return Limits.of_game(*self.clock)
        usual = self.load_game().limits
        return usual if self.seconds is None else Limits(self.seconds, self.seconds * usual.hard / usual.soft)

    def to_json(self) -> dict[str, Any]:
        """The plan as it stands in the file."""
        sprt, openings = self.sprt, self.openings
        return {
            "format_version": FORMAT,
            "spielleiter": __version__,
            "game": self.game,
            "players": [entrant_json(entrant) for entrant in self.entrants],
            "format": self.format.value,
            "games": self.games,
            "sprt": None if sprt is None else list(astuple(sprt)),
            "seed": openings.seed,
            "positions": list(openings.positions),
            "random_moves": openings.random_moves,
            "seconds": self.seconds,
            "clock": None if self.clock is None else list(self.clock),
            "rounds": self.rounds,
            "challengers": self.challengers,
            "player_seed": self.player_seed,
            "ponder": self.ponder,
            "in_process": self.in_process,
            "adjudication": None if self.adjudication is None else asdict(self.adjudication),
        }


class StoredPlan(Protocol):
    """What claims a folder: a plan that can be written down, with the players under ``players``."""

    def to_json(self) -> dict[str, Any]:
        """The plan as it stands in the file."""


def read_plan(folder: Path, name: str = PLAN) -> dict[str, Any]:
    """The content of a folder's ``match.json``. Raises ``SettingsError`` if it is not a match folder."""
    path = folder / name
    if not path.exists():
        raise _no_match(folder, name)
    with refusing(SettingsError, path, READ):
        text = path.read_text(encoding="utf-8")
    try:
        data = dict(json.loads(text))
        if data["format_version"] != FORMAT:
            raise SettingsError(
                f"{path}: wurde von einer anderen Version von spielleiter geschrieben ({data['spielleiter']}).",
                f"{path}: was written by another version of spielleiter ({data['spielleiter']})",
            )
        games.load(data["game"])
    except UnknownGame as problem:
        raise SettingsError(f"{path}: {problem.text.de}", f"{path}: {problem.text.en}") from None
    except (ValueError, KeyError, TypeError) as problem:
        raise _no_plan(str(path), problem) from None
    return data


def started_with(data: dict[str, Any]) -> str:
    """The content of a plan's file in one line, for people: ``game: blokus-2027; games: 100; ...``."""
    shown = {key: _shown(key, value) for key, value in data.items() if key not in ("format_version", "spielleiter")}
    return "; ".join(f"{key.replace('_', '-')}: {text}" for key, text in shown.items() if text)


def _shown(key: str, value: Any) -> str:
    match value:
        case None | []:
            return ""
        case bool():
            return str(value).lower()
        case list() if key == "positions":
            return f"{len(value)}"
        case list():
            return ", ".join(_shown("", each) for each in value)
        case {"player": player, "arguments": arguments}:
            chosen = value.get("python")
            return " ".join((player, *arguments, *([f"(Python {chosen})"] if chosen else [])))
        case dict():
            return ", ".join(f"{name}={_shown('', each)}" for name, each in value.items() if each is not None)
        case float():
            return f"{value:g}"
        case _:
            return str(value)


def planned_games(data: dict[str, Any]) -> int | None:
    """How many games the plan in a file has; ``None`` if that depends on how they end. Raises ``SettingsError``."""
    try:
        if data["games"] is None or data["sprt"] is not None:
            return None
        number, rounds, challengers = len(data["players"]), data["rounds"], data.get("challengers")
        return Arrangement(Format(data["format"]), number, data["games"] // 2, rounds, challengers).total()
    except (KeyError, TypeError, ValueError) as problem:
        raise _no_plan(PLAN, problem) from None


def _no_match(folder: Path, name: str) -> SettingsError:
    return SettingsError(
        f"{folder}: ist kein Ordner eines Matches, {name} fehlt.",
        f"{folder}: not a match folder: {name} is missing",
    )


def _no_plan(path: str, problem: Exception) -> SettingsError:
    return SettingsError(
        f"{path}: ist kein Plan eines Matches: {problem!r}", f"{path}: not a plan of a match: {problem!r}"
    )


def entrant_json(entrant: Entrant) -> dict[str, Any]:
    """A player as it stands in the file of a plan."""
    return {
        "name": entrant.name,
        "player": entrant.text,
        "arguments": list(entrant.arguments),
        "digest": entrant.digest,
        "python": "" if entrant.python is None else str(entrant.python),
    }


def stored_entrants(data: dict[str, Any]) -> tuple[Entrant, ...]:
    """The players of a plan in a file, as they are now. Raises ``SettingsError`` or ``ProgramError``."""
    players = data["players"]
    found = resolve_all([player["player"] for player in players], [player["name"] for player in players])
    return tuple(
        with_python(replace(entrant, arguments=tuple(player["arguments"])), player.get("python", ""))
        for entrant, player in zip(found, players, strict=True)
    )


def plan_from_json(data: dict[str, Any], entrants: Sequence[Entrant]) -> MatchPlan:
    """The plan in a file, with its players as they are now. Raises ``SettingsError``."""
    try:
        return MatchPlan(
            game=data["game"],
            entrants=tuple(entrants),
            format=Format(data["format"]),
            games=data["games"],
            sprt=None if data["sprt"] is None else Sprt(*data["sprt"]),
            openings=Openings(seed=data["seed"], positions=tuple(data["positions"]), random_moves=data["random_moves"]),
            seconds=data["seconds"],
            clock=None if data.get("clock") is None else tuple(data["clock"]),
            rounds=data["rounds"],
            challengers=data.get("challengers"),
            player_seed=data.get("player_seed"),
            ponder=data["ponder"],
            in_process=data["in_process"],
            adjudication=None if data.get("adjudication") is None else Adjudication(**data["adjudication"]),
        )
    except (KeyError, TypeError, ValueError) as problem:
        raise _no_plan(PLAN, problem) from None


def claim_folder(folder: Path, plan: StoredPlan, *, resume: bool, name: str = PLAN, results: str = RESULTS) -> None:
    """Make ``folder`` the one of this match, or check that it is. Raises ``SettingsError`` if it is another's.

    The plan stands in the file ``name``, and what is played goes into ``results``.
    """
    path = folder / name
    if path.exists():
        _compare(folder, read_plan(folder, name), plan.to_json())
        if not resume:
            raise SettingsError(
                f"{folder}: hat schon Spiele dieses Matches: setze es fort mit --resume {folder}.",
                f"{folder}: has games of this match already: go on with --resume {folder}",
            )
        return
    if resume:
        raise _no_match(folder, name)
    with refusing(SettingsError, folder, WRITE):
        folder.mkdir(parents=True, exist_ok=True)
        if (folder / results).exists():
            raise SettingsError(
                f"{folder}: enthält Ergebnisse, aber kein {name}, das sagt, wovon.",
                f"{folder}: has results, but no {name} that says of what",
            )
        with atomic_write(path) as draft:
            draft.write_text(json.dumps(plan.to_json(), ensure_ascii=False, indent=1), encoding="utf-8")


def _compare(folder: Path, was: dict[str, Any], now: dict[str, Any]) -> None:
    for before, after in zip(was["players"], now["players"], strict=False):
        if before["name"] == after["name"] and before["digest"] != after["digest"]:
            raise SettingsError(
                f"{folder}: {after['name']} hat sich seit diesen Spielen geändert: beginne anderswo ein neues Match.",
                f"{folder}: {after['name']} has changed since these games were played: start a new match elsewhere",
            )
    different = [key for key, value in now.items() if key != "spielleiter" and was.get(key) != value]
    if different:
        listed = ", ".join(different)
        raise SettingsError(
            f"{folder}: gehört zu einem anderen Match; verschieden sind: {listed}.",
            f"{folder}: belongs to another match, which differs in: {listed}",
        )
