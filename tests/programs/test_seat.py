"""A program in its seat: joined, watched, ended, and reported in one way."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from spielleiter import games
from spielleiter.game import Team
from spielleiter.programs.entrants import contest_arguments
from spielleiter.programs.launcher import Launcher
from spielleiter.programs.sandbox import Level, ResourceLimits
from spielleiter.programs.seat import DID_NOT_JOIN, ProgramGame, ProgramSeat
from spielleiter.programs.side_result import Fault, SideResult
from spielleiter.server import GameMaster, MasterSettings
from tests.support.players import GAME, entrants, program, short_start

pytestmark = [
    pytest.mark.skipif(sys.platform == "win32", reason="processes are ended in another way there"),
    pytest.mark.sandbox,
]


def play(
    path: Path,
    *,
    patience: float = 30.0,
    grace: float = 10.0,
    is_lost: Callable[[], bool] = lambda: False,
    ends: bool = True,
) -> SideResult:
    """What becomes of a program as ONE against somebody who plays by hand; the game may be left before its end."""
    game = games.load(GAME)
    [entrant] = entrants(path)

    async def run() -> SideResult:
        async with GameMaster(MasterSettings(port=0)) as master:
            launcher = Launcher(master, Level.NONE, ResourceLimits(output=100_000))
            seat = ProgramSeat(launcher, entrant, patience)

            def answer_soon(_: object) -> None:
                asyncio.get_running_loop().call_soon(answer)

            def answer() -> None:
                room = master.lobby.rooms.get(played.room.room_id)
                if room is not None and room.awaited is Team.TWO:
                    master.play(room.room_id, Team.TWO, room.state.legal_moves()[0])

            start = game.notation.parse_state(short_start()[0])
            played = ProgramGame(
                launcher,
                game,
                (seat, None),
                names=("own", "hand"),
                start=start,
                on_event=answer_soon,
            )
            async with played:
                await seat.launch(contest_arguments(played.room.codes[Team.ONE]), report_leftovers=True)
                begun = await played.start(is_lost)
                assert begun is (seat.joined_after is not None)
                ended = await played.room.ended if ends else None
                await played.end(grace)
            assert not master.lobby.rooms
            await seat.stop()
            return seat.report(None if ended is None else ended.result.teams[Team.ONE])

    return asyncio.run(run())


def test_a_program_that_plays_is_reported_with_all_that_is_known_of_it(tmp_path: Path) -> None:
    side = play(program(tmp_path, "good", asked="print('thinking')"))
    assert (side.name, side.fault, side.exit_code, side.lingered) == ("good", None, 0, False)
    assert side.joined
    assert side.joined_after is not None
    assert side.joined_after > 0
    assert side.ended_after is not None
    assert len(side.move_times) >= 1
    assert side.output == len(b"thinking\n")
    assert not side.failure.en, "nothing went wrong"


@pytest.mark.parametrize(
    ("odd", "fault", "failure"),
    [
        ({"before": "sys.exit('no book')"}, Fault.NO_START, "no book"),
        ({"before": "time.sleep(60)"}, Fault.NO_START, DID_NOT_JOIN.en),
        ({"before": "while True: print('x' * 1000)"}, Fault.OUTPUT, "printed more than allowed"),
        ({"asked": "raise RuntimeError('boom')"}, Fault.CRASH, "RuntimeError: boom"),
    ],
    ids=["exit", "sleep", "flood", "crash"],
)
def test_what_went_wrong_is_reported_with_whether_it_had_joined(
    odd: dict[str, Any], fault: Fault, failure: str, tmp_path: Path
) -> None:
    side = play(program(tmp_path, "odd", **odd), patience=1.0 if "sleep" in str(odd) else 30.0, grace=0.5)
    assert side.fault is fault
    assert side.joined is (fault is Fault.CRASH)
    assert side.was_stopped is (fault is Fault.OUTPUT)
    assert failure in side.failure.en


def test_a_program_that_had_to_be_ended_lingered_however_often_it_is_stopped(tmp_path: Path) -> None:
    side = play(program(tmp_path, "slow", after="time.sleep(60)"), grace=0.2)
    assert (side.fault, side.exit_code, side.lingered, side.ended_after) == (None, None, True, None)


def test_who_is_lost_is_not_waited_for(tmp_path: Path) -> None:
    side = play(program(tmp_path, "elsewhere", before="time.sleep(60)"), is_lost=lambda: True, grace=0.1)
    assert (side.fault, side.joined) == (Fault.NO_START, False)


def test_a_game_that_has_not_ended_is_nobodys_fault_but_says_what_the_program_said(tmp_path: Path) -> None:
    stuck = program(tmp_path, "stuck", asked="print('deep in thought', flush=True); time.sleep(60)")
    side = play(stuck, ends=False, grace=1.0)
    assert (side.fault, side.points) == (None, ())
    assert "deep in thought" in side.failure.en
