"""The plain shell around a session: one socket, and a player who may think as long as it likes."""

from __future__ import annotations

import logging
import socket
import time
from contextlib import closing, suppress
from typing import assert_never

from spielleiter.client.arrival import ask_for_stamps, receive
from spielleiter.client.player_runner import PlayerRunner
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
from spielleiter.errors import ServerLeft

log = logging.getLogger("spielleiter.player")

_READ_SIZE = 64 * 1024


def play_game(mind: PlayerRunner, settings: ClientSettings) -> tuple[Ending, Session]:
    """Connect, play one game, close: how it ended. Raises ``PlayingError`` and ``RemoteProtocolError``."""
    with closing(_connect(settings)) as sock:
        session = settings.new_session()
        try:
            ending = _play(sock, session, mind)
        finally:
            _part(sock, session)
        return ending, session


def _connect(settings: ClientSettings) -> socket.socket:
    try:
        sock = socket.create_connection((settings.host, settings.port), timeout=CONNECTING)
    except (OSError, UnicodeError) as problem:
        # A host name that is none raises UnicodeError.
        raise settings.no_server(problem if isinstance(problem, OSError) else OSError(str(problem))) from None
    prepare(sock)
    sock.settimeout(None)
    return sock


def prepare(sock: socket.socket) -> None:
    """Switch on what a player's socket needs: stamps, no delay, and a look whether the other side is still alive."""
    ask_for_stamps(sock)
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for option, value in (("TCP_KEEPIDLE", 30), ("TCP_KEEPINTVL", 10), ("TCP_KEEPCNT", 3)):
        if hasattr(socket, option):
            sock.setsockopt(socket.IPPROTO_TCP, getattr(socket, option), value)


def _play(sock: socket.socket, session: Session, mind: PlayerRunner) -> Ending:
    while True:
        # A server that has closed may have told the result before: so read on, whatever sending says.
        with suppress(OSError):
            sock.sendall(session.data_to_send())
        data, at = _receive(sock, session)
        session.receive_data(data, at)
        for action in session.actions():
            if isinstance(action, Finished):
                assert session.ending is not None
                return session.ending
            _perform(action, session, mind)
            with suppress(OSError):
                sock.sendall(session.data_to_send())


def _receive(sock: socket.socket, session: Session) -> tuple[bytes, float]:
    sock.settimeout(None if session.ending is None else PARTING)
    try:
        return receive(sock, _READ_SIZE)
    except OSError as problem:
        # Once the result is known, it does not matter how the connection ends.
        if session.ending is not None:
            return b"", time.monotonic()
        why = problem.strerror or str(problem)
        raise ServerLeft(f"die Verbindung ist abgebrochen: {why}", f"the connection broke: {why}") from None


def _perform(action: Action, session: Session, mind: PlayerRunner) -> None:
    match action:
        case ChooseMove():
            session.send_move(mind.answer(action))
        case GameStarted() | StateChanged() | GameOver():
            mind.tell(action)
        case Note(text, serious):
            log.log(logging.WARNING if serious else logging.INFO, "%s", text)
        case Finished():
            pass
        case _:
            assert_never(action)


def _part(sock: socket.socket, session: Session) -> None:
    """Say the last word, and let the server read it before the socket closes."""
    session.close()
    with suppress(OSError):
        sock.settimeout(PARTING)
        sock.sendall(session.data_to_send())
        sock.shutdown(socket.SHUT_WR)
        end = time.monotonic() + PARTING
        while time.monotonic() < end and sock.recv(_READ_SIZE):
            pass
