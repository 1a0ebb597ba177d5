"""The table of a tournament of players."""

from __future__ import annotations

from spielleiter.game import Team, Text
from spielleiter.matches.results import MatchGame
from spielleiter.programs.side_result import SideResult
from spielleiter.web.classroom.tournament import tournament_table


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
