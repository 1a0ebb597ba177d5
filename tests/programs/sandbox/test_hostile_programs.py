"""Real programs with bad intentions, in every level that should stop them. After each run no process of them lives."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from textwrap import dedent

import pytest

from spielleiter.programs.sandbox import (
    PYTHON,
    Breach,
    ExitStatus,
    LaunchSpec,
    Level,
    ProgramFile,
    ProgramFiles,
    ResourceLimits,
    start,
    system_paths,
)
from spielleiter.programs.sandbox.promises import Attack
from tests.support.hostile import ISOLATING, LIMITING, against, alive, run, works
from tests.support.waiting import wait_until

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the sandbox is made of Linux")
MB = 1_000_000
each = pytest.mark.parametrize
limiting = each("level", LIMITING, ids=lambda level: level.value)
isolating = each("level", ISOLATING, ids=lambda level: level.value)
every = each("level", tuple(Level), ids=lambda level: level.value)

HOG = """
    kept = []
    while len(kept) < 100:
        kept.append(bytearray(b"x" * 20_000_000))
"""


@against(Attack.MEMORY)
def test_a_memory_hog_is_ended_near_the_limit(level: Level) -> None:
    found = run(HOG, level, ResourceLimits(memory=200 * MB))
    assert found.exit_status.breach is Breach.MEMORY
    assert found.exit_status.code is None
    assert 200 * MB < found.exit_status.peak_memory < 1200 * MB


@against(Attack.MEMORY)
def test_memory_is_summed_over_all_processes(level: Level) -> None:
    source = """
        import os, time
        for _ in range(6):
            if not os.fork():
                kept = bytearray(os.urandom(1000) * 50_000)
                time.sleep(30)
        time.sleep(30)
    """
    assert run(source, level, ResourceLimits(memory=200 * MB)).exit_status.breach is Breach.MEMORY


def test_memory_that_forked_processes_share_counts_once() -> None:
    source = """
        import os, time
        kept = bytearray(os.urandom(1000) * 50_000)
        for _ in range(8):
            if not os.fork():
                time.sleep(1)
                os._exit(0)
        time.sleep(1)
        print("fine")
    """
    found = run(source, Level.NONE if sys.platform != "linux" else Level.LIMITS, ResourceLimits(memory=250 * MB))
    assert found.exit_status.breach is None
    assert found.out == "fine\n"


FORK_BOMB = """
    import os, time
    refused = 0
    for _ in range(2000):
        try:
            if not os.fork():
                time.sleep(30)
                os._exit(0)
        except BlockingIOError:
            refused += 1
    print("refused" if refused else "all there", flush=True)
    time.sleep(30)
"""


@against(Attack.PROCESSES)
def test_a_fork_bomb_stays_small(level: Level) -> None:
    limits = ResourceLimits(processes=40)
    found = run(FORK_BOMB, level, limits, until=lambda player: "refused\n" in player.last_words, count=True)
    assert found.out == "refused\n"
    assert 1 < found.most < 60


@against(Attack.DISK, also=[Level.LIMITS])
def test_a_disk_filler_gets_no_more_than_its_share(level: Level) -> None:
    source = """
        import os
        written = 0
        try:
            for number in range(400):
                with open(f"{number}.bin", "wb") as file:
                    file.write(bytes(1_000_000))
                written += 1
        except OSError as problem:
            print(problem.strerror, written)
        else:
            import time
            time.sleep(60)
    """
    found = run(source, level, ResourceLimits(disk=50 * MB))
    if level is Level.BUBBLEWRAP:
        words = found.out.rsplit(" ", 1)
        assert words[0] == "No space left on device"
        assert 45 <= int(words[1]) <= 52
    else:
        assert found.exit_status.breach is Breach.DISK


def test_there_is_no_other_place_to_fill_in_bubblewrap() -> None:
    source = """
        import os
        for folder in ("/", "/dev", "/dev/shm", "/tmp", "/run", "/usr", "/etc", "/proc", "/player"):
            written = 0
            try:
                with open(f"{folder}/file", "wb") as file:
                    for _ in range(200):
                        file.write(bytes(1_000_000))
                        file.flush()
                        written += 1
            except OSError:
                pass
            try:
                os.unlink(f"{folder}/file")
            except OSError:
                pass
            print(folder, written)
    """
    found = dict(line.split() for line in run(source, Level.BUBBLEWRAP, ResourceLimits(disk=50 * MB)).out.splitlines())
    filled = {folder for folder, written in found.items() if int(written) > 0}
    assert filled <= {"/", "/run", "/tmp", "/dev/shm", "/player"}
    assert max(map(int, found.values())) <= 52
    assert int(found["/dev/shm"]) > 0


FILE_FLOOD = """
    import os, sys, time
    for number in range(20_000):
        os.close(os.open(f"{sys.argv[3]}/f{number}", os.O_CREAT | os.O_WRONLY))
    time.sleep(60)
"""


@against(Attack.FILES, also=[Level.LIMITS])
def test_a_flood_of_empty_files_is_ended(level: Level) -> None:
    assert run(FILE_FLOOD, level, ResourceLimits(files=3000), arguments=(".",)).exit_status.breach is Breach.FILES


@limiting
def test_a_flood_of_folders_is_one_of_files_and_the_program_s_own_do_not_count(level: Level) -> None:
    source = """
        import os, time
        for number in range(60):
            os.mkdir(f"d{number}")
            if number == 29:
                time.sleep(1)
                print("half", flush=True)
        time.sleep(60)
    """
    works(level)
    own = [ProgramFile(f"own/{number}", b"") for number in range(60)]
    files = ProgramFiles.of([ProgramFile("player.py", dedent(source).encode()), *own], "test")

    async def play() -> ExitStatus:
        spec = LaunchSpec((PYTHON, "player.py"), (), files)
        player = await start(spec, level, ResourceLimits(files=50), address=("127.0.0.1", 9))
        player.go()
        if player.listener is not None:
            player.listener.close()
        await player.wait()
        return await player.stop()

    status = asyncio.run(play())
    assert (status.breach, status.out) == (Breach.FILES, b"half\n")


def test_the_folder_of_shared_memory_has_the_same_limit_of_files() -> None:
    found = run(FILE_FLOOD, Level.BUBBLEWRAP, ResourceLimits(files=3000), arguments=("/dev/shm",))
    assert found.exit_status.breach is Breach.FILES


@against(Attack.OTHER_FILES)
def test_a_file_reader_finds_neither_the_opponent_nor_the_records(level: Level, tmp_path: Path) -> None:
    secret = tmp_path / "records" / "game.jsonl"
    secret.parent.mkdir()
    secret.write_text("secret")
    source = """
        import os, sys
        for path in sys.argv[3:-1]:
            try:
                print(path, os.listdir(path) if os.path.isdir(path) else open(path).read(6))
            except OSError:
                pass
        try:
            open(sys.argv[3] + ".mine", "w")
            print("wrote")
        except OSError:
            pass
    """
    forbidden = (str(secret), str(secret.parent), "/etc/shadow", "/root", "/home", "/var/log", str(Path.home()))
    assert run(source, level, arguments=forbidden).out.replace("/root ['.pyenv']\n", "") == ""


@against(Attack.OTHER_PROCESSES, also=[Level.LANDLOCK])
def test_the_environment_of_the_game_master_is_not_to_be_read(level: Level, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET", "password")
    source = """
        import os, glob
        print("password" in str(os.environ))
        for path in glob.glob("/proc/[0-9]*/environ"):
            try:
                if b"password" in open(path, "rb").read():
                    print("found in", path)
            except OSError:
                pass
    """
    assert run(source, level).out == "False\n"


SCANNER = """
    import socket, sys
    for port in map(int, sys.argv[3:-1]):
        try:
            socket.create_connection(("127.0.0.1", port), timeout=2).close()
            print("reached", port)
        except OSError:
            pass
    for name in ("spielleiter-test-abstract",):
        try:
            with socket.socket(socket.AF_UNIX) as sock:
                sock.connect("\\0" + name)
                print("reached", name)
        except OSError:
            pass
    try:
        socket.socket(40, socket.SOCK_STREAM)
        print("has vsock")
    except OSError:
        pass
"""


@against(Attack.NETWORK, also=[Level.LANDLOCK])
def test_a_port_scanner_reaches_nobody_but_the_game_master(level: Level) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other, socket.socket(socket.AF_UNIX) as abstract:
        abstract.bind("\0spielleiter-test-abstract")
        abstract.listen()
        ports = (str(other.getsockname()[1]), "22", "13050")
        out = run(SCANNER, level, arguments=ports, address=("127.0.0.1", 9)).out
    seen = set(out.splitlines())
    if level is Level.BUBBLEWRAP:
        assert seen == {"reached 13050"}  # Its own door to the game master, and nothing else.
    else:
        assert seen <= {"has vsock"}


def test_the_same_probes_find_open_doors_where_there_is_no_isolation(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("secret")
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = str(other.getsockname()[1])
        source = """
            import socket, sys
            socket.create_connection(("127.0.0.1", int(sys.argv[3])), timeout=2).close()
            print(open(sys.argv[4]).read())
        """
        assert run(source, Level.NONE, arguments=(port, str(tmp_path / "secret"))).out == "secret\n"


@against(Attack.OUTLIVE, also=[Level.NONE])
def test_setsid_and_a_double_fork_do_not_escape(level: Level) -> None:
    source = """
        import os, time
        if not os.fork():
            os.setsid()
            if not os.fork():
                print("hidden", flush=True)
                os.close(1); os.close(2)
                time.sleep(60)
            os._exit(0)
        os.wait()
        time.sleep(60)
    """
    found = run(source, level, until=lambda player: "hidden" in player.last_words)
    assert found.out == "hidden\n"
    assert found.exit_status.code is None


@against(Attack.OUTLIVE, also=[Level.NONE])
def test_what_a_program_leaves_behind_ends_with_it(level: Level) -> None:
    source = """
        import os, time
        if not os.fork():
            os.setsid()
            if not os.fork():
                os.close(1); os.close(2)
                time.sleep(60)
            os._exit(0)
        os.wait()
        raise SystemExit(7)
    """
    assert run(source, level).exit_status.code == 7


def test_a_cpu_hog_cannot_leave_its_core() -> None:
    core = min(os.sched_getaffinity(0))
    source = """
        import os, threading, time
        def spin():
            while True:
                pass
        for _ in range(4):
            threading.Thread(target=spin, daemon=True).start()
        try:
            os.sched_setaffinity(0, range(os.cpu_count()))
        except OSError as problem:
            print(problem.strerror)
        time.sleep(0.5)
        print(sorted(os.sched_getaffinity(0)))
        os._exit(0)
    """
    found = run(source, Level.BUBBLEWRAP, ResourceLimits(cores=(core,)))
    assert found.out == f"Operation not permitted\n[{core}]\n"


@limiting
def test_a_core_is_given_in_every_level(level: Level) -> None:
    core = max(os.sched_getaffinity(0))
    found = run("import os; print(sorted(os.sched_getaffinity(0)))", level, ResourceLimits(cores=(core,)))
    assert found.out == f"[{core}]\n"


@against(Attack.OTHER_PROCESSES, also=[Level.LANDLOCK])
def test_processes_outside_cannot_be_signalled(level: Level) -> None:
    with subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"]) as canary:
        source = """
            import os, sys
            for number in (15, 9, 0):
                try:
                    os.kill(int(sys.argv[3]), number)
                    print("signalled")
                except OSError:
                    pass
        """
        # In a namespace of its own the number may belong to nobody; it must not belong to the canary.
        run(source, level, arguments=(str(canary.pid),))
        assert canary.poll() is None
        canary.kill()


@against(Attack.PRIVILEGES, Level.BUBBLEWRAP)
def test_a_player_has_no_rights_and_gets_none(level: Level) -> None:
    source = """
        import os, ctypes
        status = dict(line.split(":\\t", 1) for line in open("/proc/self/status").read().splitlines() if ":\\t" in line)
        rights = [status[name].strip("0") for name in ("CapEff", "CapPrm", "CapAmb", "CapInh", "CapBnd")]
        print(os.getuid() != 0, rights, status["NoNewPrivs"])
        libc = ctypes.CDLL(None, use_errno=True)
        print(libc.unshare(0x10000000), libc.ptrace(0, 0, 0, 0), libc.mount(b"x", b"/tmp", b"tmpfs", 0, None))
    """
    assert run(source, level).out == "True ['', '', '', '', ''] 1\n-1 -1 -1\n"


@every
def test_endless_output_is_kept_to_its_beginning_and_end(level: Level) -> None:
    source = """
        print("first")
        for number in range(30_000):
            print("line", number)
        print("last")
    """
    found = run(source, level, ResourceLimits(log=10_000))
    assert found.exit_status.code == 0
    assert found.out.startswith("first\nline 0\n")
    assert found.out.endswith("line 29999\nlast\n")
    assert "bytes left out" in found.out
    assert len(found.exit_status.out) < 10_100


ORPHANING = """
import asyncio, sys
from spielleiter.programs.sandbox import ResourceLimits, Level, LaunchSpec, start

async def main():
    spec = LaunchSpec(("{python}", "-c", "import time; print('up', flush=True); time.sleep(60)", sys.argv[2]))
    player = await start(spec, Level(sys.argv[1]), ResourceLimits(), address=("127.0.0.1", 9))
    player.go()
    while "up" not in player.last_words:
        await asyncio.sleep(0.01)
    print("up", flush=True)
    await asyncio.sleep(60)

asyncio.run(main())
"""


@against(Attack.OUTLIVE, also=[Level.NONE])
def test_players_die_with_a_killed_game_master(level: Level) -> None:
    works(level)
    token = f"token-{time.monotonic_ns()}"
    command = [sys.executable, "-c", ORPHANING, level.value, token]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as master:
        assert master.stdout is not None
        assert master.stdout.readline() == b"up\n"
        assert len(alive(token)) > 1
        master.send_signal(signal.SIGKILL)
    wait_until(lambda: not alive(token))


def test_a_program_that_is_not_there_is_a_clear_message() -> None:
    for level in Level:
        works(level)
    source = "import os; os.execvp('no-such-program', ['no-such-program'])"
    assert b"FileNotFoundError" in run(source, Level.NONE).exit_status.err


def test_bubblewrap_shows_only_what_a_program_needs() -> None:
    works(Level.BUBBLEWRAP)
    for path in system_paths.readable():
        assert path not in ("/", "/etc", "/var", "/root", "/home")
