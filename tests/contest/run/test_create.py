"""Founding a season, finding it again, and a season file that has changed meanwhile."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select

from spielleiter.contest.run.contest import Contest
from spielleiter.contest.run.progress import advance, open_day
from spielleiter.contest.store import (
    ActivationRow,
    AuditRow,
    EncounterRow,
    MatchdayRow,
    ProgramRow,
    SeasonRow,
    Store,
    TeamRow,
)
from spielleiter.errors import ContestError, SettingsError, StoreError
from tests.contest.store.test_database import contents
from tests.support.contest_seasons import FINAL, LEAGUE, opened, play, season_text

FOUR = ("Ada", "Bob", "Cem", "Dora")


def pairs(contest: Contest) -> list[tuple[str, str, str]]:
    with contest.store.reading() as session:
        rows = session.scalars(select(EncounterRow).order_by(EncounterRow.key)).all()
        return [(row.key, row.first.name, row.second.name) for row in rows]


# --- founding ---------------------------------------------------------------------------------------------------------


def test_a_founded_season_has_its_teams_players_days_and_encounters(tmp_path: Path, url: str) -> None:
    text = season_text({"A": "abcde", "B": "fgh"}, rest="[trial]\nmatchdays = 2\n" + LEAGUE + FINAL)
    with opened(tmp_path, url, text) as contest, contest.store.reading() as session:
        assert session.scalars(select(TeamRow.name).order_by(TeamRow.id)).all() == list("abcdefgh")
        assert session.scalar(select(func.count()).select_from(ProgramRow).where(ProgramRow.passed)) == 8
        assert session.scalar(select(func.count()).select_from(ActivationRow)) == 8
        # Five teams need five days, three need three; there are two trial days; league and final are not drawn yet.
        days = session.execute(select(MatchdayRow.stage, func.count()).group_by(MatchdayRow.stage)).all()
        assert dict(days) == {"trial": 2, "championship": 5}
        # 5 * 4 / 2 = 10 and 3 * 2 / 2 = 3 encounters; two days of (5 - 1) / 2 = 2 and of (3 - 1) / 2 = 1.
        found = session.execute(
            select(EncounterRow.stage, EncounterRow.group, func.count()).group_by(
                EncounterRow.stage, EncounterRow.group
            )
        )
        assert {(stage, group): number for stage, group, number in found} == {
            ("championship", "A"): 10,
            ("championship", "B"): 3,
            ("trial", "A"): 4,
            ("trial", "B"): 2,
        }
        row = session.get_one(SeasonRow, 1)
        assert (row.name, row.game, row.file) == ("Probe", "piranhas-2026", text)


def test_the_schedule_follows_from_the_seed_and_not_from_the_order_of_the_file(tmp_path: Path) -> None:
    text = season_text({"A": FOUR})
    found = []
    for number, version in enumerate((text, season_text({"A": FOUR[::-1]}), text.replace("seed = 7", "seed = 8")), 1):
        folder = tmp_path / str(number)
        folder.mkdir()
        with opened(folder, str(folder / "s.db"), version) as contest:
            found.append(pairs(contest))
    assert found[0] == found[1]
    assert found[0] != found[2]


def test_the_store_lies_beside_the_file_unless_another_is_named(tmp_path: Path) -> None:
    path = tmp_path / "cup.toml"
    path.write_text(season_text("AB"), encoding="utf-8")
    with Contest.open(path) as contest:
        assert contest.store.path == tmp_path / "cup.db"
    with Contest.open(path, str(tmp_path / "said.db")) as contest:
        assert contest.store.path == tmp_path / "said.db"


def test_a_player_that_does_not_exist_is_refused_and_nothing_is_founded(tmp_path: Path, url: str) -> None:
    with pytest.raises(SettingsError, match="the player of 'A': "):
        opened(tmp_path, url, season_text("AB", player=lambda number: "random:speed=9"))
    with pytest.raises(SettingsError, match="the player of 'A' has more than 200 characters"):
        opened(tmp_path, url, season_text("AB", player=lambda number: f"random:seed={'1' * 300}"))
    with pytest.raises(ContestError, match="there is no season in this store yet"):
        Contest.open_store(url)


def test_a_bad_file_does_not_make_a_store(tmp_path: Path) -> None:
    with pytest.raises(SettingsError):
        opened(tmp_path, str(tmp_path / "season.db"), season_text("A"))
    assert not (tmp_path / "season.db").exists()


def test_who_founds_late_still_has_the_players_of_the_file(tmp_path: Path, url: str) -> None:
    # The first day was yesterday, and nobody had run the season yet.
    yesterday = datetime.now(UTC) - timedelta(days=1)
    dates = ", ".join((yesterday + timedelta(minutes=day)).isoformat(timespec="seconds") for day in range(3))
    text = season_text(FOUR, championship=f"dates = [{dates}]\ndeadline = {yesterday.date()}")
    with opened(tmp_path, url, text) as contest, contest.store.transaction() as session:
        advance(session, contest.season)
        first = session.scalars(select(EncounterRow).join(MatchdayRow).where(MatchdayRow.number == 1)).first()
        assert first is not None
        assert first.first_program_id is not None
        assert first.second_program_id is not None


# --- opening again ----------------------------------------------------------------------------------------------------


def test_the_player_of_a_team_without_a_program_may_be_corrected(tmp_path: Path, url: str) -> None:
    text = season_text("AB", player=lambda number: "nowhere.zip" if number == 1 else "random").replace(
        "in_process = true", ""
    )
    opened(tmp_path, url, text).close()
    with opened(tmp_path, url, text.replace("nowhere.zip", "bots/a.zip")) as contest:
        assert contest.season.team("A").player == "bots/a.zip"
    with opened(tmp_path, url, text.replace("nowhere.zip", "greedy")) as contest, contest.store.reading() as session:
        (program,) = session.scalars(select(ProgramRow).join(ProgramRow.team).where(TeamRow.name == "A"))
        assert (program.name, program.passed) == ("greedy", True)
    # Now it plays, and others are submitted.
    with pytest.raises(ContestError, match=r"the player of 'A' was 'greedy' and is now 'bots/a.zip'"):
        opened(tmp_path, url, text.replace("nowhere.zip", "bots/a.zip"))


def test_opening_again_changes_nothing(tmp_path: Path, url: str) -> None:
    with opened(tmp_path, url, season_text(FOUR)) as contest:
        before = contents(contest.store)
    with opened(tmp_path, url, season_text(FOUR)) as contest:
        assert contents(contest.store) == before


def test_another_season_does_not_fit_into_the_store(tmp_path: Path, url: str) -> None:
    opened(tmp_path, url, season_text(FOUR)).close()
    with pytest.raises(
        ContestError, match="the season has begun, and name was 'Probe' and is now 'Cup': take that back"
    ):
        opened(tmp_path, url, season_text(FOUR).replace("Probe", "Cup"))


CHANGES: list[tuple[str, Any, str]] = [
    ("seed", lambda text: text.replace("seed = 7", "seed = 8"), "seed was 7 and is now 8"),
    ("more games", lambda text: text.replace("games = 2", "games = 4", 1), "games was 2 and is now 4"),
    ("one team less", lambda text: text.rpartition("[[teams]]")[0], "the team 'Dora' is missing"),
    ("another player", lambda text: text.replace("seed=2", "seed=9"), "the player of 'Bob' was 'random:seed=2'"),
    ("qualify", lambda text: text.replace("qualify = 2", "qualify = 4"), "qualify was 2 and is now 4"),
]


@pytest.mark.parametrize(("change", "message"), [case[1:] for case in CHANGES], ids=[case[0] for case in CHANGES])
def test_a_changed_file_in_mid_season_is_refused_and_nothing_changed(tmp_path: Path, change: Any, message: str) -> None:
    url = str(tmp_path / "season.db")
    text = season_text({"A": FOUR}, championship="qualify = 2", rest=FINAL)
    with opened(tmp_path, url, text) as contest:
        before = contents(contest.store)
    with pytest.raises(ContestError, match="the season has begun, and ") as found:
        opened(tmp_path, url, change(text))
    assert message in str(found.value)
    assert "\n" not in str(found.value)
    with Store.open(url) as store:
        assert contents(store) == before
    opened(tmp_path, url, text).close()


def test_several_changes_are_counted(tmp_path: Path) -> None:
    url = str(tmp_path / "season.db")
    opened(tmp_path, url, season_text(FOUR)).close()
    with pytest.raises(ContestError, match=r"is now 8 \(and 1 more\)"):
        opened(tmp_path, url, season_text(FOUR).replace("seed = 7", "seed = 8").replace("qualify = 4", "qualify = 3"))


def dated(*days: datetime) -> str:
    return f"dates = [{', '.join(day.isoformat(timespec='seconds') for day in days)}]"


def test_dates_of_days_not_yet_opened_may_change(tmp_path: Path, url: str) -> None:
    began = datetime(2026, 1, 1, 18, tzinfo=UTC)
    before = [began + timedelta(weeks=week) for week in range(3)]
    after = [began + timedelta(days=1), *(day + timedelta(days=400) for day in before[1:])]
    with (
        opened(tmp_path, url, season_text(FOUR, championship=dated(*before))) as contest,
        contest.store.transaction() as session,
    ):
        open_day(session, contest.season, session.scalars(select(MatchdayRow).where(MatchdayRow.number == 1)).one())
    changed = season_text(FOUR, championship=dated(*after)).replace(
        'player = "random:seed=1"', 'school = "FHS"\nplayer = "random:seed=1"'
    )
    with opened(tmp_path, url, changed) as contest, contest.store.reading() as session:
        days = session.scalars(select(MatchdayRow.date).order_by(MatchdayRow.number)).all()
        assert days == [before[0], *after[1:]]
        assert session.scalars(select(TeamRow.school).where(TeamRow.name == "Ada")).one() == "FHS"
        assert session.get_one(SeasonRow, 1).file == changed
        (entry,) = session.scalars(select(AuditRow))
        assert (entry.action, entry.subject) == ("season file", "season.toml")
    # Without dates the days open when their time comes.
    with opened(tmp_path, url, season_text(FOUR, championship="")) as contest, contest.store.reading() as session:
        assert session.scalars(select(MatchdayRow.date).order_by(MatchdayRow.number)).all() == [before[0], None, None]


def test_a_season_that_was_played_may_be_opened_with_other_dates_but_stays_as_it_is(tmp_path: Path) -> None:
    url = str(tmp_path / "season.db")
    with opened(tmp_path, url, season_text("AB")) as contest:
        play(contest)
        games = contents(contest.store)["games"]
    text = season_text("AB", championship=dated(datetime(2030, 1, 1, tzinfo=UTC)) + "\nqualify = 4")
    with opened(tmp_path, url, text) as contest:
        assert contents(contest.store)["games"] == games
        state = play(contest)
        assert state is not None
        assert state.blocker.name == "NOTHING"


def test_a_long_name_of_the_file_fits_into_the_audit_log(tmp_path: Path, url: str) -> None:
    path = tmp_path / ("s" * 240 + ".toml")
    for text in (season_text("AB"), season_text("AB") + "\n# a remark\n"):
        path.write_text(text, encoding="utf-8")
        Contest.open(path, url).close()


def test_a_store_that_cannot_be_opened_is_reported(tmp_path: Path) -> None:
    with pytest.raises(StoreError):
        opened(tmp_path, str(tmp_path / "no" / "season.db"), season_text("AB"))
