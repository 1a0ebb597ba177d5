"""The commentator: at most one sentence about a move, out of what the engine sees and what the game's rules say.

Nothing is said that the engine is not sure of: a sentence with its numbers needs a judgement of at least ``MIN_DEPTH``
plies of the position before the move and of the one after it, and ``BLUNDER`` between the two. Measured on engine
games with every third move at random and judged again with twenty times the nodes, all of these sentences stand (36 of
36 in 18 games; the tests try some again).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from spielleiter.analysis.analyst import Judgement
from spielleiter.analysis.classification import BLUNDER, loss_between
from spielleiter.game import AnyGame, Remark, Team, Text, Weight, deciding_score
from spielleiter.records.history import Ply

MIN_DEPTH = 4
"""Plies that the engine must have looked ahead to be quoted."""
_LEAD = 0.6
"""The chance from which on a team leads; it keeps the lead until the other one has as much."""


def comment(game: AnyGame, ply: Ply, judgements: Sequence[Judgement | None]) -> Text | None:
    """The sentence about a move; mostly there is none.

    ``judgements`` are those of all positions so far, that after the move last; ``None`` where the engine did not look.
    """
    own = None if game.commentary is None else game.commentary.remark(ply.before, ply.move, ply.state)
    by_engine = (_missed(game, ply, judgements), _decided(game, judgements), _lead_change(game, judgements))
    decision = own if own is not None and own.weight is Weight.DECISION else _end(game, ply.state)
    said = [remark for remark in (decision, *by_engine, own) if remark is not None]
    return max(said, key=lambda remark: remark.weight).text if said else None  # The first one of equal weight.


def _end(game: AnyGame, after: Any) -> Remark | None:
    if after.outcome is None:
        return None
    reason, score = after.outcome.reason.text, deciding_score(after, after.outcome.winner or Team.ONE)
    if score:
        reason = Text(score, score)
    if after.outcome.winner is None:
        return Remark.of(Weight.DECISION, f"Unentschieden: {reason.de}!", f"A draw: {reason.en}!")
    who = game.team_name(after.outcome.winner)
    return Remark.of(Weight.DECISION, f"Sieg für {who.de}: {reason.de}!", f"A win for {who.en}: {reason.en}!")


def missed_chance(ply: Ply, before: Judgement | None, after: Judgement | None) -> float | None:
    """How much of its chance a team gave away with a move, if that was a blunder of which the engine is sure."""
    if before is None or after is None or before.move == ply.move or not (_is_sure(before) and _is_sure(after)):
        return None
    loss = loss_between(before.chance(ply.team), after.chance(ply.team))
    return loss if loss >= BLUNDER else None


def _missed(game: AnyGame, ply: Ply, judgements: Sequence[Judgement | None]) -> Remark | None:
    """There was a much better move."""
    if len(judgements) < 2 or missed_chance(ply, *judgements[-2:]) is None:
        return None
    was, is_ = judgements[-2:]
    assert was is not None
    assert is_ is not None
    best, before = was.move, ply.before
    high, low = _percent(was.chance(ply.team)), _percent(is_.chance(ply.team))
    name = None if game.commentary is None else game.commentary.move_name(before, best)
    if name is None:
        notation = game.notation.format_move(before, best)
        name = Text(notation, notation)
    who = game.color_to_move(before)
    return Remark.of(
        Weight.HIGHLIGHT,
        f"{who.de} übersieht {name.de}, die Gewinnchance fällt von {high} auf {low} %.",
        f"{who.en} misses {name.en}, and the winning chance falls from {high} to {low} %.",
    )


def _decided(game: AnyGame, judgements: Sequence[Judgement | None]) -> Remark | None:
    """The engine sees the end for the first time: one side wins whatever the other one plays."""
    *earlier, last = judgements or (None,)
    winner = None if last is None else _certain_winner(last)
    if winner is None or any(each is not None and _certain_winner(each) is winner for each in earlier):
        return None
    who = game.team_name(winner)
    return Remark.of(
        Weight.HIGHLIGHT,
        f"Der Sieg ist {who.de} nicht mehr zu nehmen.",
        f"Nobody can take the win from {who.en} any more.",
    )


def _lead_change(game: AnyGame, judgements: Sequence[Judgement | None]) -> Remark | None:
    """The other side leads now."""
    if len(judgements) < 2 or judgements[-1] is None or not _is_sure(judgements[-1]):
        return None
    leader, last = _leader(judgements), _leader(judgements[:-1])
    if leader is None or last is None or leader is last:
        return None
    who, chance = game.team_name(leader), judgements[-1].chance(leader)
    return Remark.of(
        Weight.EVENT,
        f"Das Blatt wendet sich: {_percent(chance)} % für {who.de}.",
        f"The tide turns: {_percent(chance)} % for {who.en}.",
    )


def _leader(judgements: Sequence[Judgement | None]) -> Team | None:
    for judgement in reversed(judgements):
        if judgement is not None and _is_sure(judgement):
            for team in Team:
                if judgement.chance(team) >= _LEAD:
                    return team
    return None


def _is_sure(judgement: Judgement) -> bool:
    """Whether the engine may be quoted: it looked far enough, or there was nothing more to see."""
    return judgement.depth >= MIN_DEPTH or _certain_winner(judgement) is not None or judgement.move is None


def _certain_winner(judgement: Judgement) -> Team | None:
    """Who wins by force: the engine gives a chance of 1 or 0 only where it has seen the end."""
    return {1.0: Team.ONE, 0.0: Team.TWO}.get(judgement.win_probability)


def _percent(chance: float) -> int:
    """``chance`` in percent; what is not certain is neither 0 nor 100."""
    return round(100 * chance) if chance in (0.0, 1.0) else min(99, max(1, round(100 * chance)))
