"""Blokus as the recordings of the reference servers write it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from spielleiter.games.blokus.board import SIDE, STRIDE
from spielleiter.games.blokus.moves import Move, Pass, Place
from spielleiter.games.blokus.rules import Rules, State
from spielleiter.games.blokus.shapes import COLORS, KINDS, ORIENTATIONS, Color, Rotation, Shape

_KIND_NAMES = tuple(kind.name for kind in KINDS)
_NAMES = tuple(f"{place % STRIDE},{place // STRIDE}" for place in range(STRIDE * SIDE))
_OFFSETS = tuple(tuple(STRIDE * y + x for x, y in orientation.cells) for orientation in ORIENTATIONS)


class BlokusRecordings:
    """Reads recorded games of one rule set; see ``records.reference``."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules

    def start(self, game: Mapping[str, Any]) -> State:
        return State.begin(self._rules, Shape[game["start"]["startPiece"]])

    def move(self, state: State, text: str) -> Move:
        """The move that the recording names as ``COLOR KIND ROTATION FLIPPED x,y`` or ``COLOR SKIP``."""
        color, *piece = text.split(" ")
        if piece == ["SKIP"]:
            return Pass(Color[color])
        kind, rotation, flipped, place = piece
        x, y = place.split(",")
        is_flipped = {"false": False, "true": True}[flipped]
        return Place(Color[color], Shape[kind], Rotation[rotation], is_flipped, int(x), int(y))

    def canonical_moves(self, state: State) -> list[str]:
        """The placements as the recordings hash them: colour, kind and covered squares in reading order."""
        color = state.color.name
        found = []
        for move in state.placements():
            place = STRIDE * move.y + move.x
            squares = [_NAMES[place + offset] for offset in _OFFSETS[move.orientation]]
            found.append(f"{color} {_KIND_NAMES[move.kind]} {' '.join(squares)}")
        return found

    def end(self, state: State) -> dict[str, Any]:
        """What the recordings say about the last position."""
        return {
            "round": state.round,
            "board": [row.replace(".", "-") for row in state.rows()],
            "points": {color.name: state.color_points(color) for color in COLORS},
            "undeployed": {color.name: [kind.name for kind in state.kinds_left(color)] for color in COLORS},
            "validColors": [color.name for color in state.colors_in],
            "lastMoveMono": {color.name: bool(state.mono >> color & 1) for color in COLORS if not state.hands[color]},
        }
