"""What a commentator says of a move in Ostseeschach."""

from __future__ import annotations

from collections.abc import Iterable

from spielleiter.game import Commentary, Remark, Team, Text, Weight, WorseMove, rounds_left
from spielleiter.games.ostseeschach.moves import REACH, Move, PieceKind, square_name
from spielleiter.games.ostseeschach.reasons import reasons
from spielleiter.games.ostseeschach.rules import AMBERS_TO_END, GOAL, TURN_LIMIT, State

_NAMES = (Text("Rot", "Red"), Text("Blau", "Blue"))
_THE = {  # The piece as the subject of a sentence.
    PieceKind.HERZMUSCHEL: Text("Die Herzmuschel", "The cockle"),
    PieceKind.MOEWE: Text("Die Möwe", "The gull"),
    PieceKind.SEESTERN: Text("Der Seestern", "The starfish"),
    PieceKind.ROBBE: Text("Die Robbe", "The seal"),
}
_TAKEN = {  # The piece as the object of one.
    PieceKind.HERZMUSCHEL: Text("eine Herzmuschel", "a cockle"),
    PieceKind.MOEWE: Text("eine Möwe", "a gull"),
    PieceKind.SEESTERN: Text("einen Seestern", "a starfish"),
    PieceKind.ROBBE: Text("eine Robbe", "a seal"),
}


class OstseeschachCommentary(Commentary[State, Move]):
    """Ambers, towers, and light pieces that come near."""

    def remark(self, before: State, move: Move, after: State) -> Remark | None:
        team = before.to_move
        return (
            _amber(before, move, after, team)
            or _tower(before, move, team)
            or _near(before, move, after, team)
            or (rounds_left((TURN_LIMIT - after.turn) // 2) if after.turn % 2 == 0 else None)
        )

    def reasons(self, worse: WorseMove[State, Move]) -> Iterable[Text]:
        """What the rules and the engine's answer say; see ``reasons``."""
        return reasons(worse)


def _amber(before: State, move: Move, after: State, team: Team) -> Remark | None:
    won, me, other = after.ambers(team) - before.ambers(team), _NAMES[team], _NAMES[team.opponent]
    if not won:
        return None
    if after.ambers(team) >= AMBERS_TO_END > before.ambers(team) and after.outcome is None:
        return Remark.of(
            Weight.DECISION,
            f"{me.de} holt den zweiten Bernstein, {other.de} darf noch einmal antworten!",
            f"{me.en} takes the second amber, and {other.en} has one answer!",
        )
    if won > 1:
        return Remark.of(
            Weight.HIGHLIGHT,
            f"Zwei Bernsteine auf einen Streich für {me.de}!",
            f"Two pieces of amber at one stroke for {me.en}!",
        )
    piece = before.piece_at(move.start)
    assert piece is not None
    if move.target_bit & GOAL[team] and piece.kind.is_light:
        name = _THE[piece.kind]
        return Remark.of(
            Weight.HIGHLIGHT,
            f"{name.de} ist am Ziel: Bernstein für {me.de}!",
            f"{name.en} is home: a piece of amber for {me.en}!",
        )
    return Remark.of(
        Weight.HIGHLIGHT,
        f"Der Turm auf {square_name(move.target)} wird zum Bernstein für {me.de}!",
        f"The tower on {square_name(move.target)} turns into a piece of amber for {me.en}!",
    )


def _tower(before: State, move: Move, team: Team) -> Remark | None:
    """A piece was taken and lies under the taker now; with an amber it would have been said already."""
    taken = before.piece_at(move.target)
    if taken is None:
        return None
    me, what, place = _NAMES[team], _TAKEN[taken.kind], square_name(move.target)
    return Remark.of(
        Weight.EVENT,
        f"{me.de} schlägt auf {place} {what.de} und baut einen Turm.",
        f"{me.en} takes {what.en} on {place} and builds a tower.",
    )


def _near(before: State, move: Move, after: State, team: Team) -> Remark | None:
    """The piece that moved stands one step before an amber now."""
    piece = after.piece_at(move.target)
    if piece is None or not piece.kind.is_light:
        return None
    attacked = REACH[team][piece.kind][move.target_bit][0]
    if not attacked & GOAL[team] & ~(after.two if team else after.one):
        return None
    name, me = _THE[piece.kind], _NAMES[team]
    return Remark.of(
        Weight.EVENT,
        f"{name.de} auf {square_name(move.target)} steht einen Schritt vor einem Bernstein für {me.de}.",
        f"{name.en} on {square_name(move.target)} is one step away from a piece of amber for {me.en}.",
    )
