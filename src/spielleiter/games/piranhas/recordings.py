"""Piranhas as the recordings of the reference servers write it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from spielleiter.game import TEAMS, Team
from spielleiter.games.piranhas.rules import (
    BOARDS,
    SIZE,
    Direction,
    Move,
    Rules,
    State,
    is_united,
    state_of_boards,
    swarms,
)


def field_names(state: State) -> list[list[str]]:
    """The ten rows from y=0, each square in the words of the season's server."""
    return [[field_name(state, 1 << y * SIZE + x) for x in range(SIZE)] for y in range(SIZE)]


def field_name(state: State, bit: int) -> str:
    """The word of the season's server for what lies on the square ``bit``."""
    if bit & state.krakens:
        return "SQUID" if state.rules.weighted else "OBSTRUCTED"
    if not bit & (state.one | state.two):
        return "EMPTY"
    if not state.rules.weighted:
        return "RED" if bit & state.one else "BLUE"
    size = "L" if bit & state.large else "M" if bit & state.medium else "S"
    return f"{'ONE' if bit & state.one else 'TWO'}_{size}"


def state_from_fields(rules: Rules, turn: int, rows: Sequence[Sequence[str]], first_union: Team | None = None) -> State:
    """The state whose rows from y=0 are given in the words of a server. Raises ``KeyError`` for an unknown word."""
    boards = dict.fromkeys(BOARDS, 0)
    for y, row in enumerate(rows):
        for x, word in enumerate(row):
            for board in _FIELDS[word]:
                boards[board] |= 1 << y * SIZE + x
    return state_of_boards(rules, turn, boards, first_union)


_FIELDS: dict[str, tuple[str, ...]] = {
    "EMPTY": (),
    "RED": ("one",),
    "BLUE": ("two",),
    "OBSTRUCTED": ("krakens",),
    "SQUID": ("krakens",),
    "ONE_S": ("one",),
    "ONE_M": ("one", "medium"),
    "ONE_L": ("one", "large"),
    "TWO_S": ("two",),
    "TWO_M": ("two", "medium"),
    "TWO_L": ("two", "large"),
}


class PiranhasRecordings:
    """Reads recorded games of one rule set; see ``records.reference``."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules

    def start(self, game: Mapping[str, Any]) -> State:
        turn = game.get("startTurn", game.get("turn", 0))
        union = game.get("firstUnion")
        return state_from_fields(self._rules, turn, game["start"]["board"], Team[union] if union else None)

    def move(self, state: State, text: str) -> Move:
        """The move that the recording names as ``x,y,DIRECTION``."""
        x, y, direction = text.split(",")
        return Move(int(x), int(y), Direction[direction])

    def canonical_moves(self, state: State) -> list[str]:
        """The legal moves as the recordings hash them."""
        return [f"{move.x},{move.y},{move.direction.name}" for move in state.legal_moves()]

    def end(self, state: State) -> dict[str, Any]:
        """What the recordings say about the last position."""
        end: dict[str, Any] = {
            "board": field_names(state),
            "connected": {team.name: is_united(state.fish(team)) for team in TEAMS},
        }
        if self._rules.weighted:
            end["firstUnion"] = state.first_union.name if state.first_union is not None else None
            end["swarmWeights"] = {
                team.name: sorted((state.weight(swarm) for swarm in swarms(state.fish(team))), reverse=True)
                for team in TEAMS
            }
        else:
            end["swarm"] = {team.name: state.largest_swarm(team).bit_count() for team in TEAMS}
            end["fish"] = {team.name: state.fish(team).bit_count() for team in TEAMS}
        return end
