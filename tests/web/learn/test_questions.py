"""Exercises: what the rules say to every kind of answer, with a script and without."""

from __future__ import annotations

from itertools import chain
from random import Random
from typing import Any

import pytest

httpx = pytest.importorskip("httpx")
from spielleiter import games
from spielleiter.game import AnyGame, ChoiceQuestion, MoveQuestion, SquaresQuestion
from tests.web.conftest import Site

GERMAN = {"accept-language": "de"}


def right_answer(game: AnyGame, question: Any) -> dict[str, str]:
    """As a form without a script sends it."""
    match question:
        case MoveQuestion():
            return {"text": game.notation.format_move(question.state, question.solutions()[0])}
        case SquaresQuestion():
            assert game.board_input is not None
            return {"squares": " ".join(game.board_input.square_name(square) for square in question.solution())}
        case ChoiceQuestion():
            return {"choice": str(question.solution())}
    raise AssertionError(question)


def wrong_answer(game: AnyGame, question: Any) -> dict[str, str]:
    match question:
        case MoveQuestion():
            solutions, rng = question.solutions(), Random(0)
            others = chain(question.state.legal_moves(), (game.garbage_move(rng) for _ in range(9)))
            wrong = next(move for move in others if move not in solutions)
            return {"text": game.notation.format_move(question.state, wrong)}
        case SquaresQuestion():
            return {"squares": ""}
        case ChoiceQuestion():
            return {"choice": str((question.solution() + 1) % len(question.options))}
    raise AssertionError(question)


@pytest.mark.parametrize("game", games.seasons(), ids=str)
def test_every_exercise_accepts_what_the_rules_accept_and_explains_the_rest(site: Site, game: AnyGame) -> None:
    assert game.lesson is not None
    with httpx.Client(headers=GERMAN) as client:
        for number, question in enumerate(game.lesson().questions, 1):
            address = f"{site.base}/learn/{game.key}/{number}"
            assert question.task.de in client.get(address).text.replace("&#39;", "'")
            right = client.get(address, params=right_answer(game, question)).text
            assert "<strong>Richtig!</strong>" in right
            wrong = client.get(address, params=wrong_answer(game, question)).text
            assert "Richtig!" not in wrong
            assert 'class="message refused"' in wrong
            assert "Lösung:" in client.get(address, params={"solution": "1"}).text


def answer(site: Site, exercise: int, fields: dict[str, str]) -> Any:
    return httpx.post(f"{site.base}/learn/piranhas-2026/{exercise}/move", data=fields, headers=GERMAN).json()


def test_a_script_hears_what_is_wrong_with_a_move_and_sees_the_board_after_a_right_one(
    site: Site,
) -> None:
    assert "nicht 3" in answer(site, 4, {"picks": "5,4 8,4"})["text"]
    assert "nichts zu fressen" in answer(site, 4, {"picks": "5,4 5,5"})["text"]
    right = answer(site, 4, {"picks": "5,4 7,4"})
    assert right["ok"]
    assert "<svg" in right["update"]["parts"]["board"]
    assert 'href="/learn/piranhas-2026/5"' in right["update"]["parts"]["feedback"]
    assert right["update"]["play"]["mine"] is False


def test_chosen_squares_are_judged_one_by_one(site: Site) -> None:
    assert answer(site, 1, {"squares": "D5"})["text"].startswith("D5: 3 Fische auf dieser Linie")
    assert answer(site, 2, {"squares": "b5"})["text"] == "Es fehlen noch 5 Felder."
    assert answer(site, 1, {"squares": "Z9"})["text"] == "Ein Feld namens Z9 gibt es nicht."
    assert answer(site, 1, {"squares": "E5"})["ok"]


def test_the_ghost_of_a_tile_hears_why_it_does_not_fit(site: Site) -> None:
    fields = {"picks": "PENTO_X 0 19,19"}
    assert not httpx.get(f"{site.base}/learn/blokus-2027/1/try", params=fields).json()["ok"]


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"picks": "a b"},
        {"text": "x" * 5000},
        {"squares": "\0"},
        {"choice": "-1"},
        {"choice": "9" * 5000},
    ],
)
def test_nonsense_is_refused_with_words(site: Site, fields: dict[str, str]) -> None:
    for exercise in (1, 3, 4):
        refused = answer(site, exercise, fields)
        assert not refused["ok"]
        assert refused["text"]


def test_a_new_game_brings_its_exercises_in_its_folder(site: Site, tictactoe: AnyGame) -> None:
    assert tictactoe.title.de in httpx.get(f"{site.base}/learn", headers=GERMAN).text
    address = f"{site.base}/learn/{tictactoe.key}"
    assert "gewinnen sofort (R3)" in httpx.get(address, headers=GERMAN).text
    assert "Das sind keine vier" in httpx.get(f"{address}/3", params={"text": "a1"}, headers=GERMAN).text
    assert "Gewonnen!" in httpx.get(f"{address}/3", params={"text": "d4"}, headers=GERMAN).text


@pytest.mark.parametrize("number", ["0", "99", "first"])
def test_an_exercise_that_is_not_there_is_not_found(site: Site, number: str) -> None:
    assert httpx.get(f"{site.base}/learn/piranhas-2026/{number}").status_code == 404
