"""What must stay in this process opens no socket to anybody."""

from __future__ import annotations

import socket

import pytest

from spielleiter.server import GameMaster


def forbid_sockets(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let everybody fail who listens or connects, or opens a game master."""

    def forbidden(*_: object, **__: object) -> None:
        raise AssertionError("a socket was opened")

    for name in ("bind", "listen", "connect"):
        monkeypatch.setattr(socket.socket, name, forbidden)
    monkeypatch.setattr(GameMaster, "__aenter__", forbidden)
