"""Playing on the picture of a board: what a page needs to know, and the move that it sent.

Each kind of input has one handler here, whose counterpart is the script of the same kind in ``play.js``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, assert_never

from spielleiter.errors import NotationError, Refused
from spielleiter.game import AnyBoardInput, AnyGame, Language, Look, PieceMoves, Square, TilePlacement
from spielleiter.game.drawing import square_key
from spielleiter.pages import boards
from spielleiter.text import upper_first

FindMove = Callable[[Any], Any]
"""Makes a move of a position. Raises ``Refused``, ``ValueError`` or ``KeyError`` if it is none."""
FIELDS = ("start", "target", "tile", "orientation", "at", "pass", "text")
"""What a page may send; each kind of input reads its own."""
_MAX_FIELD = 200
_SQUARE = re.compile(r"(-?[0-9]{1,3}),(-?[0-9]{1,3})")


class InputHandler(Protocol):
    """One kind of input."""

    def data(self, state: Any, language: Language, *, mine: bool) -> dict[str, Any]:
        """What the script of this kind shows: with the legal moves, if the visitor is to move."""

    def find_move(self, fields: Mapping[str, str]) -> FindMove:
        """The move that the script of this kind sent. Raises ``ValueError`` for what it would not send."""


def handler(game: AnyGame, board_input: AnyBoardInput) -> InputHandler:
    """What handles this kind of input."""
    match board_input:
        case PieceMoves():
            return PieceMovesHandler(board_input)
        case TilePlacement():
            return TilePlacementHandler(game, board_input)
        case _:
            assert_never(board_input)


def input_data(game: AnyGame, state: Any, language: Language, *, flipped: bool, mine: bool, ply: int) -> dict[str, Any]:
    """The squares of the board and, if it is the visitor's turn (``mine``), the legal moves."""
    board_input = game.board_input
    if board_input is None:
        return {"kind": "none", "ply": ply, "mine": False}
    look = Look(flipped=flipped)
    rows = board_input.rows if not flipped else [tuple(reversed(row)) for row in reversed(board_input.rows)]
    return {
        "kind": board_input.kind,
        "ply": ply,
        "mine": mine,
        "extent": board_input.extent(look),
        "rows": [
            [
                (square_key(square), *board_input.corner(square, look), board_input.square_name(square),
                 board_input.contents(state, square).to(language))
                for square in row
            ]
            for row in rows
        ],
        **handler(game, board_input).data(state, language, mine=mine),
    }  # fmt: skip


def find_move(game: AnyGame, form: Mapping[str, Any]) -> FindMove:
    """The move that a page sent: in notation, or as its kind of input does. Raises ``ValueError``."""
    fields = {name: str(form.get(name, ""))[:_MAX_FIELD] for name in FIELDS}
    if fields["text"]:
        return lambda state: game.notation.parse_move(state, fields["text"])
    if game.board_input is None:
        raise ValueError("this game is played in notation only")
    return handler(game, game.board_input).find_move(fields)


def try_fields(game: AnyGame, state: Any, form: Mapping[str, Any], language: Language) -> dict[str, Any]:
    """Whether the move that a page asks about would be legal, and if not, why: for the ghost of a tile."""
    try:
        move = find_move(game, form)(state)
    except (Refused, ValueError, KeyError) as problem:
        return {"ok": False, "text": problem_text(problem, language)}
    violation = state.violation(move)
    return {"ok": violation is None, "text": "" if violation is None else upper_first(violation.text.to(language))}


def problem_text(problem: Exception, language: Language) -> str:
    """Why what a page sent is no move, or could not be made."""
    match problem:
        case NotationError():
            start = "Das ist kein Zug" if language == "de" else "This is no move"
            return f"{start}: {problem.problem.to(language)}"
        case Refused():
            return upper_first(problem.text.to(language))
        case OSError():
            return "Der Spielleiter antwortet nicht." if language == "de" else "The game master does not answer."
        case _:
            return "Das war kein Zug." if language == "de" else "That was no move."


@dataclass(frozen=True, slots=True)
class PieceMovesHandler:
    """Two squares make a move."""

    board_input: PieceMoves[Any, Any]

    def data(self, state: Any, language: Language, *, mine: bool) -> dict[str, Any]:
        """From where to where, why just there, and the squares that decide it."""
        return {
            "steps": [
                [
                    square_key(step.start),
                    square_key(step.target),
                    step.why.to(language),
                    [square_key(square) for square in step.counted],
                ]
                for step in (self.board_input.steps(state) if mine else ())
            ]
        }

    def find_move(self, fields: Mapping[str, str]) -> FindMove:
        """From ``start`` to ``target``."""
        start, target = _square(fields["start"]), _square(fields["target"])

        def find(state: Any) -> Any:
            for step in self.board_input.steps(state):
                if (step.start, step.target) == (start, target):
                    return step.move
            refusal = self.board_input.refusal(state, start, target)
            raise Refused(refusal.de, refusal.en)

        return find


@dataclass(frozen=True, slots=True)
class TilePlacementHandler:
    """A tile, its orientation and a square make a move; or a pass."""

    game: AnyGame
    board_input: TilePlacement[Any, Any]

    def data(self, state: Any, language: Language, *, mine: bool) -> dict[str, Any]:
        """The tiles with their orientations, and where each may go."""
        return {
            "side": self.game.color_to_move(state).to(language),
            "paint": self.board_input.paint(state),
            "note": advice.to(language) if mine and (advice := self.board_input.advice(state)) is not None else "",
            "tray": str(boards.picture(self.board_input.tray(state, Look()), self.game)),
            "tiles": {
                tile.name: [
                    tile.text.to(language),
                    [[shape.cells, shape.turned, shape.flipped] for shape in tile.orientations],
                ]
                for tile in (self.board_input.tiles(state) if mine else ())
            },
            "placements": {
                f"{name}:{orientation}": [square_key(at) for at in squares]
                for (name, orientation), squares in (self.board_input.placements(state) if mine else {}).items()
            },
            "anchors": [square_key(square) for square in (self.board_input.anchors(state) if mine else ())],
            "pass": mine and self.board_input.pass_move(state) is not None,
        }

    def find_move(self, fields: Mapping[str, str]) -> FindMove:
        """``tile`` in its ``orientation`` ``at`` a square, or ``pass``."""
        if fields["pass"]:
            return self._pass
        name, orientation, at = fields["tile"], int(fields["orientation"]), _square(fields["at"])
        return lambda state: self.board_input.place(state, name, orientation, at)

    def _pass(self, state: Any) -> Any:
        move = self.board_input.pass_move(state)
        if move is None:
            raise Refused("Passen ist jetzt nicht erlaubt.", "Passing is not allowed now.")
        return move


def _square(text: str) -> Square:
    found = _SQUARE.fullmatch(text)
    if found is None:
        raise ValueError(text)
    return int(found[1]), int(found[2])
