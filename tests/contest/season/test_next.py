"""What is next in a season, from plain values: no store, no games."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta

import pytest

from spielleiter.contest.season.draw import group_encounters
from spielleiter.contest.season.model import Phase, Season, Stage, TeamEntry
from spielleiter.contest.season.next import (
    Blocker,
    CloseDay,
    DayFacts,
    DrawEncounters,
    DrawLot,
    Facts,
    OpenDay,
    PlayGames,
    SeasonState,
    Until,
    activation_day,
    next_step,
)
from spielleiter.errors import ContestError
from spielleiter.game import Limits, Ranking
from spielleiter.rating.standings import Lot, Standings, Totals, rank

TRIAL, CHAMPIONSHIP, LEAGUE, FINAL = Stage.TRIAL, Stage.CHAMPIONSHIP, Stage.CHAMPIONS_LEAGUE, Stage.FINAL
NOW = datetime(2027, 3, 1, 12, tzinfo=UTC)
YESTERDAY, TOMORROW = NOW - timedelta(days=1), NOW + timedelta(days=1)
LIMITS = Limits(2.0, 10.0)


def phase(stage: Stage, **more: object) -> Phase:
    return Phase(stage=stage, limits=LIMITS, **{"qualify": 2, "matchdays": 1} | more)  # type: ignore[arg-type]


def season(*phases: Phase, groups: Iterable[str] = ("abcd",), lots_by_hand: bool = False) -> Season:
    """A season whose groups A, B, ... have the teams that the letters of ``groups`` name."""
    teams = tuple(TeamEntry(name, group=group) for group, names in zip("AB", groups, strict=False) for name in names)
    return Season(name="Probe", game="piranhas-2026", seed=7, teams=teams, phases=phases, lots_by_hand=lots_by_hand)


def ranked(*teams: str, tied: bool = False, lots: Sequence[Lot] = ()) -> Standings:
    """Standings in which the teams stand in this order, or all are level."""
    points = {team: Totals(won=0 if tied else len(teams) - place) for place, team in enumerate(teams)}
    return rank(points, Ranking.BY_VICTORY_POINTS, lots)


def days(stage: Stage, *marks: str, start: int = 0, dates: Sequence[datetime | None] = ()) -> list[DayFacts]:
    """The days of a phase: ``.`` not opened, ``1`` and more games missing, ``=`` all played, ``x`` finished."""
    found = []
    for number, mark in enumerate("".join(marks), 1):
        missing = 2 if mark == "." else int(mark) if mark.isdecimal() else 0
        date = dates[number - 1] if dates else None
        found.append(DayFacts(start + number, stage, number, date, mark != ".", mark == "x", missing))
    return found


def facts(
    *drawn: list[DayFacts],
    standings: Mapping[Stage, Mapping[str, Standings]] | None = None,
    winners: Mapping[tuple[int, int], str] | None = None,
    paused: bool = False,
) -> Facts:
    """Standings that were not given must not be asked for."""
    known = standings or {}
    return Facts([day for some in drawn for day in some], known.__getitem__, winners or {}, paused)


PLAIN = season(phase(CHAMPIONSHIP))
WITH_FINAL = season(phase(CHAMPIONSHIP), phase(FINAL))
OVER = days(CHAMPIONSHIP, "xxx")


# --- days -------------------------------------------------------------------------------------------------------------


def test_the_first_day_is_opened_then_played_then_closed() -> None:
    playing = SeasonState(Blocker.GAMES, CHAMPIONSHIP, 1, 1)
    step = next_step(PLAIN, facts(days(CHAMPIONSHIP, "...")), NOW)
    assert (step.state, step.action) == (playing, OpenDay(1))
    step = next_step(PLAIN, facts(days(CHAMPIONSHIP, "1..")), NOW)
    assert (step.state, step.action) == (playing, PlayGames(1))
    # Nothing of the first day is missing: it is closed, and everybody sees already that the second one is next.
    step = next_step(PLAIN, facts(days(CHAMPIONSHIP, "=..")), NOW)
    assert (step.state, step.action) == (SeasonState(Blocker.GAMES, CHAMPIONSHIP, 2, 2), CloseDay(1))


def test_several_days_are_closed_one_after_the_other() -> None:
    step = next_step(PLAIN, facts(days(CHAMPIONSHIP, "x==")), NOW)
    assert (step.state.blocker, step.action) == (Blocker.NOTHING, CloseDay(2))


def test_a_day_that_was_reopened_comes_first() -> None:
    step = next_step(PLAIN, facts(days(CHAMPIONSHIP, "x2.")), NOW)
    assert (step.state.matchday, step.action) == (2, PlayGames(2))


def test_a_season_whose_days_are_finished_is_over() -> None:
    step = next_step(PLAIN, facts(OVER), NOW)
    assert (step.state, step.action) == (SeasonState(Blocker.NOTHING), None)
    assert step.state.text(PLAIN).de == "Die Saison ist zu Ende"


def test_a_paused_season_does_nothing() -> None:
    step = next_step(PLAIN, facts(days(CHAMPIONSHIP, "=.."), paused=True), NOW)
    assert (step.state, step.action) == (SeasonState(Blocker.PAUSE), None)
    assert step.state.text(PLAIN).en == "The season is paused"


def test_trial_days_come_before_the_championship() -> None:
    with_trial = season(phase(TRIAL), phase(CHAMPIONSHIP))
    found = facts(days(TRIAL, "x"), days(CHAMPIONSHIP, "...", start=10))
    assert next_step(with_trial, found, NOW).action == OpenDay(11)


# --- dates ------------------------------------------------------------------------------------------------------------


def test_a_day_is_not_opened_before_its_date() -> None:
    waiting = facts(days(CHAMPIONSHIP, "...", dates=[TOMORROW] * 3))
    step = next_step(PLAIN, waiting, NOW)
    assert (step.state, step.action) == (SeasonState(Blocker.DATE, CHAMPIONSHIP, 1, 1, TOMORROW), None)
    assert step.state.text(PLAIN).en == f"Championship, matchday 1 begins on {TOMORROW.astimezone():%Y-%m-%d at %H:%M}"
    assert next_step(PLAIN, waiting, TOMORROW).action == OpenDay(1)
    assert next_step(PLAIN, waiting, NOW, ahead=True).action == OpenDay(1)


def test_a_day_that_was_opened_ahead_of_its_date_is_played() -> None:
    found = facts(days(CHAMPIONSHIP, "1..", dates=[TOMORROW] * 3))
    assert next_step(PLAIN, found, NOW).action == PlayGames(1)


def test_a_phase_is_drawn_before_its_date_and_then_waited_for() -> None:
    dated = season(phase(CHAMPIONSHIP), phase(FINAL, dates=(TOMORROW,)))
    step = next_step(dated, facts(OVER, standings={CHAMPIONSHIP: {"A": ranked(*"abcd")}}), NOW)
    assert step.state == SeasonState(Blocker.DATE, FINAL, 1, None, TOMORROW)
    assert isinstance(step.action, DrawEncounters)


# --- where to stop ----------------------------------------------------------------------------------------------------


def test_what_comes_after_the_goal_is_not_opened() -> None:
    found = facts(days(CHAMPIONSHIP, "x.."))
    assert next_step(PLAIN, found, NOW, until=Until(CHAMPIONSHIP, 2)).action == OpenDay(2)
    step = next_step(PLAIN, found, NOW, until=Until(CHAMPIONSHIP, 1))
    assert (step.state, step.action) == (SeasonState(Blocker.GOAL, CHAMPIONSHIP, 2), None)
    assert step.state.text(PLAIN).en == "Stopped before: Championship, matchday 2"
    assert next_step(PLAIN, found, NOW, until=Until(CHAMPIONSHIP)).action == OpenDay(2)


@pytest.mark.parametrize(
    ("teams", "title"),
    [
        ("abcdefgh", "Final Eight, quarter-finals"),
        ("abcdefg", "Final Four, semi-finals"),
        ("abc", "Final"),
    ],
)
def test_the_knock_out_is_called_by_the_number_of_its_teams(teams: str, title: str) -> None:
    knock_out = season(phase(CHAMPIONSHIP, qualify=8), phase(FINAL), groups=(teams,))
    assert SeasonState(Blocker.GOAL, FINAL, 1).text(knock_out).en == f"Stopped before: {title}"
    assert knock_out.day_title(FINAL, 1).en == title


def test_what_is_over_before_the_goal_is_still_closed() -> None:
    step = next_step(PLAIN, facts(days(CHAMPIONSHIP, "=..")), NOW, until=Until(CHAMPIONSHIP, 1))
    assert (step.state.blocker, step.action) == (Blocker.GOAL, CloseDay(1))


def test_what_comes_after_the_goal_is_not_drawn() -> None:
    # The standings are not even asked for.
    step = next_step(WITH_FINAL, facts(OVER), NOW, until=Until(CHAMPIONSHIP))
    assert (step.state, step.action) == (SeasonState(Blocker.GOAL, FINAL, 1), None)


# --- lots -------------------------------------------------------------------------------------------------------------


def test_a_lot_is_drawn_where_a_place_decides() -> None:
    level = {CHAMPIONSHIP: {"A": ranked(*"abcd", tied=True)}}
    step = next_step(WITH_FINAL, facts(OVER, standings=level), NOW)
    assert isinstance(step.action, DrawLot)
    assert (step.action.stage, step.action.group, step.action.tie.teams) == (CHAMPIONSHIP, "A", set("abcd"))
    assert step.state == SeasonState(Blocker.GAMES, FINAL, 1)


def test_a_lot_by_hand_is_waited_for() -> None:
    by_hand = season(phase(CHAMPIONSHIP), phase(FINAL), lots_by_hand=True)
    step = next_step(by_hand, facts(OVER, standings={CHAMPIONSHIP: {"A": ranked(*"abcd", tied=True)}}), NOW)
    assert (step.state.blocker, step.state.stage, step.state.group, step.action) == (
        Blocker.LOT,
        CHAMPIONSHIP,
        "A",
        None,
    )
    assert step.state.text(by_hand).en.startswith("Championship: Level on places 1 to 4: a, b, c, d;")
    drawn = {CHAMPIONSHIP: {"A": ranked(*"abcd", tied=True, lots=[Lot(frozenset("abcd"), "hat")])}}
    assert isinstance(next_step(by_hand, facts(OVER, standings=drawn), NOW).action, DrawEncounters)


def test_the_last_day_is_closed_before_a_lot_is_waited_for() -> None:
    by_hand = season(phase(CHAMPIONSHIP), phase(FINAL), lots_by_hand=True)
    level = {CHAMPIONSHIP: {"A": ranked(*"abcd", tied=True)}}
    step = next_step(by_hand, facts(days(CHAMPIONSHIP, "xx="), standings=level), NOW)
    assert (step.state.blocker, step.action) == (Blocker.LOT, CloseDay(3))


def test_no_lot_is_drawn_where_no_place_decides() -> None:
    # Places 3 and 4 are level, but only two play the final.
    totals = {"a": Totals(won=3), "b": Totals(won=2), "c": Totals(), "d": Totals()}
    found = facts(OVER, standings={CHAMPIONSHIP: {"A": rank(totals, Ranking.BY_VICTORY_POINTS)}})
    assert isinstance(next_step(WITH_FINAL, found, NOW).action, DrawEncounters)
    # And after the last phase no place decides anything.
    assert next_step(PLAIN, facts(OVER), NOW).state.blocker is Blocker.NOTHING


# --- drawing ----------------------------------------------------------------------------------------------------------


def drawn(step_season: Season, found: Facts) -> dict[str, tuple[str, str]]:
    action = next_step(step_season, found, NOW).action
    assert isinstance(action, DrawEncounters)
    return {encounter.key: encounter.teams for encounter in action.encounters}


def test_the_league_is_drawn_from_the_best_of_each_group() -> None:
    league = phase(LEAGUE)
    with_league = season(phase(CHAMPIONSHIP), league, groups=("abc", "def"))
    standings = {CHAMPIONSHIP: {"B": ranked(*"fed"), "A": ranked(*"bca")}}
    found = drawn(with_league, facts(OVER, standings=standings))
    expected = group_encounters(with_league, league, {"": ["b", "c", "f", "e"]})
    assert found == {encounter.key: encounter.teams for encounter in expected}
    assert len(found) == 6


def final_of(size: int) -> tuple[Season, Callable[..., Facts]]:
    """A season whose knock-out has so many teams, and its facts, given the days and winners of the knock-out."""
    teams = "abcdefgh"[:size]
    played = season(phase(CHAMPIONSHIP, qualify=size), phase(FINAL), groups=(teams,))
    before = days(CHAMPIONSHIP, "x" * (size - 1))

    def found(marks: str = "", winners: Mapping[tuple[int, int], str] | None = None) -> Facts:
        standings = {CHAMPIONSHIP: {"A": ranked(*teams)}}
        return facts(before, days(FINAL, marks, start=20), standings=standings, winners=winners)

    return played, found


def test_the_rounds_of_a_final_eight_are_drawn_one_by_one() -> None:
    played, found = final_of(8)
    assert drawn(played, found()) == {"F1-1": ("a", "h"), "F1-2": ("d", "e"), "F1-3": ("b", "g"), "F1-4": ("c", "f")}
    quarter = {(1, 1): "a", (1, 2): "e", (1, 3): "g", (1, 4): "c"}
    assert next_step(played, found("="), NOW).action == CloseDay(21)
    assert drawn(played, found("x", quarter)) == {"F2-1": ("a", "e"), "F2-2": ("c", "g")}
    semi = quarter | {(2, 1): "e", (2, 2): "g"}
    assert drawn(played, found("xx", semi)) == {"F3-1": ("a", "c"), "F3-2": ("e", "g")}
    state = next_step(played, found("xx", semi), NOW).state
    assert state == SeasonState(Blocker.GAMES, FINAL, 3)
    over = semi | {(3, 1): "a", (3, 2): "e"}
    assert next_step(played, found("xxx", over), NOW).state.blocker is Blocker.NOTHING


@pytest.mark.parametrize(("size", "rounds"), [(2, 1), (4, 2), (8, 3)])
def test_a_knock_out_has_as_many_days_as_rounds(size: int, rounds: int) -> None:
    played, _ = final_of(size)
    final = played.phase(FINAL)
    assert final is not None
    assert played.matchdays(final) == rounds


# --- programs ---------------------------------------------------------------------------------------------------------


def test_programs_can_be_activated_for_the_first_day_that_is_not_opened() -> None:
    assert activation_day(PLAIN, days(CHAMPIONSHIP, "x1."), NOW) == (CHAMPIONSHIP, 3)
    dated = days(CHAMPIONSHIP, "...", dates=[YESTERDAY, TOMORROW, TOMORROW])
    assert activation_day(PLAIN, dated, NOW) == (CHAMPIONSHIP, 2)


def test_programs_can_be_activated_for_days_that_are_not_drawn_yet() -> None:
    assert activation_day(WITH_FINAL, OVER, NOW) == (FINAL, 1)
    dated = season(phase(CHAMPIONSHIP, qualify=4), phase(FINAL, dates=(YESTERDAY, TOMORROW)))
    assert activation_day(dated, OVER, NOW) == (FINAL, 2)


def test_after_the_deadline_of_a_phase_programs_are_for_the_next_one() -> None:
    closed = season(phase(CHAMPIONSHIP, deadline=YESTERDAY), phase(FINAL))
    assert activation_day(closed, days(CHAMPIONSHIP, "..."), NOW) == (FINAL, 1)


def test_no_program_can_be_activated_after_the_last_day_has_begun() -> None:
    with pytest.raises(ContestError, match="the last matchday has begun"):
        activation_day(PLAIN, days(CHAMPIONSHIP, "xx1"), NOW)
    closed = season(phase(CHAMPIONSHIP, deadline=YESTERDAY))
    with pytest.raises(ContestError, match="the deadline was") as refused:
        activation_day(closed, days(CHAMPIONSHIP, "..."), NOW)
    assert refused.value.text.de.startswith("Der Abgabeschluss war am ")


def test_what_depends_on_a_game_that_awaits_a_ruling_is_not_drawn() -> None:
    phases = season(phase(CHAMPIONSHIP), phase(FINAL))
    played = days(CHAMPIONSHIP, "xxx")
    facts = Facts(played, lambda stage: {"A": ranked(*"abcd")}, pending={CHAMPIONSHIP: ("M1-A1-1-3",)})
    step = next_step(phases, facts, NOW)
    assert step.action is None
    assert step.state == SeasonState(Blocker.RULING, CHAMPIONSHIP, games=("M1-A1-1-3",))
    assert isinstance(next_step(phases, Facts(played, facts.standings), NOW).action, DrawEncounters)
