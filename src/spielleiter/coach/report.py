"""The coach's report: faults, times and results of a player as plain values, and from these what to improve first."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from spielleiter.coach.own_games import OwnGame, OwnGames
from spielleiter.coach.study import CostlyMove, Study
from spielleiter.game import TEAMS, AnyGame, Language, Team, Text
from spielleiter.matches.summary import MoveTimes
from spielleiter.programs.side_result import Fault
from spielleiter.rating.formatting import number
from spielleiter.rating.pairs import Results
from spielleiter.text import NO_TEXT

MAX_COSTLY = 10
"""Moves in the report."""
_NEAR_LIMIT = 0.9
"""The share of the time limit from which on a busier or slower machine makes a move late."""
_LITTLE_TIME = 0.1
"""Whose longest move stays below this share could think for longer."""
_MIN_SIDE_GAMES, _SIDE_GAP = 4, 0.25
"""When a difference between the sides is worth a sentence: games of each, and share of the points."""

_KeyT = TypeVar("_KeyT", bound=Hashable)


@dataclass(frozen=True, slots=True)
class FaultGroup:
    """A fault, as often as it happened with the same error."""

    fault: Fault
    failure: Text
    """The program's last error; empty if unknown."""
    reason: Text
    """The referee's words about the first of them."""
    places: tuple[str, ...]

    @property
    def text(self) -> Text:
        """One line with the reason."""
        why = self.failure if self.failure.en else self.reason
        if not why.en:
            return self.fault.text
        return Text(f"{self.fault.text.de}: {why.de}", f"{self.fault.text.en}: {why.en}")


@dataclass(frozen=True, slots=True)
class OpeningResults:
    """The results from one start position."""

    position: str
    results: Results
    places: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CoachReport:
    """What is known about a player's games."""

    player: str
    game: AnyGame
    played: int
    """All games, also those that broke off or do not count."""
    results: Results
    faults: tuple[FaultGroup, ...]
    """The most frequent first."""
    untimely: int
    """Losses on time while the machine was busy; they are not among the faults."""
    times: MoveTimes
    limit: float | None
    """Seconds for a move; ``None`` if they are unknown, or differed."""
    near_limit: int
    """Moves that took at least nine tenths of it."""
    opponents: dict[str, Results]
    sides: dict[Team, Results]
    sides_without_faults: dict[Team, Results]
    """Only of games that it did not lose by a fault, or on time on a busy machine."""
    openings: tuple[OpeningResults, ...]
    """The worst first."""
    costly: tuple[CostlyMove, ...]
    """The costliest first."""
    studied: int
    studied_total: int
    notices: tuple[Text, ...]

    @classmethod
    def of(cls, own: OwnGames, study: Study) -> CoachReport:
        """The report on these games, with what the study has found so far."""
        times = [took for game in own.games for took in game.side.move_times]
        limits = {game.limit for game in own.games}
        limit = limits.pop() if len(limits) == 1 else None
        openings = [
            OpeningResults(position, _results(games), tuple(game.history.place for game in games))
            for position, games in _grouped(own.games, lambda game: game.history.start).items()
        ]
        return cls(
            player=own.player,
            game=own.game,
            played=len(own.games),
            results=_results(own.games),
            faults=_faults(own.games),
            untimely=sum(game.untimely for game in own.games),
            times=MoveTimes.of(times, limit or max(times, default=1.0) or 1.0),
            limit=limit,
            near_limit=0 if limit is None else sum(took >= _NEAR_LIMIT * limit for took in times),
            opponents={
                name: _results(games) for name, games in _grouped(own.games, lambda game: game.opponent).items()
            },
            sides=_by_side(own.games),
            sides_without_faults=_by_side(
                [game for game in own.games if game.side.fault is None and not game.untimely]
            ),
            openings=tuple(sorted(openings, key=lambda opening: _share(opening.results))),
            costly=tuple(study.costly),
            studied=study.games,
            studied_total=study.games_total,
            notices=own.notices,
        )

    def advice(self) -> list[Text]:
        """What to improve, the most urgent first: a program that fails loses whatever it knows about the game."""
        return [*map(self._mend_fault, self.faults), *self._mend_times(), *self._mend_moves(), *self._mend_sides()]

    def _mend_fault(self, group: FaultGroup) -> Text:
        times, games = len(group.places), self.played
        return Text(
            f"{times} von {games} Spielen durch eigene Schuld beendet: {group.text.de}",
            f"{times} of {games} games ended by its own fault: {group.text.en}",
        )

    def _mend_times(self) -> list[Text]:
        if self.limit is None or not self.times.moves:
            return []
        longest, limit = f"{self.times.max:.2f}", f"{self.limit:g}"
        if self.near_limit:
            return [
                Text(
                    f"Zu knapp an der Zeitgrenze: {self.near_limit} Züge über 90 % von {limit.replace('.', ',')} s, der"
                    f" längste {longest.replace('.', ',')} s. Lass mehr Reserve.",
                    f"Too near to the time limit: {self.near_limit} moves above 90 % of {limit} s, the longest"
                    f" {longest} s. Leave more in reserve.",
                )
            ]
        if self.times.max < _LITTLE_TIME * self.limit and self.results.lost:
            return [
                Text(
                    f"Zeit bleibt liegen: Der längste Zug brauchte {longest.replace('.', ',')} von"
                    f" {limit.replace('.', ',')} s. Suche tiefer.",
                    f"Time is left unused: the longest move took {longest} of {limit} s. Search deeper.",
                )
            ]
        return []

    def _mend_moves(self) -> list[Text]:
        if not self.costly:
            return []
        worst = self.costly[0]
        loss = number(100 * worst.loss, 1)
        return [
            Text(
                f"Der teuerste Zug (Zug {worst.ply}, −{loss.de} Prozentpunkte): {worst.words.de};"
                f" besser: {worst.better_words[0].de}.{_space(worst.noted.de)}",
                f"The costliest move (move {worst.ply}, −{loss.en} percentage points): {worst.words.en};"
                f" better: {worst.better_words[0].en}.{_space(worst.noted.en)}",
            )
        ]

    def _mend_sides(self) -> list[Text]:
        sides = self.sides_without_faults
        if any(results.games < _MIN_SIDE_GAMES for results in sides.values()):
            return []
        worse, better = sorted(sides, key=lambda team: _share(sides[team]))
        low, high = _share(sides[worse]), _share(sides[better])
        if high - low < _SIDE_GAP:
            return []
        name = self.game.team_name(worse)
        return [
            Text(
                f"Schwächer als {name.de}: {100 * low:.0f} % der Punkte, mit der anderen Seite {100 * high:.0f} %.",
                f"Weaker as {name.en}: {100 * low:.0f} % of the points, {100 * high:.0f} % with the other side.",
            )
        ]

    def to_json(self, language: Language) -> dict[str, Any]:
        """The report as JSON, its texts in ``language``."""
        return {
            "player": self.player,
            "game": self.game.key,
            "played": self.played,
            "results": _results_row(self.results),
            "advice": [text.to(language) for text in self.advice()],
            "notices": [text.to(language) for text in self.notices],
            "faults": [
                {
                    "fault": group.fault.value,
                    "failure": group.failure.to(language),
                    "reason": group.reason.to(language),
                    "games": list(group.places),
                }
                for group in self.faults
            ],
            "untimely": self.untimely,
            "times": {
                "moves": self.times.moves,
                "median": self.times.median,
                "p99": self.times.p99,
                "max": self.times.max,
                "limit": self.limit,
                "near_limit": self.near_limit,
            },
            "opponents": {name: _results_row(results) for name, results in self.opponents.items()},
            "sides": {team.name: _results_row(results) for team, results in self.sides.items()},
            "openings": [
                {"position": opening.position, **_results_row(opening.results), "games": list(opening.places)}
                for opening in self.openings
            ],
            "studied": self.studied,
            "studied_total": self.studied_total,
            "costly": [_costly_row(move, language) for move in self.costly[:MAX_COSTLY]],
        }


def _space(text: str) -> str:
    """A sentence behind another one, if there is one."""
    return f" {text}" if text else ""


def _costly_row(move: CostlyMove, language: Language) -> dict[str, Any]:
    return {
        "game": move.game.history.place,
        "ply": move.ply,
        "position": move.position,
        "move": move.played.text,
        "class": move.move_class.name.lower(),
        "loss": round(move.loss, 4),
        "before": round(move.before, 4),
        "after": round(move.after, 4),
        "better": list(move.better),
        "answer": list(move.answer),
        "acceptable": list(move.acceptable),
        "why": move.why.to(language),
        "noted": move.noted.to(language),
        "reasons": [reason.to(language) for reason in move.reasons],
    }


def _results_row(results: Results) -> dict[str, int]:
    return {"won": results.won, "drawn": results.drawn, "lost": results.lost}


def _results(games: Iterable[OwnGame]) -> Results:
    points = [game.points for game in games]
    return Results(points.count(1.0), points.count(0.5), points.count(0.0))


def _by_side(games: Sequence[OwnGame]) -> dict[Team, Results]:
    return {team: _results(game for game in games if game.team is team) for team in TEAMS}


def _share(results: Results) -> float:
    """The share of the points; one half without a game."""
    return results.victory_points / (2 * results.games) if results.games else 0.5


def _grouped(games: Sequence[OwnGame], key: Callable[[OwnGame], _KeyT]) -> dict[_KeyT, list[OwnGame]]:
    groups: dict[_KeyT, list[OwnGame]] = {}
    for game in games:
        groups.setdefault(key(game), []).append(game)
    return groups


def _reason(game: OwnGame) -> Text:
    """Why the game ended, in the referee's words."""
    return NO_TEXT if game.history.result is None else game.history.result.reason


def _faults(games: Sequence[OwnGame]) -> tuple[FaultGroup, ...]:
    faulty = [game for game in games if game.side.fault is not None and not game.untimely]
    groups = [
        FaultGroup(fault, same[0].side.failure, _reason(same[0]), tuple(game.history.place for game in same))
        for (fault, _), same in _grouped(faulty, lambda game: (game.side.fault, game.side.failure.en)).items()
        if fault is not None
    ]
    return tuple(sorted(groups, key=lambda group: -len(group.places)))
