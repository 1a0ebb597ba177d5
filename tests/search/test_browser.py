"""The engine as WebAssembly: the same moves and scores as everywhere, and an error where something fails."""

from __future__ import annotations

import gc
import shutil
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from spielleiter import __version__, games, players
from spielleiter.errors import EngineMissing
from spielleiter.search import Budget, engine
from spielleiter.search.browser import BrowserEngine
from tests.support.browser_engine import NodeHost, unpack_engine

KEY = "ostseeschach-2022"
START = games.load(KEY).notation.format_state(games.load(KEY).new_state(Random(3)))

LIMITS: tuple[dict[str, Any], ...] = ({"nodes": 2500, "lines": 3}, {"depth": 2}, {"nodes": 300, "tree": True})


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[NodeHost]:
    node, wasm = shutil.which("node"), unpack_engine(tmp_path_factory.mktemp("engine"))
    if wasm is None:
        pytest.skip("the engine was not built for the browser from the present sources: make workshop")
    if node is None:
        pytest.skip("Node is not installed: it runs WebAssembly here")
    started = NodeHost(node, wasm)
    yield started
    started.close()


@pytest.fixture
def connected(host: NodeHost) -> Iterator[BrowserEngine]:
    """The engine of the browser, in use for everything."""
    found = BrowserEngine(host)
    engine.connect(found)
    yield found
    engine.disconnect()


# --- the same engine --------------------------------------------------------------------------------------------------


@pytest.mark.skipif(engine.why_not_built() is not None, reason="the native engine is not built")
def test_every_game_is_searched_as_by_the_native_engine(host: NodeHost) -> None:
    from spielleiter import _engine

    browser = BrowserEngine(host)
    assert browser.RULE_SETS == _engine.RULE_SETS
    assert browser.VERSION == _engine.VERSION
    for key in _engine.RULE_SETS:
        game, rng = games.load(key), Random(key)
        for plies in (3, 25):
            state = game.new_state(rng)
            for _ in range(plies):
                if state.outcome is None:
                    state = state.play_unchecked(rng.choice(state.legal_moves()))
            text = game.notation.format_state(state)
            assert browser.legal_moves(text) == _engine.legal_moves(text)
            for limits in LIMITS:
                found = [each.Searcher(1).search(text, **limits) for each in (browser, _engine)]
                # The last number is the time; the chance is rounded by each machine in its own way.
                one, two = (([line[:2] for line in lines], *rest[:2]) for lines, *rest in found)
                assert one == two, (text, limits)


def test_players_on_the_engine_play_in_the_browser(connected: BrowserEngine) -> None:
    game = games.load(KEY)
    for name in ("level1", "level8", "club", "expert:nodes=500", "novice"):
        state = game.new_state(Random(4))
        assert players.BUILT_IN[name.partition(":")[0]].why_weaker(game) is None
        for _ in range(4):
            state = state.play(players.load(name).choose(state, 0.2))
    for _ in range(4):
        players.load("expert")  # Only two tables of that size fit: those of players that are gone are given back.
    assert engine.features()[0] == "wasm32"
    assert set(engine.EngineSearch(game).legal_moves(state)) == set(state.legal_moves())


def test_a_search_ends_when_its_time_is_up(connected: BrowserEngine) -> None:
    game = games.load("blokus-2027")
    state = game.new_state(Random(1))
    for tree in (False, True):
        found = engine.EngineSearch(game, table_mib=4, tree=tree).search(state, Budget(seconds=0.2))
        assert found.move in state.legal_moves()
        assert found.seconds < 5


# --- what fails -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("asked", "values", "reason"),
    [
        ("nothing", {}, "expected about, legal_moves, open, close or search"),
        ("legal_moves", {}, "expected a position"),
        ("legal_moves", {"position": "chess-2024 8/8"}, "expected a position that begins with the key of a rule set"),
        ("legal_moves", {"position": f"{KEY} 9/9"}, "expected"),
        ("legal_moves", {"position": "x" * 70_000}, "the request is too long"),
        ("legal_moves", {"position": f"{KEY}\nlines 1"}, "a text of one line"),
        ("search", {"searcher": 12345, "position": START}, "expected the number of an open searcher"),
        ("search", {"searcher": 2**40, "position": START}, "expected a number of searcher"),
        ("search", {"searcher": 1, "seconds": "nan", "position": START}, "expected"),
        ("open", {"searcher": 1}, "expected a number of table_mib"),
    ],
)
def test_a_request_without_sense_is_an_error_and_the_next_one_is_answered(
    host: NodeHost, asked: str, values: dict[str, Any], reason: str
) -> None:
    browser = BrowserEngine(host)
    with pytest.raises(ValueError, match=reason):
        browser.ask(asked, **values)
    assert browser.legal_moves(START)


def test_no_request_makes_the_engine_panic(host: NodeHost) -> None:
    rng = Random(6)
    searcher = "open\nsearcher 9\ntable_mib 1"
    for _ in range(600):
        key = rng.choice(list(games.all_games()))
        game = games.load(key)
        position = game.notation.format_state(game.new_state(rng))
        request = list(f"search\nsearcher 9\nnodes 20\nlines 2\ntree {rng.randrange(2)}\nposition {position}")
        for _ in range(rng.randrange(1, 4)):
            at = rng.randrange(len(request))
            request[at] = rng.choice([chr(rng.randrange(1, 300)), "", " ", "9", "\n", "-", request[at] * 50])
        host.ask(searcher)
        answer = host.ask("".join(request))
        assert answer.split("\n")[0] in ("ok", "value"), ("".join(request), answer)


def _trapping_module() -> bytes:
    """A module with the exports of the engine, whose answer is a trap."""

    def section(number: int, content: bytes) -> bytes:
        return bytes([number, len(content)]) + content

    def name(text: str, kind: int, index: int) -> bytes:
        return bytes([len(text)]) + text.encode() + bytes([kind, index])

    def code(*body: int) -> bytes:
        return bytes([len(body) + 2, 0, *body, 0x0B])

    names = ("request", "answer", "text", "length")
    exports = name("memory", 2, 0) + b"".join(name(each, 0, index) for index, each in enumerate(names))
    number = (0x41, 8)  # i32.const 8
    return b"\0asm\1\0\0\0" + b"".join(
        (
            section(1, b"\2\x60\1\x7f\1\x7f\x60\0\1\x7f"),  # from i32 to i32, from nothing to i32
            section(3, b"\4\0\1\1\1"),
            section(5, b"\1\0\1"),
            section(7, bytes([5]) + exports),
            section(10, bytes([4]) + code(*number) + code(0x00) + code(*number) + code(*number)),
        )
    )


def test_an_engine_that_traps_is_an_error_each_time(tmp_path: Path) -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("Node is not installed: it runs WebAssembly here")
    wasm = tmp_path / "trap.wasm"
    wasm.write_bytes(_trapping_module())
    host = NodeHost(node, wasm)
    for _ in range(2):
        with pytest.raises(RuntimeError, match=r"the engine failed: .*unreachable"):
            BrowserEngine(host)
    host.close()


class Page:
    """A host that answers as it is told, and notes what it was asked."""

    def __init__(self, version: str = __version__) -> None:
        self.version = version
        self.failures: list[str] = []
        self.asked: list[str] = []

    def ask(self, request: str, /) -> str:
        self.asked.append(request.split("\n")[0])
        if request == "about":
            return f"ok\n{self.version}\nwasm32\n{KEY}"
        if self.failures:
            return self.failures.pop(0)
        return "ok\n1 20 0.5\n10\t0.5\ta\tb" if request.startswith("search") else "ok\n"


def test_after_a_panic_the_searcher_is_opened_again() -> None:
    page = Page()
    searcher = BrowserEngine(page).Searcher(4)
    page.failures = ["failed\npanicked at somewhere"]
    with pytest.raises(RuntimeError, match="panicked at somewhere"):
        searcher.search(START, nodes=10)
    assert searcher.search(START, nodes=10) == ([(["a", "b"], 10, 0.5)], 1, 20, 0.5)
    assert page.asked == ["about", "open", "search", "open", "search"]


def test_a_searcher_gives_its_table_back() -> None:
    page = Page()
    searcher = BrowserEngine(page).Searcher(4)
    del searcher
    gc.collect()
    assert page.asked == ["about", "open", "close"]


def test_where_tables_do_not_fit_those_of_nobody_are_dropped_first() -> None:
    page = Page()
    browser = BrowserEngine(page)
    page.failures = ["memory\nfull"]
    searcher = browser.Searcher(64)
    assert page.asked == ["about", "open", "open"]
    page.failures = ["memory\nfull", "memory\nfull"]
    with pytest.raises(MemoryError, match="full"):
        browser.Searcher(64)
    del searcher


def test_an_engine_of_another_version_is_refused() -> None:
    with pytest.raises(EngineMissing, match=r"found 0\.0\.1, needed"):
        engine.connect(BrowserEngine(Page("0.0.1")))
    assert not engine._connected
