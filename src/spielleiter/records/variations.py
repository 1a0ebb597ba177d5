"""Variations: moves that were not played but might have been, beside the moves of a game.

In a link they are one text: ``12:A4-C4;B2-B3|12:A4-C4;C1-C3`` says that after twelve moves of the game A4-C4 might have
followed, and then either B2-B3 or C1-C3. No notation of a move contains any of ``:;|``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from spielleiter.errors import NotationError, Refused
from spielleiter.game import AnyGame

MAX_MOVES = 1000
"""Limit for all variations together."""
_LINE = re.compile(r"([0-9]{1,4}):([^:;|]+(?:;[^:;|]+)*)")


@dataclass(frozen=True, slots=True)
class Variation:
    """Moves that might have followed after the first ``ply`` moves of the game; in notation."""

    ply: int
    moves: tuple[str, ...]


def format_variations(variations: Iterable[Variation]) -> str:
    """The variations as one text."""
    return "|".join(f"{each.ply}:{';'.join(each.moves)}" for each in variations)


def parse_variations(text: str) -> tuple[Variation, ...]:
    """The variations of such a text. Raises ``Refused`` if it is none."""
    found = []
    for line in text.split("|") if text else ():
        if (match := _LINE.fullmatch(line)) is None:
            raise Refused(
                f"Erwartet wird eine Variante wie 12:A4-C4;B2-B3, nicht {line[:60]!r}: Ist der Link vollständig?",
                f"Expected a variation like 12:A4-C4;B2-B3, not {line[:60]!r}: is the link complete?",
            )
        found.append(Variation(int(match[1]), tuple(match[2].split(";"))))
    if sum(len(each.moves) for each in found) > MAX_MOVES:
        raise Refused(
            f"Das sind mehr als {MAX_MOVES} Züge in Varianten; so viele gehen nicht in einen Link.",
            f"These are more than {MAX_MOVES} moves in variations; a link cannot hold as many.",
        )
    return tuple(found)


def check_variations(game: AnyGame, states: Sequence[Any], variations: Iterable[Variation]) -> None:
    """Raise ``Refused`` with the first move that the rules forbid; ``states`` are those of the game from its start."""
    for number, variation in enumerate(variations, 1):
        if variation.ply >= len(states):
            raise Refused(
                f"Variante {number} beginnt nach Zug {variation.ply}, das Spiel hat nur {len(states) - 1}.",
                f"Variation {number} begins after move {variation.ply}, but the game has only {len(states) - 1}.",
            )
        play_moves(game, states[variation.ply], variation.moves, f"Variante {number}, ", f"Variation {number}, ")


def play_moves(game: AnyGame, start: Any, texts: Sequence[str], de: str = "", en: str = "") -> tuple[Any, ...]:
    """The states from ``start`` on, one more than there are moves.

    Raises ``Refused`` with the rule that forbids a move; it begins with ``de`` or ``en``, where it is.
    """
    states = [start]
    for ply, text in enumerate(texts, 1):
        state = states[-1]
        if state.outcome is not None:
            raise Refused(f"{de}Zug {ply}: Das Spiel ist dort zu Ende.", f"{en}move {ply}: the game is over there.")
        try:
            states.append(play_move(game, state, text)[1])
        except Refused as problem:
            raise Refused(f"{de}Zug {ply}: {problem.text.de}", f"{en}move {ply}: {problem.text.en}") from None
    return tuple(states)


def play_move(game: AnyGame, state: Any, text: str) -> tuple[Any, Any]:
    """The move that ``text`` says, and the state after it. Raises ``Refused`` with the rule that forbids it."""
    try:
        move = game.notation.parse_move(state, text)
    except NotationError as problem:
        raise Refused(problem.text.de, problem.text.en) from None
    if (violation := state.violation(move)) is not None:
        why = violation.text
        raise Refused(f"{text}: {why.de}", f"{text}: {why.en}")
    return move, state.play_unchecked(move)
