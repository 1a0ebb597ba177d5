"""A lesson with `spielleiter class`: thirty devices through all of it, and the laptop dies in the middle."""

from __future__ import annotations

import re
import signal
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

httpx = pytest.importorskip("httpx")
from spielleiter.game import ChoiceQuestion, MoveQuestion
from spielleiter.games import load
from spielleiter.programs.entrants import find_source
from spielleiter.programs.package import collect
from tests.support.event_streams import first_message
from tests.support.terminal import Terminal
from tests.support.waiting import wait_until

GAME = "ostseeschach-2022"
DEVICES = 30
ALONE = httpx.Limits(max_keepalive_connections=0)
"""The server closes connections that are idle, perhaps just when one is used again."""
PATIENCE = 300.0


SCRIPT = {"accept": "application/json"}
PLAYERS = (
    "return state.legal_moves()[0]",
    "return state.legal_moves()[-1]",
    "raise ValueError('oops')",
)
"""What the methods of the players that are handed in do."""


class Lesson:
    """A class that runs in a window of its own, and can be killed there."""

    def __init__(self, terminal: Terminal, devices: ExitStack, options: str = "") -> None:
        self.terminal = terminal
        self.devices = devices
        self.command = f"exec spielleiter class {GAME} --no-browser --folder class --game-port 0 {options}"
        self.process: subprocess.Popen[str]
        self.start()

    def start(self) -> None:
        self.process = self.terminal.start(f"{self.command} --port 13055")
        assert self.process.stdout is not None
        printed = ""
        while "Stop with Ctrl-C" not in printed:
            line = self.process.stdout.readline()
            assert line, printed
            printed += line
        self.printed = printed
        self.base = f"http://127.0.0.1:{self.terminal.port}"
        self.key = re.search(r"/class/host\?key=(\S+)", printed)[1]  # type: ignore[index]
        self.code = re.search(r"code: (\w+)", printed)[1]  # type: ignore[index]

    def die(self) -> None:
        """The battery is empty."""
        self.process.send_signal(signal.SIGKILL)
        self.process.communicate(timeout=60)

    def device(self) -> Any:
        client = httpx.Client(
            base_url=self.base, timeout=PATIENCE, verify=False, headers={"accept-language": "en"}, limits=ALONE
        )
        return self.devices.enter_context(client)

    def host(self) -> Any:
        host = self.device()
        assert host.get(f"/class/host?key={self.key}").status_code == 303
        return host


@pytest.fixture
def lesson(terminal: Terminal) -> Iterator[Lesson]:
    with ExitStack() as devices:
        yield Lesson(terminal, devices)


def join(lesson: Lesson, name: str) -> Any:
    device = lesson.device()
    assert device.get("/").headers["location"] == "/join", "the address alone leads to the entrance"
    device.get("/join", params={"code": lesson.code})
    answer = device.post("/join", data={"code": lesson.code, "name": name})
    assert (answer.status_code, answer.headers.get("location")) == (303, "/class"), answer.text
    return device


def together(devices: list[Any], do: Any) -> list[Any]:
    """What comes of it when all do something at once, in the order of the devices."""
    with ThreadPoolExecutor(len(devices)) as pool:
        return list(pool.map(do, devices))


def example(page: str) -> str:
    found = re.search(r'name="text"[^>]*placeholder="([^"]+)"', page)
    assert found is not None, page
    return found[1]


def solution_of_first_exercise() -> dict[str, str]:
    """What a form without a script sends for the right answer."""
    game = load(GAME)
    assert game.lesson is not None
    [question, *_] = [question for section in game.lesson().sections for question in section.questions]
    if isinstance(question, MoveQuestion):
        return {"text": game.notation.format_move(question.state, question.solutions()[0])}
    if isinstance(question, ChoiceQuestion):
        return {"choice": str(question.solution())}
    assert game.board_input is not None
    return {"squares": " ".join(map(game.board_input.square_name, question.solution()))}


def test_thirty_devices_go_through_a_lesson_and_the_laptop_dies_in_the_middle(
    lesson: Lesson, terminal: Terminal
) -> None:
    host = lesson.host()
    with ThreadPoolExecutor(DEVICES) as pool:
        devices = list(pool.map(lambda number: join(lesson, f"Pupil {number}"), range(DEVICES)))
    assert "30 here, 30 with a seat" in host.get("/class/host").text

    # An exercise for all.
    host.post("/class/host/task", data={"kind": "lesson", "exercise": "1", "minutes": "10"})
    right = solution_of_first_exercise()
    solved = together(devices[:20], lambda device: device.get(f"/learn/{GAME}/1", params=right).text)
    assert all("Exercise 1" in page for page in solved), "the task is on top of every page"
    assert "20 of 30 have done it" in host.get("/class/host").text

    # What would you play? Two answers for the projector.
    host.post("/class/host/task", data={"kind": "position"})
    move = example(devices[0].get("/class/position").text)
    answers = together(devices, lambda device: device.post("/class/position/move", data={"text": move}).status_code)
    assert answers == [303] * DEVICES
    assert "30 of 30 have answered" in host.get("/class/host").text
    host.post("/class/host/show-answers")
    assert re.search(r"<b>30</b>", host.get("/projector").text)

    # A round of games: everybody comes to a table, and some have moved when the laptop dies.
    host.post("/class/host/pair")
    tables = together(devices, lambda device: device.get("/class/game").headers["location"])
    assert len(set(tables)) == DEVICES // 2
    moved = together(devices, move_if_asked)
    assert sum(moved) == DEVICES // 2

    # Meanwhile three have written a player, one of which crashes, and one has sent something else.
    for device, code in zip(devices, PLAYERS, strict=False):
        answer = device.post("/class/player", files={"program": ("player.zip", packed(code))}, headers=SCRIPT)
        assert answer.json()["ok"], answer.text
    answer = devices[3].post("/class/player", files={"program": ("photo.zip", b"JPEG")}, headers=SCRIPT)
    assert "not a readable ZIP file" in answer.json()["text"]
    wait_until(lambda: "3 handed in, 2 have passed" in host.get("/class/host").text)
    wait_until(lambda: "oops" in devices[2].get("/class").text)  # Whose player crashes is told where.
    offer = host.get("/class/host/tournament", params={"minutes": "1"}).text
    assert "2 players, at most 1 minute" in offer
    host.post("/class/host/tournament", data={"minutes": "1"})
    wait_until(lambda: played(host) >= 1)
    lesson.die()

    before = lesson.key, lesson.code
    lesson.start()
    assert (lesson.key, lesson.code) == before
    assert "All is still there (30 people" in lesson.printed
    names = together(devices, lambda device: re.search(r"Hello <bdi>([^<]+)", device.get("/class").text))
    assert [found and found[1] for found in names] == [f"Pupil {number}" for number in range(DEVICES)]
    back = devices[0].get(f"{tables[0]}?room={room_of(host, 'Pupil 0')}")
    assert back.headers["location"] == "/class/game", "a page that is loaded again leads to the game"
    again = together(devices, lambda device: device.get("/class/game").headers["location"])
    assert len(set(again)) == DEVICES // 2
    assert not set(again) & set(tables)
    plies = together(list(zip(devices, again, strict=True)), lambda each: plies_at(*each))
    assert plies == [1] * DEVICES, "the moves that were made are still there"

    # The round ends, the next one is by strength; a second device of somebody, a rude name, a table to look at.
    for pair in range(DEVICES // 2):
        host.post("/class/host/decide", data={"pair": pair, "points": "1"})
    host.post("/class/host/pair")
    page = host.get("/class/host").text
    assert "Round 2" in page
    person = re.search(r'/class/host/people/(\d+)">Change<span class="unseen"> Pupil 7<', page)
    assert person is not None
    host.post(f"/class/host/people/{person[1]}/remove")
    assert "has removed your name" in devices[7].get("/class", follow_redirects=True).text
    assert "Pupil 7<" not in host.get("/class/host").text
    wait_until(lambda: "Final standings" in host.get("/projector").text, PATIENCE)
    results = [devices[number].get("/class/result").text for number in (0, 1)]
    assert all(page.count("/class/result/game/") == 2 for page in results), "each game once, also over the restart"
    game = re.search(r"/class/result/game/[\w-]+", results[0])
    assert game is not None
    assert "Pupil 0" in devices[0].get(game[0], follow_redirects=True).text
    assert "Rank" in devices[0].get("/class/result/table").text

    # The lesson is over: those who still look see the end of their streams, and the terminal stays quiet.
    for device in devices[:5]:
        stream = lesson.devices.enter_context(device.stream("GET", "/class/bar/events", params={"at": "/"}))
        next(stream.iter_lines())
    lesson.process.send_signal(signal.SIGINT)
    printed, _ = lesson.process.communicate(timeout=60)
    assert printed == ""
    assert "Deleted" in terminal.run("spielleiter class --forget --folder class")
    assert not Path(terminal.folder, "class").exists()


def packed(code: str) -> bytes:
    """A player as ``spielleiter pack`` makes it."""
    with TemporaryDirectory() as folder:
        player = Path(folder, "player.py")
        method = f"def choose(self, state, seconds):\n        {code}"
        player.write_text(
            f"from spielleiter.client import play\n\n\nclass Mine:\n    {method}\n\n\nplay(Mine())\n", encoding="utf-8"
        )
        return collect(find_source(str(player)), load(GAME)).to_bytes()


def played(host: Any) -> int:
    """The games of the tournament that the host sees as played."""
    found = re.search(r"</progress> (\d+) / 2 games", host.get("/class/host").text)
    return 0 if found is None else int(found[1])


def move_if_asked(device: Any) -> bool:
    """Make the first move, for those of a pair who begin."""
    table = device.get("/class/game").headers["location"]
    answer = device.post(
        f"{table}/move",
        data={"ply": "0", "text": example(device.get(table).text)},
        headers={"accept": "application/json"},
    )
    return bool(answer.json()["ok"])


def plies_at(device: Any, table: str) -> int:
    line = first_message(device, f"{table}/events", '"ply":', seconds=PATIENCE)
    found = re.search(r'"moment":\{"room":"[^"]+","ply":(\d+)', line)
    assert found is not None, line
    return int(found[1])


def room_of(host: Any, name: str) -> str:
    """The room in which somebody played last, as the page of the host links it."""
    pairs = re.findall(r"<tr>.*?</tr>", host.get("/class/host").text, re.DOTALL)
    [pair] = [each for each in pairs if f"<bdi>{name}</bdi>" in each and "/watch/" in each]
    found = re.search(r"/watch/([\w-]+)", pair)
    assert found is not None
    return found[1]
