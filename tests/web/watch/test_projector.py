"""The game on the projector."""

from __future__ import annotations

import pytest

httpx = pytest.importorskip("httpx")
from spielleiter.web.watch.projector import excitement, on_stage
from tests.support.web_games import open_table
from tests.web.conftest import Site


def test_the_projector_stays_with_a_game_until_another_is_clearly_more_exciting(site: Site) -> None:
    first = open_table(site)
    tables, web_app = site.web_app.tables, site.web_app

    def stage() -> str:
        live = on_stage(web_app)
        assert live is not None
        return live.room_id

    web_app.on_stage = first.room.room_id
    second = open_table(site)
    assert site.do(stage) == first.room.room_id
    for ply in range(20):
        site.do(lambda ply=ply: tables.move(second, ply, lambda state: state.legal_moves()[-1]))
    one, two = (site.web_app.tables.live(table) for table in (first, second))
    assert one is not None
    assert two is not None
    if excitement(two)[0] > excitement(one)[0] + 0.25:
        assert site.do(stage) == second.room.room_id
    site.do(lambda: tables.resign(second))
    assert site.do(stage) != second.room.room_id
    for table in (first, second):
        site.do(lambda table=table: tables.close(table))
