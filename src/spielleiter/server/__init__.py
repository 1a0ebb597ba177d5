"""The asyncio shell around the referee: sockets, timers, tasks; it takes no decisions."""

from spielleiter.server.master import GameEvent, GameMaster, MasterSettings, OpenedRoom
from spielleiter.server.peer import PeerLimits

__all__ = ["GameEvent", "GameMaster", "MasterSettings", "OpenedRoom", "PeerLimits"]
