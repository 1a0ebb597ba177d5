"""The asyncio shell around the referee: sockets, timers, tasks; it takes no decisions."""

from spielleiter.server.master import GameMaster, MasterSettings, OpenedRoom, Origin
from spielleiter.server.peer import PeerLimits

__all__ = ["GameMaster", "MasterSettings", "OpenedRoom", "Origin", "PeerLimits"]
