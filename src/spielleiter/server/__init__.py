"""The asyncio shell around the referee: sockets, timers, tasks; it takes no decisions."""

from spielleiter.server.master import GameMaster, MasterSettings, OpenedRoom
from spielleiter.server.peer import Peer, PeerLimits

__all__ = ["GameMaster", "MasterSettings", "OpenedRoom", "Peer", "PeerLimits"]
