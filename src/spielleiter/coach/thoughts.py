"""What a player noted at a costly move, against what the engine found: in one sentence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from spielleiter.game import AnyGame, Text
from spielleiter.rating.formatting import number
from spielleiter.records.history import RecordedNotes
from spielleiter.text import NO_TEXT


def thought_text(game: AnyGame, state: Any, played: Any, best: Any, noted: RecordedNotes, chance: float) -> Text:
    """What the player thought of its move and of the better one; ``chance`` is what it had by the engine.

    Empty if it noted neither values nor a chance.
    """
    said = [_values_text(game, state, played, best, noted), _chance_text(noted, chance)]
    known = [text for text in said if text.en]
    return Text(" ".join(text.de for text in known), " ".join(text.en for text in known))


def _values_text(game: AnyGame, state: Any, played: Any, best: Any, noted: RecordedNotes) -> Text:
    values = {cell: value for note in noted.notes for cell, value in note.values}
    if not values:
        return NO_TEXT
    own, own_value = _valued(game, state, played, values)
    other, other_value = _valued(game, state, best, values)
    if own == other:
        if own_value is None:
            return NO_TEXT
        return Text(f"Dein Spieler notierte {own_value.de} für {own}.", f"Your player noted {own_value.en} for {own}.")
    if own_value is None:
        return Text(
            f"Dein Spieler notierte nichts für {own}"
            + ("." if other_value is None else f", für {other} aber {other_value.de}."),
            f"Your player noted nothing for {own}"
            + ("." if other_value is None else f", but {other_value.en} for {other}."),
        )
    if other_value is None:
        return Text(
            f"Dein Spieler notierte {own_value.de} für {own} und sah sich {other} nicht an.",
            f"Your player noted {own_value.en} for {own}, and did not look at {other}.",
        )
    return Text(
        f"Dein Spieler notierte {own_value.de} für {own} und {other_value.de} für {other}.",
        f"Your player noted {own_value.en} for {own}, and {other_value.en} for {other}.",
    )


def _chance_text(noted: RecordedNotes, chance: float) -> Text:
    said = [note.chance for note in noted.notes if note.chance is not None]
    if not said:
        return NO_TEXT
    own, engine = number(100 * said[-1]), number(100 * chance)
    return Text(
        f"Er sah sich bei {own.de} %, die Engine bei {engine.de} %.",
        f"It saw itself at {own.en} %, the engine at {engine.en} %.",
    )


def _valued(game: AnyGame, state: Any, move: Any, values: Mapping[str, float]) -> tuple[str, Text | None]:
    """What a move is called here, and the best value that was noted for where it goes; ``None`` if there is none."""
    board = game.board_input
    cells = [] if board is None else [board.square_name(square) for square in board.move_squares(state, move)]
    goes_to = cells[-1:] if len(cells) <= 2 else cells
    name = goes_to[0] if len(goes_to) == 1 else game.notation.format_move(state, move)
    found = [values[cell] for cell in goes_to if cell in values]
    if not found:
        return name, None
    best = max(found)
    return name, number(best, 0 if best.is_integer() or abs(best) >= 10 else 2)
