"""The commentator: one sentence a move, and nothing that the engine is not sure of."""

from __future__ import annotations

import re
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from spielleiter import games
from spielleiter.analysis import Analyst, Judgement, comment
from spielleiter.game import Team
from spielleiter.game.commentary import is_sentence
from spielleiter.search import Budget
from tests.games.test_new_season import tictactoe  # noqa: F401 - a fixture
from tests.support.played import needs_engine, positions

GAME = games.load("piranhas-2026")
START = GAME.new_state(Random(1))
PLAYED, BETTER = START.legal_moves()[0], START.legal_moves()[5]
AFTER = START.play(PLAYED)


def said(was: float, is_: float, *, depth: int = 6, best: Any = BETTER) -> str | None:
    judgements = (Judgement(was, best, (best,), depth), Judgement(is_, AFTER.legal_moves()[0], (), depth))
    text = comment(GAME, START, PLAYED, AFTER, judgements)
    return None if text is None else text.de


def test_a_blunder_is_told_with_the_better_move_and_both_chances() -> None:
    better = GAME.notation.format_move(START, BETTER)
    assert said(0.61, 0.23) == f"Rot übersieht {better}, die Gewinnchance fällt von 61 auf 23 %."


def test_of_a_small_loss_the_engines_own_move_or_a_shallow_look_no_blunder_is_told() -> None:
    assert said(0.61, 0.45) is None
    assert "übersieht" not in (said(0.61, 0.23, best=PLAYED) or "")
    assert said(0.61, 0.23, depth=3) is None


def test_a_position_that_was_not_judged_is_not_spoken_of() -> None:
    sure = Judgement(0.1, AFTER.legal_moves()[0], (), 9)
    assert comment(GAME, START, PLAYED, AFTER, (None, sure)) is None
    assert comment(GAME, START, PLAYED, AFTER, (sure, None)) is None
    assert comment(GAME, START, PLAYED, AFTER, ()) is None


def test_the_lead_changes_once_and_not_with_every_ripple() -> None:
    move = AFTER.legal_moves()[0]
    course = [Judgement(chance, move, (), 6) for chance in (0.7, 0.58, 0.45)]
    turned = comment(GAME, START, move, AFTER, [*course, Judgement(0.38, move, (), 6)])
    assert turned is not None
    assert turned.de == "Das Blatt wendet sich: 62 % für Blau."
    assert comment(GAME, START, move, AFTER, course) is None
    assert comment(GAME, START, move, AFTER, [*course, *[Judgement(0.38, move, (), 6)] * 2]) is None


def test_chances_that_are_not_certain_are_never_nought_or_a_hundred() -> None:
    assert "von 99 auf 1 %" in (said(0.9999, 0.0001) or "")


@pytest.mark.slow
@needs_engine
@pytest.mark.parametrize("key", ["piranhas-2026", "ostseeschach-2022", "blokus-2027"])
def test_whatever_is_said_is_one_sentence_and_stands_up_to_a_deeper_look(key: str) -> None:
    game, analyst, deep = games.load(key), Analyst(), Analyst()
    judgements: list[Judgement | None] = []
    states, said = positions(key, 1), 0
    for ply, state in enumerate(states):
        judgements.append(analyst.judge(game, state, Budget(nodes=20_000)))
        if not ply:
            continue
        before = states[ply - 1]
        text = comment(game, before, state.last_move, state, judgements)
        if text is None:
            continue
        said += 1
        assert is_sentence(text.de), text.de
        assert is_sentence(text.en), text.en
        if "misses" in text.en:
            best = judgements[-2]
            assert best is not None
            played, better = (deep.judge(game, each, Budget(nodes=60_000)) for each in (state, before.play(best.move)))
            sign = 1 if before.to_move is Team.ONE else -1
            assert sign * (better.win_probability - played.win_probability) > 0
        if "take the win" in text.en:
            winner = deep.judge(game, state, Budget(nodes=60_000)).win_probability
            name = game.team_name(Team.ONE if winner == 1.0 else Team.TWO)
            assert winner in (0.0, 1.0)
            assert name.en in text.en
    assert said > 3
    last = comment(game, states[-2], states[-1].last_move, states[-1], judgements)
    assert last is not None
    assert re.match("Sieg|Unentschieden|.*Schwarm!", last.de)


def test_a_game_without_phrases_is_told_by_the_general_ones(tictactoe: Any) -> None:  # noqa: F811
    assert tictactoe.commentary is None
    states = [tictactoe.new_state(Random(0))]
    for number in (0, 3, 1, 4, 2):
        states.append(states[-1].play(tictactoe.encoding.move(states[-1], number)))
    told = [comment(tictactoe, *pair, ()) for pair in _moves(states)]
    assert [text is not None for text in told] == [False] * 4 + [True]
    assert told[-1] is not None
    assert told[-1].de.startswith(f"Sieg für {tictactoe.teams[0].de}: ")


def _moves(states: list[Any]) -> list[tuple[Any, Any, Any]]:
    return [(before, after.last_move, after) for before, after in pairwise(states)]
