"""The plain shell around a session: one socket, and a player who may think as long as it likes."""

from __future__ import annotations

import logging
import socket
import time
from contextlib import closing, suppress

from spielleiter.backports import assert_never
from spielleiter.client.player_runner import PlayerRunner
from spielleiter.client.session import (
    Action,
    ChooseMove,
    Finished,
    GameOver,
    GameReady,
    LogNote,
    PlayerResult,
    Session,
    StateChanged,
)
from spielleiter.client.settings import CONNECT_SECONDS, PARTING_SECONDS, ClientSettings
from spielleiter.errors import PlayerFailed, ServerLeft
from spielleiter.text import system_error
from spielleiter.timestamps import TimestampReader, enable_timestamps

log = logging.getLogger("spielleiter.player")

_READ_SIZE = 64 * 1024


def play_game(runner: PlayerRunner, settings: ClientSettings) -> tuple[PlayerResult, Session]:
    """Connect, play one game, close: how it ended. Raises ``PlayingError`` and ``RemoteProtocolError``."""
    session = settings.new_session()
    with closing(_connect(settings)) as sock:
        try:
            result = _play(sock, session, runner)
        except PlayerFailed as problem:
            session.give_up(problem, runner.hints)
            raise
        finally:
            _part(sock, session)
        return result, session


def _connect(settings: ClientSettings) -> socket.socket:
    try:
        sock = socket.create_connection((settings.host, settings.port), timeout=CONNECT_SECONDS)
    except (OSError, UnicodeError) as problem:
        # A host name that is none raises UnicodeError.
        raise settings.no_server(problem if isinstance(problem, OSError) else OSError(str(problem))) from None
    prepare(sock)
    sock.settimeout(None)
    return sock


def prepare(sock: socket.socket) -> None:
    """Switch on what a client's socket needs: timestamps, no delay, and keep-alive probes."""
    enable_timestamps(sock)
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for option, value in (("TCP_KEEPIDLE", 30), ("TCP_KEEPINTVL", 10), ("TCP_KEEPCNT", 3)):
        if hasattr(socket, option):
            sock.setsockopt(socket.IPPROTO_TCP, getattr(socket, option), value)


def _play(sock: socket.socket, session: Session, runner: PlayerRunner) -> PlayerResult:
    timestamps = TimestampReader()
    while True:
        # A server that has closed may have sent the result before: so read on, whatever sending says.
        with suppress(OSError):
            sock.sendall(session.data_to_send())
        data, at = _receive(sock, session, timestamps)
        session.receive_data(data, at)
        for action in session.actions():
            if isinstance(action, Finished):
                assert session.result is not None
                return session.result
            _perform(action, session, runner)
            with suppress(OSError):
                sock.sendall(session.data_to_send())


def _receive(sock: socket.socket, session: Session, timestamps: TimestampReader) -> tuple[bytes, float]:
    sock.settimeout(None if session.result is None else PARTING_SECONDS)
    try:
        data, read, stamp = timestamps.receive(sock, _READ_SIZE)
        return data, read if stamp is None else stamp
    except OSError as problem:
        # Once the result is known, it does not matter how the connection ends.
        if session.result is not None:
            return b"", time.monotonic()
        why = system_error(problem)
        raise ServerLeft(f"die Verbindung ist abgebrochen: {why.de}", f"the connection broke: {why.en}") from None


def _perform(action: Action, session: Session, runner: PlayerRunner) -> None:
    match action:
        case ChooseMove():
            session.send_move(runner.answer(action), runner.hints)
        case GameReady() | StateChanged() | GameOver():
            runner.call_hook(action)
        case LogNote(text, serious):
            log.log(logging.WARNING if serious else logging.INFO, "%s", text)
        case Finished():
            pass
        case _:
            assert_never(action)


def _part(sock: socket.socket, session: Session) -> None:
    """Send the closing tag, and let the server read it before the socket closes."""
    session.close()
    with suppress(OSError):
        sock.settimeout(PARTING_SECONDS)
        sock.sendall(session.data_to_send())
        sock.shutdown(socket.SHUT_WR)
        end = time.monotonic() + PARTING_SECONDS
        while time.monotonic() < end and sock.recv(_READ_SIZE):
            pass
