"""Why a move in Blokus was worse than another one: corners, room for the own pieces, and squares."""

from __future__ import annotations

from collections.abc import Iterator

from spielleiter.game import Text, WorseMove
from spielleiter.games.blokus.board import reach, squares
from spielleiter.games.blokus.board_input import kind_text
from spielleiter.games.blokus.moves import Move, Pass, Place, placements
from spielleiter.games.blokus.rules import State
from spielleiter.games.blokus.shapes import COLORS, Color

_MIN_CORNERS = 3
"""Losing so many corners is worth a word."""
_MIN_PIECES = 3
"""Minimum number of pieces that must fit at a corner."""
_MIN_FEWER = 2
"""The difference in pieces or squares that is worth a word."""
_MIN_SHARE, _MIN_WAYS = 0.2, 20
"""The share by which placements must differ, of so many at least."""


def reasons(worse: WorseMove[State, Move]) -> Iterator[Text]:
    """Sentences, the weightiest first."""
    if isinstance(worse.move, Pass) and isinstance(worse.better, Place):
        yield Text("Es wurde gepasst, obwohl ein Stein passt.", "It was a pass although a piece fits.")
        return
    for found in (_answer(worse), _corner_left(worse), _room(worse), _size(worse), *_ways(worse)):
        if found is not None:
            yield found


def _answer(worse: WorseMove[State, Move]) -> Text | None:
    """The opponent's answer takes corners, and the better move would have made it impossible."""
    answer, answered = worse.answer, worse.answered
    if not isinstance(answer, Place) or answered is None or not worse.prevents:
        return None
    mine = [color for color in COLORS if color.team is worse.before.to_move and worse.after.boards[color]]
    lost = {color: len(open_corners(worse.after, color)) - len(open_corners(answered, color)) for color in mine}
    color = max(lost, key=lambda each: lost[each], default=None)
    if color is None or lost[color] < _MIN_CORNERS:
        return None
    kind, other = kind_text(answer.kind), answer.color.text
    return Text(
        f"{other.de} antwortet mit dem {kind.de} bei {answer.x},{answer.y} und verbaut {color.text.de}"
        f" {lost[color]} Ecken; nach dem besseren Zug ginge das nicht.",
        f"{other.en} answers with the {kind.en} at {answer.x},{answer.y} and takes {lost[color]} corners from"
        f" {color.text.en}; after the better move that would be impossible.",
    )


def _corner_left(worse: WorseMove[State, Move]) -> Text | None:
    """A corner of the opponent that the better move would have taken."""
    best: tuple[int, tuple[int, int], Color] | None = None
    for color in COLORS:
        if color.team is worse.before.to_move or not worse.after.boards[color]:
            continue
        for square in open_corners(worse.after, color) - open_corners(worse.instead, color):
            count = pieces_at(worse.after, color, square)
            if best is None or count > best[0]:
                best = count, square, color
    if best is None or best[0] < _MIN_PIECES:
        return None
    count, (x, y), color = best
    return Text(
        f"{color.text.de} behält die Ecke bei {x},{y}, an der {count} Steine passen; der bessere Zug verbaut sie.",
        f"{color.text.en} keeps the corner at {x},{y}, where {count} pieces fit; the better move takes it.",
    )


def _room(worse: WorseMove[State, Move]) -> Text | None:
    """How many of the colour's pieces fit anywhere."""
    color = worse.before.color
    now, instead = fitting_pieces(worse.after, color), fitting_pieces(worse.instead, color)
    if instead - now < _MIN_FEWER:
        return None
    passt, fit = ("passt", "fits") if now == 1 else ("passen", "fit")
    return Text(
        f"Von den übrigen Steinen {passt} für {color.text.de} danach {now} aufs Brett, nach dem besseren Zug"
        f" {instead}.",
        f"Of the pieces left to {color.text.en}, {now} {fit} on the board then, after the better move {instead}.",
    )


def _size(worse: WorseMove[State, Move]) -> Text | None:
    if not isinstance(worse.move, Place) or not isinstance(worse.better, Place):
        return None
    now, instead = worse.move.kind.size, worse.better.kind.size
    if instead - now < _MIN_FEWER:
        return None
    de, en = ("1 Feld", "1 square") if now == 1 else (f"{now} Felder", f"{now} squares")
    return Text(
        f"Der Stein belegt nur {de}, der bessere {instead}.",
        f"The piece covers only {en}, the better one {instead}.",
    )


def _ways(worse: WorseMove[State, Move]) -> Iterator[Text]:
    """How many placements each colour on the board would have: the own one more, the opponents' fewer."""
    color = worse.before.color
    now, instead = len(_placements(worse.after, color)), len(_placements(worse.instead, color))
    if instead - now >= _MIN_SHARE * max(now, _MIN_WAYS):
        yield Text(
            f"{color.text.de} hätte danach {now} Möglichkeiten weiterzubauen, nach dem besseren Zug {instead}.",
            f"{color.text.en} would have {now} ways to go on then, after the better move {instead}.",
        )
    for other in COLORS:
        if other.team is color.team or not worse.after.boards[other]:
            continue
        now, instead = len(_placements(worse.after, other)), len(_placements(worse.instead, other))
        if now - instead >= _MIN_SHARE * max(instead, _MIN_WAYS):
            yield Text(
                f"{other.text.de} behält {now} Möglichkeiten weiterzubauen, nach dem besseren Zug nur {instead}.",
                f"{other.text.en} keeps {now} ways to go on, after the better move only {instead}.",
            )


def _placements(state: State, color: Color) -> list[Place]:
    free, corners = reach(state.boards[color], state.occupied, state.rules.start_squares)
    return placements(color, state.hands[color], free, corners)


def open_corners(state: State, color: Color) -> set[tuple[int, int]]:
    """The free squares at which ``color`` could go on."""
    return set(squares(reach(state.boards[color], state.occupied, state.rules.start_squares)[1]))


def pieces_at(state: State, color: Color, square: tuple[int, int]) -> int:
    """How many kinds of pieces ``color`` could lay over ``square``."""
    return len({move.kind for move in _placements(state, color) if square in move.cells})


def fitting_pieces(state: State, color: Color) -> int:
    """How many kinds of pieces ``color`` could lay anywhere."""
    return len({move.kind for move in _placements(state, color)})
