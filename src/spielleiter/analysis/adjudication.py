"""Ending games early that seem decided: off unless a match asks for it, and never in a contest.

By win probability the engine judges every position, with each side to move in turn; by lead the points of the rules do.
Either has to say the same for several moves in a row. A win probability of 0.98 states that at most 2 % of the results
of a match are others than without it; docs/lab.md has what was measured. A draw needs a late turn, too: what is even
before the end is open, not drawn.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from spielleiter.errors import EngineMissing, SettingsError
from spielleiter.game import AnyGame, Team, Text
from spielleiter.rating.formatting import percent
from spielleiter.search.budget import Budget
from spielleiter.search.engine import EngineSearch, why_unavailable
from spielleiter.text import did_you_mean

_TABLE_MIB = 1
_BOUNDS: dict[str, tuple[float, float]] = {
    "win": (0.9, 0.999),
    "lead": (1, 1000),
    "draw": (0.001, 0.2),
    "after": (1, 1000),
    "moves": (2, 60),
    "nodes": (1, 10**7),
}


@dataclass(frozen=True, slots=True)
class Adjudication:
    """When a game ends early: ``win``, ``lead`` or ``draw`` has to hold after each of ``moves`` moves in a row."""

    win: float | None = None
    """The win probability of one side, by the engine."""
    lead: int | None = None
    """The difference in the first score behind the victory points."""
    draw: float | None = None
    """How far the win probability may be from one half, by the engine, in a game that is drawn."""
    after: int | None = None
    """The turn from which on a game can be drawn."""
    moves: int = 6
    nodes: int = 500
    """Nodes for each position that the engine judges."""

    def __post_init__(self) -> None:
        if (self.lead is None) == (self.win is None and self.draw is None):
            raise SettingsError(
                "--adjudicate braucht entweder win oder lead, wie in win=0.98,moves=6 oder lead=20,moves=8; draw nur "
                "allein oder mit win.",
                "--adjudicate takes either win or lead, as in win=0.98,moves=6 or lead=20,moves=8; and draw alone or "
                "with win",
            )
        if (self.draw is None) != (self.after is None):
            raise SettingsError(
                "--adjudicate braucht für Remis draw und after, den frühesten Zug: draw=0.02,after=50.",
                "--adjudicate takes draw with after, the earliest turn: draw=0.02,after=50",
            )
        for name, (lowest, highest) in _BOUNDS.items():
            value = getattr(self, name)
            if value is not None and not lowest <= value <= highest:
                raise SettingsError(
                    f"--adjudicate: {name} liegt zwischen {lowest:g} und {highest:g}, nicht bei {value:g}.",
                    f"--adjudicate: {name} lies between {lowest:g} and {highest:g}, not at {value:g}",
                )

    def reason(self, winner: Team | None) -> Text:
        """Why a game ended so."""
        if winner is None:
            share = percent(self.draw or 0.0)
            return Text(
                f"vorzeitig als Remis gewertet nach {self.moves} Zügen mit Gewinnchancen um 50 % (± {share.de})",
                f"ended early as a draw after {self.moves} moves with win probabilities around 50 % (± {share.en})",
            )
        if self.win is not None:
            chance = percent(self.win)
            return Text(
                f"vorzeitig gewertet nach {self.moves} Zügen mit einer Gewinnchance ab {chance.de}",
                f"ended early after {self.moves} moves with a win probability of {chance.en} or more",
            )
        return Text(
            f"vorzeitig gewertet nach {self.moves} Zügen mit einem Vorsprung ab {self.lead}",
            f"ended early after {self.moves} moves with a lead of {self.lead} or more",
        )

    def check(self, game: AnyGame) -> None:
        """Raise ``EngineMissing`` if the engine is needed and does not play ``game``.

        ``SettingsError`` if no game lasts until a draw is possible.
        """
        if self.lead is None and (problem := why_unavailable(game.key)) is not None:
            name = "draw" if self.win is None else "win"
            raise EngineMissing(f"--adjudicate {name}: {problem.de}", f"--adjudicate {name}: {problem.en}")
        if self.after is not None and game.max_turn is not None and self.after > game.max_turn:
            raise SettingsError(
                f"--adjudicate: after={self.after} kommt nie, ein Spiel hat höchstens {game.max_turn} Züge.",
                f"--adjudicate: after={self.after} never comes, a game has {game.max_turn} turns at most",
            )


def parse_adjudication(text: str) -> Adjudication:
    """What ``win=0.98,moves=6`` stands for. Raises ``SettingsError``."""
    values: dict[str, Any] = {}
    for part in text.split(","):
        name, _, value = part.strip().partition("=")
        if name not in _BOUNDS:
            hint = did_you_mean(name, _BOUNDS)
            raise SettingsError(
                f"--adjudicate kennt {name!r} nicht: {hint.de}", f"--adjudicate does not know {name!r}: {hint.en}"
            )
        try:
            values[name] = float(value) if name in ("win", "draw") else int(value)
        except ValueError:
            raise SettingsError(
                f"--adjudicate erwartet eine Zahl für {name}, wie in win=0.98,moves=6, nicht {value!r}.",
                f"--adjudicate takes a number for {name}, as in win=0.98,moves=6, not {value!r}",
            ) from None
    return Adjudication(**values)


def engine_chance(game: AnyGame, nodes: int) -> Callable[[Any], float | None]:
    """The win probability of the team to move, by the engine with so many ``nodes``. Raises ``EngineMissing``.

    ``None`` where these were too few to look at any move.
    """
    search: EngineSearch[Any, Any] = EngineSearch(game, table_mib=_TABLE_MIB)
    return lambda state: search.search(state, Budget(nodes=nodes)).win_probability


@dataclass(frozen=True, slots=True)
class EarlyEnd:
    """How a game ends early."""

    winner: Team | None
    """``None``: it is drawn."""
    reason: Text


_EVEN = "even"
"""What a position is that speaks for a draw."""


class Adjudicator:
    """Follows one game, position by position."""

    def __init__(self, game: AnyGame, rule: Adjudication, chance: Callable[[Any], float | None] | None = None) -> None:
        """``chance`` gives the win probability of the team to move, if it is known; by default the engine does."""
        self._rule = rule
        self._chance = chance or (None if rule.lead is not None else engine_chance(game, rule.nodes))
        self._seen: Team | str | None = None
        self._streak = 0

    def end_after(self, state: Any) -> EarlyEnd | None:
        """How the game ends, if that was clear after this move and the ones before; to be called after each move."""
        if state.outcome is not None:
            return None
        found = self._look(state)
        self._streak = self._streak + 1 if found is self._seen else 1
        self._seen = found
        if found is None or self._streak < self._rule.moves:
            return None
        winner = found if isinstance(found, Team) else None
        return EarlyEnd(winner, self._rule.reason(winner))

    def _look(self, state: Any) -> Team | str | None:
        """The team that is about to win in this position, or whether it is even; ``None`` where that is open."""
        rule = self._rule
        team: Team = state.to_move
        if rule.lead is not None:
            ahead = state.points(team)[1] - state.points(team.opponent)[1]
            return None if abs(ahead) < rule.lead else team if ahead > 0 else team.opponent
        assert self._chance is not None
        if rule.win is None and state.turn < (rule.after or 0):
            return None
        chance = self._chance(state)
        if chance is None:
            return None
        if rule.win is not None and max(chance, 1 - chance) >= rule.win:
            return team if chance >= rule.win else team.opponent
        is_even = rule.draw is not None and rule.after is not None and state.turn >= rule.after
        return _EVEN if is_even and abs(chance - 0.5) <= (rule.draw or 0.0) else None
