"""The coach's report on games that are made up: faults in groups, times, results, and what comes first."""

from __future__ import annotations

from typing import Any

from spielleiter import games
from spielleiter.coach.own_games import OwnGame, OwnGames
from spielleiter.coach.report import CoachReport
from spielleiter.coach.study import Study
from spielleiter.game import Cause, Limits, Team, TeamResult, Text
from spielleiter.programs.side_result import Fault, SideResult
from spielleiter.rating.pairs import Results
from spielleiter.records.history import History, RecordedResult
from spielleiter.text import NO_TEXT

GAME = games.load("piranhas-2026")
BOOM = Text("IndexError (player.py, Zeile 7)", "IndexError (player.py, line 7)")


def game(number: int, **values: Any) -> OwnGame:
    limit, teams = values.pop("limit", 2.0), (TeamResult(Cause.REGULAR, ()),) * 2
    history = History(
        game_key=GAME.key,
        id="",
        start=f"start {number // 2}",
        names=("", ""),
        limits=(Limits(limit), Limits(limit)),
        result=RecordedResult(teams, None, values.pop("reason", NO_TEXT), final=""),
        place=f"game {number}",
    )
    usual: dict[str, Any] = {"team": Team(number % 2), "opponent": "Bö", "points": 1.0}
    own = {name: values.pop(name) for name in ("opponent", "points", "untimely") if name in values}
    return OwnGame(history=history, side=SideResult(name="Ada", points=(), **values), **(usual | own))


def report_on(*own: OwnGame) -> CoachReport:
    everything = OwnGames("Ada", GAME, own, ())
    return CoachReport.of(everything, Study(everything, 1.0))


def test_faults_are_grouped_by_their_last_error_and_come_first() -> None:
    report = report_on(
        game(0, points=0.0, fault=Fault.LATE, reason=Text("zu spät", "too late")),
        *(game(number, points=0.0, fault=Fault.CRASH, failure=BOOM) for number in (1, 2, 3)),
        game(4, points=0.0, fault=Fault.CRASH, failure=Text("anderes", "another")),
        game(5),
    )
    assert [(group.fault, len(group.places)) for group in report.faults] == [
        (Fault.CRASH, 3),
        (Fault.LATE, 1),
        (Fault.CRASH, 1),
    ]
    assert report.advice()[0] == Text(
        "3 von 6 Spielen durch eigene Schuld beendet: abgestürzt: IndexError (player.py, Zeile 7)",
        "3 of 6 games ended by its own fault: crashed: IndexError (player.py, line 7)",
    )
    assert report.advice()[1].en.endswith("late move: too late")


def test_a_loss_on_time_on_a_busy_machine_is_not_a_fault() -> None:
    report = report_on(game(0, points=0.0, fault=Fault.LATE, untimely=True))
    assert (report.faults, report.untimely) == ((), 1)


def test_times_near_the_limit_and_far_from_it_are_reported() -> None:
    near = report_on(game(0, move_times=(0.5, 1.85, 1.9)))
    assert near.near_limit == 2
    assert near.advice() == [
        Text(
            "Zu knapp an der Zeitgrenze: 2 Züge über 90 % von 2 s, der längste 1,90 s. Lass mehr Reserve.",
            "Too near to the time limit: 2 moves above 90 % of 2 s, the longest 1.90 s. Leave more in reserve.",
        )
    ]
    assert "Search deeper" in report_on(game(0, points=0.0, move_times=(0.01, 0.02))).advice()[0].en
    assert report_on(game(0, move_times=(0.01, 0.02))).advice() == []  # Whoever wins needs no more time.
    assert report_on(game(0, move_times=(1.9,)), game(1, limit=5.0)).limit is None


def test_results_are_counted_by_opponent_side_and_opening() -> None:
    report = report_on(
        game(0), game(1, points=0.0), game(2, points=0.5, opponent="Cy"), game(3, points=0.0), game(4, points=None)
    )
    assert report.results == Results(1, 1, 2)
    assert report.played == 5
    assert report.opponents == {"Bö": Results(1, 0, 2), "Cy": Results(0, 1, 0)}
    assert report.sides == {Team.ONE: Results(1, 1, 0), Team.TWO: Results(0, 0, 2)}
    assert [opening.position for opening in report.openings] == ["start 1", "start 0", "start 2"]


def test_a_weaker_side_is_named_when_there_are_enough_games() -> None:
    few = [game(number, points=float(number % 2)) for number in range(6)]
    assert report_on(*few).advice() == []
    more = [game(number, points=float(number % 2)) for number in range(8)]
    assert report_on(*more).advice() == [
        Text(
            "Schwächer als Rot: 0 % der Punkte, mit der anderen Seite 100 %.",
            "Weaker as Red: 0 % of the points, 100 % with the other side.",
        )
    ]
    untimely = [game(number, points=float(number % 2), untimely=number % 2 == 0) for number in range(8)]
    assert report_on(*untimely).advice() == []  # The machine lost those games, not the side.
