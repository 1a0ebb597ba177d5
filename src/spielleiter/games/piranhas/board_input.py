"""Piranhas on a page: which fish goes where, which fish on the line decide that, and the board in words."""

from __future__ import annotations

from collections.abc import Sequence

from spielleiter.game import Look, MoveNote, Pick, PieceMoves, Square, Text
from spielleiter.game.board_input import NO_MOVE, squares_among
from spielleiter.game.drawing import Grid, Point
from spielleiter.games.piranhas.rules import SIZE, Direction, Move, State, square_name, square_of


def squares_of(mask: int) -> tuple[Square, ...]:
    """The squares whose bits are set."""
    found = []
    while mask:
        found.append(square_of(mask & -mask))
        mask &= mask - 1
    return tuple(found)


_ROWS = tuple(tuple((x, y) for x in range(SIZE)) for y in reversed(range(SIZE)))


class PiranhasInput(PieceMoves[State, Move]):
    """Fish swim along a line, as far as there are fish on it (R5)."""

    rows = _ROWS

    def outline(self, square: Square, look: Look) -> tuple[Point, ...]:
        """The corners of ``square`` in the picture."""
        return Grid(SIZE, SIZE, look, up=True).outline(square)

    def extent(self, look: Look) -> tuple[float, float]:
        """Width and height of the picture."""
        return Grid(SIZE, SIZE, look, up=True).extent

    def square_name(self, square: Square) -> str:
        """``A4``."""
        return square_name(*square)

    def contents(self, state: State, square: Square) -> Text:
        """The fish with its colour and size, a kraken, or nothing."""
        bit = 1 << SIZE * square[1] + square[0]
        if bit & state.krakens:
            return Text("Krake", "kraken")
        if not bit & (state.one | state.two):
            return Text("leer", "empty")
        fish = Text("roter Fisch", "red fish") if bit & state.one else Text("blauer Fisch", "blue fish")
        if not state.rules.weighted:
            return fish
        weight = state.weight(bit)
        return Text(f"{fish.de}, Größe {weight}", f"{fish.en}, size {weight}")

    def move_text(self, state: State, move: Move) -> Text:
        """Start, destination, and whether a fish is eaten."""
        start, target = square_name(move.x, move.y), state.target(move)
        who = Text("Blau", "Blue") if state.to_move else Text("Rot", "Red")
        if target is None:
            return Text(f"{who.de}: {start} über den Rand hinaus", f"{who.en}: {start} off the board")
        eats = state.fish(state.to_move.opponent) >> SIZE * target[1] + target[0] & 1
        end = square_name(*target)
        return Text(
            f"{who.de}: {start} nach {end}{', frisst einen Fisch' if eats else ''}",
            f"{who.en}: {start} to {end}{', eats a fish' if eats else ''}",
        )

    def move_squares(self, state: State, move: Move) -> tuple[Square, ...]:
        """Start and target, as far as they are on the board."""
        start, target = (move.x, move.y), state.target(move)
        return tuple(square for square in (start, target) if square is not None and move.ray is not None)

    def picks(self, state: State, move: Move) -> tuple[Square, Square]:
        """Start and target."""
        target = state.target(move)
        assert target is not None
        return (move.x, move.y), target

    def note(self, state: State, move: Move) -> MoveNote:
        """The fish that decide how far it goes."""
        assert move.ray is not None
        counted = squares_of((state.one | state.two) & move.ray[1])
        return MoveNote(_distance(len(counted)), counted)

    def refusal(self, state: State, picks: Sequence[Pick]) -> Text:
        """The rule in the way: no fish of yours, no line, the wrong distance, or whatever lies there."""
        squares = squares_among(picks, len(picks))
        if squares is None or len(squares) > 2:
            return NO_MOVE
        start, target = squares[0], squares[-1]
        (x, y), (to_x, to_y) = start, target
        distance = max(abs(to_x - x), abs(to_y - y))
        mine = state.violation(Move(x, y, Direction.UP))
        if mine is not None and mine.name in ("GAME_OVER", "OFF_BOARD", "NO_FISH", "NOT_YOUR_FISH"):
            return mine.text
        if len(squares) == 1:
            return Text("Dieser Fisch kann nirgendwohin.", "This fish cannot go anywhere.")
        step = ((to_x - x) // distance, (to_y - y) // distance) if distance else (0, 0)
        if not distance or (x + distance * step[0], y + distance * step[1]) != target:
            return Text(
                "Ein Fisch schwimmt nur waagerecht, senkrecht oder schräg.",
                "A fish swims only straight or diagonally.",
            )
        move = Move(x, y, Direction(step))
        assert move.ray is not None
        count = ((state.one | state.two) & move.ray[1]).bit_count()
        if count != distance:
            why = _distance(count)
            return Text(f"{why.de}, nicht {distance}.", f"{why.en}, not {distance}.")
        violation = state.violation(move)
        return Text("Das ist erlaubt.", "This is legal.") if violation is None else violation.text


def _distance(count: int) -> Text:
    if count == 1:
        return Text("1 Fisch auf dieser Linie: genau 1 Feld weit", "1 fish on this line: exactly 1 square")
    return Text(
        f"{count} Fische auf dieser Linie: genau {count} Felder weit",
        f"{count} fish on this line: exactly {count} squares",
    )
