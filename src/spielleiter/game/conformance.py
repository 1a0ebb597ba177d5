"""The laws that every game obeys, as a kit: a new game gets these tests for nothing.

At the start
    the key of the game names its family, its year and whether it is official; the same seed gives the same start.
In every state
    the game is over exactly when no legal move is left; no move is listed twice; a move is legal exactly when it
    breaks no rule, also a move out of thin air; a refused move raises ``IllegalMove`` with the same reason; playing
    leaves the old state as it was; checked and unchecked play agree; turns only grow; the score has its parts, and its
    victory points fit the outcome; state and moves come back from their notation, moves from their numbers; what the
    game's commentary says of a move, if it has one, is one sentence in each language; where people can play it, each
    legal move has its own sequence of picks, and what begins none is refused with a reason (``check_picks``).
In every game
    it ends.
In the lesson (``check_lesson``)
    there is one; it has pictures and questions, and all its texts are in both languages; every question can be answered
    rightly and wrongly, by the rules, and a wrong answer is explained.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random
from typing import assert_never

from spielleiter.errors import IllegalMove, LawBroken
from spielleiter.game.board_input import Pick
from spielleiter.game.commentary import is_sentence
from spielleiter.game.game import Game
from spielleiter.game.lesson import AnyQuestion, ChoiceQuestion, Feedback, Lesson, MoveQuestion, SquaresQuestion
from spielleiter.game.outcome import TEAMS, victory_points
from spielleiter.game.state import MoveT, StateT
from spielleiter.text import Text

_THING = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,39}")
MAX_TURNS = 1000
"""A game that has not ended by then never will."""


def check_start(game: Game[StateT, MoveT], seed: int) -> StateT:
    """The start position of ``seed``, checked: chance comes only from the seed."""
    key = f"{game.family}-{game.year}" + "-official" * game.official
    if game.key != key or not game.family:
        raise LawBroken(f"{game.key}: a key is the family, the year and perhaps -official, so this one should be {key}")
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
    check_picks(game, state, rng, sample=sample)
    _law(game.notation.format_state(state) == text, game, state, "playing has changed the state it was called on")


def _check_legal_move(game: Game[StateT, MoveT], state: StateT, move: MoveT) -> None:
    _law(state.violation(move) is None, game, state, f"the listed move {move} breaks {state.violation(move)}")
    after = state.play(move)
    _law(after == state.play_unchecked(move), game, state, f"checked and unchecked play differ for {move}")
    _law(after.turn > state.turn, game, state, f"the turn does not grow with {move}")
    _law(after.turn <= (game.max_turn or after.turn), game, state, f"the turn exceeds {game.max_turn} with {move}")
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


def check_picks(game: Game[StateT, MoveT], state: StateT, rng: Random, *, sample: int = 8) -> None:
    """Check that each legal move has picks of its own, and other picks are refused. Raises ``LawBroken``."""
    board_input = game.board_input
    if board_input is None:
        return
    squares = {square for row in board_input.rows for square in row}
    names = [thing.name for thing in board_input.things(state)]
    _law(len(set(names)) == len(names), game, state, "two things have the same name")
    _law(all(map(_THING.fullmatch, names)), game, state, f"a page cannot send one of the names {names}")
    made: dict[tuple[Pick, ...], MoveT] = {}
    for move in state.legal_moves():
        picks = board_input.picks(state, move)
        _law(bool(picks) and picks not in made, game, state, f"{move} and {made.get(picks)} are made by {picks}")
        made[picks] = move
        for pick in picks:
            known = pick in squares or pick in names if isinstance(pick, tuple | str) else 0 <= pick < 1_000_000
            _law(known, game, state, f"{move} needs the pick {pick!r}, which nobody can make")
    beginnings = {picks[:length] for picks in made for length in range(1, len(picks) + 1)}
    choices: list[Pick] = [*sorted(squares), *names, "sofa", -1, 3, (-2, 70)]
    for _ in range(sample):
        picks = tuple(rng.choice(choices) for _ in range(rng.randrange(1, 4)))
        if picks not in beginnings:
            reason = board_input.refusal(state, picks)
            _law(bool(reason.de and reason.en), game, state, f"it is not said why {picks} begin no legal move")


def check_lesson(game: Game[StateT, MoveT]) -> None:
    """Check the laws that speak of the lesson. Raises ``LawBroken``."""
    if game.lesson is None:
        raise LawBroken(f"{game.key}: there is no lesson: nobody can learn this game")
    lesson = game.lesson()
    for text in _lesson_texts(lesson):
        _lesson_law(bool(text.de.strip() and text.en.strip()), game, f"a text is missing in one language: {text!r}")
        _lesson_law(text.de != text.en, game, f"a text is the same in both languages: {text.en!r}")
    pictures = [illustration for section in lesson.sections for illustration in section.illustrations]
    _lesson_law(bool(pictures), game, "no section has a picture")
    for shown in pictures:
        _lesson_law("<svg" in (shown.draw or game.draw)(shown.state, shown.look), game, f"no picture of {shown.state}")
    _lesson_law(bool(lesson.questions), game, "there are no questions")
    for question in lesson.questions:
        right, wrong = _feedback(game, question)
        name = f"question {question.title.en!r}"
        _lesson_law(bool(right) and all(feedback.is_right for feedback in right), game, f"{name} has no right answer")
        _lesson_law(bool(wrong) and not any(each.is_right for each in wrong), game, f"{name} has no wrong answer")
        explained = all(feedback.text.de and feedback.text.en for feedback in wrong)
        _lesson_law(explained, game, f"{name} does not explain a wrong answer")


def _lesson_texts(lesson: Lesson[StateT, MoveT]) -> Iterator[Text]:
    yield lesson.summary
    for section in lesson.sections:
        yield from (section.title, section.text, *(illustration.caption for illustration in section.illustrations))
    for question in lesson.questions:
        yield from (question.title, question.task, question.hint, question.praise)


def _feedback(game: Game[StateT, MoveT], question: AnyQuestion) -> tuple[list[Feedback], list[Feedback]]:
    """What is said to all right answers to a question, and to wrong ones."""
    match question:
        case MoveQuestion():
            right, rng = question.solutions(), Random(0)
            others = (*question.state.legal_moves(), *(game.garbage_move(rng) for _ in range(20)))
            wrong = [question.check(move) for move in others if move not in right]
            return [question.check(move) for move in right], wrong
        case SquaresQuestion():
            solution = question.solution()
            rows = () if game.board_input is None else game.board_input.rows
            squares = [square for row in rows for square in row if square not in solution]
            wrong = [question.check([*solution, square]) for square in squares]
            return [question.check(solution)], [*wrong, question.check([])]
        case ChoiceQuestion():
            feedback = [question.check(index) for index in range(len(question.options))]
            right = [feedback.pop(question.solution())]
            return right, feedback
        case _:
            assert_never(question)


def _lesson_law(kept: bool, game: Game[StateT, MoveT], broken: str) -> None:
    if not kept:
        raise LawBroken(f"{game.key}: the lesson breaks a law: {broken}")


def _law(kept: bool, game: Game[StateT, MoveT], state: StateT, broken: str) -> None:
    if not kept:
        raise LawBroken(f"{game.key}: {broken}, in {game.notation.format_state(state)}")
