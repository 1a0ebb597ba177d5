"""The rules of the games as pages."""

from __future__ import annotations

import re

import pytest

httpx = pytest.importorskip("httpx")
from spielleiter import games
from spielleiter.game import AnyGame
from tests.support.web_games import resigned_game
from tests.web.conftest import Site

GERMAN, ENGLISH = {"accept-language": "de"}, {"accept-language": "en"}


def test_every_game_is_in_the_overview(site: Site) -> None:
    text = httpx.get(site.base + "/learn").text
    assert re.findall(r'href="/learn/([^"]+)"', text) == [game.key for game in games.seasons()]


@pytest.mark.parametrize("game", games.all_games().values(), ids=str)
def test_the_rules_are_there_in_both_languages_with_pictures_and_exercises(site: Site, game: AnyGame) -> None:
    assert game.lesson is not None
    lesson = game.lesson()
    for headers in (GERMAN, ENGLISH):
        page = httpx.get(f"{site.base}/learn/{game.key}", headers=headers)
        assert page.status_code == 200
        for section in lesson.sections:
            title = section.title.de if headers is GERMAN else section.title.en
            assert f">{title}</h2>" in page.text
        assert page.text.count("<figure>") == sum(len(section.illustrations) for section in lesson.sections)
        assert page.text.count("<figure>") == page.text.count("<svg")
        numbers = re.findall(r'data-exercise="(\d+)"', page.text)
        assert numbers == [str(number) for number in range(1, len(lesson.questions) + 1)]


def test_rules_need_no_key_of_the_network(school: Site) -> None:
    assert httpx.get(f"{school.base}/learn/piranhas-2026/1").status_code == 200


def test_every_board_links_to_its_rules_and_has_them_in_short(site: Site) -> None:
    form = {"game": "piranhas-2026", "kind1": "person", "kind2": "person"}
    table = httpx.post(f"{site.base}/tables", data=form, headers=GERMAN, follow_redirects=True)
    record = resigned_game(site, "piranhas-2026", 2)
    replay, analysis = (
        httpx.get(site.base + path, headers=GERMAN) for path in (f"/replay/{record}", "/analysis?game=piranhas-2026")
    )
    for page in (table, replay, analysis):
        assert 'href="/learn/piranhas-2026"' in page.text
        assert "genau so viele Felder" in page.text


def test_a_game_that_does_not_exist_is_said_in_one_plain_sentence(site: Site) -> None:
    page = httpx.get(f"{site.base}/learn/schach", headers=GERMAN)
    assert page.status_code == 404
    assert "Dieses Spiel gibt es nicht." in page.text
    assert "Unter „Lernen“ stehen alle Spiele, die es gibt." in page.text
    assert "bekannt sind" not in page.text
