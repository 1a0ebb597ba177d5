"""What a commentator says of a move in Blokus."""

from __future__ import annotations

from collections.abc import Iterable

from spielleiter.game import Commentary, Remark, Text, Weight, WorseMove, rounds_left
from spielleiter.games.blokus.board import reach
from spielleiter.games.blokus.board_input import kind_text
from spielleiter.games.blokus.moves import Move, Pass
from spielleiter.games.blokus.reasons import reasons
from spielleiter.games.blokus.rules import State
from spielleiter.games.blokus.shapes import COLORS, PENTOMINOES, Color, Shape

_MANY_CORNERS = 5
"""Taking so many corners from an opponent's colour at once is worth a word."""
_PENTOMINOES = sum(1 << kind for kind in PENTOMINOES)
_COUNTS = {
    5: Text("fünf", "five"),
    6: Text("sechs", "six"),
    7: Text("sieben", "seven"),
    8: Text("acht", "eight"),
    9: Text("neun", "nine"),
    10: Text("zehn", "ten"),
}


class BlokusCommentary(Commentary[State, Move]):
    """Colours that finish or go out, corners that are taken, pieces that find their place."""

    def remark(self, before: State, move: Move, after: State) -> Remark | None:
        if isinstance(move, Pass):
            return Remark.of(
                Weight.HIGHLIGHT,
                f"{move.color.text.de} passt, obwohl noch ein Stein passen würde.",
                f"{move.color.text.en} passes although there is room for a piece.",
            )
        return (
            _last_piece(move.kind, after, move.color)
            or _gone_out(before, after)
            or _corners(before, after, move.color)
            or _pentominoes(before, after, move.color)
            or (rounds_left(after.rules.rounds + 1 - after.round) if after.round > before.round else None)
        )

    def reasons(self, worse: WorseMove[State, Move]) -> Iterable[Text]:
        """What the rules and the engine's answer say; see ``reasons``."""
        return reasons(worse)

    def move_name(self, state: State, move: Move) -> Text:
        """The piece and its place: its notation has the wire's names."""
        if isinstance(move, Pass):
            return Text("das Passen", "the pass")
        kind = kind_text(move.kind)
        return Text(f"den {kind.de} bei {move.x},{move.y}", f"the {kind.en} at {move.x},{move.y}")


def _last_piece(kind: Shape, after: State, color: Color) -> Remark | None:
    if after.hands[color]:
        return None
    me = color.text
    if kind is Shape.MONO:
        return Remark.of(
            Weight.HIGHLIGHT,
            f"{me.de} legt als letzten Stein den Einer: 20 Punkte extra!",
            f"{me.en} places the monomino last: 20 extra points!",
        )
    return Remark.of(
        Weight.HIGHLIGHT,
        f"{me.de} legt den letzten Stein: 15 Punkte extra!",
        f"{me.en} places the last piece: 15 extra points!",
    )


def _gone_out(before: State, after: State) -> Remark | None:
    """Colours that could lay nothing when their turn came; a colour that has laid everything does not count."""
    out = [
        color.text
        for color in COLORS
        if before.still_in >> color & 1 and not after.still_in >> color & 1 and after.hands[color]
    ]
    if not out or after.outcome is not None:
        return None
    if len(out) == 1:
        return Remark.of(
            Weight.HIGHLIGHT,
            f"{out[0].de} kann keinen Stein mehr legen und ist raus.",
            f"{out[0].en} cannot place another piece and is out.",
        )
    de = f"{', '.join(text.de for text in out[:-1])} und {out[-1].de}"
    en = f"{', '.join(text.en for text in out[:-1])} and {out[-1].en}"
    return Remark.of(
        Weight.HIGHLIGHT,
        f"{de} können keinen Stein mehr legen und sind raus.",
        f"{en} cannot place another piece and are out.",
    )


def _corners(before: State, after: State, color: Color) -> Remark | None:
    """The piece takes many places from one of the opponents' colours where it could have gone on."""
    taken = {
        other: _open_corners(before, other) - _open_corners(after, other)
        for other in COLORS
        if other.team is not color.team and before.boards[other]
    }
    loser = max(taken, key=lambda other: taken[other], default=None)
    if loser is None or taken[loser] < _MANY_CORNERS:
        return None
    count = _COUNTS.get(taken[loser], Text("viele", "many"))
    return Remark.of(
        Weight.EVENT,
        f"{color.text.de} verbaut {loser.text.de} {count.de} Ecken auf einmal.",
        f"{color.text.en} takes {count.en} corners from {loser.text.en} at once.",
    )


def _open_corners(state: State, color: Color) -> int:
    return reach(state.boards[color], state.occupied, state.rules.start_squares)[1].bit_count()


def _pentominoes(before: State, after: State, color: Color) -> Remark | None:
    if after.hands[color] & _PENTOMINOES or not before.hands[color] & _PENTOMINOES:
        return None
    me = color.text
    return Remark.of(
        Weight.EVENT,
        f"{me.de} hat alle Fünfer untergebracht.",
        f"{me.en} has found room for every pentomino.",
    )
