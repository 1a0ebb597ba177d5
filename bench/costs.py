"""What is done thousands of times, or by strangers, costs little CPU time: the best of five runs of each.

Exit code 1 above a limit.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from random import Random

from bench.punctual import timed_moves
from spielleiter import games
from spielleiter.errors import RemoteProtocolError
from spielleiter.game import random_game
from spielleiter.pages.replays import pack
from spielleiter.programs.start_script import runs_from_above
from spielleiter.referee import MoveMade
from spielleiter.search import Budget
from spielleiter.search.engine import EngineSearch, why_unavailable
from spielleiter.wire.framing import Framer
from tests.support.histories import history_of
from tests.support.records_stage import Stage

RUNS = 5


def line_of_a_move() -> float:
    """CPU seconds for the line of a move in a record."""
    with tempfile.TemporaryDirectory() as folder:
        stage = Stage(Path(folder), games.load("blokus-2027"))
        move = stage.state.legal_moves()[0]
        made = MoveMade("room-1", stage.state.to_move, move, stage.state.play(move), (), stage.times())
        begin = time.process_time()
        for _ in range(40):
            history = replace(stage.history)
            for _ in range(50):
                stage.writer.write(history.follow(made))
        each = (time.process_time() - begin) / 2000
        stage.writer.close()
    return each


def search_without_time() -> float:
    """CPU seconds of the native engine for a move if it has no time at all."""
    game = games.load("blokus-2027")
    state, search = game.new_state(Random(1)), EngineSearch(game, table_mib=1)
    begin = time.process_time()
    search.search(state, Budget(seconds=0))
    return time.process_time() - begin


def token_in_tiny_pieces() -> float:
    """CPU seconds to refuse a token whose every byte looks like its end."""
    stream = b"<protocol><a b='" + b">" * 60_000
    return _refusal(stream[i : i + 1] for i in range(len(stream)))


def thousands_of_elements() -> float:
    """CPU seconds to refuse a message with far too many elements, or attributes."""
    attributes = b"<c " + b"".join(b"a%d='' " % i for i in range(1500)) + b"/>"
    return sum(_refusal(iter([b"<protocol><a>" + inside + b"</a>"])) for inside in (b"<c/>" * 15_000, attributes))


def huge_start_script() -> float:
    """CPU seconds to read the worst of some start scripts of megabytes."""
    evil = (b"\n", b" ", b">", b"> ", b'"', b"#\n", b"a/", b"cd a\n", b"../", b"\\\n")

    def read(part: bytes) -> float:
        begin = time.process_time()
        runs_from_above(part * 1_000_000, "my_player", lambda path: path == "my_player/logic.py")
        return time.process_time() - begin

    return max(map(read, evil))


def first_move_of_a_program() -> float:
    """CPU seconds of a program for the dearest of its moves, where choosing takes none: nothing is left to be made."""
    with tempfile.TemporaryDirectory() as folder:
        player = Path(folder) / "player.py"
        player.write_text(
            "from spielleiter.client import play\n\nplay(lambda state, seconds: state.legal_moves()[0])\n"
        )
        return _dearest_move(str(player))


def first_move_of_expert() -> float:
    """CPU seconds of ``expert`` for the dearest of its first moves, beside searching."""
    return _dearest_move("expert:nodes=1,hash=1")


def _dearest_move(player: str) -> float:
    moves = asyncio.run(timed_moves(player, ("blokus-2027", "piranhas-2026"), 1, 2.0, 4))
    assert sum(move.first for move in moves) == 4
    return max(move.cpu for move in moves)


def exported_game() -> float:
    """CPU seconds to draw and pack a game of Blokus for the exported site, which has hundreds of them."""
    game = games.load("blokus-2027")
    histories = [history_of(list(random_game(game.new_state(Random(seed)), Random(seed)))) for seed in range(12)]
    begin = time.process_time()
    pack(enumerate(histories), game)
    return (time.process_time() - begin) / len(histories)


def _refusal(pieces: Iterator[bytes]) -> float:
    framer, begin = Framer(), time.process_time()
    with suppress(RemoteProtocolError):
        for piece in pieces:
            framer.feed(piece)
        raise AssertionError("it was not refused")
    return time.process_time() - begin


LIMITS: dict[Callable[[], float], float] = {
    line_of_a_move: 50e-6,
    token_in_tiny_pieces: 1.0,
    thousands_of_elements: 0.5,
    huge_start_script: 2.0,
    first_move_of_a_program: 0.05,
    exported_game: 0.018,
} | ({} if why_unavailable() else {search_without_time: 0.2, first_move_of_expert: 0.05})


def main() -> int:
    """Print the numbers."""
    slow = False
    for measure, limit in LIMITS.items():
        best = min(measure() for _ in range(RUNS))
        slow = slow or best > limit
        print(f"{measure.__name__.replace('_', ' ')}: {best * 1000:.3f} ms of CPU time (limit {limit * 1000:g} ms)")
    return int(slow)


if __name__ == "__main__":
    sys.exit(main())
