"""What the games of a match say so far: scores, ratings, times and faults of each player, as plain values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from math import ceil
from typing import Any, Literal

from spielleiter.game import Cause, Text
from spielleiter.matches.plan import MatchPlan
from spielleiter.matches.results import MatchGame
from spielleiter.programs.side_result import Fault, SideResult
from spielleiter.rating import bradley_terry, optional_stopping
from spielleiter.rating.elo import EloEstimate, estimate, explain_more_games
from spielleiter.rating.formatting import number, percent
from spielleiter.rating.pairs import PlayedGame, Tally, cross_table, meeting, tally
from spielleiter.rating.sprt import SprtState

_ENOUGH_GAMES = 100
"""Enough games to show a difference that matters to a student."""
_WANTED_MARGIN = 20
"""The report says how many games it would take until the error is this small, in Elo."""


@dataclass(frozen=True, slots=True)
class MoveTimes:
    """How long a player thought, in seconds."""

    moves: int
    median: float
    p99: float
    """99 % of the moves took no longer."""
    max: float
    share: float
    """The longest as a share of the limit."""

    @classmethod
    def of(cls, times: Sequence[float], limit: float) -> MoveTimes:
        """The distribution of these times."""
        if not times:
            return cls(0, 0.0, 0.0, 0.0, 0.0)
        ordered = sorted(times)
        return cls(
            len(ordered), _quantile(ordered, 0.5), _quantile(ordered, 0.99), ordered[-1], round(ordered[-1] / limit, 3)
        )


def _quantile(ordered: Sequence[float], share: float) -> float:
    """The smallest value that is not exceeded by ``share`` of the values."""
    return ordered[max(0, ceil(share * len(ordered)) - 1)]


@dataclass(frozen=True, slots=True)
class RepeatedFailure:
    """A failure of a player's program, as often as it happened in the same way."""

    fault: Fault
    text: Text
    games: int
    log: str
    """The error of the last of them, if it printed one."""


@dataclass(frozen=True, slots=True)
class Standing:
    """Where one player stands."""

    name: str
    played: int
    """All its games, also those that do not count."""
    games: int
    won: int
    drawn: int
    lost: int
    elo: float | None
    """Above the opponent in a duel, above the average of all players otherwise; ``None`` without a game."""
    margin: float | None
    bound: tuple[Literal["≥", "≤"], float] | None
    """The bound on ``elo``, where every game of a duel went one way and no more can be said."""
    faults: Mapping[Fault, int]
    """Without the losses on time on a busy machine."""
    untimely: int
    """Games lost on time while the machine was too busy to trust the times."""
    failures: tuple[RepeatedFailure, ...]
    """Why its program failed, the most frequent first."""
    lingered: int
    """Games after which it did not end by itself."""
    times: MoveTimes
    peak_memory: int
    ponder_time: float
    """Seconds of processor time in that of its opponents, all games together."""

    @property
    def points(self) -> float:
        """One for a win, a half for a draw."""
        return self.won + self.drawn / 2

    @property
    def never_started(self) -> bool:
        """Whether its program has not joined a single game."""
        return self._failed_always({Fault.NO_START})

    @property
    def always_crashed(self) -> bool:
        """Whether its program has ended before its time in each game."""
        return self._failed_always({fault for fault in Fault if fault.cause is Cause.LEFT})

    @property
    def never_played(self) -> bool:
        """Whether no game says how strong it is, as its program has failed in each."""
        return self.never_started or self.always_crashed

    def _failed_always(self, faults: Collection[Fault]) -> bool:
        failed = sum(number for fault, number in self.faults.items() if fault in faults)
        return 0 < self.played == failed


@dataclass(frozen=True, slots=True)
class Summary:
    """What is known about a match; ``duel`` is the view of the first player where there are two."""

    game: str
    names: tuple[str, ...]
    played: int
    total: int | None
    standings: tuple[Standing, ...]
    """The best first."""
    cross: Mapping[tuple[str, str], Tally]
    duel: EloEstimate | None
    duel_tally: Tally | None
    sprt: SprtState | None
    replaced: int
    """Attempts that do not count, because the game was played again."""
    sentences: tuple[Text, ...]
    """What the numbers mean, and what they do not."""
    plain: tuple[Text, ...]
    """The same for people who have not asked for numbers."""

    @property
    def games_left(self) -> int | None:
        """About how many games it still takes: to all that are planned, or to the SPRT's verdict if that is sooner.

        ``None`` where it cannot be estimated.
        """
        planned = None if self.total is None else max(0, self.total - self.played)
        pairs = None if self.sprt is None else self.sprt.pairs_left
        known = [left for left in (planned, None if pairs is None else 2 * pairs) if left is not None]
        return min(known, default=None)

    def tally(self, player: str, opponent: str) -> Tally | None:
        """The games of ``player`` against ``opponent``, seen by ``player``."""
        return meeting(self.cross, player, opponent)

    def to_json(self) -> dict[str, Any]:
        """The summary as JSON."""
        duel, sprt = self.duel, self.sprt
        return {
            "game": self.game,
            "played": self.played,
            "total": self.total,
            "replaced": self.replaced,
            "players": [_standing_json(standing) for standing in self.standings],
            "duel": None
            if duel is None or self.duel_tally is None
            else {
                "player": self.names[0],
                "opponent": self.names[1],
                "score": duel.score,
                "elo": round(duel.elo, 1),
                "low": None if duel.low is None else round(duel.low, 1),
                "high": None if duel.high is None else round(duel.high, 1),
                "superiority": round(duel.superiority, 4),
                "pentanomial": list(self.duel_tally.pairs.counts),
            },
            "sprt": None
            if sprt is None
            else {
                "llr": round(sprt.llr, 3),
                "lower": round(sprt.test.lower, 3),
                "upper": round(sprt.test.upper, 3),
                "verdict": sprt.verdict.name,
            },
            "sentences": [{"de": sentence.de, "en": sentence.en} for sentence in self.sentences],
        }


def _standing_json(standing: Standing) -> dict[str, Any]:
    times = standing.times
    return {
        "name": standing.name,
        "games": standing.games,
        "won": standing.won,
        "drawn": standing.drawn,
        "lost": standing.lost,
        "points": standing.points,
        "elo": None if standing.elo is None else round(standing.elo, 1),
        "margin": None if standing.margin is None else round(standing.margin, 1),
        "faults": {fault.value: number for fault, number in standing.faults.items()},
        "untimely": standing.untimely,
        "failures": [
            {"fault": each.fault.value, "text": asdict(each.text), "games": each.games, "log": each.log}
            for each in standing.failures
        ],
        "lingered": standing.lingered,
        "seconds": {"median": times.median, "p99": times.p99, "max": times.max, "share": times.share},
        "peak_memory": standing.peak_memory,
        "ponder_time": standing.ponder_time,
    }


def played_games(rows: Sequence[MatchGame]) -> list[PlayedGame]:
    """The games that count, as the statistics take them."""
    return [PlayedGame(*row.names, row.winner, row.pair) for row in rows if row.counts]


def _failures(sides: Sequence[SideResult]) -> tuple[RepeatedFailure, ...]:
    """The failures of one player's programs, equal ones together; of what the referee judged, the last."""
    found: dict[tuple[Fault, Text | None], RepeatedFailure] = {}
    for side in sides:
        if side.fault is not None and side.failure.en:
            key = (side.fault, side.failure if side.fault.is_of_process else None)
            before = found[key].games if key in found else 0
            found[key] = RepeatedFailure(side.fault, side.failure, before + 1, side.log)
    return tuple(sorted(found.values(), key=lambda failure: -failure.games))


def summarise(plan: MatchPlan, rows: Sequence[MatchGame], sprt: SprtState | None = None, replaced: int = 0) -> Summary:
    """What ``rows`` say about the players of ``plan``; ``replaced`` further attempts were played again."""
    names = tuple(entrant.name for entrant in plan.entrants)
    counted = played_games(rows)
    cross = cross_table(counted)
    rated = bradley_terry.rate(cross, players=names) if counted else None
    ratings = {} if rated is None else {rating.player: rating for rating in rated.ratings}
    duel_tally = tally(counted, names[0], names[1]) if len(names) == 2 else None
    duel = None if duel_tally is None else estimate(duel_tally)
    standings = []
    for name in names:
        sides = [(row, side) for row in rows for side in row.sides if side.name == name]
        scored = [row.victory_points[row.names.index(name)] for row, _ in sides if row.counts]
        rating = ratings.get(name)
        elo: float | None
        margin: float | None
        bound = None
        elo, margin = (None, None) if rating is None or not scored else (rating.elo, rating.margin)
        if duel is not None and scored:
            seen = duel if name == names[0] else estimate(tally(counted, name, names[0]))
            elo, margin, bound = seen.elo, seen.margin, seen.bound
        standings.append(
            Standing(
                name=name,
                played=len(sides),
                games=len(scored),
                won=scored.count(2),
                drawn=scored.count(1),
                lost=scored.count(0),
                elo=elo,
                margin=margin,
                bound=bound,
                faults=Counter(
                    side.fault
                    for row, side in sides
                    if side.fault is not None and not row.untimely[row.names.index(name)]
                ),
                untimely=sum(row.untimely[row.names.index(name)] for row, _ in sides),
                failures=_failures([side for _, side in sides]),
                lingered=sum(side.lingered for _, side in sides),
                times=MoveTimes.of([took for _, side in sides for took in side.move_times], plan.limits().soft),
                peak_memory=max((side.peak_memory for _, side in sides), default=0),
                ponder_time=round(sum(side.ponder_time for _, side in sides), 2),
            )
        )
    standings.sort(key=lambda standing: (-(standing.elo or 0.0), -standing.points, names.index(standing.name)))
    total = plan.arrangement().total()
    return Summary(
        game=plan.game,
        names=names,
        played=len(rows),
        total=total,
        standings=tuple(standings),
        cross=cross,
        duel=duel,
        duel_tally=duel_tally,
        sprt=sprt,
        replaced=replaced,
        sentences=(
            *(rated.notes if rated is not None and duel is None else ()),
            *_sentences(names, rows, duel, duel_tally, sprt, total),
            *_sentences_on_adjudication(plan, rows),
            *_sentences_on_time(rows, replaced),
        ),
        plain=(
            *(() if any(each.never_played for each in standings) else _plain_sentences(names, duel, duel_tally)),
            *_sentences_on_void_games(rows),
            *_sentences_on_adjudication(plan, rows),
            *_sentences_on_time(rows, replaced),
        ),
    )


def _plain_sentences(names: Sequence[str], duel: EloEstimate | None, duel_tally: Tally | None) -> Iterator[Text]:
    if duel is None or duel_tally is None:
        return
    points = number(duel_tally.victory_points / 2, duel_tally.victory_points % 2)
    in_german, in_english = (duel.explain_plainly(names[0], names[1], shown) for shown in (points.de, points.en))
    yield Text(in_german.de, in_english.en)
    if duel.games and not duel.decided:
        enough = max(_ENOUGH_GAMES, 4 * duel.games)
        yield Text(f"Mehr Spiele bringen Klarheit: --games {enough}", f"More games make it clear: --games {enough}")


def _sentences(
    names: Sequence[str],
    rows: Sequence[MatchGame],
    duel: EloEstimate | None,
    duel_tally: Tally | None,
    sprt: SprtState | None,
    total: int | None,
) -> list[Text]:
    said: list[Text] = []
    if duel is not None and duel_tally is not None:
        said.append(duel.explain(names[0], names[1]))
        if duel.games:
            said.append(duel.explain_superiority(names[0]))
        if sprt is not None:
            said.append(sprt.explain(names[0], names[1]))
        elif duel.games:
            said.append(explain_more_games(duel_tally, _WANTED_MARGIN))
        if duel_tally.notice is not None:
            said.append(duel_tally.notice)
    if sprt is None and total is not None and rows:
        warning = optional_stopping.warning(len(rows), total)
        if warning is not None:
            said.append(warning)
    return [*said, *_sentences_on_void_games(rows)]


def _sentences_on_void_games(rows: Sequence[MatchGame]) -> Iterator[Text]:
    if void := sum(not row.counts for row in rows):
        yield Text(
            f"{void} Spiele zählen für niemanden: beide Spieler haben versagt.",
            f"{void} games do not count: both players failed.",
        )


def _sentences_on_adjudication(plan: MatchPlan, rows: Sequence[MatchGame]) -> Iterator[Text]:
    """How many games were ended early, and how wrong that may be."""
    adjudicated = sum(row.adjudicated for row in rows)
    if plan.adjudication is None or not adjudicated:
        return
    de, en = "", ""
    if plan.adjudication.win is not None:
        error = percent(1 - plan.adjudication.win)
        de = f" Bis zu {error.de} aller Ergebnisse können dadurch andere sein."
        en = f" Up to {error.en} of all results may be others because of that."
    yield Text(
        f"Vorzeitig gewertete Spiele: {adjudicated} von {len(rows)}.{de}",
        f"Games ended early by adjudication: {adjudicated} of {len(rows)}.{en}",
    )


def _sentences_on_time(rows: Sequence[MatchGame], replaced: int) -> Iterator[Text]:
    """What happened while the machine was too busy to trust the times."""
    if untimely := sum(any(row.untimely) for row in rows):
        de, en = ("", "") if replaced else (" Wiederholen: --replay-busy.", " To play them again: --replay-busy.")
        yield Text(
            f"Durch die Zeit verlorene Spiele, während der Rechner überlastet war: {untimely}. Sie zählen, "
            f"aber den Zeiten ist nicht zu trauen.{de}",
            f"Games lost on time while this machine was busy: {untimely}. They count, but the times are not "
            f"to be trusted.{en}",
        )
    if replaced:
        yield Text(
            f"Wiederholt, weil der Rechner überlastet war: {replaced}. Es zählt nur die Wiederholung.",
            f"Played again because the machine was busy: {replaced}. Only the repetition counts.",
        )
