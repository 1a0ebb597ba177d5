"""Who plays whom, as a stream: each format is a generator that looks at the results when it needs them.

Laws: the stream is a function of the plan and of the results; the two games of a pair follow one another, with the same
start and the sides swapped; every game has an id of its own, the same in every run. A stream yields ``None`` where it
cannot say more before all games that it has given out have ended.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations, count
from math import ceil, log2

from spielleiter.errors import SettingsError

_MAX_EXTRA_PAIRS = 5


class Format(StrEnum):
    """How a match is arranged."""

    DUEL = "duel"
    """Two players."""
    ROUND_ROBIN = "round-robin"
    """Every player against every other."""
    GAUNTLET = "gauntlet"
    """The first player, or the first few, against each of the others."""
    KNOCKOUT = "knockout"
    """The loser of an encounter is out; the first in the list are kept apart as long as possible."""
    SWISS = "swiss"
    """Each round pairs players with about the same score, never twice."""


@dataclass(frozen=True, slots=True)
class Pairing:
    """One game that is to be played: the places of the players in the list, and the number of its start."""

    id: str
    pair: str
    round: int
    one: int
    two: int
    start: int


Points = Mapping[str, tuple[float, float] | None]
"""The points of ONE and TWO for each game id; ``None`` for a game that does not count."""
Stream = Iterator[Pairing | None]


@dataclass(frozen=True, slots=True)
class Arrangement:
    """What a stream needs to know."""

    format: Format
    players: int
    pairs: int | None
    """Pairs of games of one encounter; ``None``: without an end."""
    rounds: int | None = None
    """Rounds of a Swiss match; the default is as many as a knock-out would have."""
    challengers: int | None = None
    """How many players, the first in the list, run a gauntlet; the default is one."""

    def __post_init__(self) -> None:
        if self.players < 2:
            raise SettingsError("Ein Match braucht mindestens zwei Spieler.", "a match needs at least two players")
        if self.format is Format.DUEL and self.players != 2:
            raise SettingsError(
                f"Ein Duell hat zwei Spieler, nicht {self.players}: nimm --format round-robin.",
                f"a duel has two players, not {self.players}: try --format round-robin",
            )
        if self.pairs is None and self.format in (Format.KNOCKOUT, Format.SWISS):
            raise SettingsError(
                f"Das Format {self.format} braucht eine Anzahl von Spielen je Begegnung.",
                f"the format {self.format} needs a number of games for each encounter",
            )
        if self.pairs is not None and self.pairs < 1:
            raise SettingsError(
                "Eine Begegnung hat mindestens zwei Spiele: eines auf jeder Seite.",
                "an encounter has at least two games: one for each side",
            )
        if self.rounds is not None and (self.format is not Format.SWISS or self.rounds < 1):
            raise SettingsError(
                "Eine Anzahl von Runden, mindestens 1, gibt es nur für das Format swiss.",
                "a number of rounds, 1 or more, can be given for the format swiss only",
            )

        if self.challengers is not None:
            self._check_challengers(self.challengers)

    def _check_challengers(self, challengers: int) -> None:
        if self.format is not Format.GAUNTLET:
            raise SettingsError(
                "--challengers gibt es nur für das Format gauntlet.", "--challengers is for the format gauntlet only"
            )
        if not 1 <= challengers < self.players:
            raise SettingsError(
                f"--challengers liegt bei {self.players} Spielern zwischen 1 und {self.players - 1}, nicht bei "
                f"{challengers}.",
                f"--challengers lies between 1 and {self.players - 1} with {self.players} players, not at "
                f"{challengers}",
            )

    def stream(self, points: Points) -> Stream:
        """The games in their order; ``points`` is looked at where later games depend on earlier ones."""
        makers: dict[Format, Callable[[Arrangement, Points], Stream]] = {
            Format.DUEL: _everybody,
            Format.ROUND_ROBIN: _everybody,
            Format.GAUNTLET: _everybody,
            Format.KNOCKOUT: _knockout,
            Format.SWISS: _swiss,
        }
        return makers[self.format](self, points)

    def total(self) -> int | None:
        """The number of games, where it is known in advance (a knock-out may add games after a tie)."""
        if self.pairs is None:
            return None
        match self.format:
            case Format.KNOCKOUT:
                encounters = self.players - 1
            case Format.SWISS:
                encounters = self.swiss_rounds() * (self.players // 2)
            case _:
                encounters = len(self.encounters())
        return encounters * self.pairs * 2

    def encounters(self) -> list[tuple[int, int]]:
        """Who meets whom, where that is known in advance."""
        if self.format is Format.GAUNTLET:
            first = self.challengers or 1
            return [(challenger, other) for challenger in range(first) for other in range(first, self.players)]
        return list(combinations(range(self.players), 2))

    def swiss_rounds(self) -> int:
        """The number of rounds of a Swiss match."""
        if self.rounds is not None:
            return min(self.rounds, self.players - 1)
        return min(ceil(log2(self.players)), self.players - 1)


def pair_of_games(first: int, second: int, number: int, round_: int = 0) -> Iterator[Pairing]:
    """Two games from one start; in the second one the sides are swapped."""
    prefix = f"r{round_}-" if round_ else ""
    pair = f"{prefix}{first + 1}v{second + 1}-{number + 1:05d}"
    yield Pairing(f"{pair}a", pair, round_, first, second, number)
    yield Pairing(f"{pair}b", pair, round_, second, first, number)


def _everybody(plan: Arrangement, points: Points) -> Stream:
    # Number by number, not encounter by encounter: a match that is broken off is balanced.
    for number in count() if plan.pairs is None else range(plan.pairs):
        for first, second in plan.encounters():
            yield from pair_of_games(first, second, number)


def _score(pairings: Sequence[Pairing], points: Points, player: int) -> float:
    """The points of ``player`` in these games."""
    total = 0.0
    for pairing in pairings:
        scored = points.get(pairing.id)
        if scored is not None:
            total += scored[0] if pairing.one == player else scored[1] if pairing.two == player else 0.0
    return total


# --- knock-out --------------------------------------------------------------------------------------------------------


def _knockout(plan: Arrangement, points: Points) -> Stream:
    size = 1 << ceil(log2(plan.players))
    field: list[int | None] = [place if place < plan.players else None for place in bracket_order(size)]
    for round_ in count(1):
        if len(field) == 1:
            return
        winners: list[int | None] = []
        encounters = [(field[at], field[at + 1]) for at in range(0, len(field), 2)]
        played: dict[tuple[int, int], list[Pairing]] = {}
        for first, second in encounters:
            if first is not None and second is not None:
                games = [
                    game for number in range(plan.pairs or 1) for game in pair_of_games(first, second, number, round_)
                ]
                played[first, second] = games
                yield from games
        yield None
        yield from _play_off(plan, played, points, round_)
        for first, second in encounters:
            if first is None or second is None:
                winners.append(first if second is None else second)
                continue
            games = played[first, second]
            ahead = _score(games, points, first) - _score(games, points, second)
            # Still level: the one who stands higher in the list goes on.
            winners.append(first if ahead > 0 else second if ahead < 0 else min(first, second))
        field = winners


def _play_off(plan: Arrangement, played: dict[tuple[int, int], list[Pairing]], points: Points, round_: int) -> Stream:
    """More pairs of games where an encounter is level."""
    for extra in range(_MAX_EXTRA_PAIRS):
        level = [
            players
            for players, games in played.items()
            if _score(games, points, players[0]) == _score(games, points, players[1])
        ]
        if not level:
            return
        for first, second in level:
            more = list(pair_of_games(first, second, (plan.pairs or 1) + extra, round_))
            played[first, second] += more
            yield from more
        yield None


def bracket_order(size: int) -> list[int]:
    """The seeds, from 0, as they stand in a bracket: neighbours meet, and the two best can only meet in the final."""
    places = [0]
    while len(places) < size:
        rivals = 2 * len(places) - 1
        places = [place for seed in places for place in (seed, rivals - seed)]
    return places


# --- Swiss ------------------------------------------------------------------------------------------------------------


def _swiss(plan: Arrangement, points: Points) -> Stream:
    met: set[frozenset[int]] = set()
    had_bye: set[int] = set()
    scores = [0.0] * plan.players
    for round_ in range(1, plan.swiss_rounds() + 1):
        order = sorted(range(plan.players), key=lambda player: (-scores[player], player))
        bye = None
        if plan.players % 2:
            bye = next(player for player in reversed(order) if player not in had_bye)
            had_bye.add(bye)
            order.remove(bye)
        pairs = match_up(order, met) or match_up(order, set()) or []
        games: list[Pairing] = []
        for first, second in pairs:
            met.add(frozenset((first, second)))
            for number in range(plan.pairs or 1):
                games += pair_of_games(min(first, second), max(first, second), number, round_)
        yield from games
        yield None
        for player in range(plan.players):
            mine = _score(games, points, player)
            # A round without an opponent is worth as much as one that was won outright.
            scores[player] += 2.0 * (plan.pairs or 1) if player == bye else mine


def match_up(order: Sequence[int], met: set[frozenset[int]]) -> list[tuple[int, int]] | None:
    """Opponents for all players, near in ``order`` and new to each other; ``None`` if that cannot be."""
    if not order:
        return []
    first, rest = order[0], order[1:]
    for at, second in enumerate(rest):
        if frozenset((first, second)) not in met:
            others = match_up([*rest[:at], *rest[at + 1 :]], met)
            if others is not None:
                return [(first, second), *others]
    return None
