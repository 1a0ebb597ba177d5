"""What can be chosen about a game master."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from spielleiter import games
from spielleiter.game import Language, Limits
from spielleiter.server.peer import PeerLimits


@dataclass(frozen=True, slots=True, kw_only=True)
class MasterSettings:
    """What can be chosen about a game master; ``spielleiter serve`` has options of the same names."""

    host: str = "127.0.0.1"
    port: int = 13050
    """0 takes any free port."""
    game: str = games.CURRENT_SEASON
    """Default game."""
    official: bool = False
    """Referee as the season's own server did, not by the rule document."""
    password: str | None = field(default=None, repr=False)
    """Makes administrators; without one there is no administration."""
    records: Path | None = None
    """The folder for the records of games; without one none are written."""
    timeouts: bool = True
    limits: Limits | None = None
    """For every game instead of its own."""
    start_gap: float = 0.01
    """Seconds between the answer to the second player's join and the beginning of the game."""
    request_gap: float | None = None
    """Seconds between a state and the request that follows it, instead of those of each season."""
    paused: bool = False
    reserved_only: bool = False
    """Whether joining requires a reservation."""
    language: Language = "de"
    max_connections: int = 4000
    max_connections_per_address: int = 400
    """A whole school may share one address."""
    max_connections_from_here: int = 3600
    """For this machine itself, where the programs of a match run; below the limit for all: others need places, too."""
    peer: PeerLimits = field(default_factory=PeerLimits)
