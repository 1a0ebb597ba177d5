"""How all pages look in Chromium, and that they bar nobody."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from urllib.parse import quote

import pytest

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
from spielleiter import games
from spielleiter.game import Team
from spielleiter.programs.sandbox import ExitStatus
from spielleiter.web.play.seating import Seating, SeatKind
from spielleiter.web.replays import exit_statuses
from tests.support.web_browser import DEVICES, Keep, Open, check_look, looks
from tests.support.web_games import move_first, open_table, resigned_game, wrong_move
from tests.web.conftest import Site


@pytest.fixture(scope="module")
def finished(site: Site) -> str:
    return resigned_game(site, "piranhas-2026", 6)


@pytest.fixture(scope="module")
def exhibits(site: Site, finished: str) -> Iterator[dict[str, str]]:
    """The addresses of pages on which there is something to see, by the names of their pictures."""
    rng = Random(5)
    tables = {key: open_table(site, key) for key in games.all_games() if not key.endswith("-official")}
    for table in tables.values():
        for _ in range(16):
            ply = len(table.plies)
            site.do(
                lambda table=table, ply=ply: site.web_app.tables.move(table, ply, lambda s: rng.choice(s.legal_moves()))
            )
    game = games.load("piranhas-2026")
    seats = (Seating(SeatKind.PERSON, "Ada"), Seating(SeatKind.JOINS, "Mein Programm"))
    waiting = site.do(lambda: site.web_app.tables.open(game, seats, game.new_state(Random(3))))
    friends = (Seating(SeatKind.FRIEND, "Gast"), Seating(SeatKind.PERSON, "Ada"))
    invited = site.do(lambda: site.web_app.tables.open(game, friends, game.new_state(Random(3)), "somebody"))
    fault = wrong_move(site)
    exit_statuses.write(
        site.records / fault,
        {Team.ONE: ExitStatus(1, None, b"Hallo", b"Traceback ...\nValueError: LEFT", 23 << 20, 0.0)},
    )
    yield {
        "start": "/", "start-position": f"/?position={quote(game.notation.format_state(game.new_state(Random(2))))}",
        "new-table": "/tables/new", "invitation": f"/invite/{invited.holders[Team.ONE].token}",
        "watch": "/watch", "projector": "/projector", "replays": "/replays", "replay": f"/replay/{finished}/3",
        "watch-one": f"/watch/{tables['blokus-2027'].room.room_id}", "fault": f"/replay/{fault}/fault",
        "report": f"/replay/{finished}/report", "waiting": f"/table/{waiting.key}", "problem": "/no-such-page",
        **{f"table-{key}": f"/table/{table.key}" for key, table in tables.items()},
    }  # fmt: skip
    for table in (*tables.values(), waiting, invited):
        site.do(lambda table=table: site.web_app.tables.close(table))


@pytest.mark.parametrize("device", DEVICES)
def test_every_page_looks_right_and_has_no_barrier(
    site: Site, open_page: Open, keep: Keep, exhibits: dict[str, str], device: str
) -> None:
    page = open_page(**DEVICES[device])
    for name, path in exhibits.items():
        answer = page.goto(site.base + path)
        assert answer.ok or name == "problem", name
        if name == "report" and page.locator("#report").count():
            page.locator(".losses tbody tr").nth(5).wait_for(state="attached")
        for look in looks(page, device):
            keep(page, f"{name}-{look}")
            check_look(page, look)
    page.complaints[:] = [said for said in page.complaints if "404" not in said]  # The page that is not there.


def test_forced_colours_keep_the_teams_apart(site: Site, open_page: Open, exhibits: dict[str, str]) -> None:
    page = open_page(forced_colors="active")
    page.goto(site.base + exhibits["replay"])
    one, two = (
        page.evaluate(f"getComputedStyle(document.querySelector('.player.{team} .chip')).backgroundColor")
        for team in ("one", "two")
    )
    assert one != two


def test_a_player_called_script_is_only_a_name(site: Site, open_page: Open) -> None:
    game = games.load("piranhas-2026")
    name = "<script>alert(1)</script>"
    seats = (Seating(SeatKind.PERSON, name), Seating(SeatKind.PERSON, '"><img src=x onerror=alert(2)>'))
    table = site.open_table(game, seats, game.new_state(Random(3)))
    page = open_page()
    page.on("dialog", lambda dialog: pytest.fail("a name was run as a script"))
    for path in (f"/table/{table.key}", f"/watch/{table.room.room_id}", "/watch"):
        page.goto(site.base + path)
        page.get_by_text(name).first.wait_for(state="attached")
    move_first(site, table)
    page.wait_for_timeout(200)
    assert table.person_teams() == (Team.ONE, Team.TWO)
    site.do(lambda: site.web_app.tables.close(table))
