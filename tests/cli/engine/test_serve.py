"""``spielleiter engine serve``, as another program uses it: a process with lines in and lines out."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest

from release.pages import blocks
from spielleiter import games
from tests.support.played import needs_engine
from tests.support.terminal import ROOT

PAGE = ROOT / "docs" / "engine-protocol.md"
KEY = "piranhas-2026"
pytestmark = needs_engine


class Server:
    """The process, and its answers in the order in which they come."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process

    def ask(self, *requests: dict[str, Any] | str) -> None:
        assert self.process.stdin is not None
        for request in requests:
            self.process.stdin.write((request if isinstance(request, str) else json.dumps(request)) + "\n")
        self.process.stdin.flush()

    def answer(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        found: dict[str, Any] = json.loads(self.process.stdout.readline())
        return found

    def rest(self) -> list[dict[str, Any]]:
        """What comes when there are no more requests."""
        printed, said = self.process.communicate(timeout=120)
        assert "Traceback" not in said
        return [json.loads(line) for line in printed.splitlines()]


@contextmanager
def serving(*options: str) -> Iterator[Server]:
    with subprocess.Popen(
        [sys.executable, "-m", "spielleiter", "--lang", "en", "engine", "serve", *options],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8",
    ) as process:  # fmt: skip
        try:
            yield Server(process)
        finally:
            process.kill()


def test_several_requests_at_once_are_answered_by_id_and_ply() -> None:
    game = games.load(KEY)
    start = game.new_state(Random(3))
    moves, state = [], start
    for _ in range(3):
        moves.append(game.notation.format_move(state, state.legal_moves()[0]))
        state = state.play(state.legal_moves()[0])
    game_request = {"id": "game", "position": KEY, "seed": 3, "moves": moves, "analyze": [0, 3], "nodes": 2000}
    with serving("--parallel", "2") as server:
        server.ask(
            game_request,
            {"id": "text", "position": game.notation.format_state(state), "nodes": 2000, "lines": 3},
            {"id": "v", "action": "version"},
            {**game_request, "id": "again"},
        )
        found = server.rest()
    assert server.process.returncode == 0
    by_place = {(answer["id"], answer.get("ply")): answer for answer in found}
    assert by_place.keys() == {("game", 0), ("game", 3), ("again", 0), ("again", 3), ("text", 0), ("v", None)}
    for ply in (0, 3):
        same = [{**by_place[name, ply], "id": "", "seconds": 0} for name in ("game", "again")]
        assert same[0] == same[1], "the same nodes find the same"
        assert same[0]["nodes"] <= 2001
    assert by_place["game", 3]["turn"] == by_place["text", 0]["turn"] == 3
    lines = by_place["text", 0]["lines"]
    assert len({line["moves"][0] for line in lines}) == 3
    for line in lines:
        at = state
        for text in line["moves"]:
            at = at.play(game.notation.parse_move(at, text))
    assert by_place["v", None]["protocol"] == 1
    assert KEY in by_place["v", None]["games"]


def test_what_is_wrong_is_an_answer_with_its_line_and_the_rest_goes_on() -> None:
    wrong: list[tuple[dict[str, Any] | str, str]] = [
        ("{not json", "damaged"),
        ("[1]", "expected a JSON object"),
        ("x" * 300_000, "longer than 256 KiB"),
        ("\x00", "damaged"),
        ({"position": KEY}, "'id' is missing"),
        ({"id": "a" * 201, "position": KEY}, "at most 200"),
        ({"id": "a"}, "'position' is missing"),
        ({"id": "a", "position": "chess"}, "no game called 'chess'"),
        ({"id": "a", "position": f"{KEY} nonsense"}, "expected"),
        ({"id": "a", "position": KEY, "node": 5}, "did you mean nodes"),
        ({"id": "a", "position": KEY, "nodes": 0}, "between 1 and"),
        ({"id": "a", "position": KEY, "seconds": "long"}, "must be a number"),
        ({"id": "a", "position": KEY, "depth": 2, "search": "tree"}, "leave out depth"),
        ({"id": "a", "position": KEY, "moves": ["A4-A4"]}, "ply 1 ('A4-A4')"),
        ({"id": "a", "position": KEY, "moves": [5]}, "a list of texts"),
        ({"id": "a", "position": KEY, "analyze": [1]}, "from 0 to 0"),
        ({"id": "a", "action": "quit"}, "terminate_all"),
    ]
    with serving("--parallel", "1") as server:
        server.ask(*(request for request, _ in wrong), {"id": "last", "position": KEY, "nodes": 500})
        found = server.rest()
    assert server.process.returncode == 0
    for number, (answer, (_, problem)) in enumerate(zip(found, wrong, strict=False), 1):
        assert (answer["line"], problem in answer["error"]) == (number, True), answer
    assert found[-1]["id"] == "last"
    assert found[-1]["lines"]
    assert len(found) == len(wrong) + 1


def test_a_request_can_be_followed_and_terminated_and_its_id_is_free_then() -> None:
    endless = {"id": "a", "position": KEY, "seconds": 80_000, "report_every": 0.05}
    with serving("--parallel", "1") as server:
        server.ask(endless)
        first = server.answer()
        assert first["during_search"]
        assert first["lines"]
        server.ask(endless, {"id": "later", "position": KEY}, {"id": "t", "action": "terminate", "terminate": "later"})
        found: list[dict[str, Any]] = []
        while len(found) < 3:
            answer = server.answer()
            if not answer.get("during_search"):
                found.append(answer)
        taken, later, acknowledged = found
        assert "not answered yet" in taken["error"]
        assert (later["id"], later["terminated"], later["lines"]) == ("later", True, [])
        assert acknowledged == {"id": "t", "action": "terminate", "terminated": 1}
        server.ask({"id": "all", "action": "terminate_all"})
        while (answer := server.answer()).get("during_search") or answer["id"] == "all":
            pass
        assert (answer["id"], answer["terminated"]) == ("a", True)
        assert answer["lines"], "what was found so far"
        server.ask({**endless, "seconds": 0.01})
        assert [answer["id"] for answer in server.rest()][-1:] == ["a"]


def test_a_finished_game_has_its_outcome_and_no_lines() -> None:
    game = games.load("ostseeschach-2022")
    rng, texts = Random(1), []
    state = game.new_state(Random(0))
    while state.outcome is None:
        move = rng.choice(state.legal_moves())
        texts.append(game.notation.format_move(state, move))
        state = state.play(move)
    with serving() as server:
        server.ask({"id": "end", "position": game.key, "moves": texts})
        [answer] = server.rest()
    winner = state.outcome.winner
    assert answer["outcome"]["winner"] == (None if winner is None else winner.name)
    assert answer["outcome"]["reason"] == state.outcome.reason.name
    assert answer["lines"] == []


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=["ctrl-c", "sigterm"])
def test_an_interrupt_in_mid_search_answers_with_what_was_found(number: signal.Signals) -> None:
    with serving() as server:
        server.ask({"id": "a", "position": KEY, "seconds": 80_000, "report_every": 0.05})
        assert server.answer()["during_search"]
        server.process.send_signal(number)
        final = server.rest()[-1]
        assert server.process.returncode == 130
    assert (final["id"], final["terminated"], final["during_search"]) == ("a", True, False)
    assert final["lines"]


def test_the_example_of_the_page_gets_the_answers_that_it_shows(tmp_path: Path) -> None:
    [requests] = [block.text for block in blocks(PAGE) if block.name == "requests"]
    with serving() as server:
        server.ask(requests.strip())
        found = {answer["id"]: answer for answer in server.rest()}
    assert found["version"]["protocol"] == 1
    page = PAGE.read_text(encoding="utf-8")
    for key in found["opening"].keys() | found["opening"]["lines"][0].keys():
        assert f"`{key}`" in page
        assert f'"{key}": ' in page
