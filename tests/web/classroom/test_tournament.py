"""Tournaments of handed-in players: their table, and what happens when pages are killed or a button is hit twice."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from spielleiter import games
from spielleiter.errors import Refused
from spielleiter.game import Team, Text
from spielleiter.matches.plan import PLAN
from spielleiter.matches.results import MatchGame
from spielleiter.programs.side_result import SideResult
from spielleiter.web.classroom.book import ClassBook, ClassSettings
from spielleiter.web.classroom.state import PlayerHandedIn, PlayerTried
from spielleiter.web.classroom.tournament import Tournaments, tournament_table
from spielleiter.workshop.files import contest_zip
from spielleiter.workshop.starter import first_player

GAME = "ostseeschach-2022"


def row(one: str, two: str, winner: Team | None, *, round_: int = 0, counts: bool = True) -> MatchGame:
    sides = SideResult(name=one, points=()), SideResult(name=two, points=())
    return MatchGame(
        id=f"{one}-{two}-{round_}", round=round_, sides=sides, winner=winner, counts=counts, reason=Text("", ""),
        start="", final="", plies=1, seconds=1.0, started="",
    )  # fmt: skip


def test_points_decide_then_those_of_the_opponents() -> None:
    rows = (
        row("Ada", "Ben", Team.ONE),
        row("Cem", "Dana", Team.TWO),
        row("Ada", "Cem", Team.TWO),
        row("Ben", "Dana", None),
        row("Ada", "Dana", Team.ONE, counts=False),
    )
    table = tournament_table(("Ada", "Ben", "Cem", "Dana"), rows)
    assert [(each.rank, each.name, each.points) for each in table] == [
        (1, "Dana", 1.5), (2, "Cem", 1.0), (3, "Ada", 1.0), (4, "Ben", 0.5),
    ]  # fmt: skip
    assert (table[0].won, table[0].drawn, table[0].lost) == (1, 1, 0)


def test_equals_share_a_rank() -> None:
    table = tournament_table(("Ada", "Ben", "Cem"), (row("Ada", "Ben", None),))
    assert [(each.rank, each.name) for each in table] == [(1, "Ada"), (1, "Ben"), (3, "Cem")]


def test_a_round_without_an_opponent_is_worth_as_much_as_one_that_was_won() -> None:
    names = ("Ada", "Ben", "Cem")
    rows = (row("Ada", "Ben", Team.ONE, round_=1), row("Ben", "Ada", Team.TWO, round_=1))
    assert {each.name: each.points for each in tournament_table(names, rows)} == {"Ada": 2.0, "Cem": 2.0, "Ben": 0.0}


def test_without_a_game_all_are_first() -> None:
    assert {each.rank for each in tournament_table(("Ada", "Ben"), ())} == {1}


@asynccontextmanager
async def class_of(folder: Path, *names: str) -> AsyncIterator[tuple[ClassBook, Tournaments]]:
    """A class in which these people have handed in a player each, which was not tried."""
    book = ClassBook(ClassSettings(folder=folder / "class", game=GAME))
    for name in names:
        person = book.join(book.state.code, name, f"browser of {name}")
        book.record(PlayerHandedIn(person.id, f"{person.id}.zip", "player.zip", 0.0))
    tournaments = Tournaments(book, "auto", lambda folder: None)
    try:
        yield book, tournaments
    finally:
        await tournaments.close()
        book.close()


def test_a_tournament_begins_once_whatever_its_players_are_called_and_whatever_lies_in_its_folder(
    tmp_path: Path,
) -> None:
    game = games.load(GAME)
    player = contest_zip("player", game, "en", first_player(game, "en"))

    async def run() -> None:
        async with class_of(tmp_path, "Ada", "Computer (greedy)") as (book, tournaments):
            book.settings.players.mkdir()
            for person in book.state.people:
                (book.settings.players / f"{person}.zip").write_bytes(player)
                book.record(PlayerTried(person, f"{person}.zip", True, "", ""))
            tournaments.folder(1).mkdir()  # The pages were killed before its beginning was written down.
            (tournaments.folder(1) / PLAN).write_text("{}")
            clicks = (tournaments.begin(5, with_yardstick=True) for _ in range(2))
            first, second = await asyncio.gather(*clicks, return_exceptions=True)
            assert first is None
            assert isinstance(second, Refused)
            assert [each.number for each in book.state.tournaments] == [1]
            await tournaments.stop()
            names = [score.name for score in tournaments.table(book.state.tournaments[0])]
            assert sorted(names) == ["Ada", "Computer (greedy)", "Computer (greedy) (2)"]

    asyncio.run(run())


def test_a_class_opens_though_a_file_was_lost_and_its_owner_sees_that(tmp_path: Path) -> None:
    async def run() -> None:
        async with class_of(tmp_path, "Ada") as (book, tournaments):
            tournaments.resume()
            seen = book.channel.version
            while book.state.players[1].works is None:
                seen = await asyncio.wait_for(book.channel.wait(seen), 60)
            assert book.state.players[1].works is False
            assert "1.zip" in book.state.players[1].en

    asyncio.run(run())


def test_only_the_newest_player_of_somebody_is_tried(tmp_path: Path) -> None:
    async def run() -> None:
        async with class_of(tmp_path, "Ada") as (book, tournaments):
            book.record(PlayerHandedIn(1, "newer.zip", "player.zip", 1.0))
            await tournaments._try_out(1, "1.zip")
            assert book.state.players[1].works is None

    asyncio.run(run())
