"""What contestants' programs do and expect, each as a tiny program: it plays, or ``check`` names the fix."""

from __future__ import annotations

import asyncio
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path

import pytest

from spielleiter import games
from spielleiter.contest.run.contest import Contest
from spielleiter.contest.run.programs import submit
from spielleiter.matches.arena import Arena, ArenaSettings
from spielleiter.matches.executor import LocalExecutor
from spielleiter.matches.results import MatchGame
from spielleiter.programs.check import CheckReport, CheckSettings, Mark, check_program
from spielleiter.programs.check.trial import Patience
from spielleiter.programs.entrants import Entrant, find_source, resolve
from spielleiter.programs.package import collect
from spielleiter.programs.sandbox import Level
from tests.support.contest_small_season import found, season_text
from tests.support.hostile import works
from tests.support.night import NIGHT
from tests.support.players import GAME, late_start, task

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="the sandbox is made of Linux"),
    pytest.mark.sandbox,
]
LEVEL = Level.BUBBLEWRAP

START = '#!/bin/sh\nexec python3 player.py "$@"\n'
PLAYER = """
import os, socket, sys
from pathlib import Path
{before}
from spielleiter.client import play
play(lambda state, seconds: state.legal_moves()[0], game="piranhas-2026")
"""

RAW_PLAYER = """
import argparse, socket, time
from spielleiter.client.session import ChooseMove, Finished, Session
from spielleiter.wire.messages import JoinPrepared

parser = argparse.ArgumentParser(add_help=False)
for letter, name in ("-h", "--host"), ("-p", "--port"), ("-r", "--reservation"):
    parser.add_argument(letter, name)
options = parser.parse_args()
sock = socket.create_connection((options.host, int(options.port)))
sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


def play():
    global last
    session = Session(JoinPrepared(options.reservation))
    opening = session.data_to_send()
    sock.sendall(opening[:10])
    time.sleep(0.1)
    sock.sendall(opening[10:])
    while True:
        session.receive_data(sock.recv(65536), time.monotonic())
        for action in session.actions():
            if isinstance(action, Finished):
                return
            if isinstance(action, ChooseMove):
                session.send_move(action.state.legal_moves()[0])
                last = session.data_to_send()
                sock.sendall(last)


def hear():
    while b"</protocol>" not in (data := sock.recv(65536)) and data and b"errorpacket" not in data:
        pass
    return data


{body}
"""
RAW_PROGRAMS = {
    "answers once more after left": "play(); sock.sendall(last); assert b'errorpacket' in hear(); sock.close()",
    "joins before the server has said a word, and closes without a last one": "play(); sock.close()",
}
"""What programs do with their connection, after the functions of ``RAW_PLAYER``."""

RESOLVE_IN_C = """
#include <netdb.h>
#include <stdio.h>
#include <string.h>

int main(void) {
    struct addrinfo hints, *found;
    memset(&hints, 0, sizeof hints);
    hints.ai_family = AF_INET;
    hints.ai_socktype = SOCK_STREAM;
    hints.ai_flags = AI_ADDRCONFIG;
    int problem = getaddrinfo("127.0.0.1", "13050", &hints, &found);
    if (problem) fprintf(stderr, "%s\\n", gai_strerror(problem));
    return problem != 0;
}
"""


def make(folder: Path, *, before: str = "", start: str = START) -> Path:
    """A folder with a player that does something ``before`` it plays."""
    folder.mkdir(exist_ok=True)
    (folder / "player.py").write_text(PLAYER.format(before=before))
    script = folder / "start.sh"
    script.write_text(start)
    script.chmod(0o755)
    return folder


def make_raw(folder: Path, body: str) -> Path:
    """A folder with a player that has its own hands on the socket."""
    make(folder)
    (folder / "player.py").write_text(RAW_PLAYER.replace("{body}", body))
    return folder


def make_zip_without_modes(folder: Path, prefix: str) -> Path:
    """A ZIP of a packed player, its files below ``prefix`` and without the permission to execute."""
    packed, zipped = folder / "packed.zip", folder / "zipped.zip"
    collect(find_source(str(make(folder) / "player.py"))).write(packed)
    with zipfile.ZipFile(packed) as source, zipfile.ZipFile(zipped, "w") as target:
        for name in source.namelist():
            target.writestr(prefix + name, source.read(name))
    return zipped


def make_with_file(folder: Path) -> Path:
    make(folder, before='assert Path("weights.txt").read_text() == "1 2 3"')
    (folder / "weights.txt").write_text("1 2 3")
    return folder


def make_not_executable(folder: Path) -> Path:
    (make(folder) / "start.sh").chmod(0o644)
    return folder


def make_resolver_in_c(folder: Path) -> Path:
    if shutil.which("gcc") is None:
        pytest.skip("there is no gcc here")
    make(folder, start='#!/bin/sh\n./resolve && exec python3 player.py "$@"\n')
    (folder / "resolve.c").write_text(RESOLVE_IN_C)
    subprocess.run(["gcc", "-o", folder / "resolve", folder / "resolve.c"], check=True)
    return folder


def doing(before: str) -> Callable[[Path], Path]:
    return lambda folder: make(folder, before=before)


RESOLVE = 'socket.getaddrinfo("127.0.0.1", "13050", socket.AF_INET, socket.SOCK_STREAM, 0, socket.AI_ADDRCONFIG)'
PROGRAMS: dict[str, Callable[[Path], Path]] = {
    "resolves a number as boost::asio does": doing(RESOLVE),
    "resolves a number as boost::asio does, in C": make_resolver_in_c,
    "connects to localhost": doing('sys.argv = [word.replace("127.0.0.1", "localhost") for word in sys.argv]'),
    "writes beside its own files": doing('Path(__file__).with_name("log.txt").write_text("hello")'),
    "writes over its own files": doing('Path(__file__).write_text("")'),
    "writes into a new folder in its home": doing('(Path(os.environ["HOME"]) / ".cache" / "bot").mkdir(parents=True)'),
    "writes into /tmp": doing('Path("/tmp/bot.log").write_text("hello")'),
    "reads from the current folder": make_with_file,
    "is a ZIP made on Windows": lambda folder: make_zip_without_modes(folder, ""),
    "is in a single folder of its ZIP": lambda folder: make_zip_without_modes(folder, "My Bot/"),
    **{name: partial(make_raw, body=body) for name, body in RAW_PROGRAMS.items()},
}
REFUSED: dict[str, tuple[Callable[[Path], Path], str, bool]] = {
    "has a start.sh with CRLF": (lambda folder: make(folder, start=START.replace("\n", "\r\n")), "save with LF", False),
    "has a start.sh without shebang": (
        lambda folder: make(folder, start=START.replace("#!/bin/sh\n", "")),
        "insert as the first line: #!/bin/sh",
        True,
    ),
    "has a start.sh without the run bit": (make_not_executable, "chmod +x start.sh", True),
}
"""What ``check`` refuses: how to make it, the fix that is named, and whether it plays all the same."""
CHECKED_BY_DAY = (
    "resolves a number as boost::asio does, in C",
    "writes over its own files",
    "is in a single folder of its ZIP",
    "answers once more after left",
)
"""``check`` and a match launch alike: by day each program plays a match, and these are checked, too."""


def check(entrant: Entrant, to_end: float = 30.0) -> CheckReport:
    works(LEVEL)
    patience = Patience(to_join=60.0, to_end=to_end, pause=0.1)
    settings = CheckSettings(
        level=LEVEL, game=games.load(GAME), slowdown=1.0, patience=patience, moves_with_incident=3, start=late_start()
    )
    return asyncio.run(check_program(entrant, settings))


def play_match_game(entrant: Entrant) -> MatchGame:
    works(LEVEL)

    async def run() -> MatchGame:
        async with Arena(ArenaSettings(level=LEVEL)) as arena:
            return (await arena.play(task(entrant, random_player()))).row

    return asyncio.run(run())


@cache
def random_player() -> Entrant:
    return resolve("random")


@pytest.mark.parametrize("name", PROGRAMS)
def test_it_plays_in_check_and_in_a_match(name: str, tmp_path: Path) -> None:
    entrant = resolve(str(PROGRAMS[name](tmp_path / "program")))
    if NIGHT or name in CHECKED_BY_DAY:
        report = check(entrant)
        assert report.passed, [(finding.key, finding.detail.en) for finding in report.findings]
    side = play_match_game(entrant).sides[0]
    assert (side.fault, side.exit_code) == (None, 0), side


def test_the_contest_takes_in_a_program_that_resolves_as_boost_asio_does(tmp_path: Path) -> None:
    works(LEVEL)
    folder = make(tmp_path / "program", before=RESOLVE)

    async def run(contest: Contest) -> None:
        async with LocalExecutor(ArenaSettings(level=LEVEL), concurrency=1) as executor:
            program = await submit(contest, "Ada", str(folder), who="Ada", executor=executor)
        assert program.passed, program.report

    with found(tmp_path, season_text().replace("in_process = true", "")) as contest:
        asyncio.run(run(contest))


def test_check_tells_a_program_that_goes_on_to_other_rooms_to_end_after_its_game(tmp_path: Path) -> None:
    body = "play()\nfor _ in range(2):\n    sock.sendall(b'<join/>')\n    assert b'errorpacket' in hear()"
    entrant = resolve(str(make_raw(tmp_path / "program", body)))
    report = check(entrant, to_end=2.0)
    assert report.passed
    assert [finding.key for finding in report.findings if finding.mark is Mark.NOTE] == ["ends"]
    # In a match nobody joins without a reservation: it is told so, and ends.
    assert play_match_game(entrant).sides[0].fault is None


@pytest.mark.parametrize("name", REFUSED)
def test_check_refuses_it_with_the_fix(name: str, tmp_path: Path) -> None:
    make, fix, plays = REFUSED[name]
    entrant = resolve(str(make(tmp_path / "program")))
    report = check(entrant)
    assert not report.passed
    [start_file] = [finding for finding in report.findings if finding.key == "start_file"]
    assert start_file.mark is Mark.BAD
    assert start_file.fix is not None
    assert fix in start_file.fix.en
    assert (play_match_game(entrant).sides[0].fault is None) is plays
