"""One game with real processes: whatever a player does is a result, and nothing of it is left."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from spielleiter.errors import RecordError
from spielleiter.game import Limits, Team
from spielleiter.game.note import MAX_NOTES
from spielleiter.matches import arena as arena_module
from spielleiter.matches.arena import Arena, ArenaSettings
from spielleiter.matches.results import MatchGame
from spielleiter.matches.tasks import FinishedGame, GameTask
from spielleiter.programs.entrants import Entrant, resolve
from spielleiter.programs.sandbox import Level, ProgramFiles, ResourceLimits, has_cgroups
from spielleiter.programs.sandbox.promises import Attack
from spielleiter.programs.seat import REMOTE
from spielleiter.programs.side_result import Fault
from spielleiter.records.load import open_any
from spielleiter.records.verify import verify_record
from spielleiter.values import parse_json
from tests.support.hostile import against, works
from tests.support.machine import Machine
from tests.support.players import entrants, program, task
from tests.support.raw import Raw
from tests.support.waiting import until

pytestmark = [
    pytest.mark.skipif(sys.platform == "win32", reason="processes are ended in another way there"),
    pytest.mark.sandbox,
]
levels = pytest.mark.parametrize("level", tuple(Level), ids=lambda level: level.value)
QUICK = Limits(0.3, 0.6)


def play(game: GameTask, level: Level = Level.NONE, **settings: Any) -> FinishedGame:
    works(level)

    async def run() -> FinishedGame:
        resource_limits = ResourceLimits(memory=200_000_000)
        async with Arena(ArenaSettings(level=level, resource_limits=resource_limits, **settings)) as arena:
            return await arena.play(game)

    return asyncio.run(run())


def play_odd(folder: Path, level: Level = Level.NONE, *, limits: Limits | None = None, **odd: Any) -> MatchGame:
    """A game in which TWO does something odd."""
    one, two = entrants(program(folder, "good"), program(folder, "odd", **odd))
    return play(task(one, two, limits=limits), level, join_timeout=1.5, exit_timeout=0.3).row


@levels
def test_a_game_is_played_to_its_end(level: Level, tmp_path: Path) -> None:
    played = play(task(*entrants(program(tmp_path, "ada"), program(tmp_path, "bob"))), level)
    row = played.row
    assert row.counts
    assert row.names == ("ada", "bob")
    assert row.plies == 2
    assert [side.fault for side in row.sides] == [None, None]
    assert [side.exit_code for side in row.sides] == [0, 0]
    isolation = level.isolation(counted=has_cgroups())
    assert [side.sandbox for side in row.sides] == [isolation] * 2
    assert [len(side.move_times) for side in row.sides] == [1, 1]
    assert parse_json(json.dumps(row.to_json()).encode(), "row", RecordError).read(MatchGame) == row
    path = tmp_path / "record.jsonl"
    path.write_bytes(played.record)
    record = open_any(path)
    assert verify_record(record).findings == ()
    assert record.names == ("ada", "bob")
    assert record.isolation == (isolation, isolation)


_NOTING = """
print("thinking", turn, flush=True)
print('@note {"values":{"B4":0.83},"chance":0.6}', file=sys.stderr)
print("warning", turn, file=sys.stderr)
print("@note {wrong", file=sys.stderr, flush=True)
"""


@pytest.mark.parametrize("level", [Level.BUBBLEWRAP, Level.NONE], ids=lambda level: level.value)
def test_what_a_program_notes_and_prints_stands_beside_its_move(level: Level, tmp_path: Path) -> None:
    flood = 'print("@note x\\n" * 3000, file=sys.stderr, flush=True)'
    one, two = program(tmp_path, "ada", asked=_NOTING), program(tmp_path, "bob", asked=flood)
    lines: list[str] = []
    works(level)

    async def run() -> FinishedGame:
        async with Arena(ArenaSettings(level=level)) as arena:
            return await arena.play(task(*entrants(one, two)), on_line=lines.append)

    played = asyncio.run(run())
    assert [side.fault for side in played.row.sides] == [None, None]
    (tmp_path / "record.jsonl").write_bytes(played.record)
    record = open_any(tmp_path / "record.jsonl")
    turn = record.moves[0].turn
    ada, bob = record.notes_at(0), record.notes_at(1)
    assert ada is not None
    assert [note.data for note in ada.notes] == [{"values": {"B4": 0.83}, "chance": 0.6}]
    assert ada.output == f"thinking {turn}\nwarning {turn}"
    assert ada.problem is not None
    assert bob is not None
    assert len(bob.notes) == MAX_NOTES
    assert bob.problem is not None
    assert bob.problem.en == f"{3000 - MAX_NOTES} notes left out: at most 32 / 8 KiB a move"
    assert [json.loads(line)["event"] for line in lines] == ["start", "move", "notes", "move", "notes", "end"]
    assert b"@note" not in b"".join(played.logs)


def test_where_nobody_wants_notes_programs_are_told_and_nothing_is_recorded(tmp_path: Path) -> None:
    noting = 'print("@note", os.environ.get("SPIELLEITER_NOTES"), file=sys.stderr, flush=True)'
    one, two = (
        program(tmp_path, "ada", asked=noting + '\nprint(os.environ["SPIELLEITER_NOTES"])'),
        program(tmp_path, "bob"),
    )
    played = play(replace(task(*entrants(one, two)), takes_notes=False))
    assert played.logs[0].startswith(b"off")
    assert b'"notes"' not in played.record


def test_what_a_program_notes_before_its_fault_is_kept(tmp_path: Path) -> None:
    failing = 'print("@note about to fail", file=sys.stderr, flush=True)\nraise RuntimeError("boom")'
    one, two = program(tmp_path, "ada", asked=failing), program(tmp_path, "bob")
    played = play(task(*entrants(one, two)))
    assert played.row.sides[0].fault is Fault.CRASH
    (tmp_path / "record.jsonl").write_bytes(played.record)
    noted = open_any(tmp_path / "record.jsonl").notes_at(0, Team.ONE)
    assert noted is not None
    assert [note.text for note in noted.notes] == ["about to fail"]


def test_moves_from_an_own_network_have_the_kernels_stamp(tmp_path: Path) -> None:
    played = play(task(*entrants(program(tmp_path, "ada"), program(tmp_path, "bob"))), Level.BUBBLEWRAP)
    (tmp_path / "record.jsonl").write_bytes(played.record)
    assert all(move.timing and move.timing.received is not None for move in open_any(tmp_path / "record.jsonl").moves)


@pytest.mark.parametrize(
    ("odd", "fault"),
    [
        ({"asked": "raise RuntimeError('boom')"}, Fault.CRASH),
        ({"asked": "os.kill(os.getpid(), 11)"}, Fault.CRASH),
        ({"asked": "sys.exit(0)"}, Fault.LEFT),
        ({"asked": "move = move.replace('direction', 'guess')"}, Fault.ILLEGAL),
        ({"asked": 'move = \'<data class="move"><from x="0" y="0"/><direction>UP</direction></data>\''}, Fault.ILLEGAL),
        ({"asked": "time.sleep(0.45)"}, Fault.LATE),
        ({"asked": "time.sleep(60)"}, Fault.SILENT),
        ({"before": "raise RuntimeError('boom')"}, Fault.NO_START),
        ({"before": "time.sleep(60)"}, Fault.NO_START),
    ],
    ids=lambda value: value.value if isinstance(value, Fault) else next(iter(value.values()))[:30],
)
def test_what_goes_wrong_is_a_result_with_its_cause(odd: dict[str, Any], fault: Fault, tmp_path: Path) -> None:
    row = play_odd(tmp_path, limits=QUICK, **odd)
    assert row.counts
    assert row.winner is Team.ONE
    assert [side.fault for side in row.sides] == [None, fault]
    assert row.sides[0].points[0] == 2
    assert set(row.sides[1].points) == {0}
    assert row.reason.de
    assert row.reason.en
    assert row.final.startswith("piranhas-2026 ")
    if "boom" in str(odd):
        assert "RuntimeError: boom" in row.sides[1].last_words
    if "boom" in str(odd) and fault is Fault.NO_START:
        assert row.reason.de.endswith(": endete sofort (Exit-Code 1)")
    if fault is Fault.CRASH:
        assert row.sides[1].exit_code


@pytest.mark.parametrize("level", [Level.BUBBLEWRAP, Level.NONE], ids=lambda level: level.value)
def test_a_program_that_cannot_be_unpacked_loses_its_game_and_ends_no_match(level: Level, tmp_path: Path) -> None:
    one, two = entrants(program(tmp_path, "good"), program(tmp_path, "odd"))
    two = replace(two, files=ProgramFiles(b"644 1 %s\nx" % (b"x" * 300)))
    row = play(task(one, two), level, join_timeout=10, exit_timeout=0.3).row
    assert row.winner is Team.ONE
    assert [side.fault for side in row.sides] == [None, Fault.NO_START]
    assert "cannot be unpacked: File name too long" in row.sides[1].last_words


def test_who_leaves_before_the_game_begins_did_not_start(tmp_path: Path) -> None:
    late, odd = program(tmp_path, "late", before="time.sleep(1)"), program(tmp_path, "odd", joined="sys.exit(3)")
    row = play(task(*entrants(late, odd))).row
    assert [side.fault for side in row.sides] == [None, Fault.NO_START]
    assert row.winner is Team.ONE
    assert row.plies == 0


THIEF = """
import glob
own = sys.argv[sys.argv.index("--reservation") + 1]
deadline, stolen = time.monotonic() + 5, set()
while not stolen and time.monotonic() < deadline:
    for path in glob.glob("/proc/[0-9]*/cmdline"):
        try:
            words = open(path).read().split("\\0")
        except OSError:
            continue
        if "--reservation" in words and any("victim" in word for word in words):
            stolen.add(words[words.index("--reservation") + 1])
for code in stolen - {own}:
    thief = socket.create_connection((sys.argv[2], int(sys.argv[4])))
    thief.sendall(('<protocol><joinPrepared reservationCode="%s"/>' % code).encode())
    print("answer:", thief.recv(1000).decode(errors="replace")[:300], flush=True)
"""


@against(Attack.TAKE_SEAT, also=[Level.NONE])
def test_a_reservation_that_was_read_elsewhere_opens_no_seat(level: Level, tmp_path: Path) -> None:
    search = THIEF if level is Level.NONE else THIEF.replace("+ 5", "+ 1")  # In a sandbox there is nothing to find.
    victim, thief = program(tmp_path, "victim", before="time.sleep(1)"), program(tmp_path, "thief", before=search)
    played = play(task(*entrants(victim, thief)), level)
    assert b"joined" not in played.logs[1]
    if level is Level.NONE:
        assert b"belongs to another program" in played.logs[1]
    assert [side.fault for side in played.row.sides] == [None, None]
    assert played.row.plies == 2


PONDER = """
import threading
def think():
    while True:
        sum(range(1000))
threading.Thread(target=think, daemon=True).start()
"""


@pytest.mark.parametrize("ponder", [True, False], ids=["ponder", "no-ponder"])
def test_processor_time_in_that_of_the_opponent_is_reported_and_can_be_forbidden(ponder: bool, tmp_path: Path) -> None:
    slow = program(tmp_path, "slow", asked="time.sleep(2)")
    thinker = program(tmp_path, "thinker", joined=PONDER)
    game = task(*entrants(slow, thinker), limits=Limits(8.0, 10.0))
    row = play(replace(game, ponder=ponder), Level.BUBBLEWRAP).row
    assert [side.fault for side in row.sides] == [None, None]
    idle, busy = row.sides
    assert idle.ponder_time < 0.15
    assert busy.ponder_time > 0.15 if ponder else busy.ponder_time < 0.15
    assert busy.ponder_time <= busy.processor_time


def test_too_much_memory_is_reported_as_such(tmp_path: Path) -> None:
    row = play_odd(tmp_path, Level.BUBBLEWRAP, asked="hog = [bytearray(b'x' * 50_000_000) for _ in range(40)]")
    assert row.sides[1].fault is Fault.MEMORY
    assert "memory" in row.reason.en
    assert row.winner is Team.ONE


def test_a_program_that_does_not_end_is_killed_and_reported(tmp_path: Path) -> None:
    row = play_odd(tmp_path, after="time.sleep(60)")
    assert row.winner is not None or row.counts
    assert [side.fault for side in row.sides] == [None, None]
    assert [side.lingered for side in row.sides] == [False, True]


def test_two_programs_that_do_not_start_make_a_game_that_does_not_count(tmp_path: Path) -> None:
    bad: dict[str, Any] = {"before": "sys.exit('cannot')"}
    row = play(task(*entrants(program(tmp_path, "a", **bad), program(tmp_path, "b", **bad))), join_timeout=3).row
    assert not row.counts
    assert [side.fault for side in row.sides] == [Fault.NO_START] * 2
    assert row.sides[0].last_words.strip() == "cannot"


def manual(name: str) -> Entrant:
    return replace(resolve(f"manual:{name}"), reservation=f"code-of-{name}")


def test_a_manual_player_plays_one_game_after_the_other(tmp_path: Path) -> None:
    own = program(tmp_path, "own")
    ada = manual("Ada")

    def come(arena: Arena) -> subprocess.Popen[bytes]:
        host, port = arena.address
        words = ["--host", host, "--port", str(port), "--reservation", ada.reservation]
        return subprocess.Popen([sys.executable, str(own), *words])

    async def run() -> list[MatchGame]:
        async with Arena(ArenaSettings(level=Level.NONE)) as arena:
            arena.invite(ada)
            [other] = entrants(program(tmp_path, "other"))
            rows = []
            for sides in ((ada, other), (other, ada)):
                process = come(arena)
                rows.append((await arena.play(task(*sides))).row)
                assert await asyncio.to_thread(process.wait, 20) == 0
            return rows

    first, second = asyncio.run(run())
    assert (first.names, second.names) == (("Ada", "other"), ("other", "Ada"))
    assert (first.plies, second.plies) == (2, 2)
    assert (first.sides[0].sandbox, first.sides[1].sandbox) == (REMOTE, "none")


def test_who_joins_manually_and_does_not_come_loses_and_is_waited_for_shortly_the_next_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(arena_module, "_RETURN_SECONDS", 0.2)

    async def run() -> list[MatchGame]:
        async with Arena(ArenaSettings(level=Level.NONE, wait=1.0, join_timeout=600.0)) as arena:
            [other] = entrants(program(tmp_path, "other"))
            return [(await arena.play(task(manual("Ada"), other))).row for _ in range(2)]

    for row in (rows := asyncio.run(run())):
        assert row.winner is Team.TWO
        assert [side.fault for side in row.sides] == [Fault.ABSENT, None]
        assert row.reason.en == "Ada: did not come"
        assert row.counts
    assert 1.0 <= rows[0].seconds < 300.0, "the one who is there need not wait as long as a program may take to start"


def test_nobody_joins_an_arena_without_a_reservation() -> None:
    async def run() -> str:
        async with Arena(ArenaSettings(level=Level.NONE)) as arena:
            stranger = await Raw.connect(arena.address)
            await stranger.send("<join/>")
            message = (await stranger.wait_for("errorpacket")).attrib["message"]
            await stranger.close()
            return message

    assert "--reservation" in asyncio.run(run())


def test_output_is_kept_as_the_log(tmp_path: Path) -> None:
    loud = program(tmp_path, "loud", asked="print('thinking'); print('hard', file=sys.stderr)")
    played = play(task(*entrants(loud, program(tmp_path, "quiet"))))
    assert played.logs == (b"thinking\n\n--- stderr ---\nhard\n", b"")


def test_a_cancelled_game_leaves_no_process(tmp_path: Path) -> None:
    sleepy = program(tmp_path, "sleepy", asked="time.sleep(60)")
    game = task(*entrants(sleepy, program(tmp_path, "other")))

    async def run() -> None:
        async with Arena(ArenaSettings(level=Level.NONE)) as arena:
            running = asyncio.create_task(arena.play(game))
            await until(lambda: _processes(b"sleepy.py"))
            running.cancel()
            with pytest.raises(asyncio.CancelledError):
                await running

    asyncio.run(run())
    assert _processes(b"sleepy.py") == []


def _processes(word: bytes) -> list[str]:
    return [entry for entry in os.listdir("/proc") if entry.isdecimal() and word in _cmdline(entry)]


def _cmdline(pid: str) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def test_on_a_busy_machine_a_slow_start_is_waited_for_and_a_late_move_is_marked(
    machine: Machine, tmp_path: Path
) -> None:
    slow: dict[str, Any] = {"before": "time.sleep(1)", "asked": "time.sleep(0.6)"}
    one, two = entrants(program(tmp_path, "good"), program(tmp_path, "slow", **slow))
    game = task(one, two, limits=Limits(0.4, 5.0))
    idle = play(game, join_timeout=0.5).row
    assert idle.sides[1].fault is Fault.NO_START
    assert idle.untimely == (False, False)
    machine.be_busy(0.6)
    played = play(game, join_timeout=0.5)
    assert played.row.sides[1].fault is Fault.LATE
    assert played.row.untimely == (False, True)
    path = tmp_path / "record.jsonl"
    path.write_bytes(played.record)
    record = open_any(path)
    assert record.result is not None
    assert record.result.pressure == pytest.approx(0.6, abs=0.1)
    assert "the machine was busy (pressure 6" in record.result.describe().en
    assert verify_record(record).is_sound
