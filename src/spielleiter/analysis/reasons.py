"""Why a move was worse than the one that the engine would have played, in words that the rules prove."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from spielleiter.game import AnyGame, Team, Text, Weight, WorseMove

_MAX_REASONS = 2
_MAX_MOVES = 4
"""Moves of a line: what comes later is hardly more than a guess."""


def reasons_for(
    game: AnyGame, before: Any, move: Any, better: Sequence[Any], expected: Sequence[Any] = ()
) -> tuple[Text, ...]:
    """Up to two sentences; none where nothing can be said for sure.

    ``better`` is the engine's line from ``before``, ``expected`` what it expects after ``move``.
    """
    if not better or move == better[0]:
        return ()
    worse = WorseMove.of(before, move, better[0], expected[0] if expected else None)
    if (decided := _decided(game, worse)) is not None:
        return (decided,)
    found = () if game.commentary is None else game.commentary.reasons(worse)
    said = tuple(text for text, _ in zip(found, range(_MAX_REASONS), strict=False))
    return said or _in_the_line(game, worse, better, expected)


def _in_the_line(
    game: AnyGame, worse: WorseMove[Any, Any], better: Sequence[Any], expected: Sequence[Any]
) -> tuple[Text, ...]:
    """What the commentator says of the opponent's moves in the expected line, or of the own ones in the better one."""
    team = worse.before.to_move
    lost = _first_event(game, worse.after, expected, team.opponent)
    if lost is not None:
        moves, remark = lost
        return (
            Text(
                f"Danach rechnet die Engine mit {_quoted(moves).de}: {remark.de}",
                f"The engine then expects {_quoted(moves).en}: {remark.en}",
            ),
        )
    won = _first_event(game, worse.instead, better[1:], team)
    if won is None:
        return ()
    moves, remark = won
    return (
        Text(
            f"Nach dem besseren Zug rechnet die Engine mit {_quoted(moves).de}: {remark.de}",
            f"After the better move the engine expects {_quoted(moves).en}: {remark.en}",
        ),
    )


def _first_event(game: AnyGame, state: Any, line: Sequence[Any], team: Team) -> tuple[list[Text], Text] | None:
    """The moves of a line up to the first one of ``team`` that is worth a word, and that word."""
    moves: list[Text] = []
    for move in line[:_MAX_MOVES]:
        if state.outcome is not None or state.violation(move) is not None or game.commentary is None:
            return None
        moves.append(game.move_text(state, move))
        after = state.play_unchecked(move)
        remark = game.commentary.remark(state, move, after)
        if state.to_move is team and remark is not None and remark.weight >= Weight.EVENT:
            return moves, remark.text
        state = after
    return None


def _quoted(moves: Sequence[Text]) -> Text:
    return Text(", ".join(f"„{text.de}“" for text in moves), ", ".join(f"“{text.en}”" for text in moves))


def _decided(game: AnyGame, worse: WorseMove[Any, Any]) -> Text | None:
    """The better move wins at once, or the answer does."""
    team = worse.before.to_move
    instead, answered = worse.instead.outcome, worse.answered
    if instead is not None and instead.winner is team:
        return Text("Der bessere Zug gewinnt sofort.", "The better move wins at once.")
    if answered is not None and answered.outcome is not None and answered.outcome.winner is team.opponent:
        name = game.team_name(team.opponent)
        return Text(f"Mit der nächsten Antwort gewinnt {name.de}.", f"With the next answer {name.en} wins.")
    return None
