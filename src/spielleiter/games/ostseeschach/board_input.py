"""Ostseeschach on a page: which piece goes where and what it wins there, and the board in words."""

from __future__ import annotations

from collections.abc import Sequence

from spielleiter.game import Look, MoveNote, Pick, PieceMoves, Square, Text
from spielleiter.game.board_input import NO_MOVE, squares_among
from spielleiter.game.drawing import Point
from spielleiter.games.ostseeschach.drawing import Beach
from spielleiter.games.ostseeschach.moves import SIZE, Move, on_board, square_name
from spielleiter.games.ostseeschach.rules import State

_ROWS = tuple(tuple((x, y) for y in range(SIZE)) for x in reversed(range(SIZE)))


class OstseeschachInput(PieceMoves[State, Move]):
    """Pieces move as their kind does (R6 to R9)."""

    rows = _ROWS

    def outline(self, square: Square, look: Look) -> tuple[Point, ...]:
        """The corners of ``square`` in the picture."""
        return Beach(SIZE, SIZE, look, True).outline(square)

    def extent(self, look: Look) -> tuple[float, float]:
        """Width and height of the picture."""
        return Beach(SIZE, SIZE, look, True).extent

    def square_name(self, square: Square) -> str:
        """``a1``."""
        return square_name(square)

    def contents(self, state: State, square: Square) -> Text:
        """The piece on top with its colour, and whether it stands on a tower."""
        piece = state.piece_at(square)
        if piece is None:
            return Text("leer", "empty")
        kind, team = piece.kind.text, Text("Blau", "blue") if piece.team else Text("Rot", "red")
        tower = Text(", Turm", ", tower") if piece.height > 1 else Text("", "")
        return Text(f"{kind.de} von {team.de}{tower.de}", f"{team.en} {kind.en}{tower.en}")

    def move_text(self, state: State, move: Move) -> Text:
        """The piece, from where to where, and what comes of it."""
        piece = state.piece_at(move.start)
        kind = Text("Figur", "piece") if piece is None else piece.kind.text
        team = Text("Blau", "Blue") if state.to_move else Text("Rot", "Red")
        start, target = square_name(move.start), square_name(move.target)
        won = self._gain(state, move) if state.violation(move) is None else Text("", "")
        return Text(
            f"{team.de}: {kind.de} {start} nach {target}{', ' if won.de else ''}{won.de}",
            f"{team.en}: {kind.en} {start} to {target}{', ' if won.en else ''}{won.en}",
        )

    def move_squares(self, state: State, move: Move) -> tuple[Square, ...]:
        """Start and target, as far as they are on the board."""
        return tuple(square for square in (move.start, move.target) if on_board(square))

    def picks(self, state: State, move: Move) -> tuple[Square, Square]:
        """Start and target."""
        return move.start, move.target

    def note(self, state: State, move: Move) -> MoveNote:
        """What the move wins."""
        return MoveNote(self.move_text(state, move))

    def refusal(self, state: State, picks: Sequence[Pick]) -> Text:
        """The rule that a move from the first square to the second breaks."""
        squares = squares_among(picks, len(picks))
        if squares is None or len(squares) > 2:
            return NO_MOVE
        violation = state.violation(Move(squares[0], squares[-1]))
        return NO_MOVE if violation is None else violation.text

    def _gain(self, state: State, move: Move) -> Text:
        team, captured = state.to_move, state.piece_at(move.target)
        won = state.play_unchecked(move).ambers(team) - state.ambers(team)
        parts: list[Text] = []
        if captured is not None:
            parts.append(Text(f"schlägt {captured.kind.text.de}", f"captures the {captured.kind.text.en}"))
        if won:
            parts.append(
                Text("gewinnt einen Bernstein", "wins a piece of amber")
                if won == 1
                else Text(f"gewinnt {won} Bernsteine", f"wins {won} pieces of amber")
            )
        return Text(", ".join(part.de for part in parts), ", ".join(part.en for part in parts))
