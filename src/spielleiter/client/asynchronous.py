"""The shell around a session for asyncio: many players in one process, or one that does other things meanwhile.

``RemoteGame`` is a game whose user decides what to do and when; ``play_async`` lets a player's code decide. There
``choose`` and the hooks may be coroutines. A plain ``choose`` thinks in a thread, so that other tasks go on.
"""

from __future__ import annotations

import asyncio
import inspect
import logging
import socket
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import suppress
from types import TracebackType
from typing import Any

from spielleiter.backports import Self, assert_never
from spielleiter.client.player_runner import PlayerRunner, Turn
from spielleiter.client.session import (
    Action,
    ChooseMove,
    Finished,
    GameOver,
    GameReady,
    LogNote,
    PlayerResult,
    StateChanged,
)
from spielleiter.client.settings import CONNECT_SECONDS, PARTING_SECONDS, ClientSettings
from spielleiter.client.sync import prepare
from spielleiter.errors import PlayerFailed, ServerLeft
from spielleiter.text import system_error
from spielleiter.timestamps import TimestampReader

if sys.version_info >= (3, 11):
    from asyncio import timeout
else:
    from spielleiter.client.timeout import timeout

log = logging.getLogger("spielleiter.player")

_READ_SIZE = 64 * 1024


async def play_async(player: Any, settings: ClientSettings | None = None) -> PlayerResult:
    """Connect, play one game, close: how it ended. Raises ``PlayingError`` and ``RemoteProtocolError``."""
    settings = settings or ClientSettings()
    runner = PlayerRunner(player, settings.time_policy)
    async with RemoteGame(settings) as game:
        try:
            async for action in game.actions():
                await _perform(action, game, runner)
        except PlayerFailed as problem:
            game.session.give_up(problem, runner.hints)
            raise
    assert game.session.result is not None
    return game.session.result


class RemoteGame:
    """A place in one game of a game master: as a player, or as an observer if the settings say so.

    async with RemoteGame(settings) as game:
        async for action in game.actions():
            if isinstance(action, ChooseMove):
                await game.send_move(...)     # now, or later from elsewhere
    """

    def __init__(self, settings: ClientSettings) -> None:
        self.session = settings.new_session()
        self._settings = settings
        self._timestamps = TimestampReader()
        self._sock: socket.socket | None = None

    async def __aenter__(self) -> Self:
        await self.connect()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def connect(self) -> None:
        """Join as the settings say. Raises ``NoServer``."""
        self._sock = await _connect(self._settings)
        await self._flush()

    async def actions(self) -> AsyncIterator[Action]:
        """What happens, in order, until nothing more will come. Raises ``ServerLeft`` and ``RemoteProtocolError``."""
        while True:
            data, at = await self._receive()
            self.session.receive_data(data, at)
            for action in self.session.actions():
                if isinstance(action, Finished):
                    return
                yield action
            await self._flush()

    async def send_move(self, move: Any, hints: Sequence[str] = ()) -> None:
        """Answer the last request for a move, with debug hints where the season has them."""
        self.session.send_move(move, hints)
        await self._flush()

    async def close(self) -> None:
        """Leave, in a running game that is giving up. Says the last word, and lets the server read it. Idempotent."""
        sock, self._sock = self._sock, None
        if sock is None:
            return
        self.session.close()
        try:
            with suppress(OSError):
                async with timeout(PARTING_SECONDS):
                    loop = asyncio.get_running_loop()
                    await loop.sock_sendall(sock, self.session.data_to_send())
                    sock.shutdown(socket.SHUT_WR)
                    while await loop.sock_recv(sock, _READ_SIZE):
                        pass
        finally:
            sock.close()

    async def _flush(self) -> None:
        # A server that has closed may have sent the result before: so read on, whatever sending says.
        if self._sock is not None:
            with suppress(OSError):
                await asyncio.get_running_loop().sock_sendall(self._sock, self.session.data_to_send())

    async def _receive(self) -> tuple[bytes, float]:
        assert self._sock is not None
        over = self.session.result is not None
        try:
            async with timeout(PARTING_SECONDS if over else None):
                while True:
                    await _readable(self._sock)
                    with suppress(BlockingIOError, InterruptedError):
                        data, read, stamp = self._timestamps.receive(self._sock, _READ_SIZE)
                        return data, read if stamp is None else stamp
        except OSError as problem:
            if over:
                return b"", time.monotonic()
            why = system_error(problem)
            raise ServerLeft(f"die Verbindung ist abgebrochen: {why.de}", f"the connection broke: {why.en}") from None


async def _connect(settings: ClientSettings) -> socket.socket:
    loop = asyncio.get_running_loop()
    problem: OSError = OSError("no address")
    try:
        async with timeout(CONNECT_SECONDS):
            for family, kind, protocol, _, address in await loop.getaddrinfo(
                settings.host, settings.port, type=socket.SOCK_STREAM
            ):
                sock = socket.socket(family, kind, protocol)
                sock.setblocking(False)
                try:
                    prepare(sock)
                    await loop.sock_connect(sock, address)
                except OSError as error:
                    sock.close()
                    problem = error
                except BaseException:
                    sock.close()
                    raise
                else:
                    return sock
    except (OSError, UnicodeError) as error:
        problem = error if isinstance(error, OSError) else OSError(str(error))
    raise settings.no_server(problem)


async def _readable(sock: socket.socket) -> None:
    """Wait until there is something to read. We read ourselves, because asyncio does not say when bytes came."""
    loop = asyncio.get_running_loop()
    ready = asyncio.Event()
    loop.add_reader(sock, ready.set)
    try:
        await ready.wait()
    finally:
        loop.remove_reader(sock)


# --- a player's code --------------------------------------------------------------------------------------------------


async def _perform(action: Action, game: RemoteGame, runner: PlayerRunner) -> None:
    match action:
        case ChooseMove():
            await game.send_move(await _answer(runner, action), runner.hints)
        case GameReady() | StateChanged() | GameOver():
            returned = runner.call_hook(action)
            if inspect.isawaitable(returned):
                await _await_hook(runner, type(action).__name__, returned)
        case LogNote(text, serious):
            log.log(logging.WARNING if serious else logging.INFO, "%s", text)
        case Finished():
            pass
        case _:
            assert_never(action)


async def _await_hook(runner: PlayerRunner, name: str, returned: Awaitable[Any]) -> None:
    try:
        await returned
    except Exception as error:  # noqa: BLE001 - whatever a student's code raises is explained
        runner.hook_failed(name, error)


async def _answer(runner: PlayerRunner, action: ChooseMove) -> Any:
    choose: Callable[..., Any] = runner.choose
    if not inspect.iscoroutinefunction(choose):
        return await asyncio.to_thread(runner.answer, action)
    turn: Turn = runner.turn(action)
    seconds = None if runner.policy.fallback is None else max(0.0, turn.last_moment - time.monotonic())
    try:
        with runner.taking_notes(action.game, turn.state):
            async with timeout(seconds):
                move = await choose(turn.state, turn.seconds(time.monotonic()))
    except Exception as error:
        problem = runner.explain(error, "choose", turn.state)
        if runner.policy.fallback is None:
            raise problem from error
        return runner.fall_back(turn, problem.text, error)
    return runner.checked(turn, move)
