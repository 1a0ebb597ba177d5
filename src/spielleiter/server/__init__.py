"""The asyncio shell around the referee: sockets, timers, tasks; it takes no decisions."""

from spielleiter.server.master import GameMaster
from spielleiter.server.opened_room import OpenedRoom, RoomHooks
from spielleiter.server.peer import Peer, PeerLimits
from spielleiter.server.settings import MasterSettings

__all__ = ["GameMaster", "MasterSettings", "OpenedRoom", "Peer", "PeerLimits", "RoomHooks"]
