"""The laws that every game obeys, as a kit: a new game gets these tests for nothing.

At the start
    the same seed gives the same start.
In every state
    the game is over exactly when no legal move is left; no move is listed twice; a move is legal exactly when it
    breaks no rule, also a move out of thin air; a refused move raises ``IllegalMove`` with the same reason; playing
    leaves the old state as it was; checked and unchecked play agree; turns only grow; the score has its parts, and its
    victory points fit the outcome; state and moves come back from their notation, moves from their numbers; what the
    game's commentary says of a move, if it has one, is one sentence in each language.
In every game
    it ends.
"""

from __future__ import annotations

from random import Random

from spielleiter.errors import IllegalMove, LawBroken
from spielleiter.game.commentary import is_sentence
from spielleiter.game.game import Game
from spielleiter.game.outcome import TEAMS, victory_points
from spielleiter.game.state import MoveT, StateT

MAX_TURNS = 1000
"""A game that has not ended by then never will."""


def check_start(game: Game[StateT, MoveT], seed: int) -> StateT:
    """The start position of ``seed``, checked: chance comes only from the seed."""
    start = game.new_state(Random(seed))
    again = game.new_state(Random(seed))
    _law(start == again and hash(start) == hash(again), game, start, "the same seed gives another start")
    return start


def check_random_game(game: Game[StateT, MoveT], seed: int, *, sample: int = 8) -> int:
    """The number of moves of one random game in which every state kept the laws; ``sample`` moves are tried in each."""
    rng = Random(seed)
    state = check_start(game, seed)
    for played in range(MAX_TURNS):
        check_state(game, state, rng, sample=sample)
        moves = state.legal_moves()
        if not moves:
            return played
        state = state.play(rng.choice(moves))
    raise LawBroken(f"{game.key}: the game of seed {seed} has not ended after {MAX_TURNS} moves")


def check_state(game: Game[StateT, MoveT], state: StateT, rng: Random, *, sample: int = 8) -> None:
    """Check all laws that speak of one state. Raises ``LawBroken``."""
    moves = state.legal_moves()
    legal = set(moves)
    _law((state.outcome is not None) == (not moves), game, state, "over exactly when no legal move is left")
    _law(len(legal) == len(moves), game, state, "a move is listed twice")
    for team in TEAMS:
        points = state.points(team)
        _law(len(points) == len(game.scores), game, state, f"the score has not the {len(game.scores)} parts promised")
        _law(points[0] == victory_points(state.outcome, team), game, state, "victory points do not fit the outcome")
    text = game.notation.format_state(state)
    _law(game.notation.parse_state(text) == state, game, state, "the position does not come back from its notation")
    for move in rng.sample(moves, min(sample, len(moves))):
        _check_legal_move(game, state, move)
    for _ in range(sample):
        move = game.garbage_move(rng)
        if move in legal:
            _check_legal_move(game, state, move)
        else:
            _check_refusal(game, state, move)
    _law(game.notation.format_state(state) == text, game, state, "playing has changed the state it was called on")


def _check_legal_move(game: Game[StateT, MoveT], state: StateT, move: MoveT) -> None:
    _law(state.violation(move) is None, game, state, f"the listed move {move} breaks {state.violation(move)}")
    after = state.play(move)
    _law(after == state.play_unchecked(move), game, state, f"checked and unchecked play differ for {move}")
    _law(after.turn > state.turn, game, state, f"the turn does not grow with {move}")
    _law(after.last_move == move, game, state, f"the last move is not {move}")
    text = game.notation.format_move(state, move)
    _law(game.notation.parse_move(state, text) == move, game, state, f"{move} does not come back from {text!r}")
    number = game.encoding.action(state, move)
    _law(0 <= number < game.encoding.actions, game, state, f"{move} has the number {number}, which is none")
    _law(game.encoding.move(state, number) == move, game, state, f"{move} does not come back from number {number}")
    remark = None if game.commentary is None else game.commentary.remark(state, move, after)
    for said in () if remark is None else (remark.text.de, remark.text.en):
        _law(is_sentence(said), game, state, f"{said!r} about {move} is not one sentence")


def _check_refusal(game: Game[StateT, MoveT], state: StateT, move: MoveT) -> None:
    reason = state.violation(move)
    _law(reason is not None, game, state, f"{move} breaks no rule but is not listed")
    _law(bool(game.notation.format_move(state, move)), game, state, f"the illegal move {move} has no text")
    try:
        state.play(move)
    except IllegalMove as refused:
        _law(refused.reason is reason, game, state, f"play and violation give different reasons for {move}")
    else:
        raise LawBroken(f"{game.key}: {move} was played although it breaks {reason}")


def _law(kept: bool, game: Game[StateT, MoveT], state: StateT, broken: str) -> None:
    if not kept:
        raise LawBroken(f"{game.key}: {broken}, in {game.notation.format_state(state)}")
