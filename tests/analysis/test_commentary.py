"""The commentator: one sentence a move, and nothing that the engine is not sure of."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from spielleiter import games
from spielleiter.analysis import Analyst, Judgement, comment
from spielleiter.game import Team
from spielleiter.game.commentary import is_sentence
from spielleiter.search import Budget
from tests.support.histories import ply_between
from tests.support.night import NIGHT
from tests.support.played import needs_engine, positions

GAME = games.load("piranhas-2026")
START = GAME.new_state(Random(1))
PLAYED, BETTER = START.legal_moves()[0], START.legal_moves()[5]
AFTER = START.play(PLAYED)
PLY = ply_between(START, AFTER)


def said(was: float, is_: float, *, depth: int = 6, best: Any = BETTER) -> str | None:
    judgements = (Judgement(was, best, (best,), depth), Judgement(is_, AFTER.legal_moves()[0], (), depth))
    text = comment(GAME, PLY, judgements)
    return None if text is None else text.de


def test_a_blunder_is_reported_with_the_better_move_and_both_chances() -> None:
    better = GAME.notation.format_move(START, BETTER)
    assert said(0.61, 0.23) == f"Rot übersieht {better}, die Gewinnchance fällt von 61 auf 23 %."


def test_a_small_loss_the_engines_own_move_and_a_shallow_search_are_not_called_blunders() -> None:
    assert said(0.61, 0.45) is None
    assert "übersieht" not in (said(0.61, 0.23, best=PLAYED) or "")
    assert said(0.61, 0.23, depth=3) is None


def test_a_position_that_was_not_judged_is_not_spoken_of() -> None:
    sure = Judgement(0.1, AFTER.legal_moves()[0], (), 9)
    assert comment(GAME, PLY, (None, sure)) is None
    assert comment(GAME, PLY, (sure, None)) is None
    assert comment(GAME, PLY, ()) is None


def test_the_lead_changes_once_and_not_with_every_ripple() -> None:
    move = AFTER.legal_moves()[0]
    course = [Judgement(chance, move, (), 6) for chance in (0.7, 0.58, 0.45)]
    turned = comment(GAME, replace(PLY, move=move), [*course, Judgement(0.38, move, (), 6)])
    assert turned is not None
    assert turned.de == "Das Blatt wendet sich: 62 % für Blau."
    assert comment(GAME, replace(PLY, move=move), course) is None
    assert comment(GAME, replace(PLY, move=move), [*course, *[Judgement(0.38, move, (), 6)] * 2]) is None


def test_chances_that_are_not_certain_are_never_nought_or_a_hundred() -> None:
    assert "von 99 auf 1 %" in (said(0.9999, 0.0001) or "")


@pytest.mark.slow
@needs_engine
@pytest.mark.parametrize("key", ["piranhas-2026", "ostseeschach-2022", "blokus-2027"])
def test_whatever_is_said_is_one_sentence_and_stands_up_to_a_deeper_look(key: str) -> None:
    game, analyst, deep = games.load(key), Analyst(), Analyst()
    nodes = 20_000 if NIGHT else 5_000
    judgements: list[Judgement | None] = []
    states, said = positions(key, 1), 0
    for ply, state in enumerate(states):
        judgements.append(analyst.judge(game, state, Budget(nodes=nodes)))
        if not ply:
            continue
        before = states[ply - 1]
        text = comment(game, ply_between(before, state), judgements)
        if text is None:
            continue
        said += 1
        assert is_sentence(text.de), text.de
        assert is_sentence(text.en), text.en
        if "misses" in text.en:
            best = judgements[-2]
            assert best is not None
            played, better = (
                deep.judge(game, each, Budget(nodes=3 * nodes)) for each in (state, before.play(best.move))
            )
            assert played is not None
            assert better is not None
            assert better.chance(before.to_move) > played.chance(before.to_move)
        if "take the win" in text.en:
            end = deep.judge(game, state, Budget(nodes=3 * nodes))
            assert end is not None
            name = game.team_name(Team.ONE if end.win_probability == 1.0 else Team.TWO)
            assert end.win_probability in (0.0, 1.0)
            assert name.en in text.en
    assert said > 3
    last = comment(game, ply_between(*states[-2:]), judgements)
    assert last is not None
    assert re.match("Sieg|Unentschieden|.*Schwarm!", last.de)


def test_a_game_without_phrases_gets_the_general_ones(tictactoe: Any) -> None:
    assert tictactoe.commentary is None
    states = [tictactoe.new_state(Random(0))]
    for number in (0, 5, 1, 6, 2, 7, 3):
        states.append(states[-1].play(tictactoe.encoding.move(states[-1], number)))
    comments = [comment(tictactoe, ply_between(*pair), ()) for pair in pairwise(states)]
    assert [text is not None for text in comments] == [False] * 6 + [True]
    assert comments[-1] is not None
    assert comments[-1].de.startswith(f"Sieg für {tictactoe.teams[0].de}: ")
