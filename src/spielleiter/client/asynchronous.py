"""The shell around a session for asyncio: many players in one process, or a player who does other things meanwhile.

``choose`` and the hooks may be coroutines. A plain ``choose`` thinks in a thread, so that nobody else has to wait.
"""

from __future__ import annotations

import asyncio
import inspect
import logging
import socket
import time
from collections.abc import Awaitable, Callable
from contextlib import closing, suppress
from typing import Any, assert_never

from spielleiter.client.arrival import receive
from spielleiter.client.player_runner import PlayerRunner, Turn
from spielleiter.client.session import (
    Action,
    ChooseMove,
    Ending,
    Finished,
    GameOver,
    GameStarted,
    Note,
    Session,
    StateChanged,
)
from spielleiter.client.settings import CONNECTING, PARTING, ClientSettings
from spielleiter.client.sync import prepare
from spielleiter.errors import ServerLeft

log = logging.getLogger("spielleiter.player")

_READ_SIZE = 64 * 1024


async def play_async(player: Any, settings: ClientSettings | None = None) -> Ending:
    """Connect, play one game, close: how it ended. Raises ``PlayingError`` and ``RemoteProtocolError``."""
    settings = settings or ClientSettings()
    mind = PlayerRunner(player, settings.care)
    sock = await _connect(settings)
    with closing(sock):
        session = settings.new_session()
        try:
            return await _play(sock, session, mind)
        finally:
            await _part(sock, session)


async def _connect(settings: ClientSettings) -> socket.socket:
    loop = asyncio.get_running_loop()
    problem: OSError = OSError("no address")
    try:
        async with asyncio.timeout(CONNECTING):
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


async def _play(sock: socket.socket, session: Session, mind: PlayerRunner) -> Ending:
    while True:
        await _flush(sock, session)
        data, at = await _receive(sock, session)
        session.receive_data(data, at)
        for action in session.actions():
            if isinstance(action, Finished):
                assert session.ending is not None
                return session.ending
            await _perform(action, session, mind)
            await _flush(sock, session)


async def _flush(sock: socket.socket, session: Session) -> None:
    # A server that has closed may have told the result before: so read on, whatever sending says.
    with suppress(OSError):
        await asyncio.get_running_loop().sock_sendall(sock, session.data_to_send())


async def _receive(sock: socket.socket, session: Session) -> tuple[bytes, float]:
    try:
        async with asyncio.timeout(None if session.ending is None else PARTING):
            while True:
                await _readable(sock)
                with suppress(BlockingIOError, InterruptedError):
                    return receive(sock, _READ_SIZE)
    except OSError as problem:
        if session.ending is not None:
            return b"", time.monotonic()
        why = problem.strerror or str(problem)
        raise ServerLeft(f"die Verbindung ist abgebrochen: {why}", f"the connection broke: {why}") from None


async def _readable(sock: socket.socket) -> None:
    """Wait until there is something to read. We read ourselves, because asyncio does not tell when bytes came."""
    loop = asyncio.get_running_loop()
    ready = asyncio.Event()
    loop.add_reader(sock, ready.set)
    try:
        await ready.wait()
    finally:
        loop.remove_reader(sock)


async def _perform(action: Action, session: Session, mind: PlayerRunner) -> None:
    match action:
        case ChooseMove():
            session.send_move(await _answer(mind, action))
        case GameStarted() | StateChanged() | GameOver():
            told = mind.tell(action)
            if inspect.isawaitable(told):
                await _await_hook(mind, type(action).__name__, told)
        case Note(text, serious):
            log.log(logging.WARNING if serious else logging.INFO, "%s", text)
        case Finished():
            pass
        case _:
            assert_never(action)


async def _await_hook(mind: PlayerRunner, name: str, told: Awaitable[Any]) -> None:
    try:
        await told
    except Exception as error:  # noqa: BLE001 - whatever a student's code raises is explained
        mind.hook_failed(name, error)


async def _answer(mind: PlayerRunner, action: ChooseMove) -> Any:
    choose: Callable[..., Any] = mind.choose
    if not inspect.iscoroutinefunction(choose):
        return await asyncio.to_thread(mind.answer, action)
    turn: Turn = mind.turn(action)
    late = None if mind.care.fallback is None else max(0.0, turn.last_moment - time.monotonic())
    try:
        async with asyncio.timeout(late):
            move = await choose(turn.state, turn.seconds(time.monotonic()))
    except Exception as error:
        problem = mind.explain(error, "choose", turn.state)
        if mind.care.fallback is None:
            raise problem from error
        return mind.fall_back(turn, problem.text.en, error)
    return mind.checked(turn, move)


async def _part(sock: socket.socket, session: Session) -> None:
    """Say the last word, and let the server read it before the socket closes."""
    session.close()
    with suppress(OSError):
        async with asyncio.timeout(PARTING):
            loop = asyncio.get_running_loop()
            await loop.sock_sendall(sock, session.data_to_send())
            sock.shutdown(socket.SHUT_WR)
            while await loop.sock_recv(sock, _READ_SIZE):
                pass
