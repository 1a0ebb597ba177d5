"""The board editor without a browser: what it takes and what it refuses."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

httpx = pytest.importorskip("httpx")
from spielleiter import games
from spielleiter.game.board_input import read_position
from tests.web.conftest import Site

GAME = games.load("piranhas-2026")
POSITION = GAME.notation.format_state(GAME.new_state(Random(3)))


def check(site: Site, **form: Any) -> Any:
    answer = httpx.post(f"{site.base}/analysis/edit", data=form, headers={"accept-language": "en"})
    assert answer.status_code == 200
    return answer.json()


def test_what_is_set_up_comes_back_as_notation_and_picture(site: Site) -> None:
    rows, fields = read_position(POSITION)
    form = {f"field-{number}": value for number, value in enumerate(fields)}
    found = check(site, game=GAME.key, rows=json.dumps(rows), **form)
    assert found["ok"]
    assert found["update"]["notation"] == POSITION
    assert "<svg" in found["update"]["parts"]["board"]
    assert found["text"] == "Red to move."


def test_digits_are_stamps_where_the_notation_has_a_sign_for_empty_squares(site: Site) -> None:
    board = "P123.ppp/PPP.11.p" + "/........" * 6
    rows = [[sign.replace(".", "") for sign in row] for row in board.split("/")]
    found = check(site, game="pinguine-2023", rows=json.dumps(rows), **{"field-0": "6-5", "field-1": "11"})
    assert found["ok"]
    assert found["update"]["notation"] == f"pinguine-2023 {board} 6-5 11"
    assert found["rows"] == rows
    wrong = check(site, game="pinguine-2023", rows=json.dumps(rows), **{"field-0": "6-5", "field-1": "7"})
    assert "TWO has 3 penguins, not 4" in wrong["text"]


def test_what_the_rules_forbid_is_explained(site: Site) -> None:
    rows, _ = read_position(POSITION)
    more = [["S"] * 10, *rows[1:]]
    found = check(site, game=GAME.key, rows=json.dumps(more), **{"field-0": "0", "field-1": "-"})
    assert not found["ok"]
    assert "only 16 fish" in found["text"]
    late = check(site, game=GAME.key, rows=json.dumps(rows), **{"field-0": "99", "field-1": "-"})
    assert late["text"] == "Expected the turn, 0 to 60, found 99"
    assert not check(site, game=GAME.key, rows=json.dumps(rows))["ok"]  # A field is empty.


def test_a_position_of_another_season_is_refused_with_its_name(site: Site) -> None:
    found = check(site, game="blokus-2027", position=POSITION)
    assert not found["ok"]
    assert "from Piranhas 2026 (piranhas-2026); here Blokus 2027" in found["text"]


@pytest.mark.parametrize("rows", ["", "x", "{}", "[[1]]", '[["Q"]]', "[" * 2000, "7"])
def test_a_board_that_is_none_is_refused(site: Site, rows: str) -> None:
    assert not check(site, game=GAME.key, rows=rows, **{"field-0": "0", "field-1": "-"})["ok"]


def test_every_game_that_can_be_set_up_has_an_editor(site: Site) -> None:
    for game in games.seasons():
        answer = httpx.get(f"{site.base}/analysis/edit", params={"game": game.key})
        assert answer.status_code == (404 if game.setup is None else 200)
        assert (answer.text.count('name="stamp"') > 2) is (game.setup is not None)
    assert httpx.get(f"{site.base}/analysis/edit", params={"position": "x y"}).status_code == 400
