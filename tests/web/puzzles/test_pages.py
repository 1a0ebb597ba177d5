"""Puzzles over HTTP: streams, the puzzle of the day, moves with and without a script, and addresses that are wrong."""

from __future__ import annotations

import re
from datetime import date
from typing import Any

import pytest

httpx = pytest.importorskip("httpx")
from spielleiter.analysis import Judgement
from spielleiter.puzzles import Attempt, Difficulty, Puzzle, all_puzzles, daily_puzzle
from spielleiter.search import engine
from tests.puzzles.test_attempt import LONG, wrong_move
from tests.support.played import needs_engine
from tests.web.conftest import Site

JSON = {"accept": "application/json"}


def text_of(puzzle: Puzzle, state: Any, move: Any) -> str:
    return puzzle.game.notation.format_move(state, move)


def post(site: Site, puzzle: Puzzle, move: Any, state: Any, line: str = "", **options: Any) -> Any:
    form = {"text": text_of(puzzle, state, move), "line": line, "stream": f"{puzzle.game.key}.all"}
    return httpx.post(f"{site.base}/puzzles/{puzzle.id}/move", data=form, **options)


def test_the_page_of_all_puzzles_offers_the_day_and_every_game(site: Site) -> None:
    text = httpx.get(site.base + "/puzzles").text
    today = daily_puzzle(date.today())
    assert today is not None
    assert f'href="/puzzles/{today.id}"' in text
    for puzzle in all_puzzles().values():
        assert f'data-stream="{puzzle.game.key}.{puzzle.difficulty.value}"' in text
    assert httpx.get(site.base + "/puzzles/daily").headers["location"] == f"/puzzles/{today.id}"


def test_a_stream_shows_each_of_its_puzzles_before_one_returns(site: Site) -> None:
    wanted = {
        puzzle.id
        for puzzle in all_puzzles().values()
        if puzzle.game.key == "piranhas-2019" and puzzle.difficulty is Difficulty.MEDIUM
    }
    seen, after = set[str](), ""
    for _ in wanted:
        answer = httpx.get(f"{site.base}/puzzles/next?stream=piranhas-2019.medium&after={after}")
        after = answer.headers["location"].split("/")[-1].split("?")[0]
        seen.add(after)
    assert seen == wanted


def test_without_a_script_right_moves_lead_to_the_end(site: Site) -> None:
    attempt, address = Attempt.begin(LONG), f"/puzzles/{LONG.id}"
    for _ in range(LONG.own_moves):
        page = httpx.get(site.base + address).text
        assert 'id="typed"' in page
        line = re.search(r'name="line" value="([0-9.]*)"', page)
        assert line is not None
        answer = post(site, LONG, attempt.right_move, attempt.state, line[1])
        assert answer.status_code == 303
        address, attempt = answer.headers["location"], attempt.play(attempt.right_move)
    assert "Solved!" in httpx.get(site.base + address).text


@needs_engine
def test_a_wrong_move_is_answered_on_the_board_and_can_be_tried_again(site: Site) -> None:
    attempt = Attempt.begin(LONG)
    answer = post(site, LONG, wrong_move(attempt), attempt.state, headers=JSON).json()
    assert answer["ok"]
    own, reply = answer["update"], answer["update"]["reply"]
    assert own["parts"]["board"] != reply["parts"]["board"]
    assert reply["puzzle"]["progress"] == "wrong"
    assert not reply["play"]["mine"]
    assert reply["parts"]["moves"].count("<li") == 2
    assert f'href="/puzzles/{LONG.id}?stream={LONG.game.key}.all"' in reply["parts"]["result"]


def test_a_wrong_move_is_called_wrong_without_the_engine_too(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "_PROBLEM", "no such module")
    attempt = Attempt.begin(LONG)
    answer = post(site, LONG, wrong_move(attempt), attempt.state, headers=JSON).json()
    assert answer["update"]["puzzle"]["progress"] == "wrong"
    assert "does not win" in answer["update"]["parts"]["status"]


def test_a_puzzle_whose_solution_the_engine_refutes_says_so_and_counts_nothing(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    attempt = Attempt.begin(LONG)
    move = wrong_move(attempt)
    after = attempt.state.play(move)

    async def judge(*_: Any) -> Judgement:
        return Judgement(float(attempt.state.to_move == 0), after.legal_moves()[0])

    monkeypatch.setattr(site.web_app.analyst, "judge", judge)
    reply = post(site, LONG, move, attempt.state, headers=JSON).json()["update"]["reply"]
    assert reply["puzzle"]["progress"] == "open"
    assert "The engine wins that way, too" in reply["parts"]["status"]


def test_an_illegal_move_is_refused_with_its_rule(site: Site) -> None:
    form = {"text": "a1-a1" if "ostsee" in LONG.game.key else "A0-A0", "line": "", "stream": ""}
    answer = httpx.post(f"{site.base}/puzzles/{LONG.id}/move", data=form, headers=JSON).json()
    assert not answer["ok"]
    assert answer["text"]
    page = httpx.post(f"{site.base}/puzzles/{LONG.id}/move", data=form)
    assert page.status_code == 409
    assert f'href="/puzzles/{LONG.id}"' in page.text
    tried = httpx.get(f"{site.base}/puzzles/{LONG.id}/try", params=form).json()
    assert not tried["ok"]


def test_the_solution_is_shown_move_by_move(site: Site) -> None:
    for ply in range(len(LONG.solution) + 1):
        page = httpx.get(f"{site.base}/puzzles/{LONG.id}/solution/{ply}").text
        assert page.count('class="now"') == (ply < len(LONG.solution))
    assert httpx.get(f"{site.base}/puzzles/{LONG.id}/solution/99").status_code == 404


@pytest.mark.parametrize(
    "address",
    [
        "/puzzles/nonsense",
        "/puzzles/nonsense/3.4",
        f"/puzzles/{LONG.id}/9999",
        f"/puzzles/{LONG.id}/x",
        f"/puzzles/{LONG.id}/0.0.0.0.0",
        f"/puzzles/{LONG.id}?stream=halma-1999.easy",
        "/puzzles/next?stream=halma-1999.easy",
        "/puzzles/next?stream=piranhas-2026.impossible",
        "/puzzles/next?stream=piranhas-2026-official.easy",
    ],
)
@pytest.mark.parametrize("language", ["de", "en"])
def test_an_address_that_is_wrong_gets_a_page_that_says_so(site: Site, address: str, language: str) -> None:
    answer = httpx.get(site.base + address, headers={"accept-language": language})
    assert answer.status_code == 404
    assert 'class="card problem"' in answer.text
    assert f'lang="{language}"' in answer.text
