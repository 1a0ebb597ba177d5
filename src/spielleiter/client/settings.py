"""Where a client plays and what it joins."""

from __future__ import annotations

from dataclasses import dataclass, field

from spielleiter.client.player_runner import TimePolicy
from spielleiter.client.session import JoinRequest, Session
from spielleiter.errors import NoServer
from spielleiter.game import AnyGame
from spielleiter.text import system_error
from spielleiter.wire.messages import Join, JoinPrepared, JoinRoom, Observe

CONNECT_SECONDS = 10.0
"""Time until a server that says nothing counts as not there."""
PARTING_SECONDS = 1.0
"""How long we wait, after the result, for the server to end the room and the connection."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClientSettings:
    """Where to play, what to join, and how much time the player gets."""

    host: str = "localhost"
    port: int = 13050
    reservation: str | None = None
    """The code of a reserved place."""
    room: str | None = None
    """The id of a room to join; a reservation goes before."""
    name: str | None = None
    """What others call the player, where its reservation does not say it."""
    game: AnyGame | None = None
    """The game that is expected; without one, whatever the server plays."""
    observe: str | None = None
    """The id of a room to watch instead of joining one; needs the ``password`` of the game master."""
    password: str | None = field(default=None, repr=False)
    time_policy: TimePolicy = field(default_factory=TimePolicy)

    def new_session(self) -> Session:
        """A session that joins as these settings say."""
        join: JoinRequest
        if self.observe is not None:
            join = Observe(self.observe)
        elif self.reservation is not None:
            join = JoinPrepared(self.reservation, self.name)
        elif self.room is not None:
            join = JoinRoom(self.room, self.name)
        else:
            join = Join(None if self.game is None else self.game.wire_name, self.name)
        return Session(join, self.game, password=self.password)

    def no_server(self, problem: OSError) -> NoServer:
        """The error that no server is there, and how to start one."""
        where, why = f"{self.host}:{self.port}", system_error(problem)
        start = f"spielleiter serve --port {self.port}"
        return NoServer(
            f"unter {where} ist kein Spielleiter zu erreichen ({why.de}); auf diesem Rechner startet ihn: {start}",
            f"there is no game master at {where} ({why.en}); to start one on this machine: {start}",
        )
