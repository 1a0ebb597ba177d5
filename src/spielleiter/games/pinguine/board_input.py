"""Pinguine on a page: where penguins are placed and slide, what they catch there, and the board in words."""

from __future__ import annotations

from collections.abc import Sequence

from spielleiter.game import Look, MoveNote, Pick, PieceMoves, Square, Text
from spielleiter.game.board_input import NO_MOVE, squares_among
from spielleiter.game.drawing import Point
from spielleiter.games.pinguine.drawing import TEAM_TEXTS, Floes
from spielleiter.games.pinguine.moves import FIELDS, SIZE, Move, field_name, is_field, move_to
from spielleiter.games.pinguine.rules import PENGUINS, PLACING_TURNS, State

_ROWS = tuple(FIELDS[SIZE * row : SIZE * (row + 1)] for row in range(SIZE))
_STUCK = Text(
    "Dieser Pinguin sitzt fest: Neben ihm ist keine Scholle mit Fischen mehr.",
    "This penguin is stuck: no floe with fish is left next to it.",
)


def fish_text(number: int) -> Text:
    """``2 Fische``, ``2 fish``."""
    return Text(f"{number} {'Fisch' if number == 1 else 'Fische'}", f"{number} fish")


class PinguineInput(PieceMoves[State, Move]):
    """A penguin is placed on one field (R8), or slides from one to another (R9)."""

    flips_for_two = False  # no side of the board is anybody's
    rows = _ROWS

    def outline(self, square: Square, look: Look) -> tuple[Point, ...]:
        """The corners of a field in the picture."""
        return Floes.of(look).outline(square)

    def extent(self, look: Look) -> tuple[float, float]:
        """Width and height of the picture."""
        return Floes.of(look).extent

    def square_name(self, square: Square) -> str:
        """``a1``."""
        return field_name(square)

    def contents(self, state: State, square: Square) -> Text:
        """The penguin with its colour, the fish, or that there is a hole."""
        team = state.penguin_at(square)
        if team is not None:
            color = TEAM_TEXTS[team]
            return Text(f"Pinguin von {color.de}", f"{color.en.lower()} penguin")
        fish = state.fish_at(square)
        return fish_text(fish) if fish else Text("Loch", "hole")

    def move_text(self, state: State, move: Move) -> Text:
        """Where the penguin goes, and what it catches there."""
        team, target = TEAM_TEXTS[state.to_move], field_name(move.target)
        if move.start is None:
            return Text(f"{team.de}: setzt Pinguin auf {target}", f"{team.en}: places a penguin on {target}")
        start, fish = field_name(move.start), fish_text(state.fish_at(move.target))
        is_legal = state.violation(move) is None
        return Text(
            f"{team.de}: Pinguin {start} nach {target}{f', fängt {fish.de}' if is_legal else ''}",
            f"{team.en}: penguin {start} to {target}{f', catches {fish.en}' if is_legal else ''}",
        )

    def move_squares(self, state: State, move: Move) -> tuple[Square, ...]:
        """Start and target, as far as they are on the board."""
        return tuple(square for square in (move.start, move.target) if square is not None and is_field(square))

    def picks(self, state: State, move: Move) -> tuple[Pick, ...]:
        """The field of a placement; start and target of a slide."""
        return (move.target,) if move.start is None else (move.start, move.target)

    def note(self, state: State, move: Move) -> MoveNote | None:
        """What a slide catches; a placement catches one fish everywhere."""
        return None if move.start is None else MoveNote(self.move_text(state, move))

    def advice(self, state: State) -> Text | None:
        """How many penguins are to be placed (R8), or that the other team is passed over from now on (R13)."""
        team, other = TEAM_TEXTS[state.to_move], TEAM_TEXTS[state.to_move.opponent]
        if state.turn < PLACING_TURNS:
            number = state.penguins[state.to_move].bit_count() + 1
            return Text(
                f"Setze Pinguin {number} von {PENGUINS} auf eine Scholle mit genau einem Fisch.",
                f"Place penguin {number} of {PENGUINS} on a floe with exactly one fish.",
            )
        if state.can_slide(state.to_move.opponent):
            return None
        return Text(
            f"{other.de} kann nicht mehr rutschen: {team.de} zieht allein weiter.",
            f"{other.en} cannot slide any more: {team.en} plays on alone.",
        )

    def refusal(self, state: State, picks: Sequence[Pick]) -> Text:
        """The rule that placing a penguin there breaks, or sliding from the first field to the second."""
        squares = squares_among(picks, len(picks))
        if squares is None or len(squares) > 2:
            return NO_MOVE
        placing = len(squares) == 1 and state.turn < PLACING_TURNS
        violation = state.violation(move_to(None if placing else squares[0], squares[-1]))
        if len(squares) == 1 and not placing and state.penguin_at(squares[0]) is state.to_move:
            return _STUCK
        return NO_MOVE if violation is None else violation.text
