"""The first programs that the season file names: taken in, or the season does not begin."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from sqlalchemy import select

from spielleiter.contest.run.conductor import Conductor
from spielleiter.contest.run.contest import Contest
from spielleiter.contest.run.first_programs import leave_out, refusal, submit_first_programs, teams_to_equip
from spielleiter.contest.run.proof import prove
from spielleiter.contest.season.actions import AuditAction
from spielleiter.contest.season.encounter import Decision
from spielleiter.contest.season.model import Stage
from spielleiter.contest.season.next import Until
from spielleiter.contest.store import ActivationRow, AuditRow, GameRow, ProgramRow
from spielleiter.errors import ContestError
from spielleiter.game import Text
from spielleiter.matches.arena import ArenaSettings
from spielleiter.matches.executor import LocalExecutor
from spielleiter.programs.sandbox import choose
from tests.support.contest_small_season import found, season_text

PLAYER = """
from spielleiter.client import play
play(lambda state, seconds: state.legal_moves()[0])
"""
QUITTER = "raise SystemExit(3)\n"


def season(player: str) -> str:
    """A season in which the first team begins with this program."""
    return season_text(players={"Ada": player, "Döner": ""}, season="time = 1.5").replace("in_process = true", "")


def take_in(contest: Contest) -> list[Text]:
    said: list[Text] = []

    async def run() -> None:
        level = (await choose("auto")).level
        async with LocalExecutor(ArenaSettings(level=level), concurrency=1) as executor:
            if unplayable := await submit_first_programs(contest, executor, said.append):
                raise refusal(unplayable)

    asyncio.run(run())
    return said


def test_players_that_are_files_are_submitted_and_the_missing_ones_are_not(tmp_path: Path) -> None:
    with found(tmp_path, season("bots/ada.zip")) as contest:
        assert teams_to_equip(contest) == [("Ada", "bots/ada.zip")]


def test_a_program_that_plays_is_activated_once(tmp_path: Path) -> None:
    (tmp_path / "ada.py").write_text(PLAYER)
    with found(tmp_path, season("ada.py")) as contest:
        assert [text.en for text in take_in(contest)] == ["Ada: checking ada.py ..."]
        assert teams_to_equip(contest) == []
        assert take_in(contest) == []
        with contest.store.reading() as session:
            activated = session.scalars(select(ActivationRow).order_by(ActivationRow.id)).all()[-1]
            assert (activated.program.name, activated.who) == ("ada.py", "season.toml")


def test_a_program_that_is_not_there_stops_the_season(tmp_path: Path) -> None:
    with found(tmp_path, season("bots/ada.zip")) as contest:
        with pytest.raises(ContestError) as refused:
            take_in(contest)
        text = refused.value.text
        assert text.en.startswith("The program 'bots/ada.zip' of 'Ada' in the season file cannot play: ")
        assert text.de.startswith("Das Programm 'bots/ada.zip' von 'Ada' aus der Saisondatei kann nicht spielen: ")


def test_a_program_that_fails_its_check_stops_the_season_every_time(tmp_path: Path) -> None:
    (tmp_path / "ada.py").write_text(QUITTER)
    with found(tmp_path, season("ada.py")) as contest:
        for _ in range(2):
            with pytest.raises(ContestError, match=r"The program 'ada.py' of 'Ada' in the season file cannot play: "):
                take_in(contest)
        with contest.store.reading() as session:
            programs = session.scalars(select(ProgramRow).where(ProgramRow.name == "ada.py")).all()
            assert not any(program.passed for program in programs)
        (tmp_path / "ada.py").write_text(PLAYER)
        take_in(contest)
        assert teams_to_equip(contest) == []


def two_that_fail(tmp_path: Path) -> str:
    """A season in which two teams begin with programs that cannot play, each for its own reason."""
    (tmp_path / "ada.py").write_text("open('book.bin')\n")
    players = {"Ada": "ada.py", "Döner": "bots/none.zip"}
    return season_text(players=players, season="time = 1.5").replace("in_process = true", "")


def test_all_teams_whose_programs_do_not_play_are_named_with_their_errors(tmp_path: Path) -> None:
    with found(tmp_path, two_that_fail(tmp_path)) as contest:
        with pytest.raises(ContestError) as refused:
            take_in(contest)
        text = refused.value.text.en
        assert "FileNotFoundError: [Errno 2] No such file or directory: 'book.bin' (ada.py, line 1)" in text
        assert "The program 'bots/none.zip' of 'Döner'" in text
        assert text.endswith("or go on without the team.")
        with contest.store.reading() as session:
            assert session.scalars(select(GameRow)).all() == []


def test_a_team_that_is_left_out_loses_its_games_and_the_audit_log_says_who_decided(tmp_path: Path) -> None:
    with found(tmp_path, two_that_fail(tmp_path)) as contest:
        leave_out(contest, ["ada", "Döner"], who="Olga")
        leave_out(contest, ["Ada"], who="Otto")  # Idempotent.
        assert teams_to_equip(contest) == []
        assert take_in(contest) == []
        with contest.store.reading() as session:
            log = session.scalars(select(AuditRow).where(AuditRow.action == AuditAction.LEAVE_OUT)).all()
            assert [(row.who, row.subject) for row in log] == [("Olga", "Ada"), ("Olga", "Döner")]
        with Conductor(contest, until=Until(Stage.CHAMPIONSHIP, 1)) as conductor:
            while conductor.next_game() is not None:
                pass
        with contest.store.reading() as session:
            lost = session.scalars(select(GameRow).where(GameRow.decision == Decision.WALKOVER)).all()
            assert lost
            assert all("has no active program" in game.reason_en for game in lost)
        assert prove(contest).difference is None


def test_only_a_team_without_an_active_program_can_be_left_out(tmp_path: Path) -> None:
    with found(tmp_path, two_that_fail(tmp_path)) as contest:
        with pytest.raises(ContestError, match="there is no team 'Nobody': expected one of"):
            leave_out(contest, ["Ada", "Nobody"], who="Olga")
        assert teams_to_equip(contest)[0][0] == "Ada"  # All or nothing.
        playing = next(team.name for team in contest.season.teams if team.name not in ("Ada", "Döner"))
        with pytest.raises(ContestError, match="has an active program"):
            leave_out(contest, [playing], who="Olga")
