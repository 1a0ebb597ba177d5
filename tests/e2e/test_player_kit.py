"""Player programs made with the kit, as processes and in process, against our game master on real sockets."""

from __future__ import annotations

import asyncio
import os
import sys
import textwrap
import threading
from collections.abc import Awaitable, Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from spielleiter import games
from spielleiter.client import ClientSettings, Hooks, TimePolicy, play_async
from spielleiter.client.player_runner import PlayerRunner
from spielleiter.client.sync import play_game
from spielleiter.errors import PlayerFailed, ServerLeft
from spielleiter.game import AnyGame, Cause, Limits, Team
from spielleiter.referee import GameEnded
from spielleiter.server import GameMaster, MasterSettings, OpenedRoom

SOURCE = Path(__file__).parents[2] / "src"
DOCUMENTED = [key for key, game in games.all_games().items() if not game.official]

PATIENT = Limits(20.0, 60.0)
"""So that a busy machine makes nobody late, and no player warns of it."""

GOOD = """
from random import Random
from spielleiter.client import play

rng = Random(1)

def choose(state, seconds):
    return rng.choice(state.legal_moves())

play(choose)
"""


def run(body: Callable[[GameMaster], Awaitable[None]], **settings: Any) -> None:
    async def main() -> None:
        chosen = MasterSettings(port=0, **{"limits": PATIENT, **settings})
        async with GameMaster(chosen) as master, asyncio.timeout(120):
            await body(master)

    asyncio.run(main())


class Program:
    """A student's file, run as the contest would."""

    def __init__(self, folder: Path, source: str) -> None:
        self.file = folder / "player.py"
        self.file.write_text(textwrap.dedent(source), encoding="utf-8")

    async def run(self, *arguments: str) -> tuple[int, str]:
        environment = {**os.environ, "PYTHONPATH": str(SOURCE), "LC_ALL": "C.UTF-8"}
        process = await asyncio.create_subprocess_exec(
            sys.executable, str(self.file), *arguments,
            env=environment, cwd=self.file.parent, stderr=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.DEVNULL,
        )  # fmt: skip
        try:
            async with asyncio.timeout(60):
                _, err = await process.communicate()
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
        assert process.returncode is not None
        return process.returncode, err.decode()


def where(master: GameMaster) -> list[str]:
    host, port = master.address
    limits = master.settings.limits
    assert limits is not None
    return ["--host", host, f"--port={port}", "--limit", str(limits.soft)]


def settings_for(master: GameMaster, room: OpenedRoom, team: Team, **care: Any) -> ClientSettings:
    host, port = master.address
    return ClientSettings(host=host, port=port, reservation=room.codes[team], time_policy=TimePolicy(**care))


async def somebody_waits(master: GameMaster) -> None:
    while not master.lobby.rooms:  # noqa: ASYNC110 - the master tells of games, not of those who wait for one
        await asyncio.sleep(0.01)


def any_move(state: Any, seconds: float) -> Any:
    return Random(state.turn).choice(state.legal_moves())


async def against_random(
    master: GameMaster, program: Program, game: AnyGame, *options: str, **room_options: Any
) -> tuple[int, str, GameEnded]:
    """Let a program play as ONE against a random player."""
    room = master.open_room(game, **room_options)
    (code, err), _ = await asyncio.gather(
        program.run(*where(master), "-r", room.codes[0], *options),
        play_async(any_move, settings_for(master, room, Team.TWO)),
    )
    return code, err, await room.ended


@pytest.mark.parametrize("key", DOCUMENTED)
def test_a_file_of_ten_lines_plays_every_game(key: str, tmp_path: Path) -> None:
    async def body(master: GameMaster) -> None:
        code, err, ended = await against_random(master, Program(tmp_path, GOOD), games.load(key))
        assert (code, err) == (0, "")
        assert ended.result.regular

    run(body)


def test_it_joins_without_a_reservation_and_finds_the_game_by_itself(tmp_path: Path) -> None:
    async def body(master: GameMaster) -> None:
        program = Program(tmp_path, GOOD)
        log = tmp_path / "player.log"
        results = await asyncio.gather(
            program.run(*where(master)), program.run(*where(master), "--log", str(log), "--name", "Ada")
        )
        assert results == [(0, ""), (0, "")]
        printed = log.read_text(encoding="utf-8")
        assert "Ada INFO ostseeschach-2022" in printed
        assert "game over" in printed
        assert printed.count("turn ") > 10

    run(body, game="ostseeschach-2022")


@pytest.mark.parametrize(
    ("source", "said", "judged"),
    [
        ("    pass", ["returned None", "spielleiter show", "piranhas-2026 "], "left the game: choose() returned None"),
        (
            "    return 1 // 0",
            ["ZeroDivisionError", "line 5: return 1 // 0", "Traceback", "spielleiter show"],
            "left the game: choose() raised ZeroDivisionError: integer division or modulo by zero in",
        ),
        (
            "    import dataclasses; return dataclasses.replace(state.legal_moves()[0], x=4, y=4)",
            ["not legal"],
            "Illegal move of {name}: There is no fish on the starting square",
        ),
        (
            "    import dataclasses; return dataclasses.replace(state.legal_moves()[0], x='4')",
            ["choose() returned a move (Move) with wrong values: TypeError", "spielleiter show"],
            "left the game: choose() returned a move (Move) with wrong values",
        ),
        ("    return 'UP'", ["'UP' (str), which is not a move (Move)"], "left the game: choose() returned 'UP' (str)"),
    ],
)
def test_a_player_that_fails_says_why_and_loses(source: str, said: list[str], judged: str, tmp_path: Path) -> None:
    file = f"from spielleiter.client import play\n\n\ndef choose(state, seconds):\n{source}\n\n\nplay(choose)\n"

    async def body(master: GameMaster) -> None:
        code, err, ended = await against_random(master, Program(tmp_path, file), games.load("piranhas-2026"))
        assert code == 1
        for words in said:
            assert words in err
        assert "spielleiter/client" not in err
        assert judged.format(name=tmp_path.name) in ended.result.reason.en
        assert ended.result.teams[0].cause is (Cause.RULE_VIOLATION if "Illegal" in judged else Cause.LEFT)
        assert ended.result.winner is Team.TWO

    run(body)


def test_the_log_has_the_traceback_and_the_terminal_one_message(tmp_path: Path) -> None:
    file = "from spielleiter.client import play\n\ndef choose(state, seconds):\n    return 1 // 0\n\nplay(choose)\n"

    async def body(master: GameMaster) -> None:
        log = tmp_path / "x.log"
        code, err, _ = await against_random(
            master, Program(tmp_path, file), games.load("piranhas-2026"), "--log", str(log)
        )
        assert code == 1
        assert "Traceback" not in err
        assert "Traceback" in log.read_text(encoding="utf-8")

    run(body)


def test_with_a_fallback_even_a_broken_player_plays_to_the_end(tmp_path: Path) -> None:
    file = "from spielleiter.client import play\n\ndef choose(state, seconds):\n    return 1 // 0\n\nplay(choose)\n"

    async def body(master: GameMaster) -> None:
        program = Program(tmp_path, file)
        code, err, ended = await against_random(master, program, games.load("ostseeschach-2022"), "--fallback")
        assert code == 0
        assert "the fallback plays" in err
        assert ended.result.regular

    run(body)


def test_a_player_that_is_too_slow_is_warned_and_gets_the_result(tmp_path: Path) -> None:
    file = """
        import time
        from spielleiter.client import Hooks, play

        class Slow(Hooks):
            def choose(self, state, seconds):
                time.sleep(0.7)
                return state.legal_moves()[0]

            def game_over(self, result, why):
                print("over", result.lost, why)
                import sys; sys.stderr.write(f"lost: {result.lost}")

        play(Slow(), limit=0.5)
    """

    async def body(master: GameMaster) -> None:
        code, err, ended = await against_random(master, Program(tmp_path, file), games.load("piranhas-2026"))
        assert code == 0
        assert "of 0.5 s" in err
        assert "lost: True" in err
        assert ended.result.teams[0].cause is Cause.SOFT_TIMEOUT

    run(body, limits=Limits(0.5, 5.0))


def test_a_wrong_reservation_and_a_server_that_stops_are_reported(tmp_path: Path) -> None:
    async def body(master: GameMaster) -> None:
        program = Program(tmp_path, GOOD)
        code, err = await program.run(*where(master), "-r", "nonsense")
        assert code == 4
        assert "refuses (--reservation)" in err
        waiting = asyncio.create_task(program.run(*where(master)))
        await somebody_waits(master)
        await master.stop()
        code, err = await waiting
        assert code == 4, err

    run(body)


def test_the_wrong_game_is_reported(tmp_path: Path) -> None:
    async def body(master: GameMaster) -> None:
        room = master.open_room(games.load("piranhas-2026"))
        other = asyncio.create_task(play_async(any_move, settings_for(master, room, Team.TWO)))
        code, err = await Program(tmp_path, GOOD).run(
            *where(master), "-r", room.codes[0], "--game", "ostseeschach-2022"
        )
        assert code == 5
        assert "plays piranhas-2026, but ostseeschach-2022 was expected" in err
        assert (await other).won

    run(body)


def test_a_built_in_player_plays_as_a_process_by_its_name() -> None:
    async def start(*arguments: str) -> tuple[int | None, str]:
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "spielleiter.players", *arguments,
            env={**os.environ, "PYTHONPATH": str(SOURCE), "LC_ALL": "C.UTF-8"}, stderr=asyncio.subprocess.PIPE,
        )  # fmt: skip
        _, err = await process.communicate()
        return process.returncode, err.decode()

    async def body(master: GameMaster) -> None:
        room = master.open_room(games.load("piranhas-2026"))
        one, two = await asyncio.gather(
            start("greedy:seed=1", *where(master), "-r", room.codes[0]),
            start("random:seed=1", *where(master), "-r", room.codes[1]),
        )
        assert (one, two) == ((0, ""), (0, ""))
        assert (await room.ended).result.winner is Team.ONE
        for arguments, said in ((["gredy"], "did you mean greedy"), ([], "expected one of random")):
            code, err = await start(*arguments)
            assert code == 2
            assert said in err

    run(body)


# --- in process -------------------------------------------------------------------------------------------------------


class Coroutine(Hooks):
    """A player whose methods are all coroutines."""

    def __init__(self) -> None:
        self.heard: list[str] = []

    async def choose(self, state: Any, seconds: float) -> Any:
        await asyncio.sleep(0)
        return any_move(state, seconds)

    async def game_started(self, team: Team, names: tuple[str, str]) -> None:  # type: ignore[override]
        self.heard.append(f"{team.name} {names[0]}")

    async def game_over(self, result: Any, why: str) -> None:  # type: ignore[override]
        self.heard.append("over")


def test_coroutines_play_too() -> None:
    async def body(master: GameMaster) -> None:
        room = master.open_room(games.load("piranhas-2019"), names=("Ada", "Bob"))
        players = [Coroutine(), Coroutine()]
        endings = await asyncio.gather(
            *(play_async(player, settings_for(master, room, team)) for player, team in zip(players, Team, strict=True))
        )
        assert [ending.team for ending in endings] == [Team.ONE, Team.TWO]
        assert endings[0].winner == endings[1].winner == (await room.ended).result.winner
        assert [player.heard for player in players] == [["ONE Ada", "over"], ["TWO Ada", "over"]]

    run(body)


def test_a_coroutine_that_never_answers_is_replaced_by_the_fallback() -> None:
    class Silent:
        async def choose(self, state: Any, seconds: float) -> Any:
            await asyncio.Event().wait()

    async def body(master: GameMaster) -> None:
        room = master.open_room(games.load("piranhas-2026"))
        first = {"limit": 0.06, "margin": 0.04, "fallback": lambda state: state.legal_moves()[0]}
        ending, _ = await asyncio.gather(
            play_async(Silent(), settings_for(master, room, Team.ONE, **first)),
            play_async(any_move, settings_for(master, room, Team.TWO)),
        )
        assert ending.regular

    run(body)


def test_a_coroutine_that_raises_fails() -> None:
    class Broken:
        async def choose(self, state: Any, seconds: float) -> Any:
            raise ValueError("oh")

    async def body(master: GameMaster) -> None:
        room = master.open_room(games.load("piranhas-2026"))
        failed, won = await asyncio.gather(
            play_async(Broken(), settings_for(master, room, Team.ONE)),
            play_async(any_move, settings_for(master, room, Team.TWO)),
            return_exceptions=True,
        )
        assert isinstance(failed, PlayerFailed)
        assert not isinstance(won, BaseException)
        assert won.won
        assert "choose() raised ValueError: oh in test_player_kit.py" in (await room.ended).result.reason.en

    run(body)


def test_a_server_that_stops_ends_a_coroutine_that_waits() -> None:
    async def body(master: GameMaster) -> None:
        host, port = master.address
        waiting = asyncio.create_task(play_async(any_move, ClientSettings(host=host, port=port)))
        await somebody_waits(master)
        await master.stop()
        with pytest.raises(ServerLeft):
            await waiting

    run(body)


def test_the_plain_shell_gives_the_ending() -> None:
    async def body(master: GameMaster) -> None:
        room = master.open_room(games.load("ostseeschach-2022"))
        threads_before = threading.active_count()  # Other tests of this process may have left some.
        (ending, session), other = await asyncio.gather(
            asyncio.to_thread(play_game, PlayerRunner(any_move), settings_for(master, room, Team.ONE)),
            play_async(any_move, settings_for(master, room, Team.TWO)),
        )
        assert not session.doubtful
        assert ending.winner == other.winner
        assert threading.active_count() - threads_before < 20

    run(body)


def test_the_seconds_run_while_a_hook_dawdles() -> None:
    seconds_given: list[float] = []

    class Dawdler(Hooks):
        def choose(self, state: Any, seconds: float) -> Any:
            seconds_given.append(seconds)
            return any_move(state, seconds)

        def state_changed(self, state: Any) -> None:
            if state.turn == 0:
                threading.Event().wait(1.0)

    async def body(master: GameMaster) -> None:
        room = master.open_room(games.load("piranhas-2026"))
        await asyncio.gather(
            asyncio.to_thread(
                play_game, PlayerRunner(Dawdler(), TimePolicy(margin=0)), settings_for(master, room, Team.ONE)
            ),
            play_async(any_move, settings_for(master, room, Team.TWO)),
        )
        assert seconds_given[0] < 1.6, "the request arrived while the hook dawdled"
        assert seconds_given[1] > seconds_given[0]

    run(body)
