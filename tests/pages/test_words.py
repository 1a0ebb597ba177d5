"""Sentences about players, moves and results: numbers with the words that belong to them."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from spielleiter.game import Language, Team, deciding_score
from spielleiter.games import load, parse_position
from spielleiter.pages import words
from spielleiter.records.history import History
from spielleiter.text import upper_first


def points(state: Any, language: Language) -> list[str]:
    found = words.points(load(state.rules.key), state, Team.ONE, language)
    return [" ".join(filter(None, (before, str(value), after))) for before, value, after in found]


def test_one_of_a_thing_is_not_several() -> None:
    _, lone = parse_position("piranhas-2026 S9/10/9S/10/10/10/10/10/10/s8s 4 -")
    assert points(lone, "de") == ["1 Schwarmgewicht", "1 Fisch darin"]


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("de", ["0 Bernsteine", "vorderste Leichtfigur: Reihe 1"]),
        ("en", ["0 pieces of amber", "foremost light piece: row 1"]),
    ],
)
def test_a_row_is_counted_as_people_count_rows(language: Language, said: list[str]) -> None:
    assert points(load("ostseeschach-2022").new_state(Random(0)), language) == said


def test_where_points_decide_they_are_said_instead_of_the_rule_that_ended_the_game() -> None:
    rng, game = Random(5), load("blokus-2027")
    state = game.new_state(rng)
    start, moves = game.notation.format_state(state), []
    while state.outcome is None:
        move = rng.choice(state.legal_moves())
        moves.append(game.notation.format_move(state, move))
        state = state.play(move)
    winner = state.outcome.winner
    assert winner is not None
    own, other = (state.points(team)[1] for team in (winner, winner.opponent))
    assert own > other
    assert deciding_score(state, winner) == f"{own} : {other}"
    assert deciding_score(state, winner.opponent) == f"{other} : {own}"
    history = History(game_key=game.key, id="", start=start, names=("Ada", "Bob")).play(moves)
    assert deciding_score(history.states[0], winner) == ""


def test_a_square_at_the_beginning_of_a_sentence_stays_as_the_board_names_it() -> None:
    assert upper_first("e4 ist frei") == "e4 ist frei"
    assert upper_first("der Turm") == "Der Turm"
    assert upper_first("bomb.zip: zu groß") == "bomb.zip: zu groß"
    assert upper_first("hugo@1a2b ist nicht gestartet") == "hugo@1a2b ist nicht gestartet"
