"""Why a move in Ostseeschach was worse than another one: amber, towers, and pieces that are taken."""

from __future__ import annotations

from collections.abc import Iterator

from spielleiter.game import Team, Text, WorseMove
from spielleiter.games.ostseeschach.moves import Move, PieceKind, square_name
from spielleiter.games.ostseeschach.rules import State

TEAM_TEXTS = (Text("Rot", "Red"), Text("Blau", "Blue"))
_TAKEN = {  # The piece as the object of a sentence.
    PieceKind.HERZMUSCHEL: Text("die Herzmuschel", "the cockle"),
    PieceKind.MOEWE: Text("die Möwe", "the gull"),
    PieceKind.SEESTERN: Text("den Seestern", "the starfish"),
    PieceKind.ROBBE: Text("die Robbe", "the seal"),
}


def reasons(worse: WorseMove[State, Move]) -> Iterator[Text]:
    """Sentences, the weightiest first."""
    team = worse.before.to_move
    given = _amber_given(worse, team.opponent)
    found = (
        given,
        _amber_missed(worse, team),
        None if given else _taken(worse, team.opponent),
        _unguarded(worse, team),
        _missed(worse),
    )
    yield from (text for text in found if text is not None)


def _amber_given(worse: WorseMove[State, Move], other: Team) -> Text | None:
    """The answer wins amber, which it would not after the better move."""
    won = _won_by_answer(worse, other)
    if not won or worse.answer is None:
        return None
    name, place = TEAM_TEXTS[other], square_name(worse.answer.target)
    taken = worse.after.piece_at(worse.answer.target)
    if taken is not None and taken.height > 1:
        return Text(
            f"Der Turm auf {place} kann geschlagen werden: {name.de} bekommt {_amber(won).de}.",
            f"The tower on {place} can be taken: {_amber(won).en} for {name.en}.",
        )
    return Text(
        f"{name.de} holt darauf auf {place} {_amber(won).de}; nach dem besseren Zug ginge das nicht.",
        f"{name.en} then wins {_amber(won).en} on {place}; after the better move that would be impossible.",
    )


def _won_by_answer(worse: WorseMove[State, Move], other: Team) -> int:
    """The amber that the answer wins, as far as the better move would have prevented it."""
    if worse.answer is None or worse.answered is None:
        return 0
    won = worse.answered.ambers(other) - worse.after.ambers(other)
    if worse.prevents:
        return won
    if worse.instead.outcome is not None or worse.instead.violation(worse.answer) is not None:
        return 0
    still = worse.instead.play_unchecked(worse.answer).ambers(other) - worse.instead.ambers(other)
    return 0 if still else won


def _amber_missed(worse: WorseMove[State, Move], team: Team) -> Text | None:
    now, instead = (state.ambers(team) - worse.before.ambers(team) for state in (worse.after, worse.instead))
    if instead <= now:
        return None
    best = _amber(instead)
    if now:
        return Text(
            f"Der bessere Zug holt {best.de}, dieser nur einen.", f"The better move wins {best.en}, not just one."
        )
    return Text(f"Der bessere Zug holt {best.de}, dieser keinen.", f"The better move wins {best.en}, this one none.")


def _taken(worse: WorseMove[State, Move], other: Team) -> Text | None:
    """The answer takes a piece, which it could not after the better move."""
    if worse.answer is None or worse.answered is None or worse.instead.outcome is not None:
        return None
    piece, instead = (state.piece_at(worse.answer.target) for state in (worse.after, worse.instead))
    if piece is None or piece.team is other:
        return None
    if not worse.prevents and instead is not None and instead.team is not other:
        return None
    name, what, place = TEAM_TEXTS[other], _TAKEN[piece.kind], square_name(worse.answer.target)
    return Text(
        f"{name.de} schlägt darauf {what.de} auf {place}; nach dem besseren Zug ginge das nicht.",
        f"{name.en} then takes {what.en} on {place}; after the better move that would be impossible.",
    )


def _unguarded(worse: WorseMove[State, Move], team: Team) -> Text | None:
    """The answer takes a piece for nothing; after the better move it could be taken back."""
    answer, answered = worse.answer, worse.answered
    if answer is None or answered is None or worse.instead.outcome is not None or worse.prevents:
        return None
    piece, instead = (state.piece_at(answer.target) for state in (worse.after, worse.instead))
    if piece is None or instead != piece or piece.team is not team:
        return None
    if not _taken_back(worse.instead.play_unchecked(answer)) or _taken_back(answered):
        return None
    me, other, what, place = TEAM_TEXTS[team], TEAM_TEXTS[team.opponent], _TAKEN[piece.kind], square_name(answer.target)
    return Text(
        f"{other.de} schlägt darauf {what.de} auf {place}, ohne dass {me.de} zurückschlagen kann; nach dem besseren Zug"
        " ginge das.",
        f"{other.en} then takes {what.en} on {place}, and {me.en} cannot take back; after the better move that would be"
        " possible.",
    )


def _taken_back(state: State) -> bool:
    """Whether the piece that has just moved can be taken."""
    move = state.last_move
    return (
        move is not None
        and state.piece_at(move.target) is not None
        and any(reply.target == move.target for reply in state.legal_moves())
    )


def _missed(worse: WorseMove[State, Move]) -> Text | None:
    piece = worse.before.piece_at(worse.better.target)
    if piece is None or worse.before.piece_at(worse.move.target) is not None:
        return None
    what, place = _TAKEN[piece.kind], square_name(worse.better.target)
    return Text(f"Der bessere Zug schlägt {what.de} auf {place}.", f"The better move takes {what.en} on {place}.")


def _amber(count: int) -> Text:
    return (
        Text("einen Bernstein", "a piece of amber")
        if count == 1
        else Text(f"{count} Bernsteine", f"{count} pieces of amber")
    )
