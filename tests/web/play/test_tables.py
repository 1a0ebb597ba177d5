"""Tables and their rooms: moves by hand, taking back, programs, and who is cleared away."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from spielleiter.errors import Refused

pytest.importorskip("starlette")

from spielleiter import games
from spielleiter.errors import ProgramError
from spielleiter.feeds import live as live_module
from spielleiter.feeds.live import LiveGames
from spielleiter.game import Cause, Team, Text
from spielleiter.programs.failure import explain_failure
from spielleiter.records.verify import verify_file
from spielleiter.server import GameMaster, MasterSettings
from spielleiter.web.play import tables as tables_module
from spielleiter.web.play.seating import Seating, SeatKind
from spielleiter.web.play.tables import Tables
from spielleiter.web.replays import exit_statuses
from spielleiter.web.replays.library import Library

ADA, GRACE = Seating(SeatKind.PERSON, "Ada"), Seating(SeatKind.PERSON, "Grace")
COMPUTER = Seating(SeatKind.BUILT_IN, "random", "random")
GAME = games.load("piranhas-2026")


def with_tables(test: Callable[[Tables, Path], Awaitable[None]], folder: Path) -> None:
    async def run() -> None:
        async with GameMaster(MasterSettings(port=0, records=folder)) as master:
            live = LiveGames(master)
            tables = Tables(live, Library(folder))
            try:
                await asyncio.wait_for(test(tables, folder), 30)
            finally:
                await tables.close_all()
                live.close()

    asyncio.run(run())


async def begun(tables: Tables, table: Any) -> None:
    while table.live is None:
        await table.channel.wait(table.channel.version)


async def plies(tables: Tables, table: Any, number: int) -> None:
    while len(table.plies) < number:
        await table.channel.wait(table.channel.version)


def first_move(state: Any) -> Any:
    return state.legal_moves()[0]


def test_at_the_table_of_a_pair_of_a_class_nobody_else_may_do_anything(tmp_path: Path) -> None:
    async def run(tables: Tables, folder: Path) -> None:
        pair = (Seating(SeatKind.FRIEND, "Ada"), Seating(SeatKind.FRIEND, "Grace"))
        # Ada's seat is free just now: her tablet has broken.
        table = await tables.open(GAME, pair, GAME.new_state(Random(1)), browsers=("", "browser of Grace"))
        assert [table.admits(browser) for browser in ("browser of Grace", "browser of Eve", "")] == [True, False, False]

    with_tables(run, tmp_path)


def test_moves_by_hand_go_through_the_game_master_and_into_a_sound_record(tmp_path: Path) -> None:
    async def test(tables: Tables, folder: Path) -> None:
        table = await tables.open(GAME, (ADA, GRACE), GAME.new_state(Random(1)))
        await begun(tables, table)
        for number in range(4):
            await tables.move(table, number, first_move)
        await tables.resign(table)
        live = table.live
        assert live is not None
        assert live.history.result is not None
        assert live.history.result.teams[Team.ONE].cause is Cause.LEFT
        assert live.history.result.winner is Team.TWO

    with_tables(test, tmp_path)
    [record] = tmp_path.iterdir()
    verification = verify_file(record)
    assert verification.is_sound
    assert verification.plies == 4


def test_a_move_for_another_position_an_illegal_one_and_one_out_of_turn_are_refused(tmp_path: Path) -> None:
    async def test(tables: Tables, _: Path) -> None:
        table = await tables.open(GAME, (COMPUTER, ADA), GAME.new_state(Random(1)))
        await plies(tables, table, 1)
        with pytest.raises(Refused, match="changed"):
            await tables.move(table, 0, first_move)
        with pytest.raises(Refused, match="off the board"):
            await tables.move(table, 1, lambda state: GAME.notation.parse_move(state, "B0 DOWN"))
        assert len(table.plies) == 1
        await tables.move(table, 1, first_move)

    with_tables(test, tmp_path)


@pytest.mark.parametrize("key", ["piranhas-2026", "ostseeschach-2022", "blokus-2027"])
@pytest.mark.parametrize("opponent", [COMPUTER, GRACE], ids=["computer", "person"])
def test_after_a_take_back_the_same_moves_can_be_played_again(tmp_path: Path, key: str, opponent: Seating) -> None:
    game = games.load(key)
    step = 2 if opponent is COMPUTER else 1  # Plies that a move by hand brings, and that taking it back removes.

    async def test(tables: Tables, _: Path) -> None:
        async def play_to(number: int) -> None:
            await begun(tables, table)
            while len(table.plies) < number:
                ply = len(table.plies)
                await tables.move(table, ply, first_move)
                await plies(tables, table, ply + step)

        start = game.new_state(Random(1))
        table = await tables.open(game, (ADA, opponent), start)
        await play_to(4)
        after_four = table.state
        await play_to(4 + step)
        await tables.take_back(table)
        await begun(tables, table)
        live = table.live
        assert live is not None
        assert live.history.state == table.state == after_four
        await play_to(4 + step)
        assert live.history.first_state == start, "its record has the whole game, with the times of all moves"
        assert all(ply.timing is not None for ply in live.history.plies)
        while table.plies:
            await tables.take_back(table)
        with pytest.raises(Refused, match="nothing to take back"):
            await tables.take_back(table)
        await play_to(2)
        assert live.successor is not None

    with_tables(test, tmp_path)
    assert all(verify_file(record).is_sound for record in tmp_path.iterdir())


def test_after_a_take_back_the_computer_that_takes_over_goes_on_from_there(tmp_path: Path) -> None:
    async def test(tables: Tables, _: Path) -> None:
        table = await tables.open(GAME, (ADA, Seating(SeatKind.FRIEND, "Grace")), GAME.new_state(Random(1)), "ada")
        await tables.take_seat(table, Team.TWO, "grace", "Grace")
        await begun(tables, table)
        for ply in range(3):
            await tables.move(table, ply, first_move, "grace" if ply % 2 else "ada")
        table.away = (Team.TWO,)
        await tables.play_on(table, Team.TWO, COMPUTER)
        await plies(tables, table, 4)
        await tables.take_back(table)
        await begun(tables, table)
        live = table.live
        assert live is not None
        assert live.history.state == table.plies[1].state
        await tables.move(table, 2, first_move, "ada")
        await plies(tables, table, 4)

    with_tables(test, tmp_path)


def test_changing_sides_keeps_the_start(tmp_path: Path) -> None:
    async def test(tables: Tables, _: Path) -> None:
        start = GAME.new_state(Random(1))
        table = await tables.open(GAME, (ADA, COMPUTER), start)
        await begun(tables, table)
        await tables.move(table, 0, first_move)
        await tables.again(table, swap=True)
        await plies(tables, table, 1)
        live = table.live
        assert live is not None
        assert live.history.names == ("random", "Ada")
        assert live.history.first_state == start
        assert table.person_teams() == (Team.TWO,)

    with_tables(test, tmp_path)


def test_two_computers_play_to_the_end(tmp_path: Path) -> None:
    async def test(tables: Tables, _: Path) -> None:
        table = await tables.open(GAME, (COMPUTER, COMPUTER), GAME.new_state(Random(1)))
        assert table.room is not None
        ended = await table.room.ended
        assert ended.result.regular

    with_tables(test, tmp_path)


PROGRAM = """
import sys
print("started with", *sys.argv[1:3])
print("and broken", file=sys.stderr)
sys.exit(7)
"""


def test_what_a_program_says_and_how_it_ends_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "player.py"
    path.write_text(PROGRAM)

    async def test(tables: Tables, _: Path) -> None:
        seats = (Seating(SeatKind.PROGRAM, "mine", str(path)), ADA)
        table = await tables.open(GAME, seats, GAME.new_state(Random(1)))
        assert table.room is not None
        seen = table.channel.version
        await table.channel.wait(seen)
        assert table.channel.version > seen  # So the page says so by itself.
        end = tables.exit_status(table.room.room_id, Team.ONE)
        assert end is not None
        assert (end.code, end.out, end.err) == (7, b"started with --host 127.0.0.1\n", b"and broken\n")
        assert table.programs[Team.ONE].failure == Text("and broken", "and broken")
        with pytest.raises(Refused, match="not begun"):
            await tables.move(table, 0, first_move)

    with_tables(test, tmp_path / "records")


def test_a_program_that_hangs_is_ended_with_its_table(tmp_path: Path) -> None:
    path = tmp_path / "player.py"
    path.write_text("import time\ntime.sleep(60)\n")

    async def test(tables: Tables, _: Path) -> None:
        seats = (Seating(SeatKind.PROGRAM, "mine", str(path)), ADA)
        table = await tables.open(GAME, seats, GAME.new_state(Random(1)))
        program = table.programs[Team.ONE]
        await program.stop(0.1)
        assert program.status is not None
        assert program.status.code is None
        assert program.failure is None

    with_tables(test, tmp_path / "records")


def test_a_program_that_is_not_there_opens_no_table(tmp_path: Path) -> None:
    async def test(tables: Tables, _: Path) -> None:
        seats = (ADA, Seating(SeatKind.PROGRAM, "mine", str(tmp_path / "missing.zip")))
        with pytest.raises(ProgramError, match="no player"):
            await tables.open(GAME, seats, GAME.new_state(Random(1)))

    with_tables(test, tmp_path / "records")


def test_a_table_without_viewers_is_closed_and_too_many_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tables_module, "_MAX_TABLES", 2)

    async def test(tables: Tables, _: Path) -> None:
        first = await tables.open(GAME, (ADA, GRACE), GAME.new_state(Random(1)))
        second = await tables.open(GAME, (ADA, GRACE), GAME.new_state(Random(1)))
        with pytest.raises(Refused, match="taken"):
            await tables.open(GAME, (ADA, GRACE), GAME.new_state(Random(1)))
        first.seen -= 10_000
        third = await tables.open(GAME, (ADA, GRACE), GAME.new_state(Random(1)))
        assert tables.get(first.key) is None
        assert tables.get(second.key) is second
        assert tables.get(third.key) is third

    with_tables(test, tmp_path)


CRASHES = """
import socket, sys
argument = dict(zip(sys.argv[1::2], sys.argv[2::2]))
place = socket.create_connection((argument["--host"], int(argument["--port"])))
place.sendall(f'<protocol><joinPrepared reservationCode="{argument["--reservation"]}"/>'.encode())
seen = b""
while b"memento" not in seen:  # It leaves a game that has begun.
    seen += place.recv(1000)
print("last words", "\\x1b[31m", file=sys.stderr)
sys.exit(3)
"""


def test_how_a_program_ended_stays_beside_the_record_of_its_game(tmp_path: Path) -> None:
    path, records = tmp_path / "player.py", tmp_path / "records"
    path.write_text(CRASHES)

    async def test(tables: Tables, _: Path) -> None:
        table = await tables.open(GAME, (Seating(SeatKind.PROGRAM, "mine", str(path)), ADA), GAME.new_state(Random(1)))
        assert table.room is not None
        ended = await table.room.ended
        assert ended.result.teams[Team.ONE].cause is Cause.LEFT

    with_tables(test, records)
    [record] = records.glob("*.jsonl")
    end = exit_statuses.read(record)[Team.ONE]
    assert end.code == 3
    assert end.err == b"last words \x1b[31m\n"
    assert explain_failure(end).en == "last words"


def test_a_second_click_does_not_lose_the_game(tmp_path: Path) -> None:
    async def test(tables: Tables, _: Path) -> None:
        table = await tables.open(GAME, (ADA, GRACE), GAME.new_state(Random(1)))
        await begun(tables, table)
        live = table.live
        assert live is not None
        clicks = [asyncio.create_task(tables.move(table, 0, first_move)) for _ in range(2)]
        one, two = await asyncio.gather(*clicks, return_exceptions=True)
        assert one is None
        assert isinstance(two, Refused)
        assert not live.is_over

    with_tables(test, tmp_path)


def test_a_finished_table_keeps_its_game_however_many_others_are_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_module, "_MAX_FINISHED", 1)

    async def test(tables: Tables, _: Path) -> None:
        opened = [await tables.open(GAME, (ADA, GRACE), GAME.new_state(Random(1))) for _ in range(3)]
        for table in opened:
            await begun(tables, table)
            await tables.move(table, 0, first_move)
            await tables.resign(table)
        last = await tables.open(GAME, (ADA, GRACE), GAME.new_state(Random(1)))
        await begun(tables, last)
        live = opened[0].live
        assert live is not None
        assert live.is_over
        assert len(opened[0].plies) == 1

    with_tables(test, tmp_path)


def test_a_computer_that_died_is_replaced_for_the_next_game(tmp_path: Path) -> None:
    async def test(tables: Tables, _: Path) -> None:
        table = await tables.open(GAME, (ADA, COMPUTER), GAME.new_state(Random(1)))
        await begun(tables, table)
        dead = table.computers[Team.TWO]
        process = dead._process
        assert process is not None
        process.kill()
        await process.wait()
        await tables.again(table)
        await begun(tables, table)
        assert table.computers[Team.TWO] is not dead
        await tables.move(table, 0, first_move)
        await plies(tables, table, 2)

    with_tables(test, tmp_path)


def test_waiting_for_a_table_that_was_closed_ends_with_a_message_and_opens_no_room(tmp_path: Path) -> None:
    async def test(tables: Tables, _: Path) -> None:
        table = await tables.open(GAME, (ADA, GRACE), GAME.new_state(Random(1)))
        await begun(tables, table)
        closing = asyncio.create_task(tables.close(table))
        await asyncio.sleep(0)
        with pytest.raises(Refused, match="any more"):
            await tables.again(table)
        await closing
        assert not tables._master.lobby.rooms

    with_tables(test, tmp_path)


def test_if_one_cannot_come_again_nobody_is_left_waiting(tmp_path: Path) -> None:
    path = tmp_path / "player.py"
    path.write_text("import time\ntime.sleep(60)\n")

    async def test(tables: Tables, _: Path) -> None:
        seats = (ADA, Seating(SeatKind.PROGRAM, "mine", str(path)))
        table = await tables.open(GAME, seats, GAME.new_state(Random(1)))
        await table.programs[Team.TWO].stop()
        path.unlink()
        with pytest.raises(ProgramError):
            await tables.again(table)
        assert not tables._master.lobby.rooms

    with_tables(test, tmp_path / "records")


def test_an_uploaded_program_goes_with_its_table(tmp_path: Path) -> None:
    folder = tmp_path / "upload"
    folder.mkdir()
    (folder / "player.py").write_text(PROGRAM)

    async def test(tables: Tables, _: Path) -> None:
        seats = (Seating(SeatKind.PROGRAM, "mine", str(folder / "player.py"), folder), ADA)
        table = await tables.open(GAME, seats, GAME.new_state(Random(1)))
        assert folder.exists()
        await tables.close(table)
        assert not folder.exists()

    with_tables(test, tmp_path / "records")
